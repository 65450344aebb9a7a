"""The picture kept of a thing is the one that shows most of it, also after a restart; files stay few."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.incoming.pictures import decoded
from dadu.memory import pictures
from dadu.memory.memory import Memory
from dadu.memory.pictures import KeptPictures, folder_beside, picture_of
from dadu.perception.cut_out import SIDE, cut_out
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph

PRIOR = WorldGraph([Entity("robot", Kind.AGENT, "robot")])


def see(memory, stamp, pixels, truncated=False):
    mug = Detection("mug", 0.9, (stamp, 0, 9, 9), pixels, np.zeros((1, 3), np.float32), np.array([1.0, 0.0, 0.8]),
                    np.full(3, 0.1), truncated=truncated)
    memory.see(DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (mug,)),
               Pose2(0.0, 0.0, 0.0), cut=lambda box: b"picture %d" % box[0])


def test_the_best_view_is_kept_and_a_restart_knows_how_good_it_is(tmp_path):
    path = tmp_path / "memory.sqlite"
    memory = Memory(PRIOR, path)
    for stamp, pixels, truncated in ((1, 100, False), (2, 400, False), (3, 420, False), (4, 900, True)):
        see(memory, stamp, pixels, truncated)
    assert picture_of(folder_beside(path), "mug_0") == b"picture 2"
    memory.close()
    memory = Memory(PRIOR, path)
    see(memory, 5, 300)
    assert picture_of(folder_beside(path), "mug_0") == b"picture 2"
    see(memory, 6, 500)
    assert picture_of(folder_beside(path), "mug_0") == b"picture 6"
    memory.edit('{"remove": "mug_0"}')
    memory.see(DetectionFrame(7.0, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), ()),
               Pose2(0.0, 0.0, 0.0), cut=lambda box: b"")
    assert not picture_of(folder_beside(path), "mug_0")
    memory.close()


def test_there_are_never_too_many_nor_outside_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "MOST", 3)
    kept = KeptPictures(tmp_path / "kept")
    for id in ("a", "b", "a", "c", "d", "../e", "x/y"):
        kept.put(id, b"jpeg")
    assert sorted(file.name for file in tmp_path.rglob("*.*")) == ["a.jpg", "c.jpg", "d.jpg"]
    monkeypatch.setattr(pictures, "BYTES", 9)
    kept.put("d", b"four")
    assert sorted(file.name for file in tmp_path.rglob("*.*")) == ["a.jpg", "d.jpg"] or not picture_of(
        tmp_path / "kept", "a")
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.jpg")) <= 9
    (tmp_path / "secret.jpg").write_bytes(b"not ours")
    assert picture_of(tmp_path / "kept", "../secret") == b""


@pytest.mark.parametrize("box", [(10, 20, 30, 40), (600, 440, 40, 40), (0, 0, 640, 480)])
def test_a_thing_is_cut_out_small_and_upright(box):
    rgb = np.zeros((480, 640, 3), np.uint8)
    x, y, width, height = box
    rgb[y:y + height, x:x + width] = 255, 0, 0
    upright = np.array([[0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)
    turned = upright.copy()
    turned[:3, :3] = upright[:3, :3] @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    shapes = []
    for camera in (upright, turned):
        picture = decoded(cut_out(rgb, camera, box))[..., ::-1]
        assert max(picture.shape[:2]) <= SIDE
        red = picture[picture.shape[0] // 2, picture.shape[1] // 2]
        assert red[0] > 200 and red[1] < 60
        shapes.append(picture.shape[:2])
    assert shapes[0] == shapes[1][::-1]
