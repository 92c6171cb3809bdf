// The table of Word Gin: draws what the hall says and sends what the player chooses.
import { loose } from "./arrangement.js";
import { card, short, sorted } from "./cards.js";
import { clockOf } from "./clocks.js";
import { button, fill, h } from "./dom.js";
import { Hand } from "./hand.js";
import { glide, places } from "./motion.js";
import { complain, say } from "./notices.js";
import { piles } from "./piles.js";
import { playerStrip } from "./player_strip.js";
import { prefer, preferences, recall, remember } from "./preferences.js";
import { WordGroups } from "./word_groups.js";
import { latest, news, story } from "./story.js";
import { happened, invitation } from "./word_phrases.js";
import { wordShowdown, wordsShown } from "./words_shown.js";

const MOST_TOLD = 6; // moves in one sentence, of who comes back after a while

export class WordTable {
  constructor(seat, names) {
    this.seat = seat;
    this.name = names;
    this.chosen = [];
    this.seen = null;
    this.groups = new WordGroups(seat.path, () => {
      this.chosen = [];
      this.#settle();
      this.draw();
    });
    this.hand = new Hand("word", seat.path, {
      onchoose: (text) => this.choose(text),
      ondrop: (text, target) => this.#dropped(text, target),
      onmoved: () => this.#sortedBy("own"),
    });
    this.parts = Object.fromEntries(
      ["rivals", "middle", "last", "shown-hands", "status", "actions", "tools"].map((name) => [
        name,
        h("div", { class: name }),
      ]),
    );
    this.status = h("p", { class: "now" });
    this.parts.status.append(this.status);
    this.spelling = this.#speller();
    this.play = h(
      "div",
      { class: "play" },
      this.parts["shown-hands"],
      this.parts.middle,
      this.parts.last,
      this.parts.status,
      this.groups.element,
      this.hand.element,
      this.parts.actions,
      this.spelling,
      this.parts.tools,
    );
    this.element = h("section", { class: "felt", "aria-label": "Table" }, this.parts.rivals, this.play);
  }

  get view() {
    return this.seat.view;
  }

  get mine() {
    return this.view.seat !== null && this.view.to_act === this.view.seat;
  }

  points = (text) => this.view.rules.letter_points[text[0].toLowerCase()];

  get sort() {
    return (this.sorting ??= recall(`sort ${this.seat.path}`, preferences().sort === "rank" ? "rank" : "suit"));
  }

  update(now, before) {
    const view = this.view;
    if (!view) return;
    this.seen ??= recall(`seen ${this.seat.path}`, now.detail.state === "playing" ? view.results.length : 0);
    this.seen = Math.min(this.seen, view.results.length);
    const old = this.seat.playing ? before.seat?.view : before.detail?.view;
    if (!old || old.hand_number !== view.hand_number) this.newest = null;
    else
      this.newest =
        view.hand.find((text) => !old.hand.includes(text)) ?? (view.hand.includes(this.newest) ? this.newest : null);
    this.#settle();
    this.draw();
    if (old) this.#tell(view, old);
  }

  #settle() {
    this.groups.settle(this.view.hand);
    this.hand.settle(loose(this.view.hand, this.groups.groups));
    this.chosen = this.chosen.filter((text) => this.hand.order.includes(text));
  }

  get settledDown() {
    return !this.view || this.seen >= this.view.results.length;
  }

  draw() {
    if (this.hand.drag.active()) return;
    const view = this.view;
    const before = places(this.element);
    const { scores, detail } = this.seat.now;
    const result =
      scores && this.seen < Math.min(view.results.length, scores.hands.length) ? view.results[this.seen] : null;
    const over = result !== null || view.outcome !== null;
    fill(
      this.parts.rivals,
      detail.seats.map(({ seat }) => this.#player(view, seat, over)),
    );
    if (!result) this.#putAway();
    this.play.hidden = over;
    if (result) this.#drawShowdown(result);
    else if (!over) this.#drawPlay(view, before);
  }

  #drawShowdown(result) {
    const sheet = this.seat.now.scores.hands.find((hand) => hand.number === result.number);
    const next =
      this.seen + 1 < this.view.results.length
        ? "Next"
        : this.view.outcome || this.seat.over
          ? "See the result"
          : "Next hand";
    const shown = JSON.stringify([result, sheet, next]);
    if (this.panel && shown === this.panelShows) return; // what is read keeps its focus
    this.#putAway();
    this.panelShows = shown;
    this.panel = wordShowdown(result, sheet, this.name, this.points, { next, onnext: () => this.#goOn() });
    this.element.append(this.panel);
    if (this.announced !== result.number) {
      this.announced = result.number;
      say(this.panel.querySelector("h2").textContent);
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
    this.draw();
    this.element.querySelector(".hand [data-card], button")?.focus({ preventScroll: true });
    if (!this.panel && this.view.outcome === null) this.#sayNow(latest(this.view));
    this.onover?.();
  }

  #drawPlay(view, before) {
    if (this.sort !== "own") this.hand.order = sorted(this.hand.order, this.sort, "word");
    this.groups.draw(this.points, view.rules.min_word);
    this.hand.draw({
      chosen: this.chosen,
      points: this.points,
      marks: (text) => (text === this.newest && this.mine && view.phase === "discard" ? [" drawn", "just drawn"] : []),
    });
    this.#drawMiddle(view);
    fill(this.parts.last, this.#inWords(latest(view)));
    fill(
      this.parts["shown-hands"],
      view.shown.map(
        (shown, seat) =>
          shown &&
          wordsShown(this.name(seat), shown, this.points, {
            heading: "h2",
            challenge: (text) => this.#challenge(seat, text),
            sending: this.seat.now.sending,
          }),
      ),
    );
    this.#drawActions(view);
    this.#drawTools(view);
    this.spelling.hidden = view.seat === null;
    this.status.textContent = invitation(view, this.name);
    this.parts.status.classList.toggle("mine", this.mine);
    glide(this.element, before, (text) =>
      this.hand.order.includes(text) ? (text === view.taken ? "pile" : "stock") : undefined,
    );
  }

  #player(view, seat, over) {
    const { detail, received, seat: own } = this.seat.now;
    return playerStrip({
      name: this.name(seat),
      own: seat === view.seat,
      acts: view.to_act === seat && !over,
      tags: [
        seat === view.dealer && !over && "dealer",
        seat === view.ginner && "Gin",
        view.barred[seat] && "no Gin next turn",
      ],
      clock: clockOf(own?.clock ?? detail.clock, seat, received, seat === view.seat ? `${own.action_count}` : null),
      total: view.totals[seat],
      moved: view.challenges.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0),
      cards: seat === view.seat || over ? null : view.hand_sizes[seat],
    });
  }

  #drawMiddle(view) {
    const may = (action) => (this.#may(action) ? () => this.act(action) : null);
    this.parts.middle.hidden = view.ginner !== null;
    fill(
      this.parts.middle,
      piles({
        game: "word",
        names: ["Deck", "Up card"],
        stock: view.stock_size,
        top: view.upcard,
        caption: `Up card · ${view.pile_size}`,
        draw: may("draw"),
        take: may("take"),
        discard: this.chosen.length === 1 ? may(`discard ${this.chosen[0]}`) : null,
        points: view.upcard ? this.points(view.upcard) : undefined,
        sending: this.seat.now.sending,
      }),
    );
  }

  #challenge(seat, text) {
    const action = `challenge ${text}`;
    return seat === this.view.challenged && this.#may(action) ? () => this.act(action) : null;
  }

  #drawActions(view) {
    const { sending } = this.seat.now;
    const entries = [];
    const texts = this.groups.texts(view.rules.min_word);
    if (this.#may("take")) entries.push(["take", `Take ${short(view.upcard, "word")}`]);
    if (this.#may("draw")) entries.push(["draw", "Draw from the deck"]);
    if (this.mine && view.phase === "discard") {
      const [left, ...more] = this.hand.order;
      const gin =
        left && !more.length && texts?.length && view.legal_actions.some((action) => action.startsWith(`gin ${left} `));
      if (gin) entries.push([`gin ${left} ${texts.join(" ")}`, `Gin with ${short(left, "word")} face down`]);
      if (this.chosen.length === 1 && this.#may(`discard ${this.chosen[0]}`))
        entries.push([`discard ${this.chosen[0]}`, `Discard ${short(this.chosen[0], "word")}`]);
    }
    if (this.mine && view.phase === "challenge") entries.push(["pass", "Let them stand"]);
    if (this.mine && view.phase === "reveal") {
      if (texts?.length)
        entries.push([`reveal ${texts.join(" ")}`, `Show ${texts.map((text) => text.slice(0, -1)).join(", ")}`]);
      entries.push(["reveal", "Show no words"]);
    }
    fill(
      this.parts.actions,
      entries.map(([action, label], at) =>
        button(label, `act ${at}`, () => this.#send(action), { class: at === 0 ? "primary" : "", disabled: sending }),
      ),
      this.chosen.length >= view.rules.min_word &&
        button(`Make the word ${this.chosen.map((text) => text[0]).join("")}`, "make", () =>
          this.groups.make(this.chosen),
        ),
    );
  }

  #drawTools(view) {
    const advice = this.seat.now.seat?.advice === true;
    const by = (what, label) =>
      button(label, `sort ${what}`, () => this.#sortedBy(prefer({ sort: what }).sort), {
        "aria-pressed": String(this.sort === what),
        class: "quiet",
      });
    fill(
      this.parts.tools,
      view.seat !== null &&
        h(
          "span",
          { class: "sorts", role: "group", "aria-label": "Sort the hand" },
          h("span", { class: "soft" }, "Sort"),
          by("suit", "Suit"),
          by("rank", "Letter"),
        ),
      advice &&
        this.groups.groups.length > 0 &&
        button("Check my words", "check", () => this.#check(), { class: "quiet" }),
      view.two_letter_words.length > 0 &&
        h(
          "details",
          { class: "two-letter", open: this.parts.tools.querySelector(".two-letter")?.open },
          h("summary", {}, "Two-letter words"),
          h("p", {}, view.two_letter_words.map((word) => word.toUpperCase()).join(" ")),
        ),
    );
  }

  async #check() {
    const texts = this.groups.texts(this.view.rules.min_word) ?? [];
    if (!texts.length) return complain("Lay cards of one suit in words first.");
    try {
      const { words } = await this.seat.advice(texts.join(" "));
      this.groups.verdicts = new Map(words.map((word) => [word.text, word.is_word]));
      this.draw();
      say(words.map((word) => `${word.text.slice(0, -1)} is ${word.is_word ? "" : "not "}a word`).join(", "));
    } catch (wrong) {
      complain(wrong.message);
    }
  }

  #speller() {
    const input = h("input", {
      id: "spell",
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      maxlength: "15",
      size: "10",
    });
    return h(
      "form",
      {
        class: "spell",
        onsubmit: (event) => {
          event.preventDefault();
          const word = input.value.trim();
          if (!word) return;
          if (this.groups.spell(word, this.hand.order)) input.value = "";
          else complain(`You have no cards of one suit left that spell ${word.toUpperCase()}.`);
          input.focus();
        },
      },
      h("label", { for: "spell" }, "Type a word of one suit"),
      input,
      h("button", { type: "submit", class: "quiet" }, "Lay it"),
    );
  }

  #sortedBy(what) {
    this.sorting = what;
    remember(`sort ${this.seat.path}`, what);
    this.draw();
  }

  /** What everybody saw in this hand. */
  course() {
    return { moves: this.view.history.map((move) => this.#inWords([move])).filter(Boolean), note: null };
  }

  #inWords(moves) {
    return story(moves.slice(-MOST_TOLD), this.name, happened);
  }

  choose(text) {
    this.chosen = this.chosen.includes(text) ? this.chosen.filter((other) => other !== text) : [...this.chosen, text];
    this.draw();
  }

  act(action) {
    if (this.#may(action)) this.#send(action);
  }

  #send(action) {
    if (this.seat.now.sending) return;
    this.chosen = [];
    this.seat.act(action);
  }

  key(letter) {
    const does = {
      d: () =>
        this.#may("draw") ? this.act("draw") : this.chosen.length === 1 && this.act(`discard ${this.chosen[0]}`),
      t: () => this.act("take"),
      p: () => this.act("pass"),
      w: () => this.chosen.length >= this.view.rules.min_word && this.groups.make(this.chosen),
      n: () => this.panel && this.#goOn(),
    }[letter];
    does?.();
    return does !== undefined;
  }

  #may(action) {
    return this.view?.legal_actions.includes(action) ?? false;
  }

  #dropped(text, target) {
    const group = target.closest("[data-group]");
    if (group) this.groups.add(text, Number(group.dataset.group));
    else if (target.closest(".discard") && this.#may(`discard ${text}`)) this.act(`discard ${text}`);
    else return false;
    return true;
  }

  #tell(view, old) {
    if (this.panel) return; // the end of a hand is being looked at: the next one is told of later
    const moves = news(view, old);
    const drew = this.newest && view.hand.length > old.hand.length ? `You drew ${card(this.newest, "word").name}.` : "";
    if (moves.length || drew || view.phase !== old.phase || view.to_act !== old.to_act) this.#sayNow(moves, drew);
  }

  #sayNow(moves, drew = "") {
    const told = this.#inWords(moves);
    say([told && `${told}.`, drew, invitation(this.view, this.name)].filter(Boolean).join(" "));
  }
}
