// What the texts of cards mean, in both games: `7h` is the seven of hearts, `Er2` the second E of the red circles.

const RANKS = "A23456789TJQK";
const RANK_NAMES = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
const RANK_LABELS = { T: "10" };
const SUITS = {
  c: { name: "clubs", symbol: "♣" },
  d: { name: "diamonds", symbol: "♦" },
  h: { name: "hearts", symbol: "♥" },
  s: { name: "spades", symbol: "♠" },
};
const LETTER_SUITS = {
  r: { name: "red circle", colour: "red" },
  g: { name: "green square", colour: "green" },
  b: { name: "blue hexagon", colour: "blue" },
  y: { name: "yellow octagon", colour: "yellow" },
};
const SUIT_ORDER = { rummy: "chsd", word: "rgby" }; // black and red by turns, so that neighbours are told apart

/** A card: `label` stands on it, `name` is for the ear, `short` for running text. */
export function card(text, game) {
  const [first, suit] = text;
  if (game === "word") {
    return {
      text,
      label: first,
      suit,
      name: `${first}, ${LETTER_SUITS[suit].name}`,
      short: `${first} (${LETTER_SUITS[suit].colour})`,
    }; // few fonts have an octagon
  }
  const label = RANK_LABELS[first] ?? first;
  return {
    text,
    label,
    suit,
    court: "JQK".includes(first),
    name: `${RANK_NAMES[first] ?? first} of ${SUITS[suit].name}`,
    short: `${label}${SUITS[suit].symbol}`,
  };
}

export const short = (text, game = "rummy") => card(text, game).short;

export const suitName = (suit, game) => (game === "word" ? LETTER_SUITS : SUITS)[suit].name;

/** Cards by rank (letter) and then suit, or by suit and then rank. Does not change `cards`. */
export function sorted(cards, by, game) {
  const rank = (text) => (game === "word" ? text.charCodeAt(0) : RANKS.indexOf(text[0]));
  const suit = (text) => SUIT_ORDER[game].indexOf(text[1]);
  const order =
    by === "suit" ? (a, b) => suit(a) - suit(b) || rank(a) - rank(b) : (a, b) => rank(a) - rank(b) || suit(a) - suit(b);
  return [...cards].sort((a, b) => order(a, b) || (a < b ? -1 : 1));
}

/** What a card of Gin Rummy counts as deadwood: an ace 1, a court card 10. */
export const deadwoodOf = (text) => Math.min(10, RANKS.indexOf(text[0]) + 1);

/** `4c 5c 6c` from a meld as actions write it: `4c5c6c`. */
export const cardsOf = (meld) => meld.match(/[A2-9TJQK][cdhs]/g) ?? [];
