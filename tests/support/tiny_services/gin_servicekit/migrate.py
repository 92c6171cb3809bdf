"""Make one table, in the schema of the role that was given."""

import os
import sys

import psycopg

with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS starts (number integer GENERATED ALWAYS AS IDENTITY)")
    connection.execute("INSERT INTO starts DEFAULT VALUES")
    sys.stdout.write(f"{sys.argv[1]} as {connection.info.user}\n")
