"""A policy moves a skill: what it commands is held to limits, what becomes of it is felt, and whatever its server does
is a typed outcome."""

import pickle
import socket
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from stand_in_policy import StandInPolicy

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2
from dadu.core.msgpack_numpy import pack
from dadu.core.robot import Command, GripperCommand, JointTrajectory, LaserScan, Observation, Twist, Waypoint
from dadu.manipulation.policy import client
from dadu.planner.grammar import Grammar
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.skill_context import SkillContext
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.report import TaskReport
from dadu.robots.body import Manipulator
from dadu.robots.loader import load_robot
from dadu.robots.set_points import APERTURE, SetPoints, trajectories
from dadu.robots.vectors import action_names, joint_names, state_names
from dadu.skills.call import SkillCall
from dadu.skills.generator import SkillRunner, run
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.scene import Scene
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.ways import SkillWays
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

pytestmark = pytest.mark.needs("policy")
ROBOT = load_robot("stretch")
BODY = Manipulator.from_description(ROBOT)
AT_MUG = {**ROBOT.stow, "joint_lift": 0.6, "wrist_extension": 0.25, "joint_wrist_yaw": 0.0, "joint_wrist_pitch": 0.0}
PLACE = tuple(map(float, BODY.kinematics.tool(AT_MUG)[:3, 3]))
"""of the mug, map and base [m]"""
PICK = SkillCall("pick", ("mug_7",))
ZEROS = np.zeros(len(action_names(ROBOT)))


class StretchOfPaper:
    """Goes where it is told, at once; its fingers feel a mug between them where there is one."""

    def __init__(self, scan=None):
        self.description, self.commands = ROBOT, []
        self.scan, self.stamp, self.pose, self.twist, self.holds = scan, 0.0, Pose2(0, 0, 0), Twist(), False
        self.points, self.start = SetPoints(), {**ROBOT.stow, APERTURE: 0.02}

    def measured(self):
        now = np.array([self.stamp])
        return {name: float(self.points.at(name, now)[0]) if name in self.points.joints else self.start.get(name, 0.0)
                for name in joint_names(ROBOT)}

    def observe(self):
        joints = self.measured()
        aperture = joints.pop(APERTURE)
        at_mug = np.linalg.norm(BODY.kinematics.tool(joints)[:3, 3] - PLACE) < 0.1
        self.holds = aperture < 0.05 and (self.holds or at_mug)
        return Observation(self.stamp, self.pose, joints, {}, 0.05 if self.holds else max(aperture, 0.0),
                           20.0 if self.holds else 0.0, scan=self.scan)

    def act(self, command):
        self.commands.append(command)
        for trajectory in trajectories(command):
            if trajectory.waypoints:
                self.points.move(self.stamp, trajectory, self.measured())
            else:
                self.points.hold(self.stamp, self.measured())
        self.twist = command.base or self.twist

    def advance(self, dt):
        self.stamp += dt
        self.pose = self.pose * Pose2(self.twist.vx * dt, 0.0, self.twist.wz * dt)


def scene():
    return Scene(WorldGraph([Entity("robot", Kind.AGENT, "robot"),
                             Entity("mug_7", Kind.OBJECT, "mug", PLACE, size=(0.08, 0.08, 0.1),
                                    attributes={"color": "red"})]))


def carry_out(server, call=PICK, robot=None, way="policy:", lock_step=True):
    robot = robot or StretchOfPaper()
    ways = SkillWays(pick=f"{way}{server.url}", place=f"{way}{server.url}")
    use = Equipment(ROBOT, scene(), ways=ways, lock_step=lock_step)
    return run(begin(use, call), robot, robot.advance, timeout=100), robot


def grasping():
    """A policy that knows where the mug is: goes there with open fingers, closes them, and goes up."""
    def answer(observation):
        state = dict(zip(state_names(ROBOT), observation["observation.state"]))
        shut = answer.shut
        answer.shut = shut or all(abs(state[n] - AT_MUG[n]) < 0.01 for n in ROBOT.arm_joints)
        joints = {**AT_MUG, "joint_lift": AT_MUG["joint_lift"] + 0.1 * shut}
        row = [*(joints.get(n, 0.0) for n in ROBOT.joints), -0.03 if answer.shut else 0.1, 0.0, 0.0]
        return {"actions": np.tile(np.array(row, np.float32), (10, 1))}
    answer.shut = False
    return answer


def test_what_a_policy_has_taken_is_felt_and_the_arm_is_drawn_in():
    with StandInPolicy(grasping(), {"action_names": action_names(ROBOT), "fps": 10}) as server:
        result, robot = carry_out(server)
    assert result.code is Code.SUCCEEDED and result.target == "mug_7" and result.by == "policy"
    shown = server.observations[0]
    assert shown["prompt"] == "pick the red mug" and shown["observation.state"].shape == (len(state_names(ROBOT)),)
    assert robot.holds and len(server.observations) < 40


def wrong_answers():
    nan = np.tile(ZEROS, (5, 1))
    nan[3, 2] = np.nan
    return {"not a number": {"actions": nan}, "too few": {"actions": np.zeros((5, 3))}, "none": {"actions": ZEROS[:0]},
            "flat": {"actions": ZEROS}, "endless": {"actions": np.tile(ZEROS, (500, 1))}, "nothing": {},
            "words": {"actions": "left"}, "ragged": {"actions": [[1.0], [1.0, 2.0]]},
            "an error": "Traceback\nKeyError: 'x'",
            "no msgpack": b"\xc1\xff", "a list": pack([1, 2]), "a pickle": pickle.dumps({"actions": ZEROS}),
            "objects": {"actions": [{"a": 1}]}, "numbers as text": {"actions": [["1"] * len(ZEROS)]},
            "complex": {"actions": np.tile(ZEROS, (5, 1)).astype(complex)},
            "done of many": {"actions": np.tile(ZEROS, (5, 1)), "done": np.array([True, False])},
            "done in words": {"actions": np.tile(ZEROS, (5, 1)), "done": "no"}}


@pytest.mark.parametrize("how", wrong_answers())
def test_nonsense_is_an_outcome(how):
    with StandInPolicy(lambda observation: wrong_answers()[how]) as server:
        result, robot = carry_out(server)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.POLICY_UNUSABLE), result
    assert robot.twist == Twist()


@pytest.mark.parametrize("metadata", ["no", b"\xc1", {"fps": "fast"}, {"fps": 1e9}, {"execute": 0},
                                      {"action_names": ["j1", "j2"]}, {"action_names": 5},
                                      {"action_names": [np.zeros(2)] * len(ZEROS)}])
def test_metadata_of_another_robot_or_none_are_an_outcome(metadata):
    with StandInPolicy(grasping(), metadata) as server:
        assert carry_out(server)[0].detail == Detail.POLICY_UNUSABLE


def test_beyond_all_limits_the_body_stays_within_them_and_time_runs_out():
    row = ZEROS + 1e6 * (-1.0) ** np.arange(len(ZEROS))
    with StandInPolicy(lambda observation: {"actions": np.tile(row, (100, 1))}) as server:
        result, robot = carry_out(server)
    assert result.code is Code.TIMED_OUT
    for command in robot.commands:
        if command.joints is None:
            continue
        before = None
        for waypoint in command.joints.waypoints:
            for name, position in waypoint.positions.items():
                limit = ROBOT.joints[name]
                assert limit.continuous or limit.lower - 1e-9 <= position <= limit.upper + 1e-9
                if before is not None:
                    step = abs(position - before.positions[name]) / (waypoint.time - before.time)
                    assert limit.continuous or step <= limit.velocity * (1 + 1e-6)
            before = waypoint
    twists = [command.base for command in robot.commands if command.base is not None]
    assert max(abs(t.vx) for t in twists) <= 0.2 + 1e-9 and max(abs(t.wz) for t in twists) <= ROBOT.max_speed.wz + 1e-9


def test_what_a_policy_calls_done_is_not_believed():
    with StandInPolicy(lambda observation: {"done": True}) as server:
        result, _ = carry_out(server)
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.NO_GRASP)


def test_a_place_begins_with_something_in_the_hand():
    with StandInPolicy(grasping()) as server:
        result, _ = carry_out(server, SkillCall("place", ("on", "mug_7")))
    assert result.code is Code.HAND_EMPTY and not server.observations


@pytest.mark.parametrize("lock_step", [True, False])
def test_a_slow_server_is_an_outcome(monkeypatch, lock_step):
    monkeypatch.setattr(client, "FIRST", 0.2)
    with StandInPolicy(lambda observation: time.sleep(1.0) or {"done": True}) as server:
        if lock_step:
            result, _ = carry_out(server)
        else:
            result = real_time(server)
    assert result.code is Code.UNREACHABLE_BACKEND and "time" in result.message


def real_time(server, each=lambda runner: None):
    robot = StretchOfPaper()
    use = Equipment(ROBOT, scene(), ways=SkillWays(pick=f"policy:{server.url}"))
    runner = SkillRunner(begin(use, PICK), 1e9)
    while runner.result is None:
        began = time.monotonic()
        command = runner.tick(robot.observe())
        assert time.monotonic() - began < 5.0  # never waits for the server
        robot.act(command)
        robot.advance(0.05)
        each(runner)
        time.sleep(0.002)
    assert command.base == Twist()
    return runner.result


def test_a_stop_ends_it_while_the_server_thinks_and_hangs_up():
    def stop(runner):
        if server.observations:
            runner.interrupt(Code.SAFETY_STOP, "emergency stop")
    with StandInPolicy(lambda observation: time.sleep(0.3) or {"actions": np.tile(ZEROS, (5, 1))}) as server:
        assert real_time(server, stop).code is Code.SAFETY_STOP
        assert server.hung_up.wait(30.0)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_server_that_dies_is_an_outcome(after):
    moving = grasping()

    def answer(observation):
        return None if len(server.observations) > after else moving(observation)
    with StandInPolicy(answer) as server:
        result, robot = carry_out(server)
    assert result.code is Code.UNREACHABLE_BACKEND, result
    assert robot.twist == Twist()


@pytest.mark.parametrize("reply", [b"", b"HTTP/1.1 101 Switch", b"HTTP/1.1 500 No\r\n\r\n",
                                   b"HTTP/1.1 302 Found\r\nLocation: ws://[::\r\n\r\n"])
def test_what_hangs_up_on_a_handshake_is_an_outcome(reply):
    """An odd redirection ended the client's thread, and nobody heard of it before the time was over."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def serve():
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(reply)
        threading.Thread(target=serve, daemon=True).start()
        result, robot = carry_out(SimpleNamespace(url=f"ws://127.0.0.1:{listening.getsockname()[1]}"))
    assert result.code is Code.UNREACHABLE_BACKEND and "is not there" in result.message, result
    assert robot.twist == Twist()


def test_what_a_server_says_is_shown_without_what_steers_a_terminal():
    with StandInPolicy(lambda observation: "first\n\x1b[31mno GPU\x07 left") as server:
        result, _ = carry_out(server)
    assert result.message.endswith("it reports an error: [31mno GPU left (by policy)")


def test_nobody_there_is_an_outcome():
    with StandInPolicy(grasping()) as server:
        pass
    assert carry_out(server)[0].code is Code.UNREACHABLE_BACKEND


def test_the_base_stops_before_what_the_laser_sees():
    ranges = np.full(360, np.inf, np.float32)
    ranges[0] = 0.45  # ahead
    scan = LaserScan(0.0, ranges, 0.0, np.pi / 180, 10.0, np.eye(4))
    row = ZEROS.copy()
    row[-2] = 0.2
    row[:len(ROBOT.joints)] = [ROBOT.stow.get(n, 0.0) for n in ROBOT.joints]

    class Mapped(StretchOfPaper):
        def observe(self):
            seen = ranges.copy()
            seen[0] -= self.pose.x
            self.scan = LaserScan(self.stamp, seen, 0.0, np.pi / 180, 10.0, np.eye(4))
            return super().observe()
    with StandInPolicy(lambda observation: {"actions": np.tile(row, (10, 1))}) as server:
        result, robot = carry_out(server, robot=Mapped(scan))
    assert (result.code, result.detail) == (Code.EXECUTION_FAILED, Detail.PATH_BLOCKED)
    assert robot.pose.x + ROBOT.footprint[:, 0].max() < 0.45


def clumsy(use, skill_context, given):
    """A way of one's own that takes nothing."""
    yield Command()
    return SkillResult(Code.EXECUTION_FAILED, "it slipped", Detail.GRASP_SLIPPED, given["object"])


def careful(use, skill_context, given):
    yield Command()
    use.scene.graph.set_support("mug_7", Edge("mug_7", Relation.HELD_BY, "robot"))
    return SkillResult(Code.SUCCEEDED, "it is in the hand", target=given["object"])


class Home:
    """A robot beside a mug, whose `pick` is carried out for real."""

    def __init__(self, ways):
        self.use, self.body, self.steps = Equipment(ROBOT, scene(), ways=ways, lock_step=True), StretchOfPaper(), []
        self.ways = ways.choices
        under = (*PLACE[:2], 0.0)
        self.graph().put(Entity("table_0", Kind.FURNITURE, "table", under, size=(0.6, 0.6, PLACE[2] - 0.05)))
        self.graph().set_support("mug_7", Edge("mug_7", Relation.ON, "table_0"))

    def graph(self):
        return self.use.scene.graph

    def now(self):
        return self.body.stamp

    def holding(self):
        return self.graph().held("robot") is not None

    def trace(self, step):
        if step.result is None:
            self.by = step.decision.by
        else:
            self.steps.append(step)

    def execute(self, call):
        if call.skill != "pick":
            return SkillResult(Code.SUCCEEDED, "there")
        result = run(begin(self.use, call, SkillContext(by=self.by)), self.body, self.body.advance, timeout=200)
        if result.ok:
            self.graph().set_support("mug_7", Edge("mug_7", Relation.HELD_BY, "robot"))
        return result


def taken(ways):
    home = Home(ways)
    loop = ClosedLoop("pick up the mug", TaskPlanner(SymbolicPolicy(), Grammar()), home, trace=home.trace)
    report, turn = None, loop.turns()
    while not isinstance(report := turn(home.execute(report) if report is not None else None), TaskReport):
        pass
    return report, [s for s in home.steps if s.call.skill == "pick"]


OWN = f"{__name__}:"


@pytest.mark.parametrize("serves", [True, False], ids=["policy after own", "own after policy"])
def test_where_one_way_fails_the_next_is_taken_and_told(serves):
    answer = grasping() if serves else lambda observation: "no GPU left"
    with StandInPolicy(answer, {"action_names": action_names(ROBOT), "fps": 10}) as server:
        policy, own = f"policy:{server.url}", OWN + ("clumsy" if serves else "careful")
        report, picks = taken(SkillWays(pick=f"{own},{policy}" if serves else f"{policy},{own}"))
    assert report.success, [(str(s.call), s.result) for s in report.steps]
    names = ["clumsy", "policy"] if serves else ["policy", "careful"]
    assert [s.decision.by for s in picks] == [s.outcome.by for s in picks] == names
    assert f"(by {names[0]}; also: {names[1]})" in picks[0].outcome.message
    assert f"(by {names[0]})" in picks[0].decision.told


def test_a_way_that_the_robot_lacks_is_refused_by_name():
    use = Equipment(ROBOT, scene(), ways=SkillWays(pick="planned,person"))
    refused = begin(use, PICK, SkillContext(by="octo"))
    assert refused.code is Code.UNKNOWN_ACTION and "planned" in refused.message and "person" in refused.message


def by_person(acts, driven=lambda stamp: False):
    """The robot asks a person, who commands what `acts` gives at a time [s]."""
    use, robot = Equipment(ROBOT, scene(), ways=SkillWays(pick="person")), StretchOfPaper()
    asked = []

    def advance(dt):
        use.scene.driven = driven(robot.stamp)
        asked.append((use.scene.phase, use.scene.by_person))
        for command in acts(robot.stamp):
            robot.act(command)
        robot.advance(dt)
    return run(begin(use, PICK), robot, advance, timeout=200), robot, asked


def jogs(stamp):
    """Goes to the mug, closes the hand, lifts."""
    done = jogs.done
    for at, command in ((5.0, Command(None, JointTrajectory((Waypoint(2.0, AT_MUG),)), GripperCommand(0.1))),
                        (10.0, Command(None, None, GripperCommand(-0.03))),
                        (15.0, Command(None, JointTrajectory((Waypoint(2.0, {**AT_MUG, "joint_lift": 0.75}),))))):
        if stamp >= at and at not in done:
            done.add(at)
            yield command


def test_a_person_at_the_controls_takes_it_and_that_is_felt():
    jogs.done = set()
    result, robot, asked = by_person(jogs, driven=lambda stamp: 4.0 < stamp < 30.0)
    assert result.code is Code.SUCCEEDED and result.by == "person" and robot.holds
    assert robot.stamp > 30.0, "the arm was drawn in while the person had the controls"
    assert any("asked to pick the red mug" in phase and by_person for phase, by_person in asked)


def test_where_no_person_comes_that_is_an_outcome():
    result, robot, _ = by_person(lambda stamp: ())
    assert (result.code, result.by) == (Code.TIMED_OUT, "person")
    assert not any(command.joints for command in robot.commands)


@pytest.mark.parametrize("wrong", ["", "learned", "policy:", "planned,planned", "policy:http://localhost:1", "policy:ws://localhost",
                                   "planned,policy:ws://localhost:1?dialect=pickle"])
def test_a_way_that_there_is_not_is_refused_by_name(wrong):
    from dadu.core.config import parse

    with pytest.raises(ConfigError, match="valid"):
        parse(SkillWays, {"pick": wrong}, "settings")


