"""Remembers the newest simulated time beyond a crash, for a few microseconds a step."""

from __future__ import annotations

import os
import struct
from pathlib import Path


class ClockFile:
    """Eight bytes on disk; the system keeps them when the process is killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)

    def read(self) -> float:
        """The last time written [s]; 0 for a new file."""
        data = os.pread(self._file, 8, 0)
        return struct.unpack("<d", data)[0] if len(data) == 8 else 0.0

    def write(self, now: float) -> None:
        """[s]"""
        os.pwrite(self._file, struct.pack("<d", now), 0)

    def close(self) -> None:
        """Keeps the file."""
        os.close(self._file)
