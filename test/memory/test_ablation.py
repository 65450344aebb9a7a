"""Memory switched off: what is out of view is forgotten, what was told and what is held stays, nothing is kept."""

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.memory import Memory
from dadu.memory.settings import MemorySettings
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Kind
from test.support.boxworld import SceneBox, look, render

OFF = MemorySettings(memory=False, attention=5.0)


def blank(stamp):
    return DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), ())


def see_a_mug(memory, stamp):
    boxes = [SceneBox("table_0", (2, 0, 0.36), (0.8, 1.2, 0.72)), SceneBox("mug_5", (1.9, 0, 0.77), (0.08, 0.08, 0.1))]
    detector = InstanceDetector(["table_0", "mug_5"], {"mug_5": "mug"})
    memory.see(perceive(render(boxes, look((0.2, 0, 1.35), (2, 0, 0.7)), stamp=stamp, scale=2), detector),
               Pose2(0, 0, 0))


def test_what_was_seen_is_forgotten_and_with_memory_it_is_not():
    prior = build_graph(load_house("flat"))
    for settings, remembered in ((OFF, 0), (MemorySettings(), 1)):
        memory = Memory(prior, settings=settings, embedder=LexicalEmbedder)
        see_a_mug(memory, 1.0)
        assert [e.category for e in memory.graph.of(Kind.OBJECT)] == ["mug"]
        memory.see(blank(7.0), Pose2(0, 0, 0))
        assert len(memory.graph.of(Kind.OBJECT)) == remembered
        assert any(u.object == "mug" for u in memory.recall("mug", 30)) == bool(remembered)


def test_what_was_told_comes_back_and_what_is_held_stays():
    memory = Memory(build_graph(load_house("flat"), "all"), settings=OFF)
    prior = dict(memory.graph.entities)
    done = SkillResult(Code.SUCCEEDED, "")
    memory.learn(SkillCall("open", ("fridge_0",)), done, 1.0)
    memory.learn(SkillCall("pick", ("mug_0",)), done, 2.0)
    memory.see(blank(20.0), Pose2(6.4, 3.9, 0))
    assert memory.graph["fridge_0"] == prior["fridge_0"] and memory.graph.held().id == "mug_0"
    memory.learn(SkillCall("place", ("on", "sofa_0")), done, 21.0)
    assert memory.graph.support("mug_0").object == "sofa_0"
    memory.see(blank(40.0), Pose2(6.4, 3.9, 0))
    assert memory.graph["mug_0"] == prior["mug_0"] and memory.graph.support("mug_0").object != "sofa_0"


def test_nothing_is_kept(tmp_path):
    memory = Memory(build_graph(load_house("flat")), tmp_path / "memory.sqlite", OFF)
    memory.close()
    assert not list(tmp_path.iterdir()) and not memory.restored
