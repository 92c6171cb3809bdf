// Calls the visitor to a table of their own on whatever page they are: as soon as a match opens, and where one goes on.
// Also counts notices as they come.
import { listen } from "./events.js";

const { account } = document.body.dataset;
const place = document.getElementById("call");
const title = document.title;
const SLOW = 60000; // a hint may be lost
const MOST = 200;
const UNSEEN = "ginhall-unseen-asked";
let asked = null;

/** To be told of events of the visitor's own topic: a match that opens is called at once. */
export function heard({ event, data }) {
  if (event === "called" && data.match_id !== here()) call(data);
  if (event === "finished" && data.match_id === asked) clear();
  if (event === "noticed") countNotice();
}

/** To be told when events may have been missed: asks whether a match of the visitor's is being played. */
export async function look() {
  const query = new URLSearchParams({ player_id: account, state: "playing", limit: MOST });
  try {
    const answer = await fetch(`/api/v1/matches?${query}`);
    if (!answer.ok) return;
    const match = mostUrgent((await answer.json()).matches);
    if (match && match.match_id !== here() && match.match_id !== asked) {
      const called = asked;
      const where = await nameOf(match.tournament_id);
      if (asked === called) show(match.match_id, `Your match against ${against(match)} goes on${where}.`, false);
    } else if (!match) clear();
  } catch {
    // The network is away: the next page asks again.
  }
}

/** Of matches from the oldest to the newest: a tournament does not wait, games against the computer do. */
function mostUrgent(matches) {
  return matches.findLast((match) => match.tournament_id) ?? matches.at(-1);
}

/** A match opens: who is called hears it at once, and where it is played as soon as that is known. */
async function call({ match_id: match, tournament_id: tournament }) {
  show(match, "A match of yours begins.", true);
  const where = await nameOf(tournament);
  if (where && asked === match) show(match, `A match of yours begins${where}.`, true);
}

/** One more that has not been looked at, in the head of the page. */
function countNotice() {
  const link = document.querySelector('.who a[href="/notices"]');
  if (!link || location.pathname === "/notices") return;
  let count = link.querySelector(".count");
  if (!count) {
    count = document.createElement("span");
    count.className = "count";
    const words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = " new";
    count.append("0", words);
    link.append(" ", count);
  }
  count.firstChild.textContent = String(Number(count.firstChild.textContent) + 1);
}

/** `: Friday`, the name of a tournament; nothing for a casual match, or where it is not to be had. */
async function nameOf(tournament) {
  if (!tournament) return "";
  try {
    const answer = await fetch(`/api/v1/tournaments/${encodeURIComponent(tournament)}`);
    return answer.ok ? `: ${(await answer.json()).name}` : "";
  } catch {
    return "";
  }
}

function against(match) {
  const others = match.seats.filter((seat) => seat.player_id !== account).map((seat) => seat.name);
  return others.join(" and ");
}

function here() {
  return /^\/tables\/([^/]+)/.exec(location.pathname)?.[1];
}

function show(match, text, urgent) {
  asked = match;
  const words = document.createElement("span");
  words.textContent = text;
  const link = document.createElement("a");
  link.className = "button";
  link.href = `/tables/${encodeURIComponent(match)}`;
  link.textContent = "Go to your table";
  place.replaceChildren(words, link);
  place.classList.toggle("urgent", urgent);
  if ((urgent || document.hidden) && !here())
    document.title = `● Your match ${urgent ? "begins" : "waits"} – ${title}`;
}

function clear() {
  asked = null;
  place.replaceChildren();
  if (!here()) document.title = title;
}

/** Tabs that nobody sees hear no events. Of all of them one asks in a minute, so that forgotten ones cost next to nothing. */
function isMyTurn() {
  try {
    if (Date.now() - Number(localStorage.getItem(UNSEEN) ?? 0) < 0.9 * SLOW) return false;
    localStorage.setItem(UNSEEN, String(Date.now()));
  } catch {
    // No storage: each asks for itself.
  }
  return true;
}

// Pages that listen anyway pass on what they hear, so that a page needs one connection; at a table nobody is called back.
if (!document.querySelector("#table, #waiting")) {
  look();
  setInterval(() => (document.hidden && !isMyTurn()) || look(), SLOW);
  if (!document.querySelector("[data-live]")) listen([`player:${account}`], heard, { onReset: look });
}
