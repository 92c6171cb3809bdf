// A table that waits: copies the link, and turns into the table of the match when the last seat is taken.
import { get } from "./api.js";

const SECONDS = 2;
const root = document.getElementById("waiting");
const link = document.getElementById("link");
const copy = document.getElementById("copy");

if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.value);
    copy.textContent = "Copied";
  });
}

async function look() {
  if (document.hidden || root.dataset.state !== "waiting") return;
  try {
    const table = await get(`/api/v1/tables/${root.dataset.table}`);
    if (table.state !== root.dataset.state || String(table.players.length) !== root.dataset.players) location.reload();
  } catch {
    // The network is away for a moment; the next round tries again.
  }
}

setInterval(look, SECONDS * 1000);
