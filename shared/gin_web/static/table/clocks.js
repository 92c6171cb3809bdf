// Clocks that count down between two answers of the hall.
import { h } from "./dom.js";

const LATE_MS = 10_000;
const warned = { turn: null, stage: 0 }; // what the own clock was last said to be at

/** The clock of a seat as it stands in a view, or nothing where the match has none; `turn` names the turn of an own one. */
export function clockOf(clock, seat, received, turn = null) {
  const one = clock?.seats?.[seat];
  if (!one || one.bank_ms === null) return null; // bots have none
  const late = one.running && (one.move_ms ?? 0) + one.bank_ms < LATE_MS;
  return h(
    "span",
    {
      class: `clock${one.running ? " running" : ""}${late ? " late" : ""}`,
      role: "timer",
      "data-move": one.move_ms ?? 0,
      "data-bank": one.bank_ms,
      "data-from": one.running ? received : "",
      "data-turn": one.running ? turn : null,
    },
    text(one.move_ms ?? 0, one.bank_ms),
  );
}

/** Makes every running clock on the page tick, and warns of the own one. */
export function tick(warn) {
  for (const element of document.querySelectorAll(".clock[data-from]:not([data-from=''])")) {
    const gone = performance.now() - Number(element.dataset.from);
    const move = Number(element.dataset.move);
    const bank = Math.max(0, Number(element.dataset.bank) - Math.max(0, gone - move));
    const left = Math.max(0, move - gone);
    const now = text(left, bank);
    if (element.textContent !== now) element.textContent = now;
    element.classList.toggle("late", left + bank < LATE_MS);
    if (element.dataset.turn) tellOnce(element.dataset.turn, left, bank, warn);
  }
}

/** Says once in a turn that the bank is being used, and once that little is left of it. */
function tellOnce(turn, left, bank, warn) {
  if (turn !== warned.turn) Object.assign(warned, { turn, stage: 0 });
  const stage = left + bank < LATE_MS ? 2 : left === 0 ? 1 : 0;
  if (stage <= warned.stage) return;
  warned.stage = stage;
  warn(
    stage === 1
      ? `The time for this move is used up. Your bank runs: ${spoken(bank)} left.`
      : `Hurry: ${spoken(left + bank)} left, then the time is over.`,
  );
}

function spoken(ms) {
  const seconds = Math.ceil(ms / 1000);
  const part = (count, unit) => (count ? `${count} ${unit}${count === 1 ? "" : "s"}` : "");
  const parts = [part(Math.floor(seconds / 60), "minute"), part(seconds % 60, "second")].filter(Boolean);
  return parts.join(" ") || "0 seconds";
}

function text(move, bank) {
  return move > 0 ? `${minutes(move)} + ${minutes(bank)}` : minutes(bank);
}

function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
