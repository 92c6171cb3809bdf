// Makes `shown` equal to `fresh` by changing as little as can be: nodes that are the same stay, and with them focus,
// scrolling and selection. A <details> stays as its reader left it. Elements with an id are told apart by it.
export function morph(shown, fresh) {
  copyAttributes(shown, fresh);
  const wanted = [...fresh.childNodes];
  let at = shown.firstChild;
  for (const node of wanted) {
    const match = find(at, node);
    if (!match) {
      shown.insertBefore(document.importNode(node, true), at);
      continue;
    }
    while (at !== match) at = drop(at);
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (!match.isEqualNode(node)) morph(match, node);
    } else if (match.data !== node.data) {
      match.data = node.data;
    }
    at = match.nextSibling;
  }
  while (at) at = drop(at);
}

// The next sibling that stands for the same thing. One with an id may lie further on: what is before it has gone.
function find(at, node) {
  for (let other = at; other; other = other.nextSibling) {
    const same = other.nodeName === node.nodeName && (other.id ?? "") === (node.id ?? "");
    if (same) return other;
    if (!node.id && other.nodeType === Node.ELEMENT_NODE) return null;
  }
  return null;
}

function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function copyAttributes(shown, fresh) {
  for (const { name } of [...shown.attributes]) {
    if (!fresh.hasAttribute(name) && !isReaders(shown, name)) shown.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (shown.getAttribute(name) !== value && !isReaders(shown, name)) shown.setAttribute(name, value);
  }
}

function isReaders(element, attribute) {
  return attribute === "open" && element.nodeName === "DETAILS";
}
