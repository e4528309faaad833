"""The page of the documentation: its table between two marks, the engine it was made with, its statuses."""

from klingel.literature.reproduce.claim import KINDS
from klingel.literature.reproduce.engine import engine_digest
from klingel.literature.reproduce.table import STATUSES

BEGIN = "<!-- begin of table: klingel reproduce --markdown -->"
END = "<!-- end of table -->"
ENGINE = "Engine and studies: "
OLDER = "**Made with an older engine**: sources that decide numbers have changed since; statuses may have, too."
STATUS_COLUMN = 7


def placed(page: str, table: str) -> str:
    """`page` with the table of this engine between its marks, or after its end if there are none."""
    content = f"{BEGIN}\n{ENGINE}`{engine_digest()}`.\n\n{table}\n{END}"
    if BEGIN in page and END in page:
        before, after = page.split(BEGIN, 1)[0], page.split(END, 1)[1]
        return f"{before}{content}{after}"
    return f"{page}{content}\n"


def engine_of(page: str) -> str:
    """Digest of the engine a page was made with; empty if it names none."""
    for line in page.splitlines():
        if line.startswith(ENGINE):
            return line.removeprefix(ENGINE).strip("`. ")
    return ""


def is_current(page: str) -> bool:
    return engine_of(page) == engine_digest()


def admits_age(page: str) -> bool:
    return OLDER in page


def checked(page: str) -> str:
    """The page, saying that an older engine made it if that is so, and not saying it otherwise."""
    page = page.replace(f"{BEGIN}\n{OLDER}\n\n", f"{BEGIN}\n")
    return page if is_current(page) else page.replace(f"{BEGIN}\n", f"{BEGIN}\n{OLDER}\n\n", 1)


def statuses(page: str) -> dict[str, str]:
    """Status by claim id, as a page says."""
    return {cells[1]: cells[STATUS_COLUMN] for cells in _rows(page)}


def kinds(page: str) -> dict[str, str]:
    return {cells[1]: cells[2] for cells in _rows(page)}


def _rows(page: str) -> list[list[str]]:
    found = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.replace("\\|", "").split("|")]
        if len(cells) > STATUS_COLUMN + 1 and cells[2] in KINDS and cells[STATUS_COLUMN] in STATUSES:
            found.append(cells)
    return found
