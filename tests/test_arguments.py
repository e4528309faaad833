"""Arguments of the wrong type: public functions name them in one line."""

import numpy as np
import pytest

import klingel as kg
from klingel._arguments import check_array, check_number, check_whole

STRAIGHT = kg.Track.straight()


def run(**changed):
    wagon = kg.load_vehicle("hbbills311")
    return kg.simulate(**{"vehicle": wagon, "track": STRAIGHT, "speed": 20.0, "duration": 0.02, **changed})


def swept(**changed):
    return kg.sweep(kg.load_vehicle("hbbills311"), STRAIGHT, **{"speeds": [20.0], "workers": 1, **changed})


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: run(rtol="abc"), "rtol"),
        (lambda: run(method=3), "method"),
        (lambda: run(sliders=1.0), "sliders"),
        (lambda: run(initial=2.5), "initial"),
        (lambda: run(initial={"front_wheelset.y": "5mm"}), "initial.front_wheelset.y"),
        (lambda: run(atol="x"), "atol"),
        (lambda: run(atol=[[1.0]]), "atol"),
        (lambda: run(leaves=5), "leaves"),
        (lambda: run(output_step="10ms"), "output_step"),
        (lambda: run(distance=[1]), "distance"),
        (lambda: run(on_chunk=3), "on_chunk"),
        (lambda: run(max_steps=1.5), "max_steps"),
        (lambda: run(speed=None), "speed"),
        (lambda: run(speed=10**400), "speed"),
        (lambda: run(vehicle="hbbills311"), "vehicle"),
        (lambda: run(track=None), "track"),
        (lambda: swept(direction=None), "direction"),
        (lambda: swept(seed=-1), "seed"),
        (lambda: swept(workers=-3), "workers"),
        (lambda: swept(workers="all"), "workers"),
        (lambda: swept(starts=10**9), "starts"),
        (lambda: swept(starts="many"), "starts"),
        (lambda: swept(starts=[{"front_wheelset.y": None}]), "starts.front_wheelset.y"),
        (lambda: swept(transient=20.0), "transient"),
        (lambda: swept(executor=4), "executor"),
        (lambda: swept(fresh="yes"), "fresh"),
        (lambda: swept(out=3), "out"),
        (lambda: swept(speeds=[[1.0], [2.0, 3.0]]), "speeds"),
        (lambda: swept(speeds=object()), "speeds"),
        (lambda: kg.Track.curve(None), "radius"),
        (lambda: kg.Track.curve(1000.0, cant="150 mm"), "cant"),
        (lambda: kg.Track.straight("1/40"), "inclination"),
        (lambda: kg.Track.straight(rail=None), "rail"),
        (lambda: kg.Track(alignment=3), "alignment"),
        (lambda: kg.Track(irregularity=("bumps",)), "irregularity"),
        (lambda: kg.Track(frame="tilted"), "frame"),
        (lambda: kg.load_run(1), "path"),
        (lambda: kg.load_sweep(None), "path"),
        (lambda: kg.load_track(2.5), "file"),
        (lambda: kg.load_vehicle(None), "vehicle"),
        (lambda: kg.load_vehicle("hbbills311", height=np.zeros(2)), "height"),
        (lambda: kg.contact_table(wheel=None), "wheel"),
        (lambda: kg.contact_table(gauge="1435mm"), "gauge"),
        (lambda: kg.contact_table(grid=0.1), "grid"),
        (lambda: kg.equivalent_conicity("table", 0.003), "table"),
        (lambda: kg.continue_run("run.nc"), "run"),
        (lambda: kg.energy_balance(None), "run"),
        (lambda: kg.suspension_energy("run.nc"), "run"),
        (lambda: kg.linear_critical_speed("hbbills311"), "vehicle"),
        (lambda: kg.linear_critical_speed(kg.load_vehicle("cooperrider"), step="1"), "step"),
        (lambda: kg.linear_critical_speed(kg.load_vehicle("cooperrider"), step=1e-9), "step"),
        (lambda: kg.solve_lcp("a", [1.0]), "a"),
        (lambda: kg.solve_lcp([[1.0]], [[1.0], [2.0, 3.0]]), "b"),
        (lambda: kg.with_value("hbbills311", "carbody.mass", 1.0), "vehicle"),
        (lambda: kg.with_value(kg.load_vehicle("g69"), 3, 1.0), "name"),
        (lambda: kg.with_value(kg.load_vehicle("g69"), "carbody.mass", []), "carbody.mass"),
        (lambda: kg.UntilSettled(cap="90 s"), "cap"),
        (lambda: kg.FixedTransient(transient=None), "transient"),
        (lambda: kg.FixedTransient(1e9), "transient"),
        (lambda: kg.RunRequest("hbbills311", speed=20.0, duration=1.0, solving=3), "solving"),
        (lambda: kg.kernel(3), "func"),
        (lambda: kg.integrate(None, [0.0], 1.0), "problem"),
    ],
)
def test_the_argument_is_named(call, field):
    with pytest.raises(kg.InputError) as refused:
        call()
    assert refused.value.field == field
    assert len(str(refused.value)) < 300


def test_numbers_of_numpy_are_numbers():
    assert check_number("x", np.float32(1.5)) == 1.5
    assert check_whole("n", np.int8(3)) == 3
    assert check_whole("n", 3.0) == 3
    assert check_array("a", [np.float64(1.0), 2]).tolist() == [1.0, 2.0]
    for wrong in (True, "1", None, 1j, np.True_):
        with pytest.raises(kg.InputError):
            check_number("x", wrong)
    for wrong in (True, 2.5, float("nan"), float("inf"), "3", 10**30):
        with pytest.raises(kg.InputError):
            check_whole("n", wrong)
