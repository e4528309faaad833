"""Power spectra of stored runs as plain data, by the function of `klingel plot --kind spectrum`."""

from pathlib import Path
from typing import Any

import numpy as np

from klingel.app.web.series import described
from klingel.plots.abscissa import inside
from klingel.plots.quantity import coordinate, other_bodies, wheelsets
from klingel.plots.runs.spectrum import STILL, spectrum
from klingel.simulation.run import load_run

HIGHEST = 50.0  # frequency that is sent [Hz]
MOST = 3000  # points of a curve
Window = tuple[float, float]


def spectra(path: str, names: list[str], window: Window | None = None) -> list[dict[str, Any]]:
    """Of the quantities named, else of the lateral motion of every body; of the later half without a window."""
    run = load_run(Path(path))
    chosen = names or coordinate(run, [*wheelsets(run), *other_bodies(run)], "y")
    part = window or (float(0.5 * (run.time[0] + run.time[-1])), float(run.time[-1]))
    found = []
    for name in chosen:
        _, told = described(name, str(run[name].attrs.get("units", "")))
        values = run[name].to_numpy()[inside(run, part)]
        estimate = spectrum(run, name, part)
        kept = estimate.frequency <= HIGHEST
        step = max(1, -(-int(kept.sum()) // MOST))
        moves = np.ptp(values) > 2e-3 * STILL
        found.append({
            **told, "window": list(part), "segments": estimate.segments, "segment": estimate.segment,
            "frequency": estimate.frequency[kept][::step].tolist(),
            "power": estimate.power[kept][::step].tolist() if moves else None,
            "strongest": estimate.strongest() if moves else None,
        })  # fmt: skip
    return found
