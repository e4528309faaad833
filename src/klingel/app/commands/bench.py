"""`klingel bench`: speed next to peers, as ratios measured in one run."""

from typing import Annotated

import typer

from klingel.app.console import note, print_json


def bench(
    json: Annotated[bool, typer.Option("--json", help="one JSON document on standard output")] = False,
) -> None:
    """Measure our speed and that of peers in one run; an aim that is missed says so.

    Example: klingel bench --json
    """
    from klingel.bench import catalogue

    rows = []
    for row in catalogue.rows(note):
        rows.append(row)
        if not json:
            print(_line(row))
    if json:
        print_json([row.as_dict() for row in rows])


def _line(row) -> str:
    ours = f"{row.ours:.4g} {row.unit}"
    if row.peer_value is None:
        verdict = {True: "met", False: "MISSED", None: row.note or "no aim"}[row.met]
        if row.met is not None and row.note:
            verdict += f" ({row.note})"
        aim = f"aim at most {row.aim:g} {row.unit}" if row.aim is not None and not row.peer else ""
        return f"{row.name}: {ours} {row.peer} {aim} {verdict}".replace("  ", " ")
    verdict = "" if row.aim is None else f", aim {row.aim:g}: {'met' if row.met else 'MISSED'}"
    return (
        f"{row.name}: {ours}; {row.peer}: {row.peer_value:.4g} {row.unit} ({row.note}); "
        f"{row.ratio:.1f} times faster{verdict}"
    )
