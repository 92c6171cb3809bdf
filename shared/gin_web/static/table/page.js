// The page of a table: brings together the match, its game's table, the score and what surrounds them.
import { listen } from "../events.js";
import { tick } from "./clocks.js";
import { button, fill, h } from "./dom.js";
import * as notices from "./notices.js";
import { apply, prefer, preferences } from "./preferences.js";
import { RummyTable } from "./rummy_table.js";
import { rulesInWords } from "./rules_shown.js";
import { drawScores, number } from "./score_panel.js";
import { Seat } from "./seat.js";
import { WordTable } from "./word_table.js";

const root = document.getElementById("table");
const own = root.dataset.seat === "" ? null : Number(root.dataset.seat);
const seat = new Seat(root.dataset.match, own, update, (text) => (text ? notices.complain(text) : notices.settle()));
const names = (number) => (number === own ? "You" : (seat.now.detail?.seats[number]?.name ?? `Seat ${number + 1}`));
let told = null; // the result that was said
let courseTold = null; // the moves that are listed
const table = root.dataset.game === "word" ? new WordTable(seat, names) : new RummyTable(seat, names);
const scores = h("section", { class: "scores sheet", "aria-label": "Score" });
const over = h("section", { class: "felt match-over", hidden: true, "aria-label": "Result" });
const course = h("section", { class: "course sheet", hidden: true, "aria-label": "This hand" });
const extras = h("section", { class: "extras sheet", "aria-label": "Options" });

apply();
notices.place(root);
fill(root.querySelector(".stage"), over, table.element);
fill(root.querySelector(".aside"), scores, course, extras);
table.onover = () => {
  drawOver(seat.now);
  drawCourse();
};
document.addEventListener("keydown", key);
setInterval(() => tick(notices.say), 200);
drawExtras();
seat.start();
// Whoever looks on may be called to a table of their own, and whoever plays to another one.
const { account } = document.body.dataset;
const call = account ? await import("../call.js") : null;
const moves = own === null ? `table:${root.dataset.match}` : `seat:${account}`;
const topics = [moves, account && `player:${account}`].filter(Boolean);
const events = listen(
  topics,
  (told) => {
    call?.heard(told);
    if ((told.data.match_id ?? root.dataset.match) !== root.dataset.match) return;
    if (told.event === "seen") seat.see(told.data);
    else seat.hint(told.event === "moved" ? told.data.action_count : null);
  },
  { onReset: () => seat.hint() },
);
seat.hears = () => events.connected;

function update(now, before) {
  if (!now.detail) return;
  if (!seat.view)
    return fill(
      root.querySelector(".stage"),
      h("p", { class: "sheet empty" }, "What is played here is shown later, so that it helps nobody."),
    );
  if (!table.element.isConnected) fill(root.querySelector(".stage"), over, table.element);
  root.classList.toggle("offline", now.offline);
  root.setAttribute("aria-busy", String(now.sending));
  table.update(now, before);
  drawScores(scores, now, names, [target(now), ...rulesInWords(root.dataset.game, now.detail.rules)].join(" · "));
  drawOver(now);
  drawCourse();
  // Who asked for a rematch waits for it: it begins with a new table.
  const agreed = before.seat?.rematch && !before.seat.rematch.match_id && now.seat?.rematch?.match_id;
  if (agreed && before.seat.rematch.asked_by.includes(root.dataset.account)) location.assign(`/tables/${agreed}`);
  if (before.detail?.state !== now.detail.state || before.seat?.rematch !== now.seat?.rematch) drawExtras();
  notices.callTurn(own !== null && now.detail.state === "playing" && now.seat?.to_act === own);
}

function target({ detail, seat: ownSeat }) {
  const { rules } = detail;
  if (rules.fixed_hands) return `${rules.fixed_hands} hands`;
  const points = (ownSeat?.view ?? detail.view)?.target ?? rules.target;
  return `First to ${points}${rules.win_margin ? `, ${rules.win_margin} ahead` : ""}`;
}

function drawCourse() {
  const { moves, note } = table.settledDown && !seat.over ? table.course() : { moves: [], note: null };
  course.hidden = !moves.length;
  const told = moves.join("\n");
  if (told === courseTold) return;
  courseTold = told;
  const before = course.querySelector("ol");
  const [top, height] = before ? [before.scrollTop, before.scrollHeight] : [0, 0];
  fill(
    course,
    h(
      "details",
      { open: preferences().course, ontoggle: (event) => prefer({ course: event.target.open }) },
      h("summary", { "data-key": "course" }, "This hand, move by move"),
      h(
        "ol",
        { reversed: true, tabindex: "0", "data-key": "moves" },
        moves.reverse().map((move) => h("li", {}, move)),
      ),
      note && h("p", { class: "soft" }, note),
    ),
  );
  const list = course.querySelector("ol");
  if (top > 0) list.scrollTop = top + list.scrollHeight - height; // what is being read stays where it is
}

function drawOver(now) {
  const { detail } = now;
  over.hidden = detail.state === "playing" || !table.settledDown;
  table.element.hidden = !over.hidden;
  if (over.hidden) return;
  const won = detail.seats.filter((one) => one.place === 1).map((one) => names(one.seat));
  const verb = won.includes("You") || won.length > 1 ? "win" : "wins";
  const void_ = detail.state === "cancelled";
  const title = void_
    ? "The match does not count"
    : won.length === 1
      ? `${won[0]} ${verb} the match`
      : won.length
        ? `${won.join(" and ")} ${partners(detail) ? "win" : "share"} the match`
        : "Nobody wins the match";
  const result = [title, why(detail)].filter(Boolean).join(". ");
  if (told !== result) notices.say((told = result));
  fill(
    over,
    h("h2", {}, title),
    why(detail) && h("p", { class: "soft" }, why(detail)),
    h(
      "ol",
      { class: "result" },
      [...detail.seats]
        .sort((a, b) => a.place - b.place || b.score - a.score)
        .map((one) =>
          h(
            "li",
            { value: one.place ?? 1 },
            h("span", {}, names(one.seat)),
            " ",
            h("strong", {}, number(one.score ?? 0)),
          ),
        ),
    ),
    h(
      "div",
      { class: "actions" },
      own !== null && !detail.tournament_id && rematch(now),
      h("a", { class: "button", href: `/replays/${root.dataset.match}` }, "Look at the hands again"),
      h(
        "a",
        { class: "button", href: detail.tournament_id ? `/tournaments/${detail.tournament_id}` : "/play" },
        detail.tournament_id ? "Back to the tournament" : "Other tables",
      ),
    ),
    own !== null && "guest" in document.body.dataset && keepGames(),
  );
}

function keepGames() {
  const next = encodeURIComponent(location.pathname);
  return h("p", {}, h("a", { href: `/sign-up?next=${next}` }, "Sign up"), " to keep this match and all your others.");
}

/** Why a match ended before it was played out: `Robin ran out of time.` */
function why(detail) {
  const last = [...detail.seats].sort((a, b) => b.place - a.place)[0];
  switch (detail.ending) {
    case "forfeit":
      return `${names(last.seat)} ${detail.reason ?? "was too slow"}.`;
    case "no_show":
      return `${names(last.seat)} never came.`;
    case "double_forfeit":
      return "Nobody came in time.";
    default:
      return detail.reason;
  }
}

function partners(detail) {
  return detail.rules.seating === "pairs4";
}

function rematch(now) {
  const asked = now.seat?.rematch;
  if (asked?.match_id) return h("a", { class: "button primary", href: `/tables/${asked.match_id}` }, "To the rematch");
  const waits = asked?.asked_by.includes(root.dataset.account);
  return button(
    waits ? "Waiting for the others" : asked ? "Agree to a rematch" : "Rematch",
    "rematch",
    async () => {
      const found = await seat.rematch();
      if (found?.match_id) location.assign(`/tables/${found.match_id}`);
      else if (found) seat.refresh();
    },
    { class: "primary", disabled: Boolean(waits) },
  );
}

function drawExtras() {
  const now = preferences();
  const check = (key, label, checked, onchange) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", checked, onchange, "data-key": key }), " ", label);
  const playing = own !== null && seat.now.detail?.state === "playing";
  const tournament = seat.now.detail?.tournament_id;
  fill(
    extras,
    h(
      "details",
      { open: extras.querySelector("details")?.open },
      h("summary", {}, "Options"),
      root.dataset.game === "rummy" &&
        check("four", "Four-colour cards", now.deck === "four", (event) =>
          prefer({ deck: event.target.checked ? "four" : "two" }),
        ),
      own !== null && check("keys", "Letter keys", now.keys, (event) => prefer({ keys: event.target.checked })),
      own !== null &&
        h(
          "p",
          { class: "soft" },
          root.dataset.game === "rummy"
            ? "Keys: arrows and Enter choose a card, Shift with an arrow moves it. D draws or discards, T takes, P passes, K knocks, M shows melds, R and S sort, N goes on."
            : "Keys: arrows and Enter choose a card, Shift with an arrow moves it. D draws or discards, T takes, P passes, W makes a word of the chosen cards, N goes on.",
        ),
      h("p", {}, h("a", { href: root.dataset.game === "rummy" ? "/rules/gin-rummy" : "/rules/word-gin" }, "The rules")),
    ),
    playing && button("Resign", "resign", askResign, { class: "quiet danger" }),
    tournament &&
      h(
        "p",
        { class: "soft" },
        h("a", { href: `/tournaments/${tournament}` }, "The tournament"),
        endOf(seat.now.detail),
      ),
  );
}

/** When a match of a tournament has to be over, on the clock of who reads it. */
function endOf({ state, deadline_at: deadline }) {
  if (state !== "playing" || !deadline) return null;
  const when = new Date(deadline);
  const today = when.toDateString() === new Date().toDateString();
  const shown = when.toLocaleString([], { timeStyle: "short", ...(today ? {} : { dateStyle: "medium" }) });
  return [" · to be played by ", h("time", { datetime: deadline }, shown)];
}

function askResign() {
  const dialog = h(
    "dialog",
    { class: "ask", "aria-labelledby": "resign-title" },
    h("h2", { id: "resign-title" }, "Give up the match?"),
    h("p", {}, "Your opponents win. This cannot be taken back."),
    h(
      "div",
      { class: "actions" },
      button(
        "Resign",
        "yes",
        () => {
          dialog.close();
          seat.resign();
        },
        { class: "primary" },
      ),
      button("Play on", "no", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function key(event) {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || own === null || event.defaultPrevented) return;
  const enters = /^Arrow(Left|Right)$/.test(event.key) && !table.hand.element.contains(event.target);
  if (enters && table.hand.element.offsetParent) {
    event.preventDefault();
    return table.hand.enter(event.key);
  }
  if (event.repeat || !preferences().keys) return;
  if (event.key.length === 1 && table.key(event.key.toLowerCase())) event.preventDefault();
}
