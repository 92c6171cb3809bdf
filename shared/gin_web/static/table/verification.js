// Checks the record of a match in this browser: commitment, every deck, the first cards of every hand, the seal.
import { ALGORITHM, commitment, inOrder, sha256, shuffled } from "./deals.js";

/**
 * What was checked, in order: `{what, ok, detail}`. `firstHands` are the cards dealt by hand number, by seat, as the
 * replay shows them: `{number, dealer, players, hands}`; `published` is the seal that was published when the match ended.
 */
export async function verify(record, firstHands = [], published = null) {
  const checks = [];
  const check = (what, ok, detail) => checks.push({ what, ok, detail });
  check("Algorithm", record.algorithm === ALGORITHM, record.algorithm);
  const committed = await commitment(record.salt, record.seed);
  check("Commitment", committed === record.commitment, committed === record.commitment ? "Salt and seed give the SHA-256 that was published before the first card." : `Salt and seed give ${committed}, published was ${record.commitment}.`);
  const deals = await dealt(record);
  record.decks.forEach((deck, at) => {
    const same = deals[at]?.cards.join(" ") === deck;
    check(`Deck of hand ${deals[at]?.hand ?? at + 1}`, same, same ? "Every card lies where seed and entropy put it." : "The deck is not the one that seed, entropy and deal id give.");
  });
  for (const first of firstHands) {
    const deck = deals.filter((deal) => deal.hand === first.number).at(-1)?.cards;
    const same = deck !== undefined && JSON.stringify(firstCards(deck, first)) === JSON.stringify(first.hands.map((hand) => [...hand].sort()));
    check(`Cards of hand ${first.number}`, same, same ? "The hands shown are the first cards of that deck." : "The hands shown are not the first cards of that deck.");
  }
  const seal = await sha256(new TextEncoder().encode(canonical(record)));
  check("Seal", seal === record.seal, seal === record.seal ? "Names, times, actions and scores are as they were sealed." : "Something in the record was changed after it was sealed.");
  if (published) check("Published seal", published === record.seal, published === record.seal ? "The seal is the one that was published when the match ended." : "The record carries another seal than the one that was published when the match ended.");
  return checks;
}

/** Every deck of the record, dealt anew; a misdeal stands before the deck that replaced it. */
async function dealt(record) {
  const cards = inOrder(record.decks[0]?.split(" ") ?? [], record.game);
  const common = { seed: record.seed, entropy: record.entropy, dealId: record.deal_id };
  const misdeals = record.rulings.filter((ruling) => ruling.kind === "redeal").map((ruling) => ruling.hand);
  const deals = [];
  for (let hand = 1; deals.length < record.decks.length; hand += 1) {
    let deck = await shuffled(cards, { ...common, purpose: `deck/${hand}` });
    deals.push({ hand, cards: deck });
    for (let time = 1; time <= misdeals.filter((number) => number === hand).length; time += 1) {
      deck = await shuffled(deck, { ...common, purpose: `reshuffle/${hand}/${time}` });
      deals.push({ hand, cards: deck });
    }
  }
  return deals;
}

/** Ten cards each, one at a time from the dealer's left, by seat. */
function firstCards(deck, { dealer, players, hands }) {
  const order = players.map((_, at) => players[(players.indexOf(dealer) + 1 + at) % players.length]);
  return hands.map((_, seat) => (order.includes(seat) ? deck.filter((_card, at) => at < 10 * order.length && order[at % order.length] === seat).sort() : []));
}

/** The record without its secrets and its seal, keys in order and no spaces, as ASCII. */
function canonical(record) {
  const { seed, salt, decks, seal, ...rest } = record;
  return written(rest).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${written(value[key])}`).join(",")}}`;
}
