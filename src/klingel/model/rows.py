"""Rows of the elements while the tables are filled: what `put` of a kind writes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.description import Element
from klingel.model.kinds.registry import Kind, places
from klingel.model.layout import Moves, Remembered, State
from klingel.model.system import NONE, Head, System
from klingel.model.tables import Tables


@dataclass
class Rows:
    """Grows while the elements are put, one by one."""

    ports: dict[str, int]  # columns in arrays over all ports
    loads: Mapping[str, float]  # found for elements that state none, in the position drawn [N, Nm]
    first_own: int  # where states of elements begin in x
    modes: list[str] = field(default_factory=list)
    mode_types: list[type[IntEnum]] = field(default_factory=list)
    mode_values: list[int] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    remembered: list[Remembered] = field(default_factory=list)
    elements: dict[str, int] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)  # element -> first column among reported forces
    slot_count: int = 0
    own: list[State] = field(default_factory=list)
    own_states: dict[str, int] = field(default_factory=dict)
    owned: dict[int, None] = field(default_factory=dict)  # ports with forces that are not affine
    walled: dict[int, tuple[str, str]] = field(default_factory=dict)  # place in the scratch -> port, direction
    floats: dict[Kind, list[list[float]]] = field(default_factory=lambda: {kind: [] for kind in Kind})
    ints: dict[Kind, list[list[int]]] = field(default_factory=lambda: {kind: [] for kind in Kind})

    def place(self, port: str) -> int:
        """Where a port stands in the scratch of ports."""
        row, lane = divmod(self.ports[port], LANES)
        return PORT_ROW * row + lane

    def port(self, element: Element, n: int = 0) -> int:
        return self.place(element.ports[n])

    def load_port(self, element: Element) -> int:
        return NONE if element.load is None else self.place(element.load)

    def curved_port(self, element: Element, n: int = 0) -> int:
        """A port of an element whose forces are not affine."""
        at = self.port(element, n)
        self.owned.setdefault(at)
        return at

    def wall(self, element: Element) -> int:
        """The port of an element whose modes end at walls."""
        at = self.port(element)
        self.walled[at] = (element.ports[0], element.direction)
        return at

    def slot(self, element: Element) -> int:
        """First of the columns its forces are reported in, one per direction."""
        if element.name not in self.slots:
            self.slots[element.name] = self.slot_count
            self.slot_count += len(element.directions)
        return self.slots[element.name]

    def mode(self, name: str, kind: type[IntEnum], value: int) -> int:
        self.modes.append(name)
        self.mode_types.append(kind)
        self.mode_values.append(value)
        return len(self.modes) - 1

    def remember(self, name: str, entries: Sequence[Remembered]) -> int:
        self.memory[name] = len(self.remembered)
        self.remembered += [Remembered(f"{name}.{e.name}".rstrip("."), e.role, e.unit) for e in entries]
        return self.memory[name]

    def state(self, element: Element, names: Sequence[str], unit: str) -> int:
        """States of its own, in x behind those of the bodies; returns the first."""
        first = self.first_own + len(self.own)
        self.own_states.setdefault(element.name, first)
        self.own += [State(f"{element.name}.{n}", Moves.OWN, element.name, n, unit) for n in names]
        return first

    def add(self, kind: Kind, name: str, floats: Sequence[float], ints: Sequence[int]) -> None:
        self.elements[name] = len(self.floats[kind])
        self.floats[kind].append(list(floats))
        self.ints[kind].append(list(ints))

    def write(self, tables: Tables) -> None:
        """All rows into the tables, kind by kind."""
        for kind in Kind:
            count, rows, at = places(kind, Head.KINDS)
            tables.head[count] = len(self.floats[kind])
            tables.put(rows, np.array(self.floats[kind], float))
            tables.put_int(at, np.array(self.ints[kind], np.int64))
        leaf_rows = {at[0] // PORT_ROW for at in self.ints[Kind.LEAF_SPRING]}
        begun = [port for port in self.owned if port // PORT_ROW not in leaf_rows]
        tables.head[Head.CURVED], tables.head[Head.OWNED] = len(self.owned), len(begun)
        tables.put_int(Head.OWNED_AT, np.array(begun, np.int64))


def table_of(system: System, kind: Kind, row: type[IntEnum], at: type[IntEnum]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all elements of a kind: [element][row] numbers, [element][at] indices."""
    f, i = system
    count, rows, ints = (int(i[place]) for place in places(kind, Head.KINDS))
    width, length = int(row["SIZE"]), int(at["SIZE"])
    floats = f[rows : rows + width * count].reshape(count, width)
    return floats, i[ints : ints + length * count].reshape(count, length)
