// Clocks that count down between two answers of the hall.
import { h } from "./dom.js";

/** The clock of a seat as it stands in a view, or nothing where the match has none. */
export function clockOf(clock, seat, received) {
  const one = clock?.seats?.[seat];
  if (!one || one.bank_ms === null) return null; // bots have none
  return h("span", { class: `clock${one.running ? " running" : ""}`, role: "timer", "data-move": one.move_ms ?? 0, "data-bank": one.bank_ms, "data-from": one.running ? received : "" }, text(one.move_ms ?? 0, one.bank_ms));
}

/** Makes every running clock on the page tick. */
export function tick() {
  for (const element of document.querySelectorAll(".clock[data-from]:not([data-from=''])")) {
    const gone = performance.now() - Number(element.dataset.from);
    const move = Number(element.dataset.move);
    const bank = Math.max(0, Number(element.dataset.bank) - Math.max(0, gone - move));
    const left = Math.max(0, move - gone);
    const now = text(left, bank);
    if (element.textContent !== now) element.textContent = now;
    element.classList.toggle("late", left + bank < 10_000);
  }
}

function text(move, bank) {
  return move > 0 ? `${minutes(move)} + ${minutes(bank)}` : minutes(bank);
}

function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
