"""Pictures of a made-up room fused to a mesh."""

import numpy as np
import pytest

from dadu.core.errors import DaduError
from dadu.replay.fuse import write_mesh
from dadu.world.graph import Entity, Kind, WorldGraph
from test.support.boxworld import SceneBox, look, render

pytestmark = pytest.mark.needs("fusion")
CUBE = SceneBox("cube", (1.5, 0.0, 1.0), (0.4, 0.4, 0.4))


def seen(*sides):
    return [render([CUBE], look((0, y, 1.4), (1.5, 0, 1)), scale=2, floor=False) for y in sides]


def test_what_several_pictures_show_is_one_surface_with_boxes_drawn_in(tmp_path):
    import open3d

    graph = WorldGraph([Entity("cube_0", Kind.OBJECT, "cube", (1.5, 0.0, 1.0), size=(0.4, 0.4, 0.4)),
                        Entity("house", Kind.HOUSE, "house")])
    fused = write_mesh(iter(seen(-0.6, -0.6, -0.5, -0.4, 0.4, 0.5, 0.6)), [graph], tmp_path / "home.ply", 0.02)
    assert (fused.pictures, fused.boxes) == (6, 1), "two from the same place are one"
    points = np.asarray(open3d.io.read_triangle_mesh(str(tmp_path / "home.ply")).vertices)
    assert len(points) == fused.vertices + 12 * 8
    surface = points[:fused.vertices]
    off = np.abs(np.abs(surface - CUBE.center).max(axis=1) - 0.2)
    assert np.median(off) < 0.01 and len(surface) > 300


def test_what_shows_nothing_twice_is_no_mesh(tmp_path):
    with pytest.raises(DaduError, match="no surface"):
        write_mesh(iter(seen(0.0)), [], tmp_path / "home.ply", 0.02)
    assert not (tmp_path / "home.ply").exists()
