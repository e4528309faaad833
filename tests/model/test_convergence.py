"""Tolerances are kept: errors follow them, for explicit methods; static equilibrium."""

import numpy as np
import pytest

from klingel.model.standing.equilibrium import find_rest
from tests.model.wagon import compiled, run

TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8)


@pytest.mark.parametrize("method", ["dopri54", "bs32", "verner65"])
def test_error_follows_the_tolerance(method):
    """No events (1/20, a small kick), over the whole run; loose ones are bettered where stability rules."""

    def motion(rtol, method):
        options = {"rtol": rtol, "atol": 1e-2 * rtol, "inclination": 1 / 20, "method": method, "output_step": 0.01}
        return run(20.0, {"front_wheelset.y": 1.5e-3, "carbody.y": 5e-4}, 0.5, **options)

    exact = motion(1e-12, "dopri54")
    assert exact.stats.events == 0
    positions = [k for k, name in enumerate(exact.problem.state_names) if not name.endswith("_dot")]
    errors = [np.abs(motion(rtol, method).x - exact.x)[:, positions].max() for rtol in TOLERANCES]
    assert all(error < 0.1 * rtol for error, rtol in zip(errors, TOLERANCES, strict=True))
    assert errors[-1] < 0.1 * errors[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hbbills311", {"links": "PTP"}),
        ("hbbills311", {"links": "ASZ", "load": "loaded"}),
        ("kbps", {"links": "SPP"}),
    ],
)
@pytest.mark.parametrize("inclination", [1 / 20, 1 / 40])
def test_equilibrium_residual(name, options, inclination):
    rest = find_rest(compiled(30.0, name=name, inclination=inclination, **options))
    assert rest.residual < 1e-9
