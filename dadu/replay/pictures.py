"""A recording's pictures, each with its depth, its camera and where that was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.robot import CameraFrame
from dadu.incoming.camera import CameraModel, camera_model, rgbd
from dadu.perception.frame_assembler import FrameAssembler
from dadu.replay import messages
from dadu.replay.bag import Message
from dadu.replay.transforms import ROLES as TF
from dadu.replay.transforms import Frames

KINDS = ("color", "depth")


class RecordedPictures:
    """Give it the messages of `roles` in their order, and take what has become complete."""

    def __init__(self, kinds: Sequence[str] = KINDS, poses: Mapping[int, np.ndarray] | None = None) -> None:
        """`kinds`: of pictures that belong together, instances too. `poses`: T_map_camera (4, 4) by stamp,
        microseconds, of pictures that need no tf for that."""
        self.roles = (*TF, "camera_info", *kinds)
        self.transforms = Frames()
        self.lossy = False
        """True if colours were recorded with loss, as JPEG does"""
        self._poses = poses or {}
        self._pictures = FrameAssembler(kinds, self._camera)
        self._model: CameraModel | None = None
        self._unusable: Counter[str] = Counter()

    def add(self, message: Message) -> None:
        if message.role in TF:
            self.transforms.take(message)
        elif message.role == "camera_info":
            try:
                self._model = camera_model(message.data)
            except NotUsable as why:
                self.leave_out(why)
        else:
            header = message.data.header
            if message.role == "color":
                self.lossy = "jp" in getattr(message.data, "format", "")
            self._pictures.add(message.role, messages.seconds(header.stamp), header.frame_id, message.data)

    def frames(self) -> Iterator[CameraFrame]:
        """Pictures that have become complete."""
        if self._model is None:
            return
        for stamp, taken, pose in self._pictures.take():
            try:
                yield rgbd(stamp, taken["color"], taken["depth"], self._model, None, pose, taken.get("instances"))
            except NotUsable as why:
                self.leave_out(why)

    def leave_out(self, why: NotUsable) -> None:
        """Counts one that is of no use."""
        self._unusable[str(why)] += 1

    @property
    def lacking(self) -> str:
        """What kept pictures from being seen; empty where nothing did."""
        pictures, left_out = self._pictures, "".join(f", {n} left out: {why}" for why, n in self._unusable.items())
        if not (pictures.unplaced or pictures.incomplete or left_out):
            return ""
        return f"{pictures.incomplete} pictures incomplete, {pictures.unplaced} without transform{left_out}"

    def _camera(self, frame: str, stamp: float) -> np.ndarray:
        known = self._poses.get(microseconds(stamp))
        return known if known is not None else self.transforms.camera(frame, stamp)


def microseconds(stamp: float) -> int:
    """A stamp [s] by which messages of one picture are found again."""
    return round(stamp * 1e6)
