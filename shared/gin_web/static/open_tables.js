// Tables that wait for somebody, on the front page; nothing is shown while nobody waits. Without JavaScript they stand
// on the page for playing.
import { get } from "./table/api.js";
import { fill, h } from "./table/dom.js";
import { unusual } from "./table/rules_shown.js";

const EVERY_MS = 10_000;
const SHOWN = 6;
const GAMES = { rummy: "Gin Rummy", word: "Word Gin" };
const place = document.getElementById("open-tables");
const { account } = document.body.dataset;

function row(table) {
  const about = [
    GAMES[table.game],
    `${table.players.length} of ${table.seats} seats taken`,
    table.clock ? `${table.clock.move_seconds} s a move` : "no clock",
    table.rated && "rated",
    ...unusual(table.game, table.rules),
  ];
  const own = account && table.players.some((player) => player.player_id === account);
  const path = `/tables/${encodeURIComponent(table.table_id)}`;
  return h(
    "li",
    { class: "sheet" },
    h("div", {}, h("strong", {}, table.host.name), " ", h("span", { class: "soft" }, about.filter(Boolean).join(", "))),
    own
      ? h("a", { class: "button", href: path, "data-key": table.table_id }, "Your table")
      : h(
          "form",
          { method: "post", action: `${path}/players` },
          h(
            "button",
            { class: "button", "data-key": table.table_id, "aria-label": `Sit down with ${table.host.name}` },
            "Sit down",
          ),
        ),
  );
}

async function look() {
  if (document.hidden) return;
  try {
    const { tables } = await get(`/api/v1/tables?limit=${SHOWN}`);
    fill(place.querySelector("ul"), tables.map(row));
    place.hidden = !tables.length;
  } catch {
    // The network is away for a moment; the next round tries again.
  }
}

look();
setInterval(look, EVERY_MS);
document.addEventListener("visibilitychange", look);
