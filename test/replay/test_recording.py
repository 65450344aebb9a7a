"""An episode of the in-process stack, recorded and replayed: the same pictures, the same memory."""

import pytest

from dadu.house.files import load_house
from dadu.perception.sensor_config import SensorConfig
from dadu.planner.step import Decision, Step
from dadu.replay.bag import Bag
from dadu.replay.memory import replay_memory
from dadu.replay.perception import replay_perception
from dadu.replay.recording import TOPICS, EpisodeRecorder, StackRecorder
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.stack import Stack


@pytest.fixture(scope="module")
def episode(tmp_path_factory):
    """Its directory, and what memory held at its end."""
    run_dir = tmp_path_factory.mktemp("run")
    stack = Stack(load_house("flat"), seed=1, eyes=SensorConfig(perception="ground_truth"))
    with EpisodeRecorder(run_dir / "bag", stack.description.tool_link) as bag:
        recorder = StackRecorder(bag, stack, "wait")
        stack.on_tick = recorder.tick
        for _ in range(20):
            stack.advance(0.05)
        ended = SkillResult(Code.SUCCEEDED, "nothing happened")
        recorder.trace(Step(1, Decision(SkillCall("wait", ()), "as asked", "symbolic"), 0.0, stack.now(), ended))
    expected = set(stack.graph().entities)
    stack.close()
    return run_dir, expected


def test_a_recorded_stack_replays(episode):
    run_dir, expected = episode
    with Bag(run_dir / "bag") as bag:
        assert {"color", "depth", "instances", "detections", "graph"} <= bag.topics.keys() and len(TOPICS) == 13
        seen = replay_perception(bag)
        remembered, memory = replay_memory(bag, robot="stretch")
    assert seen.compared >= 3 and not seen.differences, seen.text()
    assert remembered.compared >= 1 and not remembered.differences, remembered.text()
    assert set(memory.graph.entities) == expected
