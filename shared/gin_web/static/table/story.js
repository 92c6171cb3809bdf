// What happened, as one sentence: who does several things in a row is named once.

/** `Robin drew from the stock and discarded 7♥`; `phrase(text, who)` begins with the name. */
export function story(moves, name, phrase) {
  const parts = [];
  let last = null;
  for (const { seat, text } of moves) {
    const who = name(seat);
    const told = phrase(text, who);
    if (!told) continue;
    parts.push(seat === last ? ` and ${told.slice(who.length + 1)}` : `${parts.length ? ", " : ""}${told}`);
    last = seat;
  }
  return parts.join("");
}
