// What the page says: to the ear, in words when something went wrong, and in the title when it is your turn.
import { button, fill, h } from "./dom.js";

const said = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
const trouble = h("div", { class: "trouble", role: "alert" });
let name = document.title;

export function place(root) {
  root.append(said, trouble);
  name = document.title;
}

/** Tells screen readers what happened. */
export function say(text) {
  if (text) said.textContent = text;
}

/** Shows what went wrong until it is put away or settled. */
export function complain(text) {
  fill(trouble, h("p", {}, text), button("Close", "trouble", () => settle(), { class: "quiet" }));
}

export function settle() {
  fill(trouble);
}

/** Title and icon of the tab tell whose turn it is. */
export function callTurn(yours) {
  document.title = yours ? `● Your turn – ${name}` : name;
  const icon = document.querySelector("link[rel=icon]");
  const wanted = icon?.href.replace(/icon(-turn)?\.svg/, yours ? "icon-turn.svg" : "icon.svg");
  if (icon && icon.href !== wanted) icon.href = wanted;
}
