"""`/api/v1/webhooks`: what programs elsewhere are told, signed and retried (docs/webhooks.md)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response, jsonify, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from gin_lobby.api.schemas import PageQuery, name_field, page_of
from gin_lobby.api.tournaments import IF_MATCH
from gin_lobby.domain.webhooks import CHOOSABLE, Delivery, DeliveryState, Webhook, WebhookState, message
from gin_lobby.use_cases import webhooks as use_cases
from gin_lobby.use_cases.webhooks import WebhookPlan
from gin_servicekit.auth import Scope, caller, requires
from gin_servicekit.database import parse_id
from gin_servicekit.http_app import Blueprint, current_service
from gin_servicekit.idempotency import answer_once
from gin_servicekit.outgoing import LONGEST_URL

blueprint = Blueprint("Webhooks", __name__, url_prefix="/api/v1/webhooks", description="Being told what happens")
_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
_STATES = [state.value for state in WebhookState]


class WebhookRequest(Schema):
    """At most one of `tournament_id`, `series_id` and `mine` narrows it; without any it is told of everything."""

    url = fields.Str(required=True, validate=validate.Length(1, LONGEST_URL), metadata={"format": "uri"})
    events = fields.List(
        fields.Str(validate=validate.OneOf(CHOOSABLE)),
        required=True,
        validate=validate.Length(1, len(CHOOSABLE)),
        metadata={"example": ["round.paired", "standings.changed"]},
    )
    description = name_field(200, load_default="")
    tournament_id = fields.UUID(load_default=None, allow_none=True)
    series_id = fields.UUID(load_default=None, allow_none=True)
    mine = fields.Bool(
        load_default=False,
        metadata={"description": "Only tournaments that you direct, or in which you or a bot of yours take part"},
    )


class WebhookEdit(WebhookRequest):
    """What is left out stays."""


class WebhookAnswer(Schema):
    """`disabled_because` says why the house sends it nothing any more."""

    webhook_id = fields.UUID(required=True)
    url = fields.Str(required=True)
    events = fields.List(fields.Str(), required=True)
    description = fields.Str(required=True)
    tournament_id = fields.UUID(allow_none=True, required=True)
    series_id = fields.UUID(allow_none=True, required=True)
    mine = fields.Bool(required=True)
    state = fields.Str(required=True, validate=validate.OneOf(_STATES))
    disabled_because = fields.Str(allow_none=True, required=True)
    disabled_at = fields.AwareDateTime(allow_none=True, required=True)
    created_at = fields.AwareDateTime(required=True)


class NewWebhookAnswer(WebhookAnswer):
    """`secret` is told only here: keep it where your program finds it."""

    secret = fields.Str(required=True)


class DeliveryAnswer(Schema):
    """`event_id` is the `webhook-id` of every attempt. `status` is what the receiver answered last."""

    event_id = fields.UUID(required=True)
    type = fields.Str(required=True)
    occurred_at = fields.AwareDateTime(required=True)
    state = fields.Str(required=True, validate=validate.OneOf([state.value for state in DeliveryState]))
    attempts = fields.Int(required=True)
    attempted_at = fields.AwareDateTime(allow_none=True, required=True)
    next_attempt_at = fields.AwareDateTime(allow_none=True, required=True, attribute="next_at")
    status = fields.Int(allow_none=True, required=True)
    problem = fields.Str(allow_none=True, required=True)


class OneDeliveryAnswer(DeliveryAnswer):
    """With the body that is sent."""

    body = fields.Dict(required=True)


class DeliveriesQuery(PageQuery):
    state = fields.Str(load_default=None, validate=validate.OneOf([state.value for state in DeliveryState]))


@blueprint.route("")
class Webhooks(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(PageQuery, location="query")
    @blueprint.response(200, page_of(WebhookAnswer, "webhooks"))
    def get(self, query: dict[str, Any]) -> dict[str, Any]:
        """Your webhooks, newest first"""
        with current_service().transaction() as tx:
            found = use_cases.owned_page(tx, caller(), query["cursor"], query["limit"])
        full = len(found) == query["limit"]
        return {"webhooks": found, "next_cursor": str(found[-1].webhook_id) if full else None}

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(WebhookRequest)
    @blueprint.response(201, NewWebhookAnswer)
    @blueprint.alt_response(409, description="You have as many as an account may have")
    def post(self, body: dict[str, Any]) -> Response:
        """Make a webhook; its secret is shown only here"""
        service, who, plan = current_service(), caller(), WebhookPlan(**body)
        return answer_once(
            service,
            who.account_id,
            NewWebhookAnswer(),
            201,
            lambda tx: use_cases.create_webhook(tx, who, plan, local=service.settings.webhooks_local),
        )


@blueprint.route("/<string:webhook_id>")
class OneWebhook(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, WebhookAnswer)
    @blueprint.alt_response(404, description="You have no such webhook")
    def get(self, webhook_id: str) -> Any:
        """One webhook; its `ETag` is what a change must name"""
        with current_service().transaction() as tx:
            webhook = use_cases.find_own(tx, caller(), parse_id(webhook_id))
        return _tagged(webhook).make_conditional(request)

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN, parameters=[IF_MATCH])
    @blueprint.arguments(WebhookEdit(partial=True))
    @blueprint.response(200, WebhookAnswer)
    @blueprint.alt_response(412, description="It was changed since you read it")
    @blueprint.alt_response(428, description="`If-Match` is missing")
    def patch(self, body: dict[str, Any], webhook_id: str) -> Any:
        """Change where it leads and what it is told"""
        service, who, known = current_service(), caller(), parse_id(webhook_id)
        with service.transaction() as tx:
            webhook = use_cases.edit_webhook(
                tx, who, known, body, request.headers.get("If-Match"), local=service.settings.webhooks_local
            )
        return _tagged(webhook)

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(204)
    @blueprint.alt_response(404, description="You have no such webhook")
    def delete(self, webhook_id: str) -> None:
        """Remove it, with all that waits to be sent"""
        with current_service().transaction() as tx:
            use_cases.delete_webhook(tx, caller(), parse_id(webhook_id))


@blueprint.route("/<string:webhook_id>/pause")
class WebhookPause(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, WebhookAnswer)
    def post(self, webhook_id: str) -> Response:
        """Send nothing; what happens until it goes on is not told later, and what waited already waits on"""
        who, known = caller(), parse_id(webhook_id)
        return answer_once(
            current_service(),
            who.account_id,
            WebhookAnswer(),
            200,
            lambda tx: use_cases.pause_webhook(tx, who, known),
        )

    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, WebhookAnswer)
    def delete(self, webhook_id: str) -> Webhook:
        """Send again, also after it was disabled"""
        with current_service().transaction() as tx:
            return use_cases.resume_webhook(tx, caller(), parse_id(webhook_id))


@blueprint.route("/<string:webhook_id>/secret")
class WebhookSecret(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(201, NewWebhookAnswer)
    def post(self, webhook_id: str) -> Response:
        """A new secret, shown only here; the one before signs as well for 24 hours"""
        who, known = caller(), parse_id(webhook_id)
        return answer_once(
            current_service(),
            who.account_id,
            NewWebhookAnswer(),
            201,
            lambda tx: use_cases.rotate_secret(tx, who, known),
        )


@blueprint.route("/<string:webhook_id>/ping")
class WebhookPing(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(202, DeliveryAnswer)
    @blueprint.alt_response(409, description="It is not active, or a ping is on its way")
    def post(self, webhook_id: str) -> Response:
        """Send a test event"""
        who, known = caller(), parse_id(webhook_id)
        return answer_once(
            current_service(), who.account_id, DeliveryAnswer(), 202, lambda tx: use_cases.ping(tx, who, known)
        )


@blueprint.route("/<string:webhook_id>/deliveries")
class WebhookDeliveries(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.arguments(DeliveriesQuery, location="query")
    @blueprint.response(200, page_of(DeliveryAnswer, "deliveries"))
    @blueprint.alt_response(404, description="You have no such webhook")
    def get(self, query: dict[str, Any], webhook_id: str) -> dict[str, Any]:
        """What it was told in the last 30 days, newest first"""
        known = parse_id(webhook_id)
        with current_service().transaction() as tx:
            found = use_cases.list_deliveries(tx, caller(), known, query["state"], query["cursor"], query["limit"])
        full = len(found) == query["limit"]
        return {"deliveries": found, "next_cursor": str(found[-1].event_id) if full else None}


@blueprint.route("/<string:webhook_id>/deliveries/<string:event_id>")
class OneWebhookDelivery(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(200, OneDeliveryAnswer)
    @blueprint.alt_response(404, description="It was told of no such event")
    def get(self, webhook_id: str, event_id: str) -> dict[str, Any]:
        """One delivery, with its body"""
        service = current_service()
        with service.transaction() as tx:
            delivery = use_cases.find_delivery(tx, caller(), parse_id(webhook_id), parse_id(event_id))
        return {**asdict(delivery), "body": _body(delivery, service.settings.public_url)}


@blueprint.route("/<string:webhook_id>/deliveries/<string:event_id>/redelivery")
class WebhookRedelivery(MethodView):
    @requires(Scope.ACCOUNT)
    @blueprint.doc(security=_TOKEN)
    @blueprint.response(202, DeliveryAnswer)
    @blueprint.alt_response(409, description="It waits to be sent already, or the webhook is not active")
    def post(self, webhook_id: str, event_id: str) -> Response:
        """Send it again, under its own id"""
        who, known, event = caller(), parse_id(webhook_id), parse_id(event_id)
        return answer_once(
            current_service(),
            who.account_id,
            DeliveryAnswer(),
            202,
            lambda tx: use_cases.redeliver(tx, who, known, event),
        )


def _body(delivery: Delivery, public_url: str) -> dict[str, Any]:
    return message(delivery.type, delivery.occurred_at, delivery.data, public_url)


def _tagged(webhook: Webhook) -> Response:
    response = jsonify(WebhookAnswer().dump(webhook))
    response.set_etag(str(webhook.revision))
    return response
