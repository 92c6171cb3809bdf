"""`/docs/`: the API of all services on one page, served from here."""

from __future__ import annotations

from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint

from gin_messages.routes import SERVICES

# The page that flask-swagger-ui ships starts itself with a script in the page, and sets styles by script.
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def add_documentation(app: Flask) -> None:
    documents = [{"url": f"/api/v1/openapi/{name}.json", "name": name.capitalize()} for name in SERVICES]
    app.register_blueprint(
        get_swaggerui_blueprint(
            "/docs",
            documents[0]["url"],
            config={"app_name": "Ginhall API", "urls": documents, "validatorUrl": None},
            blueprint_name="documentation",
        )
    )

    @app.after_request
    def allow_its_script(response: Response) -> Response:
        if request.blueprint == "documentation":
            response.headers["Content-Security-Policy"] = _POLICY
        return response
