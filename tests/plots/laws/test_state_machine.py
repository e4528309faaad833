"""Pictures of state machines show every mode and every exit, and no text covers another."""

from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from klingel.elements import dead_band, dry_friction, elastic_friction, impact, leaf_spring, rigid_friction, stop
from klingel.plots.laws.state_machine import draw
from klingel.plots.style import save

MODULES = [dry_friction, dead_band, stop, leaf_spring, impact, rigid_friction, elastic_friction]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rsplit(".", 1)[-1])
def test_every_mode_and_exit_is_shown(module):
    ax = draw(module).axes[0]
    words = [word for text in ax.texts for word in text.get_text().split()]
    assert [mode.name for mode in module.Mode if mode.name not in words] == []
    for exit_name in module.EXITS:
        assert words.count(exit_name) == sum(name == exit_name for _, name, _ in module.TRANSITIONS)
        assert f"{exit_name}:" in ax.get_xlabel()
    assert {name for _, name, _ in module.TRANSITIONS} == set(module.EXITS)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rsplit(".", 1)[-1])
def test_texts_do_not_overlap_and_stay_inside(module):
    fig = draw(module)
    canvas = FigureCanvasAgg(fig)
    canvas.draw()
    ax = fig.axes[0]
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in [*ax.texts, ax.xaxis.label, ax.title]]
    assert not [1 for a, b in combinations(boxes, 2) if a.overlaps(b)]
    page = fig.bbox
    assert all(page.x0 <= b.x0 and b.x1 <= page.x1 and page.y0 <= b.y0 and b.y1 <= page.y1 for b in boxes)


def test_picture_is_written(tmp_path):
    target = save(draw(stop), tmp_path / "stop.svg")
    assert target.read_text().lstrip().startswith("<?xml")
