"""The page of one tournament. It reads what REST reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from uuid import UUID

from flask import render_template

from gin_lobby.domain.fixed_deals import differences_of
from gin_lobby.domain.tournament import (
    EntrantState,
    MatchId,
    MatchRow,
    PairingId,
    PairingRow,
    PlayerId,
    TournamentState,
)
from gin_lobby.pages.pairing_lines import line_of
from gin_lobby.store import matches, rounds, tournaments
from gin_lobby.store import series as series_store
from gin_lobby.use_cases.challenges import challengeable
from gin_lobby.use_cases.participation import participation_of, table_of
from gin_lobby.use_cases.rights import directs, find
from gin_servicekit.auth import shown_visitor
from gin_servicekit.service import Service


def tournament_page(service: Service, tournament_id: str, refusal: str = "") -> str:
    """`refusal` is why what the visitor just tried could not be done. Raises NotFound."""
    visitor = shown_visitor()
    me = UUID(visitor.account_id) if visitor else None
    with service.transaction() as tx:
        t = find(tx, tournament_id)
        everyone = tournaments.entrants(tx, t.tournament_id)
        pairings = rounds.pairings(tx, t.tournament_id)
        series = matches.of_pairings(tx, [p.pairing_id for p in pairings if p.fixture.get("best_of", 1) > 1])
        tables = _tables(pairings, matches.of_pairings(tx, [p.pairing_id for p in pairings]))
        published = rounds.standings(tx, t.tournament_id, None)
        taking_part = participation_of(tx, t, me)
        may_direct = visitor is not None and directs(tx, visitor, t)
        series_id = series_store.series_of(tx, t.tournament_id)
        table = table_of(tx, t, me) if me else None
        may_challenge = challengeable(tx, t, everyone, pairings, PlayerId(me)) if me else frozenset()
    names = {e.player_id: e.name for e in everyone}
    gained = differences_of(t.played_as, pairings)
    lines = [line_of(p, series.get(p.pairing_id, []), names, gained.get(p.pairing_id)) for p in pairings]
    by_round = [(number, list(rows)) for number, rows in groupby(lines, key=lambda line: line.round_number)]
    current = by_round[-1][1] if by_round else []
    standings = json.loads(published.body) if published else None
    ranks = [(line["rank"], line["name"]) for line in standings["standings"]] if standings else []
    has_bracket = "elimination" in json.dumps(t.format)
    return render_template(
        "tournament.html",
        t=t,
        entrants=[e for e in everyone if e.state != EntrantState.WITHDRAWN],
        taken=sum(e.state == EntrantState.REGISTERED for e in everyone),
        rounds=by_round[::-1],
        matches=len(current),
        decided=sum(line.is_decided for line in current),
        standings=standings,
        winners=[name for rank, name in ranks if rank == 1] if t.state == TournamentState.FINISHED else [],
        # A knockout whose first round is on tells nobody apart yet.
        all_first=has_bracket and all(rank == 1 for rank, _ in ranks),
        taking_part=taking_part,
        table=table,
        may_challenge={str(player_id) for player_id in may_challenge},
        tables=tables,
        has_bracket=has_bracket,
        refusal=refusal,
        may_direct=may_direct,
        series_id=series_id,
    )


def _tables(
    pairings: Sequence[PairingRow], played: Mapping[PairingId, Sequence[MatchRow]]
) -> dict[tuple[int, int], MatchId]:
    """By round and table: the match that is played there, else the last one that was."""
    return {
        (pairing.round_number, pairing.table_number): next(
            (match.match_id for match in rows if match.ended is None), rows[-1].match_id
        )
        for pairing in pairings
        if (rows := played.get(pairing.pairing_id))
    }
