"""Clocks run out."""

from __future__ import annotations

from gin_engine.domain.clocks import silent_action
from gin_engine.domain.match import Match, MatchId
from gin_engine.domain.play import Progress, bot_is_to_act
from gin_engine.domain.results import forfeited, was_present
from gin_engine.domain.tasks import REPLY
from gin_engine.store import clocks, matches
from gin_engine.store.states import state_or_none
from gin_engine.use_cases.finish_matches import Ended, end_where_they_stand, record_progress
from gin_rules.game import game_named
from gin_servicekit.database import Transaction

MATCHES_PER_TRANSACTION = 50
OUT_OF_TIME = "ran out of time"


def expire_clocks(tx: Transaction) -> int:
    """Looks at the clocks; whoever has used theirs up loses the match. Tells in how many matches that was so.

    Where the rules say what silence means, play goes on with that, and the bank stays empty.
    """
    clocks.look(tx)
    ended: list[Ended] = []
    silent: list[tuple[Match, Progress]] = []
    used_up = clocks.claim_used_up(tx, MATCHES_PER_TRANSACTION)
    for match in used_up:
        game, state = game_named(match.game), state_or_none(tx, match)
        seat = None if state is None else game.to_act(state)
        if seat is None:
            clocks.stop(tx, match.match_id)  # its deadline ends it
            continue
        action = silent_action(game, state)
        if action is None:
            ended.append(Ended(match, forfeited(match, state, seat, present=was_present(match, seat)), state))
            continue
        after = game.apply(state, action)
        clocks.set_bank(tx, match.match_id, seat, 0)
        silent.append((match, Progress(after, [action], [seat])))
        if bot_is_to_act(match, after):
            tx.kick(REPLY)
    end_where_they_stand(tx, ended)
    matches.note_reason(tx, {MatchId(end.match.match_id): OUT_OF_TIME for end in ended})
    record_progress(tx, silent)
    return len(used_up)
