"""Numbers of the other sources: wheelset of the Bari test set, Cooperrider's bogie, Frischmuth's jump laws.

Bari: the end values were computed with DASSL at 1e-9. The rows of its own table show that solver to lose 2.33
digits of its tolerance (1e-6 gives mescd 3.67), so the end values are taken as good to 10^(-9 + 2.33) (1 +
|value|).
"""

from collections.abc import Mapping
from math import cos, exp

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

DASSL = 10 ** (-9 + 2.33)
BARI = "Bari test set II.22, table II.22.2"
BARI_RATES = "Bari test set II.22, section 22.2"
RATE_DIGITS = 5e-14  # half of the last printed digit, and rounding
# component number, what, published end value, unit
END_VALUES = (
    (1, "lateral displacement", 0.86355386965811e-2, "m"),
    (2, "vertical displacement", 0.13038281022727e-4, "m"),
    (3, "longitudinal displacement", -0.93635784016818e-4, "m"),
    (4, "yaw", -0.13642299804033e-1, "rad"),
    (5, "roll", 0.15292895005422e-2, "rad"),
    (6, "lateral speed", -0.76985374142666e-1, "m/s"),
    (7, "vertical speed", -0.25151106429207e-3, "m/s"),
    (8, "longitudinal speed", 0.20541188079539e-2, "m/s"),
    (9, "yaw rate", -0.23904837703692, "rad/s"),
    (10, "roll rate", -0.13633468454173e-1, "rad/s"),
    (11, "deviation of the spin", -0.24421377661131, "1/s"),
    (12, "shift angle, right", -0.33666751972196e-3, "rad"),
    (13, "contact point, right", -0.15949425684022, "m"),
    (14, "shift angle, left", 0.37839614386969e-3, "rad"),
    (15, "contact point, left", 0.14173214964613, "m"),
    (16, "multiplier, left", -0.10124044903201e-1, ""),
    (17, "multiplier, right", -0.56285630573753e-2, ""),
)
# component number, published rate at the published start, unit
START_RATES = (
    (6, -1.9752588940112850, "m/s2"),
    (7, -1.0898297102811276e-3, "m/s2"),
    (8, 7.8855083626142589e-2, "m/s2"),
    (9, -5.5333628217315490, "rad/s2"),
    (10, -0.3487021489546511, "rad/s2"),
    (11, -2.1329687243809270, "1/s2"),
)
BARI_CLAIMS = (
    *(
        Claim(f"bari-u{k}", BARI, f"wheelset DAE, {what} at 10 s", value, unit, DASSL * (1 + abs(value)),
              "accuracy of the solver that computed it, from its own run table")
        for k, what, value, unit in END_VALUES
    ),
    *(
        Claim(f"bari-rate-u{k}", BARI_RATES, f"wheelset DAE, rate of u{k} at the published start", value, unit,
              RATE_DIGITS, "the last printed digits, and rounding")
        for k, value, unit in START_RATES
    ),
)  # fmt: skip


def run_bari(case: Case) -> Mapping[str, Result]:
    from klingel.literature.wheelset_dae import problem as wheelset_dae
    from klingel.literature.wheelset_dae.runs import IMPLICIT_TOLERANCE, implicit_route
    from klingel.numerics.dae.checks import right_hand_side

    wheelset, printed = case.fields(wheelset_dae.Wheelset()), wheelset_dae.PRINTED_START
    tolerance = case.rtol(IMPLICIT_TOLERANCE)
    end = implicit_route(wheelset, wheelset_dae.start(wheelset), tolerance=tolerance).end
    index_2 = wheelset_dae.problem(wheelset, wheelset_dae.Formulation.INDEX_2, printed)
    rates = right_hand_side(index_2, 0.0, printed)
    return {f"bari-u{k}": float(end[k - 1]) for k, *_ in END_VALUES} | {
        f"bari-rate-u{k}": float(rates[k - 1]) for k, *_ in START_RATES
    }


LINEAR = "independent linear analysis of the fourteen equations"
BOGIE_CLAIMS = (
    Claim("cooperrider-hopf", LINEAR, "Cooperrider's bogie: speed at which rest loses its stability", 65.290,
          "m/s", 0.0005,
          "half of the printed digit"),
    Claim("cooperrider-frequency", LINEAR, "Cooperrider's bogie: frequency there", 3.809, "Hz", 0.0005,
          "half of the printed digit"),
    Claim("cooperrider-hopf-literature", "Hopf speed quoted in the literature on Cooperrider's bogie",
          "Cooperrider's bogie: speed at which rest loses its stability", 66.61, "m/s", 0.005,
          "half of the printed digit"),
)  # fmt: skip


def run_bogie(case: Case) -> Mapping[str, Result]:
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.linear_critical_speed import linear_critical_speed

    found = linear_critical_speed(case.vehicle(load_vehicle("cooperrider")), slowest=50.0, step=5.0)
    if found is None:
        raise RuntimeError("rest does not lose its stability")
    swapped = hopf_with_swapped_directions()
    guess = (
        f"swapping the creep constants of the two directions gives {swapped:.2f} m/s; a separate linear "
        "analysis of the truck with rigid primary suspension gives 66.74 m/s: the value may belong to that model"
    )
    return {
        "cooperrider-hopf": found.speed,
        "cooperrider-frequency": found.frequency,
        "cooperrider-hopf-literature": Outcome(found.speed, guess),
    }


def hopf_with_swapped_directions() -> float:
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.vehicles.values import with_value

    bogie = load_vehicle("cooperrider")
    for wheelset in ("leading_front_wheelset", "leading_rear_wheelset"):
        bogie = with_value(bogie, f"{wheelset}.cone.psi", 0.60252)
        bogie = with_value(bogie, f"{wheelset}.cone.phi", 0.54219)
    found = linear_critical_speed(bogie, slowest=50.0, step=5.0)
    return float("nan") if found is None else found.speed


FRICTION, ALPHA, BETA = 0.3, 0.6, 0.8  # ours; the laws are printed as formulas
LAW = "a law of the limit; smoothing of 10 um on a run of 1 m"
JUMP_CLAIMS = (
    Claim("jump-regularised", "Frischmuth 1995, section 4", "v+/v- = exp(-mu alpha), mu 0.3, alpha 0.6",
          exp(-FRICTION * ALPHA), "", 1e-4, LAW),
    Claim("jump-theorem-1", "Frischmuth 1995, theorem 1", "T+/T- = exp(-2 mu alpha cos beta), beta 0.8",
          exp(-2 * FRICTION * ALPHA * cos(BETA)), "", 1e-3, LAW),
    Claim("jump-plastic", "Frischmuth 1995, section 4", "plastic v+/v- = cos alpha, alpha 0.6", cos(ALPHA), "",
          1e-9,
          "a law, applied at the located instant"),
)  # fmt: skip


def run_jumps(case: Case) -> Mapping[str, Result]:
    from klingel.literature.nonsmooth_manifold.crease import sharp, start, wedge
    from klingel.literature.nonsmooth_manifold.crossing import across, speed_ratio, wedge_ratio
    from klingel.literature.nonsmooth_manifold.jump_laws import Law
    from klingel.literature.nonsmooth_manifold.point_mass import NARROW, REACH
    from klingel.literature.nonsmooth_manifold.soft_maximum import Blend

    friction, alpha = case.number("friction", FRICTION), case.number("alpha", ALPHA)
    crease = wedge(0.0, alpha, friction=friction, end=REACH)
    plastic = across(sharp(crease, Law.PLASTIC), start(crease, -REACH, 0.0, 1.0, 0.0))
    return {
        "jump-regularised": wedge_ratio(crease, Blend.PENETRATION, NARROW, 0.0, -REACH)[0],
        "jump-theorem-1": wedge_ratio(crease, Blend.PENETRATION, NARROW, BETA, -REACH)[0] ** 2,
        "jump-plastic": speed_ratio(plastic),
    }


STUDIES = (
    Study(
        "bari-wheelset",
        run_bari,
        failing(failing(BARI_CLAIMS, "m_R", 1.01), "C_11", 1.01, *(f"bari-rate-u{k}" for k in (9, 10, 11))),
        fast=False,
        rtol=1e-11,
    ),
    Study(
        "cooperrider",
        run_bogie,
        failing(BOGIE_CLAIMS, "vehicle.leading_front_wheelset.cone.psi", 1.1),
        fast=True,
    ),
    Study("jump-laws", run_jumps, failing(JUMP_CLAIMS, "alpha", 1.1), fast=True),
)
