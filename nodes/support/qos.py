"""Quality of service, in one place. Reliable throughout: best effort lost 20 to 29 % of camera frames when measured."""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""the last message reaches late subscribers: map, world graph, operator state, camera info, robot description"""

STATE = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)
"""events and states of which none may be lost"""

TEAM = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
"""what several agents say, now and then many things at once"""

TEAM_WORLD = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""for who hears several agents, the last of each of which is `LATCHED`"""

CAMERA = QoSProfile(depth=8, history=HistoryPolicy.KEEP_LAST, reliability=ReliabilityPolicy.RELIABLE)
"""pictures: deep enough to ride out a stall of a second and a half at 5 Hz"""

SENSOR = QoSProfile(depth=5, history=HistoryPolicy.KEEP_LAST, reliability=ReliabilityPolicy.RELIABLE)
"""laser, joints, odometry"""

NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
"""what is taken only now and then, the last of it"""

COMMAND = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
"""velocities: only the newest counts"""

TF = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE)
TF_NEWEST = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)
SENSOR_NEWEST = QoSProfile(depth=5, history=HistoryPolicy.KEEP_LAST, reliability=ReliabilityPolicy.BEST_EFFORT)
"""for who asks for the newest now and then: confirming every message was a third of what an idle node cost"""
TF_STATIC = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
