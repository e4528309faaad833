"""Power spectra of runs; the browser fetches them itself."""

from collections.abc import Sequence

from nicegui.element import Element


class Spectrum(Element, component="spectrum.js"):
    def __init__(
        self, runs: Sequence[tuple[str, str]], names: Sequence[str] = (), window: Sequence[float] | None = None
    ):
        """Ids of runs with a label each; without names the lateral motion of every body."""
        super().__init__()
        self._props["runs"] = [{"id": id, "label": label} for id, label in runs]
        self._props["names"] = list(names)
        self._props["window"] = None if window is None else list(window)
        self.props("data-testid=spectrum")
