"""The plane's stand-in robot behind a driver's topics."""

import numpy as np
from dadu_nodes.support import qos
from dadu_nodes.support.convert import sensors
from dadu_nodes.support.convert.geometry import tf
from geometry_msgs.msg import TransformStamped
from geometry_msgs.msg import Twist as TwistMsg
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan as LaserScanMsg
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.robot import Command, Twist


class Driver:
    """In wall time; odom starts at zero."""

    def __init__(self, graph, robot):
        self.graph, self.robot, self.start = graph, robot, robot.pose
        node = graph.node
        self.tf = node.create_publisher(TFMessage, "/tf", qos.TF)
        self.static = node.create_publisher(TFMessage, "/tf_static", qos.TF_STATIC)
        self.joints = node.create_publisher(JointState, "/joint_states", qos.SENSOR)
        self.scans = node.create_publisher(LaserScanMsg, "/scan", qos.SENSOR)
        node.create_subscription(
            TwistMsg, "/cmd_vel_nav", lambda m: robot.act(Command(base=Twist(m.linear.x, m.angular.z))), qos.COMMAND)
        self.static.publish(TFMessage(transforms=[self._frame("base_link", "laser", np.eye(4))]))
        node.create_timer(0.05, self._tick)

    def _header(self, frame=""):
        return Header(stamp=self.graph.node.get_clock().now().to_msg(), frame_id=frame)

    def _frame(self, parent, child, T):
        return TransformStamped(header=self._header(parent), child_frame_id=child, transform=tf(T))

    def _tick(self):
        self.robot.advance(0.05)
        odom = self.start.inverse() * self.robot.pose
        self.tf.publish(TFMessage(transforms=[self._frame("odom", "base_link", odom.matrix())]))
        names = list(self.robot.joints)
        positions = [float(self.robot.joints[n]) for n in names]
        self.joints.publish(JointState(header=self._header(), name=names, position=positions))
        self.scans.publish(sensors.scan_message(self.robot.scan(), self._header("laser"), 0.05))
