"""Make one table, in the schema of the role that was given, and count the starts in it."""

import os
import sys

import psycopg

service = sys.argv[1]
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS starts (number integer GENERATED ALWAYS AS IDENTITY)")
    row = connection.execute("INSERT INTO starts DEFAULT VALUES RETURNING number").fetchone()
    assert row is not None
    sys.stdout.write(f"{service} as {connection.info.user}, start {row[0]}\n")
