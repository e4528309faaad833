"""Names of everything in a compiled vehicle: Python only, never in a kernel."""

from dataclasses import dataclass
from enum import IntEnum


@dataclass(frozen=True)
class Layout:
    """Index of every named thing; names are `<body>.<coordinate>`, `<corner>.<element>`."""

    states: tuple[str, ...]  # in the order of x
    modes: tuple[str, ...]
    mode_types: tuple[type[IntEnum], ...]
    guards: tuple[str, ...]
    guard_owner: tuple[int, ...]
    ports: dict[str, int]  # "<connection>.<direction>" -> port
    memory: dict[str, int]  # element -> first entry
    wheels: tuple[str, ...]  # "<wheelset>.left", ...
    elements: dict[str, int]  # element name -> index within its kind
    bodies: tuple[str, ...]
    cones: tuple[str, ...] = ()  # bodies of the conical wheelsets

    def state(self, name: str) -> int:
        return self.states.index(name)
