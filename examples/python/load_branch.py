"""A branch from its file."""

import klingel as kg

bogie = kg.load_vehicle("cooperrider")
kg.continue_orbit(bogie, first=66.0, last=64.0, points=4).save("branch.nc")
branch = kg.load_branch("branch.nc")
print(branch["leading_front_wheelset.y.amplitude"].to_numpy(), [point.type for point in branch.special])
