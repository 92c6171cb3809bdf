"""An Idempotency-Key makes a POST safe to repeat, also at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flask import Flask
from marshmallow import Schema, fields

from gin_servicekit.idempotency import answer_once
from gin_servicekit.problems import Conflict
from tests.integration.gin_servicekit.conftest import Pair


class CountAnswer(Schema):
    count = fields.Int()


def app_of(pair: Pair) -> Flask:
    """An application with one POST that counts how often it did its work."""
    with pair.producer.transaction() as tx:
        tx.execute("CREATE TABLE counted (n integer)")
        tx.execute("INSERT INTO counted VALUES (0)")
    app = Flask("counting")

    @app.post("/count")
    def count() -> Any:
        def work(tx: Any) -> dict[str, int]:
            return {"count": tx.scalar("UPDATE counted SET n = n + 1 RETURNING n")}

        return answer_once(pair.producer, "ada", CountAnswer(), 201, work)

    @app.post("/fail")
    def fail() -> Any:
        def work(tx: Any) -> None:
            tx.execute("UPDATE counted SET n = n + 100")
            raise Conflict("not now")

        try:
            return answer_once(pair.producer, "ada", CountAnswer(), 201, work)
        except Conflict:
            return "", 409

    return app


def test_eight_at_once_with_one_key_do_the_work_once(pair: Pair) -> None:
    app = app_of(pair)

    def post(_: int) -> tuple[int, int]:
        answer = app.test_client().post("/count", json={}, headers={"Idempotency-Key": "k"})
        return answer.status_code, answer.json["count"]

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(post, range(8))) == {(201, 1)}


def test_without_a_key_every_post_does_its_work(pair: Pair) -> None:
    client = app_of(pair).test_client()
    assert [client.post("/count", json={}).json["count"] for _ in range(3)] == [1, 2, 3]


def test_a_post_that_failed_left_nothing_and_can_be_tried_again_with_its_key(pair: Pair) -> None:
    client = app_of(pair).test_client()
    assert client.post("/fail", json={}, headers={"Idempotency-Key": "k"}).status_code == 409
    assert client.post("/count", json={}, headers={"Idempotency-Key": "k"}).json["count"] == 1
