"""Straight track, a curve with transitions, and random irregularities."""

import klingel as kg
from klingel.track.irregularity import Random

straight = kg.Track.straight(inclination=1 / 40)
curve = kg.Track.curve(radius=600.0, cant=0.1, transition=80.0, length=300.0)
rough = kg.Track.straight(irregularity=(Random("B176 low", seed=1, length=1000.0),))
print(f"without lateral acceleration in the arc at {curve.balance_speed(200.0):.1f} m/s")
