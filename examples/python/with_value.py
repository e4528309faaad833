"""One value of a vehicle changed; the vehicle itself stays as it is."""

import klingel as kg

wagon = kg.load_vehicle("hbbills311")
heavier = kg.with_value(wagon, "carbody.mass", 16000.0)
softer = kg.with_value(heavier, "front_left.link_y.slider_1.limit", 800.0)
print(heavier.bodies[-1].mass - wagon.bodies[-1].mass)
