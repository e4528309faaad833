"""Fit of a spring with elastic-plastic sliders to a measured loop (Prandtl-Ishlinskii model).

    f(t) = offset + k u(t) + sum_j e_j b_j(t) + sum_i k_i E_{r_i}[u](t)

`E_r` is the *stop*: a unit spring in series with a slider that gives way at the deformation r,

    E_n = min(r, max(-r, E_{n-1} + u_n - u_{n-1})) ,     slider force limit T_i = k_i r_i ,

and `b_j` are further known functions of the record. After a reversal of u a stop follows min(s, 2 r) of the
distance s, so a branch of the loop is a concave broken line with corners at s = 2 r_i; working with the stop
itself uses the whole record, minor loops and decaying motions included.

All coefficients except the thresholds r_i enter linearly and are non-negative (the offset is free), so the
thresholds are the only unknowns of a nonlinear least-squares problem (variable projection). Sliders are added
one by one, each at the best place out of a grid of candidates, and all thresholds are refined after each. The
number of sliders is the smallest whose residual is within 3 % of the best: real records deviate from any
model by more than their noise (sensors round the corners), and a criterion that takes the residual for white noise
would split every corner in two.

A slider whose threshold exceeds the largest amplitude never gives way in the record: it cannot be told
from the spring and is counted in k.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares, nnls

from klingel._errors import InputError
from klingel._jit import kernel

Array = NDArray[np.float64]
CANDIDATES = 60  # thresholds tried for each further slider
FINEST = 0.01  # smallest threshold tried, as a fraction of the amplitude
WORTHWHILE = 1.03  # fewer sliders are taken if their residual is less than this times the smallest


@dataclass(frozen=True)
class HysteresisFit:
    """Parameters, their standard errors (residual taken as white noise) and the fitted force."""

    stiffness: float  # k
    sliders: tuple[tuple[float, float], ...]  # (k_i, T_i), by rising threshold T_i / k_i
    extra: tuple[float, ...]  # e_j
    offset: float
    stiffness_error: float
    slider_errors: tuple[tuple[float, float], ...]
    extra_errors: tuple[float, ...]
    rms: float  # of the residual, in the unit of the force
    rms_by_count: tuple[float, ...]  # rms with 0, 1, 2, ... sliders
    model: Array  # fitted force at every sample


@kernel
def stop(u, thresholds, out):
    """Fill out[n, i] with the stop of threshold i; the first sample is taken as reached from rest at zero."""
    for i in range(len(thresholds)):
        r = thresholds[i]
        e = min(r, max(-r, u[0]))
        out[0, i] = e
        for n in range(1, len(u)):
            e = min(r, max(-r, e + u[n] - u[n - 1]))
            out[n, i] = e


def fit_hysteresis(
    u: Array, f: Array, *, extra: Array | None = None, skip: int = 0, count: int | None = None, most: int = 4
) -> HysteresisFit:
    """Fit the model to the record; the first `skip` samples only prepare the memory of the stops.

    `count` fixes the number of sliders; else the best of 0 ... `most` is taken. `extra` has one column per `b_j`.
    """
    extra = np.zeros((len(u), 0)) if extra is None else extra
    if len(u) - skip < 20:
        raise InputError("record", len(u), f"must have at least {skip + 20} samples")
    problem = _Problem(u, f, extra, skip)
    fits = [np.zeros(0)]
    for _ in range(most if count is None else count):
        fits.append(problem.with_one_more(fits[-1]))
    rms = [problem.rms(thresholds) for thresholds in fits]
    best = count if count is not None else next(n for n, r in enumerate(rms) if r <= WORTHWHILE * min(rms))
    return problem.result(fits[best], tuple(rms))


class _Problem:
    """The record, and the linear least-squares problem that remains once the thresholds are chosen."""

    def __init__(self, u: Array, f: Array, extra: Array, skip: int):
        self.u, self.f, self.extra, self.skip = np.ascontiguousarray(u), f, extra, skip
        self.amplitude = float(np.max(np.abs(u)))

    def columns(self, thresholds: Array) -> Array:
        stops = np.empty((len(self.u), len(thresholds)))
        stop(self.u, np.ascontiguousarray(thresholds), stops)
        return np.column_stack([self.u, self.extra, stops])

    def solve(self, columns: Array) -> tuple[Array, float, Array]:
        """Coefficients, offset and residual; removing the means leaves the offset free of sign."""
        part, f = columns[self.skip :], self.f[self.skip :]
        middle, f_middle = part.mean(axis=0), f.mean()
        scale = np.maximum(np.linalg.norm(part - middle, axis=0), 1e-300)
        coefficients = nnls((part - middle) / scale, f - f_middle)[0] / scale
        offset = f_middle - middle @ coefficients
        return coefficients, float(offset), f - offset - part @ coefficients

    def residual(self, thresholds: Array) -> Array:
        return self.solve(self.columns(thresholds))[2]

    def rms(self, thresholds: Array) -> float:
        return float(np.sqrt(np.mean(self.residual(thresholds) ** 2)))

    def with_one_more(self, thresholds: Array) -> Array:
        """One slider more than in `thresholds`: the best candidate, then all refined together."""
        grid = self.amplitude * np.geomspace(FINEST, 0.98, CANDIDATES)
        trials = [np.append(thresholds, r) for r in grid]
        start = min(trials, key=self.rms)
        low, high = np.log(self.amplitude * FINEST / 2), np.log(self.amplitude)
        refined = least_squares(
            lambda logs: self.residual(np.exp(logs)), np.log(start), bounds=(low, high), x_scale=0.1, xtol=1e-12
        )
        return np.sort(np.exp(refined.x))

    def result(self, thresholds: Array, rms_by_count: tuple[float, ...]) -> HysteresisFit:
        columns = self.columns(thresholds)
        coefficients, offset, residual = self.solve(columns)
        n_extra = self.extra.shape[1]
        k, e, k_i = np.split(coefficients, [1, 1 + n_extra])
        errors = self._errors(columns, k_i, thresholds, residual)
        limits = k_i * thresholds
        return HysteresisFit(
            stiffness=float(k[0]),
            sliders=tuple(zip(k_i.tolist(), limits.tolist(), strict=True)),
            extra=tuple(e.tolist()),
            offset=offset,
            stiffness_error=float(errors[0]),
            slider_errors=tuple(
                zip(errors[1 + n_extra :][: len(k_i)].tolist(), errors[len(coefficients) :].tolist(), strict=True)
            ),
            extra_errors=tuple(errors[1 : 1 + n_extra].tolist()),
            rms=float(np.sqrt(np.mean(residual**2))),
            rms_by_count=rms_by_count,
            model=offset + columns @ coefficients,
        )

    def _errors(self, columns: Array, k_i: Array, thresholds: Array, residual: Array) -> Array:
        """Standard errors of the coefficients, then of the limits T_i = k_i r_i."""
        step = 1e-4 * thresholds
        n = len(thresholds)
        up, down = (self.columns(thresholds + s * step)[:, -n:] if n else columns[:, :0] for s in (1, -1))
        by_threshold = k_i * (up - down) / np.where(n, 2 * step, 1.0)
        tangent = np.column_stack([columns, by_threshold])[self.skip :]
        tangent = tangent - tangent.mean(axis=0)
        scale = np.maximum(np.linalg.norm(tangent, axis=0), 1e-300)
        inverse = np.linalg.pinv(tangent / scale)
        spread = inverse / scale[:, None]
        m = columns.shape[1]
        spread[m:] = thresholds[:, None] * spread[m - n : m] + k_i[:, None] * spread[m:]
        freedom = max(len(residual) - len(spread) - 1, 1)
        return np.sqrt(np.sum(spread**2, axis=1) * np.sum(residual**2) / freedom)
