"""Pictures of a report: which kinds suit a run, which part of it each shows, and what to look for in them."""

from collections.abc import Iterator

from klingel._errors import InputError
from klingel.plots.abscissa import Window
from klingel.plots.catalogue import draw
from klingel.plots.style import encode
from klingel.reports.page import Picture
from klingel.simulation.run import Run

SWINGS = 3.0  # of the end of a run that loops, forces and contact angles show [s]
EVENTS = 3.0  # of its begin that the event diagram shows [s]
CAPTIONS = {
    "vehicle": "The vehicle to scale, from the side and from above.",
    "lateral": "Lateral motion, yaw and roll over the whole run.",
    "vertical": "Vertical motion, roll, pitch and vertical suspension over the whole run.",
    "longitudinal": "Longitudinal motion of the wheelsets, their spin beyond rolling, longitudinal suspension.",
    "shadowing": "Attractors met while the speed changes; left the contact angles met at each lateral position.",
    "curve": "Through the curves: the track at the middle of the vehicle, then motion relative to the track, "
    "and the forces on the wheels.",
    "track": "The track: dots are corners of curvature and cant.",
    "wheelset": "Wheelsets and the forces of the rails on their wheels, {part}.",
    "contact": "Contact angles beside the lateral motion, {part}. A jump is one of the contact point.",
    "phase": "Phase portraits: lateral position and speed.",
    "spectrum": "Power spectra of the lateral motion, second half of the run, with the strongest "
    "frequency; the heading says how many segments were averaged.",
    "hysteresis": "Force over deformation of the suspension, {part}. The area of a loop is heat; its corners "
    "are sliders that begin to slip or stick again.",
    "events": "Changes of mode, {part}. One line per element.",
    "suspension": "Static characteristics of the suspension, moved slowly to and fro with two amplitudes.",
}


def report_pictures(run: Run) -> tuple[list[Picture], list[str]]:
    """All pictures that suit the run, and why others are missing."""
    pictures, missing = [], []
    for kind, subject, window in _plan(run):
        try:
            picture = draw_picture(kind, subject, window)
        except InputError as error:
            missing.append(f"{kind}: {error}")
        else:
            pictures.append(picture)
    return pictures, missing


def draw_picture(kind: str, subject, window: Window | None = None, quantities: tuple[str, ...] = ()) -> Picture:
    """One picture with its caption."""
    part = f"{window[0]:.4g} to {window[1]:.4g} s" if window else "whole run"
    return Picture(
        kind, encode(draw(kind, subject, window=window, quantities=quantities)), CAPTIONS[kind].format(part=part)
    )


def _plan(run: Run) -> Iterator[tuple[str, object, Window | None]]:
    if run.time.size < 2:
        return
    begin, end = float(run.time[0]), float(run.time[-1])
    late, early = (max(begin, end - SWINGS), end), (begin, min(end, begin + EVENTS))
    bent = bool(run.track.alignment.stages)
    yield "vehicle", run.vehicle, None
    if run.options["acceleration"] != 0.0:
        yield "shadowing", run, None
    for kind in ("lateral", "vertical", "longitudinal"):
        yield kind, run, None
    if bent or run.track.irregularity:
        yield "track", run.track, None
    if bent:
        yield "curve", run, None
    for kind in ("wheelset", "contact", "hysteresis"):
        yield kind, run, late
    yield "events", run, early
    if run.options["acceleration"] == 0.0:
        yield "phase", run, None
        yield "spectrum", run, None
    yield "suspension", run.vehicle, None
