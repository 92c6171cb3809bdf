// What a reader prefers, kept in this browser.

const DEFAULTS = { deck: "two", sort: "suit", keys: true, melds: false, course: false };
const NAME = "ginhall-table";

/** Values of DEFAULTS, as last chosen. A browser that keeps nothing gets the defaults. */
export function preferences() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function prefer(changes) {
  const now = { ...preferences(), ...changes };
  keep(localStorage, NAME, now);
  apply(now);
  return now;
}

/** Makes the style sheets see the choice. */
export function apply(now = preferences()) {
  document.documentElement.dataset.deck = now.deck;
}

const MATCHES = "ginhall-matches";
const MOST_KEPT = 60;

/** Something of one match that outlives closing the page, such as the order of the own cards. */
export function recall(name, otherwise) {
  return stored()[name] ?? otherwise;
}

/** Keeps it; what was kept longest ago makes room. */
export function remember(name, value) {
  const { [name]: _, ...others } = stored();
  const newest = Object.entries(others).slice(1 - MOST_KEPT);
  keep(localStorage, MATCHES, { ...Object.fromEntries(newest), [name]: value });
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(MATCHES)) ?? {};
  } catch {
    return {};
  }
}

function keep(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or switched off: the choice holds until the page is closed.
  }
}
