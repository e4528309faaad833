"""All that defines a run, written once: `RunRequest` and its parts."""

from klingel.simulation.request.request import RunRequest as RunRequest
