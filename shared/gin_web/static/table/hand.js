// The own hand: cards in rows that wrap, chosen by click, tap or keys, moved by dragging or with Shift and an arrow.
import { moved, settled } from "./arrangement.js";
import { face } from "./card_drawing.js";
import { card } from "./cards.js";
import { fill, h } from "./dom.js";
import { draggable, placeAt } from "./dragging.js";
import { glide, places } from "./motion.js";
import { say } from "./notices.js";
import { recall, remember } from "./preferences.js";

/**
 * Keeps the player's own order of cards. `onchoose(card)` when one is clicked, `ondrop(card, element)` when one was
 * let go outside the hand; it answers whether it took the card.
 */
export class Hand {
  constructor(game, matchId, { onchoose, ondrop, onmoved }) {
    this.game = game;
    this.name = `hand ${matchId}`;
    this.order = recall(this.name, []);
    this.element = h("div", { class: "hand", role: "group", "aria-label": "Your hand" });
    this.onchoose = onchoose;
    this.onmoved = onmoved;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.drag = draggable(this.element, "button[data-card]", {
      over: (text, x, y) => this.#over(text, x, y),
      drop: (text, target, x, y) => {
        const outside = target && !this.element.contains(target);
        if (outside && ondrop(text, target)) return;
        this.#over(text, x, y);
      },
      done: () => this.onmoved(),
    });
  }

  /** Brings the order up to date with the cards held. */
  settle(cards) {
    this.order = settled(this.order, cards);
    remember(this.name, this.order);
  }

  arrange(order) {
    this.order = settled(order, this.order);
    remember(this.name, this.order);
    this.onmoved();
  }

  /** Draws the hand: `chosen` cards stand out, `marks` gives a card a class and a word for the ear. */
  draw({ chosen = [], marks = () => [], breaks = new Set(), points = () => undefined, cards = this.order }) {
    const held = [...this.element.children].indexOf(document.activeElement);
    fill(
      this.element,
      cards.map((text) => {
        const [mark, told] = marks(text);
        return face(text, this.game, {
          tag: "button",
          class: `${mark ?? ""}${breaks.has(text) ? " first-of-group" : ""}`,
          "aria-pressed": String(chosen.includes(text)),
          "aria-label": [card(text, this.game).name, told].filter(Boolean).join(", "),
          points: points(text),
          onclick: () => this.onchoose(text),
        });
      }),
    );
    // The card that had the focus has left the hand: its neighbour takes over, so that keys go on from there.
    const left = this.element.children;
    if (held >= 0 && left.length && !this.element.contains(document.activeElement))
      left[Math.min(held, left.length - 1)].focus({ preventScroll: true });
  }

  /** An arrow pressed outside the hand leads into it, from the side where it points to. */
  enter(key) {
    const { firstElementChild: first, lastElementChild: last } = this.element;
    (key === "ArrowRight" ? first : last)?.focus();
  }

  #over(text, x, y) {
    const others = [...this.element.querySelectorAll("[data-card]")].filter((element) => element.dataset.card !== text);
    const box = this.element.getBoundingClientRect();
    if (y < box.top - 40 || y > box.bottom + 40 || !others.length) return;
    const next = moved(this.order, text, placeAt(others, x, y));
    if (next.join() === this.order.join()) return;
    this.order = next;
    remember(this.name, next);
    this.#reorder(text);
  }

  /** Moves the others around the card that is held: taking that one out of the page would end the drag. */
  #reorder(held) {
    const before = places(this.element);
    const elements = new Map([...this.element.children].map((element) => [element.dataset.card, element]));
    const at = this.order.indexOf(held);
    for (const text of this.order.slice(0, at)) elements.get(held).before(elements.get(text));
    for (const text of this.order.slice(at + 1)) this.element.append(elements.get(text));
    glide(this.element, before);
  }

  #key(event) {
    const at = [...this.element.children].indexOf(document.activeElement);
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (at < 0 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const text = document.activeElement.dataset.card;
    const to = Math.max(0, Math.min(this.element.children.length - 1, at + step));
    if (!event.shiftKey) {
      this.element.children[to].focus();
      return;
    }
    this.order = moved(this.order, text, to);
    remember(this.name, this.order);
    this.onmoved();
    say(`${card(text, this.game).name} moved to place ${to + 1}`);
  }
}
