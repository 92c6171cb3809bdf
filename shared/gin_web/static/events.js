// Live events: hints that something changed. Whoever hears one fetches what it shows; a hint may be lost, so also fetch
// slowly without any (see live.js for both). Only "seen" of "seat:…" is no hint: its data is what a seat sees.
//
//   const events = listen(["table:…", "player:…"], ({ event, topic, data }) => …, { onReset: () => … });
//
// It reconnects by itself and goes on where it stopped. onReset is called when hints may have been missed: fetch all anew.
// While the page is hidden nothing is heard, so that forgotten tabs cost nothing; when it is seen again onReset is called.
// events.connected tells whether hints can be expected now; events.close() ends it.
const NAMES = ["changed", "moved", "seen", "finished", "called", "noticed", "rematch", "table"];
const FIRST_WAIT = 2000;
const LONGEST_WAIT = 60000;
const SPREAD = 2000; // everybody hears a reset at once, and not all should ask at once

export function listen(topics, handler, { onReset = () => {} } = {}) {
  const address = "/live/v1/events?" + new URLSearchParams(topics.map((topic) => ["topic", topic]));
  let source = null;
  let timer = 0;
  let wait = FIRST_WAIT;
  let ended = false;
  let first = true;

  function open() {
    clearTimeout(timer);
    if (ended || source || document.hidden) return;
    source = new EventSource(address);
    source.onopen = () => {
      wait = FIRST_WAIT;
      // A new connection knows of nothing that came before it; one that the browser resumed by itself goes on.
      if (!first && source.isNew) onReset();
      source.isNew = first = false;
    };
    source.isNew = true;
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      leave();
      timer = setTimeout(open, wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
    for (const name of NAMES) {
      source.addEventListener(name, (message) => {
        const { topic, ...data } = JSON.parse(message.data);
        handler({ event: name, topic, data });
      });
    }
    source.addEventListener("reset", () => setTimeout(() => ended || onReset(), SPREAD * Math.random()));
  }

  function leave() {
    source?.close();
    source = null;
  }

  function onVisibility() {
    if (document.hidden) {
      clearTimeout(timer);
      leave();
    } else {
      open();
    }
  }

  document.addEventListener("visibilitychange", onVisibility);
  // A page that the browser keeps for "back" must not hold a connection.
  addEventListener("pagehide", leave);
  addEventListener("pageshow", open);
  open();

  return {
    get connected() {
      return source?.readyState === EventSource.OPEN;
    },
    close() {
      ended = true;
      clearTimeout(timer);
      leave();
      document.removeEventListener("visibilitychange", onVisibility);
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", open);
    },
  };
}
