"""One style: sizes as asked, complete files only, no global state."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from klingel._errors import InputError
from klingel.plots.style import (
    COLOURS,
    CYCLE,
    DASHES,
    FORMATS,
    LEAST_SPAN,
    figure,
    legend,
    line_styles,
    save,
    show_no_noise,
)


def test_figure_has_the_asked_size_and_axes():
    fig, axes = figure(2, 3, width_cm=16.0, height_cm=9.0)
    assert axes.shape == (2, 3)
    assert fig.get_size_inches() * 2.54 == pytest.approx([16.0, 9.0])


def test_no_two_lines_look_alike_in_greyscale():
    lightness = [np.dot(to_rgb(colour), [0.2126, 0.7152, 0.0722]) for colour in COLOURS]
    for i in range(len(CYCLE)):
        for j in range(i):
            assert DASHES[i] != DASHES[j] or abs(lightness[i] - lightness[j]) > 0.3


def test_line_styles_start_again():
    assert line_styles(len(CYCLE) + 1)[-1] == CYCLE[0]


@pytest.mark.parametrize("suffix", FORMATS)
def test_saving_leaves_only_the_complete_file(tmp_path, suffix):
    fig, ax = figure()
    ax.plot([0, 1], label="line")
    legend(ax)
    path = save(fig, tmp_path / "new" / f"picture.{suffix}")
    assert path.stat().st_size > 0
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    fig, ax = figure()
    path = save(fig, tmp_path / "picture.png")
    before = path.read_bytes()
    ax.set_title("$\\notacommand$")
    with pytest.raises(ValueError, match="notacommand"):
        save(fig, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_unknown_format_is_refused(tmp_path):
    fig, _ = figure()
    with pytest.raises(InputError, match=r"figure file: must end in \.png, \.svg, \.pdf"):
        save(fig, tmp_path / "picture.bmp")
    assert not list(tmp_path.iterdir())


def test_three_dimensional_axes():
    _, ax = figure(projection="3d")
    assert ax.name == "3d"


def test_pyplot_is_not_imported():
    code = "import sys, klingel.plots.style; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_rounding_is_not_drawn_as_motion():
    _, (still, moving) = figure(1, 2)
    still.plot([0, 1, 2], [1e-13, -2e-13, 1e-13])
    moving.plot([0, 1, 2], [0.0, 0.01, 0.0])
    before = moving.get_ylim()
    for ax in (still, moving):
        show_no_noise(ax)
    assert np.diff(still.get_ylim())[0] == pytest.approx(LEAST_SPAN)
    assert moving.get_ylim() == before
