"""Extents of rest on the page of a critical speed: which of them are final."""

from klingel.reports.critical import rest_section
from klingel.reports.rest_remarks import rest_remarks
from klingel.simulation.critical.result import CriticalSpeed

FARTHER = "may rest farther: a kink of the contact forces stopped the search"
EVIDENCE = (
    {"what": "descents", "value": "4 of 4"},
    {"what": "rest set", "value": f"carbody.y {FARTHER}"},
    {"what": "rest set", "value": "nothing but friction holds load.y"},
)
EXTENTS = {"front_wheelset.y": [-3e-4, 3e-4], "carbody.y": [-0.013, 0.013], "body.y": [-1e-3, 1e-3]}


def test_remarks_belong_to_their_coordinate():
    assert rest_remarks(EXTENTS, EVIDENCE) == {"front_wheelset.y": "", "carbody.y": FARTHER, "body.y": ""}


def test_page_says_which_extents_are_final():
    found = CriticalSpeed("wagon", "none", "", {}, (), {}, EXTENTS, EVIDENCE)
    (table,) = rest_section(found)[0].tables
    assert table.head[3:] == ("final", "remark")
    assert [row[3] for row in table.rows] == ["yes", "no", "yes"]
    assert table.rows[1][4] == FARTHER
    assert rest_section(CriticalSpeed("wagon", "none", "", {}, (), {}, {}, ())) == []
