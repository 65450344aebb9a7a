"""A UR3 on its base, of flesh and blood as far as ROS can tell: ``python ur3_body.py HOUSE``."""

import sys

import embodied
from geometry_msgs.msg import Twist as TwistMsg
from joint_motors import JointMotors
from stand_in_controllers import CLOSED, ControllerStack

from dadu.core.robot import Command, GripperCommand, Twist

OPEN = 0.14
"""[m], a 2F-140's gap"""
OFF_PATH = 0.2
"""[rad], as ur_controllers.yaml has it, from which on a joint is off its path and the goal ends"""
AGILITY = 5.0
"""a UR follows its set-points closer than skills ask it to"""


class EmbodiedControllers(ControllerStack):
    """The stand-in over a body with weight, in a world; the base's driver and the sensors beside it."""

    def __init__(self, node, simulation):
        robot = simulation.description
        self._motors = simulation.robot.joints = JointMotors(robot, AGILITY)
        self.stepped = self._sought = None
        self.body = embodied.Body(node, simulation, "/mobile_base/odom", {})
        self.laser = embodied.Laser(node, robot.laser_link, ("/scan",))
        self.camera = embodied.Camera(node, robot.camera_link, "/camera/camera")
        node.create_subscription(TwistMsg, "/mobile_base/cmd_vel", self._drive, 1)
        super().__init__(node, start={name: robot.home[name] for name in robot.arm_joints})
        self._target = self.finger = CLOSED  # nobody has moved them yet

    @property
    def refused(self):
        return self.refusals

    def _drive(self, message):
        if self.body.engine is not None:
            self.body.act(Command(base=Twist(message.linear.x, message.angular.z)))

    def _step(self):
        self.stepped = self._now()
        state = self.body.state
        if state is None:
            return
        self.arm, self.finger = dict(state.joints), CLOSED * (1.0 - state.gripper.aperture / OPEN)
        super()._step()
        self.body.report()

    def _go(self, positions):
        for name, goal in positions.items():
            self._motors.go(name, goal)
        if any(abs(goal - self.arm[name]) > OFF_PATH for name, goal in positions.items()):
            self._motors.stop()
            self._finish("path tolerance")

    def _hold(self):
        self._motors.stop()

    def _turn_fingers(self, dt):
        if self._target != self._sought:
            self._sought = self._target
            self.body.act(Command(gripper=GripperCommand(OPEN * max(0.0, 1.0 - self._target / CLOSED))))


if __name__ == "__main__":
    embodied.run("ur3", sys.argv[1], "controller_adapter", EmbodiedControllers)
