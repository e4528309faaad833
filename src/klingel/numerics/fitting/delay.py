"""How late one signal is, when it should be the second derivative of another.

Nothing is differentiated. With a window `w` that vanishes smoothly at both ends and the test function
`phi(t) = w(t) exp(-i omega t)`, two integrations by parts give for *any* pair a = y''

    integral a(t) phi(t) dt = integral y(t) phi''(t) dt .

If the recorded signal is `a(t - delay)`, the same holds with phi shifted by the delay. The shift for which both
sides have the same phase is the delay; the ratio of their magnitudes is the gain of the sensor. The motion
need not be periodic or steady: omega only says where its energy is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError

MARGIN = 0.25  # longest delay that can be found, as a fraction of the dominant period
FEWEST_CYCLES = 3  # one for each flank of the window and one between
ITERATIONS = 20  # of the phase correction, which converges like (window drift / window length)


@dataclass(frozen=True)
class Delay:
    """What turns the second derivative of one record into the other."""

    delay: float  # positive: the recorded second derivative comes late [s]
    gain: float  # magnitude of the record over that of the true second derivative [-]
    frequency: float  # at which both were compared [Hz]


def dominant_frequency(t: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Frequency at which the windowed record has most energy [Hz]."""
    grid = np.linspace(t[0], t[-1], len(t))
    weighted = np.hanning(len(t)) * np.interp(grid, t, y - np.mean(y))
    spectrum = np.abs(np.fft.rfft(weighted, 4 * len(t)))
    frequencies = np.fft.rfftfreq(4 * len(t), grid[1] - grid[0])
    spectrum[frequencies < 1 / (t[-1] - t[0])] = 0.0
    return float(frequencies[np.argmax(spectrum)])


def second_derivative_delay(
    t: NDArray[np.float64], y: NDArray[np.float64], a: NDArray[np.float64], frequency: float | None = None
) -> Delay:
    """Delay and gain of the record `a` against the second derivative of the record `y`."""
    frequency = dominant_frequency(t, y) if frequency is None else frequency
    margin = MARGIN / frequency
    step = np.gradient(t)
    begin, span = t[0] + margin, t[-1] - t[0] - 2 * margin
    cycles = int(frequency * span)
    if cycles < FEWEST_CYCLES:
        raise InputError("record", f"{frequency * span:.1f}", f"must last at least {FEWEST_CYCLES} cycles")
    omega = 2 * np.pi * cycles / span

    def project(signal: NDArray[np.float64], shift: float, order: int) -> complex:
        local = t - shift - begin
        w, w1, w2 = _window(local, span, span / cycles)
        shape = w if order == 0 else w2 - 2j * omega * w1 - omega**2 * w
        return complex(np.sum(signal * shape * np.exp(-1j * omega * local) * step))

    target = project(y, 0.0, 2)
    delay, ratio = 0.0, 1.0 + 0j
    for _ in range(ITERATIONS):
        ratio = project(a, delay, 0) / target
        delay = float(np.clip(delay - np.angle(ratio) / omega, -margin, margin))
    return Delay(delay, abs(ratio), cycles / span)


def _window(t: NDArray[np.float64], span: float, flank: float) -> tuple[NDArray[np.float64], ...]:
    """One on most of [0, span] with smooth flanks, zero outside; with two derivatives.

    A flank is the integral of a sin^4 arch: the window is a box of `span - flank` folded with the arch, so with
    whole cycles in the box a constant (the offset of a sensor) drops out.
    """
    rise, fall = np.clip(t / flank, 0.0, 1.0), np.clip((span - t) / flank, 0.0, 1.0)
    w, w1, w2 = _flank(rise)
    v, v1, v2 = _flank(fall)
    return w * v, (w1 - v1) / flank, (w2 + v2) / flank**2


def _flank(s: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """From 0 to 1 over 0 <= s <= 1, with two derivatives."""
    sine, cosine = np.sin(np.pi * s), np.cos(np.pi * s)
    value = s - np.sin(2 * np.pi * s) * 2 / (3 * np.pi) + np.sin(4 * np.pi * s) / (12 * np.pi)
    return value, 8 / 3 * sine**4, 32 * np.pi / 3 * sine**3 * cosine
