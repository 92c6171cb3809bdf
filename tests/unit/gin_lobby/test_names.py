"""Names of people: what they may hold, and which of them look alike."""

import pytest

from gin_lobby.domain.names import skeleton, why_not_a_name, why_not_an_account_name


@pytest.mark.parametrize(
    "other",
    [
        "BILL ADAMS",
        "Ｂｉｌｌ Ａｄａｍｓ",  # full width
        "Bill  Adams",
        "Bi11 Adams",
        "BiIl Adams",
        "Вill Аdams",  # Cyrillic capitals
        "Bіll Αdams",  # Cyrillic i, Greek alpha
        "𝐁𝐢𝐥𝐥 Adams",  # mathematical bold
        "Bill Adarns",
    ],
)
def test_names_that_look_the_same_are_the_same(other: str) -> None:
    assert skeleton(other) == skeleton("Bill Adams")


@pytest.mark.parametrize("other", ["Bill Adam", "Bil Adams", "Will Adams", "Bill-Adams", "Bíll Adams", "BillAdams"])
def test_names_that_look_different_are_different(other: str) -> None:
    assert skeleton(other) != skeleton("Bill Adams")


@pytest.mark.parametrize("text", ["Ада", "Νίκος", "José", "王小明", "O'Brien", "Zoë 2", "x_X", "Anna-Lena"])
def test_names_of_the_world_are_welcome(text: str) -> None:
    assert why_not_a_name(text) is None
    assert why_not_an_account_name(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "A\u200bda",  # zero-width space
        "A\u200dda",  # zero-width joiner
        "\u202eadA",  # writes backwards
        "A\x00da",
        "A\tda",
        "A\u00adda",  # soft hyphen
        "A\ufe0fda",  # a selector of variants
        "A\u3164da",  # a filler that counts as a letter
        "\u2800",  # a blank that counts as a symbol
        " Ada",
        "Ada\u00a0",
    ],
    ids=ascii,
)
def test_what_cannot_be_seen_is_refused(text: str) -> None:
    assert why_not_a_name(text) is not None


@pytest.mark.parametrize("text", ["Аda", "Νina", "Bоb"], ids=ascii)
def test_letters_of_two_alphabets_in_one_name_are_refused(text: str) -> None:
    assert "one alphabet" in (why_not_an_account_name(text) or "")


@pytest.mark.parametrize("text", ["Guest 4821", "guest", "GUEST 1", "Ｇｕｅｓｔ ７", "Guest1"])
def test_nobody_is_named_like_a_guest(text: str) -> None:
    assert "guests" in (why_not_an_account_name(text) or "")
