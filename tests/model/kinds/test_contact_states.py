"""Contact states of a wheel: as many as its table has sections, named, within one byte."""

from types import SimpleNamespace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.model.kinds.wheels.wheel_rows import MOST_SECTIONS, _states_of, contact_states


def test_names_of_a_few_sections():
    assert [state.name for state in contact_states(3)] == ["S0", "S01", "S1", "S12", "S2"]
    assert [state.name for state in contact_states(1)] == ["S0"]
    assert contact_states(10)(18).name == "S9"


@pytest.mark.parametrize("sections", [11, 13, MOST_SECTIONS])
def test_names_of_many_sections_are_all_different(sections):
    states = contact_states(sections)
    assert len(states) == 2 * sections - 1
    assert states(20).name == "S10"
    assert states(3).name == "S1_2"
    assert int(np.int8(max(states))) == 2 * sections - 2
    assert contact_states(sections) is states


def test_more_than_a_byte_holds_are_refused_with_the_remedy():
    table = SimpleNamespace(start=np.zeros(MOST_SECTIONS + 1))
    with pytest.raises(InputError, match="profile_residual") as error:
        _states_of("front.left", table)  # type: ignore[arg-type]
    assert (error.value.field, error.value.given) == ("front.left contact sections", MOST_SECTIONS + 1)
