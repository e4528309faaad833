"""Which element of the suspension makes most heat."""

import klingel as kg

run = kg.simulate(
    kg.load_vehicle("hbbills311"),
    kg.Track.straight(),
    speed=18.0,
    duration=3.0,
    initial={"front_wheelset.y": 0.005},
    output_step=None,
)
heat = kg.suspension_energy(run).heat
most = max(heat, key=lambda name: heat[name][-1])
print(most, f"{heat[most][-1]:.1f} J")
