"""Vehicle files that no template has: three axles under one frame, and two bodies over a bogie they share."""

HEAVY = 'inertia = ["2e4 kg m2", "4e5 kg m2", "4e5 kg m2"]'
FREE = 'free = ["y", "z", "roll", "pitch", "yaw"]'


def _axle(prefix: str, at: float) -> str:
    return f"""
[[parts]]
kind = "single_axle_bogie"
at = "{at} m"
prefix = "{prefix}"
carrier = "carbody"
wheels = "profiles"
radius = "0.46 m"
wheelset = {{mass = "1500 kg", inertia = ["900 kg m2", "90 kg m2", "900 kg m2"]}}
primary = {{stiffness = ["2 MN/m", "0.4 MN/m", "1.2 MN/m"], damping = [0.0, 0.0, 1e4], spacing = "2 m"}}
wheel = {{profile = "S1002", friction = 0.3}}
"""


def _bogie(prefix: str, at: float, carrier: str) -> str:
    return f"""
[[parts]]
kind = "cooperrider_bogie"
at = "{at} m"
prefix = "{prefix}"
carrier = "{carrier}"
wheels = "profiles"
radius = "0.46 m"
wheelbase = "2.5 m"
frame = {{mass = "3 t", inertia = ["2500 kg m2", "3500 kg m2", "5000 kg m2"]}}
wheel = {{profile = "S1002", friction = 0.3}}
"""


def _body(name: str, at: float) -> str:
    return f'[bodies.{name}]\nmass = "20 t"\n{HEAVY}\nposition = ["{at} m", "0 m", "1.6 m"]\n{FREE}\n'


THREE_AXLES = (
    'name = "three_axles"\ntitle = "Wagon on three axles"\n'
    + "".join(_axle(prefix, at) for prefix, at in (("front", 4.0), ("middle", 0.0), ("rear", -4.0)))
    + _body("carbody", 0.0)
)

# the rear body rests on its own bogie and, by a joint with stiff springs, on the front body over the shared bogie
ARTICULATED = (
    'name = "articulated"\ntitle = "Two bodies over three bogies"\n'
    + _bogie("leading", 8.0, "front_body")
    + _bogie("shared", 0.0, "front_body")
    + _bogie("trailing", -8.0, "rear_body")
    + _body("front_body", 4.0)
    + _body("rear_body", -4.0)
    + """
[connections.joint]
inner = "front_body"
outer = "rear_body"
point = ["0 m", "0 m", "1.2 m"]
"""
    + "".join(
        f'\n[elements.joint.spring_{word}]\nlaw = "spring"\ndirection = "{word}"\nstiffness = "20 MN/m"\n'
        'damping = "50 kNs/m"\n'
        for word in "yz"
    )
)
