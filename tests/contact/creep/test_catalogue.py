"""Properties of every creep-force law: linear for small creepage, bounded, odd, against the slip."""

from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.contact.creep import catalogue, linear
from klingel.contact.creep.catalogue import HAS_SPIN, LAWS, Law
from klingel.contact.creep.creepage import Creepage, Patch, Settings
from klingel.contact.creep.fastsim_table import build_table
from klingel.contact.patch.kalker import kalker

SETTINGS = Settings(table=build_table(5, 9, 5, 12, 8))
HAS_MOMENT = {Law.LINEAR, Law.FASTSIM, Law.FASTSIM_TABLE}
BOUNDED = [law for law in Law if law != Law.LINEAR]
NONLINEAR_SPIN = [law for law in BOUNDED if law in HAS_SPIN]

creeps = st.floats(-0.02, 0.02)
spins = st.floats(-20.0, 20.0)


@st.composite
def patches(draw):
    ratio = np.exp(draw(st.floats(np.log(0.05), np.log(20.0))))
    c = draw(st.floats(1e-3, 10e-3))
    load = draw(st.floats(1e3, 2e5))
    mu = draw(st.floats(0.05, 0.6))
    coefficients = kalker(ratio, draw(st.floats(0.2, 0.35)))
    return Patch(c * ratio**0.5, c / ratio**0.5, load, mu, 8.2e10, *coefficients)


def forces(law, creepage, patch):
    return LAWS[law](Creepage(*creepage), patch, SETTINGS)


@pytest.mark.parametrize("law", BOUNDED)
@given(creeps, creeps, spins, patches())
@settings(deadline=None, max_examples=60)
def test_never_exceeds_the_friction_limit(law, xi, eta, phi, patch):
    f = forces(law, (xi, eta, phi), patch)
    assert hypot(f.fx, f.fy) <= patch.friction * patch.load * (1 + 1e-12)


@pytest.mark.parametrize("law", list(Law))
@given(creeps, creeps, spins, patches())
@settings(deadline=None, max_examples=40)
def test_reversal_reverses_the_force(law, xi, eta, phi, patch):
    f = np.array(forces(law, (xi, eta, phi), patch))
    g = np.array(forces(law, (-xi, -eta, -phi), patch))
    np.testing.assert_allclose(g, -f, rtol=1e-9, atol=1e-9 * patch.friction * patch.load)


@pytest.mark.parametrize("law", list(Law))
@given(creeps, creeps, spins, patches())
@settings(deadline=None, max_examples=40)
def test_mirror_image_has_the_mirrored_force(law, xi, eta, phi, patch):
    """Left and right exchanged: lateral creep, spin, lateral force and moment change sign."""
    f = forces(law, (xi, eta, phi), patch)
    g = forces(law, (xi, -eta, -phi), patch)
    limit = patch.friction * patch.load
    np.testing.assert_allclose(g, (f.fx, -f.fy, -f.mz), rtol=1e-9, atol=1e-9 * limit)


@pytest.mark.parametrize("law", list(Law))
@given(creeps, creeps, patches())
@settings(deadline=None, max_examples=60)
def test_opposes_slip_without_spin(law, xi, eta, patch):
    f = forces(law, (xi, eta, 0.0), patch)
    assert f.fx * xi <= 0.0
    assert f.fy * eta <= 0.0
    if hypot(xi, eta) > 1e-9:
        assert f.fx * xi + f.fy * eta < 0.0


def small(patch, tau_x, tau_y, tau_s):
    """The creepage whose linear forces are these parts of mu N."""
    g = patch.shear_modulus * patch.a * patch.b / (patch.friction * patch.load)
    c = (patch.a * patch.b) ** 0.5
    return tau_x / (g * patch.c11), tau_y / (g * patch.c22), tau_s / (g * c * patch.c23)


@pytest.mark.parametrize("law", BOUNDED)
@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -0.4, 1.0), (0.0, 0.0, 1.0)])
@given(patches())
@settings(deadline=None, max_examples=25)
def test_linear_for_small_creepage(law, direction, patch):
    """The distance from the linear force falls at least in proportion to the creepage."""
    if law not in HAS_SPIN and direction[2] != 0.0:
        return
    limit = patch.friction * patch.load
    for size in (1e-2, 1e-4):
        creepage = small(patch, *(size * d for d in direction))
        expected = linear.force(Creepage(*creepage), patch, SETTINGS)
        got = forces(law, creepage, patch)
        reach = 20.0 * size**2 * limit * max(1.0, patch.a / patch.b, patch.b / patch.a)
        assert abs(got.fx - expected.fx) <= reach
        assert abs(got.fy - expected.fy) <= reach


@pytest.mark.parametrize("law", [law for law in NONLINEAR_SPIN if law != Law.POLACH])
@given(patches(), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
@settings(deadline=None, max_examples=25)
def test_linear_for_small_creepage_in_any_direction(law, patch, x, y, s):
    """Polach's law is not among them: it mixes C11 and C22 (see its file)."""
    creepage = small(patch, 1e-4 * x, 1e-4 * y, 1e-4 * s)
    expected = linear.force(Creepage(*creepage), patch, SETTINGS)
    got = forces(law, creepage, patch)
    reach = 1e-6 * patch.friction * patch.load * max(1.0, patch.a / patch.b, patch.b / patch.a)
    assert abs(got.fx - expected.fx) <= reach
    assert abs(got.fy - expected.fy) <= reach


@pytest.mark.parametrize("law", list(Law))
def test_switch_calls_the_law_of_its_number(law):
    patch = Patch(6e-3, 4e-3, 8e4, 0.3, 8.2e10, *kalker(1.5, 0.27))
    creepage = Creepage(1e-3, -5e-4, 0.3)
    assert catalogue.force(law, creepage, patch, SETTINGS) == forces(law, creepage, patch)
    assert catalogue.creep_force(law, creepage, patch, SETTINGS) == forces(law, creepage, patch)
    assert (forces(law, creepage, patch).mz != 0.0) == (law in HAS_MOMENT)


def test_unknown_law_is_not_mistaken_for_another():
    patch = Patch(6e-3, 4e-3, 8e4, 0.3, 8.2e10, *kalker(1.5, 0.27))
    assert np.isnan(catalogue.force(99, Creepage(1e-3, 0.0, 0.0), patch, SETTINGS)).all()


def test_bad_input_names_the_field():
    good = Patch(6e-3, 4e-3, 8e4, 0.3, 8.2e10, *kalker(1.5, 0.27))
    with pytest.raises(InputError, match=r"patch\.load"):
        catalogue.creep_force(Law.LINEAR, Creepage(0.0, 0.0, 0.0), good._replace(load=0.0))
    with pytest.raises(InputError, match=r"creepage\.phi"):
        catalogue.creep_force(Law.LINEAR, Creepage(0.0, 0.0, float("nan")), good)
