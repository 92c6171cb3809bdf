"""Which ports a house takes: free ones, different ones, and none that is somebody's already."""

import socket

import pytest

from gin_local.errors import PortTakenError
from gin_local.ports import HOST, RANGE_VARIABLE, claim_port, free_ports


@pytest.fixture
def four(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Four neighbouring ports, the only ones to draw from."""
    (first,) = free_ports(1)
    monkeypatch.setenv(RANGE_VARIABLE, f"{first}-{first + 3}")
    return list(range(first, first + 4))


def test_ports_differ_and_lie_in_the_range_that_is_given(four: list[int]) -> None:
    assert len(set(free_ports(3)) & set(four)) == 3


def test_the_port_of_the_gateway_is_never_drawn_for_somebody_else(four: list[int]) -> None:
    gateway, *others = four
    for _ in range(20):
        assert set(free_ports(3, without=(gateway,))) == set(others)
    # Nor is it kept from the last start, when another had the gateway's place.
    assert gateway not in free_ports(3, preferred=(gateway, *others[:2]), without=(gateway,))


def test_ports_of_the_last_start_are_kept_where_they_are_free(four: list[int]) -> None:
    with socket.create_server((HOST, four[0])):
        kept = free_ports(2, preferred=four[:2])
    assert kept[0] == four[1]
    assert four[0] not in kept


def test_no_port_left_is_an_error(four: list[int]) -> None:
    with pytest.raises(PortTakenError, match="no free ports"):
        free_ports(5)


def test_a_taken_port_is_named(four: list[int]) -> None:
    with socket.create_server((HOST, four[0])), pytest.raises(PortTakenError, match=f"port {four[0]} cannot be used"):
        claim_port(four[0])


@pytest.mark.parametrize("given", ["8000", "a-b", "-", "3-2", "0-10", "1-65536", "20000-", "²0000-30000", "-5-10"])
def test_a_range_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv(RANGE_VARIABLE, given)
    with pytest.raises(PortTakenError, match=f"{RANGE_VARIABLE} is"):
        free_ports(1)
