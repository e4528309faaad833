"""All that defines a run in one object: kept, changed, written down."""

import klingel as kg

request = kg.RunRequest.of("hbbills311", speed=45.0, duration=2.0, initial={"front_wheelset.y": 0.005})
faster = request.changed(speed=50.0)
print(faster.to_toml())
print(kg.simulate(faster).ended)
