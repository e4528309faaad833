"""Verdicts on claims: edges, ranges, values that are no numbers."""

from math import inf, nan

import pytest

from klingel.literature.reproduce.claim import Claim, Outcome, judge


def claim(published, tolerance=0.5, note=""):
    return Claim("id", "somewhere", "speed", published, "m/s", tolerance, "half a printed digit", note)


@pytest.mark.parametrize(
    ("published", "value", "status"),
    [
        (38.0, 38.5, "reproduced"),
        (38.0, 37.499, "differs"),
        ((10.0, 12.0), 9.6, "reproduced"),
        ((10.0, 12.0), 12.6, "differs"),
        ((60.0, inf), 1e9, "reproduced"),
        ((60.0, inf), 59.0, "differs"),
        ((-inf, 2.0), -50.0, "reproduced"),
        (38.0, nan, "not-run"),
        (38.0, inf, "not-run"),
    ],
)
def test_status(published, value, status):
    assert judge(claim(published), value).status == status


def test_decimal_rounding_of_an_edge_does_not_decide():
    assert judge(claim(0.3, tolerance=0.1), 0.1 + 0.1).status == "reproduced"
    assert judge(claim(0.0, tolerance=0.0), 1e-15).status == "differs"


def test_notes_are_joined_and_missing_values_say_why():
    finding = judge(claim(1.0, note="printed once"), Outcome(5.0, "seen in three starts"))
    assert (finding.status, finding.note) == ("differs", "printed once; seen in three starts")
    missing = judge(claim(1.0), Outcome(None, "no impact happened"))
    assert (missing.status, missing.computed, missing.note) == ("not-run", None, "no impact happened")
    assert judge(claim(1.0), None).status == "not-run"


def test_document_has_the_promised_keys_and_no_infinity():
    document = judge(claim((60.0, inf)), 61.0).as_dict()
    assert {"id", "source", "quantity", "published", "computed", "unit", "tolerance", "status", "note"} <= set(
        document
    )
    assert document["published"] == [60.0, None]
