"""What a critical speed says about each extent of rest: whether it is final."""

from collections.abc import Iterable, Mapping
from typing import Any

EVIDENCE = "rest set"  # kind of the lines that say why an extent is missing or not final


def rest_remarks(extents: Iterable[str], evidence: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Coordinate -> why its extent is not final; empty where it is. Such lines begin with the coordinate."""
    told = [str(line["value"]) for line in evidence if line["what"] == EVIDENCE]
    return {
        name: "; ".join(text.removeprefix(f"{name} ") for text in told if text.startswith(f"{name} "))
        for name in extents
    }
