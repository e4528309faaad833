"""One run of a vehicle on a track: set up, integrated, reported, stored."""

from klingel.simulation.run import Run as Run
from klingel.simulation.run import load_run as load_run
from klingel.simulation.simulate import simulate as simulate
