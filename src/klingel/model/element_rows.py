"""Rows of the suspension elements, their modes and memory, and the names of all guards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from klingel.elements import dead_band, dry_friction, impact, leaf_spring
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.piece import Wall
from klingel.elements.spring import Spring
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.description import Guide, Vehicle
from klingel.model.system import Head
from klingel.model.tables import Tables


@dataclass
class Names:
    """Grows while the tables are filled."""

    modes: list[str] = field(default_factory=list)
    mode_types: list[type[IntEnum]] = field(default_factory=list)
    mode_values: list[int] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    memory_size: int = 0
    elements: dict[str, int] = field(default_factory=dict)

    def mode(self, name: str, kind: type[IntEnum], value: int) -> int:
        self.modes.append(name)
        self.mode_types.append(kind)
        self.mode_values.append(value)
        return len(self.modes) - 1

    def remember(self, name: str, size: int) -> int:
        self.memory[name] = self.memory_size
        self.memory_size += size
        return self.memory[name]


def put_elements(
    vehicle: Vehicle, ports: dict[str, int], loads: Mapping[str, float], tables: Tables, names: Names
):
    """Rows of all laws; returns the ports with walls and those of the guides."""
    rows: dict[Head, list] = {h: [] for h in (Head.SPRING, Head.SLIDER, Head.BAND, Head.LEAF, Head.GUIDE)}
    at: dict[Head, list] = {
        h: [] for h in (Head.SPRING_AT, Head.SLIDER_AT, Head.BAND_AT, Head.LEAF_AT, Head.GUIDE_AT)
    }
    walled: dict[int, str] = {}
    for element in vehicle.elements:
        row, lane = divmod(ports[f"{element.connection}.{element.direction}"], LANES)
        port = PORT_ROW * row + lane
        law, name = element.law, element.name
        if isinstance(law, Spring):
            names.elements[name] = len(rows[Head.SPRING])
            rows[Head.SPRING].append([law.stiffness, law.damping, law.preload])
            at[Head.SPRING_AT].append([port])
        elif isinstance(law, DryFriction):
            names.elements[name] = len(rows[Head.SLIDER])
            rows[Head.SLIDER].append([law.stiffness, law.limit])
            mode = names.mode(name, dry_friction.Mode, dry_friction.Mode.STICK)
            at[Head.SLIDER_AT].append([port, mode, names.remember(name, 1)])
            walled[port] = f"{element.connection}.{element.direction}"
        elif isinstance(law, DeadBand):
            names.elements[name] = len(rows[Head.BAND])
            rows[Head.BAND].append([law.gap_low, law.gap_high, law.stiffness])
            at[Head.BAND_AT].append([port, names.mode(name, dead_band.Mode, dead_band.Mode.FREE)])
            walled[port] = f"{element.connection}.{element.direction}"
        elif isinstance(law, LeafSpring):
            names.elements[name] = len(rows[Head.LEAF])
            rows[Head.LEAF].append([*law.pack(), law.static_deflection(loads[element.connection])])
            mode = names.mode(name, leaf_spring.Mode, leaf_spring.Mode.AUTO)
            at[Head.LEAF_AT].append([port, mode, names.remember(name, leaf_spring.BRANCH_SIZE)])
        elif isinstance(law, Guide):
            for sign, side in ((1, "plus"), (-1, "minus")):
                names.elements[f"{name}.{side}"] = len(rows[Head.GUIDE])
                rows[Head.GUIDE].append([law.clearance, law.restitution, law.resting_speed])
                mode = names.mode(f"{name}.{side}", impact.Mode, impact.Mode.FREE)
                at[Head.GUIDE_AT].append([port, mode, 0 if sign > 0 else 1])
    widths = {Head.SPRING: 3, Head.SLIDER: 2, Head.BAND: 3, Head.LEAF: leaf_spring.LAW_SIZE + 1, Head.GUIDE: 3}
    for head, values in rows.items():
        tables.put(head, np.array(values, float).reshape(len(values), widths[head]))
    for head, values in at.items():
        tables.put_int(head, np.array(values, np.int64).ravel())
    counts = (Head.SPRINGS, Head.SLIDERS, Head.BANDS, Head.LEAVES, Head.GUIDES)
    for count, head in zip(counts, rows, strict=True):
        tables.head[count] = len(rows[head])
    return walled


def put_leaf_rows(tables: Tables) -> None:
    """Where each leaf spring stands in its row of ports, and whether one before it is in the same row."""
    ports = [int(port) for port in tables.ints[Head.LEAF_AT][::3]]
    rows = [port - port % PORT_ROW for port in ports]
    tables.put(Head.LEAF_LANE, np.eye(LANES)[[port % PORT_ROW for port in ports]])
    tables.put_int(Head.LEAF_ROW, np.array([[row, row in rows[:k]] for k, row in enumerate(rows)], np.int64))


def guard_names(walled: dict[int, str], names: Names, vehicle: Vehicle, wheels: tuple[str, ...]):
    """Guard names in the order of `assembly.guards`, and the mode each belongs to (-1 where several share it)."""
    guards, owner = [], []
    for port in walled.values():
        guards += [f"{port}.{wall.name.lower()}" for wall in Wall]
        owner += [-1] * len(Wall)
    for element in vehicle.elements:
        if isinstance(element.law, LeafSpring):
            guards += [f"{element.name}.{guard.name.lower()}" for guard in leaf_spring.Guard]
            owner += [names.modes.index(element.name)] * len(leaf_spring.Guard)
    for wheel in wheels:
        guards += [f"{wheel}.low", f"{wheel}.high"]
        owner += [names.modes.index(wheel)] * 2
    for element in vehicle.elements:
        if isinstance(element.law, Guide):
            for side in ("plus", "minus"):
                guards.append(f"{element.name}.{side}")
                owner.append(names.modes.index(f"{element.name}.{side}"))
    return tuple(guards), tuple(owner)
