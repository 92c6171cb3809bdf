// Draws cards. The shapes of the suits are in cards.css, so that pages drawn by the server show the same cards.
import { card } from "./cards.js";
import { h } from "./dom.js";

/** A card face up; a button where it can be chosen. `points` stands on letter cards. */
export function face(text, game, { tag = "span", points, key = text, ...attributes } = {}) {
  const it = card(text, game);
  const own =
    tag === "button"
      ? { type: "button", "data-key": key, "aria-label": it.name }
      : { role: "img", "aria-label": it.name };
  const classes = `card ${game} suit-${it.suit}${it.court ? " court" : ""}${attributes.class ? ` ${attributes.class}` : ""}`;
  return h(
    tag,
    { ...own, ...attributes, class: classes, "data-card": text },
    h("span", { class: "corner", "aria-hidden": "true" }, h("b", {}, it.label), h("i", { class: "pip" })),
    h(
      "span",
      { class: "heart", "aria-hidden": "true" },
      h("i", { class: "pip" }),
      game === "word" && h("b", {}, it.label),
    ),
    points !== undefined && h("span", { class: "points", "aria-hidden": "true" }, String(points)),
  );
}

/** A card face down. */
export function back({ tag = "span", label, ...attributes } = {}) {
  return h(tag, {
    ...(tag === "button" ? { type: "button" } : {}),
    "aria-hidden": label ? undefined : "true",
    "aria-label": label,
    role: label && tag === "span" ? "img" : undefined,
    ...attributes,
    class: `card back ${attributes.class ?? ""}`,
  });
}

/** Cards side by side, as a meld or a word. */
export function row(cards, game, attributes = {}) {
  return h(
    "span",
    { ...attributes, class: `row ${attributes.class ?? ""}` },
    cards.map((text) => face(text, game)),
  );
}
