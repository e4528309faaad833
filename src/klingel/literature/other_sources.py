"""Numbers of the other sources: wheelset of the Bari test set, Cooperrider's bogie, Frischmuth's jump laws.

Bari: the end values were computed with DASSL at 1e-9. The rows of its own table show that solver to lose 2.33
digits of its tolerance (1e-6 gives mescd 3.67), so the end values are taken as good to 10^(-9 + 2.33) (1 +
|value|).
"""

from collections.abc import Mapping
from math import cos, exp

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

DASSL = 10 ** (-9 + 2.33)
BARI = "Bari test set II.22, table II.22.2"
# component number, what, published value, unit
END_VALUES = (
    (1, "lateral displacement", 0.86355386965811e-2, "m"),
    (3, "longitudinal displacement", -0.93635784016818e-4, "m"),
    (4, "yaw", -0.13642299804033e-1, "rad"),
    (5, "roll", 0.15292895005422e-2, "rad"),
    (6, "lateral speed", -0.76985374142666e-1, "m/s"),
    (11, "deviation of the spin", -0.24421377661131, "1/s"),
    (16, "multiplier, left", -0.10124044903201e-1, ""),
    (17, "multiplier, right", -0.56285630573753e-2, ""),
)
BARI_CLAIMS = tuple(
    Claim(f"bari-u{k}", BARI, f"wheelset DAE, {what} at 10 s", value, unit, DASSL * (1 + abs(value)),
          "accuracy of the solver that computed it, from its own run table")
    for k, what, value, unit in END_VALUES
)  # fmt: skip


def run_bari(_: int) -> Mapping[str, Result]:
    from klingel.literature.wheelset_dae import problem as wheelset_dae
    from klingel.literature.wheelset_dae.runs import implicit_route

    wheelset = wheelset_dae.Wheelset()
    end = implicit_route(wheelset, wheelset_dae.start(wheelset)).end
    return {f"bari-u{k}": float(end[k - 1]) for k, *_ in END_VALUES}


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


def run_bogie(_: int) -> Mapping[str, Result]:
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.linear_critical_speed import linear_critical_speed

    found = linear_critical_speed(load_vehicle("cooperrider"), slowest=50.0, step=5.0)
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


def run_jumps(_: int) -> Mapping[str, Result]:
    from klingel.literature.nonsmooth_manifold.crease import sharp, start, wedge
    from klingel.literature.nonsmooth_manifold.crossing import across, speed_ratio, wedge_ratio
    from klingel.literature.nonsmooth_manifold.jump_laws import Law
    from klingel.literature.nonsmooth_manifold.point_mass import NARROW, REACH
    from klingel.literature.nonsmooth_manifold.soft_maximum import Blend

    crease = wedge(0.0, ALPHA, friction=FRICTION, end=REACH)
    plastic = across(sharp(crease, Law.PLASTIC), start(crease, -REACH, 0.0, 1.0, 0.0))
    return {
        "jump-regularised": wedge_ratio(crease, Blend.PENETRATION, NARROW, 0.0, -REACH)[0],
        "jump-theorem-1": wedge_ratio(crease, Blend.PENETRATION, NARROW, BETA, -REACH)[0] ** 2,
        "jump-plastic": speed_ratio(plastic),
    }


STUDIES = (
    Study("bari-wheelset", run_bari, BARI_CLAIMS, fast=False),
    Study("cooperrider", run_bogie, BOGIE_CLAIMS, fast=True),
    Study("jump-laws", run_jumps, JUMP_CLAIMS, fast=True),
)
