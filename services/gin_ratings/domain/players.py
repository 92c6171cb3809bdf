"""How players are named in ledgers and addresses."""

from __future__ import annotations

import re

PLAYER_ID = re.compile(r"[!-~]{1,100}")  # printable ASCII without blanks
