"""/rules: the games in our own words. What can be counted comes from the rule sets, never from the text."""

from __future__ import annotations

from flask import Blueprint, render_template

from gin_rules.rummy import scoring
from gin_rules.rummy.cards import parse_cards
from gin_rules.rummy.explanation import points_text
from gin_rules.rummy.rules import STANDARD
from gin_rules.rummy.settlement import settle
from gin_rules.word.dictionary import dictionary_named
from gin_rules.word.rules import RuleSet as WordRuleSet
from gin_rules.word.rules import rules_to_json
from gin_web.presets import columns, presets

# An undercut to be looked at, by meld and what is left over.
EXAMPLE_KNOCKER = ("Ac 2c 3c", "7d 7h 7s", "Jc Jd Js", "8s")
EXAMPLE_DEFENDER = ("4h 5h 6h", "9c 9d 9h", "Qd Qh Qs", "5d")


def pages() -> Blueprint:
    blueprint = Blueprint("rules_pages", __name__, template_folder="templates")

    @blueprint.get("/rules")
    def rules() -> str:
        return render_template("rules.html")

    @blueprint.get("/rules/gin-rummy")
    def gin_rummy() -> str:
        settlement = settle(parse_cards(" ".join(EXAMPLE_KNOCKER)), parse_cards(" ".join(EXAMPLE_DEFENDER)), STANDARD)
        return render_template(
            "rules_gin_rummy.html",
            rules=STANDARD,
            presets=presets("rummy"),
            columns=columns("rummy"),
            bonuses=scoring,
            knocker=EXAMPLE_KNOCKER,
            defender=EXAMPLE_DEFENDER,
            settlement=settlement,
            sum=points_text(settlement),
        )

    @blueprint.get("/rules/word-gin")
    def word_gin() -> str:
        rule_set = WordRuleSet()
        points = rules_to_json(rule_set)["letter_points"]
        by_points: dict[int, list[str]] = {}
        for letter, value in points.items():
            by_points.setdefault(value, []).append(letter.upper())
        return render_template(
            "rules_word_gin.html",
            rules=rule_set,
            presets=presets("word"),
            columns=columns("word"),
            points=points,
            by_points=sorted(by_points.items()),
            two_letter_words=dictionary_named(rule_set.dictionary).two_letter_words,
        )

    return blueprint
