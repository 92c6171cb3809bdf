"""The form of a tournament's plan: its sections, what is in them at first, and what is read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, NamedTuple

from gin_lobby.domain.formats import LARGEST_FIELD
from gin_lobby.domain.tournament import Admits
from gin_lobby.pages.desk.fields import EMPTY, Field, Option, Typed, found, place, read
from gin_lobby.pages.desk.formats import KEPT, FormatOffer, offer_of, offers
from gin_lobby.pages.desk.rules import GAMES, GameOffer
from gin_lobby.pages.desk.times import START, WrongTime, moment
from gin_lobby.use_cases.tournaments import TournamentPlan
from gin_messages.match import LONGEST_CLOCK_SECONDS, LONGEST_SPECTATOR_DELAY_SECONDS

NAME = Field("name", "Name")
_ADMITTED = (
    Option(Admits.MIXED.value, "People and bots"),
    Option(Admits.HUMANS.value, "People"),
    Option(Admits.BOTS.value, "Bots"),
)
_ADMITS = Field("admits", "Who may enter", "choice", Admits.MIXED.value, options=_ADMITTED)
_RULES_OF_ENTRY = (
    Field("rating_min", "Lowest rating", "decimal", required=False),
    Field("rating_max", "Highest rating", "decimal", required=False),
    Field("admits_provisional", "Also who has no established rating yet", "switch", "on"),
    Field(
        "invitation_code",
        "Invitation code",
        hint="Only who knows it, or was invited, enters. Empty: everybody may.",
        required=False,
    ),
)
_PLACES = (
    Field(
        "capacity",
        "Places",
        "number",
        hint="Whoever comes later waits for a place. Empty: no limit.",
        least=2,
        most=LARGEST_FIELD,
        required=False,
    ),
    Field(
        "minimum_entrants", "Fewest entrants", "number", "2", "With fewer it is cancelled.", least=2, most=LARGEST_FIELD
    ),
)
_CHECK_IN = Field(
    "check_in_minutes",
    "Check-in, minutes before the start",
    "number",
    "0",
    "Whoever has not checked in by the start is dropped. 0: there is none.",
    least=0,
    most=7 * 24 * 60,
)
_TIMES = (
    Field("round_minutes", "Minutes for a round", "number", "60", "Then it is over.", least=1, most=366 * 24 * 60),
    Field(
        "late_start_grace_minutes",
        "Latest start, minutes after the time",
        "number",
        "120",
        "Should the house be out of order then. Later it does not start any more.",
        least=0,
        most=30 * 24 * 60,
    ),
)
_CLOCK = (
    Field(
        "clock.move_seconds",
        "Seconds for each action",
        "number",
        hint="Empty: as the house sets it.",
        least=5,
        most=LONGEST_CLOCK_SECONDS,
        required=False,
    ),
    Field(
        "clock.bank_seconds",
        "Seconds for all that takes longer",
        "number",
        least=0,
        most=LONGEST_CLOCK_SECONDS,
        required=False,
    ),
)
_DELAY = Field(
    "spectator_delay_seconds",
    "Spectators see it so many seconds later",
    "number",
    "0",
    least=0,
    most=LONGEST_SPECTATOR_DELAY_SECONDS,
)
_DRAFT = Field("draft", "Keep it as a draft, which only you see, until you announce it", "switch")


class Section(NamedTuple):
    """`folded` may stay closed: its defaults are good."""

    title: str
    fields: tuple[Field, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class PlanForm:
    """`base` is the plan that it started from, None for a new one; `typed` what its fields hold now."""

    game: GameOffer
    offer: FormatOffer
    base: Mapping[str, Any] | None
    typed: Typed
    sections: tuple[Section, ...]
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(f for section in self.sections for f in section.fields)

    @property
    def names(self) -> list[str]:
        return [f.name for f in self.fields]

    def placeholder(self, name: str) -> str:
        """What holds where a rule is left empty."""
        if not name.startswith("rules."):
            return ""
        before = self.base if self.base is not None and self.game.key == self.base["game"] else None
        return str(found(before, name, "as the preset says"))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form asks for. `fixed` are the fields of the plan that cannot be changed any more."""

    start: bool = True
    draft: bool = True
    fixed: frozenset[str] = frozenset()


def plan_form(typed: Typed | None, base: Mapping[str, Any] | None, asked: Asked, game: str, kind: str) -> PlanForm:
    """The form for this game and kind of format; without anything typed it holds what the base holds, or defaults."""
    of_game = GAMES.get(game) or GAMES["rummy"]
    known = offers()
    offer = known.get(kind) or (offer_of(base["format"]) if base is not None and kind == KEPT else known["swiss"])
    form = PlanForm(of_game, offer, base, {}, _sections(of_game, offer, base, asked))
    return PlanForm(of_game, offer, base, _at_first(form) if typed is None else typed, form.sections)


def _sections(game: GameOffer, offer: FormatOffer, base: Mapping[str, Any] | None, asked: Asked) -> tuple[Section, ...]:
    fixed, sections = asked.fixed, []
    if "name" not in fixed:
        sections.append(Section("What it is called", (NAME,)))
    if "rules" not in fixed:
        presets = game.presets
        if base is not None and base["game"] == game.key:
            presets = (Option(KEPT, "As before"), *presets)
        preset = Field("rules.preset", "Rules and length", "choice", presets[0].value, options=presets)
        sections.append(Section(f"Rules of {game.title}", (preset,)))
        sections.append(Section("Change single rules", game.fields, folded=True))
    if "format" not in fixed and offer.fields:
        main = tuple(f for f in offer.fields if not _is_fine(f))
        sections.append(Section(offer.title, main))
        fine = tuple(f for f in offer.fields if _is_fine(f))
        sections += [Section("Tie-breaks and points", fine, folded=True)] if fine else []
    if asked.start:
        sections.append(Section("Start", START))
    sections.append(Section("Entrants", (*(() if "admits" in fixed else (_ADMITS,)), *_PLACES)))
    if "rating_min" not in fixed:
        sections.append(Section("Rules of entry", _RULES_OF_ENTRY, folded=True))
    times = (*(() if "check_in_minutes" in fixed else (_CHECK_IN,)), *_TIMES)
    sections.append(Section("Rounds and times", times))
    clock = () if "clock" in fixed else _CLOCK
    sections.append(Section("Clock and spectators", (*clock, _DELAY), folded=True))
    if asked.draft:
        sections.append(Section("Announcing it", (_DRAFT,)))
    return tuple(sections)


def _is_fine(f: Field) -> bool:
    return f.kind == "list" or ".scoring." in f.name


def _at_first(form: PlanForm) -> Typed:
    """What the fields hold before anybody has typed."""
    base, typed = form.base, {}
    same = base is not None and offer_of(base["format"]).key == form.offer.key
    nothing = object()
    for f in form.fields:
        typed[f.name] = f.defaults
        if base is None or f.name.startswith("rules.") or (f.name.startswith("format.") and not same):
            continue
        value = found(base, f.name, nothing)
        if value is not nothing:
            typed[f.name] = f.shown(value)
    return typed


def with_defaults(form: PlanForm, asked: Asked) -> PlanForm:
    """The form with what was typed, and defaults in the fields that had not been shown: of another game or format."""
    first = plan_form(None, form.base, asked, form.game.key, form.offer.key).typed
    shown = {name for names in form.typed.get("shown", ()) for name in names.split()}
    same_game = list(form.typed.get("shown_game", ())) == [form.game.key]
    preset = {} if same_game else {"rules.preset": first["rules.preset"]}
    typed = {**{name: texts for name, texts in first.items() if name not in shown}, **form.typed, **preset}
    return PlanForm(form.game, form.offer, form.base, typed, form.sections)


def read_plan(form: PlanForm) -> tuple[dict[str, Any], dict[str, str]]:
    """The fields of a plan that the form asks for, and what is wrong by field. Raises nothing."""
    reading = read(form.fields, form.typed)
    values, errors = dict(reading.values), dict(reading.errors)
    plan: dict[str, Any] = {}
    if "start_date" in form.names and not {f.name for f in START} & set(errors):
        starts_at = _start(values, errors)
        if starts_at is not None:
            plan["starts_at"] = starts_at
    of_format = {name: value for name, value in values.items() if name.startswith("format.")}
    of_rules = {name: value for name, value in values.items() if name.startswith("rules.")}
    for name, value in values.items():
        if name not in of_format and name not in of_rules and name not in {f.name for f in START}:
            place(plan, name, value)
    _read_clock(plan, errors)
    if "rules.preset" in form.names:
        plan["game"] = form.game.key
        plan["rules"] = _rules(form, of_rules)
    if of_format or (form.offer.key == KEPT and form.base is not None):
        document = form.offer.drawn_up(of_format, None if form.base is None else form.base["format"])
        for name, value in of_format.items():
            place(document, name.removeprefix("format."), value)
        plan["format"] = document
    return plan, errors


def _start(values: Mapping[str, Any], errors: dict[str, str]) -> datetime | None:
    try:
        return moment(values["start_date"], values["start_time"], values["zone"])
    except WrongTime as wrong:
        errors[wrong.field] = str(wrong)
        return None


def _read_clock(plan: dict[str, Any], errors: dict[str, str]) -> None:
    """Both of its figures or none."""
    clock = plan.get("clock")
    if clock is None:
        return
    given = [name for name, value in clock.items() if value is not None]
    if not given:
        plan["clock"] = None
    elif len(clock) > len(given):
        (missing,) = clock.keys() - set(given)
        errors[f"clock.{missing}"] = EMPTY


def _rules(form: PlanForm, values: Mapping[str, Any]) -> dict[str, Any]:
    preset = values.get("rules.preset")
    rules: dict[str, Any] = dict(form.base["rules"]) if preset == KEPT and form.base is not None else {"preset": preset}
    for name, value in values.items():
        if value is not None and name != "rules.preset":
            rules[name.removeprefix("rules.")] = value
    return rules


def complete(plan: Mapping[str, Any]) -> TournamentPlan:
    """The plan with what no form asks for."""
    return TournamentPlan(**{**_UNASKED, **plan})


_UNASKED: Mapping[str, Any] = {"rounds": None, "tie_breaks": None}
_PLANNED = [f.name for f in fields(TournamentPlan) if f.name not in ("rounds", "tie_breaks", "draft")]


def base_of(source: Any) -> dict[str, Any]:
    """The plan of a tournament, or of a series' template, as a base for a form."""
    read_from = source if isinstance(source, Mapping) else {name: getattr(source, name) for name in _PLANNED}
    base = dict(read_from)
    if isinstance(base.get("format"), str):
        short = {"rounds": base.get("rounds"), "tie_breaks": base.get("tie_breaks")}
        base["format"] = {"kind": base["format"], **{name: value for name, value in short.items() if value is not None}}
    return base
