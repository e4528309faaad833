"""Good input that the fuzzer changes: files of every kind and command lines of most commands."""

from functools import cache

from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60

_CURVE = """
title = "curve"
inclination = "1/40"
gauge = "1435 mm"
rail = "UIC60"
[[stage]]
length = "100 m"
radius = "1000 m"
cant = "100 mm"
[[stage]]
length = 300
[[stage]]
length = "100 m"
radius = "inf"
cant = 0
"""
_SHIFT = """
start = "5 m"
[[irregularity]]
kind = "shift"
size = "3 mm"
at = "2 m"
length = "5 m"
channel = "lateral"
"""
_RANDOM = """
[[irregularity]]
kind = "random"
spectrum = "B176 low"
seed = 3
length = "400 m"
factor = 0.5
"""
_SAMPLES = """
[[irregularity]]
kind = "samples"
spacing = "0.25 m"
lateral = [0.0, "1 mm", 0.001, 0.0, 0.0]
vertical = [0, 0, 0, 0, 0]
"""
_RAILS = """
frame = "untilted"
cant_reference = 1.5
overlap = "0.2 mm"
[sources]
gauge = "usual"
"""
TRACKS = (_CURVE, _SHIFT, _RANDOM, _SAMPLES, _RAILS)
REQUEST = """
vehicle = "hbbills311"
speed = "72 km/h"
duration = "30 ms"
acceleration = 0.0
distance = 0
[track]
inclination = "1/40"
[start]
initial = {"front_wheelset.y" = "5 mm"}
sliders = {}
leaves = "rest"
[solving]
method = "auto"
rtol = 1e-6
[outputs]
output_step = "10 ms"
"""
_SHORT = "--speed 20 --duration 0.03"
_POINT = "--transient 10ms --maxima 1 --cap 0.02 --workers 1"
COMMANDS = (
    f"run hbbills311 {_SHORT} --kick front_wheelset.y=5mm --output-step 10ms --method auto",
    "run g69 --speed 120km/h --duration 0.03 --set carbody.mass=16t --links SPP --rtol 1e-5 --json",
    f"run kbps {_SHORT} --slider *.link_y=2mm --leaves loading --acceleration -0.25 --inclination 1/40",
    f"run single_wheelset {_SHORT} --out new.nc",
    f"run hbbills311 {_SHORT} --start run.nc",
    f"sweep hbbills311 --speeds 20,21 {_POINT} --seed 3",
    f"sweep hbbills311 --parameter links --values PTP,SPP --speed 20 {_POINT}",
    f"sweep g69 --speeds 20:21:1 --starts 1 --recipe thesis {_POINT} --fresh --direction up",
    "contact S1002 UIC60 --step 1e-9 --amplitudes 1mm --gauge 1435mm --radius 460mm --flange-back 1360mm",
    "contact cone:1/20 60E1 --reach 1e6 --amplitudes 1mm,3mm --yaw 0 --overlap 0.2mm --residual 0",
    "vehicles hbbills311 --set carbody.mass=16t --set front_left.link_y.slider_1.limit=800N --toml",
    "vehicles g69 --links SPP --load loaded --json",
    "plot run.nc --kind none --from 0 --to 1 --quantity front_wheelset.y --out picture.png",
    "validate mine.toml --json",
)


@cache
def vehicle_files() -> tuple[str, ...]:
    """Short files of templates and full descriptions."""
    from klingel.io.vehicle.files import library, library_text, load_vehicle
    from klingel.io.vehicle.toml import to_toml

    short = tuple(library_text(name) for name in library())
    return (*short, *short, *(to_toml(load_vehicle(name)) for name in ("single_wheelset", "g69")))


def _two_columns(profile, ending: str, turned: float) -> str:
    head = f"# body: {'wheel' if ending == 'wheel' else 'rail'}\n# unit: mm\n# name: sample\n"
    return head + "".join(f"{1e3 * y:.6f} {turned * 1e3 * z:.6f}\n" for y, z in profile.resampled(2e-3))


def _simpack(profile, wheel: bool) -> str:
    points = profile.resampled(2e-3)[:: -1 if wheel else 1]
    rows = "".join(f"    {1e3 * y:.6f} {1e3 * z:.6f}\n" for y, z in points)
    return (
        f"header.begin\n  version = 1\n  type = {int(wheel)}\nheader.end\nspline.begin\n  units.len.f = 1000\n"
        f"  inversion = {int(wheel)}\n  point.begin\n{rows}  point.end\nspline.end\n"
    )


def _vampire(profile) -> str:
    rows = "".join(
        f"{-1e3 * y:.4f} {-1e3 * z:.4f} {1e3 * y:.4f} {-1e3 * z:.4f}\n" for y, z in profile.resampled(2e-3)
    )
    return f"WHEELPROFILE\nsample\nTREADDATUM EUROPEAN\nFLANGEBACK 1360\n{rows}"


PROFILES = {
    "wheel.txt": _two_columns(s1002(), "wheel", 1.0),
    "rail.txt": _two_columns(uic60(), "rail", 1.0),
    "wheel.prw": _simpack(s1002(), True),
    "rail.prr": _simpack(uic60(), False),
    "wheel.whe": _vampire(s1002()),
}
