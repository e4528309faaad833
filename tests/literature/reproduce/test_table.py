"""The table of the documentation: replaced between its marks, and read back."""

from math import inf

from klingel.literature.reproduce.claim import Claim, Study, judge
from klingel.literature.reproduce.run import Report
from klingel.literature.reproduce.table import placed, published, render, statuses

SPEED = Claim("end-speed", "5.7", "end of |hunting|", 38.0, "m/s", 0.5, "half a digit")
ABOVE = Claim("loaded", "5.8", "end of hunting", (60.0, inf), "m/s", 0.0, "printed bound")


def table(value):
    findings = (judge(SPEED, value), judge(ABOVE, 70.0))
    return render([Report(Study("ends", dict, (SPEED, ABOVE), True), findings, 1.25)], seed=3)


def test_a_page_keeps_its_words_and_takes_the_new_table():
    page = placed("# Title\n\n", table(37.8)) + "\nAfterwards.\n"
    again = placed(page, table(45.0))
    assert again.startswith("# Title\n")
    assert again.endswith("\nAfterwards.\n")
    assert statuses(page) == {"end-speed": "reproduced", "loaded": "reproduced"}
    assert statuses(again) == {"end-speed": "differs", "loaded": "reproduced"}
    assert placed(again, table(37.8)) == page
    assert "| ends | 2 | 1.2 |" in page


def test_published_values_in_words():
    assert published(SPEED) == "38 ± 0.5 m/s"
    assert published(ABOVE) == "above 60 m/s"
    assert published(Claim("a", "", "", (1.0, 2.0), "Hz", 0.0, "")) == "1 to 2 Hz"
