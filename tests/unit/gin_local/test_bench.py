"""`ginhall bench` runs what a checkout measures, and says where there is nothing to run."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gin_local import bench_command
from gin_local.errors import HouseError


def test_an_unknown_benchmark_is_refused_by_the_checkouts_own_program() -> None:
    assert CliRunner().invoke(bench_command.bench, ["nothing"]).exit_code == 2


def test_without_a_checkout_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench_command, "find_root", lambda: tmp_path)
    result = CliRunner().invoke(bench_command.bench, [])
    assert isinstance(result.exception, HouseError)
    assert "part of a checkout" in str(result.exception)
