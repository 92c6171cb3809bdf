// Requests to the hall. What it refuses comes as a Problem whose message is fit for people.

export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail || body?.title || "The hall did not answer as expected.");
    this.status = status;
    this.slug = String(body?.type ?? "")
      .split(":")
      .pop();
  }
}

/** The network is away or the answer never came: nobody knows whether the request was heard. */
export class Unheard extends Error {}

const PATIENCE_MS = 12_000;

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE_MS), ...options });
  } catch {
    throw new Unheard("No connection to the hall.");
  }
  let body = null;
  try {
    body = answer.status === 204 ? null : await answer.json();
  } catch {
    throw new Unheard("The hall's answer was cut off.");
  }
  if (answer.status >= 502 && answer.status <= 504)
    throw new Unheard(body?.detail ?? "The hall does not answer right now.");
  if (!answer.ok) throw new Problem(answer.status, body);
  return body;
}

export const get = (path) => ask(path, { headers: { Accept: "application/json" } });

/** A write that happens once: it is sent again under the same key until somebody heard it, or three times. */
export async function post(path, body = {}, method = "POST") {
  // Not randomUUID: a page that came over plain HTTP from another machine has none.
  const key = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  const headers = { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": key };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask(path, { method, headers, body: method === "DELETE" ? undefined : JSON.stringify(body) });
    } catch (wrong) {
      if (!(wrong instanceof Unheard) || attempt === 3) throw wrong;
      await new Promise((resolve) => setTimeout(resolve, 600 * attempt));
    }
  }
}
