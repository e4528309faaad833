"""Words for a case, and labels that tell several apart."""

from klingel.plots.captions import facts, labels, told

WAGON = """
name = 'a'
[meta]
load = 'empty'
links = 'PTP'
[bodies.carbody]
mass = '1 t'
inertia = ['1', '2', '3']
"""
TRACK = "rail = 'UIC60'\ninclination = 0.025\n"


def test_a_case_in_words():
    assert told(facts(WAGON, TRACK)) == "a (empty, PTP, 1/40)"
    assert told(facts("name = 'a'", "")) == "a"
    assert told(facts(WAGON, TRACK, speed="30 m/s"), "links") == "a (empty, 1/40, 30 m/s)"


def test_labels_tell_what_differs():
    case = facts(WAGON, TRACK)
    assert labels([case, facts(WAGON.replace("PTP", "SPP"), TRACK)]) == ["PTP", "SPP"]
    assert labels([case, facts(WAGON, TRACK.replace("0.025", "0.05"))]) == ["1/40", "1/20"]
    assert labels([facts(WAGON, TRACK, speed="3 m/s"), facts(WAGON, TRACK, speed="4 m/s")]) == [
        "speed 3 m/s",
        "speed 4 m/s",
    ]
    heavier = facts(WAGON.replace("'3'", "'4'"), TRACK)
    assert labels([case, heavier]) == ["carbody.inertia.z 3", "carbody.inertia.z 4"]
    assert labels([case, case, heavier]) == [
        "carbody.inertia.z 3, no. 1", "carbody.inertia.z 3, no. 2", "carbody.inertia.z 4, no. 3"
    ]  # fmt: skip
    assert labels([case, case]) == ["no. 1", "no. 2"]
