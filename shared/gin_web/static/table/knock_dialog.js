// Before a knock: what will lie on the table, and, for who wants to, which melds to show.
import { grouped } from "./arrangement.js";
import { face, row } from "./card_drawing.js";
import { card, short, sorted } from "./cards.js";
import { button, fill, h } from "./dom.js";

/**
 * Asks; `onknock(action)` gets the action to send. `advice` is `{deadwood, melds}` of the kept cards, or null where the
 * match has no advice; `gin` is whether nothing of them is left over.
 */
export function askKnock(discard, kept, { advice, gin }, onknock) {
  let melds = [];
  let chosen = [];
  const own = h("div", { class: "own-melds" });
  const dialog = h(
    "dialog",
    { class: "ask", "aria-labelledby": "knock-title" },
    h("h2", { id: "knock-title" }, gin ? `Gin with ${short(discard)}` : `Knock with ${short(discard)}`),
    advice ? preview(kept, advice) : h("p", {}, "The house lays out your melds so that they pay you best."),
    h(
      "div",
      { class: "actions" },
      button(gin ? "Go gin" : "Knock", "yes", () => close(`knock ${discard}`), { class: "primary" }),
      button("Back", "no", () => close(null)),
    ),
    !gin &&
      h(
        "details",
        {},
        h("summary", {}, "Choose the melds yourself"),
        h(
          "p",
          { class: "soft" },
          "Choose the cards of a meld, then lay them together. What is in no meld is deadwood.",
        ),
        own,
      ),
  );

  function close(action) {
    dialog.close();
    if (action) onknock(action);
  }

  function draw() {
    const free = sorted(
      kept.filter((text) => !melds.flat().includes(text)),
      "suit",
      "rummy",
    );
    const pick = (text) => {
      chosen = chosen.includes(text) ? chosen.filter((other) => other !== text) : [...chosen, text];
      draw();
    };
    fill(
      own,
      h(
        "div",
        { class: "hand small", role: "group", "aria-label": "Cards in no meld" },
        free.map((text) =>
          face(text, "rummy", {
            tag: "button",
            "aria-pressed": String(chosen.includes(text)),
            "aria-label": card(text, "rummy").name,
            onclick: () => pick(text),
          }),
        ),
      ),
      h(
        "div",
        { class: "melds" },
        melds.map((meld) =>
          h(
            "span",
            { class: "row meld" },
            meld.map((text) => face(text, "rummy")),
          ),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        button(
          "Lay together",
          "together",
          () => {
            melds = grouped(melds, sorted(chosen, "rank", "rummy"));
            chosen = [];
            draw();
          },
          { disabled: chosen.length < 3 },
        ),
        button(
          "Start over",
          "over",
          () => {
            melds = [];
            chosen = [];
            draw();
          },
          { disabled: !melds.length },
        ),
        button(
          "Knock with these melds",
          "own",
          () => close(`knock ${discard} ${melds.map((meld) => sorted(meld, "suit", "rummy").join("")).join("/")}`),
          { disabled: !melds.length },
        ),
      ),
    );
  }

  draw();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function preview(kept, advice) {
  const melded = new Set(advice.melds.flat());
  const left = kept.filter((text) => !melded.has(text));
  return h(
    "div",
    { class: "melds" },
    advice.melds.map((meld) => row(meld, "rummy", { class: "meld" })),
    left.length > 0 && row(left, "rummy", { class: "deadwood" }),
    h("p", { class: "soft" }, left.length ? `Deadwood ${advice.deadwood}` : "No deadwood: gin"),
  );
}
