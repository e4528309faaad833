"""The one-sided stop as an element of a vehicle: closed form of one contact, both sides, energy."""

from math import atan2, exp, sqrt

import numpy as np
import pytest

from klingel.elements.stop import Mode, Side, Stop
from klingel.model.description import Element
from klingel.model.layout import Watch
from klingel.model.output import energies
from tests.model.kinds.rig import MASS, move, rig

GAP, STIFFNESS, DAMPING = 0.004, 3e4, 60.0
TIGHT = {"rtol": 1e-11, "atol": 1e-14, "method": "dopri54"}


def stopped(side: Side, damping=DAMPING):
    """Deformation is track minus block: a block that moves to negative x deforms towards the high side."""
    element = Element("foot.stop", "foot", "x", Stop(GAP, STIFFNESS, damping, side))
    return rig(element, free=("x",))[1]


def rebound(damping: float) -> tuple[float, float]:
    """Speed ratio and duration of a contact, m u'' + d u' + k u = 0 until the force vanishes."""
    delta = damping / (2.0 * MASS)
    omega = sqrt(STIFFNESS / MASS - delta**2)
    # force k u + d v vanishes at the first t with tan(omega t) = -2 delta omega / (omega0^2 - 2 delta^2)
    t = atan2(2.0 * delta * omega, 2.0 * delta**2 - STIFFNESS / MASS) / omega
    u, v = np.sin(omega * t) / omega, np.cos(omega * t) - delta / omega * np.sin(omega * t)
    assert abs(STIFFNESS * exp(-delta * t) * u + damping * exp(-delta * t) * v) < 1e-9 * STIFFNESS
    return float(exp(-delta * t) * v), t


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("damping", [0.0, DAMPING])
def test_contact_gives_back_the_closed_form_of_the_rebound(side, damping):
    compiled = stopped(side, damping)
    v0 = -0.5 if side == Side.HIGH else 0.5
    run = move(compiled, {"block.x_dot": v0}, 0.1, **TIGHT)
    ratio, duration = rebound(damping)
    v = run.x[-1, compiled.layout.state("block.x_dot")]
    assert v == pytest.approx(v0 * ratio, rel=1e-9)
    changed = run.events.old != run.events.new
    hit, released = run.events.time[changed][:2]
    assert hit == pytest.approx(GAP / 0.5, rel=1e-10)
    assert released - hit == pytest.approx(duration, rel=1e-8)
    modes = [run.mode[0, 0], *run.events.new[changed].tolist()]
    assert modes == ([Mode.FREE, Mode.CONTACT, Mode.RELEASED, Mode.FREE] if damping else [0, 1, 0])


def test_its_guards_are_typed():
    compiled = stopped(Side.LOW)
    last = compiled.layout.guard_info[-1]
    assert (last.name, last.watch, last.owner) == ("foot.stop.push", Watch.FORCE, "foot.stop")


def test_both_sides_mirror_each_other():
    high, low = stopped(Side.HIGH), stopped(Side.LOW)
    a = move(high, {"block.x_dot": -0.7}, 0.1, output_step=0.001, **TIGHT)
    b = move(low, {"block.x_dot": 0.7}, 0.1, output_step=0.001, **TIGHT)
    assert np.abs(a.x + b.x).max() < 1e-12


def test_energy_is_never_created_and_what_is_left_at_release_is_heat():
    compiled = stopped(Side.HIGH)
    run = move(compiled, {"block.x_dot": -0.5}, 0.1, **TIGHT)
    out = energies(compiled, run.t, run.x, run.memory, run.mode)
    kinetic = 0.5 * MASS * run.x[:, 1] ** 2
    total = kinetic + out.stored[:, 0]
    assert np.all(np.diff(total) < 1e-12)
    ratio, _ = rebound(DAMPING)
    assert total[-1] == pytest.approx(kinetic[0] * ratio**2, rel=1e-8)


def test_a_start_inside_the_stop_begins_in_contact():
    compiled = stopped(Side.HIGH)
    run = move(compiled, {"block.x": -0.005}, 0.001)
    assert run.mode[0, 0] == Mode.CONTACT
