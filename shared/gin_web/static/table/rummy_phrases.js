// Gin Rummy in words: what happened, what can be done, how a hand ended.
import { allMelded } from "./arrangement.js";
import { cardsOf, short } from "./cards.js";

/** `Robin drew from the stock`, or null for an action that needs no telling; `card` is the one that was taken, if known. */
export function happened(text, who, card = null) {
  const [verb, first, , meld] = text.split(" ");
  const you = who === "You";
  switch (verb) {
    case "pass":
      return `${who} passed`;
    case "take":
      if (first) return `${who} took ${short(first)} from the pile, with all above it`;
      return card ? `${who} took ${short(card)} from the pile` : `${who} took the top discard`;
    case "draw":
      return `${who} drew from the stock`;
    case "discard":
      return `${who} discarded ${first ? short(first) : "a card"}`;
    case "knock":
      return `${who} went down with ${short(first)}`;
    case "big_gin":
      return `${who} ${you ? "have" : "has"} big gin`;
    case "layoff":
      return `${who} laid ${short(first)} on ${meldText(meld)}`;
    case "done":
      return `${who} laid off no more`;
    default:
      return null;
  }
}

export const meldText = (meld) => (Array.isArray(meld) ? meld : cardsOf(meld)).map((card) => short(card)).join(" ");

/** What the player can do now, as a sentence. */
export function invitation(view, chosen, name) {
  const top = view.top_discard && short(view.top_discard);
  if (view.to_act === null) return view.phase === "over" && !view.table ? "" : "Another hand of this round is being played.";
  if (view.seat === null || view.to_act !== view.seat) return waiting(view, name);
  switch (view.phase) {
    case "offer_nondealer":
      return `Take the upcard ${top}, or pass.`;
    case "offer_dealer":
      return `Take the upcard ${top}, or pass.`;
    case "first_draw":
      return "Both passed: draw from the stock.";
    case "draw":
      return view.legal_actions.some((action) => action.startsWith("take "))
        ? `Draw from the stock, or take ${top} or one below it with all above.`
        : `Draw from the stock, or take ${top}.`;
    case "discard":
      return chosen ? after(view, chosen) : discardHint(view);
    case "layoff":
      return "Lay cards off on the melds, or say that you are done.";
    default:
      return "";
  }
}

function discardHint(view) {
  const may = view.legal_actions.some((action) => action.startsWith("knock") || action === "big_gin");
  const kept = view.taken ? ` ${short(view.taken)} stays this turn.` : "";
  return may ? `Choose a card to discard. You may ${goDown(view)}.${kept}` : `Choose a card to discard.${kept}`;
}

/** `knock`, or `go gin` where nothing is left over; without a discard, where only gin is played or big gin is held. */
function goDown(view, discard) {
  return isGin(view, discard) ? "go gin" : "knock";
}

/** Whether the hand is gin with this discard; without one, whether only gin can end it now. */
export function isGin(view, discard) {
  if (discard) return allMelded(view.hand.filter((text) => text !== discard));
  return view.knock_limit === 0 || !view.legal_actions.some((action) => action.startsWith("knock"));
}

function after(view, chosen) {
  if (chosen === view.taken) return `You took ${short(chosen)} this turn, so it stays. Choose another card.`;
  return view.legal_actions.includes(`knock ${chosen}`)
    ? `Discard ${short(chosen)}, or ${goDown(view, chosen)} with it.`
    : `Discard ${short(chosen)}?`;
}

function waiting(view, name) {
  const who = name(view.to_act);
  switch (view.phase) {
    case "offer_nondealer":
    case "offer_dealer":
      return `${who} may take the upcard or pass.`;
    case "discard":
      return `${who} chooses a discard.`;
    case "layoff":
      return `${who} lays off.`;
    default:
      return `${who} is to draw.`;
  }
}

/** `Robin knocks and is undercut: You win 28 points.` */
export function ending(result, sheet, name) {
  const winner = result.winner === null ? null : name(result.winner);
  const knocker = result.knocker === null ? null : name(result.knocker);
  const verb = (who, one, many) => (who === "You" ? many : one);
  const points = result.winner === null ? 0 : sheet.points[result.winner];
  switch (result.ended) {
    case "gin":
      return `${winner} ${verb(winner, "goes", "go")} gin and ${verb(winner, "wins", "win")} ${points} points`;
    case "big_gin":
      return `${winner} ${verb(winner, "has", "have")} big gin and ${verb(winner, "wins", "win")} ${points} points`;
    case "undercut":
      return `${knocker} ${verb(knocker, "is", "are")} undercut: ${winner} ${verb(winner, "wins", "win")} ${points} points`;
    case "knock":
      return `${knocker} ${verb(knocker, "knocks", "knock")} and ${verb(knocker, "wins", "win")} ${points} points`;
    default:
      return sheet.headline;
  }
}

/** What a button for an action says. */
export function label(action, view) {
  const [verb, text, , meld] = action.split(" ");
  if (verb === "layoff") return `Lay ${short(text)} on ${meldText(meld)}`;
  if (verb === "take") return `Take ${view.top_discard ? short(view.top_discard) : ""}`;
  return { draw: "Draw from the stock", pass: "Pass", big_gin: "Big gin", done: "Done" }[verb] ?? action;
}

/** At a table of three or four: who plays the other hand of the round, and who sits out. */
export function elsewhere(view, seats, name) {
  const busy = new Set(view.table.hands.flatMap((hand) => hand.players));
  const hands = view.table.hands
    .filter((hand) => hand.hand_number !== view.hand_number)
    .map(({ players, phase }) => {
      const doing = phase === "over" ? "their hand is over" : "at the other hand";
      return `${players.map(name).join(" against ")}: ${doing}`;
    });
  const out = seats
    .filter(({ seat }) => !busy.has(seat))
    .map(({ seat }) => `${name(seat)} ${name(seat) === "You" ? "sit" : "sits"} out this hand`);
  return [...hands, ...out];
}
