// Word Gin in words: what happened, what can be done, how a hand ended.
import { short, suitName } from "./cards.js";

const word = (text) => `${text.slice(0, -1)} (${suitName(text.at(-1), "word")})`;

/** `Robin discarded Q (green)`; `card` is the one that was taken, if known. */
export function happened(text, who, card = null) {
  const [verb, ...rest] = text.split(" ");
  switch (verb) {
    case "take":
      return `${who} took ${card ? short(card, "word") : "the up card"}`;
    case "draw":
      return `${who} drew from the deck`;
    case "discard":
      return `${who} discarded ${short(rest[0], "word")}`;
    case "gin":
      return `${who} ${who === "You" ? "go" : "goes"} Gin with ${rest.map(word).join(", ")}`;
    case "pass":
      return `${who} ${who === "You" ? "do" : "does"} not challenge`;
    case "challenge":
      return `${who} challenged ${word(rest[0])}`;
    case "reveal":
      return rest.length ? `${who} showed ${rest.map(word).join(", ")}` : `${who} showed no words`;
    default:
      return null;
  }
}

/** What the player can do now, as a sentence. */
export function invitation(view, name) {
  const who = view.to_act === null ? "" : name(view.to_act);
  const whose = view.challenged === null ? "" : view.challenged === view.seat ? "your" : `${name(view.challenged)}'s`;
  if (view.seat === null || view.to_act !== view.seat) {
    if (view.to_act === null) return "";
    return (
      {
        draw: `${who} is to draw.`,
        discard: `${who} chooses a discard, or goes Gin.`,
        challenge: `${who} may challenge ${whose} words.`,
        reveal: `${who} is to show words.`,
      }[view.phase] ?? ""
    );
  }
  switch (view.phase) {
    case "draw":
      return view.upcard ? `Take ${short(view.upcard, "word")}, or draw from the deck.` : "Draw from the deck.";
    case "discard":
      return view.barred[view.seat]
        ? "Choose a card to discard. After the Gin that failed you may not Gin now."
        : "Choose a card to discard – or lay ten cards in words and go Gin with the eleventh.";
    case "challenge":
      return `Challenge any of ${whose} words, or let them stand.`;
    case "reveal":
      return "Lay your cards in words and show them. Cards in no word cost their points.";
    default:
      return "";
  }
}

/** How a hand ended. */
export function ending(result, sheet, name) {
  if (result.ended !== "gin") return sheet.headline;
  const who = name(result.ginner);
  const gin = `${who} ${who === "You" ? "go" : "goes"} Gin`;
  if (result.winner === null) return `${gin}; the hand is shared`;
  const winner = name(result.winner);
  return `${gin}: ${winner} ${winner === "You" ? "score" : "scores"} most, ${sheet.points[result.winner]} points`;
}

export const VERDICTS = { stands: "in the dictionary", refuted: "not a word", unchallenged: "" };
