"""Verdicts on claims: edges, ranges, seeds, kinds, values that are no numbers."""

from math import inf, nan

import pytest

from klingel.literature.reproduce.case import Wrong
from klingel.literature.reproduce.claim import Claim, Finding, Outcome, Verdict, judge, of_seeds


def claim(published, tolerance=0.5, note="", kind=None, wrong=None):
    return Claim("id", "somewhere", "speed", published, "m/s", tolerance, "half a digit", note, kind, wrong)


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


@pytest.mark.parametrize(
    ("seeds", "status", "passed"),
    [
        ((38.0, 38.0, 38.0, 38.0, 44.0), "reproduced", 4),
        ((38.0, 38.0, 38.0, 44.0, 44.0), "differs", 3),  # its median alone would hold
        ((38.0, 38.0, 38.0, nan, nan), "differs", 3),  # a seed without a value does not hold
        ((nan,) * 5, "not-run", 0),
    ],
)
def test_four_of_five_seeds_must_hold(seeds, status, passed):
    verdict = judge(claim(38.0), of_seeds(seeds))
    assert (verdict.status, verdict.passed(claim(38.0))) == (status, passed)


def test_kinds_follow_from_what_is_published_unless_given():
    assert claim(38.0).kind == "number"
    assert claim((1.0, 2.0)).kind == "range"
    assert claim((1.0, inf)).kind == "direction"
    assert claim((1.0, inf), kind="range").kind == "range"


@pytest.mark.parametrize(("with_wrong", "kind"), [("reproduced", "identity"), ("differs", "number")])
def test_a_claim_that_no_wrong_parameter_fails_is_an_identity(with_wrong, kind):
    one = claim(38.0, wrong=Wrong("mass", 2.0))
    finding = Finding(one, judge(one, 38.0), wrong=Verdict(38.0, with_wrong))
    assert finding.kind == finding.as_dict()["kind"] == kind
    assert finding.as_dict()["wrong"]["parameter"] == "mass x 2"


def test_notes_are_joined_and_missing_values_say_why():
    finding = judge(claim(1.0, note="printed once"), Outcome(5.0, "seen in three starts"))
    assert (finding.status, finding.note) == ("differs", "printed once; seen in three starts")
    missing = judge(claim(1.0), Outcome(None, "no impact happened"))
    assert (missing.status, missing.computed, missing.note) == ("not-run", None, "no impact happened")
    assert judge(claim(1.0), None).status == "not-run"


def test_document_has_the_promised_keys_and_no_infinity():
    one = claim((60.0, inf))
    document = Finding(one, judge(one, of_seeds([61.0, 62.0, 63.0, 64.0, nan])), judge(one, 58.0)).as_dict()
    promised = {"id", "kind", "source", "quantity", "published", "computed", "unit", "tolerance", "status", "note"}
    assert promised <= set(document)
    assert document["published"] == [60.0, None]
    assert (document["seeds"], document["passed"]) == ([61.0, 62.0, 63.0, 64.0, None], 4)
    assert document["full"] == {"computed": 58.0, "status": "differs"}


def test_the_error_of_a_tolerance_is_the_difference_of_a_tighter_run():
    one = claim(38.0)
    assert Finding(one, judge(one, 38.25), tight=judge(one, 38.0)).error == 0.25
    assert Finding(one, judge(one, 38.25)).error is None
