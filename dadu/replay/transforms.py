"""The recorded transforms, and the frames by which robots call their base and the world."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from dadu.core.errors import NotUsable, choices
from dadu.core.transforms import TransformError, TransformTree
from dadu.replay.bag import Message
from dadu.replay.messages import seconds

ROLES = ("tf", "tf_static")
_WORLDS = ("map", "odom", "world")
_BASES = ("base_link", "base_footprint", "base")


class Frames:
    """A transform tree fed from a bag. Where it has no frame ``map``, the next best one stands in for it."""

    def __init__(self, history: float = 60.0) -> None:
        self.tree = TransformTree(history)
        self._known: set[str] = set()
        self._left_out, self._why = 0, ""

    def take(self, message: Message) -> None:
        """One message of `ROLES`."""
        for t in message.data.transforms:
            parent, child = t.header.frame_id.lstrip("/"), t.child_frame_id.lstrip("/")
            self._known |= {parent, child}
            try:
                if message.role == "tf_static":
                    self.tree.set_static(parent, child, *_parts(t.transform))
                else:
                    self.tree.set(parent, child, *_parts(t.transform), seconds(t.header.stamp))
            except NotUsable as unusable:  # the others are as good as before
                self._left_out, self._why = self._left_out + 1, str(unusable)

    @property
    def notes(self) -> list[str]:
        """What was left out, in numbers."""
        return [f"{self._left_out} transforms left out, the last because {self._why}"] if self._left_out else []

    @property
    def world(self) -> str:
        """Errors: TransformError."""
        return self._first(_WORLDS)

    def camera(self, frame: str, stamp: float) -> np.ndarray:
        """T_map_camera (4, 4) of an optical frame. Errors: TransformError."""
        return self.tree.lookup(self.world, frame.lstrip("/"), stamp)

    def base(self, stamp: float | None = None) -> np.ndarray:
        """T_map_base (4, 4). Errors: TransformError."""
        return self.tree.lookup(self.world, self._first(_BASES), stamp)

    def link(self, name: str, stamp: float) -> np.ndarray | None:
        """T_map_link (4, 4), or None where the bag does not know the link."""
        return self.tree.lookup(self.world, name, stamp) if name in self._known else None

    def _first(self, names: Collection[str]) -> str:
        found = next((name for name in names if name in self._known), None)
        if found is None:
            raise TransformError(f"none of the frames {choices(names)} is in /tf; "
                                 f"there are: {choices(self._known, 40)}")
        return found


def _parts(transform: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    p, q = transform.translation, transform.rotation
    return (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)
