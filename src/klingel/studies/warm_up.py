"""Run every compiled entry point once on something small, which compiles it and fills the disk cache."""

from collections.abc import Iterator

from klingel.numerics.integrate import integrate


def compile_everything() -> Iterator[str]:
    """Name each part once it is compiled."""
    from klingel.systems.impact_oscillator import impact_oscillator

    integrate(impact_oscillator(), [0.0, 0.0], 0.01, method="auto")
    yield "event loop, impact oscillator"
    from klingel.systems import guided_rod  # noqa: F401  compiled on import

    yield "guided rod"
