// What happened in a hand: the moves as the hall tells them, `{seat, text, card}`, first to last.

/** As one sentence: `Robin drew from the stock and discarded 7♥`; `phrase(text, who, card)` begins with the name. */
export function story(moves, name, phrase) {
  const parts = [];
  let last = null;
  for (const { seat, text, card } of moves) {
    const who = name(seat);
    const told = phrase(text, who, card);
    if (!told) continue;
    parts.push(seat === last ? ` and ${told.slice(who.length + 1)}` : `${parts.length ? ", " : ""}${told}`);
    last = seat;
  }
  return parts.join("");
}

/** What others did since the player of the view last acted; for who looks on, what was done last by one player. */
export function latest({ seat, history }) {
  const actor = history.at(-1)?.seat;
  const before = history.findLastIndex((move) => (seat === null ? move.seat !== actor : move.seat === seat));
  return history.slice(before + 1);
}

/** What others did that the view before did not tell. */
export function news(view, old) {
  const same = view.hand_number === old.hand_number && view.history.length >= old.history.length;
  return view.history.slice(same ? old.history.length : 0).filter((move) => move.seat !== view.seat);
}
