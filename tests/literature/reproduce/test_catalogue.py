"""The list itself: well-formed claims, and what was reproduced once stays so."""

from math import isfinite
from pathlib import Path

import pytest

from klingel.literature.reproduce.catalogue import all_studies
from klingel.literature.reproduce.run import execute, report
from klingel.literature.reproduce.table import statuses

PAGE = Path(__file__).parents[3] / "docs" / "reproduction.md"
STUDIES = all_studies()
RECORDED = statuses(PAGE.read_text("utf-8"))


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


def test_the_page_shows_every_claim():
    assert set(RECORDED) == {claim.id for study in STUDIES for claim in study.claims}


@pytest.mark.parametrize("study", [study for study in STUDIES if study.fast], ids=lambda study: study.name)
def test_what_was_reproduced_stays_so(study):
    for finding in report(study, execute(study, seed=0)).findings:
        assert finding.status == RECORDED[finding.claim.id], (finding.claim.id, finding.computed, finding.note)
