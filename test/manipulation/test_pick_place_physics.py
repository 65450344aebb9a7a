"""pick and place by contact in the simulated flat, in lock step."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation
from dadu.manipulation.carry import retract
from dadu.manipulation.grasp import grasping
from dadu.manipulation.pick import pick
from dadu.manipulation.place import place
from dadu.motion.plan import NARROW, ReachEntry, tool_at_height
from dadu.navigation.standing.base_placement import place_base
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.motion import Motion, move
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.stacks.site import rasterize
from dadu.world.graph import Edge, Relation

from .bench import Bench

STUDIO = Path(__file__).parents[1] / "integration" / "studio.house.yaml"


@pytest.fixture(scope="module")
def bench():
    bench = Bench(seed=3)
    yield bench
    bench.sim.close()


def stand_at(bench: Bench, name: str, distance: float = 0.6, aside: float = 0.05) -> None:
    target = bench.graph[name]
    bench.stand(target.position[:2], bench.graph[bench.graph.support(name).object].yaw, distance, aside)


def carried_off(bench: Bench, name: str, before: np.ndarray, apart: float = 0.13) -> bool:
    """True if a thing is far from where it was, `before` (3,) [m, map], and `apart` [m] from the hand at most."""
    hand = bench.sim.body.link_pose(bench.sim.data, "grasp_center")[:3, 3]
    now = bench.position(name)
    return bool(np.linalg.norm(now - before) > 0.3 and np.linalg.norm(now - hand) < apart)


def _takes(bench: Bench, name: str) -> None:
    """Picks it, and has it a while later; the bench is closed."""
    before = bench.position(name)
    result = bench.run(pick(bench.robot, bench.scene, name))
    assert result.code is Code.SUCCEEDED, result
    bench.advance(2.0)
    assert carried_off(bench, name, before)
    bench.sim.close()


def _watched(way: Motion, note: Callable[[Observation], object]) -> Motion:
    """`way`, what is observed while the wrist turns the hand in noted."""
    command = next(way)
    while True:
        observation = yield command
        if 0.5 < observation.joints["joint_wrist_yaw"] < 2.0:
            note(observation)
        try:
            command = way.send(observation)
        except StopIteration as end:
            return end.value


def _worktop(tmp_path: Path, kind: str) -> Bench:
    """With one thing on it, the robot before it."""
    house = yaml.safe_load(STUDIO.read_text())
    house["objects"] = [{"name": "it", "category": kind, "on": "counter_0", "at": [0.0, 0.1], "yaw": 0.5}]
    (tmp_path / "it.house.yaml").write_text(yaml.safe_dump(house))
    bench = Bench(house=str(tmp_path / "it.house.yaml"))
    bench.scene.map = rasterize(bench.house)
    bench.place_robot(place_base(bench.scene, bench.robot, "it", "pick"))
    return bench


def test_can_from_the_counter_to_the_side_table(bench):
    stand_at(bench, "soup_can_0")
    before = bench.position("soup_can_0")
    result = bench.run(pick(bench.robot, bench.scene, "soup_can_0"))
    assert result.code is Code.SUCCEEDED and result.target == "soup_can_0", result
    assert carried_off(bench, "soup_can_0", before, apart=0.08)

    bench.graph.set_support("soup_can_0", Edge("soup_can_0", Relation.HELD_BY, "robot"))
    table = bench.graph["side_table_0"]
    bench.carry_to(bench.facing(table.position[:2], table.yaw, 0.62), "soup_can_0")
    result = bench.run(place(bench.robot, bench.scene, "on", "side_table_0"))
    assert result.code is Code.SUCCEEDED and result.target == "soup_can_0", result
    bench.advance(0.5)
    where = bench.position("soup_can_0")
    assert np.all(np.abs(where[:2] - table.position[:2]) < 0.3)
    assert where[2] == pytest.approx(table.surfaces[0].height + 0.05, abs=0.01)


def test_milk_out_of_the_open_fridge(bench):
    bench.set_part("fridge_0", "door", 1.48)
    # Abreast of the milk the hand would turn into the door: it has to turn before the base is there.
    stand_at(bench, "milk_0", 0.81, aside=0.04)
    result = bench.run(pick(bench.robot, bench.scene, "milk_0"))
    assert result.code is Code.SUCCEEDED, result
    assert bench.part("fridge_0", "door") == pytest.approx(1.48, abs=0.02)
    assert bench.position("milk_0")[0] > bench.graph["fridge_0"].position[0] + 0.4


def test_an_object_that_is_gone_is_reported(bench):
    bench.sim.data.joint("jam_jar_0").qpos[:3] = (8.0, 5.5, 0.06)
    stand_at(bench, "jam_jar_0")
    result = bench.run(pick(bench.robot, bench.scene, "jam_jar_0"))
    assert result.code is Code.UNKNOWN_TARGET and result.detail == Detail.NOT_THERE


def test_what_the_fingers_still_feel_was_not_put_down(bench, monkeypatch):
    """A floret had stuck between them, and was told as put on the couch, if not with certainty."""
    monkeypatch.setattr("dadu.robots.hand.presses", lambda *_: True)
    bench.graph.set_support("soup_can_0", Edge("soup_can_0", Relation.HELD_BY, "robot"))
    table = bench.graph["side_table_0"]
    bench.stand(table.position[:2], table.yaw, 0.62)
    result = bench.run(place(bench.robot, bench.scene, "on", "side_table_0"))
    assert (result.code, result.target) == (Code.EXECUTION_FAILED, "soup_can_0") and "still feel" in result.message


def test_an_empty_hand_folds_no_wider_than_room_is_looked_for(bench):
    """As after a grasp that failed: wide fingers met a wall on the way back."""
    bench.place_robot(Pose2(*bench.house.robot.pose))
    body, folding = Manipulator.from_description(bench.robot), []

    def back_from_a_reach() -> Skill:
        observation = yield Command()
        observation = yield from move(body, observation, [body.ready(observation)], observation.base_pose)
        observation = yield from hand.open_hand(body, observation, 0.16)
        assert observation.aperture > 0.15
        yield from _watched(retract(body, observation), lambda seen: folding.append(seen.aperture))
        return SkillResult(Code.SUCCEEDED, "folded")

    assert bench.run(back_from_a_reach()).code is Code.SUCCEEDED
    assert folding and max(folding) < NARROW + 0.02


def test_a_bowl_on_a_counter_is_taken_by_the_rim():
    """So high, the arm gets over the rim with less slanted fingers alone."""
    bench = Bench(house="small_flat")
    bench.scene.map = rasterize(bench.house)
    bench.place_robot(place_base(bench.scene, bench.robot, "bowl_0", "pick"))
    _takes(bench, "bowl_0")


def test_a_plate_seen_larger_than_it_is_holds_by_its_rim(tmp_path, monkeypatch):
    """Learned eyes see its edge a centimetre out, where it is thin."""
    bench = _worktop(tmp_path, "plate")
    told = grasping.synthesise
    monkeypatch.setattr(grasping, "synthesise", lambda robot, box, *given: told(
        robot, replace(box, size=(box.size[0] + 0.02, box.size[1] + 0.02)), *given))
    _takes(bench, "it")


def test_a_long_thing_is_folded_in_over_what_stands_beside(bench):
    """As high as the hand unfolded, and as much higher as was looked for: over an armrest."""
    bench.place_robot(Pose2(*bench.house.robot.pose))
    body, heights = Manipulator.from_description(bench.robot), []

    def back_from_a_reach() -> Skill:
        observation = yield Command()
        stow, low = body.posture(observation), tool_at_height(body, body.ready(observation), 0.5)
        entry = ReachEntry(observation.base_pose,
                           (tool_at_height(body, stow, 0.65), tool_at_height(body, low, 0.65)), (low,))
        observation = yield from move(body, observation, [low], observation.base_pose)
        yield from _watched(retract(body, observation, entry=entry, over=0.1),
                            lambda seen: heights.append(body.kinematics.tool(seen.joints)[2, 3]))
        return SkillResult(Code.SUCCEEDED, "folded")

    assert bench.run(back_from_a_reach()).code is Code.SUCCEEDED
    assert min(heights) > 0.65 + 0.1 - 0.03


@pytest.mark.parametrize("kind", ["butter_knife", "cellphone"])
def test_flat_things_on_a_worktop_are_taken_from_above(tmp_path, kind):
    """Where the arm gets hardly any higher; the blade of the knife is half a centimetre thick."""
    bench = _worktop(tmp_path, kind)
    _takes(bench, "it")
