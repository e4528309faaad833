"""Several wagons as one vehicle, without couplers: the same work per axle, more axles."""

from dataclasses import replace

from klingel.model.description import Vehicle

APART = 20.0  # from wagon to wagon [m]


def many_wagons(wagon: Vehicle, count: int) -> Vehicle:
    """`count` copies in a row."""
    parts = [_copy(wagon, k) for k in range(count)]
    joined = {
        name: tuple(part for one in parts for part in getattr(one, name))
        for name in ("bodies", "connections", "elements", "wheelsets")
    }
    return replace(wagon, name=f"{count} of {wagon.name}", **joined)


def _copy(wagon: Vehicle, k: int) -> Vehicle:
    def moved(point: tuple[float, float, float]) -> tuple[float, float, float]:
        return point[0] - APART * k, point[1], point[2]

    def named(name: str) -> str:
        return name if name == "track" else f"wagon{k}_{name}"

    return replace(
        wagon,
        bodies=tuple(replace(b, name=named(b.name), position=moved(b.position)) for b in wagon.bodies),
        connections=tuple(
            replace(c, name=named(c.name), inner=named(c.inner), outer=named(c.outer), point=moved(c.point))
            for c in wagon.connections
        ),
        elements=tuple(replace(e, name=named(e.name), connection=named(e.connection)) for e in wagon.elements),
        wheelsets=tuple(replace(w, body=named(w.body)) for w in wagon.wheelsets),
    )
