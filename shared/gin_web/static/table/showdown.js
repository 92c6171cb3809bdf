// The end of a hand of Gin Rummy: both hands laid out, what was laid off, and the score.
import { face, row } from "./card_drawing.js";
import { short, sorted } from "./cards.js";
import { button, h } from "./dom.js";
import { ending } from "./rummy_phrases.js";
import { explained } from "./score_panel.js";

/** The panel that stands on the table until the player goes on. */
export function showdown(result, sheet, name, { next, onnext }) {
  return h(
    "section",
    { class: "showdown", "aria-label": `Hand ${result.number} is over` },
    h("h2", { tabindex: "-1", "data-key": "ending" }, ending(result, sheet, name)),
    result.settlement && layout(result, name),
    explained(sheet, name),
    button(next, "next", onnext, { class: "primary" }),
  );
}

export function layout(result, name) {
  const { settlement, hands, knocker } = result;
  const defender = result.players.find((seat) => seat !== knocker);
  const laid = settlement.layoffs.flatMap((layoff) => layoff.cards);
  return h(
    "div",
    { class: "layout" },
    side(name(knocker), settlement.knocker_melds, hands[knocker], settlement.knocker_deadwood, settlement.layoffs),
    side(
      name(defender),
      settlement.defender_melds,
      hands[defender].filter((text) => !laid.includes(text)),
      settlement.defender_deadwood,
      [],
      laid,
    ),
  );
}

function side(who, melds, cards, deadwood, layoffs, laid = []) {
  const melded = new Set(melds.flat());
  const left = sorted(
    cards.filter((text) => !melded.has(text)),
    "rank",
    "rummy",
  );
  return h(
    "div",
    { class: "side-of-table" },
    h(
      "h3",
      {},
      who,
      " ",
      h(
        "span",
        { class: "soft" },
        `deadwood ${deadwood}${laid.length ? ` · laid off ${laid.map((text) => short(text)).join(" ")}` : ""}`,
      ),
    ),
    h(
      "div",
      { class: "melds" },
      melds.map((meld) => {
        const added = layoffs.find((layoff) => layoff.meld.join() === meld.join())?.cards ?? [];
        const all = sorted([...meld, ...added], "rank", "rummy");
        return h(
          "span",
          { class: "row meld", role: "group", "aria-label": added.length ? "Meld with cards laid off" : "Meld" },
          all.map((text) => face(text, "rummy", { class: added.includes(text) ? "laid-off" : "" })),
        );
      }),
      left.length > 0 &&
        h(
          "span",
          { class: "row deadwood", role: "group", "aria-label": "Deadwood" },
          left.map((text) => face(text, "rummy")),
        ),
    ),
  );
}

/** A knock that waits for the defender's layoffs: the melds as they lie now. */
export function shownKnock({ shown, seat }, name) {
  return h(
    "div",
    { class: "shown" },
    h("h2", {}, `${name(shown.knocker)} ${shown.knocker === seat ? "show" : "shows"}`),
    h(
      "div",
      { class: "melds" },
      shown.melds.map((meld) => row(meld, "rummy", { class: "meld" })),
      row(shown.unmatched, "rummy", { class: "deadwood" }),
    ),
  );
}
