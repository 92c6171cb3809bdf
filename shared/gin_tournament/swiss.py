"""Swiss pairing: the public entry point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gin_tournament.model import Bye, Pairing


class Reason(Enum):
    """Why a round cannot be paired as asked."""

    TOO_FEW_ENTRANTS = "too_few_entrants"
    NO_LEGAL_PAIRING = "no_legal_pairing"
    NO_ELIGIBLE_BYE = "no_eligible_bye"


class Choice(Enum):
    """What the organiser may decide when no legal pairing exists."""

    ALLOW_REMATCH = "allow_rematch"
    ALLOW_SECOND_BYE = "allow_second_bye"
    LIFT_FORBIDDEN_PAIRS = "lift_forbidden_pairs"
    END_EARLY = "end_early"


@dataclass(frozen=True, slots=True)
class Paired:
    """A complete round: `pairings` in table order (table 1 first), `bye` where the field was odd, and
    the concessions out of `allow` that were really needed."""

    pairings: tuple[Pairing, ...]
    bye: Bye | None
    conceded: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class CannotPair:
    """No legal pairing exists. Each of `choices` on its own helps, unless `together` is set: then only
    all of them at once do. `END_EARLY` always stands last and always works."""

    reason: Reason
    choices: tuple[Choice, ...]
    together: bool = False
