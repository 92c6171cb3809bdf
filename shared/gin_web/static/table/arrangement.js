// How a player has arranged the own cards: pure functions on lists of card texts.

/** `order` for the cards now in the hand: what is gone leaves, what is new comes last. */
export function settled(order, hand) {
  const held = new Set(hand);
  const known = new Set(order);
  return [...order.filter((card) => held.has(card)), ...hand.filter((card) => !known.has(card))];
}

/** `order` with the card at another place, counted without it. */
export function moved(order, card, place) {
  const rest = order.filter((other) => other !== card);
  const at = Math.max(0, Math.min(rest.length, place));
  return [...rest.slice(0, at), card, ...rest.slice(at)];
}

/** Cards of melds first, meld by meld, then the others in their order. */
export function byMelds(order, melds) {
  const melded = new Set(melds.flat());
  return [...melds.flat(), ...order.filter((card) => !melded.has(card))];
}

/** Whether these cards of Gin Rummy lie in melds, every one of them. */
export function allMelded(cards) {
  const ranks = "A23456789TJQK";
  const held = [...cards].sort((a, b) => ranks.indexOf(a[0]) - ranks.indexOf(b[0]));
  if (!held.length) return true;
  const [lowest] = held;
  const without = (meld) => allMelded(held.filter((text) => !meld.includes(text)));
  const set = held.filter((text) => text[0] === lowest[0]);
  const sets = set.length < 4 ? [set] : [set, ...set.slice(1).map((one) => set.filter((text) => text !== one))];
  if (sets.some((meld) => meld.length >= 3 && without(meld))) return true;
  const run = [];
  for (const rank of ranks.slice(ranks.indexOf(lowest[0]))) {
    if (!held.includes(rank + lowest[1])) break;
    run.push(rank + lowest[1]);
    if (run.length >= 3 && without(run)) return true;
  }
  return false;
}

/** Groups without cards that are gone; a group without cards disappears. */
export function settledGroups(groups, hand) {
  const held = new Set(hand);
  return groups.map((group) => group.filter((card) => held.has(card))).filter((group) => group.length);
}

/** The groups with these cards as a new one; they leave the groups in which they were. */
export function grouped(groups, cards) {
  const taken = new Set(cards);
  return [
    ...groups.map((group) => group.filter((card) => !taken.has(card))).filter((group) => group.length),
    [...cards],
  ];
}

/** Cards in no group, in the order of the hand. */
export function loose(order, groups) {
  const taken = new Set(groups.flat());
  return order.filter((card) => !taken.has(card));
}

/** Cards of one suit that spell `word`, loose ones only; null when there are none. */
export function spelled(word, cards) {
  for (const suit of new Set(cards.map((card) => card[1]))) {
    const left = cards.filter((card) => card[1] === suit);
    const taken = [];
    for (const letter of word.toUpperCase()) {
      const at = left.findIndex((card) => card[0] === letter);
      if (at < 0) break;
      taken.push(...left.splice(at, 1));
    }
    if (word.length && taken.length === word.length) return taken;
  }
  return null;
}

/** A group as actions write a word, `CATr`; null when its cards are of several suits. */
export function wordText(group) {
  const suits = new Set(group.map((card) => card[1]));
  return suits.size === 1 ? group.map((card) => card[0]).join("") + group[0][1] : null;
}
