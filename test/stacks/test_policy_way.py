"""Under physics: a policy that does what the planned skill did, as a demonstration holds it, takes the thing, too."""

import numpy as np
import pytest
from stand_in_policy import StandInPolicy

from dadu.core.robot import Command
from dadu.house.files import load_house
from dadu.perception.sensor_config import SensorConfig
from dadu.robots.set_points import APERTURE, SetPoints, trajectories
from dadu.robots.vectors import action_names, joint_names
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.stack import Stack
from dadu.stacks.ways import SkillWays

pytestmark = [pytest.mark.needs("policy"), pytest.mark.thorough]
DT = 0.1
EYES = SensorConfig(perception="ground_truth", privilege="instances,pose,states")


def stack(ways=None):
    return Stack(load_house("flat"), seed=1, eyes=EYES, known="all", ways=ways)


class Watched:
    """What is commanded while a skill runs, every `DT` [s]."""

    def __init__(self, stack):
        self.stack, self.points, self.twists = stack, SetPoints(), []
        self.begin = self.end = stack.now()
        stack.on_command = self.command

    def command(self, command):
        observation = self.stack.robot.observe()
        measured = {**observation.joints, APERTURE: observation.aperture}
        for trajectory in trajectories(command):
            if trajectory.waypoints:
                self.points.move(observation.stamp, trajectory, measured)
            else:
                self.points.hold(observation.stamp, measured)
        self.start = getattr(self, "start", measured)
        if command.base is not None:
            self.twists.append((observation.stamp, command.base.vx, command.base.wz))
        self.end = observation.stamp

    def actions(self):
        stamps = np.arange(self.begin, self.end, DT)
        robot = self.stack.description
        joints = [self.points.at(n, stamps + DT) if n in self.points.joints else np.full(len(stamps), self.start[n])
                  for n in joint_names(robot)]
        twists = np.array(self.twists)
        newest = (np.searchsorted(twists[:, 0], stamps + DT / 2, "right") - 1).clip(0)
        return np.column_stack([*joints, twists[newest, 1:]])


def test_a_demonstration_of_the_planned_skill_takes_the_thing():
    shown = stack()
    thing = "apple_0"
    try:
        assert shown.execute(SkillCall("go_to", (thing,)), "pick").ok
        watched = Watched(shown)
        assert shown.execute(SkillCall("pick", (thing,))).code is Code.SUCCEEDED
        actions = watched.actions()
        assert actions.shape[1] == len(action_names(shown.description))
    finally:
        shown.close()
    left = [actions[i:i + 10] for i in range(0, len(actions), 10)]
    with StandInPolicy(lambda observation: {"actions": left.pop(0)} if left else {"done": True}) as server:
        robot = stack(SkillWays(pick=f"policy:{server.url}"))
        try:
            assert robot.execute(SkillCall("go_to", (thing,)), "pick").ok
            result = robot.execute(SkillCall("pick", (thing,)))
            assert result.code is Code.SUCCEEDED, result
            assert robot.simulation.ground_truth().bodies[thing].held
        finally:
            robot.close()
    assert server.observations[0]["observation.images.camera"].shape == (640, 480, 3)


def clumsy(use, skill_context, given):
    """A way of one's own that takes nothing."""
    yield Command()
    return SkillResult(Code.EXECUTION_FAILED, "it slipped", target=given["object"])


def do(ways, trace=lambda robot, step: None):
    """By which ways the apple that ground truth says is held in the end was picked, in order."""
    robot = stack(ways)
    try:
        report = robot.do("pick up the apple", trace=lambda step: trace(robot, step))
        assert report.success, report.summary
        assert robot.simulation.ground_truth().bodies["apple_0"].held
    finally:
        robot.close()
    return [step.outcome.by for step in report.steps if step.call == SkillCall("pick", ("apple_0",))]


def test_the_planned_skill_takes_what_a_policy_does_not():
    with StandInPolicy(lambda observation: "no GPU left") as server:
        assert do(SkillWays(pick=f"policy:{server.url},planned")) == ["policy", "planned"]


def test_a_policy_takes_what_another_way_does_not():
    watched = []

    def watch(robot, step):
        if step.decision.by == "planned" and step.result is None:
            watched.append(Watched(robot))
    failing = f"{__name__}:clumsy"
    assert do(SkillWays(pick=f"{failing},planned"), watch) == ["clumsy", "planned"]
    (shown,) = watched
    actions = shown.actions()
    left = [actions[i:i + 10] for i in range(0, len(actions), 10)]
    with StandInPolicy(lambda observation: {"actions": left.pop(0)} if left else {"done": True}) as server:
        assert do(SkillWays(pick=f"{failing},policy:{server.url}")) == ["clumsy", "policy"]
