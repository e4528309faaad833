"""Stored runs and journals of sweeps, changed so that their digests still fit."""

import json
import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import klingel as kg
from klingel.io import journal
from klingel.io.runs import read_dataset, write_dataset

SWEEP = [
    "sweep",
    "hbbills311",
    "--speeds",
    "20,21",
    "--transient",
    "0.01",
    "--maxima",
    "1",
    "--cap",
    "0.02",
    "--workers",
    "1",
    "--out",
    "sweep.nc",
]
ODD = (None, [], {}, "", "x", -1, 1e300, 10**30, True, [[]], {"x": 1})


@cache
def run_file() -> bytes:
    kick = {"front_wheelset.y": 0.005}
    with TemporaryDirectory() as folder:
        run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 40.0, 0.03, kick)
        return run.save(Path(folder) / "run.nc").read_bytes()


def changed_run(rng: random.Random) -> bytes:
    """One variable or attribute of a run with other content; the digest is made anew."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.nc"
        path.write_bytes(run_file())
        data, attributes = read_dataset(path)
        if rng.random() < 0.6:
            modes = [str(n) for n in data if str(n).endswith(".mode")]
            name = rng.choice(
                [*modes, "event_owner", "event_guard", "event_old", "event_new", "memory", "checkpoint"]
            )
            if rng.random() < 0.2:
                data = data.drop_vars(name)
            else:
                values = data[name].to_numpy().copy()
                if values.size:
                    values.flat[rng.randrange(values.size)] = rng.choice((-128, -2, 100, 127))
                data[name] = (data[name].dims, values, data[name].attrs)
        else:
            name = rng.choice(list(attributes))
            attributes[name] = _changed_text(str(attributes[name]), rng)
        write_dataset(data, attributes, path)
        return path.read_bytes()


def _changed_text(text: str, rng: random.Random) -> str:
    try:
        table = json.loads(text)
    except ValueError:
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(("", "x", "\0", "[[", "9" * 400)) + text[at + rng.randrange(5) :]
    if isinstance(table, dict) and table:
        key = rng.choice(list(table))
        if rng.random() < 0.3:
            del table[key]
        elif isinstance(table[key], list) and table[key] and rng.random() < 0.5:
            table[key] = table[key][: rng.randrange(len(table[key]))]
        else:
            table[key] = rng.choice(ODD)
    return json.dumps(table)


@cache
def _journal() -> tuple[bytes, ...]:
    """Lines of the journal of a sweep that was stopped before its end."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "sweep.nc"
        rule = kg.FixedTransient(0.01, 1, cap=0.02)

        def stop(done: int, of: int) -> None:
            if done == 1:
                raise KeyboardInterrupt

        kg.sweep(
            kg.load_vehicle("hbbills311"),
            kg.Track.straight(),
            [20.0, 21.0],
            transient=rule,
            workers=1,
            out=out,
            on_point=stop,
        )
        return tuple((out.parent / "sweep.nc.journal").read_bytes().splitlines(keepends=True))


def changed_journal(rng: random.Random) -> bytes:
    """Lines lost, doubled, exchanged or torn; a record with other content and a digest that fits."""
    lines = list(_journal())
    what = rng.randrange(6)
    if what == 0:
        del lines[rng.randrange(len(lines))]
    elif what == 1:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    elif what == 2:
        lines.reverse()
    elif what == 3:
        return b"".join(lines)[: rng.randrange(len(b"".join(lines)) + 1)]
    elif what == 4:
        content = bytearray(b"".join(lines))
        content[rng.randrange(len(content))] = rng.randrange(256)
        return bytes(content)
    else:
        at = rng.randrange(len(lines))
        table = json.loads(lines[at].partition(b" ")[2])
        key = rng.choice(list(table))
        if rng.random() < 0.4:
            del table[key]
        else:
            table[key] = rng.choice(ODD)
        lines[at] = journal._line(table)
    return b"".join(lines)


def read_back() -> None:
    """The points of an unfinished sweep, as pictures read them."""
    found = kg.load_sweep("sweep.nc")
    assert len(repr(found)) < 2000
    for name in found.coordinates:
        assert all(np.isfinite(row).all() for row in found.maxima(name))
