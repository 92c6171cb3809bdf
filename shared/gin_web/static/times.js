// Adds the reader's own clock to times that the page gives in UTC. Without JavaScript UTC stands alone.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const dated = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

/** In a part of the page, or in a page that is still to be shown. */
export function addOwnTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime()) || moment.getTimezoneOffset() === 0) continue;
    const sameDay = moment.getDate() === moment.getUTCDate();
    const own = document.createElement("span");
    own.className = "own";
    own.textContent = (sameDay ? clock : dated).format(moment);
    time.append(" ", own);
  }
}

addOwnTimes(document);
