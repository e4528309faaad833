"""Rest of bogies held by dry friction: a box by closed form, and corners of all friction on creeping wheelsets."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import fsolve

from klingel.io.vehicle.files import parse_vehicle
from klingel.simulation.resting.rest_set import rest_set

HALF_BASE, BEARER = 1.2, 0.9  # wheelsets and side bearers from the middle of the frame [m]
LATERAL, TURNING = 3e5, 8e5  # springs between frame and carbody, which stands still [N/m, Nm/rad]
PRIMARY, GUIDING = 4e6, 6e6  # between frame and wheelset [N/m, Nm/rad]
LIMITS = {"front": 900.0, "rear": 600.0, "pivot": 400.0}  # of the friction [N, N, Nm]
CONICITY, RADIUS, HALF_GAUGE, CREEP, PSI, PHI, ADHESION = 0.12, 0.46, 0.75, 6e6, 0.54, 0.6, 4e4
FRAME = f"""
name = "friction_bogie"
[bodies.frame]
mass = "3000 kg"
inertia = ["2000 kg m2", "2000 kg m2", "4000 kg m2"]
position = ["0 m", "0 m", "0.6 m"]
free = ["y", "yaw"]
[connections.pivot]
inner = "track"
outer = "frame"
point = ["0 m", "0 m", "0.6 m"]
[connections.front_bearer]
inner = "track"
outer = "frame"
point = ["{BEARER} m", "0 m", "0.6 m"]
[connections.rear_bearer]
inner = "track"
outer = "frame"
point = ["{-BEARER} m", "0 m", "0.6 m"]
"""
SLIDER = """
[elements.{at}.slider]
law = "dry_friction"
direction = "{direction}"
stiffness = "{stiffness}"
limit = "{limit}"
"""
SPRING = """
[elements.{at}.spring_{direction}]
law = "spring"
direction = "{direction}"
stiffness = "{stiffness}"
"""
WHEELSET = """
[bodies.{name}]
mass = "1000 kg"
inertia = ["700 kg m2", "100 kg m2", "700 kg m2"]
position = ["{x} m", "0 m", "0.46 m"]
free = ["y", "yaw"]
[connections.{name}_guide]
inner = "{name}"
outer = "frame"
point = ["{x} m", "0 m", "0.46 m"]
[conical_wheelsets.{name}]
conicity = {conicity}
radius = "{radius} m"
half_gauge = "{half_gauge} m"
creep_stiffness = "{creep} N"
psi = {psi}
phi = {phi}
adhesion_limit = "{adhesion} N"
"""


def bogie(bearers_have_springs: bool = False):
    """Sliders at both bearers and against yaw at the pivot; springs at the pivot, or at the bearers."""
    text = FRAME
    for end in ("front", "rear"):
        text += SLIDER.format(at=f"{end}_bearer", direction="y", stiffness="5 MN/m", limit=f"{LIMITS[end]} N")
        if bearers_have_springs:
            text += SPRING.format(at=f"{end}_bearer", direction="y", stiffness=f"{LATERAL} N/m")
    if not bearers_have_springs:
        text += SLIDER.format(at="pivot", direction="yaw", stiffness="5 MNm/rad", limit=f"{LIMITS['pivot']} Nm")
        text += SPRING.format(at="pivot", direction="y", stiffness=f"{LATERAL} N/m")
        text += SPRING.format(at="pivot", direction="yaw", stiffness=f"{TURNING} Nm/rad")
    for name, x in (("front_axle", HALF_BASE), ("rear_axle", -HALF_BASE)):
        text += WHEELSET.format(
            name=name, x=x, conicity=CONICITY, radius=RADIUS, half_gauge=HALF_GAUGE, psi=PSI, phi=PHI,
            creep=CREEP, adhesion=ADHESION,
        )  # fmt: skip
        if bearers_have_springs:  # wheelsets guided by the track alone: nothing but its bearers holds the frame
            text = text.replace(f'inner = "{name}"\nouter = "frame"', f'inner = "track"\nouter = "{name}"')
        text += SPRING.format(at=f"{name}_guide", direction="y", stiffness=f"{PRIMARY} N/m")
        text += SPRING.format(at=f"{name}_guide", direction="yaw", stiffness=f"{GUIDING} Nm/rad")
    return parse_vehicle(text, "friction_bogie.toml")


def test_frame_between_two_bearers():
    """Each bearer, with a spring, rests within limit / stiffness: a box in the two, a diamond in y and yaw."""
    found = rest_set(bogie(bearers_have_springs=True), coordinates=["frame.y", "frame.yaw"])
    front, rear = (LIMITS[end] / LATERAL for end in ("front", "rear"))
    across, turned = 0.5 * (front + rear), 0.5 * (front + rear) / BEARER
    assert found["frame.y"] == (pytest.approx(-across, rel=1e-6), pytest.approx(across, rel=1e-6))
    assert found["frame.yaw"] == (pytest.approx(-turned, rel=1e-6), pytest.approx(turned, rel=1e-6))
    assert all(all(ends) for ends in found.final.values())


def left_over(q, friction):
    """Forces and moments on frame, front and rear wheelset, written down by hand."""
    y, yaw, *axles = q
    front, rear, pivot = friction
    lateral, moment = -LATERAL * y + front + rear, -TURNING * yaw + BEARER * (front - rear) + pivot
    rows = []
    for ahead, at, turn in ((HALF_BASE, *axles[:2]), (-HALF_BASE, *axles[2:])):
        spring, guide = PRIMARY * (y + ahead * yaw - at), GUIDING * (yaw - turn)
        lateral, moment = lateral - spring, moment - ahead * spring - guide
        x, side = CREEP * CONICITY * at / RADIUS / PSI, -CREEP * turn / PHI
        u = np.hypot(x, side) / ADHESION
        part = 1.0 - u / 3.0 + u**2 / 27.0 if u < 3.0 else 1.0 / u
        rows += [spring - 2.0 * part * side, guide - 2.0 * HALF_GAUGE * part * x]
    return np.array([lateral, moment, *rows]) / 1e3


def test_frame_on_two_creeping_wheelsets():
    """Every extreme is one of the eight corners of the box of friction; inside the box no rest lies farther."""
    names = ("frame.y", "frame.yaw", "front_axle.y", "front_axle.yaw", "rear_axle.y", "rear_axle.yaw")
    found = rest_set(bogie(), coordinates=names)
    limits = np.array([LIMITS[name] for name in ("front", "rear", "pivot")])
    shares = [np.array(signs) for signs in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3)]
    rests = np.array([fsolve(left_over, np.zeros(6), args=(part * limits,), xtol=1e-13) for part in shares])
    corner = np.array([np.abs(part).min() == 1.0 for part in shares])
    assert np.abs(rests[corner]).max(axis=0) == pytest.approx(np.abs(rests).max(axis=0))
    for k, name in enumerate(names):
        assert found[name][0] == pytest.approx(rests[corner, k].min(), rel=1e-5), name
        assert found[name][1] == pytest.approx(rests[corner, k].max(), rel=1e-5), name
