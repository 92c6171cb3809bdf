// Stock and discard pile, with what a click does now.
import { back, face } from "./card_drawing.js";
import { card } from "./cards.js";
import { h } from "./dom.js";

/**
 * `draw`, `take` and `discard` are what may be done now, null where it may not be; `names` are those of stock and pile,
 * `caption` stands below the pile.
 */
export function piles({ game, names, stock, top, caption, draw, take, discard, points, sending }) {
  return [
    h(
      "figure",
      { class: "pile" },
      stockButton(names[0], stock, draw, sending),
      h("figcaption", {}, `${names[0]} · ${stock}`),
    ),
    h(
      "figure",
      { class: "pile discard", "data-place": "pile" },
      pileButton({ game, name: names[1], top, take, discard, points, sending }),
      h("figcaption", {}, caption),
    ),
  ];
}

function stockButton(name, size, draw, sending) {
  return back({
    tag: "button",
    label: `${name}, ${size} cards${draw ? ": draw" : ""}`,
    disabled: !draw || sending,
    onclick: draw,
    "data-key": "stock",
    "data-place": "stock",
    "data-draw": draw ? "draw" : null,
    "data-card": draw ? "draw" : null,
    class: draw ? "may" : "",
  });
}

function pileButton({ game, name, top, take, discard, points, sending }) {
  const may = take ?? discard;
  const does = take ? ": take it" : discard ? ": discard the chosen card" : "";
  if (!top) {
    return h("button", {
      type: "button",
      class: `card empty${may ? " may" : ""}`,
      disabled: !may || sending,
      onclick: may,
      "data-key": "pile",
      "aria-label": `${name}, empty${does}`,
    });
  }
  return face(top, game, {
    tag: "button",
    points,
    class: may ? "may" : "",
    "aria-label": `${name}, ${card(top, game).name} on top${does}`,
    disabled: !may || sending,
    onclick: may,
    key: "pile",
    "data-draw": take ? "take" : null,
  });
}

/** What lies below the top of a pile that may be inspected; `take(text)` is given for cards that may be taken. */
export function spread(pile, take, open) {
  const below = pile.slice(0, -1).reverse();
  const drawn = below.map((text) => {
    const onclick = take(text);
    const label = `Take ${card(text, "rummy").name} and all above it`;
    return face(
      text,
      "rummy",
      onclick ? { tag: "button", class: "may", key: `take ${text}`, "aria-label": label, onclick } : {},
    );
  });
  return h("details", { class: "spread", open }, h("summary", {}, "Below it"), h("div", { class: "row" }, drawn));
}
