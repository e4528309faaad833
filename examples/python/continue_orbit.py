"""Periodic motions of a bogie over the speed: the first points, born where rest loses its stability."""

import klingel as kg

bogie = kg.load_vehicle("cooperrider")
branch = kg.continue_orbit(bogie, first=66.0, last=64.0, points=6)
print(branch.parameter, branch.stable)
branch.save("branch.nc")
