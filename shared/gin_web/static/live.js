// Keeps the part of the page marked data-live current while something is being played.
// Without JavaScript the page is complete and a reload does the same.
const SECONDS = 2;

async function refresh() {
  const live = document.querySelector("[data-live]");
  if (!live || document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-part]");
    const shown = document.querySelector("[data-part]");
    if (fresh.innerHTML === shown.innerHTML) return;
    const open = new Set([...shown.querySelectorAll("details")].filter((d) => d.open).map((d) => d.id));
    const closed = new Set([...shown.querySelectorAll("details")].filter((d) => !d.open).map((d) => d.id));
    shown.replaceWith(fresh);
    for (const d of fresh.querySelectorAll("details")) {
      if (open.has(d.id)) d.open = true;
      if (closed.has(d.id)) d.open = false;
    }
  } catch {
    // The network is away for a moment; the next round tries again.
  }
}

setInterval(refresh, SECONDS * 1000);
