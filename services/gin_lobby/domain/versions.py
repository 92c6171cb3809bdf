"""Edits say which version they mean, so that nobody takes back unseen what somebody else has changed."""

from __future__ import annotations

from gin_lobby.domain.problems import Outdated, PreconditionRequired


def require_version(if_match: str | None, version: object) -> None:
    """`if_match` is the header as it came. Raises PreconditionRequired without one, Outdated where it means another."""
    if if_match is None:
        raise PreconditionRequired("If-Match must name the version that you have read", "If-Match")
    if if_match.strip() not in ("*", f'"{version}"'):
        raise Outdated("it was changed since you read it", "If-Match")
