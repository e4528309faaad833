"""`klingel bench`: speed next to peers, as ratios measured in one run."""

from klingel.app.console import note, print_json
from klingel.app.options import Json


def bench(
    json: Json = False,
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
        verdict = {True: "met", False: "MISSED", None: "" if row.note else "no aim"}[row.met]
        aim = f"aim at most {row.aim:g} {row.unit}" if row.aim is not None and not row.peer else ""
        note = f"({row.note})" if row.note else ""
        return " ".join(f"{row.name}: {ours} {row.peer} {aim} {verdict} {note}".split())
    verdict = "" if row.aim is None else f", aim {row.aim:g}: {'met' if row.met else 'MISSED'}"
    return (
        f"{row.name}: {ours}; {row.peer}: {row.peer_value:.4g} {row.unit} ({row.note}); "
        f"{row.ratio:.1f} times faster{verdict}"
    )
