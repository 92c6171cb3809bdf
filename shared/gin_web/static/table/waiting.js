// A table that waits: copies the link, and turns into the table of the match when the last seat is taken.
import { listen } from "../events.js";
import { get } from "./api.js";

const SECONDS = 2;
const SLOW_SECONDS = 15; // while somebody tells when to look
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

let looked = 0;
const { account } = root.dataset;
const events = account ? listen([`player:${account}`], look, { onReset: look }) : null;

async function look() {
  if (document.hidden || root.dataset.state !== "waiting") return;
  looked = performance.now();
  try {
    const table = await get(`/api/v1/tables/${root.dataset.table}`);
    if (table.state !== root.dataset.state || String(table.players.length) !== root.dataset.players) location.reload();
  } catch {
    // The network is away for a moment; the next round tries again.
  }
}

setInterval(() => performance.now() - looked > (events?.connected ? SLOW_SECONDS : SECONDS) * 1000 && look(), 1000);
