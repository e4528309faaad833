"""The list itself: well-formed claims, what was reproduced stays so, and claims that can fail."""

import json
from math import isfinite
from pathlib import Path

import pytest

from klingel.literature.reproduce.catalogue import all_studies
from klingel.literature.reproduce.claim import TESTED
from klingel.literature.reproduce.page import admits_age, is_current, kinds, statuses
from klingel.literature.reproduce.run import AS_PRINTED, Extent, cases, execute, report, run

PAGE = Path(__file__).parents[3] / "docs" / "reproduction.md"
STUDIES = all_studies()
TEXT = PAGE.read_text("utf-8")
RECORDED, KINDS = statuses(TEXT), kinds(TEXT)
FAST = [study for study in STUDIES if study.fast]


def test_claims_are_told_apart_and_give_reasons():
    claims = [claim for study in STUDIES for claim in study.claims]
    names = [claim.id for claim in claims] + [study.name for study in STUDIES]
    assert len(set(names)) == len(names)
    for claim in claims:
        assert claim.source, claim.id
        assert claim.reason, claim.id
        assert isfinite(claim.tolerance), claim.id
        assert claim.tolerance >= 0.0, claim.id
        if isinstance(claim.published, tuple):
            assert claim.published[0] < claim.published[1], claim.id


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_numbers_and_ranges_name_a_parameter_that_makes_them_fail(study):
    assert [claim.id for claim in study.claims if claim.kind in TESTED and claim.wrong is None] == []


def test_the_page_shows_every_claim():
    assert set(RECORDED) == {claim.id for study in STUDIES for claim in study.claims}


def test_the_page_knows_its_engine_or_admits_to_be_older():
    """After a change of the engine: `klingel reproduce --check docs/reproduction.md`, or make the page anew."""
    assert is_current(TEXT) or admits_age(TEXT)


def test_every_number_and_range_on_the_page_failed_with_its_wrong_parameter():
    document = {row["id"]: row for row in json.loads(PAGE.with_suffix(".json").read_text("utf-8"))}
    assert set(document) == set(RECORDED)
    assert {name: row["kind"] for name, row in document.items()} == KINDS
    counted = [row for row in document.values() if row["kind"] in TESTED and row["status"] == "reproduced"]
    assert [row["id"] for row in counted if row["wrong"]["status"] != "differs"] == []


@pytest.mark.parametrize("study", FAST, ids=lambda study: study.name)
def test_what_was_reproduced_stays_so(study):
    (case,) = cases(study, 0, Extent()).values()
    for finding in report(study, {AS_PRINTED: execute(study, case)}).findings:
        assert finding.status == RECORDED[finding.claim.id], (finding.claim.id, finding.computed, finding.note)


@pytest.mark.slow
@pytest.mark.parametrize("study", FAST, ids=lambda study: study.name)
def test_a_wrong_parameter_makes_cheap_claims_fail(study):
    (found,) = run((study,), workers=1, extent=Extent(mutations=True))
    for finding in found.findings:
        if finding.claim.kind in TESTED and finding.status == "reproduced":
            assert finding.wrong is not None, finding.claim.id
            assert finding.wrong.status == "differs", (finding.claim.id, finding.wrong)
