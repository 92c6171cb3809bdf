"""Forms of pages: what they may hold, and what is wrong with it in words for the field."""

from __future__ import annotations

from typing import Any

from flask import request
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate

from gin_lobby.domain.names import LONGEST_ACCOUNT_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD, why_not_a_name

_EMPTY = "Please fill this in."
_TOO_SHORT = f"At least {SHORTEST_PASSWORD} characters, please."


def _visible(text: str) -> None:
    reason = why_not_a_name(text)
    if reason:
        raise ValidationError(reason)


def _text(*checks: Any) -> fields.Str:
    return fields.Str(required=True, validate=list(checks), error_messages={"required": _EMPTY})


def _password(shortest: int = 1) -> fields.Str:
    return _text(
        validate.Length(min=shortest, error=_TOO_SHORT if shortest > 1 else _EMPTY),
        validate.Length(max=LONGEST_PASSWORD, error=f"At most {LONGEST_PASSWORD} characters."),
    )


def _name() -> fields.Str:
    return _text(
        validate.Length(min=1, error=_EMPTY),
        validate.Length(max=LONGEST_ACCOUNT_NAME, error=f"At most {LONGEST_ACCOUNT_NAME} characters."),
        _visible,
    )


class SignInForm(Schema):
    name = _text(validate.Length(min=1, error=_EMPTY), validate.Length(max=LONGEST_ACCOUNT_NAME, error="Too long."))
    password = _password()


class SignUpForm(Schema):
    name = _name()
    password = _password(SHORTEST_PASSWORD)


class RecoveryForm(Schema):
    name = _text(validate.Length(min=1, error=_EMPTY), validate.Length(max=LONGEST_ACCOUNT_NAME, error="Too long."))
    recovery_code = _text(validate.Length(min=1, error=_EMPTY), validate.Length(max=100, error="Too long."))
    new_password = _password(SHORTEST_PASSWORD)


class NewPasswordForm(Schema):
    new_password = _password(SHORTEST_PASSWORD)


class NameForm(Schema):
    new_name = _name()


class OwnPasswordForm(Schema):
    """A person shows that it is them; two such forms on one page have a field each."""

    codes_password = _password()


class DeletionForm(Schema):
    deletion_password = _password()


class BotForm(Schema):
    """`plays` names the built-in bot that plays for it; empty, a program of one's own does."""

    bot_name = _name()
    plays = fields.Str(load_default="")


class BotNameForm(Schema):
    """`renamed_bot` says which one."""

    renamed_bot = _text(validate.Length(min=1, error="Please choose a bot."))
    new_bot_name = _name()


class PasswordForm(Schema):
    old_password = _password()
    new_password = _password(SHORTEST_PASSWORD)


def read_form(schema: Schema) -> tuple[dict[str, Any], dict[str, str]]:
    """What the current request's form holds, and what is wrong with it by field; fields of no form are passed over."""
    try:
        return schema.load(request.form.to_dict(), unknown=EXCLUDE), {}
    except ValidationError as problem:
        return {}, {name: str(texts[0]) for name, texts in problem.messages_dict.items()}
