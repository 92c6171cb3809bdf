"""A receiver of Ginhall's webhooks: Python and `pip install standardwebhooks`. Copy it and change `on_event`.

    GINHALL_WEBHOOK_SECRET=whsec_… python webhook_receiver.py [PORT]

It believes only what is signed with the secret, and does nothing twice for one event. The house waits 15 seconds for an
answer: what takes longer belongs into a queue. Put it behind a server that speaks HTTPS; docs/webhooks.md has the rest.
"""

import json
import os
import sys
import threading
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

LARGEST_BODY = 1 << 20
REMEMBERED = 100_000  # ids of events; a program that must never forget keeps them in its database


def on_event(event):
    """What you do with an event; `event["data"]["urls"]` says where to look."""
    sys.stdout.write(f"{event['timestamp']} {event['type']} {json.dumps(event['data'])}\n")
    sys.stdout.flush()


class Receiver(ThreadingHTTPServer):
    """Hands each event to `on_event` once. `secret` is what the house showed when the webhook was made."""

    def __init__(self, address, secret, on_event=on_event):
        super().__init__(address, Handler)
        self.signer, self.on_event = Webhook(secret), on_event
        self._seen, self._one_at_a_time = OrderedDict(), threading.Lock()

    def take(self, event_id, event):
        """Does what is to be done for an event, unless it was done before. Where that fails the house tries again."""
        with self._one_at_a_time:
            if event_id not in self._seen:
                self.on_event(event)
                self._seen[event_id] = True
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > LARGEST_BODY:
            return self.answer(413)
        body = self.rfile.read(length)  # as it came: parsed and written again it would not fit its signature
        try:
            event = self.server.signer.verify(body, dict(self.headers))
        except WebhookVerificationError:
            return self.answer(401)
        self.server.take(self.headers["webhook-id"], event)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Quiet: what arrives is told by `on_event`."""


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    with Receiver(("127.0.0.1", port), os.environ["GINHALL_WEBHOOK_SECRET"]) as receiver:
        receiver.serve_forever()


if __name__ == "__main__":
    main()
