// Keeps the parts of a page marked data-part current as long as one of them is marked data-live: at once when a live
// event of its data-topics (separated by blanks) comes, and slowly by itself. What did not change stays as it is: focus,
// scrolling, what was opened. Without JavaScript the page is complete, and a reload does the same.
import { listen } from "./events.js";
import { morph } from "./morph.js";
import { addOwnTimes } from "./times.js";

const SLOW = 30000; // while events come
const WITHOUT_EVENTS = 5000;
const AT_MOST_EVERY = 1000;

let events = null;
let timer = 0;
let asking = false;
let again = false;
let askedAt = 0;

async function refresh() {
  clearTimeout(timer);
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  again = false;
  askedAt = Date.now();
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The network is away for a moment; the next round tries again.
  }
  asking = false;
  plan();
}

function show(page) {
  addOwnTimes(page);
  const fresh = page.querySelectorAll("[data-part]");
  document.querySelectorAll("[data-part]").forEach((shown, number) => {
    if (fresh[number] && !shown.isEqualNode(fresh[number])) morph(shown, fresh[number]);
  });
}

function hear(told) {
  call?.heard(told);
  // Moves in the visitor's own matches change nothing here.
  if (told.event !== "moved") soon();
}

function missed() {
  call?.look();
  soon();
}

function plan() {
  clearTimeout(timer);
  if (!document.querySelector("[data-live]")) {
    if (call) return; // the visitor may be called yet
    events?.close();
    events = null;
  } else if (again) {
    soon();
  } else {
    timer = setTimeout(() => (document.hidden ? plan() : refresh()), events?.connected ? SLOW : WITHOUT_EVENTS);
  }
}

function soon() {
  if (!document.querySelector("[data-live]")) return;
  clearTimeout(timer);
  timer = setTimeout(refresh, Math.max(0, askedAt + AT_MOST_EVERY - Date.now()));
}

const topics = [...document.querySelectorAll("[data-live][data-topics]")].flatMap((part) => part.dataset.topics.split(" "));
const { account } = document.body.dataset;
const call = account && topics.length ? await import("./call.js") : null;
if (call) topics.push(`player:${account}`);
if (topics.length) events = listen(topics, hear, { onReset: missed });
plan();
