"""The adapter over a strict stand-in for ur_robot_driver's and Robotiq's controllers: they refuse nothing that reaches
them, and what they do not do is said."""

from types import SimpleNamespace

import pytest
from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.controller_adapter import ControllerAdapter
from dadu_nodes.drivers.controller_client import GripperController
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.convert.encode import encode
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import JointState
from stand_in_controllers import CLOSED, ControllerStack
from std_msgs.msg import Bool

from dadu.core.robot import JointTrajectory
from dadu.robots import load_robot
from dadu.sim.mujoco.robot.driver_goals import Ended

ABORTED, SUCCESSFUL = FollowJointTrajectory.Result.GOAL_TOLERANCE_VIOLATED, FollowJointTrajectory.Result.SUCCESSFUL
STOW = load_robot("ur3").stow


@pytest.fixture(scope="module")
def rig(shared_graph, tmp_path_factory):
    """The adapter, the controllers and a user of both in one process."""
    graph = shared_graph
    graph.stop = graph.node.create_publisher(Bool, "/e_stop", qos.STATE)
    graph.arm = ActionClient(graph.node, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory")
    graph.gripper = ActionClient(graph.node, GripperCommand, "/gripper_controller/gripper_cmd")
    graph.joints = graph.collect(JointState, "/controller_adapter/joint_states", qos.SENSOR)
    graph.health = graph.collect(DiagnosticArray, "/diagnostics", 10)
    graph.stack = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DADU_RUN_DIR", str(tmp_path_factory.mktemp("run")))
        adapter = ControllerAdapter()
    graph.executor.add_node(adapter)
    graph.adapter = adapter
    yield graph
    graph.executor.remove_node(adapter)
    adapter.destroy_node()


def start(rig, **arguments):
    """Controllers of a robot that stands as it does for driving, in the place of the last ones."""
    if rig.stack is not None:
        rig.stack.destroy()
    rig.stack = ControllerStack(rig.node, start=STOW, **arguments)
    rig.stop.publish(Bool(data=False))
    rig.joints.clear()
    rig.until(lambda: rig.joints and rig.arm.server_is_ready() and rig.stop.get_subscription_count())
    rig.until(lambda: not rig.adapter._problem() and not rig.adapter._gripper.problem())
    return rig.stack


@pytest.fixture
def stack(rig):
    return start(rig)


def send(rig, client, goal):
    """The future of the goal's result."""
    accepted = client.send_goal_async(goal)
    rig.until(accepted.done)
    assert accepted.result().accepted
    return accepted.result().get_result_async()


def refused(rig, client, goal):
    accepted = client.send_goal_async(goal)
    rig.until(accepted.done)
    return not accepted.result().accepted


def arm_goal(positions, seconds):
    return FollowJointTrajectory.Goal(trajectory=encode.trajectory(JointTrajectory.single_goal(positions, seconds)))


def grip(rig, gap):
    goal = GripperCommand.Goal()
    goal.command.position = gap
    done = send(rig, rig.gripper, goal)
    rig.until(done.done)
    return done.result().result


def felt(rig):
    """Gap [m] and closing force [N] as our nodes read them."""
    rig.joints.clear()
    newest = rig.until(lambda: rig.joints)[-1]
    at = newest.name.index("gripper_aperture")
    return newest.position[at], newest.effort[at]


def complaint(rig):
    rig.health.clear()
    status = rig.until(lambda: next((s for m in rig.health for s in m.status if s.name == "controller_adapter"), None))
    return status.message if status.level == DiagnosticStatus.ERROR else ""


def test_a_goal_for_some_joints_names_all_of_them_and_several_publishers_are_one_message(rig, stack):
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.5))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL and stack.refusals == []
    # It is told where the joints are near enough; the controller ends its own goal a little later.
    rig.until(lambda: stack.arm == pytest.approx({**STOW, "wrist_3_joint": 2.9}, abs=1e-3))
    assert {*STOW, "finger_joint", "gripper_aperture"} <= set(rig.joints[-1].name)


def test_the_gripper_is_told_an_angle_and_felt_though_it_reports_no_force(rig, stack):
    stack.thing = CLOSED / 2
    result = grip(rig, -0.03)
    assert result.stalled and result.position == pytest.approx(0.07, abs=0.002), "not where the fingers began"
    gap, force = felt(rig)
    assert gap == pytest.approx(0.07, abs=0.002) and force == 20.0
    stack.thing = CLOSED
    rig.until(lambda: felt(rig)[0] < 0.005)  # what slips out is noticed
    assert grip(rig, 0.1).reached_goal and felt(rig) == pytest.approx((0.1, 0.0), abs=0.003)
    assert stack.refusals == []


def test_an_emergency_stop_ends_the_arm_s_goal_and_keeps_the_grip(rig, stack):
    stack.thing = CLOSED / 2
    grip(rig, 0.0)
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 1.0}, 4.0))
    rig.until(lambda: stack.arm["wrist_3_joint"] < 3.0)
    rig.stop.publish(Bool(data=True))
    rig.until(done.done)
    here = stack.arm["wrist_3_joint"]
    rig.spin(0.3)
    assert stack.arm["wrist_3_joint"] == pytest.approx(here, abs=0.02)
    assert stack._target > stack.finger + 0.1, "the gripper's goal was not cancelled: that would loosen it"
    assert refused(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.5))


def test_a_protective_stop_is_said_and_ended_by_the_pendant(rig, stack):
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 1.0}, 4.0))
    rig.until(lambda: stack.arm["wrist_3_joint"] < 3.1)
    stack.program(False)
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED
    assert refused(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.5))
    rig.until(lambda: "pendant" in complaint(rig))
    stack.program(True)
    rig.until(lambda: not complaint(rig))
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.5))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL and stack.refusals == []


def test_a_goal_that_somebody_else_cancels_was_not_reached(rig, stack):
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 1.0}, 6.0))
    rig.until(lambda: stack.arm["wrist_3_joint"] < 3.1)
    rig.ask(CancelGoal, "/scaled_joint_trajectory_controller/follow_joint_trajectory/_action/cancel_goal")
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and stack.arm["wrist_3_joint"] > 1.1
    assert done.result().result.error_string == "the controller broke the goal off: cancelled"


@pytest.mark.parametrize(("code", "said"), [(-4, "path tolerance violated"), (0, "somebody"), (-10000, "code -10000")])
def test_a_controller_without_words_is_quoted_by_its_code(code, said):
    response = SimpleNamespace(status=GoalStatus.STATUS_ABORTED, result=FollowJointTrajectory.Result(error_code=code))
    moving = SimpleNamespace(pursuit=SimpleNamespace(problem=lambda now: "", outcome=lambda: response))
    verdict = ControllerAdapter._arm_verdict(SimpleNamespace(now=lambda: 0.0, _problem=lambda: ""), moving)
    assert verdict.ended is not Ended.REACHED and said in verdict.message


def test_the_speed_slider_makes_a_goal_late_and_one_at_nought_ends_it(rig, stack):
    stack.speed = 30.0
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 3.0}, 0.5))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL and abs(stack.arm["wrist_3_joint"] - 3.0) < 0.03
    stack.speed = 0.0
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.2))
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and "0 %" in done.result().result.error_string


def test_a_driver_that_falls_silent_ends_its_goal(rig, stack):
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 1.0}, 6.0))
    stack.reports = False
    rig.until(done.done)
    assert done.result().result.error_code == ABORTED and "old" in done.result().result.error_string


def test_newer_distributions_other_gripper_controllers_and_prefixed_joints(rig):
    rig.adapter._board._prefix = "left_"
    rig.adapter._names = rig.adapter._names.model_copy(update={"prefix": "left_"})
    rig.adapter._gripper = GripperController(rig.adapter, ["old_controller"], "finger_joint")
    stack = start(rig, arm="joint_trajectory_controller", hand=("old_controller", GripperCommand), prefix="left_")
    done = send(rig, rig.arm, arm_goal({"wrist_3_joint": 2.9}, 0.3))
    rig.until(done.done)
    assert done.result().result.error_code == SUCCESSFUL
    assert grip(rig, 0.05).reached_goal and stack.refusals == []
