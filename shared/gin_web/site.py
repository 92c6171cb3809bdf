"""Adds the shared look to a service's application: base template, static files, who is signed in, errors for people,
and the headers of a page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from flask import Blueprint, Flask, Response, redirect, render_template, request, url_for
from markupsafe import Markup

from gin_servicekit.auth import SAFE_METHODS, shown_visitor
from gin_servicekit.http_errors import PROBLEM_JSON

# Nothing from another host and no script in the page itself: what a name or a reason contains can never run.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SIGN_IN, SIGN_UP = "/sign-in", "/sign-up"
_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import (?:[^"]* from )?"(\.[^"]+)";$', re.MULTILINE)


class Place(NamedTuple):
    """A part of the site in its navigation; `prefixes` are the paths of its pages."""

    title: str
    path: str
    prefixes: tuple[str, ...]


_PROTECTION = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"))

NAVIGATION = (
    Place("Play", "/play", ("/play", "/tables", "/replays")),
    Place("Tournaments", "/tournaments", ("/tournaments", "/series")),
    Place("Calendar", "/calendar", ("/calendar",)),
    Place("Leaderboards", "/leaderboards", ("/leaderboards", "/players")),
    Place("Rules", "/rules", ("/rules",)),
    Place("Bots", "/bots", ("/bots",)),
)


def add_site(app: Flask) -> None:
    """Serves /static/…, makes `base.html` and `fields.html` known to the templates of `app`, and answers errors of
    pages with a page. Paths below /api/ keep their problem+json, and so does whoever does not ask for HTML.

    Templates find there: `visitor` (Caller or None), `places` with `is_here(place)`, `way_back`, which links to
    signing in and up end with, and `preloads(module)`.
    """
    app.register_blueprint(
        Blueprint("site", __name__, static_folder="static", static_url_path="/static", template_folder="templates")
    )
    app.context_processor(_head)
    app.after_request(_protect)
    app.after_request(_show_problem)  # the last one registered runs first


@cache
def imported_by(module: str) -> tuple[str, ...]:
    """What a module below static/ imports at once, directly and through others, each named once: `table/dom.js`."""
    found: list[str] = []
    waiting = [module]
    while waiting:
        one = waiting.pop()
        for name in _IMPORT.findall((_STATIC / one).read_text()):
            path = normpath(join(dirname(one), name))
            if path not in found and path != module:
                found.append(path)
                waiting.append(path)
    return tuple(sorted(found))


def preloads(module: str) -> Markup:
    """Links that let a browser fetch all that `module` imports at the same time, and not one after another."""
    link = Markup('<link rel="modulepreload" href="{}">')
    return Markup("").join(link.format(url_for("site.static", filename=one)) for one in imported_by(module))


def own_path(wish: str | None, otherwise: str = "/") -> str:
    """The wish where it is a path of this site, to be used in a redirect; else `otherwise`.

    Browsers read `//host`, `/\\host` and, as they drop blanks and control characters, `/<tab>/host` as another host.
    """
    if not wish or not wish.startswith("/") or wish.startswith("//"):
        return otherwise
    return otherwise if "\\" in wish or any(character <= " " or character == "\x7f" for character in wish) else wish


def came_from(otherwise: str = "/") -> str:
    """The path of the page of this site that sent the current request, as the browser tells."""
    sender = urlsplit(request.referrer or "")
    if sender.netloc != request.host:
        return otherwise
    return own_path(sender.path + (f"?{sender.query}" if sender.query else ""), otherwise)


def way_back() -> str:
    """What a link to signing in or up ends with, so that it leads back to the page at hand: `?next=/play`, or ""."""
    if request.path in (SIGN_IN, SIGN_UP):
        here = own_path(request.values.get("next"))
    else:
        here = request.full_path.rstrip("?") if request.method in SAFE_METHODS else came_from()
    return "" if here == "/" else f"?next={quote(here)}"


def _head() -> dict[str, Any]:
    return {
        "visitor": shown_visitor(),
        "places": NAVIGATION,
        "is_here": _is_here,
        "way_back": way_back(),
        "preloads": preloads,
    }


def _is_here(place: Place) -> bool:
    return any(request.path == prefix or request.path.startswith(f"{prefix}/") for prefix in place.prefixes)


def _show_problem(response: Response) -> Response:
    """A problem as a page, for the reader of pages; who has to sign in first is led to where that is done."""
    if response.status_code < 400 or response.mimetype != PROBLEM_JSON or not _reads_pages():
        return response
    problem: dict[str, Any] = response.get_json()
    if response.status_code == 401:
        return _kept_headers(redirect(SIGN_IN + way_back(), 303), response)  # type: ignore[arg-type]  # Flask's own class
    page = Response(render_template("error.html", problem=problem), response.status_code, mimetype="text/html")
    return _kept_headers(page, response)


def _reads_pages() -> bool:
    if request.path.startswith("/api/"):
        return False
    wanted = request.accept_mimetypes.best_match((PROBLEM_JSON, "application/json", "text/html"))
    return wanted == "text/html"


def _kept_headers(page: Response, problem: Response) -> Response:
    for name in ("Allow", "Retry-After", "X-Correlation-Id"):
        if name in problem.headers:
            page.headers[name] = problem.headers[name]
    return page


def _protect(response: Response) -> Response:
    there = {name.lower() for name, _ in response.headers}
    if "content-security-policy" not in there and (response.content_type or "").startswith("text/html"):
        response.headers.add("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    for name, value in _PROTECTION:
        if name.lower() not in there:
            response.headers.add(name, value)
    return response
