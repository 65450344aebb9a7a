"""The skill server over a stand-in robot: success, cancel, a newer goal, an operator, a driver that goes silent."""

import time

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Time
from dadu_interfaces.action import Pick
from dadu_interfaces.msg import OperatorState, WorldGraph
from dadu_interfaces.srv import ClaimBody
from dadu_nodes.support import qos, sim_clock, skill_server
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.sim_clock import SimClock
from dadu_nodes.support.skill_server import SkillServer
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation, Twist
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world import graph as world

GRAPH = world.WorldGraph([world.Entity("robot", world.Kind.AGENT, "robot")])


class StandIn:
    """A driver that always answers, unless silenced."""

    def __init__(self):
        self.commands, self.quiet, self.heard = [], 0.0, True

    def ready(self):
        return self.heard

    def silence(self):
        return self.quiet

    def silent(self):
        return f"silent for {self.quiet:.0f} s"

    def doubts(self):
        return ""

    def undriven(self):
        return ""

    def observe(self):
        return Observation(time.monotonic(), Pose2(0, 0, 0))

    def act(self, command):
        self.commands.append(command)


def skill_of(scene):
    def skill(goal):
        """Ends at once where the object is called `quick`; never otherwise."""
        scene.phase = "approach"
        observation = yield Command()
        if goal.object == "nobody's":
            return SkillResult(Code.UNKNOWN_TARGET, "not known")
        if goal.object == "by hand":
            scene.by_person = True
            while scene.driven or scene.phase != "driven":
                scene.phase = "driven" if scene.driven else scene.phase
                yield Command()
            return SkillResult(Code.SUCCEEDED, "a person did it")
        while goal.object != "quick":
            yield Command(base=Twist(vx=0.1 / observation.joints["arm"] if goal.object == "broken" else 0.1))
        yield Command()
        return SkillResult(Code.SUCCEEDED, "got it", target=goal.object)
    return skill


@pytest.fixture
def rig(graph, tmp_path, monkeypatch):
    monkeypatch.setenv("DADU_RUN_DIR", str(tmp_path))
    node = DaduNode("server", Settings)
    graph.robot, graph.listener, graph.deadline = StandIn(), SceneListener(node), 60.0
    graph.server = server = SkillServer(node, graph.robot, graph.listener)
    server.serve(Pick, "/pick", skill_of(graph.listener.scene), lambda r: Pick.Result(outcome=encode.result(r)),
                 feedback=lambda phase: Pick.Feedback(phase=phase), deadline=lambda: graph.deadline)
    graph.executor.add_node(node)
    graph.operator = graph.node.create_publisher(OperatorState, "/operator/state", qos.LATCHED)
    graph.client = ActionClient(graph.node, Pick, "/pick")
    graph.phases = []
    graph.until(graph.client.server_is_ready)
    yield graph
    node.destroy_node()


def send(rig, name):
    future = rig.client.send_goal_async(Pick.Goal(object=name),
                                        feedback_callback=lambda m: rig.phases.append(m.feedback.phase))
    rig.until(future.done)
    return future.result()


def end(rig, handle):
    future = handle.get_result_async()
    rig.until(future.done)
    return future.result().status, future.result().result.outcome


def test_success_with_feedback(rig):
    status, result = end(rig, send(rig, "quick"))
    assert (status, result.code, result.target) == (GoalStatus.STATUS_SUCCEEDED, Code.SUCCEEDED, "quick")
    rig.until(lambda: rig.phases == ["approach"])
    assert rig.robot.commands[-1] == Command.stop()


def test_a_goal_that_is_not_possible_leaves_the_one_in_progress_alone(rig):
    going = send(rig, "slow")
    rig.until(lambda: len(rig.robot.commands) > 3)
    for impossible, code in (("nobody's", Code.UNKNOWN_TARGET), ("broken", Code.EXECUTION_FAILED)):
        assert end(rig, send(rig, impossible))[1].code == code
        before = len(rig.robot.commands)
        rig.until(lambda: len(rig.robot.commands) > before + 3)  # noqa: B023
        assert rig.robot.commands[-1] == Command(base=Twist(vx=0.1)), impossible
    assert end(rig, send(rig, "quick"))[1].code == Code.SUCCEEDED
    assert end(rig, going)[1].code == Code.CANCELLED


def test_an_error_of_ours_and_a_clock_that_goes_back_end_a_skill_with_an_outcome(rig, monkeypatch):
    going = send(rig, "slow")
    rig.until(lambda: len(rig.robot.commands) > 3)
    monkeypatch.setattr(rig.robot, "observe", lambda: 1 / 0)
    assert end(rig, going)[1].code == Code.EXECUTION_FAILED and rig.robot.commands[-1] == Command.stop()
    assert "ZeroDivisionError" in rig.server.node.intake.trouble()
    monkeypatch.undo()
    going = send(rig, "slow")
    rig.until(lambda: rig.robot.commands[-1] != Command.stop())
    monkeypatch.setattr(rig.robot, "observe", lambda: Observation(0.0, Pose2(0, 0, 0)))
    result = end(rig, going)[1]
    assert result.code == Code.UNREACHABLE_BACKEND and "went back" in result.message


def test_cancel_leaves_the_robot_safe(rig):
    handle = send(rig, "slow")
    rig.until(lambda: len(rig.robot.commands) > 3)
    handle.cancel_goal_async()
    status, result = end(rig, handle)
    assert (status, result.code) == (GoalStatus.STATUS_CANCELED, Code.CANCELLED)
    assert rig.robot.commands[-1] == Command.stop()


def test_a_goal_is_stamped_by_the_time_that_it_is(graph, tmp_path, monkeypatch):
    """Not by an idle node's clock, which trails: who cancels what was there before would mean it, too."""
    monkeypatch.setenv("DADU_RUN_DIR", str(tmp_path))
    monkeypatch.setattr(sim_clock, "AGAIN", 5.0)
    node = DaduNode("server", Settings)
    node.set_parameters([Parameter("use_sim_time", value=True)])
    node.sim_clock = SimClock(node)
    listener = SceneListener(node)
    SkillServer(node, StandIn(), listener).serve(Pick, "/pick", skill_of(listener.scene),
                                                 lambda r: Pick.Result(outcome=encode.result(r)))
    graph.executor.add_node(node)
    clock, graph.client = graph.node.create_publisher(Clock, "/clock", 1), ActionClient(graph.node, Pick, "/pick")
    graph.until(clock.get_subscription_count)
    graph.until(lambda: clock.publish(Clock(clock=Time(sec=1))) or node.get_clock().now().nanoseconds == 1_000_000_000)
    graph.until(graph.client.server_is_ready)
    clock.publish(Clock(clock=Time(sec=9)))
    graph.spin(0.2)
    assert send(graph, "quick").stamp.sec == 9
    node.destroy_node()


def test_the_deadline_of_the_moment_a_skill_begins_ends_it(rig):
    rig.deadline = 0.3
    assert end(rig, send(rig, "slow"))[1].code == Code.TIMED_OUT
    assert rig.robot.commands[-1] == Command.stop()


def test_a_newer_goal_replaces_the_old(rig):
    old = send(rig, "slow")
    rig.until(lambda: rig.robot.commands)
    new = send(rig, "quick")
    assert end(rig, old)[1].code == Code.CANCELLED
    assert end(rig, new)[1].code == Code.SUCCEEDED


def test_who_was_asked_to_do_it_may_take_the_controls(rig):
    handle = send(rig, "by hand")
    rig.until(lambda: rig.listener.scene.by_person)
    rig.operator.publish(OperatorState(state=OperatorState.TELEOP))
    rig.until(lambda: rig.listener.scene.phase == "driven")
    rig.operator.publish(OperatorState(state=OperatorState.AUTONOMY))
    status, result = end(rig, handle)
    assert (status, result.message) == (GoalStatus.STATUS_SUCCEEDED, "a person did it")


@pytest.mark.parametrize("state, code", [(OperatorState.TELEOP, Code.OPERATOR_OVERRIDE),
                                         (OperatorState.STOPPED, Code.SAFETY_STOP)])
def test_operator_ends_a_skill_and_refuses_the_next(rig, state, code):
    handle = send(rig, "slow")
    rig.until(lambda: rig.robot.commands)
    rig.operator.publish(OperatorState(state=state))
    assert end(rig, handle) [1].code == code
    assert end(rig, send(rig, "quick"))[1].code == code


def test_a_silent_driver_ends_the_skill(rig):
    handle = send(rig, "slow")
    rig.until(lambda: rig.robot.commands)
    rig.robot.quiet = 60.0
    assert end(rig, handle)[1].code == Code.UNREACHABLE_BACKEND


def test_who_comes_before_the_driver_was_heard_waits_a_little(rig, monkeypatch):
    rig.robot.heard = False
    handle = send(rig, "quick")
    rig.spin(0.3)
    rig.robot.heard = True
    assert end(rig, handle)[1].code == Code.SUCCEEDED
    rig.robot.heard = False
    monkeypatch.setattr(skill_server, "PATIENCE", 0.3)
    assert end(rig, send(rig, "quick"))[1].code == Code.UNREACHABLE_BACKEND


def test_who_needs_the_world_graph_waits_for_it_and_says_so_where_none_comes(rig, monkeypatch):
    """For minutes nothing had told a node of memory: nothing was known, it said each time."""
    monkeypatch.setattr(skill_server, "PATIENCE", 0.3)
    monkeypatch.setattr(rig.server, "_lacks", rig.listener.lacks_graph)
    refused = end(rig, send(rig, "quick"))[1]
    assert refused.code == Code.UNREACHABLE_BACKEND and "world graph" in refused.message
    monkeypatch.setattr(skill_server, "PATIENCE", 20.0)
    handle = send(rig, "quick")
    rig.spin(0.3)
    rig.node.create_publisher(WorldGraph, "/world_graph", qos.LATCHED).publish(encode.graph(GRAPH, 1, 0.0))
    assert end(rig, handle)[1].code == Code.SUCCEEDED


def test_a_goal_that_waits_for_the_driver_is_cancelled_at_once(rig, monkeypatch):
    monkeypatch.setattr(skill_server, "PATIENCE", 80.0)
    rig.robot.heard = False
    handle = send(rig, "quick")
    began = time.monotonic()
    handle.cancel_goal_async()
    status, result = end(rig, handle)
    assert (status, result.code) == (GoalStatus.STATUS_CANCELED, Code.CANCELLED)
    assert time.monotonic() - began < skill_server.PATIENCE / 2


def test_a_body_in_use_is_not_moved(rig):
    asked, answer = [], {"granted": True, "message": ""}

    def claim(request, response):
        asked.append((tuple(request.parts), request.renew))
        response.granted, response.message = answer["granted"], answer["message"]
        return response

    rig.node.create_service(ClaimBody, "/body/claim", claim)
    rig.until(lambda: end(rig, send(rig, "quick"))[1].code == Code.SUCCEEDED and asked)
    answer.update(granted=False, message="navigation has it")
    rig.robot.commands.clear()
    status, result = end(rig, send(rig, "slow"))
    assert (status, result.code, result.detail) == (GoalStatus.STATUS_ABORTED, Code.OPERATOR_OVERRIDE,
                                                    Detail.BODY_IN_USE)
    assert not rig.robot.commands

    answer.update(granted=True, message="")
    handle = send(rig, "slow")
    rig.until(lambda: rig.robot.commands and any(renew for _, renew in asked))
    answer.update(granted=False, message="taken away")
    assert end(rig, handle)[1].code == Code.OPERATOR_OVERRIDE
    assert rig.robot.commands[-1] == Command.stop()
    rig.until(lambda: asked[-1][0] == ())  # what was claimed is given back
