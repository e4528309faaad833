"""Has nothing happened in this step? A quick answer, before the guards are asked one by one.

A deformation u with values u0, u1 and rates v0, v1 at the ends of a step of length h is close to a cubic, which
leaves the interval between u0 and u1 by at most (4/27) h (|v0| + |v1|). A bound farther away than MARGIN of that
was not touched. The rate is close to a parabola, whose middle is off the straight line between its ends by
1.5 |(u1 - u0)/h - (v0 + v1)/2|; a rate keeps its sign if it is larger than that and its change over the step
together. That is a rule, not a proof: a rate that turns twice in one step would pass. Nine runs sampled on their
interpolants had none; the error control does not allow such steps.

Everything that may happen is made an interval of a deformation and one of its rate: walls of ports, clearances,
turning points and second leaf of leaf springs, contact states (the lateral shift of a wheelset stands behind the
deformations of the links). The force limit of a leaf spring near rest follows the compression no faster than its
stiffest part, which gives an interval around a compression where it was evaluated. The intervals are intersected
when a mode has changed; a look at a step is then one pass over rows without branches. Deformations and rates at
the end of the step are those its last right-hand side has left: it was that of this instant, nothing has moved the
bodies since, and their motion in the scratch is that of the state, every number of it.

Where the answer is "perhaps", the cubics themselves are looked at (`touches_closely`), and then the guards decide;
a "no" that comes too easily costs nothing but their evaluation.
"""

from math import nan

from klingel._jit import kernel
from klingel.model.bodies.motion import LANES, PORT_ROW, move_links, write_row
from klingel.model.kinds import (
    elastic_friction,
    guide,
    leaf_spring,
    rigid_friction,
    series_damper,
    stop,
)
from klingel.model.kinds.wheels import wheel_following, wheel_states
from klingel.model.kinds.wheels.wheel_lanes import WHEEL_INTS
from klingel.model.on_track import track_at_bodies
from klingel.model.system import Head, PortField, Run

MARGIN = 0.25  # of h (|v0| + |v1|); the cubic needs 4/27
CLOSE = 0.25  # of the range of a rate along the cubic, kept free on both sides
MONOTONE = 0.02  # of the rise of a deformation whose rate keeps its sign, kept free on both sides


@kernel(merged=True)
def note_state(p, t, x):
    """The scratch is now that of a right-hand side at t and x; what moves the bodies next takes this back."""
    f, i = p
    f[i[Head.RUN] + Run.EVALUATED] = t
    first = i[Head.EVALUATED]  # inside the loop it would be read again after every store
    for k in range(i[Head.STATES]):
        f[first + k] = x[k]


@kernel(merged=True)
def holds(p, t, x):
    """Whether the scratch is that of the right-hand side at t and x, number by number."""
    f, i = p
    if f[i[Head.RUN] + Run.EVALUATED] != t:
        return False
    apart, first = 0, i[Head.EVALUATED]
    for k in range(i[Head.STATES]):
        apart += 0 if f[first + k] == x[k] else 1
    return apart == 0


@kernel(inner=True)
def forget(p):
    """After an action the state at the same instant, or what bounds it, may be another one."""
    p[0][p[1][Head.RUN] + Run.SCANNED] = nan


@kernel(inner=True)
def move_there(p, t, x, memory):
    """Deformations of links and shifts of wheelsets at the state x."""
    i = p[1]
    track_at_bodies.follow_track(p, t, memory)
    move_links(p, x)
    for k in range(i[Head.WHEELS] // 2):
        body = i[i[Head.WHEEL_AT] + WHEEL_INTS * 2 * k]
        wheel_states.note_shift(p, k, wheel_states.lateral_place(p, body), wheel_states.lateral_rate(p, body))


@kernel(merged=True)
def remember(p, t):
    """The deformations in the scratch become those of the beginning of the next step, which begins at t."""
    f, i = p
    rows, first = i[Head.SCAN_ROWS], i[Head.PORT_STATE]
    for row in range(rows):
        o = first + PORT_ROW * row
        u, v = o + LANES * PortField.U, o + LANES * PortField.V
        a, b, c, d = f[u], f[u + 1], f[u + 2], f[u + 3]
        r, s, q, e = f[v], f[v + 1], f[v + 2], f[v + 3]
        write_row(f, o + LANES * PortField.U_OLD, a, b, c, d)
        write_row(f, o + LANES * PortField.V_OLD, r, s, q, e)
    f[i[Head.RUN] + Run.SCANNED] = t


@kernel(inlined=True)
def touches(s, k, h, per_h):
    """Note 0 in lane k if deformation and rate stayed inside their intervals in a step of length h = 1/per_h.

    A number that is stored makes the compiler treat a row as a whole, which it does not with a sum of answers.
    """
    u0, u1 = s[LANES * PortField.U_OLD + k], s[LANES * PortField.U + k]
    v0, v1 = s[LANES * PortField.V_OLD + k], s[LANES * PortField.V + k]
    reach = MARGIN * h * (abs(v0) + abs(v1))
    change = abs(v1 - v0) + abs(1.5 * per_h * (u1 - u0) - 0.75 * (v0 + v1))
    inside = (min(u0, u1) - reach > s[LANES * PortField.U_FROM + k]) & (
        max(u0, u1) + reach < s[LANES * PortField.U_TO + k]
    )
    keeps = (min(v0, v1) - change > s[LANES * PortField.V_FROM + k]) & (
        max(v0, v1) + change < s[LANES * PortField.V_TO + k]
    )
    s[LANES * PortField.TOUCHED + k] = 0.0 if inside & keeps else 1.0


@kernel(inlined=True)
def note_turn(s, k, h):
    """Note the rate at which its parabola turns, times h, for `touches_closely`; that of the beginning if nowhere.

    Stored, because a longer expression would not be put into registers of four.
    """
    m0, m1 = h * s[LANES * PortField.V_OLD + k], h * s[LANES * PortField.V + k]
    rise = s[LANES * PortField.U + k] - s[LANES * PortField.U_OLD + k]
    b, c = 3.0 * rise - 2.0 * m0 - m1, 3.0 * (m0 + m1 - 2.0 * rise)
    turns = (b * c < 0.0) & (abs(b) < abs(c))  # inside the step
    s[LANES * PortField.TURN + k] = m0 - (b * b if turns else 0.0) / (c if turns else 1.0)  # no branch around it


@kernel(inlined=True)
def touches_closely(s, k, h):
    """As `touches`, with the cubic itself: its rate is a parabola, and it turns where that changes its sign."""
    u0, u1 = s[LANES * PortField.U_OLD + k], s[LANES * PortField.U + k]
    m0, m1, top = h * s[LANES * PortField.V_OLD + k], h * s[LANES * PortField.V + k], s[LANES * PortField.TURN + k]
    low, high = min(min(m0, m1), top), max(max(m0, m1), top)
    free = CLOSE * (high - low)
    low, high = low - free, high + free
    far, near = MARGIN * (abs(m0) + abs(m1)), MONOTONE * abs(u1 - u0)  # both, so that no branch is made
    reach = far if (low <= 0.0) & (high >= 0.0) else near
    inside = (min(u0, u1) - reach > s[LANES * PortField.U_FROM + k]) & (
        max(u0, u1) + reach < s[LANES * PortField.U_TO + k]
    )
    keeps = (low > h * s[LANES * PortField.V_FROM + k]) & (high < h * s[LANES * PortField.V_TO + k])
    s[LANES * PortField.TOUCHED + k] = 0.0 if inside & keeps else 1.0


@kernel(inlined=True)
def touched(s):
    """How many lanes of a row were noted."""
    o = LANES * PortField.TOUCHED
    return (s[o] + s[o + 1]) + (s[o + 2] + s[o + 3])


@kernel(inlined=True)
def touched_inside_walls(s):
    """How many lanes of a row were noted whose interval is narrower than their walls."""
    found = 0.0
    for k in range(LANES):
        narrowed = (s[LANES * PortField.U_FROM + k] > s[LANES * PortField.U_LOW + k]) | (
            s[LANES * PortField.U_TO + k] < s[LANES * PortField.U_HIGH + k]
        )
        found += s[LANES * PortField.TOUCHED + k] if narrowed else 0.0
    return found


@kernel(merged=True)
def any_touches(p, h):
    """Whether something may have reached the end of its interval.

    It ends at the first row that may: a loop without a way out would be vectorised over the rows, whose numbers
    then are collected one by one.
    """
    f, i = p
    per_h = 1.0 / h
    rows, first = i[Head.SCAN_ROWS], i[Head.PORT_STATE]
    for row in range(rows):
        o = first + PORT_ROW * row
        s = f[o : o + PORT_ROW]
        for k in range(LANES):
            touches(s, k, h, per_h)
        if touched(s) > 0.0:
            return True
    return False


@kernel(inner=True)
def set_intervals(p, memory, mode):
    """The intervals of all entries, from the present modes; leaf springs as they are compressed in the scratch."""
    f, i = p
    for row in range(i[Head.SCAN_ROWS]):
        o = i[Head.PORT_STATE] + PORT_ROW * row
        for k in range(4 * LANES):
            f[o + LANES * PortField.U_FROM + k] = f[o + LANES * PortField.U_LOW + k]
    leaf_spring.narrow(p, memory, mode)
    guide.narrow(p, memory, mode)
    stop.narrow(p, memory, mode)
    rigid_friction.narrow(p, memory, mode)
    elastic_friction.narrow(p, memory, mode)
    series_damper.narrow(p, memory, mode)
    wheel_states.narrow(p, memory, mode)


@kernel(inner=True)
def begin_here(p, t, x, memory, mode):
    """Intervals and remembered deformations where nothing is known of the beginning of a step."""
    move_there(p, t, x, memory)
    set_intervals(p, memory, mode)
    remember(p, t)


@kernel(merged=True)
def rows_that_touch(p, h):
    """How many shifts of wheelsets and how many others touch closely looked at; how many others, at first sight,
    have an interval that is narrower than their walls."""
    f, i = p
    rows, first, links = i[Head.SCAN_ROWS], i[Head.PORT_STATE], i[Head.LINKS]
    wheelsets = (i[Head.WHEELS] // 2 + LANES - 1) // LANES
    shifts, others, narrowed, per_h = 0.0, 0.0, 0.0, 1.0 / h
    for row in range(rows):
        o = first + PORT_ROW * row
        s = f[o : o + PORT_ROW]
        for k in range(LANES):
            touches(s, k, h, per_h)
        if touched(s) == 0.0:
            continue
        is_shift = links <= row < links + wheelsets
        if not is_shift:
            narrowed += touched_inside_walls(s)
        for k in range(LANES):
            note_turn(s, k, h)
        for k in range(LANES):
            touches_closely(s, k, h)
        if is_shift:
            shifts += touched(s)
        else:
            others += touched(s)
    return shifts, others, narrowed


@kernel(inner=True)
def look_closely(p, h, memory, mode):
    """As `rows_that_touch`, with intervals set anew where one that is narrower than its walls may be touched.

    Springs and faces have moved since: they allow more than they did where they were asked last. An older interval
    is as safe: it holds wherever the motion went inside it.
    """
    i = p[1]
    shifts, others, narrowed = 0.0, 0.0, 0.0
    for attempt in range(2):  # a loop, so that the rows are looked at in one place of the machine code
        shifts, others, narrowed = rows_that_touch(p, h)
        if narrowed == 0.0 or i[leaf_spring.COUNT] + i[elastic_friction.COUNT] == 0:
            break
        if attempt == 0:
            set_intervals(p, memory, mode)
    return shifts, others


@kernel(inner=True)
def answer_closely(p, h, memory, mode):
    """What `something_happened` answers where an interval may have been left."""
    shifts, others = look_closely(p, h, memory, mode)
    if others > 0.0 or (shifts > 0.0 and (not wheel_following.follows(p) or wheel_following.reaches_end(p, h))):
        return 1  # the ends of tables are guards, also where contact states follow the shift
    return 2 if shifts > 0.0 else 0


@kernel(merged=True)
def something_happened(p, t, t_new, x, x_new, memory, mode):
    """Between x at t and x_new at t_new: 0 when no element can have left its mode, 2 when only contact states that
    follow the shift can have changed, else 1."""
    f, i = p
    h = t_new - t
    if f[i[Head.RUN] + Run.SCANNED] != t:
        begin_here(p, t, x, memory, mode)
    if not holds(p, t_new, x_new):
        move_there(p, t_new, x_new, memory)
    seen = answer_closely(p, h, memory, mode) if any_touches(p, h) else 0
    remember(p, t_new)  # the next step begins here, unless the guards find an event, which begins anew
    return seen
