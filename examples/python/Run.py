"""What a run holds."""

import klingel as kg

run = kg.simulate(
    kg.load_vehicle("hbbills311"), kg.Track.straight(), 45.0, 3.0, initial={"front_wheelset.y": 0.005}
)
lateral = run["front_wheelset.y"].sel(time=slice(1.0, 2.0))  # an xarray.DataArray
print(lateral.attrs, float(lateral.max()))
print(run.data.sizes, run.status, run.stats.accepted, len(run.events))
run.save("run.nc")
