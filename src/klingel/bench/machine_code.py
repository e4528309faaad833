"""What the compiler makes of the hot loops for one processor or another: counts of instructions, and times.

    python -m klingel.bench.machine_code znver4 cascadelake x86-64 plain:znver4

Each processor (a name LLVM knows) is a process of its own with an empty cache. It is compiled with the features
klingel asks for on every x86 processor, or without them where `plain:` stands before the name. Counted in the
assembly of the loops that `vehicle_kernels` has around a right-hand side and a look for events: instructions;
those that write to the stack and read from it, arguments of calls included; instructions with registers
of eight and of four numbers; gathers. The times are those of this machine, which must be able to run the code.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from klingel.bench import vehicle_kernels
from klingel.bench.row import best_time
from klingel.model.system import System
from klingel.numerics.cache_lines import aligned

USUAL = ("znver4", "cascadelake", "x86-64")
FEATURES = "+prefer-256-bit,+prefer-no-gather"
PLAIN = "plain:"
CALLS = 20_000
REPEATS = 60
INSTRUCTION = re.compile(r"^\t[a-z]")
COUNTED = {
    "instructions": INSTRUCTION,
    "to the stack": re.compile(r"\(%rsp\)$"),
    "from the stack": re.compile(r"\(%rsp\)[,{]"),
    "of eight": re.compile(r"%zmm"),
    "of four": re.compile(r"%ymm"),
    "gathers": re.compile(r"^\tvp?gather"),
}


def counts(assembly: str) -> dict[str, int]:
    """How many instructions of an assembly text are of each kind."""
    lines = [line for line in assembly.splitlines() if INSTRUCTION.match(line)]
    return {name: sum(bool(pattern.search(line)) for line in lines) for name, pattern in COUNTED.items()}


def made_here(stored: Path) -> dict[str, dict[str, float]]:
    """Counts, and nanoseconds per call, of both loops as this process compiles them."""
    with np.load(stored) as file:
        x, memory, mode, f, i = (file[name] for name in ("x", "memory", "mode", "f", "i"))
    p, dx = System(aligned(f), i), np.zeros_like(x)
    calls = {
        "right-hand side": (vehicle_kernels.repeat_rhs, (x, memory, mode, p, dx)),
        "look for events": (vehicle_kernels.repeat_scan, (1e-6, x, memory, mode, p)),
    }
    told = {}
    for name, (loop, arguments) in calls.items():
        loop(*arguments, 1)
        made = counts("\n".join(loop.inspect_asm().values()))
        time = best_time(lambda loop=loop, given=arguments: loop(*given, CALLS), REPEATS, process_time)
        told[name] = {**made, "ns": 1e9 * time / CALLS}
    return told


def store_wagon(path: Path) -> None:
    """The Hbbills 311 at rest on straight track, for the processes that do not compile all of the engine."""
    from klingel.io.vehicle.files import load_vehicle
    from klingel.model.problem import vehicle_problem
    from klingel.simulation.integration import rest_of
    from klingel.simulation.setup import put_on_track
    from klingel.track.track import Track

    compiled = put_on_track(load_vehicle("hbbills311"), Track.straight(), 20.0)
    rest = rest_of(compiled)
    vehicle_problem(compiled, rest.memory, rest.mode)
    np.savez(path, x=rest.x, memory=rest.memory, mode=rest.mode, f=compiled.system.f, i=compiled.system.i)


def compiled_for(target: str, stored: Path) -> dict[str, dict[str, float]]:
    """What a process whose kernels are compiled for `target` tells."""
    with tempfile.TemporaryDirectory() as cache:
        features = "" if target.startswith(PLAIN) else FEATURES
        chosen = {"NUMBA_CPU_NAME": target.removeprefix(PLAIN), "NUMBA_CPU_FEATURES": features}
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name, str(stored)],
            env={**os.environ, **chosen, "KLINGEL_CACHE_DIR": cache}, capture_output=True, text=True, check=True,
        )  # fmt: skip
    return json.loads(done.stdout)


def main(targets: list[str]) -> None:
    if len(targets) == 1 and targets[0].endswith(".npz"):
        print(json.dumps(made_here(Path(targets[0]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "wagon.npz"
        store_wagon(stored)
        for target in targets or USUAL:
            for name, told in compiled_for(target, stored).items():
                line: dict[str, Any] = {key: round(value, 1) for key, value in told.items()}
                print(f"{target}, {name}: " + ", ".join(f"{key} {value:g}" for key, value in line.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
