// The score beside the table: totals, games, and every hand with its arithmetic, as the hall worked it out.
import { fill, h } from "./dom.js";

/** Draws the panel for the scores of `now`; `name(seat)` is how a seat is called. */
export function drawScores(root, { detail, seat, scores }, name, target) {
  const view = seat?.view ?? detail.view;
  if (!view) return;
  const totals = scores?.totals ?? view.table?.totals ?? view.totals;
  const games = scores?.hands.at(-1)?.games ?? [];
  fill(
    root,
    h("h2", {}, "Score"),
    h(
      "dl",
      { class: "totals" },
      sides(detail).map((side) =>
        h("div", {}, h("dt", {}, together(side, name)), h("dd", {}, number(totals[side[0]]))),
      ),
    ),
    target && h("p", { class: "soft" }, target),
    games.length > 0 && gamesTable(games, detail.seats, name),
    scores &&
      scores.hands.length > 0 &&
      h(
        "div",
        { class: "hands" },
        h("h3", {}, "Hands"),
        h(
          "ol",
          {},
          [...scores.hands].reverse().map((hand) => line(hand, name)),
        ),
      ),
    scores?.bonuses.length > 0 &&
      h(
        "div",
        {},
        h("h3", {}, "Match bonuses"),
        h(
          "ul",
          { class: "sums" },
          scores.bonuses.map((one) => h("li", {}, `${name(one.seat)}: ${one.text}`)),
        ),
        finals(scores, detail.seats, name),
      ),
  );
}

/** The seats that count together: partners, who sit across, or each alone. */
function sides({ rules, seats }) {
  if (rules.seating !== "pairs4") return seats.map(({ seat }) => [seat]);
  return [
    [0, 2],
    [1, 3],
  ];
}

function together(side, name) {
  const names = side.map(name);
  return (names[1] === "You" ? names.reverse() : names).join(" and ");
}

/** A number with a proper minus sign. */
export const number = (value) => String(value).replace("-", "−");

/** How a hand was scored, line by line. */
export function explained(hand, name) {
  const scorers = [...new Set(hand.lines.map((line) => line.seat))];
  return h(
    "div",
    { class: "explained" },
    hand.facts.length > 0 &&
      h(
        "ul",
        { class: "facts-list" },
        hand.facts.map((fact) => h("li", {}, fact)),
      ),
    hand.facts.length === 0 &&
      scorers.length > 0 &&
      h(
        "ul",
        { class: "facts-list" },
        hand.lines.map((line) =>
          h("li", {}, `${name(line.seat)}: ${line.reason} ${line.points < 0 ? "" : "+"}${number(line.points)}`),
        ),
      ),
    hand.sums.map((sum) =>
      h("p", { class: "sum" }, h("span", { class: "scorer" }, name(sum.seat)), " ", h("strong", {}, sum.text)),
    ),
  );
}

function gamesTable(games, seats, name) {
  return h(
    "table",
    { class: "games" },
    h("caption", {}, "The three games of Hollywood"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        games.map((_, at) => h("th", { scope: "col" }, `Game ${at + 1}`)),
      ),
    ),
    h(
      "tbody",
      {},
      seats.map((seat) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name(seat.seat)),
          games.map((game) => h("td", {}, number(game[seat.seat]))),
        ),
      ),
    ),
  );
}

function line(hand, name) {
  const scored = hand.sums.length ? hand.sums.map((sum) => `${name(sum.seat)} ${sum.text}`).join(", ") : "no score";
  return h(
    "li",
    { value: hand.number },
    h(
      "details",
      {},
      h("summary", {}, h("span", {}, hand.headline.split(":")[0]), " ", h("span", { class: "soft" }, scored)),
      explained(hand, name),
    ),
  );
}

function finals(scores, seats, name) {
  return h(
    "p",
    {},
    "With bonuses: ",
    seats.map((seat) => `${name(seat.seat)} ${number(scores.final_scores[seat.seat])}`).join(", "),
  );
}
