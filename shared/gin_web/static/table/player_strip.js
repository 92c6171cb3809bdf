// One player at the table: name, whose turn it is, clock, points, and the backs of the cards.
import { back } from "./card_drawing.js";
import { h } from "./dom.js";
import { number } from "./score_panel.js";

/** `tags` are short remarks such as "dealer"; `cards` is how many backs to show, null for none; `moved` points to come. */
export function playerStrip({ name, own, acts, tags, clock, total, moved = 0, cards }) {
  return h(
    "div",
    { class: `player${acts ? " to-act" : ""}${own ? " own" : ""}` },
    h(
      "span",
      { class: "named" },
      name,
      tags.filter(Boolean).map((tag) => h("span", { class: "tag" }, tag)),
      acts && h("span", { class: "turn" }, own ? "Your turn" : "to play"),
    ),
    clock,
    h(
      "span",
      { class: "score", role: "img", "aria-label": `${total} points` },
      number(total),
      moved !== 0 && h("small", {}, ` ${moved > 0 ? "+" : "−"}${Math.abs(moved)}`),
    ),
    cards !== null && backs(cards),
  );
}

function backs(cards) {
  const all = Array.from({ length: cards }, () => back());
  return h("span", { class: "backs", role: "img", "aria-label": `${cards} cards` }, all);
}
