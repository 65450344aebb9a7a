"""An episode of the in-process stack, recorded and replayed: the same pictures, the same memory."""


from dadu.house.files import load_house
from dadu.perception.sensor_config import SensorConfig
from dadu.replay.bag import Bag
from dadu.replay.memory import replay_memory
from dadu.replay.perception import replay_perception
from dadu.replay.recording import TOPICS, EpisodeRecorder, StackRecorder
from dadu.stacks.stack import Stack


def test_a_recorded_stack_replays(tmp_path):
    stack = Stack(load_house("flat"), seed=1, eyes=SensorConfig(perception="ground_truth"))
    with EpisodeRecorder(tmp_path / "bag", stack.description.tool_link) as bag:
        stack.on_tick = StackRecorder(bag, stack, "wait").tick
        for _ in range(20):
            stack.advance(0.05)
    expected = set(stack.graph().entities)
    stack.close()
    with Bag(tmp_path / "bag") as bag:
        assert {"color", "depth", "instances", "detections", "graph"} <= bag.topics.keys() and len(TOPICS) == 13
        seen = replay_perception(bag)
        remembered, memory = replay_memory(bag, robot="stretch")
    assert seen.compared >= 3 and not seen.differences, seen.text()
    assert remembered.compared >= 1 and not remembered.differences, remembered.text()
    assert set(memory.graph.entities) == expected
