"""Charts of stored or running runs; the browser fetches the data itself."""

from collections.abc import Sequence

from nicegui.element import Element


class Charts(Element, component="charts.js"):
    def __init__(
        self, runs: Sequence[tuple[str, str]], panels: Sequence[Sequence[str]], x: str = "time",
        live: bool = False, marks: bool = True, bands: bool = False, height: int | None = None,
    ):  # fmt: skip
        """Ids of runs with a label each; names of quantities for each panel."""
        super().__init__()
        self._props["runs"] = [{"id": id, "label": label} for id, label in runs]
        self._props["x"] = x
        self._props["live"] = live
        self._props["marks"] = marks
        self._props["bands"] = bands
        self._props["height"] = height
        self._props["panels"] = [list(names) for names in panels]
        self.props("data-testid=charts")

    def show(self, panels: Sequence[Sequence[str]], x: str | None = None) -> None:
        self._props["panels"] = [list(names) for names in panels]
        if x is not None:
            self._props["x"] = x
        self.update()

    def set_live(self, live: bool) -> None:
        if self._props["live"] != live:
            self._props["live"] = live
            self.update()

    def set_bands(self, bands: bool) -> None:
        """Modes of elements below the curves."""
        self._props["bands"] = bands
        self.update()
