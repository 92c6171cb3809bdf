// The words that a player is making of the own cards: groups in the order in which they spell.
import { grouped, settledGroups, spelled, wordText } from "./arrangement.js";
import { face } from "./card_drawing.js";
import { card } from "./cards.js";
import { button, fill, h } from "./dom.js";
import { recall, remember } from "./preferences.js";

export class WordGroups {
  constructor(matchId, onchange) {
    this.name = `words ${matchId}`;
    this.groups = recall(this.name, []);
    this.verdicts = new Map();
    this.onchange = onchange;
    this.element = h("div", { class: "words own-words", role: "group", "aria-label": "Your words" });
  }

  settle(hand) {
    this.#set(settledGroups(this.groups, hand));
  }

  /** The cards as one new word, in this order. */
  make(cards) {
    this.#set(grouped(this.groups, cards));
    this.onchange();
  }

  /** Makes the word of loose cards; answers whether there are any that spell it in one suit. */
  spell(word, loose) {
    const cards = spelled(word, loose);
    if (cards) this.make(cards);
    return cards !== null;
  }

  add(text, at) {
    this.#set(this.groups.map((group, place) => (place === at ? [...group, text] : group)));
    this.onchange();
  }

  #drop(text) {
    this.#set(this.groups.map((group) => group.filter((other) => other !== text)).filter((group) => group.length));
    this.onchange();
  }

  /** As actions write them; null where a group mixes suits or is too short. */
  texts(shortest) {
    const texts = this.groups.map((group) => (group.length >= shortest ? wordText(group) : null));
    return texts.includes(null) ? null : texts;
  }

  draw(points, shortest) {
    this.element.hidden = !this.groups.length;
    fill(
      this.element,
      this.groups.map((group, at) => {
        const text = wordText(group);
        const spelledOut = group.map((one) => one[0]).join("");
        const verdict = this.verdicts.get(text);
        const flaw = text === null ? "several suits" : group.length < shortest ? "too short" : verdict === undefined ? "" : verdict ? "a word" : "not in the dictionary";
        return h(
          "figure",
          { class: `word-laid${verdict === false || text === null ? " flawed" : ""}`, "data-group": at },
          h("span", { class: "row", role: "group", "aria-label": spelledOut }, group.map((one) => face(one, "word", { tag: "button", points: points(one), "aria-label": `${card(one, "word").name}, in ${spelledOut}: take it out`, onclick: () => this.#drop(one) }))),
          h("figcaption", {}, `${group.reduce((sum, one) => sum + points(one), 0)} points`, flaw && h("strong", {}, ` ${flaw}`), button("Take apart", `apart ${at}`, () => { this.#set(this.groups.filter((_, place) => place !== at)); this.onchange(); }, { class: "quiet" })),
        );
      }),
    );
  }

  #set(groups) {
    this.groups = groups;
    remember(this.name, groups);
  }
}
