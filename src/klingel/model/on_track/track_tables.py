"""The track as tables of a compiled vehicle, and the vehicle's place on it at the start."""

import numpy as np

from klingel.model.on_track.frames import Place
from klingel.model.on_track.track_at_bodies import SHIFTS
from klingel.model.system import NONE, BodyField, Head, Run, System
from klingel.model.tables import Tables
from klingel.track import alignment, irregularity
from klingel.track.track import Track

LEVEL = 1e-12  # curvature, cant angle or gradient below this is none


def is_plain(track: Track) -> bool:
    """Whether the track is straight, level and smooth: nothing of it enters the equations of motion."""
    bends = [(*s.curvature, *s.vertical_curvature, *s.cant) for s in track.alignment.stages]
    return not track.irregularity and not any(any(values) for values in bends)


def put_track(tables: Tables, track: Track, bodies: int) -> None:
    """Alignment, irregularities and the scratch of `place`; `bodies` counts the track."""
    tables.put(Head.ALIGNMENT, track.alignment_table())
    tables.put(Head.IRREGULARITY, track.irregularity_table())
    tables.put(Head.PLACE, np.zeros(Place.SIZE * bodies))
    tables.put(Head.CONTACT_SHIFT, np.zeros(SHIFTS * bodies))
    tables.head[Head.HAS_TRACK] = 0 if is_plain(track) else 1


def distances(system: System, t: np.ndarray, b: int | None = None) -> np.ndarray:
    """Distance of body b, or of the vehicle's middle, along the track [m]."""
    f, i = system.f, system.i
    run = int(i[Head.RUN])
    ahead = 0.0 if b is None else f[i[Head.BODY] + BodyField.SIZE * b + BodyField.X]
    way = t * (f[run + Run.SPEED] + 0.5 * t * f[run + Run.ACCELERATION])
    return f[run + Run.DISTANCE] + way + ahead


def alignment_at(system: System, s: np.ndarray) -> np.ndarray:
    """One row of `alignment.Value`s per distance."""
    out = np.empty((s.size, alignment.VALUES))
    alignment.sample_along(system.f, int(system.i[Head.ALIGNMENT]), s, out)
    return out


def irregularity_at(system: System, s: np.ndarray) -> np.ndarray:
    """One row of `irregularity.Value`s per distance."""
    out = np.empty((s.size, irregularity.VALUES))
    irregularity.sample_along(system.f, int(system.i[Head.IRREGULARITY]), s, out)
    return out


def start_distances(system: System) -> np.ndarray:
    """Distance of every body at t = 0 [m]."""
    return np.array([distances(system, np.zeros(1), b)[0] for b in range(int(system.i[Head.BODIES]))])


def starts_level(system: System) -> bool:
    """Whether every body starts on straight, level track without cant."""
    of = alignment.Value
    values = alignment_at(system, start_distances(system))
    bent = values[:, [of.CURVATURE, of.VERTICAL_CURVATURE, of.GRADIENT, of.CANT_ANGLE]]
    return bool(np.all(np.abs(bent) < LEVEL))


def enter_stages(system: System, memory: np.ndarray) -> None:
    """The stage of every body at the start, into the memory."""
    first = int(system.i[Head.STAGE])
    for b, s in enumerate(start_distances(system)):
        memory[first + b] = alignment.stage_at(system.f, int(system.i[Head.ALIGNMENT]), s)


def stand_on_irregular_rails(system: System, x: np.ndarray) -> None:
    """Move every wheelset with the rails under it, so that its contacts see what they saw on the ideal track."""
    f, i = system.f, system.i
    speed = f[i[Head.RUN] + Run.SPEED]
    of = irregularity.Value
    values = irregularity_at(system, start_distances(system))
    for b, row in enumerate(values):
        body = i[Head.BODY] + BodyField.SIZE * b
        if f[body + BodyField.RADIUS] <= 0.0:
            continue
        height = f[body + BodyField.Z]
        slot = i[i[Head.SLOT] + 12 * b : i[Head.SLOT] + 12 * b + 12]
        moves = {
            1: row[of.LATERAL] - height * row[of.ROLL],
            2: row[of.VERTICAL],
            3: row[of.ROLL],
            5: row[of.LATERAL_SLOPE],
            7: speed * (row[of.LATERAL_SLOPE] - height * row[of.ROLL_SLOPE]),
            8: speed * row[of.VERTICAL_SLOPE],
            9: speed * row[of.ROLL_SLOPE],
        }
        for axis, move in moves.items():
            if slot[axis] != NONE:
                x[slot[axis]] += move
