"""Creep laws by name and terms that are usually left out: against the catalogue, closed forms and symmetries."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.contact.creep.catalogue import Law, creep_force
from klingel.contact.creep.creepage import Creepage, Patch
from klingel.contact.patch.kalker import kalker
from klingel.contact.table.contact_table import Conditions
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.output import Contact, outputs
from klingel.model.problem import displaced
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.linear_critical_speed import linearised
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

POISSON, SHEAR = Conditions().poisson, Conditions().shear_modulus
SHIFTS = (1e-3, 4e-3, 6.2e-3, 6.29e-3, 6.3e-3, 6.33e-3, 6.35e-3, 7e-3, 8e-3)
TREAD = (1e-4, 1e-3, 1.5e-3, -1.2e-3)  # all wheels pressed


def with_wheels(vehicle, **changes):
    return replace(vehicle, wheelsets=tuple(replace(w, **changes) for w in vehicle.wheelsets))


@cache
def compiled(**changes) -> Compiled:
    return put_on_track(with_wheels(load_vehicle("hbbills311"), **changes), Track.straight(), 30.0)


def at(model: Compiled, shift: float, rest=None):
    """A state with creepage of every kind: rates, accelerations and outputs."""
    rest = rest or find_rest(model)
    offsets = {
        "front_wheelset.y": shift, "rear_wheelset.y": -0.7 * shift, "front_wheelset.yaw": 2e-3,
        "front_wheelset.yaw_dot": 0.1, "front_wheelset.y_dot": 0.02, "rear_wheelset.spin_dot": 0.1,
        "front_wheelset.x_dot": 0.05,
    }  # fmt: skip
    x, mode = displaced(model, rest, offsets)
    assembly.prepare(model.system, rest.memory, mode)
    dx = np.zeros_like(x)
    assert assembly.rhs(0.0, x, rest.memory, mode, model.system, dx) == 0
    return dx, outputs(model, np.zeros(1), x[None], rest.memory[None], mode[None])


@pytest.mark.parametrize("shift", SHIFTS)
def test_the_usual_law_computed_wheel_by_wheel(shift):
    """Along the track nothing moves here, so the longer way must give the same numbers."""
    still = put_on_track(_without_x(compiled_vehicle()), Track.straight(), 30.0)
    longer = put_on_track(
        with_wheels(_without_x(compiled_vehicle()), along_track="included"), Track.straight(), 30.0
    )
    (dx, _), (dx_long, _) = (_at_without_x(model, shift) for model in (still, longer))
    np.testing.assert_allclose(dx_long, dx, rtol=0, atol=1e-11 * np.abs(dx).max())


def compiled_vehicle():
    return load_vehicle("hbbills311")


def _without_x(vehicle):
    bodies = tuple(replace(b, free=tuple(c for c in b.free if c != "x")) for b in vehicle.bodies)
    return replace(vehicle, bodies=bodies)


def _at_without_x(model, shift):
    rest = find_rest(model)
    x, mode = displaced(model, rest, {"front_wheelset.y": shift, "front_wheelset.yaw": 2e-3})
    assembly.prepare(model.system, rest.memory, mode)
    dx = np.zeros_like(x)
    assert assembly.rhs(0.0, x, rest.memory, mode, model.system, dx) == 0
    return dx, None


@pytest.mark.parametrize("law", [law for law in Law if law != Law.FASTSIM_TABLE])
def test_forces_are_those_of_the_catalogue(law):
    """From the creepages and the ellipse that are reported; Kalker's coefficients of its axis ratio."""
    model = compiled(creep=law.name.lower())
    seen = 0
    for shift in TREAD:
        _, out = at(model, shift)
        for w in range(4):
            for part in range(2):
                c = out.contact[0, w, part]
                if not c[Contact.NORMAL] > 1e3:
                    continue
                slip = Creepage(*c[[Contact.CREEPAGE_X, Contact.CREEPAGE_Y, Contact.CREEPAGE_SPIN]])
                a, b = c[Contact.PATCH_A], c[Contact.PATCH_B]
                found = creep_force(law, slip, Patch(a, b, c[Contact.NORMAL], 0.3, SHEAR, *kalker(a / b, POISSON)))
                size = max(np.hypot(found.fx, found.fy), 1e-3 * c[Contact.NORMAL])
                assert c[Contact.CREEP_X] == pytest.approx(found.fx, abs=1e-3 * size)
                assert c[Contact.CREEP_Y] == pytest.approx(found.fy, abs=1e-3 * size)
                seen += 1
    assert seen == 16


def test_reported_creepage_has_the_speed_along_the_track():
    """From what is reported the law gives the forces that act; without the speed they would differ."""
    slips = {}
    for word in ("left out", "included"):
        _, out = at(compiled(creep="polach", along_track=word), 1e-3)
        slips[word] = out.contact[0, :2, 0, Contact.CREEPAGE_X]
        for w in (0, 1):
            c = out.contact[0, w, 0]
            slip = Creepage(*c[[Contact.CREEPAGE_X, Contact.CREEPAGE_Y, Contact.CREEPAGE_SPIN]])
            a, b = c[Contact.PATCH_A], c[Contact.PATCH_B]
            patch = Patch(a, b, c[Contact.NORMAL], 0.3, SHEAR, *kalker(a / b, POISSON))
            assert c[Contact.CREEP_X] == pytest.approx(creep_force(Law.POLACH, slip, patch).fx, rel=5e-3)
    np.testing.assert_allclose(slips["included"] - slips["left out"], 0.05 / 30.0, rtol=1e-2)


def test_tabulated_fastsim_is_near_fastsim():
    for shift in TREAD[:2]:
        _, fine = at(compiled(creep="fastsim"), shift)
        _, table = at(compiled(creep="fastsim_table"), shift)
        limit = 0.3 * np.nanmax(fine.contact[0, :, 0, Contact.NORMAL])
        for kind in (Contact.CREEP_X, Contact.CREEP_Y):
            np.testing.assert_allclose(
                table.contact[0, :, 0, kind], fine.contact[0, :, 0, kind], rtol=0, atol=0.02 * limit
            )


def test_friction_of_the_right_wheel_alone():
    _, both = at(compiled(), 1e-3)
    _, slippery = at(compiled(friction_ratio=0.0), 1e-3, find_rest(compiled()))
    creep, usual = (out.contact[0][:, 0, [Contact.CREEP_X, Contact.CREEP_Y]] for out in (slippery, both))
    assert np.abs(creep[[1, 3]]).max() == 0.0
    assert np.abs(usual[[1, 3]]).max() > 1e3
    np.testing.assert_array_equal(creep[[0, 2]], usual[[0, 2]])


WHEELSET = """
name = "one"
[bodies.wheelset]
mass = "1490 kg"
inertia = ["988 kg m2", "90 kg m2", "988 kg m2"]
position = ["0 m", "0 m", "0.46 m"]
free = {free}
[connections.left]
inner = "track"
outer = "wheelset"
point = ["0 m", "1 m", "0.46 m"]
[connections.right]
inner = "track"
outer = "wheelset"
point = ["0 m", "-1 m", "0.46 m"]
[elements.left.x]
law = "spring"
direction = "x"
stiffness = "{stiffness} N/m"
[elements.right.x]
law = "spring"
direction = "x"
stiffness = "{stiffness} N/m"
[elements.left.load]
law = "spring"
direction = "z"
stiffness = "1 N/m"
preload = "40 kN"
[elements.right.load]
law = "spring"
direction = "z"
stiffness = "1 N/m"
preload = "40 kN"
[wheelsets.wheelset]
{wheels}
"""


@pytest.mark.parametrize(("word", "rotating"), [("included", 90.0), ("left out", 0.0)])
def test_a_wheelset_that_swings_along_the_track_rolls_with_it(word, rotating):
    """Its inertia is m + I_y / r^2 with the term, m without it: closed form of a mass on a spring."""
    free = '["x", "y", "z", "roll", "yaw", "spin"]'
    lin = linearised(
        parse_vehicle(WHEELSET.format(free=free, stiffness=2e5, wheels=f'along_track = "{word}"')), 20.0
    )
    values, shapes, _ = lin.vibrations()
    part = np.abs(shapes[lin.states.index("wheelset.x")]) / np.abs(shapes[: lin.positions]).max(axis=0)
    swinging = [abs(v.imag) for v, share in zip(values, part, strict=True) if share > 0.99 and v.imag > 1.0]
    radius = 0.46  # at the running circle, to a tenth of a millimetre
    assert swinging == [pytest.approx(np.sqrt(4e5 / (1490.0 + rotating / radius**2)), rel=2e-3)]


def test_wheels_of_unequal_radius_stand_where_both_roll_alike():
    """A larger right wheel pushes the axle to its side until the contact radii are equal; mirrored the same."""
    free = '["y", "z", "roll", "yaw", "spin"]'

    def rest_of(wheels, radius=0.46):
        text = WHEELSET.format(free=free, stiffness=1e3, wheels=wheels)
        vehicle = parse_vehicle(text.replace("0.46", f"{radius}"))
        model = put_on_track(vehicle, Track.straight(inclination=1 / 20), 20.0)  # one contact per wheel there
        rest = find_rest(model)
        radii = [
            assembly.rolling_radius(model.system, w, rest.x[model.layout.state("wheelset.y")]) for w in (0, 1)
        ]
        return rest.x[model.layout.state("wheelset.y")], radii

    shift, (left, right) = rest_of('radius_difference = "0.05 mm"\nradius = "0.46 m"')
    assert shift > 1e-4  # to the left: the smaller wheel comes to its flange
    assert left == pytest.approx(right, abs=2e-6)
    mirrored, _ = rest_of('radius_difference = "-0.05 mm"\nradius = "0.46005 m"', 0.46005)
    assert mirrored == pytest.approx(-shift, rel=1e-4)
    assert abs(rest_of('radius = "0.46 m"')[0]) < 1e-9


def test_spin_moment_turns_the_wheelset():
    """Of the linear law: G c^3 C23 eta - G c^4 C33 phi about the normal of each contact."""
    vehicle = load_vehicle("hbbills311")
    (dx, out), (dx_with, _) = (at(compiled(creep="linear", spin_moment=m), 1e-3) for m in ("left out", "included"))
    model = compiled(creep="linear")
    k = model.layout.state("front_wheelset.yaw_dot")
    expected = 0.0
    for w in range(2):
        c = out.contact[0, w, 0]
        a, b = c[Contact.PATCH_A], c[Contact.PATCH_B]
        slip = Creepage(*c[[Contact.CREEPAGE_X, Contact.CREEPAGE_Y, Contact.CREEPAGE_SPIN]])
        patch = Patch(a, b, c[Contact.NORMAL], 0.3, SHEAR, *kalker(a / b, POISSON))
        moment = creep_force(Law.LINEAR, slip, patch).mz
        expected += moment * np.sqrt(1.0 - c[Contact.ANGLE_SIN] ** 2)
    inertia = next(b.inertia[2] for b in vehicle.bodies if b.name == "front_wheelset")
    assert inertia * (dx_with[k] - dx[k]) == pytest.approx(expected, rel=0.01)
    assert abs(expected) > 1.0


def test_an_equivalent_patch_stands_for_both_contacts_of_an_overlap():
    found = 0
    for shift in np.linspace(5e-3, 8e-3, 61):
        (_, each), (_, one) = (at(compiled(patches=p), shift) for p in ("each", "equivalent"))
        for w in range(4):
            two = each.contact[0, w, 1, Contact.NORMAL] > 100.0 and each.contact[0, w, 0, Contact.NORMAL] > 100.0
            if not two:
                continue
            found += 1
            creep = one.contact[0, w, :, [Contact.CREEP_X, Contact.CREEP_Y]]
            load = one.contact[0, w, :, Contact.NORMAL].sum()
            assert (creep[:, 1] == 0.0).all()
            size = np.hypot(*creep[:, 0])
            assert size <= 0.3 * load * (1 + 1e-12)
            apart = each.contact[0, w, :, [Contact.CREEP_X, Contact.CREEP_Y]]
            assert size > 0.5 * np.hypot(*apart.sum(axis=1))  # nor is anything lost
            np.testing.assert_allclose(
                one.contact[0, w, :, Contact.NORMAL], each.contact[0, w, :, Contact.NORMAL], rtol=1e-6
            )
    assert found > 5


def test_an_equivalent_patch_begins_and_ends_as_the_single_contacts():
    """At the bounds of an overlap one contact carries nothing: both ways of counting meet there."""
    each, one = compiled(patches="each"), compiled(patches="equivalent")
    rest = find_rest(each)
    shifts = np.linspace(4e-3, 6.4e-3, 481)

    def total(model):
        rows = np.array([at(model, y, rest)[1].contact[0, 0] for y in shifts])
        return np.nan_to_num(rows)

    apart, joined = total(each), total(one)
    load = apart[:, :, Contact.NORMAL]
    both = (load > 0.0).all(axis=1)
    edges = np.flatnonzero(np.diff(both.astype(int)))
    assert edges.size >= 2
    creep = [Contact.CREEP_X, Contact.CREEP_Y]
    away = np.hypot(*(joined - apart)[:, :, creep].sum(axis=1).T) / load.sum(axis=1)
    assert away[~both].max() < 1e-12
    for k in edges:  # the first and last row inside: what the light contact carries at most
        inside = k + 1 if both[k + 1] else k
        assert away[inside] < 0.3 * 2.5 * load[inside].min() / load[inside].sum() + 1e-3, (
            shifts[inside],
            away[inside],
        )


def test_words_are_written_and_read_back_and_bad_ones_refused():
    vehicle = with_wheels(load_vehicle("hbbills311"), creep="polach", friction_ratio=0.5, patches="equivalent")
    again = parse_vehicle(to_toml(vehicle))
    assert again.wheelsets == vehicle.wheelsets
    text = to_toml(replace(vehicle, sources={}))
    assert "along_track" not in text
    for old, new, line in (
        (
            'creep = "polach"',
            'creep = "polack"',
            "front_wheelset.creep: did you mean polach? must be one of linear,",
        ),
        ('patches = "equivalent"', 'patches = "one"', "front_wheelset.patches: must be one of each, equivalent"),
        ("friction_ratio = 0.5", "friction_ratio = -1", "front_wheelset.friction_ratio: must not be negative"),
        ("friction_ratio = 0.5", 'radius_difference = "3 cm"', "front_wheelset.radius_difference: must be a diff"),
    ):
        with pytest.raises(FileError) as refused:
            parse_vehicle(text.replace(old, new, 1), "mine.toml")
        assert line in str(refused.value)
    changed = kg.with_value(load_vehicle("hbbills311"), "front_wheelset.creep", "fastsim_table")
    assert changed.wheelsets[0].creep == "fastsim_table"
