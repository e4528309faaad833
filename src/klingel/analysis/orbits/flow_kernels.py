"""Kernels of `flow`: steps of order 8 on a mesh, and tangents carried through the same stages.

The method is that of Dormand and Prince of order 8 (Hairer, Norsett, Wanner, Solving ODEs I, section II.10).
A mesh is fine enough where the state is right to its tolerance *and* the rate of the state, carried along as a
tangent, comes out as the rate at the end: tangents have sharper features than the motion (a flange that stiffens
within 20 um), and the multiplier of the time shift is 1 to that error times the number of steps.
Tangents: the right-hand side is differenced along each of them, centred, over DIFFERENCE of the typical size of
the states; of smooth systems they are the derivative of the discrete flow to about 1e-9.

At the very ends of a piece half of a centred difference would lie beyond the boundary that ends the segment, where
the right-hand side of its modes may have a corner (the share of a contact that begins to carry is not negative).
There the derivative is extrapolated along the motion from two places inside, as near as the difference is wide.

Longer than other files: kernels inline each other, and share one scratch.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import DOP853

from klingel._jit import kernel

# of the size of the states, of a centred difference: a corner rounded over 2e-3 of it is still differenced to 1e-7
DIFFERENCE = 1.5e-6
INSIDE = 2e-4  # of a step, between the boundary of a segment and where it is differenced
INSIDE_TABLES = 2e-3  # where meshes are not made finer for tangents: farther from a corner that is felt
STAGES = 12
TANGENT = 3e-9  # error of the rate carried over one step, of its size, if nothing else is asked for
LEAST_FOR_TANGENT = 0.003  # of a piece: shorter steps are not cut for it, a corner nobody is told of may be inside
SAFETY, SMALLEST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 5.0
A = np.ascontiguousarray(DOP853.A[:STAGES, :STAGES])
B = np.ascontiguousarray(DOP853.B)
C = np.ascontiguousarray(DOP853.C[:STAGES])
E3, E5 = np.ascontiguousarray(DOP853.E3), np.ascontiguousarray(DOP853.E5)
REFUSED, TOO_MANY = -1, -2


class Tableau(NamedTuple):
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    e3: np.ndarray
    e5: np.ndarray


TABLEAU = Tableau(A, B, C, E3, E5)


class Scratch(NamedTuple):
    """Everything the kernels write to."""

    k: np.ndarray  # [stage][state]
    ky: np.ndarray  # [stage][tangent][state]
    stage: np.ndarray
    moved: np.ndarray
    inside: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray
    tangent: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    fired: np.ndarray
    margins: np.ndarray  # [guard]


@kernel(inner=True)
def _stages(rhs, t, h, x, memory, mode, p, tableau, scratch):
    """All stages of a step from x; 0, or what the right-hand side refused with."""
    k, stage = scratch.k, scratch.stage
    for s in range(STAGES):
        for i in range(x.size):
            total = 0.0
            for j in range(s):
                total += tableau.a[s, j] * k[j, i]
            stage[i] = x[i] + h * total
        if rhs(t + tableau.c[s] * h, stage, memory, mode, p, k[s]) != 0:
            return 1
    return 0


@kernel(inner=True)
def _finish(h, x, tableau, k):
    for i in range(x.size):
        total = 0.0
        for s in range(STAGES):
            total += tableau.b[s] * k[s, i]
        x[i] += h * total


@kernel(inner=True)
def _error(h, x, x_new, atol, rtol, tableau, k):
    """Of a step, in units of its tolerance; k[STAGES] is the derivative at the end."""
    fifth, third = 0.0, 0.0
    for i in range(x.size):
        size = atol[i] + rtol * max(abs(x[i]), abs(x_new[i]))
        e5, e3 = 0.0, 0.0
        for s in range(STAGES + 1):
            e5 += tableau.e5[s] * k[s, i]
            e3 += tableau.e3[s] * k[s, i]
        fifth += (e5 / size) ** 2
        third += (e3 / size) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return abs(h) * fifth / ((fifth + 0.01 * third) * x.size) ** 0.5


@kernel(inner=True)
def _tangent_error(rhs, t, h, x, memory, mode, p, tableau, tangent, scale, scratch):
    """Of the rate carried as a tangent over a step whose stages are known, in units of its tolerance."""
    k, ky, y = scratch.k, scratch.ky, scratch.tangent
    n, largest = x.size, 0.0
    for i in range(n):
        largest = max(largest, abs(k[0, i]) / scale[i])
    if largest == 0.0:
        return 0.0
    reach = DIFFERENCE / largest  # a time, as the tangent is a rate
    for s in range(STAGES):
        for i in range(n):
            total, carried = 0.0, 0.0
            for j in range(s):
                total += tableau.a[s, j] * k[j, i]
                carried += tableau.a[s, j] * ky[j, 0, i]
            scratch.stage[i] = x[i] + h * total
            y[i] = k[0, i] + h * carried
        now = t + tableau.c[s] * h
        for i in range(n):
            scratch.moved[i] = scratch.stage[i] + reach * y[i]
        refused = rhs(now + reach, scratch.moved, memory, mode, p, scratch.ahead)
        for i in range(n):
            scratch.moved[i] = scratch.stage[i] - reach * y[i]
        refused += rhs(now - reach, scratch.moved, memory, mode, p, scratch.behind)
        if refused != 0:
            return 0.0  # beside the motion; the motion itself is judged by its own error
        for i in range(n):
            ky[s, 0, i] = (scratch.ahead[i] - scratch.behind[i]) / (2.0 * reach)
    away, size = 0.0, 0.0
    for i in range(n):
        end = k[0, i]
        for s in range(STAGES):
            end += h * tableau.b[s] * ky[s, 0, i]
        away += ((end - k[STAGES, i]) / scale[i]) ** 2
        size += (k[STAGES, i] / scale[i]) ** 2 + (k[0, i] / scale[i]) ** 2
    return (away / size) ** 0.5 / tangent


def choose_mesh(
    rhs, t, duration, x, memory, mode, p, tableau, atol, rtol, scale, tangent, first, fractions, scratch
):
    """Fractions of the duration at which steps end, by error control; their number. x moves to the end."""
    fractions[0] = 0.0
    count, at, h = 0, 0.0, min(first, 1.0)
    x_new = scratch.moved
    while at < 1.0:
        if count + 2 > fractions.size:
            return TOO_MANY
        last = at + h >= 1.0 - 1e-9
        if last:
            h = 1.0 - at
        size = h * duration
        refused = _stages(rhs, t + at * duration, size, x, memory, mode, p, tableau, scratch)
        error = 0.0
        if refused == 0:
            for i in range(x.size):
                x_new[i] = x[i]
            _finish(size, x_new, tableau, scratch.k)
            refused = rhs(t + (at + h) * duration, x_new, memory, mode, p, scratch.k[STAGES])
            error = _error(size, x, x_new, atol, rtol, tableau, scratch.k)
            if refused == 0 and error <= 1.0 and h > LEAST_FOR_TANGENT and tangent < 1.0:
                at_start = t + at * duration
                turned = _tangent_error(rhs, at_start, size, x, memory, mode, p, tableau, tangent, scale, scratch)
                error = max(error, turned)
                for i in range(x.size):  # the end was overwritten
                    x_new[i] = x[i]
                _finish(size, x_new, tableau, scratch.k)
        if refused != 0 or not error < 1e300:
            if h < 1e-9:
                return REFUSED
            h *= SMALLEST_FACTOR
            continue
        if error > 1.0:
            if h < 1e-12:
                return TOO_MANY
            h *= max(SMALLEST_FACTOR, SAFETY * error ** (-0.125))
            continue
        at = 1.0 if last else at + h
        count += 1
        fractions[count] = at
        for i in range(x.size):
            x[i] = x_new[i]
        h *= LARGEST_FACTOR if error == 0.0 else min(LARGEST_FACTOR, SAFETY * error ** (-0.125))
    return count


def along_mesh(rhs, t, duration, x, memory, mode, p, tableau, fractions, nodes, scratch):
    """States at all nodes of the mesh, which may be left empty; x moves to the end."""
    steps = fractions.size - 1
    for n in range(steps):
        if nodes.shape[0] > 0:
            for i in range(x.size):
                nodes[n, i] = x[i]
        h = (fractions[n + 1] - fractions[n]) * duration
        if _stages(rhs, t + fractions[n] * duration, h, x, memory, mode, p, tableau, scratch) != 0:
            return REFUSED
        _finish(h, x, tableau, scratch.k)
    if nodes.shape[0] > 0:
        for i in range(x.size):
            nodes[steps, i] = x[i]
    return steps


def rates_along(rhs, t, x, memory, mode, p, rates, scratch):
    """Rates of the states at given rows."""
    for row in range(t.size):
        for i in range(x.shape[1]):
            scratch.stage[i] = x[row, i]
        if rhs(t[row], scratch.stage, memory, mode, p, rates[row]) != 0:
            return REFUSED
    return t.size


def guards_along(rhs, guards, t, x, memory, mode, p, step, values, rates, scratch):
    """All guards at given rows, and their rates along the motion, differenced over `step` of time."""
    stage, moved, k = scratch.stage, scratch.moved, scratch.k
    for row in range(t.size):
        for i in range(x.shape[1]):
            stage[i] = x[row, i]
        if rhs(t[row], stage, memory, mode, p, k[0]) != 0:
            return REFUSED
        for i in range(x.shape[1]):
            moved[i] = stage[i] + step * k[0, i]
        guards(t[row] + step, moved, memory, mode, p, rates[row])
        for i in range(x.shape[1]):
            moved[i] = stage[i] - step * k[0, i]
        guards(t[row] - step, moved, memory, mode, p, values[row])
        for g in range(values.shape[1]):
            rates[row, g] = (rates[row, g] - values[row, g]) / (2.0 * step)
        guards(t[row], stage, memory, mode, p, values[row])
    return t.size


def events_at(guards, act, t, z, memory, mode, p, coordinates, rounds, values, after, scratch):
    """For each row z of states and memory coordinates: all guards, and the row after the actions of the event.

    rounds[round][guard] tells who fires. Actions look at what their guards computed last.
    """
    n, x = z.shape[1] - coordinates.size, scratch.moved
    for row in range(z.shape[0]):
        for entering in range(2):  # first what p keeps: an action without anything fired
            for i in range(n):
                x[i] = z[row, i]
            for j in range(memory.size):
                scratch.memory[j] = memory[j]
            for j in range(coordinates.size):
                scratch.memory[coordinates[j]] = z[row, n + j]
            for i in range(mode.size):
                scratch.mode[i] = mode[i]
            for i in range(scratch.fired.size):
                scratch.fired[i] = False
            if entering == 0:
                act(t, x, scratch.memory, scratch.mode, p, scratch.fired)
        guards(t, x, scratch.memory, scratch.mode, p, values[row])
        for together in range(rounds.shape[0]):
            if together > 0:
                guards(t, x, scratch.memory, scratch.mode, p, scratch.margins)
            for i in range(rounds.shape[1]):
                scratch.fired[i] = rounds[together, i]
            act(t, x, scratch.memory, scratch.mode, p, scratch.fired)
        for i in range(n):
            after[row, i] = x[i]
        for j in range(coordinates.size):
            after[row, n + j] = scratch.memory[coordinates[j]]
    return z.shape[0]


@kernel(inner=True)
def _freshen(act, t, x, memory, mode, p, scratch):
    """What p keeps for these modes and this memory; the action has nothing to act on."""
    for i in range(x.size):
        scratch.moved[i] = x[i]
    for i in range(mode.size):
        scratch.mode[i] = mode[i]
    for i in range(scratch.fired.size):
        scratch.fired[i] = False
    act(t, scratch.moved, memory, scratch.mode, p, scratch.fired)


@kernel(inner=True)
def _side(rhs, act, t, x, memory, mode, p, y, step, coordinates, result, scratch):
    """Right-hand side at a distance `step` along a tangent."""
    n = x.size
    remembers = False
    for j in range(coordinates.size):
        remembers = remembers or y[n + j] != 0.0
    if not remembers:
        for i in range(n):
            scratch.moved[i] = x[i] + step * y[i]
        return rhs(t, scratch.moved, memory, mode, p, result)
    for j in range(memory.size):
        scratch.memory[j] = memory[j]
    for j in range(coordinates.size):
        scratch.memory[coordinates[j]] += step * y[n + j]
    _freshen(act, t, x, scratch.memory, mode, p, scratch)
    for j in range(memory.size):
        scratch.memory[j] = memory[j]
    for j in range(coordinates.size):
        scratch.memory[coordinates[j]] += step * y[n + j]
    for i in range(n):
        scratch.moved[i] = x[i] + step * y[i]
    refused = rhs(t, scratch.moved, scratch.memory, mode, p, result)
    for j in range(memory.size):
        scratch.memory[j] = memory[j]
    _freshen(act, t, x, scratch.memory, mode, p, scratch)
    return refused


@kernel(inner=True)
def _reach(y, scale):
    """Distance along a tangent over which it is differenced."""
    largest = 0.0
    for i in range(scale.size):
        largest = max(largest, abs(y[i]) / scale[i])
    return DIFFERENCE / largest if largest > 0.0 else 0.0


@kernel(inner=True)
def _turned(rhs, act, t, x, memory, mode, p, y, scale, coordinates, part, result, scratch):
    """Add `part` of the rate of a tangent y at x to the result; 0, or what the right-hand side refused with."""
    reach = _reach(y, scale)
    if reach == 0.0:
        return 0
    refused = _side(rhs, act, t, x, memory, mode, p, y, reach, coordinates, scratch.ahead, scratch)
    refused += _side(rhs, act, t, x, memory, mode, p, y, -reach, coordinates, scratch.behind, scratch)
    for i in range(x.size):
        result[i] += part * (scratch.ahead[i] - scratch.behind[i]) / (2.0 * reach)
    return refused


def carry(rhs, act, t, duration, x, y, memory, mode, p, tableau, fractions, coordinates, scale, inside, scratch):
    """Move x and its tangents y[tangent][state and memory coordinate] along the mesh."""
    n, last = x.size, fractions.size - 2
    k, ky, tangent = scratch.k, scratch.ky, scratch.tangent
    for step in range(last + 1):
        h = (fractions[step + 1] - fractions[step]) * duration
        start = t + fractions[step] * duration
        for s in range(STAGES):
            for i in range(n):
                total = 0.0
                for j in range(s):
                    total += tableau.a[s, j] * k[j, i]
                scratch.stage[i] = x[i] + h * total
            now = start + tableau.c[s] * h
            if rhs(now, scratch.stage, memory, mode, p, k[s]) != 0:
                return REFUSED
            inward = 0.0
            if step == 0 and tableau.c[s] == 0.0:
                inward = inside * h
            elif step == last and tableau.c[s] == 1.0:
                inward = -inside * h
            for c in range(y.shape[0]):
                for i in range(n):
                    total = 0.0
                    for j in range(s):
                        total += tableau.a[s, j] * ky[j, c, i]
                    tangent[i] = y[c, i] + h * total
                    ky[s, c, i] = 0.0
                for i in range(n, tangent.size):
                    tangent[i] = y[c, i]
                refused = 0
                if inward == 0.0:
                    refused = _turned(
                        rhs, act, now, scratch.stage, memory, mode, p, tangent, scale, coordinates, 1.0, ky[s, c],
                        scratch,
                    )  # fmt: skip
                else:
                    for far in range(1, 3):
                        for i in range(n):
                            scratch.inside[i] = scratch.stage[i] + far * inward * k[s, i]
                        refused += _turned(
                            rhs, act, now + far * inward, scratch.inside, memory, mode, p, tangent, scale,
                            coordinates, 2.0 if far == 1 else -1.0, ky[s, c], scratch,
                        )  # fmt: skip
                if refused != 0:
                    return REFUSED
        _finish(h, x, tableau, k)
        for c in range(y.shape[0]):
            for i in range(n):
                total = 0.0
                for s in range(STAGES):
                    total += tableau.b[s] * ky[s, c, i]
                y[c, i] += h * total
    return fractions.size - 1
