// A form is sent once: a second click while the answer is on its way does nothing.
const WAIT = 10000; // after that nobody knows whether an answer is still to come

let sent = new WeakMap();

addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (performance.now() - (sent.get(form) ?? -Infinity) < WAIT) event.preventDefault();
  else sent.set(form, performance.now());
});

// The back button brings the page as it was, and its forms may be sent again.
addEventListener("pageshow", () => {
  sent = new WeakMap();
});
