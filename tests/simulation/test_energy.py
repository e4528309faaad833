"""Energy balance: change of kinetic energy = work of every force, traction and impacts included."""

from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.track.irregularity import Random, Shift

BRAKING = -5.0  # [m/s2]


@cache
def balance(kind, rtol, locate="auto"):
    """Run and its balance: 1 s each, with one method, so that tolerances can be compared."""
    speed, acceleration, kick = {
        "quiet": (20.0, 0.0, {"front_wheelset.y": 1e-3, "carbody.y": 1e-3}),
        "hunting": (45.0, 0.0, {"front_wheelset.y": 5e-3}),
        "bouncing": (30.0, 0.0, {"carbody.z": 5e-3, "carbody.roll": 2e-3, "carbody.pitch": 1e-3}),
        "impacts": (30.0, BRAKING, {}),
    }[kind]
    run = kg.simulate(
        kg.load_vehicle("hbbills311"), kg.Track.straight(), speed, 1.0, kick, acceleration, "dopri54", rtol,
        atol=1e-2 * rtol, output_step=None, locate=locate,
    )  # fmt: skip
    return run, kg.energy_balance(run)


@pytest.mark.parametrize("kind", ["quiet", "hunting", "bouncing", "impacts"])
def test_work_is_the_change_of_kinetic_energy(kind):
    run, found = balance(kind, 1e-8)
    assert run.stats.events > 10
    assert found.relative < 1e-6
    # the same against the parts that have nothing to do with the speed of the train
    own = sum(np.ptp(found.work[part]) for part in ("gravity", "suspension", "guides", "impacts"))
    assert np.abs(found.residual).max() < 2e-5 * own


@pytest.mark.parametrize("kind", ["quiet", "hunting"])
def test_residual_is_error_of_integration(kind):
    """Two decades tighter: at least a decade and a half less, or down to rounding of 10 MJ.

    All events are located: the rule that sums up the work is of low order in steps with a kink inside.
    """
    coarse, fine = (np.abs(balance(kind, rtol, "all")[1].residual).max() for rtol in (1e-6, 1e-8))
    assert fine < max(0.03 * coarse, 1e-6)


@pytest.mark.parametrize(
    ("speed", "rails"),
    [(20.0, Random("B176 high", seed=1, length=400.0, taper=10.0)), (45.0, Shift(0.008, at=10.0))],
    ids=["rough rails", "thrown against the flange"],
)
def test_irregular_rails_do_work_like_any_other(speed, rails):
    """Beside the start, so that the rails are those of the distance; the residual follows the tolerance."""
    track = kg.Track.straight(irregularity=(rails,))
    residual = []
    for rtol in (1e-6, 1e-8):
        run = kg.simulate(
            kg.load_vehicle("hbbills311"), track, speed, 1.0, rtol=rtol, atol=1e-2 * rtol, output_step=None,
            distance=3.0,
        )  # fmt: skip
        found = kg.energy_balance(run)
        assert found.relative < 1e-6
        residual.append(np.abs(found.residual).max())
    assert residual[1] < 0.05 * residual[0]


def test_suspension_consumes():
    """Springs store and gravity gives back; over a second of hunting the friction has taken more."""
    _, found = balance("hunting", 1e-8)
    assert found.work["suspension"][-1] + found.work["gravity"][-1] < 0.0


def test_impacts_consume_what_restitution_says():
    """Both corners of a wheelset strike at once: (1 - e^2)/2 m v^2 with the mass the guides feel."""
    run, found = balance("impacts", 1e-8)
    wagon = kg.load_vehicle("hbbills311").meta["parameters"]
    rows = np.flatnonzero((np.diff(run.time) == 0.0) & (np.diff(found.work["impacts"]) < 0.0))
    first = rows[0]
    arm = wagon.carbody_height - wagon.radius
    mass = 1.0 / (1.0 / wagon.wheelset_mass + arm**2 / wagon.carbody_inertia[1])
    speed = run["rear_wheelset.x_dot"].to_numpy()[first] + arm * run["carbody.pitch_dot"].to_numpy()[first]
    lost = 0.5 * (1.0 - wagon.guide_restitution**2) * mass * speed**2
    assert -np.diff(found.work["impacts"])[first] == pytest.approx(lost, rel=1e-7)


def test_rows_must_be_those_of_the_integrator():
    run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 30.0, 0.1)
    with pytest.raises(kg.InputError, match=r"run: must have output_step=None, got .rows every 0.01 s"):
        kg.energy_balance(run)


@pytest.mark.parametrize(
    ("name", "track", "line"),
    [
        ("hbbills311", kg.Track.curve(1000.0, lead_in=20.0), "track: must be straight and level"),
        ("cooperrider", kg.Track.straight(), "vehicle: must run on profiled wheels"),
    ],
)
def test_only_where_every_force_is_counted(name, track, line):
    run = kg.simulate(kg.load_vehicle(name), track, 30.0, 0.1, output_step=None)
    with pytest.raises(kg.InputError, match=line):
        kg.energy_balance(run)
