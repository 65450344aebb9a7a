"""States as they are seen: several views are knowledge, one is a hint, what a skill did stands."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.memory import Memory
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph

EYES = [(2.0 + 1.2 * np.cos(a), 1.2 * np.sin(a), 1.3) for a in np.radians([0, 60, 120, 180, 240, 300])]


class Watcher:
    """Sees one lamp and one stove."""

    def __init__(self):
        stove = Entity("stove_0", Kind.FURNITURE, "stove", position=(4.0, 0.0, 0.0), size=(0.6, 0.6, 0.9))
        self.memory = Memory(WorldGraph([Entity("robot", Kind.AGENT, "robot"), stove]))
        self.stamp = 0.0

    def see(self, label="lamp", at=(2.0, 0.0, 0.9), eye=EYES[0], times=1, **states):
        for _ in range(times):
            self.stamp += 0.2
            T = np.eye(4)
            T[:3, 3] = eye
            seen = Detection(label, 1.0, (0, 0, 30, 30), 800, np.array([at], np.float32), np.array(at),
                             np.full(3, 0.2), states=states)
            self.memory.see(DetectionFrame(self.stamp, T, np.diag([500.0, 500.0, 1.0]), 640, 480,
                                           np.zeros((60, 80), np.float32), (seen,)), Pose2(0, 0, 0))
        return self.memory.graph[f"{label}_0"].states


@pytest.fixture
def watcher():
    return Watcher()


@pytest.mark.parametrize("label", ["lamp", "stove"])
def test_a_state_is_known_after_a_few_pictures(watcher, label):
    at = (2.0, 0.0, 0.9) if label == "lamp" else (4.0, 0.0, 0.5)
    assert "is_powered_on" not in watcher.see(label, at, is_powered_on=0.97)
    assert watcher.see(label, at, times=4, is_powered_on=0.97)["is_powered_on"] is True


def test_what_pictures_do_not_agree_on_stays_unknown(watcher):
    for i in range(12):
        states = watcher.see(eye=EYES[i // 2 % 6], is_powered_on=0.05 if i // 2 % 2 else 0.95)
    assert "is_powered_on" not in states


def test_one_flicker_changes_nothing_and_a_change_is_noticed(watcher):
    watcher.see(times=8, is_powered_on=0.02)
    assert watcher.see(is_powered_on=0.98)["is_powered_on"] is False
    assert watcher.see(times=12, is_powered_on=0.98)["is_powered_on"] is True


def test_what_a_skill_has_done_is_not_undone_by_a_doubtful_view_but_by_many(watcher):
    watcher.see(times=8, eye=EYES[1], is_powered_on=0.02)
    watcher.memory.learn(SkillCall("power_on", ("lamp_0",)), SkillResult(Code.SUCCEEDED, "done"), watcher.stamp)
    assert watcher.see(times=5, is_powered_on=0.02)["is_powered_on"] is True
    for eye in EYES:
        states = watcher.see(times=6, eye=eye, is_powered_on=0.02)
    assert states["is_powered_on"] is False


def test_what_is_told_beforehand_counts_and_what_is_not_told_stays_unknown(watcher):
    graph = watcher.memory.graph
    graph.put(replace(graph["stove_0"], states={"is_powered_on": True}))
    states = watcher.see("stove", (4.0, 0.0, 0.5), times=5, is_powered_on=0.02)
    assert states == {"is_powered_on": True}


def test_dirt_is_seen_and_cleanness_is_not(watcher):
    assert watcher.see("plate", times=6, is_clean=0.98) == {}
    for eye in EYES:
        states = watcher.see("plate", times=6, eye=eye, is_clean=0.02)
    assert states == {"is_clean": False}
    for eye in EYES * 2:
        states = watcher.see("plate", times=6, eye=eye, is_clean=0.98)
    assert states == {}
    watcher.memory.learn(SkillCall("clean", ("plate_0",)), SkillResult(Code.SUCCEEDED, "done"), watcher.stamp)
    assert watcher.see("plate", times=6, is_clean=0.98) == {"is_clean": True}
    assert watcher.see("plate", times=6, is_clean=0.02) == {"is_clean": True}
