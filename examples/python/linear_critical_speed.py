"""The speed at which rest loses its stability, and how the bogie begins to move there."""

import klingel as kg

bogie = kg.load_vehicle("cooperrider")
found = kg.linear_critical_speed(bogie, kg.Track.straight(), slowest=60.0, fastest=70.0)
print(f"{found.speed:.2f} m/s, {found.frequency:.3f} Hz")
print(max(found.mode, key=lambda name: abs(found.mode[name])))
