"""The map of a house: free floor, occupied walls and furniture, every room within a robot's reach."""

import numpy as np
import pytest
from scipy import ndimage

from dadu.house.files import load_house
from dadu.house.rasterize import rasterize
from dadu.world.occupancy import FREE, OCCUPIED, UNKNOWN


@pytest.fixture(scope="module")
def flat():
    return rasterize(load_house("flat"))


def test_doors_are_free_walls_and_furniture_are_not(flat):
    house = load_house("flat")
    assert (flat.at([door.at for door in house.doors]) == FREE).all()
    assert (flat.at([piece.pose[:2] for piece in house.furniture]) == OCCUPIED).all()
    assert flat.at(house.robot.pose[:2]) == FREE
    assert flat.at((0.0, 0.3)) == OCCUPIED and flat.at((-0.3, 0.3)) == UNKNOWN


def test_a_stretch_reaches_every_room_and_every_front(flat):
    house = load_house("flat")
    clearance = ndimage.distance_transform_edt(flat.grid == FREE) * flat.resolution
    label, _ = ndimage.label(clearance > 0.3)
    row, col = flat.cells(house.robot.pose[:2])
    for piece in house.furniture:
        front = ndimage.binary_dilation(label == label[row, col], iterations=1)
        fronts = [piece.pose2.apply((d, 0.0)) for d in np.arange(0.5, 1.7, 0.05)]
        reached = [front[tuple(flat.cells(p))] for p in fronts if flat.contains(flat.cells(p))]
        assert any(reached) or piece.category == "chair", piece.name


def test_a_turned_box_covers_its_own_area(one_room):
    house = one_room([{"name": "box_0", "category": "block", "shape": "box", "pose": [3, 3, 0.6], "size": [1, 2, 0.5]}])
    map = rasterize(house, resolution=0.02)
    points = map.centres(np.argwhere(map.grid == OCCUPIED))
    inside = (np.abs(points - 3) < 2).all(axis=-1)
    assert inside.sum() * 0.02**2 == pytest.approx(1.02 * 2.02, rel=0.03)
