"""The system printed in docs/reference/hybrid-systems.md runs as printed."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "hybrid-systems.md"


def test_system_of_the_page():
    """Quarter periods last sqrt(2 x / a) = 1 s: the origin is passed in the middle of every two seconds."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {"__name__": "page"}
    exec(block, names)
    run = names["run"]
    np.testing.assert_allclose(run.events.time, [1.0, 3.0, 5.0, 7.0, 9.0], atol=1e-9)
    np.testing.assert_allclose(abs(run["x"][-1]), 1.0, atol=1e-9)
    assert run.t.size == 101
