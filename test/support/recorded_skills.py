"""A small recorded run: a robot drives to a mug, fails to take it, and takes it."""

import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Observation, Twist
from dadu.planner.step import Decision, Step
from dadu.replay.recording import EpisodeRecorder
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Entity, Kind, WorldGraph
from test.support.boxworld import SceneBox, look, render

ROBOT = load_robot("stretch")
GRAPH = WorldGraph([Entity("robot", Kind.AGENT, "robot"),
                    Entity("mug_7", Kind.OBJECT, "mug", attributes={"color": "red"})])
SKILLS = (("go_to", 1.0, SkillResult(Code.SUCCEEDED, "stands at mug_7", target="mug_7")),
          ("pick", 0.8, SkillResult(Code.EXECUTION_FAILED, "it slipped", "grasp_slipped", "mug_7")),
          ("pick", 1.2, SkillResult(Code.SUCCEEDED, "mug_7 is in the hand", target="mug_7")))
"""name, how long it takes [s], what becomes of it"""
INSTRUCTION = "take the red mug"
TICK = 0.05
SPEED = 0.1
"""of base [m/s] and of the lift, which is sent up in each pick [m/s]"""


def record_run(folder, commands=True):
    """A run's folder with its bag; without `commands`, one of before these were written down."""
    folder.mkdir(parents=True)
    (folder / "arguments.yaml").write_text("robot: stretch\n")
    with EpisodeRecorder(folder / "bag", ROBOT.tool_link, quality=90) as recorder:
        recorder.remembered(GRAPH, 1, 0.0)
        world = _World(recorder, commands)
        world.tick(Command())
        for index, (skill, duration, result) in enumerate(SKILLS, 1):
            step = Step(index, Decision(SkillCall(skill, ("mug_7",)), "because", "symbolic"), world.time)
            recorder.stepped(step, INSTRUCTION)
            world.perform(skill, duration)
            recorder.stepped(Step(index, step.decision, step.start, end=world.time, result=result), INSTRUCTION)
            world.perform("wait", 0.5)
    return folder


class _World:
    def __init__(self, recorder, commands):
        self.recorder, self.commands = recorder, commands
        self.time, self.x, self.lift, self.moving = 0.0, 0.0, 0.5, 0.0

    def perform(self, skill, duration):
        ticks = round(duration / TICK)
        lift = JointTrajectory.single_goal({"joint_lift": self.lift + SPEED * duration}, duration)
        for i in range(ticks):
            base = Twist(SPEED) if skill == "go_to" else Twist()
            first = i == 0 and skill == "pick"
            self.tick(Command(base, lift if first else None, GripperCommand(-0.03, 15.0) if first else None))
            self.moving = SPEED if skill == "pick" else 0.0
            self.x += base.vx * TICK
            self.lift += self.moving * TICK

    def tick(self, command):
        joints = {name: self.lift if name == "joint_lift" else 0.0 for name in ROBOT.joints}
        self.recorder.body(Observation(self.time, Pose2(self.x, 0, 0), joints, aperture=0.02, grip_effort=12.0),
                           np.zeros(3))
        if self.commands:
            self.recorder.commanded(command, self.time)
        if round(self.time / TICK) % 2 == 0:
            self.recorder.picture(render([SceneBox("mug_7", (1.5, 0.2, 0.8), (0.2, 0.2, 0.2), (200, 30, 30))],
                                         look((self.x, 0, 1.3), (1.5, 0, 0.8)), stamp=self.time, scale=8))
        self.time += TICK
