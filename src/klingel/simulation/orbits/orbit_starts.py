"""First orbit of a vehicle: at the speed at which rest loses its stability, or what a run has settled to."""

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from klingel._errors import InputError
from klingel.analysis.motion_kinds import AT_REST, IRREGULAR, UNSETTLED, Stretch, judge
from klingel.analysis.orbits.arclength import NoConvergence
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, find_near, orbit_of_run
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.validity import check
from klingel.model.layout import Moves
from klingel.numerics.trajectory import Trajectory
from klingel.simulation.integration import Start as State
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.lateral_motion import lateral_motion, lateral_names
from klingel.simulation.orbits.hopf import HopfPoint
from klingel.simulation.orbits.result import VehicleBranch
from klingel.simulation.orbits.vehicle_family import VehicleFamily
from klingel.simulation.request.parts import Placing, Solving

SMALL = 1e-4  # largest displacement of the first orbit at a Hopf point [m, rad]
KICK = 5e-3  # of the first wheelset, for a run that finds an orbit [m]
SETTLES = 30.0  # how long it runs [s]
JUDGED = 1 / 3  # of it, at its end
ROWS = 0.002  # between rows of it [s]


@dataclass(frozen=True)
class FirstOrbit:
    orbit: Orbit
    along: np.ndarray | None  # direction in the unknowns to leave in, in units of the weights


def orbit_at_hopf(of: VehicleFamily, hopf: HopfPoint, settings: Settings) -> FirstOrbit:
    """The small orbit in the plane of the mode that loses its damping."""
    compiled, rest = of.at(hopf.value)
    shape = np.array([hopf.mode[name] for name in compiled.layout.states])
    start = Start(rest.x + SMALL * np.real(shape), rest.memory, rest.mode)
    mirror = None if of.family.symmetry is None else np.asarray(of.family.symmetry)[: shape.size, : shape.size]
    half = mirror is not None and bool(np.allclose(mirror @ shape, -shape, atol=1e-6 * np.abs(shape).max()))
    settings = replace(settings, half=half)
    try:
        guess = orbit_of_run(of.family, hopf.value, start, 1.0 / hopf.frequency, settings)
        e = guess.equations
        along = np.zeros(guess.unknowns.size)
        turns = np.concatenate([[0.0], np.cumsum(_shares(guess))])[:-1] * (0.5 if half else 1.0)
        for k, part in enumerate(turns):
            grown = SMALL * (shape * np.exp(2j * np.pi * part)).real
            along[k * e.size : k * e.size + grown.size] = grown / e.weights[k * e.size : k * e.size + grown.size]
        along /= np.linalg.norm(along)
        return FirstOrbit(guess.corrected(settings.tolerance, along), along)
    except (NoConvergence, NoOrbit, FlowError) as error:
        where = f"{of.parameter} = {hopf.value:.6g}, where rest loses its stability"
        allowed = f"must be a vehicle with a periodic motion near {where}: {error}"
        raise InputError("vehicle", of.vehicle.name, allowed) from error


def _shares(orbit: Orbit) -> np.ndarray:
    e = orbit.equations
    spans = e.times(e.unpack(orbit.unknowns)[1], 0.0)[1]
    return spans / spans.sum()


def orbit_of_settled(of: VehicleFamily, value: float, start: State | None, settings: Settings) -> FirstOrbit:
    """What the motion from a start (or a kick of the first wheelset) has settled to."""
    compiled, rest = of.at(value)
    if start is None:
        leading = lateral_names(compiled.layout.state_info, compiled.layout.rolling)[0]
        start = start_from_rest(compiled, rest, {leading: KICK})
    run = bare_run(compiled, start, SETTLES, Solving(), ROWS)
    where = f"{of.parameter} = {value:.6g}"
    frequency, irregular = _frequency(of, run, where)
    settled, failed = Start(run.x[-1], run.memory[-1], run.mode[-1]), ""
    for half in (True, False) if of.family.symmetry is not None else (False,):
        try:
            last = _centred(of, value, run) if half and compiled.memory_size else settled
            orbit = find_near(of.family, value, last, 1.0 / frequency, replace(settings, half=half))
            verdict = check(orbit)
            if verdict.valid:
                return FirstOrbit(orbit, None)
            failed = verdict.reason
        except (NoConvergence, NoOrbit, FlowError) as error:
            failed = str(error)
    told = irregular or f"none was found there: {failed}"
    raise InputError("start", where, f"must settle to a motion that repeats; {told}")


def orbit_of_branch(of: VehicleFamily, value: float, branch: VehicleBranch, settings: Settings) -> FirstOrbit:
    """The point of a stored branch nearest to a value of the same parameter, stable or not."""
    if branch.settings["parameter"] != of.parameter or branch.settings["name"] != of.vehicle.name:
        told = f"a branch of {branch.settings['name']} over {branch.settings['parameter']}"
        raise InputError("start", told, f"must be a branch of {of.vehicle.name} over {of.parameter}")
    k = int(np.argmin(np.abs(branch.parameter - value)))
    near = float(branch.parameter[k])
    x, memory, mode = (branch[name][k].to_numpy() for name in ("state", "memory", "mode"))
    memory, mode = memory[~np.isnan(memory)], mode[mode >= 0]  # where there are none, one column says so
    if x.size != len(of.layout.states) or mode.size != len(of.layout.modes):
        raise InputError("start", "a branch", "must be one of a vehicle with the same bodies and elements")
    start = Start(np.array(x, float), np.array(memory, float), np.array(mode, np.int8))
    half = bool(branch["half"][k]) and of.family.symmetry is not None
    try:
        orbit = find_near(of.family, near, start, float(branch["period"][k]), replace(settings, half=half))
    except (NoConvergence, NoOrbit, FlowError) as error:
        where = f"{of.parameter} = {near:.6g}"
        raise InputError(
            "start", where, f"must be a motion of this vehicle; none was found there: {error}"
        ) from error
    with suppress(NoConvergence, FlowError):
        there = replace(orbit, unknowns=np.append(orbit.unknowns[:-1], value)).corrected(settings.tolerance)
        orbit = there if check(there).valid else orbit
    return FirstOrbit(orbit, None)


def _centred(of: VehicleFamily, value: float, run: Trajectory) -> Start:
    """The same motion about the middle on unloaded sliders, settled again.

    Sliders that stick all the time hold a vehicle beside the middle; of these orbits the symmetric one is meant.
    """
    compiled, rest = of.at(value)
    late = run.x[run.t >= run.t[-1] * (1.0 - JUDGED)]
    away = late[-1] - late.mean(axis=0)
    offsets = {name: float(away[k]) for k, name in enumerate(of.layout.states) if away[k] != 0.0}
    again = bare_run(compiled, start_from_rest(compiled, rest, offsets, Placing.BARE), SETTLES, Solving(), None)
    return Start(again.x[-1], again.memory[-1], again.mode[-1])


def _frequency(of: VehicleFamily, run: Trajectory, where: str) -> tuple[float, str]:
    """Of the motion; and in words what it seems to be if it does not repeat.

    A motion that seems irregular may lie about an orbit all the same: undamped oscillations of a carbody on its
    leaf springs go on for minutes.
    """
    layout = of.layout
    rows = run.t >= run.t[-1] * (1.0 - JUDGED)
    positions = [k for k, state in enumerate(layout.state_info) if state.moves == Moves.POSITION]
    rates = [layout.rate_of(layout.state_info[k].name) for k in positions]
    coordinates = lateral_motion(layout.state_info, layout.rolling)
    motion = judge(Stretch(run.t[rows], run.x[rows][:, positions], run.x[rows][:, rates], coordinates))
    if motion.kind in AT_REST:
        raise InputError("start", where, "must settle to a motion; this one comes to rest there")
    if motion.kind in (IRREGULAR, UNSETTLED):
        told = "is irregular" if motion.kind == IRREGULAR else f"has not settled after {SETTLES:g} s"
        frequency = motion.frequency.get(motion.evidence.get("leader", ""))
        if frequency is None:
            raise InputError("start", where, f"must settle to a motion that repeats; this one {told}")
        return frequency, f"this one {told}"
    frequency = motion.frequency[motion.evidence["leader"]]
    assert frequency is not None
    turns = 1 if not motion.kind.startswith("period-") else int(motion.kind.removeprefix("period-"))
    return frequency / turns, ""
