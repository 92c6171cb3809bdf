// Words on the table: the cards, their points, what a challenge found, and a button where one may be made.
import { face, row } from "./card_drawing.js";
import { button, h } from "./dom.js";
import { explained } from "./score_panel.js";
import { ending, VERDICTS } from "./word_phrases.js";

/**
 * One player's hand on the table. `challenge(text)` is given where the word may be challenged now; `heading` fits what
 * stands above: h2 on the table, h3 below the heading of a hand that is over.
 */
export function wordsShown(who, shown, points, { heading = "h3", challenge = () => null, sending = false } = {}) {
  return h(
    "div",
    { class: "side-of-table" },
    h(heading, {}, who),
    h(
      "div",
      { class: "words" },
      shown.words.map((word) => {
        const may = challenge(word.text);
        return h(
          "figure",
          { class: `word-laid ${word.verdict}` },
          row(word.cards, "word", { role: "group", "aria-label": `${word.word.toUpperCase()}, ${word.points} points` }),
          h(
            "figcaption",
            {},
            `${word.points} points`,
            VERDICTS[word.verdict] && h("strong", {}, ` ${VERDICTS[word.verdict]}`),
            may &&
              button(`Challenge ${word.word.toUpperCase()}`, `challenge ${word.text}`, may, {
                disabled: sending,
                class: "challenge",
              }),
          ),
        );
      }),
      shown.unused.length > 0 &&
        h(
          "figure",
          { class: "word-laid unused" },
          h(
            "span",
            { class: "row" },
            shown.unused.map((text) => face(text, "word", { points: points(text) })),
          ),
          h("figcaption", {}, "in no word"),
        ),
    ),
  );
}

/** The end of a hand. */
export function wordShowdown(result, sheet, name, points, { next, onnext }) {
  return h(
    "section",
    { class: "showdown", "aria-label": `Hand ${result.number} is over` },
    h("h2", { tabindex: "-1", "data-key": "ending" }, ending(result, sheet, name)),
    result.shown &&
      h(
        "div",
        { class: "layout" },
        result.shown.map((shown, seat) => wordsShown(name(seat), shown, points)),
      ),
    explained(sheet, name),
    button(next, "next", onnext, { class: "primary" }),
  );
}
