"""A vehicle at rest as `rest_extent` asks for it; unknown are positions, spins and states of elements.

Wheels, creep forces, springs and gaps are those of the engine without friction elements, in the contact section
and gap mode of a piece. What a unit of a friction force does follows from virtual work: -B^T / m, with B the
derivative of its deformation by the positions, which is constant.
"""

from collections.abc import Hashable
from functools import cached_property
from itertools import pairwise

import numpy as np

from klingel.analysis.rest_extent import Extreme, Local, Slopes
from klingel.model import assembly
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.builder import Compiled
from klingel.model.description import SPIN, Vehicle
from klingel.model.layout import Moves, Role, Watch
from klingel.model.standing.balance import DIFFERENCE, Balance, weights, without_memory
from klingel.model.standing.equilibrium import Rest, find_rest, settled
from klingel.model.standing.settled_modes import port_deformation
from klingel.model.system import BodyField, Head, PortField, System
from klingel.simulation.integration import Start
from klingel.simulation.resting.holders import holders

SPINS = 100.0  # unit of the turning of wheels, of which 0.1 rad/s are little [rad/s]
WALLS = (Watch.DEFORMATION, Watch.SHIFT_LOW, Watch.SHIFT_HIGH, Watch.GAP)
INERTIAS = {"roll": BodyField.INERTIA_X, "pitch": BodyField.INERTIA_Y, "yaw": BodyField.INERTIA_Z}
STEP = 1e-6  # of positions, of which deformations are a linear function


def _ports(system: System, name: PortField) -> np.ndarray:
    """A field of all ports, as the last right-hand side left it."""
    first, rows = int(system.i[Head.PORT_STATE]), int(system.i[Head.PORT_ROWS])
    return system.f[first : first + PORT_ROW * rows].reshape(rows, PortField.SIZE, LANES)[:, name].ravel()


class StandingVehicle:
    def __init__(self, vehicle: Vehicle, compiled: Compiled, factor: float, leaves: bool = True):
        self.vehicle, self.compiled, self.factor = vehicle, compiled, factor
        self.rest: Rest = find_rest(compiled)
        search = without_memory(compiled)  # modes in which friction carries nothing come with it
        self._balance = Balance(search, self.rest.x.copy(), np.zeros(compiled.memory_size), search.mode.copy())
        self.holders = holders(vehicle, compiled, leaves)
        columns = np.cumsum([0, *(len(h.ports) for h in self.holders)])
        self.faces = tuple(tuple(range(a, b)) for a, b in pairwise(columns.tolist()))
        self._unit = weights(compiled)
        spins = [compiled.layout.state_info[k].coordinate == SPIN for k in self._balance.unknown]
        self.units = np.where(spins, SPINS, 1.0)
        self._walls = np.flatnonzero([guard.watch in WALLS for guard in search.layout.guard_info])
        kept = self.compiled.layout.remembered
        self._bookkeeping = np.flatnonzero([entry.role == Role.BOOKKEEPING for entry in kept])
        self._constant = np.array(
            [h.limit(*[np.zeros(0)] * 2) if h.constant else np.nan for h in self.holders for _ in h.ports]
        )
        self._varying = [(h, face) for h, face in zip(self.holders, self.faces, strict=True) if not h.constant]
        self._known: dict[Hashable, tuple[np.ndarray, np.ndarray]] = {}
        self.friction = self._friction()

    @cached_property
    def positions(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.compiled.layout.state_info if s.moves == Moves.POSITION)

    @property
    def start(self) -> np.ndarray:
        return self.rest.x[self._balance.unknown]

    def place_of(self, name: str) -> int:
        """Number of a position among the unknowns."""
        return int(np.flatnonzero(self._balance.unknown == self.compiled.layout.state(name))[0])

    def full(self, q: np.ndarray) -> np.ndarray:
        x = self.rest.x.copy()
        x[self._balance.unknown] = q
        return x

    def _friction(self) -> np.ndarray:
        """F, [row][component]."""
        balance, layout, system = self._balance, self.compiled.layout, self._balance.compiled.system
        ports = [port for holder in self.holders for port in holder.ports]
        found = np.zeros((balance.residual.size, len(ports)))
        body = system.f[system.i[Head.BODY] :][: BodyField.SIZE * len(layout.bodies)].reshape(-1, BodyField.SIZE)
        for k, row in zip(balance.unknown, balance.row, strict=True):
            state = layout.state_info[k]
            if state.moves != Moves.POSITION:
                continue
            ahead, behind = self.rest.x.copy(), self.rest.x.copy()
            ahead[k] += STEP
            behind[k] -= STEP
            u = [port_deformation(system, x, balance.memory, balance.mode)[ports] for x in (ahead, behind)]
            inertia = body[layout.bodies.index(state.owner)][INERTIAS.get(state.coordinate, BodyField.MASS)]
            found[row] -= (u[0] - u[1]) / (2.0 * STEP * inertia)
        return found / self._unit[:, None]

    def piece(self, q: np.ndarray) -> Hashable:
        self._balance.settle(self.full(q))
        key = self._balance.mode.tobytes(), self._balance.memory[self._bookkeeping].tobytes()
        self._known.setdefault(key, (self._balance.mode.copy(), self._balance.memory.copy()))
        return key

    def _enter(self, piece: Hashable) -> None:
        """Modes of a piece; leaf springs on their line, whose stage is one of them."""
        mode, memory = self._known[piece]
        if not np.array_equal(mode, self._balance.mode) or not np.array_equal(memory, self._balance.memory):
            self._balance.mode[:], self._balance.memory[:] = mode, memory
            assembly.prepare(self._balance.compiled.system, self._balance.memory, self._balance.mode)

    def at(self, q: np.ndarray, piece: Hashable) -> Local:
        self._enter(piece)
        return self._local(self.full(q))

    def _local(self, x: np.ndarray) -> Local:
        balance = self._balance
        system = balance.compiled.system
        rest = balance.force(x) / self._unit
        limits = self._constant.copy()
        if self._varying:
            u, f = (_ports(system, name) for name in (PortField.U, PortField.FORCE))
            for holder, face in self._varying:
                limits[list(face)] = holder.limit(u, f)
        g = np.zeros(len(balance.compiled.layout.guard_info))
        assembly.guards(0.0, x, balance.memory, balance.mode, system, g)
        return Local(rest, self.factor * limits, g[self._walls])

    def slopes(self, q: np.ndarray, piece: Hashable) -> Slopes:
        self._enter(piece)
        x, parts = self.full(q), []
        for k in self._balance.unknown:
            h = DIFFERENCE * max(1.0, abs(x[k]))
            ahead, behind = x.copy(), x.copy()
            ahead[k] += h
            behind[k] -= h
            with np.errstate(invalid="ignore"):
                pairs = zip(self._local(ahead), self._local(behind), strict=True)
                parts.append([(a - b) / (ahead[k] - behind[k]) for a, b in pairs])
        rest, limits, walls = (np.column_stack(columns) for columns in zip(*parts, strict=True))
        return Slopes(rest, limits, np.where(np.isfinite(walls), walls, 0.0))

    def state(self, found: Extreme) -> Start:
        """With memory and states of elements that carry the forces."""
        there = settled(self.compiled, self.full(found.q), self.rest.memory)
        x, memory, mode = there.x.copy(), there.memory.copy(), there.mode.copy()
        u = port_deformation(self.compiled.system, x, memory, mode)
        for holder, face in zip(self.holders, self.faces, strict=True):
            holder.carry(u, found.forces[list(face)], x, memory, mode)
        return Start(x, memory, mode)
