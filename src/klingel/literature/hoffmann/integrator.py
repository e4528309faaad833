"""Hoffmann (2006), chapter 3 and section 1.3: the ESDIRK method, and what it costs to ignore corners."""

from collections.abc import Mapping
from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

FRACTION = "printed as a fraction, compared to rounding"
WHOLE = "a whole number"
NEAR, NEARER = 0.02, 0.01  # |z| between which orders are measured: leading term alone, far above rounding
SCAN_POINTS = 4001  # of the imaginary axis

METHOD_CLAIMS = (
    Claim("esdirk-numerator-1", "Hoffmann 2006, below (3.7)", "R(z), numerator: coefficient of z", -1 / 4, "",
          1e-14,
          FRACTION),
    Claim("esdirk-numerator-2", "Hoffmann 2006, below (3.7)", "R(z), numerator: coefficient of z^2", -11 / 48, "",
          1e-14, FRACTION),
    Claim("esdirk-numerator-3", "Hoffmann 2006, below (3.7)", "R(z), numerator: coefficient of z^3", -17 / 1728,
          "",
          1e-14, FRACTION),
    Claim("esdirk-pole", "Hoffmann 2006, below (3.7)", "R(z): place of the triple pole", 12 / 5, "", 1e-13,
          FRACTION),
    Claim("esdirk-a-stable", "Hoffmann 2006, section 3.1",
          "largest |R(z)| on the imaginary axis, A-stable if not above 1",
          (0.0, 1.0), "", 1e-12, "rounding"),
    Claim("esdirk-order", "Hoffmann 2006, section 3.1", "order of the method, on the test equation", 3.0, "", 0.05,
          WHOLE),
    Claim("esdirk-embedded-order", "Hoffmann 2006, section 3.1",
          "order of the embedded method, on the test equation",
          4.0, "", 0.05, WHOLE),
    Claim("esdirk-interpolant", "Hoffmann 2006, (3.8)-(3.10)",
          "largest difference of the twelve printed coefficients of the continuous extension", 0.0, "", 1e-13,
          FRACTION),
)  # fmt: skip

PRINTED_INTERPOLANT = (
    (59 / 600, 0.0, 0.0),
    (-541 / 75, 62 / 5, -28 / 5),
    (26509 / 6600, -49 / 10, 98 / 55),
    (541 / 132, -15 / 2, 42 / 11),
)  # coefficients of theta, theta^2, theta^3 for each stage


def run_method(case: Case) -> Mapping[str, Result]:
    import numpy as np

    from klingel.numerics.ode.stability import rational_form, stability_function

    method = _method(case)
    numerator, denominator = rational_form(method.a.tolist(), method.b.tolist())
    axis = 1j * np.tan(np.linspace(0.0, 0.5 * np.pi, SCAN_POINTS)[:-1])
    dense = method.dense[: len(PRINTED_INTERPOLANT), :3]
    return {
        **{f"esdirk-numerator-{k}": numerator[k] for k in (1, 2, 3)},
        "esdirk-pole": -3.0 / denominator[1],  # of (1 - gamma z)^3
        "esdirk-a-stable": float(np.abs(stability_function(method, axis)).max()),
        "esdirk-order": measured_order(method, embedded=False),
        "esdirk-embedded-order": measured_order(method, embedded=True),
        "esdirk-interpolant": float(np.abs(dense - np.array(PRINTED_INTERPOLANT)).max()),
    }


def _method(case: Case):
    """ESDIRK34, with another diagonal if that is made wrong."""
    from dataclasses import replace

    import numpy as np

    from klingel.numerics.ode.tableaus import METHODS

    method = METHODS["esdirk34"]
    diagonal = np.diag(method.a)
    return replace(method, a=method.a + np.diag(case.number("gamma", 1.0) * diagonal - diagonal))


def measured_order(method, embedded: bool) -> float:
    """Exponent p of |R(z) - exp(z)| ~ |z|^(p+1); of the embedded solution, R minus the error estimate."""
    from math import log2

    import numpy as np

    from klingel.numerics.ode.stability import error_function, stability_function

    def error(z: complex) -> float:
        found = stability_function(method, z) - (error_function(method, z) if embedded else 0.0)
        return float(abs(found - np.exp(z)))

    return log2(error(-NEAR) / error(-NEARER)) / log2(NEAR / NEARER) - 1.0


LOCATION_CLAIMS = (
    Claim("event-location-steps", "Hoffmann 2006, figures 1.12, 1.13",
          "steps with located events over steps with corners ignored, at equal accuracy", (-inf, 1.0), "", 0.0,
          "printed as a comparison: ignoring costs a lot", "dopri54, displacement within 10 um over 5 s, ours"),
)  # fmt: skip


def run_location(case: Case) -> Mapping[str, Result]:
    from klingel.literature.impact_oscillator import event_location as study

    parameters = study.Parameters()
    exact = study.reference(parameters)
    located, ignored = (
        study.steps(study.cheapest(way, exact, parameters.accuracy)[2]) for way in study.ways(parameters)
    )
    return {"event-location-steps": Outcome(located / ignored, f"{located} against {ignored} steps")}


MODEL_CLAIMS = (
    Claim("wagon-degrees-of-freedom", "Hoffmann 2006, table 2.6", "degrees of freedom of the two-axle wagon", 17.0,
          "", 0.0, WHOLE),
    Claim("wagon-equations", "Hoffmann 2006, (2.45)", "equations of the wagon, MP links", 68.0, "", 0.0, WHOLE,
          "32 of motion are integrated here; the forces of 32 sliders and 4 leaf springs follow from memory"),
    Claim("wagon-event-list", "Hoffmann 2006, table 3.2", "length of the event list, MP links", 59.0, "", 0.0,
          WHOLE, "elements with modes, and the stages of the track of three bodies"),
    Claim("shear-modulus", "Hoffmann 2006, section 2.2", "G = E/(2 (1 + nu)) as used by the contact tables", 8.27,
          "1e10 Pa",
          0.005, "half of the printed digit"),
    Claim("hertz-stiffness", "Hoffmann 2006, section 2.2.1",
          "contact stiffness dN/dq of a wheel of the empty Hbbills 311, track centre, 1/40", (10**8.5, 10**9.5),
          "N/m",
          0.0, "printed as about 10^9: the order of magnitude"),
)  # fmt: skip


def run_model(case: Case) -> Mapping[str, Result]:
    from klingel.contact.table.contact_table import Column, Conditions
    from klingel.io.contact.cache import cached_table, wheelset_on_track
    from klingel.simulation.setup import put_on_track
    from klingel.track.track import Track

    vehicle = case.wagon("hbbills311", links="MP")
    layout = put_on_track(vehicle, Track.straight(inclination=1 / 40), 20.0).layout
    stages = sum(name.endswith(".stage") for name in layout.memory)
    conditions = Conditions(shear_modulus=case.number("shear_modulus", Conditions().shear_modulus))
    table = cached_table(wheelset_on_track(inclination=1 / 40), conditions)
    side = table.left.parts[len(table.left.parts) // 2]
    row = side.values[abs(side.values[:, Column.SHIFT]).argmin()]
    load = 9.81 * sum(body.mass for body in vehicle.bodies) / 4.0
    constant = row[Column.NORMAL_FORCE] / row[Column.PENETRATION] ** 1.5
    penetration = (load / constant) ** (2 / 3)
    return {
        "wagon-degrees-of-freedom": float(sum(len(body.free) for body in vehicle.bodies)),
        "wagon-equations": float(len(layout.states) + len(layout.memory) - stages),
        "wagon-event-list": float(len(layout.modes) + stages),
        "shear-modulus": 2.1e11 / (2 * (1 + table.conditions.poisson)) / 1e10,
        "hertz-stiffness": 1.5 * load / penetration,
    }


STUDIES = (
    Study(
        "esdirk",
        run_method,
        failing(identities(METHOD_CLAIMS, "esdirk-interpolant"), "gamma", 0.5),
        fast=True,
    ),
    Study("event-location", run_location, LOCATION_CLAIMS, fast=False),
    Study(
        "wagon-model",
        run_model,
        failing(identities(MODEL_CLAIMS, *(claim.id for claim in MODEL_CLAIMS[:4])), "shear_modulus", 5.0),
        fast=True,
    ),
)
