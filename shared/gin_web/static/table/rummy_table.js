// The table of Gin Rummy: draws what the hall says and sends what the player chooses.
// One piece, though long: every method changes the same few things (the view, the hand, what is chosen).
import { byMelds } from "./arrangement.js";
import { card, deadwoodOf, short, sorted } from "./cards.js";
import { clockOf } from "./clocks.js";
import { button, fill, h } from "./dom.js";
import { draggable } from "./dragging.js";
import { Hand } from "./hand.js";
import { askKnock } from "./knock_dialog.js";
import { glide, places } from "./motion.js";
import { complain, say } from "./notices.js";
import { piles, spread } from "./piles.js";
import { playerStrip } from "./player_strip.js";
import { prefer, preferences, recall, remember } from "./preferences.js";
import { elsewhere, ending, happened, invitation, isGin, label, meldText } from "./rummy_phrases.js";
import { showdown, shownKnock } from "./showdown.js";
import { latest, news, story } from "./story.js";

export class RummyTable {
  constructor(seat, names) {
    this.seat = seat;
    this.names = names;
    this.chosen = null;
    this.seen = null; // hands whose end was looked at
    this.hand = new Hand("rummy", seat.path, {
      onchoose: (text) => this.choose(text),
      ondrop: (text, target) => this.#dropped(text, target),
      onmoved: () => this.#sortedBy("own"),
    });
    this.parts = Object.fromEntries(
      ["rivals", "middle", "last", "status", "tools", "actions"].map((name) => [name, h("div", { class: name })]),
    );
    this.status = h("p", { class: "now" });
    this.parts.status.append(this.status);
    this.play = h(
      "div",
      { class: "play" },
      this.parts.middle,
      this.parts.last,
      this.parts.status,
      this.hand.element,
      this.parts.actions,
      this.parts.tools,
    );
    this.element = h("section", { class: "felt", "aria-label": "Table" }, this.parts.rivals, this.play);
    draggable(this.parts.middle, "[data-draw]", {
      may: () => this.#may("draw") || this.#may("take"),
      drop: (text, target) => this.#drawn(text, target),
      done: () => this.draw(),
    });
  }

  get view() {
    return this.seat.view;
  }

  /** How a seat of the table is called; `of` maps seats of the hand being shown. */
  name = (seat) => this.names(seat);

  inHand = (seat) => this.names(this.view.players[seat]);

  get sort() {
    return (this.sorting ??= recall(`sort ${this.seat.path}`, preferences().sort));
  }

  /** The hall's word arrived. */
  update(now, before) {
    const view = this.view;
    if (!view) return;
    const results = view.results.length;
    this.seen ??= recall(`seen ${this.seat.path}`, now.detail.state === "playing" ? results : 0);
    this.seen = Math.min(this.seen, results);
    this.hand.settle(view.hand);
    if (this.chosen && !view.hand.includes(this.chosen)) this.chosen = null;
    const old = this.seat.playing ? before.seat?.view : before.detail?.view;
    this.#remember(view, old);
    this.draw();
    if (old) this.#tell(view, old);
  }

  draw() {
    const view = this.view;
    if (this.hand.drag.active()) return; // drawn again when the card is let go
    const before = places(this.element);
    const result =
      this.seat.now.scores && this.seen < Math.min(view.results.length, this.seat.now.scores.hands.length)
        ? view.results[this.seen]
        : null;
    this.#drawRivals(view, result !== null || view.outcome !== null);
    if (!result) this.#putAway();
    this.play.hidden = result !== null || view.outcome !== null;
    if (result) this.#drawShowdown(result);
    else if (!this.play.hidden) this.#drawPlay(view, before);
  }

  #drawShowdown(result) {
    const sheet = this.seat.now.scores.hands.find((hand) => hand.number === result.number);
    const last = this.seen + 1 === this.view.results.length;
    const next = !last ? "Next" : this.view.outcome || this.seat.over ? "See the result" : "Next hand";
    const shown = JSON.stringify([result, sheet, next]);
    if (this.panel && shown === this.panelShows) return; // what is read keeps its focus, and what has moved lies still
    this.#putAway();
    this.panel = showdown(result, sheet, this.name, { next, onnext: () => this.#goOn() });
    this.panelShows = shown;
    this.element.append(this.panel);
    if (this.announced !== result.number) {
      this.announced = result.number;
      say(ending(result, sheet, this.name));
      this.panel.querySelector("h2").focus({ preventScroll: true });
    }
  }

  #putAway() {
    this.panel?.remove();
    this.panel = null;
  }

  #goOn() {
    this.seen += 1;
    remember(`seen ${this.seat.path}`, this.seen);
    this.chosen = null;
    this.draw();
    (this.hand.element.querySelector("[data-card]") ?? this.element.querySelector("button"))?.focus({
      preventScroll: true,
    });
    if (!this.panel && this.view.outcome === null) this.#sayNow(latest(this.view));
    this.onover?.();
  }

  /** Whether the end of the last hand has been looked at. */
  get settledDown() {
    return !this.view || this.seen >= this.view.results.length;
  }

  #drawPlay(view, before) {
    const drawn = this.seat.playing && view.phase === "discard" && view.to_act === view.seat ? this.newest : null;
    const melds = view.advice?.melds ?? [];
    const shown = this.sort === "melds" && melds.length ? melds : [];
    if (this.sort === "rank" || this.sort === "suit") this.hand.order = sorted(this.hand.order, this.sort, "rummy");
    if (shown.length)
      this.hand.order = byMelds(
        sorted(this.hand.order, "suit", "rummy"),
        shown.map((meld) => sorted(meld, "rank", "rummy")),
      );
    const breaks = new Set(
      shown.length
        ? [...shown.slice(1).map((meld) => sorted(meld, "rank", "rummy")[0]), this.hand.order[shown.flat().length]]
        : [],
    );
    const melded = new Set(preferences().melds || shown.length ? melds.flat() : []);
    this.hand.draw({
      chosen: this.chosen ? [this.chosen] : [],
      breaks,
      marks: (text) => {
        const words = [
          text === drawn && "just drawn",
          text === view.taken && view.to_act === view.seat && "stays this turn",
          melded.has(text) && "in a meld",
        ].filter(Boolean);
        return [
          `${text === drawn ? " drawn" : ""}${melded.has(text) ? " melded" : ""}${text === view.taken && view.to_act === view.seat ? " kept" : ""}`,
          words.join(", ") || null,
        ];
      },
    });
    this.#drawMiddle(view);
    fill(this.parts.last, this.#inWords(latest(view)));
    this.#drawActions(view);
    this.#drawTools(view);
    this.status.textContent = invitation(view, this.chosen, this.inHand);
    const mine = view.seat !== null && view.to_act === view.seat;
    this.parts.status.classList.toggle("mine", mine);
    this.element.classList.toggle("mine", mine);
    glide(this.element, before, (text) =>
      this.hand.order.includes(text) ? (text === view.taken ? "pile" : "stock") : undefined,
    );
  }

  #drawRivals(view, over) {
    const own = view.seat;
    const top = own === null ? [...view.players.keys()] : [1 - own];
    const rows = top.map((seat) => this.#player(view, seat, over));
    const others = view.table && !over ? elsewhere(view, this.seat.now.detail.seats, this.name) : [];
    fill(
      this.parts.rivals,
      rows,
      own !== null && this.#player(view, own, over),
      others.map((text) => h("p", { class: "other" }, text)),
    );
  }

  /** A player's strip; between hands without what belongs to the next one. */
  #player(view, seat, over) {
    const { detail, received, seat: own } = this.seat.now;
    return playerStrip({
      name: this.inHand(seat),
      own: seat === view.seat,
      acts: view.to_act === seat && !over,
      tags: [seat === view.dealer && !over && "dealer"],
      clock: clockOf(
        own?.clock ?? detail.clock,
        view.players[seat],
        received,
        seat === view.seat ? `${own.action_count}` : null,
      ),
      total: view.totals[seat],
      cards: seat === view.seat || over ? null : view.hand_sizes[seat],
    });
  }

  #drawMiddle(view) {
    const may = (action) => (this.#may(action) ? () => this.act(action) : null);
    const below = this.parts.middle.querySelector(".spread");
    const open = below?.open ?? view.rules.buried_draw;
    fill(
      this.parts.middle,
      piles({
        game: "rummy",
        names: ["Stock", "Discard pile"],
        stock: view.stock_size,
        top: view.top_discard,
        caption: view.phase.startsWith("offer") ? "Upcard" : `Discards · ${view.pile_size}`,
        draw: may("draw"),
        take: may("take"),
        discard: this.chosen ? may(`discard ${this.chosen}`) : null,
        sending: this.seat.now.sending,
      }),
      view.pile?.length > 1 && spread(view.pile, (text) => may(`take ${text}`), open),
      view.shown && shownKnock(view, this.inHand),
      h(
        "p",
        { class: "limit soft" },
        view.knock_limit === 0 ? "Only gin ends this hand" : `Knock with ${view.knock_limit} or less`,
      ),
    );
  }

  #drawActions(view) {
    const sending = this.seat.now.sending;
    const entries = view.legal_actions
      .filter((action) => !/^(discard|knock|take .)/.test(action))
      .map((action) => [action, label(action, view)]);
    if (view.phase === "discard" && this.chosen) {
      if (this.#may(`knock ${this.chosen}`)) {
        const way = isGin(view, this.chosen) ? "Gin" : "Knock";
        entries.unshift(["knock", `${way} with ${short(this.chosen)} …`]);
      }
      if (this.#may(`discard ${this.chosen}`))
        entries.unshift([`discard ${this.chosen}`, `Discard ${short(this.chosen)}`]);
    }
    fill(
      this.parts.actions,
      entries.map(([action, label], at) =>
        button(label, `act ${at}`, () => (action === "knock" ? this.knock() : this.act(action)), {
          class: at === 0 && !view.phase.startsWith("offer") ? "primary" : "",
          disabled: sending,
        }),
      ),
      view.phase === "discard" && view.seat === view.to_act && !this.chosen && this.#enders(view),
    );
  }

  #enders(view) {
    const enders = view.legal_actions
      .filter((action) => action.startsWith("knock "))
      .map((action) => action.split(" ")[1]);
    const way = isGin(view) ? "go gin" : "knock";
    return enders.length
      ? h("p", { class: "soft" }, `You may ${way} with ${enders.map((text) => short(text)).join(", ")}.`)
      : null;
  }

  #drawTools(view) {
    if (view.seat === null) return fill(this.parts.tools);
    const by = (what, label) =>
      button(label, `sort ${what}`, () => this.sortBy(what), {
        "aria-pressed": String(this.sort === what),
        class: "quiet",
      });
    const { advice } = view;
    fill(
      this.parts.tools,
      h(
        "span",
        { class: "sorts", role: "group", "aria-label": "Sort the hand" },
        h("span", { class: "soft" }, "Sort"),
        by("suit", "Suit"),
        by("rank", "Rank"),
        advice && by("melds", "Melds"),
      ),
      advice &&
        button(
          preferences().melds ? "Hide melds" : "Check my melds",
          "melds",
          () => {
            prefer({ melds: !preferences().melds });
            this.draw();
            this.#sayMelds();
          },
          { class: "quiet", "aria-pressed": String(preferences().melds) },
        ),
      advice && preferences().melds && h("span", { class: "advice" }, this.#meldsInWords()),
    );
  }

  #meldsInWords() {
    const { advice } = this.view;
    const melds = advice.melds.length
      ? advice.melds.map((meld) => meldText(sorted(meld, "rank", "rummy"))).join(" · ")
      : "no melds";
    return `${melds} – ${this.#deadwoodInWords()}`;
  }

  /** Deadwood as it counts: of ten cards, so without the one that is to be thrown. */
  #deadwoodInWords() {
    const { advice, phase } = this.view;
    if (phase !== "discard") return `deadwood ${advice.deadwood}`;
    if (this.chosen && !advice.melds.flat().includes(this.chosen))
      return `deadwood ${advice.deadwood - deadwoodOf(this.chosen)} without ${short(this.chosen)}`;
    return `deadwood ${advice.deadwood}, still with the card to discard`;
  }

  #sayMelds() {
    if (preferences().melds) say(this.#meldsInWords());
  }

  sortBy(what) {
    this.#sortedBy(prefer({ sort: what }).sort);
    say(`Sorted by ${what}`);
  }

  #sortedBy(what) {
    this.sorting = what;
    remember(`sort ${this.seat.path}`, what);
    this.draw();
  }

  /** What everybody saw in this hand, as far as it may be looked up, and what to know about that. */
  course() {
    const { history, pile } = this.view;
    return {
      moves: history.map((move) => this.#inWords([move])).filter(Boolean),
      note: pile ? null : "Only the last turns name their cards: the discard pile may not be looked through.",
    };
  }

  #inWords(moves) {
    return story(moves, this.inHand, happened);
  }

  choose(text) {
    this.chosen = this.chosen === text ? null : text;
    this.draw();
    if (this.chosen && this.view.phase === "discard") say(invitation(this.view, text, this.inHand));
  }

  act(action) {
    if (
      this.seat.now.sending ||
      !this.#may(
        action
          .split(" ")
          .slice(0, action.startsWith("knock") ? 2 : undefined)
          .join(" "),
      )
    )
      return;
    this.chosen = null;
    this.seat.act(action);
  }

  async knock() {
    const discard = this.chosen;
    const kept = sorted(
      this.view.hand.filter((text) => text !== discard),
      "suit",
      "rummy",
    );
    let advice = null;
    if (this.view.advice) {
      try {
        advice = (await this.seat.advice()).discards[discard] ?? null;
      } catch (wrong) {
        complain(wrong.message);
      }
    }
    askKnock(discard, kept, { advice, gin: isGin(this.view, discard) }, (action) => this.act(action));
  }

  /** A letter key; answers whether it meant something. */
  key(letter) {
    const does = {
      d: () => (this.#may("draw") ? this.act("draw") : this.chosen && this.act(`discard ${this.chosen}`)),
      t: () => this.act("take"),
      p: () => this.act("pass"),
      k: () => this.chosen && this.#may(`knock ${this.chosen}`) && this.knock(),
      b: () => this.act("big_gin"),
      m: () => this.view.advice && this.element.querySelector('[data-key="melds"]')?.click(),
      r: () => this.sortBy("rank"),
      s: () => this.sortBy("suit"),
      n: () => this.panel && this.#goOn(),
    }[letter];
    does?.();
    return does !== undefined;
  }

  #may(action) {
    return this.view?.legal_actions.includes(action) ?? false;
  }

  #dropped(text, target) {
    if (!target.closest(".discard") || !this.#may(`discard ${text}`)) return false;
    this.act(`discard ${text}`);
    return true;
  }

  #drawn(text, target) {
    const action = this.#may("draw") && text === "draw" ? "draw" : "take";
    if (target && this.hand.element.contains(target)) this.act(action);
  }

  /** Which card was drawn last, also after a reload. */
  #remember(view, old) {
    const name = `new ${this.seat.path}`;
    if (!old) this.newest = recall(name, view.taken);
    else if (view.hand_number !== old.hand_number) this.newest = null;
    else this.newest = view.hand.findLast((text) => !old.hand.includes(text)) ?? this.newest;
    if (!view.hand.includes(this.newest)) this.newest = null;
    remember(name, this.newest);
  }

  #tell(view, old) {
    if (this.panel) return; // the end of a hand is being looked at: the next one is told of later
    const moves = news(view, old);
    if (!moves.length && view.to_act === old.to_act && view.phase === old.phase) return;
    const drew =
      this.newest && view.hand.length > old.hand.length ? `You drew ${card(this.newest, "rummy").name}.` : "";
    this.#sayNow(moves, drew);
  }

  #sayNow(moves, drew = "") {
    const told = this.#inWords(moves);
    say([told && `${told}.`, drew, invitation(this.view, this.chosen, this.inHand)].filter(Boolean).join(" "));
  }
}
