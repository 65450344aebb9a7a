import math

import numpy as np
import pytest
from stand_in_robot import Plane, StandIn

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap
from dadu.navigation.go_to import go_to
from dadu.navigation.manoeuvre import turning_place_path
from dadu.navigation.path_planner import NoPath, Reason
from dadu.navigation.route import plan_route
from dadu.robots import load_robot
from dadu.skills.generator import run
from dadu.skills.scene import Scene

STRETCH = load_robot("stretch")
# Furniture ahead, an open door behind: neither straight ahead nor straight back is there room to turn.
NICHE = Plane.room(6, 4, [(2.95, 0, 6, 1.7), (2.95, 2.3, 6, 4), (0, 2.2, 2.6, 4)])
INSIDE, OUTSIDE = Pose2(3.0, 2.0, math.pi / 2), Pose2(1.2, 1.2, 0.0)


def test_where_there_is_room_there_is_nothing_to_do():
    costmap = Costmap(Plane.room(6, 4).occupancy(), STRETCH)
    assert turning_place_path(costmap, Pose2(3, 2, 0.3)) == [Pose2(3, 2, 0.3)]


def test_a_straight_way_out_is_one_move():
    costmap = Costmap(Plane.room(6, 4, [(0, 0, 2, 1.7), (0, 2.3, 2, 4)]).occupancy(), STRETCH)
    start = Pose2(1.6, 2.0, 0.0)
    way = turning_place_path(costmap, start)
    assert len(way) == 2 and costmap.turns(way[1])
    assert way[1].x > 2.1 and way[1].yaw == pytest.approx(start.yaw)


def test_straight_moves_and_turns_that_touch_nothing_lead_out_of_a_niche():
    costmap = Costmap(NICHE.occupancy(), STRETCH)
    way = turning_place_path(costmap, INSIDE)
    assert len(way) > 2 and costmap.turns(way[-1])
    for a, b in zip(way, way[1:]):
        shift = a.inverse() * b
        assert abs(shift.y) < 1e-6 and min(abs(shift.x), abs(shift.yaw)) < 1e-6
        along = [a * Pose2(share * shift.x, 0.0, share * shift.yaw) for share in np.linspace(0, 1, 6)]
        assert all(costmap.collisions(np.array(along)) == 0)


@pytest.mark.parametrize("start, goal", [(INSIDE, OUTSIDE), (OUTSIDE, INSIDE)])
def test_the_base_drives_out_of_a_niche_and_into_it(start, goal):
    robot = StandIn(STRETCH, NICHE, start)
    result = run(go_to(STRETCH, Scene(map=NICHE.occupancy()), goal), robot, robot.advance, timeout=120)
    assert result.ok, result
    assert math.dist(robot.pose[:2], goal[:2]) < 0.03 and not robot.collided


def test_walled_in_there_is_no_way():
    walls = [(1, 1, 2, 3), (2.6, 1, 3.5, 3), (2, 1, 2.6, 1.6), (2, 2.4, 2.6, 3)]
    with pytest.raises(NoPath) as caught:
        plan_route(Costmap(Plane.room(6, 4, walls).occupancy(), STRETCH), Pose2(2.3, 2.05, math.pi / 2),
                   Pose2(5, 2, 0))
    assert caught.value.reason is Reason.START_BLOCKED
