"""What the desk refuses, told in one line."""

import click


class DeskError(Exception):
    """Input that the desk cannot judge; the text says in one line what is wrong with it."""


class Refused(click.ClickException):
    """Ends the command with status 2 and one line on standard error."""

    exit_code = 2

    def __init__(self, reason: object) -> None:
        super().__init__(" ".join(str(reason).split()))
