"""What the hand holds, by what the fingers feel."""

import resource
from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.association.associator import FELT
from dadu.memory.grip import LOST, TAKEN, UNEXPLAINED
from dadu.memory.memory import Memory
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import UNIDENTIFIED, Relation

PRIOR = build_graph(load_house("flat"), known="all")
BASE = Pose2(6.4, 3.9, 0.0)
MUG = PRIOR["mug_0"].position
HIGH = (6.4, 3.4, 0.9)
PICK = SkillCall("pick", ("mug_0",))


class Fingers:
    """A hand at a place that presses on something or not, felt ten times a second."""

    def __init__(self, memory):
        self.memory, self.now, self.tool = memory, 10.0, HIGH

    def feel(self, gripped, seconds=1.5):
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.memory.feel(self.now, gripped, lambda stamp: (BASE, self.tool))

    def take(self, at=MUG):
        self.tool = at
        self.feel(True)
        self.carry(HIGH)

    def carry(self, to):
        self.tool = to
        self.memory.see(ceiling(self.now), BASE, to, 0.06)

    def learns(self, code, detail="", call=PICK):
        self.memory.learn(call, SkillResult(code, "", detail), self.now)


@pytest.fixture
def fingers():
    fingers = Fingers(Memory(PRIOR))
    fingers.feel(False)
    return fingers


def ceiling(stamp, *detections):
    """A picture of nothing but `detections`."""
    return DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), detections)


def empty_place(stamp, place):
    """A picture from a metre above `place`, in which nothing is but a floor far below."""
    T = np.diag([1.0, -1.0, -1.0, 1.0])
    T[:3, 3] = np.add(place, (0, 0, 1.0))
    K = np.array([[300.0, 0, 320], [0, 300, 240], [0, 0, 1]])
    return DetectionFrame(stamp, T, K, 640, 480, np.full((60, 80), 3.0, np.float32), ())


def held(memory):
    entity = memory.graph.held()
    return entity.id if entity is not None else None


def test_a_thing_is_in_the_hand_as_soon_as_the_fingers_have_closed_on_it(fingers):
    fingers.take()
    assert held(fingers.memory) == "mug_0"
    np.testing.assert_allclose(fingers.memory.graph["mug_0"].position, HIGH)


def test_what_is_held_is_not_forgotten_by_looking_at_where_it_was(fingers):
    fingers.take()
    for i in range(30):
        fingers.memory.see(empty_place(fingers.now + i, MUG), BASE, HIGH, 0.06)
    assert held(fingers.memory) == "mug_0" and "mug_0" not in fingers.memory.lost
    other = Fingers(Memory(PRIOR))
    for i in range(30):
        other.memory.see(empty_place(other.now + i, MUG), BASE, HIGH, 0.06)
    assert "mug_0" in other.memory.lost, "the pictures do show its place empty"


@pytest.mark.parametrize("code", [Code.CANCELLED, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP, Code.UNREACHABLE_BACKEND])
def test_a_pick_that_is_broken_off_leaves_what_it_took_in_the_hand(fingers, code):
    fingers.take(at=tuple(np.add(MUG, (0.0, 0.0, 0.4))))  # not where memory has it
    assert held(fingers.memory) is None
    fingers.learns(code)
    assert held(fingers.memory) == "mug_0"


def test_memory_on_disk_knows_what_is_held(tmp_path):
    fingers = Fingers(Memory(PRIOR, tmp_path / "memory.sqlite"))
    fingers.take()
    again = Fingers(Memory(PRIOR, tmp_path / "memory.sqlite"))  # the first is killed: it was never closed
    assert held(again.memory) == "mug_0"
    again.feel(True)
    assert held(again.memory) == "mug_0"
    again.feel(False)
    assert held(again.memory) is None


def test_what_falls_lies_below_the_hand_and_what_slips_stands_where_it_stood(fingers):
    fingers.take()
    fingers.feel(False)
    lies = fingers.memory.graph["mug_0"]
    assert held(fingers.memory) is None and lies.confidence < 1 and lies.position[2] < HIGH[2] - 0.1
    fingers = Fingers(Memory(PRIOR))
    fingers.tool = MUG
    fingers.feel(True)
    fingers.feel(False)
    fingers.learns(Code.EXECUTION_FAILED, Detail.GRASP_SLIPPED)
    graph = fingers.memory.graph
    assert graph["mug_0"].position == MUG and graph.support("mug_0") == PRIOR.support("mug_0")


def test_what_a_skill_says_that_it_took_is_believed_to_it_and_its_neighbour_stays_where_it_is(fingers):
    neighbour = PRIOR["soup_can_0"].position
    fingers.take(at=neighbour)
    assert held(fingers.memory) == "soup_can_0"
    fingers.learns(Code.SUCCEEDED)
    graph = fingers.memory.graph
    assert held(fingers.memory) == "mug_0" and graph["soup_can_0"].position == neighbour
    assert graph.support("soup_can_0") == PRIOR.support("soup_can_0")


def test_a_touch_takes_nothing_and_a_dip_of_the_effort_drops_nothing(fingers):
    fingers.tool = MUG
    fingers.feel(True, TAKEN / 2)
    fingers.feel(False)
    assert held(fingers.memory) is None
    fingers.take()
    for _ in range(5):
        fingers.feel(False, LOST / 2)
        fingers.feel(True, 0.2)
    assert held(fingers.memory) == "mug_0"


def test_an_empty_hand_has_taken_nothing_whatever_is_said(fingers):
    fingers.learns(Code.SUCCEEDED)
    assert held(fingers.memory) is None


def test_a_placing_that_may_have_failed_is_believed_to_the_fingers(fingers):
    fingers.take()
    place = SkillCall("place", ("on", "dining_table_0"))
    fingers.learns(Code.UNCERTAIN, call=place)
    assert held(fingers.memory) == "mug_0"
    fingers.feel(False)
    fingers.learns(Code.UNCERTAIN, call=place)
    assert fingers.memory.graph.support("mug_0").object == "dining_table_0"


def test_what_the_fingers_open_and_close_about_once_more_is_held_still(fingers):
    """It had been let go on the couch, as far as memory knew, and lifted again: told as put there."""
    fingers.take()
    fingers.carry((6.4, 3.4, 0.8))
    fingers.feel(False)
    assert fingers.memory.graph.held() is None
    fingers.tool = (6.4, 3.4, 1.3)  # lifted already when it is felt: no known thing is there
    fingers.feel(True)
    fingers.memory.learn(SkillCall("place", ("on", "counter_0")),
                         SkillResult(Code.EXECUTION_FAILED, "", target="mug_0"), fingers.now)
    assert fingers.memory.graph.held().id == "mug_0"


def test_a_handle_is_no_thing_that_is_held(fingers):
    handle = PRIOR["fridge_0"].parts[0]
    for value in (0.0, 0.7 * handle.range):
        fingers.tool = tuple(handle.handle_at(value))
        fingers.feel(False)
        fingers.feel(True, UNEXPLAINED + 1)
        fingers.carry(tuple(handle.handle_at(value)))
        assert held(fingers.memory) is None


def test_a_handle_goes_round_its_hinge_and_a_drawers_straight():
    door = PRIOR["fridge_0"].parts[0]
    np.testing.assert_allclose(door.handle_at(0.0), door.handle)
    closed, open_ = (door.handle_at(v) - np.array(door.origin) for v in (0.0, 1.2))
    assert np.linalg.norm(open_) == pytest.approx(np.linalg.norm(closed)) and open_[2] == pytest.approx(closed[2])
    assert np.arccos(closed[:2] @ open_[:2] / np.linalg.norm(closed[:2]) ** 2) == pytest.approx(1.2)
    drawer = replace(door, kind="slide", range=0.4)
    np.testing.assert_allclose(drawer.handle_at(0.3) - drawer.handle, np.multiply(0.3, drawer.axis))


class TestUnidentified:
    """Something is in the hand, and nobody has said what."""

    @pytest.fixture
    def full(self):
        fingers = Fingers(Memory(PRIOR))
        fingers.feel(True, UNEXPLAINED + 1)
        fingers.carry(HIGH)
        return fingers

    def test_it_is_a_thing_of_its_own(self, full):
        entity = full.memory.graph.held()
        assert entity.category == UNIDENTIFIED and entity.id == f"{UNIDENTIFIED}_0"

    def test_it_is_what_a_skill_says_that_it_took(self, full):
        full.learns(Code.SUCCEEDED)
        assert held(full.memory) == "mug_0" and f"{UNIDENTIFIED}_0" not in full.memory.graph

    def test_it_is_called_what_the_camera_sees_in_the_hand(self, full):
        seen = Detection("apple", 1.0, (0, 0, 9, 9), 500, np.array([HIGH], np.float32), np.array(HIGH),
                         np.full(3, 0.08))
        full.memory.see(ceiling(full.now, seen), BASE, HIGH, 0.06)
        assert full.memory.graph.held().category == "apple"

    def test_it_can_be_put_down(self, full):
        full.feel(False)
        full.learns(Code.SUCCEEDED, call=SkillCall("place", ("on", "dining_table_0")))
        edge = full.memory.graph.support(f"{UNIDENTIFIED}_0")
        assert (edge.relation, edge.object) == (Relation.ON, "dining_table_0")


def test_a_full_disk_costs_nothing_that_is_known_and_is_written_later(tmp_path):
    memory = Memory(PRIOR, tmp_path / "memory.sqlite")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        memory.learn(PICK, SkillResult(Code.SUCCEEDED, ""), 1.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert memory.unwritten and held(memory) == "mug_0"
    memory.learn(SkillCall("open", ("fridge_0",)), SkillResult(Code.SUCCEEDED, ""), 2.0)
    assert not memory.unwritten and held(Memory(PRIOR, tmp_path / "memory.sqlite")) == "mug_0"


def lying(at, visible=1.0):
    return Detection("mug", 1.0, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array(at),
                     np.array(PRIOR["mug_0"].size) * visible)


@pytest.mark.parametrize("seen_first", [False, True])
@pytest.mark.parametrize("visible", [1.0, 0.3])
def test_what_slips_and_is_seen_lying_near_by_is_the_same_thing_whichever_is_told_first(fingers, seen_first, visible):
    fingers.take()
    aside = (HIGH[0] + 0.2, HIGH[1] + 0.2, 0.74)
    if not seen_first:
        fingers.feel(False)
    fingers.memory.see(ceiling(fingers.now, lying(aside, visible)), BASE, HIGH, 0.06 if seen_first else 0.2)
    if seen_first:
        fingers.feel(False)
    mugs = [e.id for e in fingers.memory.graph if e.category == "mug"]
    assert mugs == [e.id for e in PRIOR if e.category == "mug"] and fingers.memory.graph.held() is None
    np.testing.assert_allclose(fingers.memory.graph["mug_0"].position[:2], aside[:2], atol=0.01)


def test_what_lies_far_from_where_it_slipped_or_was_there_before_is_another_thing(fingers):
    fingers.memory.see(ceiling(fingers.now, lying((HIGH[0] + 0.3, HIGH[1], 0.74))), BASE, HIGH)
    fingers.take()
    fingers.feel(True, FELT)
    fingers.feel(False)
    fingers.memory.see(ceiling(fingers.now, lying((HIGH[0] + 2.0, HIGH[1], 0.74))), BASE, HIGH, 0.2)
    mugs = [e.id for e in fingers.memory.graph if e.category == "mug"]
    assert len(mugs) == len([e for e in PRIOR if e.category == "mug"]) + 2
