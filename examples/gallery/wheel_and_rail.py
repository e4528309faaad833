"""Where do wheel and rail touch?

Profiles S1002 and UIC 60, rails inclined 1/40. The lines join the points that touch, one line for each lateral
shift of the wheelset: contact jumps over parts of the profiles, and every jump is an event of the vehicle. This
is figure 2.16 of Hoffmann's thesis.
"""

import numpy as np

from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.profile import Body
from klingel.io.profiles.library import find_profile
from klingel.plots.style import save
from klingel.plots.wheel_rail.contact import contact_points

wheel, rail = find_profile("S1002", Body.WHEEL), find_profile("UIC60", Body.RAIL)
wheelset = WheelsetOnTrack(WheelPair(wheel), RailPair(rail, inclination=1 / 40))
lines = wheelset.at(np.linspace(-0.008, 0.008, 81))
save(contact_points(wheelset, lines, named=1e-3 * np.arange(-8, 9, 2)), "wheel-and-rail.png")
