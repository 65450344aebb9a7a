"""What an operator does by the page beside giving tasks: drives, and corrects what memory holds."""

from __future__ import annotations

import time
from collections.abc import Callable

from dadu_interfaces.srv import EditMemory
from dadu_nodes.support import qos
from dadu_nodes.support.incoming.twists import TwistPublisher
from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import Empty

from dadu.core.robot import Twist
from dadu.operator.console.orders import Correction, DriveRequest
from dadu.world.graph import WorldGraph

_FRESH = 0.4
"""[s, wall] in which a wish to drive must reach the node's thread: an old one is not carried out late"""


class OperatorActions:
    """Used by the node's own thread."""

    def __init__(self, node: Node, speed: Twist, tell: Callable[[str, bool], None]) -> None:
        """`speed`: vx [m/s] and wz [rad/s] of a whole share. `tell` gets what became of a correction."""
        self.speed, self._tell = speed, tell
        self._base = TwistPublisher(node, "cmd_vel_teleop")
        self._released = node.create_publisher(Empty, "operator/release", qos.STATE)
        self._edit = node.create_client(EditMemory, "memory/edit")

    def drive(self, wanted: DriveRequest, asked: float) -> None:
        """`asked`: when [s, monotonic]. The override node stops the base where no more comes."""
        if time.monotonic() - asked < _FRESH:
            self._base.publish(Twist(vx=self.speed.vx * wanted.forward, wz=self.speed.wz * wanted.turn))

    def release(self) -> None:
        """Gives the base back to autonomy."""
        self._released.publish(Empty())

    def correct(self, correction: Correction, graph: WorldGraph) -> None:
        """Asks memory to take it in."""
        if not self._edit.service_is_ready():
            self._tell("Memory does not answer; nothing was changed.", False)
            return
        request = EditMemory.Request(edit=correction.edit(graph))
        self._edit.call_async(request).add_done_callback(self._corrected)

    def _corrected(self, future: Future) -> None:
        answer = future.result()
        self._tell(f"Memory {answer.message}." if answer.accepted else f"Memory refuses: {answer.message}",
                   answer.accepted)
