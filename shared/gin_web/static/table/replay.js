// A finished match step by step, all cards open. Where it stands is in the address, so that a link shows the same.
import { get } from "./api.js";
import { back, face } from "./card_drawing.js";
import { sorted } from "./cards.js";
import { button, fill, h } from "./dom.js";
import { glide, places } from "./motion.js";
import * as notices from "./notices.js";
import { apply } from "./preferences.js";
import * as rummy from "./rummy_phrases.js";
import { explained } from "./score_panel.js";
import { layout } from "./showdown.js";
import { verify } from "./verification.js";
import * as word from "./word_phrases.js";
import { wordsShown } from "./words_shown.js";

const root = document.getElementById("replay");
const { match, game } = root.dataset;
const path = `/api/v1/matches/${match}`;
const [stock, pile] = game === "word" ? ["Deck", "Up card"] : ["Stock", "Discards"]; // as at the table
const hands = new Map();
const table = h("section", { class: "felt", "aria-label": "Table" });
const controls = h("nav", { class: "controls", "aria-label": "Steps" });
const proof = h("section", { class: "sheet proof", "aria-label": "Verify this deal" });
let detail = null;
let at = { hand: 1, step: 0 };

const name = (seat) => detail.seats[seat]?.name ?? `Seat ${seat + 1}`;

apply();
notices.place(root);
fill(root.querySelector(".stage"), controls, table, proof);
start().catch((wrong) => notices.complain(wrong.message));

async function start() {
  detail = await get(path);
  const asked = new URLSearchParams(location.search);
  drawProof();
  await go(Number(asked.get("hand")) || 1, Number(asked.get("step")) || 0);
  document.addEventListener("keydown", key);
}

async function handOf(number) {
  if (!hands.has(number)) hands.set(number, await get(`${path}/hands/${number}`));
  return hands.get(number);
}

async function go(number, step) {
  try {
    const hand = await handOf(Math.max(1, number));
    at = {
      hand: hand.number,
      step: Math.max(0, Math.min(step < 0 ? hand.steps.length - 1 : step, hand.steps.length - 1)),
    };
    history.replaceState(null, "", `?hand=${at.hand}&step=${at.step}`);
    draw(hand);
  } catch (wrong) {
    notices.complain(wrong.message);
  }
}

function draw(hand) {
  const before = places(table);
  const step = hand.steps[at.step];
  const view = step.view;
  const last = at.step === hand.steps.length - 1;
  const ended = last && view.phase === "over" && hand.result !== null;
  const laid = ended && (hand.result.settlement ?? hand.result.shown);
  const players = view.players ?? detail.seats.map((seat) => seat.seat);
  const told = step.action
    ? (game === "word" ? word : rummy).happened(step.action, name(step.seat))
    : `Hand ${hand.number}: ${name(players[view.dealer] ?? view.dealer)} deals`;
  const dealer = game === "word" ? view.dealer : players[view.dealer];
  fill(
    table,
    !laid && players.map((seat) => player(step, hand.steps[at.step - 1], seat, dealer)),
    !laid &&
      h(
        "div",
        { class: "middle" },
        h(
          "figure",
          { class: "pile", "data-place": "stock" },
          back({ label: `${stock}, ${view.stock_size} cards` }),
          h("figcaption", {}, `${stock} · ${view.stock_size}`),
        ),
        h(
          "figure",
          { class: "pile", "data-place": "pile" },
          top(view) ? face(top(view), game) : h("span", { class: "card empty" }),
          h("figcaption", {}, `${pile} · ${view.pile_size}`),
        ),
      ),
    view.shown &&
      game === "word" &&
      !ended &&
      h(
        "div",
        { class: "shown-hands" },
        view.shown.map((shown, seat) => shown && wordsShown(name(seat), shown, points, { heading: "h2" })),
      ),
    h("p", { class: "status" }, h("span", { class: "now" }, told)),
    ended &&
      h(
        "div",
        { class: "showdown" },
        h("h2", {}, (game === "word" ? word : rummy).ending(hand.result, hand.sheet, name)),
        game === "rummy" && hand.result.settlement && layout(hand.result, name),
        game === "word" &&
          hand.result.shown &&
          h(
            "div",
            { class: "layout" },
            hand.result.shown.map((shown, seat) => wordsShown(name(seat), shown, points)),
          ),
        explained(hand.sheet, name),
      ),
  );
  glide(table, before, () => "stock");
  drawControls(hand);
  notices.say(told);
}

const top = (view) => (game === "word" ? view.upcard : view.top_discard);

const points = (text) => detail.rules.letter_points?.[text[0].toLowerCase()];

function player(step, before, seat, dealer) {
  const acting = step.seat === seat;
  const had = before?.hands[seat] ?? step.hands[seat];
  const drawn = (text) => step.hands[seat].length > had.length && !had.includes(text);
  return h(
    "div",
    { class: "open-hand" },
    h(
      "p",
      { class: `player${acting ? " to-act" : ""}` },
      h("span", { class: "named" }, name(seat), seat === dealer && h("span", { class: "tag" }, "dealer")),
    ),
    h(
      "div",
      { class: "hand", role: "group", "aria-label": `Cards of ${name(seat)}` },
      sorted(step.hands[seat], "suit", game).map((text) =>
        face(text, game, {
          points: game === "word" ? points(text) : undefined,
          class: drawn(text) ? "drawn" : "",
        }),
      ),
    ),
  );
}

function drawControls(hand) {
  const steps = hand.steps.length - 1;
  const to = (label, sign, number, step, key, disabled) =>
    button(sign, key, () => go(number, step), { "aria-label": label, title: label, disabled });
  fill(
    controls,
    to("Hand before", "«", at.hand - 1, 0, "hand-before", at.hand <= 1),
    to("Step back", "‹", at.hand, at.step - 1 < 0 ? 0 : at.step - 1, "back", at.step === 0),
    h(
      "label",
      { class: "slide" },
      h("span", { class: "unseen" }, "Step"),
      h("input", {
        type: "range",
        min: 0,
        max: steps,
        value: at.step,
        "data-key": "slide",
        oninput: (event) => go(at.hand, Number(event.target.value)),
      }),
    ),
    to("Step on", "›", at.hand, at.step + 1, "on", at.step === steps),
    to("Next hand", "»", at.hand + 1, 0, "hand-on", at.hand >= hand.hands),
    h(
      "div",
      { class: "below" },
      h(
        "span",
        { class: "soft where" },
        hand.hands > 1 ? handChoice(hand.hands) : "Hand 1",
        ` of ${hand.hands} · step ${at.step} of ${steps}`,
      ),
      navigator.clipboard && button("Copy a link to this step", "share", share),
    ),
  );
}

/** Any hand of the match at once. */
function handChoice(hands) {
  return h(
    "select",
    { "aria-label": "Hand", "data-key": "hand", onchange: (event) => go(Number(event.target.value), 0) },
    Array.from({ length: hands }, (_, number) =>
      h("option", { value: number + 1, selected: number + 1 === at.hand }, `Hand ${number + 1}`),
    ),
  );
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    controls.querySelector("[data-key=share]").textContent = "Copied";
    notices.say("The link is copied");
  } catch {
    notices.complain(`The link to this step: ${location.href}`);
  }
}

function key(event) {
  if (event.target.closest?.("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const hand = hands.get(at.hand);
  const to = {
    ArrowLeft: [at.hand, Math.max(0, at.step - 1)],
    ArrowRight: [at.hand, at.step + 1],
    Home: [at.hand, 0],
    End: [at.hand, -1],
    PageUp: [at.hand - 1, 0],
    PageDown: [at.hand + 1, 0],
  }[event.key];
  if (!to || to[0] < 1 || to[0] > hand.hands) return;
  event.preventDefault();
  go(...to);
}

function drawProof(checks = null) {
  const failed = checks?.filter((check) => !check.ok) ?? [];
  fill(
    proof,
    h("h2", {}, "Verify this deal"),
    h(
      "p",
      {},
      "Before the first card the hall published a commitment to its shuffle. Your browser can deal every hand again from the revealed seed and compare.",
    ),
    button(checks ? "Verify again" : "Verify in this browser", "verify", () => prove(), { class: "primary" }),
    checks &&
      h(
        "p",
        { class: `verdict ${failed.length ? "bad" : "good"}`, role: "status" },
        failed.length
          ? `Not right: ${failed.map((check) => check.what.toLowerCase()).join(", ")}.`
          : `Everything follows: ${checks.length} checks.`,
      ),
    checks &&
      h(
        "ul",
        { class: "checks" },
        checks.map((check) =>
          h(
            "li",
            { class: check.ok ? "good" : "bad" },
            h("strong", {}, `${check.ok ? "✓" : "✗"} ${check.what}`),
            " ",
            h("span", { class: "soft" }, check.detail),
          ),
        ),
      ),
    h(
      "p",
      { class: "soft" },
      h("a", { href: `${path}/record` }, "The record"),
      " – check it yourself: ",
      h("code", {}, "python -m gin_rules record.json"),
    ),
  );
}

/** The seal that was published when the match ended; null for a match from before seals were published. */
async function publishedSeal() {
  try {
    return (await get(`${path}/seal`)).seal;
  } catch (wrong) {
    if (wrong.slug === "never-sealed") return null;
    throw wrong;
  }
}

async function prove() {
  if (!crypto.subtle)
    return notices.complain(
      "Your browser checks deals only on pages that come by HTTPS or from its own machine. The record can be checked elsewhere.",
    );
  try {
    const record = await get(`${path}/record`);
    const first = [];
    // In Word Gin later hands come from what is left of the deck; only the first is dealt from its top.
    const numbers = game === "word" ? [1] : [...new Set(record.scores.map((score) => score.hand))];
    for (const number of numbers) {
      const {
        steps: [deal],
      } = await handOf(number);
      const players = deal.view.players ?? record.seats.map((_, seat) => seat);
      first.push({
        number,
        dealer: deal.view.players ? deal.view.players[deal.view.dealer] : deal.view.dealer,
        players,
        hands: deal.hands,
      });
    }
    drawProof(await verify(record, first, await publishedSeal()));
  } catch (wrong) {
    notices.complain(wrong.message);
  }
}
