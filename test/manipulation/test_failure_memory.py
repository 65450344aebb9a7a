"""What failed once is not simply done again."""

import numpy as np
import pytest
from pydantic import ValidationError

from dadu.core.geometry import Pose2
from dadu.manipulation.failure_memory import FailureMemory
from dadu.manipulation.grasp.synthesis import Grasp
from dadu.robots.manipulator_settings import PickSettings
from dadu.robots.poses import tool_pose

PLACE, BASE = (1.0, 2.0, 0.7), Pose2(1.0, 2.6, 0.0)
GRASPS = [Grasp(tool_pose(PLACE, heading, tilt), (0.1,), tilt, cost)
          for heading, tilt, cost in ((0.0, 0.0, 0.0), (0.5, 0.0, 0.2), (0.0, 0.6, 0.4))]


def order(failures, place=PLACE, base=BASE):
    cost = [g.cost + failures.cost("mug_0", place, g, base) for g in GRASPS]
    return sorted(range(len(GRASPS)), key=cost.__getitem__)


def test_another_tilt_comes_first_then_another_direction():
    failures = FailureMemory()
    failures.failed("mug_0", PLACE, GRASPS[0], BASE)
    assert order(failures) == [2, 1, 0]
    failures.failed("mug_0", PLACE, GRASPS[2], BASE)
    assert order(failures)[0] == 1


def test_the_same_way_from_elsewhere_is_worth_another_try():
    failures = FailureMemory()
    failures.failed("mug_0", PLACE, GRASPS[0], BASE)
    here = failures.cost("mug_0", PLACE, GRASPS[0], BASE)
    for base in (Pose2(1.2, 2.6, 0.0), Pose2(1.0, 2.6, 0.3)):
        assert 0 < failures.cost("mug_0", PLACE, GRASPS[0], base) < here / 2


def test_a_failure_counts_for_that_thing_at_that_place_only():
    failures = FailureMemory()
    failures.failed("mug_0", PLACE, GRASPS[0], BASE)
    assert failures.cost("mug_1", PLACE, GRASPS[0], BASE) == 0
    assert order(failures, place=np.add(PLACE, (0.1, 0.0, 0.0))) == [0, 1, 2]
    failures.forget("mug_0")
    assert order(failures) == [0, 1, 2]


def test_failures_add_up():
    failures = FailureMemory()
    costs = []
    for _ in range(3):
        failures.failed("mug_0", PLACE, GRASPS[0], BASE)
        costs.append(failures.cost("mug_0", PLACE, GRASPS[0], BASE))
    assert costs == pytest.approx([costs[0], 2 * costs[0], 3 * costs[0]])


def test_a_spot_that_stalled_the_arm_gives_way_to_others():
    failures, spots = FailureMemory(), [np.array([x, 0.0, 0.7]) for x in (0.0, 0.1, 0.3)]
    failures.stalled(spots[0], BASE)
    costs = [failures.spot_cost(spot, BASE) for spot in spots]
    assert costs[0] > costs[1] > costs[2] == 0
    assert failures.spot_cost(spots[0], Pose2(1.3, 2.6, 0.0)) < costs[0] / 2
    failures.arrived()
    assert failures.spot_cost(spots[0], BASE) == 0


def test_there_is_at_least_one_attempt():
    with pytest.raises(ValidationError, match="attempts"):
        PickSettings(attempts=0)
