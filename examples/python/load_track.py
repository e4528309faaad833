"""A track from a file."""

from pathlib import Path

import klingel as kg

Path("curve.toml").write_text("""
inclination = "1/40"
start = "50 m"
stage = [
  {length = "100 m", radius = "600 m", cant = "100 mm"},
  {length = "300 m"},
  {length = "100 m", radius = "inf", cant = 0},
]
""")
track = kg.load_track("curve.toml")
print(track.inclination, track.balance_speed(200.0))
