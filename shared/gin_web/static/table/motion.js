// Cards glide from where they were to where they are. Nothing moves for readers who asked for less motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const MS = 220;

/** Where every card (or named place) lies now. */
export function places(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-card], [data-place]")) {
    found.set(element.dataset.place ?? element.dataset.card, element.getBoundingClientRect());
  }
  return found;
}

/** Moves the cards of `root` from their places `before`; new ones come from the place that `origin(card)` names. */
export function glide(root, before, origin = () => undefined) {
  if (still.matches || document.hidden) return;
  for (const element of root.querySelectorAll("[data-card]")) {
    const from = before.get(element.dataset.card) ?? before.get(origin(element.dataset.card));
    if (!from || element.classList.contains("dragged")) continue;
    const to = element.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MS, easing: "cubic-bezier(.2,.7,.3,1)" });
  }
}
