// Calls the visitor to a table of their own on whatever page they are: as soon as a match opens, and where one goes on.
import { listen } from "./events.js";

const { account } = document.body.dataset;
const place = document.getElementById("call");
const title = document.title;
const SLOW = 60000; // a hint may be lost
let asked = null;

/** To be told of events of the visitor's own topic: a match that opens is called at once. */
export function heard({ event, data }) {
  if (event === "called" && data.match_id !== here()) show(data.match_id, "A match of yours begins.", true);
  if (event === "finished" && data.match_id === asked) clear();
}

/** To be told when events may have been missed: asks whether a match of the visitor's is being played. */
export async function look() {
  const query = new URLSearchParams({ player_id: account, state: "playing", limit: 1 });
  try {
    const answer = await fetch(`/api/v1/matches?${query}`);
    if (!answer.ok) return;
    const [match] = (await answer.json()).matches;
    if (match && match.match_id !== here() && match.match_id !== asked)
      show(match.match_id, `Your match against ${against(match)} goes on.`, false);
    else if (!match) clear();
  } catch {
    // The network is away: the next page asks again.
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
  if (urgent && !here()) document.title = `● Your match begins – ${title}`;
}

function clear() {
  asked = null;
  place.replaceChildren();
  if (!here()) document.title = title;
}

// Pages that listen anyway pass on what they hear, so that a page needs one connection; at a table nobody is called back.
if (!document.querySelector("#table, #waiting")) {
  look();
  setInterval(() => document.hidden || look(), SLOW);
  if (!document.querySelector("[data-live]")) listen([`player:${account}`], heard, { onReset: look });
}
