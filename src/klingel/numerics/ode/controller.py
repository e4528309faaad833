"""Error norm and proportional-integral step-size control.

A step with scaled error e (1 is the limit) is followed by one longer by

    factor = (AIM/e)**(0.3/p) (e_old/e)**(0.4/p),    p = error order + 1,

which is Gustafsson's controller: steps settle at the error AIM, whatever the order. The memory of the last error
damps the oscillation between accepted and rejected steps when stability, not accuracy, limits an explicit method:
the plain controller rejects 15-30 % of the steps there.

Reference: Gustafsson, ACM Trans. Math. Softw. 17 (1991) 533.
"""

from math import exp, inf, log

from klingel._jit import kernel

AIM = 0.2  # of the tolerance, for the error of a step
SAFETY = 0.85  # after a rejected step
SHRINK_MOST = 0.2  # a step is never cut by more in one go
GROW_MOST = 5.0
LOG_AIM = log(AIM)
OLD_ERROR_FLOOR = 1e-4  # a lucky tiny error must not blow the next step up


@kernel(inner=True)
def scale_error(error, x, x_new, atol, rtol):
    """Bring each error to units of its tolerance; returns the largest, infinity when one is no number."""
    bad = 0
    for i in range(error.size):
        scaled = abs(error[i]) / (atol[i] + rtol * max(abs(x[i]), abs(x_new[i])))
        error[i] = scaled
        bad += 0 if scaled < 1e300 else 1
    if bad > 0:
        return inf
    # four chains of comparisons side by side: one alone is bound by its latency
    a = b = c = d = 0.0
    rest = error.size % 4
    for i in range(rest):
        a = max(a, error[i])
    for i in range(rest, error.size, 4):
        a = max(a, error[i])
        b = max(b, error[i + 1])
        c = max(c, error[i + 2])
        d = max(d, error[i + 3])
    return max(max(a, b), max(c, d))


@kernel
def worst_component(scaled):
    """The component with the largest scaled error; one that is no number wins over everything."""
    where = 0
    for i in range(scaled.size):
        if not scaled[i] < 1e300:
            return i
        if scaled[i] > scaled[where]:
            where = i
    return where


@kernel
def accepted_factor(error, old_error, exponent):
    """Growth of the step after success; `exponent` is 1/(error order + 1)."""
    if error < 1e-10:
        return GROW_MOST
    factor = exp(exponent * (0.3 * LOG_AIM - 0.7 * log(error) + 0.4 * log(max(old_error, OLD_ERROR_FLOOR))))
    return min(GROW_MOST, max(SHRINK_MOST, factor))


@kernel
def rejected_factor(error, exponent):
    """Cut of the step after failure."""
    return max(SHRINK_MOST, min(0.9, SAFETY * error ** (-exponent)))


@kernel
def scaled_norm(vector, x, atol, rtol):
    """Largest component, each in units of its tolerance."""
    norm = 0.0
    for i in range(vector.size):
        norm = max(norm, abs(vector[i]) / (atol[i] + rtol * abs(x[i])))
    return norm
