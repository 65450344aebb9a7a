"""What this robot's frames are called: here as its description has them, outside with ``frame_prefix`` before each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from rclpy.node import Node

PARAMETER = "frame_prefix"
"""of every node, as of robot_state_publisher"""
Message = TypeVar("Message")


@dataclass(frozen=True)
class FrameNames:
    """Robots that share ``/tf`` have frames of their own: what is ``base_link`` here is ``robot1_base_link`` there."""

    prefix: str = ""

    @classmethod
    def from_node(cls, node: Node) -> FrameNames:
        """As the node's parameter has it."""
        if not node.has_parameter(PARAMETER):
            node.declare_parameter(PARAMETER, "")
        return cls(str(node.get_parameter(PARAMETER).value))

    def outside(self, frame: str) -> str:
        """The name of a frame of ours for others."""
        return self.prefix + frame

    def here(self, frame: str) -> str:
        """Another's name for a frame as our own, where it is ours; the others begin with a slash, as none of ours."""
        frame = frame.removeprefix("/")
        if not self.prefix or not frame:
            return frame
        return frame.removeprefix(self.prefix) if frame.startswith(self.prefix) else f"/{frame}"

    def sent(self, message: Message) -> Message:
        """The message, now with others' names of the frames in its header, or in those of its parts."""
        if self.prefix:
            self._rename(message)
        return message

    def _rename(self, message: Any) -> None:
        for part in (*getattr(message, "transforms", ()), *getattr(message, "markers", ())):
            self._rename(part)
        if hasattr(message, "child_frame_id"):
            message.child_frame_id = self.outside(message.child_frame_id)
        if hasattr(message, "header") and message.header.frame_id:
            message.header.frame_id = self.outside(message.header.frame_id)
