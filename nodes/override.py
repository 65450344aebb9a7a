"""Node ``override``: /cmd_vel_nav, /cmd_vel_teleop, /e_stop -> /cmd_vel, /operator/state; service /body/claim.

In a namespace it obeys its own ``e_stop`` and the ``/e_stop`` outside of any, which stops all robots.
Teleop takes the base at once and gives it back after silence or on /operator/release. Velocities are Twist or
TwistStamped, whichever the others have. The emergency stop also cancels every goal of the
arm's and the gripper's driver, through the cancel service that any action server has. Nodes whose skills move the body
claim its parts here, so that no two command the same.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from action_msgs.srv import CancelGoal
from dadu_interfaces.msg import OperatorState
from dadu_interfaces.srv import ClaimBody
from dadu_nodes.support import qos
from dadu_nodes.support.incoming.twists import TwistPublisher, TwistSubscription
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import STEADY
from rclpy.callback_groups import ReentrantCallbackGroup
from std_msgs.msg import Bool, Empty

from dadu.bringup.naming import relative
from dadu.core.errors import ConfigError
from dadu.core.robot import Twist
from dadu.operator.arbiter import Arbiter, ArbiterSettings, Authority
from dadu.operator.body_lease import BodyLease, body_parts
from dadu.robots import load_robot
from dadu.skills.generator import TICK

_CANCEL_EVERY = 2
"""ticks between two rounds of cancelling while stopped: a skill that has not heard yet may send another goal"""


class OverrideSettings(ArbiterSettings):
    robot: str = "stretch"
    """whose top speeds hold: a name in config/robots/, or a file like those"""
    driver_actions: tuple[str, ...] = ("/arm_controller/follow_joint_trajectory", "/gripper_controller/gripper_cmd")
    """whose goals an emergency stop cancels"""
    stamped: bool = False
    """whether /cmd_vel is geometry_msgs/TwistStamped instead of Twist as long as nobody hears it"""


class OverrideNode(DaduNode[OverrideSettings]):
    """Forwards the velocity of whoever has the base."""

    live = tuple(ArbiterSettings.model_fields)

    def __init__(self) -> None:
        super().__init__("override", OverrideSettings)
        # On disk, because a stop that a restart of this node forgets is none.
        self._markers = {"e_stop": self.run_dir / "e_stop"}
        if self.get_namespace() != "/":
            self._markers["/e_stop"] = self.run_dir / "e_stop_of_all"
        self.arbiter = Arbiter(load_robot(self.settings.robot).max_speed, self.settings, stopped=self._any_pressed())
        self._base = TwistPublisher(self, "cmd_vel", self.settings.stamped)
        self._state = self.create_publisher(OperatorState, "operator/state", qos.LATCHED)
        self._cancels = [self.create_client(CancelGoal, f"{relative(name)}/_action/cancel_goal")
                         for name in self.settings.driver_actions]
        TwistSubscription(self, "cmd_vel_nav", self._on_autonomy)
        TwistSubscription(self, "cmd_vel_teleop", self._on_teleop)
        self.create_subscription(Empty, "operator/release", self._on_release, qos.STATE)
        for topic, marker in self._markers.items():
            self.create_subscription(Bool, topic, partial(self._on_stop, marker), qos.STATE)
        self.health.check(self._stopped, error=False)
        self._lease = BodyLease(time.monotonic())
        # In a group of its own: in that of the timers it would keep the one that it waits for from coming.
        self.create_service(ClaimBody, "body/claim", self._on_claim, callback_group=ReentrantCallbackGroup())
        self.sim_clock.at_work(False)  # it stamps, and works by the wall's
        self._ticks = 0
        self._published: Authority | None = None
        # Runs only while a person has the robot: autonomy needs no ticks.
        self._timer = self.create_timer(TICK, self._tick, clock=STEADY)
        self._report()

    def _take_settings(self, settings: OverrideSettings) -> None:
        super()._take_settings(settings)
        self.arbiter.settings = settings

    def _on_autonomy(self, twist: Twist) -> None:
        self._drive(self.arbiter.autonomy(twist))

    def _on_teleop(self, twist: Twist) -> None:
        self._drive(self.arbiter.teleop(twist, time.monotonic()))
        self._report()

    def _on_release(self, _: Empty) -> None:
        self.arbiter.release()
        self._report()

    def _any_pressed(self) -> bool:
        return any(marker.exists() for marker in self._markers.values())

    def _on_stop(self, marker: Path, message: Bool) -> None:
        """One button; the robot moves on once none is pressed."""
        if message.data:
            marker.touch()
        else:
            marker.unlink(missing_ok=True)
        self.arbiter.stop(self._any_pressed())
        self._ticks = 0
        self._tick()

    def _stopped(self) -> str:
        stopped = self.arbiter.state is Authority.STOPPED
        return f"{self.arbiter.reason}: nothing moves until it is released" if stopped else ""

    async def _on_claim(self, request: ClaimBody.Request, response: ClaimBody.Response) -> ClaimBody.Response:
        try:
            parts = body_parts(request.parts)
        except ConfigError as error:
            response.message = str(error)
            return response
        if parts and not request.renew and (wait := self._lease.settles_in(time.monotonic())) > 0.0:
            await sleep(self, wait)
        response.message = self._lease.claim(request.owner, parts, request.purpose, time.monotonic(), request.renew)
        response.granted = not response.message
        return response

    def _tick(self) -> None:
        self._drive(self.arbiter.tick(time.monotonic()))
        self._report()
        if self.arbiter.state is Authority.STOPPED and self._ticks % _CANCEL_EVERY == 0:
            self._cancel_all()
        self._ticks += 1

    def _drive(self, command: Twist | None) -> None:
        if command is not None:
            self._base.publish(command)

    def _cancel_all(self) -> None:
        for client in self._cancels:
            if client.service_is_ready():
                client.call_async(CancelGoal.Request())  # zero id and stamp: all goals
            else:
                self.get_logger().warning(f"{client.srv_name}: no driver answers", throttle_duration_sec=5.0)

    def _report(self) -> None:
        if self.arbiter.state is self._published:
            return
        self._published = self.arbiter.state
        if self.arbiter.state is Authority.AUTONOMY:
            self._timer.cancel()
        else:
            self._timer.reset()
        message = OperatorState(state=int(self.arbiter.state), reason=self.arbiter.reason)
        message.header.stamp = self.get_clock().now().to_msg()
        self._state.publish(message)
        self.get_logger().info(f"{self.arbiter.state.name.lower()}: {self.arbiter.reason}")


def main() -> None:
    run(OverrideNode)
