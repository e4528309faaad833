"""The report of a run: one HTML page with its inputs, its motion, its pictures, its statistics and its command."""

from collections.abc import Sequence
from pathlib import Path

from klingel._errors import InputError
from klingel.plots.quantity import first_lateral, owner
from klingel.reports.figures import report_pictures
from klingel.reports.page import Picture, Section, write_gallery
from klingel.reports.tables import (
    event_tables,
    motion_table,
    options_table,
    solver_table,
    track_tables,
    vehicle_tables,
    versions_table,
)
from klingel.simulation.run import Run
from klingel.simulation.settled import Settled, settled

PAGE = "index.html"
KINDS = {
    "rest": "has come to rest: no coordinate moves by more than 0.01 mm or 0.01 mrad to either side",
    "off-centre rest": "has come to rest beside the middle of the track, held there by friction",
    "periodic": "is periodic: maxima and periods of every wheelset's lateral motion agree within 2 %",
    "irregular": "is irregular: lasting, but not periodic; several frequencies, or chaos",
    "unsettled": "has not settled: its amplitude still changes by more than 5 %",
    "transient": "is transient: speed or track change in the part judged, or the run did not reach its end",
}


def write_report(
    run: Run, folder: Path, command: str, title: str = "", text: str = "", more: Sequence[Section] = ()
) -> Path:
    """Write `folder`/index.html about the run; `command` is what repeats it, `more` comes before the inputs."""
    found = settled(run)
    pictures, missing = report_pictures(run)
    named = run.vehicle.meta.get("title") or run.vehicle.name
    speed = run.options["speed"]
    heading = title or f"{named} at {speed:.4g} m/s ({3.6 * speed:.4g} km/h)"
    why = f"Left out: {'; '.join(missing)}." if missing else ""
    sections = [
        motion_section(run, found),
        Section("Pictures", why or "Whole run unless the caption says otherwise.", pictures=pictures),
        *more,
        *closing_sections(run, command),
    ]
    return put_page(folder, heading, text or summary(run, found), sections)


def put_page(folder: Path, title: str, text: str, sections: Sequence[Section]) -> Path:
    """The page in its folder, which is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_gallery(folder / PAGE, title, text, sections)
    except OSError as error:
        raise InputError("folder", str(folder), f"must be a place to write to ({error.strerror})") from None


def summary(run: Run, found: Settled) -> str:
    """How the run ended, what it took, what its motion is."""
    stats = run.stats
    return (
        f"The run ended so: {run.ended}. {stats.simulated_time:g} s took {stats.wall_time:.2f} s of computing: "
        f"{stats.accepted} steps, {stats.events} events, each located in time. Of the motion, "
        f"{findings(run, found)}."
    )


def findings(run: Run, found: Settled) -> str:
    """the last third shows a periodic motion, front wheelset 2.50 mm at 5.31 Hz."""
    name = first_lateral(run)
    frequency = found.frequency[name]
    rate = f" at {frequency:.2f} Hz" if frequency is not None else ""
    kind = {"irregular": "an irregular motion", "periodic": "a periodic motion", "rest": "rest"}.get(
        found.kind, f"a motion judged {found.kind}"
    )
    return f"the last third shows {kind}, {owner(name)} {1e3 * found.amplitude[name]:.2f} mm{rate}"


def judgement(found: Settled) -> str:
    return f"The motion, judged by its last third, {KINDS.get(found.kind, f'is judged {found.kind}')}."


def motion_section(run: Run, found: Settled, pictures: Sequence[Picture] = ()) -> Section:
    """What the motion is."""
    text = f"{judgement(found)} This is a simple test on rows of output, a hint and not a proof."
    return Section("Motion", text, pictures=pictures, tables=[motion_table(run, found)])


def closing_sections(run: Run, command: str) -> list[Section]:
    """Events, solver, inputs, versions and the command: the same for every report."""
    return [
        Section("Events", f"{len(run.events)} changes of mode.", tables=event_tables(run)),
        Section("Solver", f"{run.ended}.".capitalize(), tables=[solver_table(run)]),
        Section(
            "Inputs",
            "Everything the run was made from, with units and, where its file tells, sources.",
            tables=[options_table(run), *track_tables(run.track), *vehicle_tables(run.vehicle)],
        ),
        Section("Versions", "", tables=[versions_table(run)]),
        Section("Repeat it", "The same versions give the same numbers.", command),
    ]
