"""Small recorded episodes: a table that is looked at, and a task in a world without geometry."""

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.memory import Memory
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.planner.asking.question import is_question, outcome
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.planner.report import TaskReport
from dadu.replay.recording import EpisodeRecorder
from dadu.robots import load_robot
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Entity, Kind, WorldGraph
from test.support.boxworld import SceneBox, look, render

TABLE = SceneBox("table_0", (2.0, 0.0, 0.36), (0.8, 1.2, 0.72), (150, 110, 70))
MUG = SceneBox("mug_7", (1.9, 0.1, 0.77), (0.08, 0.08, 0.1), (200, 30, 30))
BOWL = SceneBox("bowl_7", (1.9, -0.3, 0.76), (0.16, 0.16, 0.08), (30, 60, 200))
SCENES = [[TABLE, MUG, BOWL]] * 3 + [[TABLE, BOWL]] * 6
"""the mug is taken away after the third picture"""
TOOL_LINK = load_robot("stretch").tool_link
INSTRUCTION = "put the red apple on the dining table"
FLAT = build_graph(load_house("flat"), known="all")


def record_table(path, *, scenes=SCENES, names=None):
    """A robot that stands and looks; what perception and memory made of it is in the bag. `names`: categories that the
    recorded detector gave, where they are others than the boxes'. Returns the memory."""
    memory = Memory(WorldGraph([Entity("robot", Kind.AGENT, "robot")]))
    boxes = [TABLE, MUG, BOWL]
    categories = {b.name: b.name.rsplit("_", 1)[0] for b in boxes}
    eye = look((0.2, 0.0, 1.35), (2.0, 0.0, 0.72))
    with EpisodeRecorder(path, TOOL_LINK) as recorder:
        recorder.names(0.0, [b.name for b in boxes], [categories[b.name] for b in boxes])
        recorder.remembered(memory.graph, memory.revision, 0.0)
        for i, scene in enumerate(scenes):
            stamp = 1.0 + 0.4 * i
            there = [b for b in boxes if b in scene]
            away = [SceneBox(b.name, (0, 0, -50), (0.01, 0.01, 0.01)) if b not in there else b for b in boxes]
            camera = render(away, eye, stamp=stamp, scale=2)
            recorder.body(Observation(stamp, Pose2(0, 0, 0), aperture=0.05, camera=camera), np.array([0, -0.5, 0.8]))
            recorder.picture(camera)
            seen = perceive(camera, InstanceDetector([b.name for b in boxes], names or categories))
            recorder.seen(seen)
            memory.see(seen, Pose2(0, 0, 0), (0.0, -0.5, 0.8), 0.05)
            recorder.remembered(memory.graph, memory.revision, stamp)
    return memory


class EffectWorld:
    """Skills have their effects; the first pick fails."""

    def __init__(self, graph):
        self.known, self.clock, self.revision, self.failed = graph.copy(), 0.0, 1, False

    def graph(self):
        return self.known

    def now(self):
        return self.clock

    def holding(self):
        return self.known.held("robot") is not None

    def execute(self, call):
        self.clock += 10.0
        if call.skill == "pick" and not self.failed:
            self.failed = True
            return SkillResult(Code.EXECUTION_FAILED, "it slipped", "grasp_slipped")
        held = self.known.held("robot")
        self.known, self.revision = apply(self.known, call, self.clock), self.revision + 1
        return SkillResult(Code.SUCCEEDED, "done", target=held.id if call.skill == "place" else call.arguments[0])


def record_task(path, planner=None, change=lambda step: step, instruction=INSTRUCTION, answer=None):
    """The apple is brought to the table. `change` falsifies a step before it is written down; `answer`: who is asked
    what is meant. Returns the report."""
    world = EffectWorld(FLAT)
    with EpisodeRecorder(path, TOOL_LINK) as recorder:
        def body():
            grip = 20.0 if world.holding() else 0.0
            x, y, _ = world.known["robot"].position
            recorder.body(Observation(world.clock, Pose2(x, y, 0.0), aperture=0.05, grip_effort=grip), np.zeros(3))

        def trace(step):
            body()
            recorder.remembered(world.known, world.revision, world.clock)
            recorder.stepped(change(step), instruction)

        body()
        recorder.remembered(world.known, world.revision, 0.0)
        turn = ClosedLoop(instruction, planner or make_planner(), world, trace=trace, asks=answer is not None).turns()
        chosen = turn(None)
        while not isinstance(chosen, TaskReport):
            chosen = turn(outcome(answer(chosen.arguments[0])) if is_question(chosen) else world.execute(chosen))
    return chosen
