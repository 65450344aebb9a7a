"""Joint states of other people's drivers: what can be used is used, and what is left out is said."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import NotUsable
from dadu.core.robot import JointLimit
from dadu.incoming.numbers import joint_states

NAMES = ("shoulder", "elbow", "wheel")
LIMITS = {"shoulder": JointLimit(-2.0, 2.0, 1.0, 1.0), "elbow": JointLimit(0.0, 1.0, 1.0, 1.0),
          "wheel": JointLimit(-math.pi, math.pi, 1.0, 1.0, continuous=True)}
numbers = st.lists(st.floats(allow_nan=True, width=32), min_size=3, max_size=3)


@given(st.lists(st.floats(-1, 1), max_size=5), numbers)
def test_efforts_that_do_not_go_with_the_names_cost_no_position(efforts, positions):
    known, felt, told = joint_states(NAMES, positions, efforts)
    assert known == joint_states(NAMES, positions, ())[0]
    if len(efforts) not in (0, 3):
        assert not felt and f"hold {len(efforts)} efforts" in told


@given(numbers)
def test_a_joint_is_never_said_to_stand_far_from_where_it_can(positions):
    """Degrees taken for radians were an arm at its stops."""
    known, _, told = joint_states(NAMES, positions, (), LIMITS)
    for name, position in zip(NAMES, positions):
        if name in known:
            assert known[name] == position and LIMITS[name].is_near(position)
        else:
            assert name in told


@pytest.mark.parametrize("off", [-1.0, 1.0])
def test_a_zero_that_was_set_badly_is_no_other_unit(off):
    assert joint_states(NAMES, (off * 2.5, 0.5 + off * 0.9, off * 40.0), (), LIMITS)[2] == ""
    assert "degrees" in joint_states(NAMES, (off * 30.0, 0.5, 0.0), (), LIMITS)[2]


def test_positions_that_do_not_go_with_the_names_are_nobodys():
    with pytest.raises(NotUsable, match="hold 2 positions"):
        joint_states(NAMES, (0.0, 1.0), ())
