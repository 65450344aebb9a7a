"""A Stretch of flesh and blood, as far as ROS can tell: ``python stretch_body.py HOUSE``."""

import math
import sys

import embodied
from joint_motors import JointMotors
from sensor_msgs.msg import BatteryState, JointState
from stand_in_stretch import FINGERS, INCREMENTS, StretchDriver
from std_msgs.msg import Header

from dadu.core.robot import Command, GripperCommand, Twist

LIFT_NEWTONS, GRIP_NEWTONS = 0.7, 0.5
"""[N] per percent, as the adapter has it before it is calibrated"""
LIFT_AT_REST = 20.0
"""[%] that the lift's motor needs to hold the arm's own weight"""
MAST = (1.75, 2.31)
"""[rad] where the laser sees the robot's own mast; laser_filters takes that out"""
BRAKING = 0.3
"""of the base's increments [m/s^2 or rad/s^2]"""


class EmbodiedDriver(StretchDriver):
    """The stand-in over a body with weight, in a world; joint_state_publisher and the sensors beside it."""

    def __init__(self, node, simulation):
        robot = simulation.description
        self._motor_drive = simulation.robot.joints = JointMotors(robot)
        self.stepped = self._at = None
        self.body = embodied.Body(node, simulation, "/odom", {"grasp_center": "link_grasp_center"})
        self.laser = embodied.Laser(node, robot.laser_link, ("/scan", "/scan_filtered"), MAST)
        self.camera = embodied.Camera(node, robot.camera_link, "/camera")
        self._battery = node.create_publisher(BatteryState, "/battery", embodied.DRIVER)
        self._merged = node.create_publisher(JointState, "/joint_states", embodied.DRIVER)
        super().__init__(node)
        self._sought = self._grip  # nobody has moved them yet

    @property
    def refused(self):
        return self.errors

    def _move(self, dt):
        self.stepped = self._now()
        if self.body.state is None:
            return
        for name, goal in self._motors.items():
            self._motor_drive.go(name, goal, self._speed[name])
        self.body.act(Command(base=self._wheels(dt), gripper=self._fingers()))
        self._feel(self.body.state)

    def _feel(self, state):
        gone = (self._at.inverse() * state.base) if self._at is not None else state.base.inverse() * state.base
        self._at, self.joints, self.aperture = state.base, dict(state.joints), state.gripper.aperture
        self._left = {name: _less(self._left[name], way) for name, way in zip(INCREMENTS, (gone.x, gone.yaw))}

    def _wheels(self, dt):
        """Increments come to rest where they are to end."""
        if self.mode == "navigation":
            return Twist(*self.velocity)
        speeds = []
        for name, left in self._left.items():
            top = min(self._speed.get(name, 0.2), math.sqrt(2 * BRAKING * abs(left)), abs(left) / dt)
            speeds.append(math.copysign(top, left) if abs(left) > 1e-4 else 0.0)
        return Twist(*speeds)

    def _fingers(self):
        """A command where the one before was another."""
        if self._grip == self._sought:
            return None
        self._sought = self._grip
        return GripperCommand(max(self._grip, 0.0))

    def _stop_motors(self):
        super()._stop_motors()
        self._motor_drive.stop()

    def _efforts(self, positions):
        state = self.body.state
        lift = LIFT_AT_REST + state.efforts["joint_lift"] / LIFT_NEWTONS
        squeeze = -state.gripper.effort / GRIP_NEWTONS
        return dict.fromkeys(positions, 5.0) | {"joint_lift": lift} | dict.fromkeys(FINGERS, squeeze)

    def _report(self, _):
        if self.body.state is None:
            return
        now = embodied.stamp(self.body.state.stamp)
        self._merged.publish(super()._report(now))
        self._battery.publish(BatteryState(header=Header(stamp=now), voltage=12.6, percentage=math.nan))
        self.body.report()


def _less(left, gone):
    """What is left of an increment after `gone` of it; nothing once it is through."""
    return left - gone if left * (left - gone) > 0 else 0.0


if __name__ == "__main__":
    embodied.run("stretch", sys.argv[1], "stretch_adapter", EmbodiedDriver)
