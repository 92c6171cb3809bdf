import pytest

from gin_ratings.domain.canonical import canonical_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        # Numbers of RFC 8785, appendix B.
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (9007199254740992.0, "9007199254740992"),
        (295147905179352830000.0, "295147905179352830000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (1e23, "1e+23"),
        (999999999999999700000.0, "999999999999999700000"),
        (1e21, "1e+21"),
        (9.999999999999997e-7, "9.999999999999997e-7"),
        (0.000001, "0.000001"),
        (333333333.3333332, "333333333.3333332"),
        (-0.0000033333333333333333, "-0.0000033333333333333333"),
        # Ratings.
        (1500.0, "1500"),
        (1507.1987, "1507.1987"),
        (40, "40"),
    ],
)
def test_numbers_are_written_as_ecmascript_writes_them(value: float, text: str) -> None:
    assert canonical_json(value) == text.encode()


def test_objects_are_sorted_without_blanks_and_text_is_utf8() -> None:
    value = {"b": [1, None, True], "a": 'Zoë "♠"\n\x01/'}
    assert canonical_json(value) == '{"a":"Zoë \\"♠\\"\\n\\u0001/","b":[1,null,true]}'.encode()
