// Building and updating the page. Text always goes in as text, never as markup.

/** An element. Attributes: `class`, `data-…`, `aria-…`, booleans, and `onclick` and the like as functions. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts new children into `parent`; what had the focus keeps it, by its `data-key`. */
export function fill(parent, ...children) {
  const held = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (held) parent.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

/** A button; `key` keeps its focus over updates. */
export function button(label, key, onclick, attributes = {}) {
  return h("button", { type: "button", "data-key": key, onclick, ...attributes }, label);
}
