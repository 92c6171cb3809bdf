"""The lobby no longer wants matches."""

from __future__ import annotations

from collections.abc import Sequence

from gin_engine.domain.match import MatchId
from gin_engine.domain.results import void
from gin_engine.store import matches
from gin_engine.store.states import state_or_none
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand
from gin_messages.match import CancelMatch
from gin_servicekit.database import Transaction


def cancel_matches(tx: Transaction, requests: Sequence[CancelMatch]) -> None:
    """Makes undecided matches void; what is over stays as it is, and a match not yet opened will be void."""
    reasons = {request.match_id: request.reason for request in requests}
    matches.hold(tx, list(reasons))
    known = {match.match_id for match in matches.load(tx, list(reasons))}
    matches.remember_cancellations(tx, {id_: reason for id_, reason in reasons.items() if id_ not in known})
    undecided = matches.lock_playing(tx, list(reasons))
    end_where_they_stand(tx, [Ended(match, void(len(match.seats)), state_or_none(tx, match)) for match in undecided])
    matches.note_reason(tx, {MatchId(match.match_id): reasons[match.match_id] for match in undecided})
