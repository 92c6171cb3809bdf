"""A bot for Ginhall in a hundred lines: Python alone, nothing to install. Copy it and change `choose`.

    GINHALL_TOKEN=… python bot.py http://127.0.0.1:8080 [TOURNAMENT_ID]

The token is that of a bot player, with the scopes play and tournament:write (docs/bots.md). With a tournament's id the
bot enters it, checks in, and ends with it; without one it plays whatever its player is called to.
"""

import base64
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


class Refused(Exception):
    """The server said no: `status`, and its problem document."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem.get('detail', problem)}")
        self.status, self.problem = status, problem


class Server:
    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/"), token

    def __call__(self, method, path, body=None):
        """One request, repeated while the server is away: with the same key it counts once."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310
        pause = 0.5
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 502, 503, 504):
                    text = error.read()
                    raise Refused(error.code, json.loads(text) if text[:1] == b"{" else {}) from error
            except OSError as error:
                sys.stderr.write(f"no answer ({error}), trying again\n")
            time.sleep(pause)
            pause = min(pause * 2, 30)


def choose(view, legal_actions):
    """The move. `view` is what this seat sees; every text of `legal_actions` may be played."""
    ends = [action for action in legal_actions if action.startswith(("knock", "big_gin"))]
    if ends:
        return ends[-1]
    if view["phase"] != "discard":  # draw: never from the pile, this bot is a plain one
        return next((action for action in ("pass", "draw") if action in legal_actions), legal_actions[0])
    melds = (view["advice"] or {"melds": []})["melds"]
    kept = {card for meld in melds for card in meld}
    loose = [action for action in legal_actions if action.split()[1] not in kept]
    return max(loose or legal_actions, key=lambda action: "A23456789TJQK".index(action.split()[1][0]))


def play(server, match_id):
    """Act in one match until it is somebody else's turn."""
    seat = server("GET", f"/api/v1/matches/{match_id}/seat")
    while seat["state"] == "playing" and seat["to_act"] == seat["seat"]:
        action = {"action": choose(seat["view"], seat["legal_actions"]), "action_count": seat["action_count"]}
        try:
            seat = server("POST", f"/api/v1/matches/{match_id}/actions", action)
        except Refused as refused:
            if refused.status != 409:  # 409: the match went on without us, a clock ran out; look again next time
                raise
            return


def enter(server, path, me):
    """Enter the tournament, unless an earlier run of this program has."""
    try:
        server("POST", f"{path}/entrants", {"player_id": me})
    except Refused as refused:
        if not refused.problem.get("type", "").endswith(":already-entered"):
            raise


def main(url, tournament=None):
    token = os.environ["GINHALL_TOKEN"]
    server = Server(url, token)
    payload = token.split(".")[1]
    me = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["sub"]
    path = f"/api/v1/tournaments/{tournament}"
    if tournament:
        enter(server, path, me)
    checked_in = False
    while True:
        state = server("GET", path)["state"] if tournament else "running"
        if state in ("finished", "cancelled"):
            return
        if state == "check_in" and not checked_in:
            server("POST", f"{path}/entrants/{me}/check-in", {})
            checked_in = True
        for match in server("GET", f"/api/v1/matches?player_id={me}&state=playing&limit=100")["matches"]:
            play(server, match["match_id"])
        time.sleep(0.5)  # or wait for GET /live/v1/events?topic=player:{me}&topic=seat:{me}


if __name__ == "__main__":
    main(*sys.argv[1:3])
