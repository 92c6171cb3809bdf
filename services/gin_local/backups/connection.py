"""An administrator's connection that writes and reads values the same way on every server."""

from __future__ import annotations

from typing import Any

import psycopg

from gin_local.errors import HouseError

# A server may be set up to write times otherwise, or to end what takes long.
_SETTINGS = """
    SET client_encoding = 'UTF8'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'; SET timezone = 'UTC';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET statement_timeout = 0; SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0
"""


def connected(url: str) -> psycopg.Connection[Any]:
    """In autocommit mode. Raises HouseError when the database is away."""
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=10, application_name="ginhall backup")
    except psycopg.OperationalError as error:
        raise HouseError(f"the database cannot be reached: {error}") from error
    connection.execute(_SETTINGS)
    return connection
