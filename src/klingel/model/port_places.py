"""Rows of ports: where each direction of a link stands in the scratch, see `PortField`."""

from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.description import COORDINATES, Vehicle
from klingel.model.kinds.registry import of
from klingel.model.system import Head
from klingel.model.tables import Tables


def put_ports(links: dict[str, int], wheelsets: int, tables: Tables) -> dict[str, int]:
    """Columns of every direction of every link in arrays over all ports: lengths, wheelsets, angles."""
    first = len(links) + -(-wheelsets // LANES)
    tables.head[Head.TURN_PORTS] = PORT_ROW * first
    tables.head[Head.PORT_ROWS] = first + len(links)
    return {
        f"{link}.{direction}": LANES * (k + first * (d // 3)) + d % 3
        for link, k in links.items()
        for d, direction in enumerate(COORDINATES)
    }


def scan_rows(vehicle: Vehicle, ports: dict[str, int], tables: Tables) -> int:
    """Rows of a port field up to the last with an element that has events; rotations seldom are among them."""
    used = [ports[port] for e in vehicle.elements if of(e.law).ABOUT.events for port in e.ports]
    return max(int(tables.head[Head.TURN_PORTS]) // PORT_ROW, *(column // LANES + 1 for column in used), 0)
