// What a reader prefers, kept in this browser.

const DEFAULTS = { deck: "two", sort: "suit", keys: true, melds: false };
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

/** Something of one match that outlives a reload of the page. */
export const recall = (name, otherwise) => {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

export const remember = (name, value) => keep(sessionStorage, name, value);

function keep(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or switched off: the choice holds until the page is closed.
  }
}
