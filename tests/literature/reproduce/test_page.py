"""The page: replaced between its marks, read back, and honest about the engine that made it."""

from klingel.literature.reproduce import page as pages
from klingel.literature.reproduce.engine import PACKAGE, deciding_files, engine_digest
from tests.literature.reproduce.test_table import table


def test_a_page_keeps_its_words_and_takes_the_new_table():
    page = pages.placed("# Title\n\n", table(37.8)) + "\nAfterwards.\n"
    again = pages.placed(page, table(45.0))
    assert again.startswith("# Title\n")
    assert again.endswith("\nAfterwards.\n")
    assert pages.statuses(page) == {"end-speed": "reproduced", "loaded": "reproduced", "gap": "reproduced"}
    assert pages.statuses(again)["end-speed"] == "differs"
    assert pages.kinds(again) == {"end-speed": "number", "loaded": "direction", "gap": "identity"}
    assert pages.placed(again, table(37.8)) == page


def test_a_page_says_when_an_older_engine_made_it():
    page = pages.placed("# Title\n\n", table(37.8))
    assert pages.is_current(page)
    assert pages.checked(page) == page
    old = page.replace(engine_digest(), "0123456789abcdef")
    assert not pages.is_current(old)
    told = pages.checked(old)
    assert pages.admits_age(told)
    assert not pages.admits_age(old)
    assert pages.checked(told) == told
    assert pages.checked(told.replace("0123456789abcdef", engine_digest())) == page


def test_the_digest_covers_what_decides_numbers_and_no_pictures():
    names = {path.relative_to(PACKAGE).as_posix() for path in deciding_files()}
    deciding = {
        "contact/patch/kalker.py",
        "vehicles/parameters/kbps.toml",
        "simulation/integration.py",
        "literature/hoffmann/wagon_runs.py",
        "literature/reproduce/claim.py",
    }
    assert deciding <= names
    shown = ("plots/", "reports/", "app/", "bench/", "literature/reproduce/table.py", "simulation/storing.py")
    assert not [name for name in names if name.startswith(shown)]
