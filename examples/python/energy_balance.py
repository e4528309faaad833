"""What keeps the wagon moving, and how well the energy is balanced."""

import klingel as kg

run = kg.simulate(
    kg.load_vehicle("hbbills311"),
    kg.Track.straight(),
    speed=45.0,
    duration=2.0,
    initial={"front_wheelset.y": 0.005},
    output_step=None,  # a row for every step
)
balance = kg.energy_balance(run)
print({name: round(float(work[-1])) for name, work in balance.work.items()})  # [J]
print(balance.relative)  # what is missing, as a part of the energy turned over
