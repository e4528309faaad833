"""Identification of a link from a rig record: reads the CSV, reports, draws (Hoffmann 2006, figures 2.62-2.70)."""

from math import isnan
from pathlib import Path

from klingel._errors import InputError
from klingel.elements.link_sets import LinkLaw
from klingel.literature.example import Check
from klingel.literature.links.identification import Identification, identify
from klingel.literature.links.pictures import draw_delay, draw_identified
from klingel.literature.links.rig import SYNTHETIC_LAW, Rig
from klingel.literature.links.rig_record import read_link_measurement, synthetic_record
from klingel.plots.style import save

MOST_SLIDERS = 4


def identify_record(
    folder: Path, data: str, direction: str, sliders: int, delay: float, gap: float, gravity: float
) -> tuple[dict[str, float], list[Check], list[Path]]:
    """Quantities, checks (of the shipped record only) and files of one identification.

    `data` is empty for the shipped record; `sliders` 0 and `delay` nan mean: to be found.
    """
    if not 0 <= sliders <= MOST_SLIDERS:
        raise InputError("sliders", sliders, f"must be 0 (found) to {MOST_SLIDERS}")
    record = read_link_measurement(Path(data) if data else synthetic_record())
    found = identify(
        record,
        direction=direction,
        sliders=sliders or None,
        delay=None if isnan(delay) else delay,
        gap=gap,
        gravity=gravity,
    )
    report = folder / "identified.toml"
    report.write_text(_report(found, data or "shipped synthetic record", direction), encoding="utf-8")
    files = [
        report,
        save(draw_delay(record, found), folder / "delay.png"),
        save(draw_identified(found), folder / "identified_loop.png"),
    ]
    plain = not data and isnan(delay) and direction == "y"
    return _quantities(found), _checks(found) if plain else [], files


def _quantities(found: Identification) -> dict[str, float]:
    law, fit = found.law, found.fit
    out = {
        "identified_k_1_m": law.stiffness,
        "identified_k_error_1_m": fit.stiffness_error,
        "identified_bracket_k_1_m": law.bracket_stiffness,
    }
    for i, ((stiffness, limit), (e_k, e_limit)) in enumerate(zip(law.sliders, fit.slider_errors, strict=True), 1):
        out |= {
            f"identified_k{i}_1_m": stiffness,
            f"identified_k{i}_error_1_m": e_k,
            f"identified_T0{i}": limit,
            f"identified_T0{i}_error": e_limit,
        }
    return out | {
        "identified_delay_s": found.delay,
        "accelerometer_gain": found.gain,
        "identified_residual": fit.rms,
        "record_frequency_hz": found.frequency,
    }


def _checks(found: Identification) -> list[Check]:
    """Against the law behind the shipped record; tolerances are the stated accuracy of the method."""
    true: LinkLaw = SYNTHETIC_LAW
    checks = [
        Check("identified k [1/m]", true.stiffness, found.law.stiffness, 0.01 * true.stiffness),
        Check("identified k_sb [1/m]", true.bracket_stiffness, found.law.bracket_stiffness, 0.03 * 5.0),
        Check("identified delay [s]", Rig().delay, found.delay, 5e-4),
        Check("identified number of sliders", len(true.sliders), len(found.law.sliders), 0.0),
    ]
    for i, (truth, got) in enumerate(zip(true.sliders, found.law.sliders, strict=False), 1):
        checks.append(Check(f"identified k_{i} [1/m]", truth[0], got[0], 0.06 * truth[0]))
        checks.append(Check(f"identified T_0{i} [-]", truth[1], got[1], 0.06 * truth[1]))
    return checks


def _report(found: Identification, source: str, direction: str) -> str:
    """The law as TOML, every value with its standard error."""
    law, fit = found.law, found.fit
    lines = [
        f"# identified from {source}; all forces over the load",
        f'direction = "{direction}"',
        f"stiffness = {law.stiffness:.5g}  # k [1/m], +- {fit.stiffness_error:.2g}",
    ]
    if fit.extra:
        lines += [
            f"bracket_stiffness = {law.bracket_stiffness:.5g}  # k_sb [1/m], +- {fit.extra_errors[0]:.2g}",
            f"bracket_gap = {law.bracket_gap:.5g}  # y_0 [m], given",
        ]
    lines += [
        f"delay = {found.delay:.5g}  # of the accelerometer [s]",
        f"gain = {found.gain:.5g}  # of the accelerometer against the displacement sensor",
        f"residual = {fit.rms:.3g}  # root mean square",
        "residual_by_sliders = ["
        + ", ".join(f"{r:.4g}" for r in fit.rms_by_count)
        + "]  # with 0, 1, 2, ... sliders",
    ]
    for (stiffness, limit), (e_k, e_limit) in zip(law.sliders, fit.slider_errors, strict=True):
        lines += [
            "",
            "[[sliders]]",
            f"stiffness = {stiffness:.5g}  # k_i [1/m], +- {e_k:.2g}",
            f"limit = {limit:.5g}  # T_0i [-], +- {e_limit:.2g}",
        ]
    return "\n".join(lines) + "\n"
