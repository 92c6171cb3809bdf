// The table of Gin Rummy: draws what the hall says and sends what the player chooses.
import { byMelds } from "./arrangement.js";
import { back, face, row } from "./card_drawing.js";
import { card, short, sorted } from "./cards.js";
import { clockOf } from "./clocks.js";
import { button, fill, h } from "./dom.js";
import { draggable } from "./dragging.js";
import { Hand } from "./hand.js";
import { askKnock } from "./knock_dialog.js";
import { glide, places } from "./motion.js";
import { complain, say } from "./notices.js";
import { prefer, preferences, recall, remember } from "./preferences.js";
import { happened, invitation, meldText } from "./rummy_phrases.js";
import { number } from "./score_panel.js";
import { showdown } from "./showdown.js";
import { story } from "./story.js";

export class RummyTable {
  constructor(seat, names) {
    this.seat = seat;
    this.names = names;
    this.chosen = null;
    this.told = "";
    this.seen = null; // hands whose end was looked at
    this.hand = new Hand("rummy", seat.path, {
      onchoose: (text) => this.choose(text),
      ondrop: (text, target) => this.#dropped(text, target),
      onmoved: () => this.#sortedBy("own"),
    });
    this.parts = Object.fromEntries(["rivals", "middle", "last", "status", "tools", "actions"].map((name) => [name, h("div", { class: name })]));
    this.status = h("p", { class: "now" });
    this.parts.status.append(this.status);
    this.play = h("div", { class: "play" }, this.parts.middle, this.parts.last, this.parts.status, this.hand.element, this.parts.actions, this.parts.tools);
    this.element = h("section", { class: "felt", "aria-label": "Table" }, this.parts.rivals, this.play);
    draggable(this.parts.middle, "[data-draw]", { may: () => this.#may("draw") || this.#may("take"), drop: (text, target) => this.#drawn(text, target), done: () => this.draw() });
  }

  get view() {
    return this.seat.view;
  }

  /** How a seat of the table is called; `of` maps seats of the hand being shown. */
  name = (seat) => this.names(seat);

  inHand = (seat) => this.names(this.view.players[seat]);

  get sort() {
    return this.sorting ?? (this.sorting = preferences().sort);
  }

  /** The hall's word arrived. */
  update(now, before) {
    const view = this.view;
    if (!view) return;
    const results = view.results.length;
    this.seen ??= recall(`seen ${this.seat.path}`, this.seat.playing && now.detail.state === "playing" ? results : 0);
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
    const result = this.seat.now.scores && this.seen < Math.min(view.results.length, this.seat.now.scores.hands.length) ? view.results[this.seen] : null;
    this.#drawRivals(view, result !== null || view.outcome !== null);
    this.panel?.remove();
    this.panel = null;
    this.play.hidden = result !== null || view.outcome !== null;
    if (result) this.#drawShowdown(result);
    else if (!this.play.hidden) this.#drawPlay(view, before);
  }

  #drawShowdown(result) {
    const sheet = this.seat.now.scores.hands.find((hand) => hand.number === result.number);
    const last = this.seen + 1 === this.view.results.length;
    const next = !last ? "Next" : this.view.outcome || this.seat.over ? "See the result" : "Next hand";
    this.panel = showdown(result, sheet, this.name, { next, onnext: () => this.#goOn() });
    this.element.append(this.panel);
    if (this.announced !== result.number) {
      this.announced = result.number;
      this.panel.querySelector("h2").focus({ preventScroll: true });
    }
  }

  #goOn() {
    this.seen += 1;
    remember(`seen ${this.seat.path}`, this.seen);
    this.chosen = null;
    this.draw();
    (this.hand.element.querySelector("[data-card]") ?? this.element.querySelector("button"))?.focus({ preventScroll: true });
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
    if (shown.length) this.hand.order = byMelds(sorted(this.hand.order, "suit", "rummy"), shown.map((meld) => sorted(meld, "rank", "rummy")));
    const breaks = new Set(shown.length ? [...shown.slice(1).map((meld) => sorted(meld, "rank", "rummy")[0]), this.hand.order[shown.flat().length]] : []);
    const melded = new Set(preferences().melds || shown.length ? melds.flat() : []);
    this.hand.draw({
      chosen: this.chosen ? [this.chosen] : [],
      breaks,
      marks: (text) => {
        const words = [text === drawn && "just drawn", text === view.taken && view.to_act === view.seat && "stays this turn", melded.has(text) && "in a meld"].filter(Boolean);
        return [`${text === drawn ? " drawn" : ""}${melded.has(text) ? " melded" : ""}${text === view.taken && view.to_act === view.seat ? " kept" : ""}`, words.join(", ") || null];
      },
    });
    this.#drawMiddle(view);
    this.#drawActions(view);
    this.#drawTools(view);
    this.status.textContent = invitation(view, this.chosen, this.inHand);
    const mine = view.seat !== null && view.to_act === view.seat;
    this.parts.status.classList.toggle("mine", mine);
    this.element.classList.toggle("mine", mine);
    glide(this.element, before, (text) => (this.hand.order.includes(text) ? (text === view.taken ? "pile" : "stock") : undefined));
  }

  #drawRivals(view, over) {
    const own = view.seat;
    const top = own === null ? [...view.players.keys()] : [1 - own];
    const rows = top.map((seat) => this.#player(view, seat, over));
    const others = view.table && !over ? this.#others(view) : [];
    fill(this.parts.rivals, rows, own !== null && this.#player(view, own, over), others);
  }

  /** A player's strip; between hands without what belongs to the next one. */
  #player(view, seat, over) {
    const { detail, received } = this.seat.now;
    const at = view.players[seat];
    const own = seat === view.seat;
    const acts = view.to_act === seat && !over;
    const cards = view.hand_sizes[seat];
    return h(
      "div",
      { class: `player${acts ? " to-act" : ""}${own ? " own" : ""}` },
      h("span", { class: "named" }, this.name(at), seat === view.dealer && !over && h("span", { class: "tag" }, "dealer"), acts && h("span", { class: "turn" }, own ? "Your turn" : "to play")),
      clockOf(this.seat.now.seat?.clock ?? detail.clock, at, received),
      h("span", { class: "score", role: "img", "aria-label": `${view.totals[seat]} points` }, number(view.totals[seat])),
      !own && !over && h("span", { class: "backs", role: "img", "aria-label": `${cards} cards` }, Array.from({ length: cards }, () => back())),
    );
  }

  #others(view) {
    const busy = new Set(view.table.hands.flatMap((hand) => hand.players));
    const lines = view.table.hands.filter((hand) => hand.hand_number !== view.hand_number).map((hand) => `${hand.players.map((seat) => this.name(seat)).join(" against ")}: ${hand.phase === "over" ? "their hand is over" : "at the other hand"}`);
    const out = this.seat.now.detail.seats.filter((seat) => !busy.has(seat.seat)).map((seat) => `${this.name(seat.seat)} ${this.name(seat.seat) === "You" ? "sit" : "sits"} out this hand`);
    return [...lines, ...out].map((text) => h("p", { class: "other" }, text));
  }

  #drawMiddle(view) {
    const sending = this.seat.now.sending;
    const top = view.top_discard;
    const draw = this.#may("draw");
    const take = this.#may("take");
    const discards = this.chosen && this.#may(`discard ${this.chosen}`);
    const stock = back({ tag: "button", label: `Stock, ${view.stock_size} cards${draw ? ": draw" : ""}`, disabled: !draw || sending, onclick: () => this.act("draw"), "data-key": "stock", "data-place": "stock", "data-draw": draw ? "draw" : null, "data-card": draw ? "draw" : null, class: draw ? "may" : "" });
    const onpile = () => (take ? this.act("take") : discards && this.act(`discard ${this.chosen}`));
    const pile = top
      ? face(top, "rummy", { tag: "button", class: take || discards ? "may" : "", "aria-label": `Discard pile, ${card(top, "rummy").name} on top${take ? ": take it" : discards ? `: discard ${card(this.chosen, "rummy").name}` : ""}`, disabled: (!take && !discards) || sending, onclick: onpile, key: "pile", "data-draw": take ? "take" : null })
      : h("button", { type: "button", class: `card empty${discards ? " may" : ""}`, disabled: !discards || sending, onclick: onpile, "data-key": "pile", "aria-label": "Discard pile, empty" });
    const offered = view.phase.startsWith("offer");
    fill(
      this.parts.middle,
      h("figure", { class: "pile" }, stock, h("figcaption", {}, `Stock · ${view.stock_size}`)),
      h("figure", { class: "pile discard", "data-place": "pile" }, pile, h("figcaption", {}, offered ? "Upcard" : `Discards · ${view.pile_size}`)),
      view.pile?.length > 1 && this.#spread(view),
      view.shown && this.#shown(view),
      h("p", { class: "limit soft" }, view.knock_limit === 0 ? "Only gin ends this hand" : `Knock with ${view.knock_limit} or less`),
    );
  }

  #spread(view) {
    const cards = view.pile.slice(0, -1).reverse();
    return h("details", { class: "spread" }, h("summary", {}, "Below it"), h("div", { class: "row" }, cards.map((text) => {
      const may = this.#may(`take ${text}`);
      return face(text, "rummy", { tag: may ? "button" : "span", class: may ? "may" : "", key: `take ${text}`, ...(may ? { "aria-label": `Take ${card(text, "rummy").name} and all above it`, onclick: () => this.act(`take ${text}`) } : {}) });
    })));
  }

  #shown(view) {
    return h("div", { class: "shown" }, h("h3", {}, `${this.inHand(view.shown.knocker)} ${view.shown.knocker === view.seat ? "show" : "shows"}`), h("div", { class: "melds" }, view.shown.melds.map((meld) => row(meld, "rummy", { class: "meld", "data-meld": meld.join("") })), row(view.shown.unmatched, "rummy", { class: "deadwood" })));
  }

  #drawActions(view) {
    const sending = this.seat.now.sending;
    const entries = view.legal_actions.filter((action) => !/^(discard|knock|take .)/.test(action)).map((action) => [action, this.#label(action, view)]);
    if (view.phase === "discard" && this.chosen) {
      if (this.#may(`knock ${this.chosen}`)) entries.unshift(["knock", `End the hand with ${short(this.chosen)} …`]);
      if (this.#may(`discard ${this.chosen}`)) entries.unshift([`discard ${this.chosen}`, `Discard ${short(this.chosen)}`]);
    }
    fill(
      this.parts.actions,
      entries.map(([action, label], at) => button(label, `act ${at}`, () => (action === "knock" ? this.knock() : this.act(action)), { class: at === 0 && !view.phase.startsWith("offer") ? "primary" : "", disabled: sending })),
      view.phase === "discard" && view.seat === view.to_act && !this.chosen && this.#enders(view),
    );
  }

  #enders(view) {
    const enders = view.legal_actions.filter((action) => action.startsWith("knock ")).map((action) => action.split(" ")[1]);
    return enders.length ? h("p", { class: "soft" }, `You may end the hand with ${enders.map((text) => short(text)).join(", ")}.`) : null;
  }

  #label(action, view) {
    const [verb, text, , meld] = action.split(" ");
    if (verb === "layoff") return `Lay ${short(text)} on ${meldText(meld)}`;
    return { draw: "Draw from the stock", take: `Take ${view.top_discard ? short(view.top_discard) : ""}`, pass: "Pass", big_gin: "Big gin", done: "Done" }[verb] ?? action;
  }

  #drawTools(view) {
    if (view.seat === null) return fill(this.parts.tools);
    const by = (what, label) => button(label, `sort ${what}`, () => this.sortBy(what), { "aria-pressed": String(this.sort === what), class: "quiet" });
    const { advice } = view;
    fill(
      this.parts.tools,
      h("span", { class: "sorts", role: "group", "aria-label": "Sort the hand" }, h("span", { class: "soft" }, "Sort"), by("suit", "Suit"), by("rank", "Rank"), advice && by("melds", "Melds")),
      advice && button(preferences().melds ? "Hide melds" : "Check my melds", "melds", () => { prefer({ melds: !preferences().melds }); this.draw(); this.#sayMelds(); }, { class: "quiet", "aria-pressed": String(preferences().melds) }),
      advice && preferences().melds && h("span", { class: "advice" }, this.#meldsInWords()),
    );
  }

  #meldsInWords() {
    const { advice } = this.view;
    const melds = advice.melds.length ? advice.melds.map((meld) => meldText(sorted(meld, "rank", "rummy"))).join(" · ") : "no melds";
    return `${melds} – deadwood ${advice.deadwood}`;
  }

  #sayMelds() {
    if (preferences().melds) say(this.#meldsInWords());
  }

  sortBy(what) {
    this.sorting = prefer({ sort: what }).sort;
    this.draw();
    say(`Sorted by ${what}`);
  }

  #sortedBy(what) {
    if (what !== this.sorting) this.sorting = what;
    this.draw();
  }

  choose(text) {
    this.chosen = this.chosen === text ? null : text;
    this.draw();
    if (this.chosen && this.view.phase === "discard") say(invitation(this.view, text, this.inHand));
  }

  act(action) {
    if (this.seat.now.sending || !this.#may(action.split(" ").slice(0, action.startsWith("knock") ? 2 : undefined).join(" "))) return;
    this.chosen = null;
    this.seat.act(action);
  }

  async knock() {
    const discard = this.chosen;
    const kept = sorted(this.view.hand.filter((text) => text !== discard), "suit", "rummy");
    let advice = null;
    if (this.view.advice) {
      try {
        advice = (await this.seat.advice()).discards[discard] ?? null;
      } catch (wrong) {
        complain(wrong.message);
      }
    }
    askKnock(discard, kept, advice, (action) => this.act(action));
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

  #remember(view, old) {
    if (!old || view.hand_number !== old.hand_number) this.newest = null;
    const added = old && view.hand_number === old.hand_number ? view.hand.filter((text) => !old.hand.includes(text)) : [];
    if (added.length) this.newest = added.at(-1);
    else if (!this.newest && view.phase === "discard") this.newest = view.taken;
  }

  #tell(view, old) {
    const moves = JSON.stringify(view.recent);
    if (moves === this.told && view.to_act === old.to_act) return;
    this.told = moves;
    const told = story(view.recent, this.inHand, happened);
    fill(this.parts.last, told);
    const drew = this.newest && view.hand.length > old.hand.length ? `You drew ${card(this.newest, "rummy").name}.` : "";
    say([told && `${told}.`, drew, invitation(view, this.chosen, this.inHand)].filter(Boolean).join(" "));
  }
}
