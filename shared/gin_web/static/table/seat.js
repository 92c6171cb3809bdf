// The match as this page knows it: fetched, kept fresh, acted on. Knows nothing of how it is shown.
import { Problem, Unheard, get, post } from "./api.js";

const WAITING_MS = 1_000; // while nobody tells when to look again
const QUIET_MS = 6_000;

/**
 * One match for its player, or for a spectator (`seat` null). `onchange(now, before)` gets
 * `{seat, detail, scores, sending, offline, received}`; `ontrouble(text)` what went wrong, `ontrouble(null)` when it is over.
 */
export class Seat {
  constructor(matchId, seat, onchange, ontrouble) {
    this.path = `/api/v1/matches/${encodeURIComponent(matchId)}`;
    this.playing = seat !== null;
    this.onchange = onchange;
    this.ontrouble = ontrouble;
    this.now = { seat: null, detail: null, scores: null, sending: false, offline: false, received: 0 };
    this.lastFetch = 0;
    this.again = false; // somebody wants to look once more
    this.echo = null; // how many actions there are with one's own, of which the hint is still to come
    this.blind = false; // the last look failed
    this.hears = () => false; // whether hints of what happens can be expected
  }

  async start() {
    await this.refresh();
    addEventListener("visibilitychange", () => document.hidden || this.refresh());
    addEventListener("pageshow", (event) => event.persisted && this.refresh()); // the back button brings an old page
    addEventListener("online", () => this.refresh());
    setInterval(() => this.#look(), 250);
  }

  /** Something happened at the table, somebody says; after `count` actions, where that is known. */
  hint(count = null) {
    if (count !== null && count === this.echo)
      this.echo = null; // one's own action, to which there is an answer
    else this.lastFetch = -Infinity;
  }

  /** This is what the seat sees by now, somebody says who knows. What it lacks, such as new scores, is fetched. */
  see(seen) {
    const known = this.now.seat;
    if (!known || this.now.sending || this.#lacks(seen)) return this.hint();
    if (seen.action_count <= known.action_count) return;
    this.lastFetch = performance.now();
    this.#seesAgain();
    this.#set({ seat: seen, offline: false, received: performance.now() });
  }

  get view() {
    return this.playing ? this.now.seat?.view : this.now.detail?.view;
  }

  get over() {
    return this.now.detail !== null && this.now.detail.state !== "playing";
  }

  /** Looks at the match anew; once more, or afterwards, where that is being done or an action is under way. */
  async refresh() {
    this.again = true;
    if (this.fetching || this.now.sending) return;
    this.fetching = true;
    try {
      while (this.again) {
        this.again = false;
        this.lastFetch = performance.now();
        await this.#fetch();
      }
    } catch (wrong) {
      this.blind = true;
      this.#failed(wrong);
    } finally {
      this.fetching = false;
    }
  }

  /** Takes one action. While it is under way no other is taken, so that a second click does nothing. */
  async act(action) {
    if (this.now.sending || !this.playing) return;
    const { action_count } = this.now.seat;
    this.echo = action_count + 1;
    await this.#send("actions", { action, action_count });
  }

  async resign() {
    await this.#send("resignation", {});
  }

  /** Asks for another match, or agrees to one; returns the table. */
  async rematch() {
    try {
      return await post(`${this.path}/rematch`);
    } catch (wrong) {
      this.#failed(wrong);
      return null;
    }
  }

  advice(words = "") {
    return get(`${this.path}/advice${words ? `?words=${encodeURIComponent(words)}` : ""}`);
  }

  async #send(what, body) {
    const asked = this.now.seat.action_count;
    let wrong = null;
    let answer = null;
    this.#set({ sending: true });
    try {
      answer = await post(`${this.path}/${what}`, body);
      this.#set({
        ...(answer?.view ? { seat: answer, received: performance.now() } : {}),
        sending: false,
        offline: false,
      });
      this.ontrouble(null);
    } catch (caught) {
      wrong = caught;
      this.echo = null; // whether it was done is not known, or somebody else was quicker
      this.#set({ sending: false });
    }
    if (!answer?.view || this.#lacks(answer) || this.again || this.lastFetch < 0) await this.refresh();
    if (wrong) this.#explain(wrong, this.now.seat.action_count !== asked);
  }

  /** Says what became of an action that was not answered as it should be, now that the table was looked at again. */
  #explain(wrong, moved) {
    if (wrong instanceof Unheard && !this.now.offline) {
      this.ontrouble(moved ? null : "The hall did not hear that. Nothing has happened and nothing is lost: try again.");
    } else if (wrong instanceof Problem && wrong.status === 409) {
      // Another tab or an earlier try may have acted.
      this.ontrouble("The table had moved on; this is how it stands now.");
    } else {
      this.#failed(wrong);
    }
  }

  /** Whether scores or the state of the match must be fetched to go with what the seat sees. */
  #lacks({ state, view }) {
    return view && (view.results.length !== this.now.scores?.hands.length || view.corrections.length || state !== "playing");
  }

  async #fetch() {
    const [detail, seat] = await Promise.all([get(this.path), this.playing ? get(`${this.path}/seat`) : null]);
    const lacks = this.#lacks({ state: detail.state, view: seat?.view ?? detail.view });
    const scores = lacks ? await get(`${this.path}/scores`) : this.now.scores;
    // An answer that was under way while we acted is older than what we know.
    if (seat && this.now.seat && seat.action_count < this.now.seat.action_count) return;
    this.#seesAgain();
    this.#set({ detail, seat, scores, offline: false, received: performance.now() });
  }

  /** What went wrong with looking is over; a refusal of an action stays to be read. */
  #seesAgain() {
    if (this.blind || this.now.offline) this.ontrouble(null);
    this.blind = false;
  }

  #set(changes) {
    const before = this.now;
    this.now = { ...before, ...changes };
    this.onchange(this.now, before);
  }

  #failed(wrong) {
    if (wrong instanceof Unheard) this.#set({ offline: true });
    this.ontrouble(
      wrong instanceof Unheard ? `${wrong.message} The page keeps trying; nothing is lost.` : wrong.message,
    );
    if (!(wrong instanceof Unheard) && !(wrong instanceof Problem)) throw wrong;
  }

  #look() {
    if (document.hidden || this.now.sending || this.fetching) return;
    const mine = this.playing && this.now.seat?.to_act === this.now.seat?.seat && this.now.seat !== null;
    const every = this.over ? 4 * QUIET_MS : mine || this.hears() ? QUIET_MS : WAITING_MS;
    if (performance.now() - this.lastFetch >= every) this.refresh();
  }
}
