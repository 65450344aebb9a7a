"""Camera pictures of certain moments from a bag, turned upright whatever way the camera is mounted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.core.geometry import rotation
from dadu.incoming.pictures import color
from dadu.operator.bags.bag_reader import recorded
from dadu.operator.run.pictures import encode_jpeg
from dadu.perception.upright import quarter_turns, turned

COLOUR = "/camera/color/image_raw"
_COMPRESSED = f"{COLOUR}/compressed"
_DETECTIONS = "/perception/detections"


@dataclass(frozen=True)
class Snapshot:
    """One upright picture."""

    stamp: float
    """[s]"""
    jpeg: bytes
    width: int
    height: int


def snapshots(run_dir: Path, stamps: Sequence[float], width: int = 480) -> list[Snapshot | None]:
    """For each stamp [s] the last picture taken until then, at most `width` pixels wide; None before the first."""
    chosen: list[tuple[float, Any] | None] = [None] * len(stamps)
    turns: list[tuple[float, int]] = []
    for item in recorded(run_dir, (COLOUR, _COMPRESSED, _DETECTIONS)):
        stamp = item.message.header.stamp.sec + item.message.header.stamp.nanosec * 1e-9
        if item.topic == _DETECTIONS:
            q = item.message.camera.orientation
            turns.append((stamp, quarter_turns(rotation((q.x, q.y, q.z, q.w)))))
        else:
            for i, (until, earlier) in enumerate(zip(stamps, chosen)):
                if stamp <= until and (earlier is None or earlier[0] < stamp):
                    chosen[i] = (stamp, item.message)
    return [None if pick is None else _snapshot(pick[0], pick[1], _turns_at(pick[0], turns), width) for pick in chosen]


def _turns_at(stamp: float, turns: list[tuple[float, int]]) -> int:
    """Of the camera pose nearest in time: every picture that perception saw came with one."""
    return min(turns, key=lambda t: abs(t[0] - stamp))[1] if turns else 0


def _snapshot(stamp: float, message: Any, turns: int, width: int) -> Snapshot:
    pixels = turned(color(message), turns, width)
    return Snapshot(stamp, encode_jpeg(pixels), pixels.shape[1], pixels.shape[0])
