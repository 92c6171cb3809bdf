"""Adds the shared look to a service's application: base template, static files, and the headers of a page."""

from __future__ import annotations

from flask import Blueprint, Flask, Response

# Nothing from another host and no script in the page itself: what a name or a reason contains can never run.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def add_site(app: Flask) -> None:
    """Serves /static/… and makes `base.html` known to the templates of `app`."""
    app.register_blueprint(
        Blueprint("site", __name__, static_folder="static", static_url_path="/static", template_folder="templates")
    )
    app.after_request(_protect)


def _protect(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    return response
