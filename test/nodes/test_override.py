"""The override as a process: who moves the base, what an emergency stop does, and that it outlives a crash."""

import math
import time

import pytest
from action_msgs.srv import CancelGoal
from dadu_interfaces.msg import OperatorState
from dadu_interfaces.srv import ClaimBody
from dadu_nodes.override import OverrideNode
from dadu_nodes.support import qos
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped, Vector3
from std_msgs.msg import Bool, Empty

from dadu.operator import body_lease

CANCEL = ("/arm_controller/follow_joint_trajectory/_action/cancel_goal",
          "/gripper_controller/gripper_cmd/_action/cancel_goal")


def twist(vx):
    return Twist(linear=Vector3(x=vx))


@pytest.fixture
def rig(graph, start_node):
    """The node with everything around it connected."""
    graph.cancelled = []
    for name in CANCEL:
        graph.node.create_service(CancelGoal, name, lambda q, a, name=name: graph.cancelled.append((name, q)) or a)
    graph.nav = graph.node.create_publisher(Twist, "/cmd_vel_nav", qos.COMMAND)
    graph.teleop = graph.node.create_publisher(Twist, "/cmd_vel_teleop", qos.COMMAND)
    graph.stop = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    graph.release = graph.node.create_publisher(Empty, "/operator/release", qos.STATE)
    graph.base = graph.collect(Twist, "/cmd_vel", qos.COMMAND)
    graph.states = graph.collect(OperatorState, "/operator/state", qos.LATCHED)
    graph.process = start_node("override")
    publishers = (graph.nav, graph.teleop, graph.stop, graph.release)
    graph.until(lambda: graph.states and all(p.get_subscription_count() for p in publishers))
    graph.until(lambda: graph.base, every=lambda: graph.nav.publish(twist(0.01)))
    return graph


@pytest.mark.parametrize(("prefix", "frame"), [("", "base_link"), ("robot1_", "robot1_base_link")])
def test_a_base_that_wants_its_commands_stamped_gets_them_so(graph, start_node, prefix, frame):
    nav = graph.node.create_publisher(Twist, "/cmd_vel_nav", qos.COMMAND)
    stop = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    heard = graph.collect(TwistStamped, "/cmd_vel", qos.COMMAND)
    start_node("override", stamped="true", **({"frame_prefix": prefix} if prefix else {}))
    graph.until(lambda: heard and heard[-1].twist.linear.x == pytest.approx(0.1), every=lambda: nav.publish(twist(0.1)))
    header = heard[-1].header
    assert header.frame_id == frame and abs(header.stamp.sec - time.time()) < 60.0
    graph.until(lambda: heard[-1].twist == Twist(), every=lambda: stop.publish(Bool(data=True)))
    first = heard[-1].header.stamp
    graph.until(lambda: heard[-1].header.stamp != first)
    assert heard[-1].twist == Twist(), "an old stamp would be as no command to the controller"


def test_velocities_are_heard_and_given_in_the_type_that_the_others_have(graph, start_node):
    """As Nav2 from Kilted on sends them, with nothing set; and one that is no number is no command."""
    nav = graph.node.create_publisher(TwistStamped, "/cmd_vel_nav", qos.COMMAND)
    heard = graph.collect(TwistStamped, "/cmd_vel", qos.COMMAND)
    health = graph.collect(DiagnosticArray, "/diagnostics", 10)
    start_node("override")
    graph.until(lambda: heard and heard[-1].twist.linear.x == pytest.approx(0.1),
                every=lambda: nav.publish(TwistStamped(twist=twist(0.1))))
    heard.clear()
    graph.until(lambda: any("no" in s.message and "cmd_vel_nav" in s.message for m in health for s in m.status),
                every=lambda: nav.publish(TwistStamped(twist=twist(math.nan))))
    assert all(math.isfinite(m.twist.linear.x) for m in heard)
    graph.until(lambda: heard and heard[-1].twist.linear.x == pytest.approx(0.2),
                every=lambda: nav.publish(TwistStamped(twist=twist(0.2))))


def state(graph):
    return graph.states[-1].state if graph.states else None


def test_a_person_takes_the_base_and_gives_it_back(rig):
    rig.nav.publish(twist(0.1))
    rig.until(lambda: rig.base[-1].linear.x == pytest.approx(0.1))
    rig.teleop.publish(twist(-0.1))
    rig.until(lambda: state(rig) == OperatorState.TELEOP)
    rig.base.clear()
    rig.spin(0.4, every=lambda: rig.nav.publish(twist(0.2)))
    assert all(t.linear.x <= 0 for t in rig.base), "autonomy must not pass"
    rig.until(lambda: rig.base and rig.base[-1].linear.x == 0)
    rig.until(lambda: state(rig) == OperatorState.AUTONOMY)
    rig.teleop.publish(twist(0.1))
    rig.until(lambda: state(rig) == OperatorState.TELEOP)
    rig.release.publish(Empty())
    rig.until(lambda: state(rig) == OperatorState.AUTONOMY)
    assert rig.states[-1].reason == "released by the operator", "at once, not after a silence"
    rig.nav.publish(twist(9.0))
    rig.until(lambda: 0.1 < rig.base[-1].linear.x < 1)


def test_the_emergency_stop_latches_cancels_and_outlives_the_node(rig, start_node):
    rig.stop.publish(Bool(data=True))
    rig.until(lambda: state(rig) == OperatorState.STOPPED)
    rig.until(lambda: {name for name, _ in rig.cancelled} == set(CANCEL))
    request = rig.cancelled[0][1].goal_info
    assert not any(request.goal_id.uuid) and request.stamp.sec == 0, "zero id and stamp mean every goal"
    rig.base.clear()
    rig.spin(0.5, every=lambda: (rig.nav.publish(twist(0.2)), rig.teleop.publish(twist(0.2))))
    assert rig.base and all(t.linear.x == 0 for t in rig.base)
    rig.process.kill()
    rig.process.wait()
    rig.states.clear()
    start_node("override")
    rig.until(lambda: state(rig) == OperatorState.STOPPED)
    rig.until(lambda: rig.stop.get_subscription_count())
    rig.until(lambda: state(rig) == OperatorState.AUTONOMY, every=lambda: rig.stop.publish(Bool(data=False)))


def test_who_asks_for_the_body_just_after_a_start_waits_and_gets_it(graph, tmp_path, monkeypatch):
    monkeypatch.setenv("DADU_RUN_DIR", str(tmp_path))
    monkeypatch.setattr(body_lease, "GRACE", 4.0)
    node = OverrideNode()
    graph.executor.add_node(node)
    assert graph.ask(ClaimBody, "/body/claim", owner="navigation", parts=["base"], purpose="drive").granted
    node.destroy_node()


def test_one_owner_a_part_of_the_body(rig):
    def claim(owner, *parts, renew=False):
        return rig.ask(ClaimBody, "/body/claim", owner=owner, parts=parts, purpose="close", renew=renew)

    assert claim("grasp", "base", "arm", renew=True).granted
    refused = claim("navigation", "base")
    assert not refused.granted and refused.message
    assert not claim("navigation", "tail").granted
    assert claim("grasp").granted
    assert claim("navigation", "base").granted
