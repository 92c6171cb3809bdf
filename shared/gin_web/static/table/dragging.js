// Dragging cards with mouse, pen or finger. A press that hardly moves stays a click.

const STARTS_AT_PX = 7;

/**
 * Lets the elements that match `selector` inside `root` be dragged.
 * `over(card, x, y)` is told where the pointer is, `drop(card, target, x, y)` what element it was let go over;
 * `may()` tells whether dragging is allowed now.
 */
export function draggable(root, selector, { may = () => true, over = () => {}, drop, done = () => {} }) {
  let held = null;

  root.addEventListener("pointerdown", (event) => {
    const element = event.target.closest(selector);
    if (!element || event.button !== 0 || !may()) return;
    held = { card: element.dataset.card, id: event.pointerId, x: event.clientX, y: event.clientY, moving: false };
  });

  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) >= STARTS_AT_PX;
    if (!held.moving && !far) return;
    held.moving = true;
    document.body.classList.add("dragging");
    over(held.card, event.clientX, event.clientY);
    follow(root, held, event);
  });

  addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { card, moving } = held;
    release(root);
    if (!moving) return;
    // The click that follows belongs to the drag. It comes before any timer.
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    drop(card, document.elementFromPoint(event.clientX, event.clientY), event.clientX, event.clientY);
    done();
  });

  addEventListener("pointercancel", () => {
    if (!held) return;
    release(root);
    done();
  });

  function release(within) {
    held = null;
    document.body.classList.remove("dragging");
    for (const element of within.querySelectorAll(".dragged")) {
      element.classList.remove("dragged");
      element.style.removeProperty("transform");
    }
  }

  return { active: () => held?.moving ?? false };
}

function follow(root, held, event) {
  const element = root.querySelector(`[data-card="${CSS.escape(held.card)}"]`);
  if (!element) return;
  element.classList.add("dragged");
  element.style.transform = "none";
  const box = element.getBoundingClientRect();
  element.style.transform = `translate(${event.clientX - box.left - box.width / 2}px, ${event.clientY - box.top - box.height / 2}px) rotate(2deg)`;
}

/** The place among `elements` (in reading order, maybe in rows) to which a card let go at x, y belongs. */
export function placeAt(elements, x, y) {
  const boxes = [...elements].map((element) => element.getBoundingClientRect());
  let best = { distance: Infinity, place: 0 };
  boxes.forEach((box, at) => {
    const distance = Math.hypot(x - (box.left + box.width / 2), 2 * (y - (box.top + box.height / 2)));
    if (distance < best.distance) best = { distance, place: x > box.left + box.width / 2 ? at + 1 : at };
  });
  return best.place;
}
