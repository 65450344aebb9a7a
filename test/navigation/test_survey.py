"""What an exploring robot has looked at, in two rooms with a gap in the wall between them."""

import math

import numpy as np
from stand_in_robot import Plane

from dadu.core.geometry import Pose2
from dadu.navigation.costmap import Costmap
from dadu.navigation.frontier import next_frontier, next_unseen
from dadu.navigation.head_motion import ALL_ROUND
from dadu.navigation.survey import KEPT, NEAR, Survey, visible_cells
from dadu.robots import load_robot
from dadu.world.occupancy import FREE, UNKNOWN, OccupancyMap

STRETCH = load_robot("stretch")
FAR, CLOSE = NEAR
ROOMS = Plane.room(8, 4, [(3.9, 0, 4.0, 1.5), (3.9, 2.6, 4.0, 4)]).occupancy()


def surveyed(*places):
    survey = Survey()
    for place in places:
        survey.looked(0.0, place)
    return survey


def test_sight_ends_at_walls_and_where_it_is_too_far():
    points = ROOMS.centres(visible_cells(ROOMS, (3.0, 0.7), FAR))
    assert np.linalg.norm(points - (3.0, 0.7), axis=1).max() < FAR + ROOMS.resolution
    assert points[:, 1].min() > -0.1 and ((points[:, 0] < 4.0) | (points[:, 1] > 1.4)).all()


def test_the_head_turns_only_to_what_was_not_looked_at():
    pose = Pose2(2.0, 2.0, 0.5)
    assert Survey().directions(ROOMS, pose, ALL_ROUND, FAR) == ALL_ROUND
    assert surveyed((2.0, 2.0)).directions(ROOMS, pose, ALL_ROUND, FAR) == ()
    ahead = [math.atan2(math.sin(pose.yaw + turn), math.cos(pose.yaw + turn))
                      for turn in surveyed((1.0, 2.0)).directions(ROOMS, pose, ALL_ROUND, FAR)]
    assert ahead and min(map(abs, ahead)) < 0.4 and len(ahead) < len(ALL_ROUND)


def test_who_looked_only_to_what_was_new_from_afar_has_not_looked_at_the_rest_from_nearby():
    survey = surveyed((1.0, 2.0))
    survey.looked(0.0, (2.6, 2.0), FAR)
    assert survey.directions(ROOMS, Pose2(2.6, 2.0, 0.0), ALL_ROUND, FAR) == ()
    assert survey.directions(ROOMS, Pose2(2.6, 2.0, 0.0), ALL_ROUND, CLOSE) != ()


def test_what_was_driven_past_is_gone_back_to_until_nothing_is_left():
    costmap, here, survey, places = Costmap(ROOMS, STRETCH), Pose2(1.0, 2.0, 0.0), Survey(), []
    while (pose := next_unseen(costmap, here, survey, FAR)) is not None:
        assert costmap.turns(pose) and len(places) < 8
        survey.looked(0.0, pose[:2])
        places.append(here := pose)
    assert {pose.x > 4.0 for pose in places} == {True, False}
    x, y = ROOMS.centres(np.argwhere((ROOMS.grid == FREE) & ~survey.seen(ROOMS, FAR))).T
    left = (x > 0) & (x < 8) & (y > 0) & (y < 4)
    assert left.sum() * ROOMS.resolution ** 2 < 3.0  # what is no reason to go anywhere
    assert next_unseen(costmap, here, survey, CLOSE) is not None
    survey.forget(KEPT + 1.0)
    assert survey.places == [] and next_unseen(costmap, here, survey, FAR) is not None


def test_an_edge_that_stays_one_is_not_gone_to_again():
    grid = ROOMS.grid.copy()
    grid[:, 60:] = UNKNOWN
    costmap, here = Costmap(OccupancyMap(grid, ROOMS.resolution, ROOMS.origin), STRETCH), Pose2(1.0, 2.0, 0.0)
    pose = next_frontier(costmap, here, Survey())
    assert pose is not None and next_frontier(costmap, here, surveyed(pose[:2])) is None
