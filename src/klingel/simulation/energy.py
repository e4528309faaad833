"""Energy balance of a run: the change of kinetic energy is the work of every force, traction and impacts included.

Energies are those of an observer at rest beside the track, so a body that runs at V + dx/dt has the kinetic energy
m (V + dx/dt)^2 / 2, and a wheelset I_y (V/r0 + spin)^2 / 2 about its axle.

==========  ====================================================================================================
part        power
==========  ====================================================================================================
gravity     -m g dz/dt of every body
suspension  of all port forces on both their bodies: F v + M omega, the moment with its second-order term
wheels      of all contact forces: F v + M omega of the wheelset
guides      of closed guides (resting contact) and of stuck faces of rigid friction
traction    F V of the force that keeps a body without the coordinate x at the prescribed speed, impacts included
impacts     jumps of the kinetic energy at closing guides and at the end of rigid slip, seen from the moving train
==========  ====================================================================================================

Powers are summed by Gauss's rule with three points between neighbouring rows, on the cubic through states and
their derivatives, so rows must be those of the integrator (`simulate(..., output_step=None)`). Nothing is divided
by a mass here: accelerations enter the cubic only. What is left over is the error of integration and quadrature.

Straight, level track, irregular or not, and wheels on profiles: in curves the frames of the bodies turn, and the
forces of conical wheelsets do no work along the track.
"""

from dataclasses import dataclass, replace

import numpy as np

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.contact.table.wheel_table import Row, WheelTable
from klingel.elements.rigid_friction import Mode
from klingel.model.builder import Compiled
from klingel.model.description import APART, COORDINATES, EQUIVALENT, INCLUDED, SPIN, Connection, Vehicle
from klingel.model.kinds.registry import Kind, kind_of
from klingel.model.kinds.wheels import wheel_following
from klingel.model.on_track.track_tables import distances, irregularity_at, is_plain
from klingel.model.output import Contact, Outputs, outputs
from klingel.model.system import BodyField, Head
from klingel.model.system import Run as Place
from klingel.simulation.run import Run
from klingel.simulation.setup import contact_sides, put_on_track
from klingel.track.irregularity import Value

STICK = int(Mode.STICK)
NODES = 0.5 + np.sqrt(0.15) * np.array([-1.0, 0.0, 1.0])  # of Gauss's rule on 0..1
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0


@dataclass(frozen=True)
class EnergyBalance:
    """Over the rows of the run [J]; works are counted from its start."""

    time: np.ndarray
    kinetic: np.ndarray
    work: dict[str, np.ndarray]  # gravity, suspension, wheels, guides, traction, impacts
    turnover: float  # sum over all parts of the integral of |power|

    @property
    def residual(self) -> np.ndarray:
        """Change of kinetic energy that no work accounts for [J]."""
        return self.kinetic - self.kinetic[0] - sum(self.work.values())

    @property
    def relative(self) -> float:
        """Largest residual, as a part of the energy turned over."""
        return float(np.abs(self.residual).max() / self.turnover)


@dataclass(frozen=True)
class _Rows:
    """States of all bodies at some rows."""

    t: np.ndarray
    position: dict[str, np.ndarray]  # body -> [row][6], pitch of spinning bodies zero
    velocity: dict[str, np.ndarray]  # body -> [row][6], V and V/r0 included


def energy_balance(run: Run) -> EnergyBalance:
    """Kinetic energy and works of a run that has a row for every step."""
    check_kind("run", run, Run, "a run, as kg.simulate or kg.load_run gives it")
    if run.options["output_step"] is not None:
        raise InputError("run", f"rows every {run.options['output_step']:g} s", "must have output_step=None")
    vehicle, options = run.integrated_vehicle, run.options
    if vehicle.conical_wheelsets:
        raise InputError(
            "vehicle", vehicle.name, "must run on profiled wheels for an energy balance, not on cones"
        )
    if any(w.spin_moment == INCLUDED or w.patches == EQUIVALENT or w.turning == APART for w in vehicle.wheelsets):
        allowed = "must have no spin moments, each patch for itself and rigid axles for an energy balance"
        raise InputError("vehicle", vehicle.name, allowed)
    if not is_plain(replace(run.track, irregularity=())):
        raise InputError("track", run.track.title or None, "must be straight and level for an energy balance")
    compiled = put_on_track(vehicle, run.track, options["speed"], options["acceleration"], options["distance"])
    wheel_following.begin(compiled.system, not wheel_following.jumps(compiled.system))
    t, (x, memory, mode) = run.time, run.rows()
    slope = outputs(compiled, t, x, memory, mode).acceleration
    step = np.diff(t)
    power: dict[str, np.ndarray] = {}
    turnover = 0.0
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        rows = hermite(node, step, x, slope)
        parts = _powers(run, vehicle, compiled, t[:-1] + node * step, rows, memory[:-1], mode[:-1])
        for name, values in parts.items():
            power[name] = power.get(name, 0.0) + weight * values * step
            turnover += float(np.sum(weight * np.abs(values) * step))
    kinetic = _kinetic(run, vehicle, compiled, t, x)
    jump = np.where(step == 0.0, np.diff(kinetic), 0.0)
    pushed = np.where(step == 0.0, np.diff(_momentum(vehicle, compiled, x)), 0.0)
    pushed *= run.options["speed"] + run.options["acceleration"] * t[1:]
    power["traction"] = power["traction"] + pushed
    power["impacts"] = jump - pushed
    work = {name: np.concatenate([[0.0], np.cumsum(values)]) for name, values in power.items()}
    return EnergyBalance(t, kinetic, work, turnover + float(np.abs(pushed).sum() + np.abs(jump - pushed).sum()))


def hermite(s: float, step: np.ndarray, x: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Rows at the part s of every step, on the cubic through states and their derivatives."""
    h = step[:, None]
    low, high = x[:-1], x[1:]
    bend = (1.0 - 2.0 * s) * (high - low) + (s - 1.0) * h * slope[:-1] + s * h * slope[1:]
    return (1.0 - s) * low + s * high + s * (s - 1.0) * bend


def _motion(run: Run, vehicle: Vehicle, compiled: Compiled, t: np.ndarray, x: np.ndarray) -> _Rows:
    speed = run.options["speed"] + run.options["acceleration"] * t
    radius = {w.body: w.radius for w in vehicle.wheelsets}
    place, rate = {}, {}
    for body in vehicle.bodies:
        q, v = np.zeros((t.size, 6)), np.zeros((t.size, 6))
        for k, name in enumerate(COORDINATES):
            if name in body.free:
                q[:, k] = x[:, compiled.layout.state(f"{body.name}.{name}")]
                v[:, k] = x[:, compiled.layout.state(f"{body.name}.{name}_dot")]
        if SPIN in body.free:
            v[:, 4] = x[:, compiled.layout.state(f"{body.name}.{SPIN}_dot")] + speed / radius[body.name]
        v[:, 0] += speed
        place[body.name], rate[body.name] = q, v
    return _Rows(t, place, rate)


def _kinetic(run: Run, vehicle: Vehicle, compiled: Compiled, t: np.ndarray, x: np.ndarray) -> np.ndarray:
    motion = _motion(run, vehicle, compiled, t, x)
    inertia = {b.name: np.array([b.mass] * 3 + list(b.inertia)) for b in vehicle.bodies}
    return sum((0.5 * motion.velocity[name] ** 2 @ m for name, m in inertia.items()), np.zeros(t.size))


def _momentum(vehicle: Vehicle, compiled: Compiled, x: np.ndarray) -> np.ndarray:
    """Longitudinal, of the bodies that may run ahead: an impact hands it to those that may not."""
    free = [b for b in vehicle.bodies if "x" in b.free]
    return sum((b.mass * x[:, compiled.layout.state(f"{b.name}.x_dot")] for b in free), np.zeros(len(x)))


def _powers(run: Run, vehicle: Vehicle, compiled: Compiled, t, x, memory, mode) -> dict[str, np.ndarray]:
    out = outputs(compiled, t, np.ascontiguousarray(x), memory, mode)
    motion = _motion(run, vehicle, compiled, t, x)
    pull = {b.name: np.zeros(t.size) for b in vehicle.bodies}  # longitudinal, of suspension, guides and wheels
    parts = {
        "gravity": -vehicle.gravity * sum(b.mass * motion.velocity[b.name][:, 2] for b in vehicle.bodies),
        "suspension": _suspension(vehicle, compiled, motion, out, pull),
        "guides": _held(vehicle, compiled, motion, out, mode, pull),
        "wheels": _wheels(run, vehicle, compiled, motion, out, mode, pull),
    }
    traction = np.zeros(t.size)
    for body in vehicle.bodies:
        if "x" not in body.free:
            force = body.mass * run.options["acceleration"] - pull[body.name]
            traction += force * motion.velocity[body.name][:, 0]
    return parts | {"traction": traction}


def _arm(vehicle: Vehicle, link: Connection, name: str) -> np.ndarray:
    return np.array(link.point) - next(np.array(b.position) for b in vehicle.bodies if b.name == name)


def _suspension(vehicle: Vehicle, compiled: Compiled, motion: _Rows, out: Outputs, pull: dict) -> np.ndarray:
    total = np.zeros(motion.t.size)
    for link in vehicle.connections:
        load = out.force[:, [compiled.layout.ports[f"{link.name}.{direction}"] for direction in COORDINATES]]
        for name, sign in ((link.inner, 1.0), (link.outer, -1.0)):
            if name not in pull:
                continue
            force, moment, v = sign * load[:, :3], sign * load[:, 3:], motion.velocity[name]
            seen = force - np.cross(motion.position[name][:, 3:], force)
            moment = moment + np.cross(_arm(vehicle, link, name), seen)
            total += np.sum(force * v[:, :3], axis=1) + np.sum(moment * v[:, 3:], axis=1)
            pull[name] += force[:, 0]
    return total


def _held(vehicle: Vehicle, compiled: Compiled, motion: _Rows, out: Outputs, mode, pull: dict) -> np.ndarray:
    """Forces of constraints, which no port has."""
    total = np.zeros(motion.t.size)
    links = {link.name: link for link in vehicle.connections}
    for element in vehicle.elements:
        if kind_of(element.law) not in (Kind.GUIDE, Kind.RIGID_FRICTION):
            continue
        held = 1.0
        if kind_of(element.law) == Kind.RIGID_FRICTION:
            held = mode[:, compiled.layout.modes.index(element.name)] == STICK
        link = links[element.connection]
        for n, direction in enumerate(element.directions):
            pushes = held * out.element[:, compiled.layout.slots[element.name] + n]
            axis = np.eye(6)[COORDINATES.index(direction)]
            for name, sign in ((link.inner, 1.0), (link.outer, -1.0)):
                if name not in pull:
                    continue
                force, turn = sign * pushes[:, None] * axis[:3], sign * pushes[:, None] * axis[3:]
                moment, v = turn + np.cross(_arm(vehicle, link, name), force), motion.velocity[name]
                total += np.sum(force * v[:, :3], axis=1) + np.sum(moment * v[:, 3:], axis=1)
                pull[name] += force[:, 0]
    return total


def _wheels(run: Run, vehicle: Vehicle, compiled: Compiled, motion: _Rows, out: Outputs, mode, pull) -> np.ndarray:
    total = np.zeros(motion.t.size)
    for k, wheelset in enumerate(vehicle.wheelsets):
        tables = contact_sides(wheelset, run.track)
        place, v = motion.position[wheelset.body], motion.velocity[wheelset.body]
        shift = place[:, 1] + _rails_aside(compiled, wheelset.body, motion.t)
        for side in range(2):
            w = 2 * k + side
            state = mode[:, compiled.layout.modes.index(compiled.layout.wheels[w])]
            if compiled.system.f[compiled.system.i[Head.RUN] + Place.FOLLOWS]:
                bounds = tables[side].bounds
                state = np.clip(np.searchsorted(bounds, shift, "right") - 1, 0, bounds.size - 2)
            for part in range(2):
                c = np.nan_to_num(out.contact[:, w, part])
                section = np.minimum(state // 2 + part, tables[side].start.size - 1)
                depth, cosine = (_column(tables[side], section, shift, k) for k in (Row.WHEEL_Z, Row.COS))
                sine = c[:, Contact.ANGLE_SIN]
                tx, ty, n = c[:, Contact.CREEP_X], c[:, Contact.CREEP_Y], c[:, Contact.NORMAL]
                force = np.column_stack([tx, ty * cosine - n * sine, ty * sine + n * cosine])
                point = np.column_stack([np.zeros_like(depth), c[:, Contact.WHEEL_Y], depth])
                moment = np.cross(point, force)
                turn = place[:, 3:] * np.array([1.0, 0.0, 1.0])
                force = force + np.cross(turn, force)
                pull[wheelset.body] += force[:, 0]
                total += np.sum(force * v[:, :3], axis=1) + np.sum(moment * v[:, 3:], axis=1)
    return total


def _rails_aside(compiled: Compiled, body: str, t: np.ndarray) -> np.ndarray:
    """How far a wheelset stands to the left of its rails when it is in the middle of the ideal track [m]."""
    system, b = compiled.system, compiled.layout.bodies.index(body)
    rails = irregularity_at(system, distances(system, t, b))
    height = system.f[system.i[Head.BODY] + BodyField.SIZE * b + BodyField.Z]
    return height * rails[:, Value.ROLL] - rails[:, Value.LATERAL]


def _column(table: WheelTable, section: np.ndarray, shift: np.ndarray, column: Row) -> np.ndarray:
    """One column of a contact table, of one section per row.

    The cosine is not that of the sine: both are splines, and beyond a jump they may part by some per cent.
    """
    held = np.clip(shift, table.hold_low[section], table.hold_high[section])
    s = (held - table.start[section]) * table.per_step[section]
    j = np.clip(s.astype(int), 0, table.count[section] - 1)
    c = table.coefficients[table.first[section] + j, :, column]
    s = s - j
    return c[:, 0] + s * (c[:, 1] + s * (c[:, 2] + s * c[:, 3]))
