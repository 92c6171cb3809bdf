"""The documents of the APIs: true, complete, and no request that they allow brings the server down."""

import re

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from tests.support.services import token_for

ACCOUNT = "01990000-0000-7000-8000-000000000001"
NAMES = ("lobby", "engine", "ratings")


@pytest.mark.parametrize("name", NAMES)
def test_the_document_is_openapi_31_and_names_every_route(apps: dict[str, Flask], name: str) -> None:
    document = apps[name].test_client().get(f"/api/v1/openapi/{name}.json").json
    assert document["openapi"] == "3.1.0"
    documented = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    rules = {
        (method, rule.rule.replace("<string:", "{").replace("<int:", "{").replace("<", "{").replace(">", "}"))
        for rule in apps[name].url_map.iter_rules()
        if rule.rule.startswith("/api/v1/") and "openapi" not in rule.rule
        for method in (rule.methods or set()) & {"GET", "POST", "PUT", "PATCH", "DELETE"}
    }
    assert {pair for pair in documented if pair[0] != "PARAMETERS"} == rules
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                assert operation["summary"], (method, path)
    operations = [o for item in document["paths"].values() for method, o in item.items() if method != "parameters"]
    assert len({operation["operationId"] for operation in operations}) == len(operations)


@pytest.mark.parametrize("name", NAMES)
def test_the_document_tells_of_a_key_wherever_one_is_kept(apps: dict[str, Flask], name: str) -> None:
    """A key that is too long is refused by whatever keeps keys, before anything else."""
    client = apps[name].test_client(use_cookies=False)
    document = client.get(f"/api/v1/openapi/{name}.json").json
    asked = {"Authorization": f"Bearer {token_for(ACCOUNT)}", "Idempotency-Key": "k" * 300}
    for path, item in document["paths"].items():
        told = "Idempotency-Key" in [p["name"] for p in item.get("post", {}).get("parameters", [])]
        if "post" in item and "requestBody" not in item["post"]:
            address = re.sub(r"{[^}]*}", ACCOUNT, path)
            answer = client.post(address, headers=asked)
            blamed = [error["field"] for error in answer.json.get("errors", [])]
            assert (blamed == ["Idempotency-Key"]) == told, (path, answer.json)


# The connection pool's own thread draws random numbers, and Hypothesis takes them for the strategies'.
@pytest.mark.filterwarnings("ignore:.*random.*:hypothesis.errors.HypothesisDeprecationWarning")
@pytest.mark.parametrize("name", NAMES)
def test_no_request_that_the_document_allows_or_forbids_brings_a_server_error(
    apps: dict[str, Flask], name: str
) -> None:
    schema = schemathesis.openapi.from_wsgi(f"/api/v1/openapi/{name}.json", apps[name])
    headers = {"Authorization": f"Bearer {token_for(ACCOUNT)}"}
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            case.call_and_validate(
                headers=headers,
                checks=[not_a_server_error, content_type_conformance, response_schema_conformance],
            )

        ask()
