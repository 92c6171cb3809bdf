"""`/docs/`: the API of all services on one page, served from here."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, render_template
from flask_swagger_ui import get_swaggerui_blueprint

from gin_messages.routes import SERVICES
from gin_web.site import CONTENT_SECURITY_POLICY

# The program that draws the page sets styles as attributes.
_POLICY = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


def add_documentation(app: Flask) -> None:
    """The page is ours; the program and its style sheet are those of flask-swagger-ui."""
    documents = [
        *({"url": f"/api/v1/openapi/{name}.json", "name": name.capitalize()} for name in SERVICES),
        {"url": "/live/v1/openapi.json", "name": "Live"},
    ]
    pages = Blueprint("api_documentation", __name__, template_folder="templates")

    @pages.get("/docs/")
    def documentation() -> Response:
        page = Response(render_template("documentation.html", documents=documents), mimetype="text/html")
        page.headers["Content-Security-Policy"] = _POLICY
        return page

    app.register_blueprint(pages)
    app.register_blueprint(get_swaggerui_blueprint("/docs", documents[0]["url"], blueprint_name="swagger_files"))
