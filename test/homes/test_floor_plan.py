"""Floor plans: no room comes to nothing."""

import numpy as np
import pytest

from dadu.homes.floor_plan import choose_rooms, lay_out
from dadu.homes.home import wall_for_door
from dadu.homes.preferences import home_preferences
from dadu.robots import load_robot


@pytest.mark.parametrize("seed", [*range(10), 553])
def test_the_hall_is_not_used_up_by_the_rooms_at_its_ends(seed):
    preferences, rng = home_preferences(), np.random.default_rng([seed, 5])
    plan = lay_out(choose_rooms(5, preferences, rng), preferences, rng, wall_for_door(load_robot("stretch")))
    assert min(min(room.area.size) for room in plan) > 1.0
