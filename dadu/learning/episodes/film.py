"""Pictures as an MP4 of which every frame can be had quickly."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np

from dadu.core.errors import MissingExtra

_KEY = "2"
"""every so-manieth frame is whole, as LeRobot has it: who trains reads frames in any order"""


class Film:
    """H.264 at a constant rate; a context manager. The file is whole once it is left."""

    def __init__(self, path: Path, fps: int) -> None:
        """Errors: MissingExtra."""
        try:
            import av
        except ModuleNotFoundError:
            raise MissingExtra("films need av: pip install -e '.[episodes]'") from None
        self._frame = av.VideoFrame.from_ndarray
        self._container = av.open(str(path), "w")
        self._stream = self._container.add_stream("libx264", rate=fps)
        self._stream.pix_fmt = "yuv420p"
        self._stream.options = {"preset": "veryfast", "crf": "23", "g": _KEY, "bf": "0"}
        self.frames = 0

    def __enter__(self) -> Film:
        return self

    def add(self, picture: np.ndarray) -> None:
        """uint8 (H, W, 3), all of one size, even in both directions."""
        if not self.frames:
            self._stream.height, self._stream.width = picture.shape[:2]
        self._container.mux(self._stream.encode(self._frame(picture, format="rgb24")))
        self.frames += 1

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None and self.frames:
            self._container.mux(self._stream.encode())
        self._container.close()
