"""A wagon of the library with its options, and what it has."""

import klingel as kg

wagon = kg.load_vehicle("hbbills311", links="SPP", load="loaded")
print([body.name for body in wagon.bodies], wagon.bodies[-1].mass)
