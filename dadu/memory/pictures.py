"""A small picture of each thing, as it was seen best: files beside memory's own, for people to look at."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Collection
from pathlib import Path

MOST, BYTES = 300, 4 << 20
"""pictures kept, and bytes in all; beyond that the oldest go"""
MEMORY = "memory.sqlite"
"""what memory's file is called in a run's folder, unless another one is named"""
_NAME = re.compile(r"[A-Za-z0-9_]{1,80}")
"""ids that a file may be called by: an operator's may be anything"""
_log = logging.getLogger(__name__)


def folder_beside(memory: Path) -> Path:
    """Where the pictures of the memory in a file are."""
    return memory.with_suffix(".pictures")


def picture_of(folder: Path, id: str) -> bytes:
    """JPEG; empty where there is none."""
    path = folder / f"{id}.jpg"
    return path.read_bytes() if _NAME.fullmatch(id) and path.is_file() else b""


class KeptPictures:
    """Of one memory."""

    def __init__(self, folder: Path) -> None:
        """The folder is made with the first picture."""
        self._folder = folder
        files = sorted(folder.glob("*.jpg"), key=lambda file: file.stat().st_mtime) if folder.is_dir() else []
        self._sizes = {file.stem: file.stat().st_size for file in files}
        """bytes by id, the oldest first"""

    def put(self, id: str, jpeg: bytes) -> None:
        """In place of an older one. Where it cannot be written there is none, and the log says so."""
        if not _NAME.fullmatch(id) or len(jpeg) > BYTES:
            return
        part = self._folder / f"{id}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(jpeg)
            os.replace(part, self._folder / f"{id}.jpg")
        except OSError as error:
            _log.warning(f"picture of {id} cannot be kept: {error}")
            return
        self._sizes.pop(id, None)
        self._sizes[id] = len(jpeg)
        while len(self._sizes) > MOST or sum(self._sizes.values()) > BYTES:
            self._drop(next(iter(self._sizes)))

    def keep(self, *known: Collection[str]) -> None:
        """Drops those of things that are in none of these."""
        for id in [id for id in self._sizes if not any(id in ids for ids in known)]:
            self._drop(id)

    def _drop(self, id: str) -> None:
        del self._sizes[id]
        try:
            (self._folder / f"{id}.jpg").unlink(missing_ok=True)
        except OSError as error:
            _log.warning(f"picture of {id} cannot be removed: {error}")
