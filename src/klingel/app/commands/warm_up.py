"""`klingel warm-up`: compile everything once, ahead of time."""

from time import perf_counter

from klingel.app.console import note


def warm_up() -> None:
    """Compile all kernels now, so that the first run does not wait for it.

    Example: klingel warm-up
    """
    note("compiling; this takes about a minute the first time and a second afterwards")
    started = perf_counter()
    from klingel.app.warm_up import compile_everything

    for name in compile_everything():
        note(f"  {name}")
    note(f"done in {perf_counter() - started:.1f} s")
