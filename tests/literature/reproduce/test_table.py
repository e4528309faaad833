"""The table of the documentation: totals by kind, seeds, what a wrong parameter gave."""

from math import inf

from klingel.literature.reproduce.case import Wrong
from klingel.literature.reproduce.claim import Claim, Finding, Study, Verdict, judge, of_seeds
from klingel.literature.reproduce.run import Report
from klingel.literature.reproduce.table import computed, published, render, totals

SPEED = Claim("end-speed", "5.7", "end of |hunting|", 38.0, "m/s", 0.5, "half a digit", wrong=Wrong("mass", 2.0))
ABOVE = Claim("loaded", "5.8", "end of hunting", (60.0, inf), "m/s", 0.0, "printed bound")
GIVEN = Claim("gap", "5.9", "gap", 22.5, "mm", 0.1, "a digit", given_kind="identity")


def findings(value=37.8, wrong="differs"):
    return (
        Finding(SPEED, judge(SPEED, value), judge(SPEED, 45.0), judge(SPEED, value + 0.1), Verdict(50.0, wrong)),
        Finding(ABOVE, judge(ABOVE, of_seeds([70.0, 71.0, 72.0, 73.0, 59.0]))),
        Finding(GIVEN, judge(GIVEN, 22.5)),
    )


def table(value):
    study = Study("ends", dict, (SPEED, ABOVE, GIVEN), True, leaf_springs=True, rtol=1e-4)
    return render([Report(study, findings(value), 1.25)], seed=3)


def test_totals_by_kind_leave_identities_out():
    text = table(37.8)
    assert "| number | 1 | 1 | 0 | 0 | 0 | 1 | 0 |" in text
    assert "| direction | 1 | 1 | 0 | 0 | 1 | 0 | 0 |" in text
    assert "| all | 2 | 2 | 0 | 0 | 1 | 1 | 0 |" in text
    assert "1 identities, 1 of them reproduced" in text
    demoted = totals(findings(wrong="reproduced"))
    assert (demoted["number"]["reproduced"], demoted["identity"]["reproduced"]) == (0, 2)


def test_rows_show_seeds_errors_both_readings_and_the_wrong_parameter():
    speed, above = table(37.8).split("| end-speed |")[1].split("\n")[:2]
    for cell in ("37.8 m/s", "reproduced", "45 m/s: differs", "1.0e-01", "mass x 2: 50, differs"):
        assert f"| {cell} |" in speed
    assert "71 m/s (59 to 73, 4 of 5)" in above


def test_studies_state_their_tolerance_and_what_it_costs():
    assert "| ends | 3 | 0.0001 | 2.6e-03 of `end-speed` (rtol/10) | 1.2 |" in table(37.8)


def test_what_differs_comes_first_in_words():
    assert "- `end-speed` (number): end of |hunting|; published 38 ± 0.5 m/s, computed 45 m/s" in table(45.0)


def test_published_values_in_words():
    assert published(SPEED) == "38 ± 0.5 m/s"
    assert published(ABOVE) == "above 60 m/s"
    assert published(Claim("a", "", "", (1.0, 2.0), "Hz", 0.0, "")) == "1 to 2 Hz"
    assert computed(SPEED, Verdict(None, "not-run")) == ""
