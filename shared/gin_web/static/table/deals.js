// The deal, written anew from the published description: SHA-256 commitment, HMAC-SHA256 stream, Fisher–Yates.
// Nothing here asks the hall anything.

export const ALGORITHM = "hmac-sha256-fisher-yates/1";

const text = new TextEncoder();

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fourBytes(value) {
  const part = new Uint8Array(4);
  new DataView(part.buffer).setUint32(0, value);
  return part;
}

export async function sha256(data) {
  return hex(await crypto.subtle.digest("SHA-256", data));
}

/** What was published before the first card, from salt and seed (hex). */
export const commitment = (salt, seed) => sha256(joined(bytes(salt), bytes(seed)));

/** The cards in the order that seed, entropy (hex), deal id and purpose give. `cards` stand in the order of the deck. */
export async function shuffled(cards, { seed, entropy, dealId, purpose }) {
  const parts = [text.encode(ALGORITHM), text.encode(dealId), ...entropy.map(bytes), text.encode(purpose)];
  const message = joined(...parts.flatMap((part) => [fourBytes(part.length), part]));
  const next = await stream(bytes(seed), message);
  const order = [...cards];
  for (let open = order.length; open > 1; open -= 1) {
    const below = 256 - (256 % open);
    let byte = await next();
    while (byte >= below) byte = await next();
    const at = byte % open;
    [order[open - 1], order[at]] = [order[at], order[open - 1]];
  }
  return order;
}

async function stream(seed, message) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  let block = new Uint8Array();
  let [number, at] = [0, 0];
  return async () => {
    if (at === block.length) {
      block = new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(message, fourBytes(number))));
      number += 1;
      at = 0;
    }
    at += 1;
    return block[at - 1];
  };
}

/** The cards of a deck in order: ace to king of each suit, or letter by letter, copies by number. */
export function inOrder(cards, game) {
  const [suits, ranks] = game === "word" ? ["rgby", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] : ["cdhs", "A23456789TJQK"];
  const place = (card) => (suits.indexOf(card[1]) * 26 + ranks.indexOf(card[0])) * 1000 + Number(card.slice(2) || 0);
  return [...cards].sort((a, b) => place(a) - place(b));
}
