"""The camera's picture and what was detected in it, for the operator's page."""

from __future__ import annotations

import base64

import numpy as np

from dadu.core.errors import NotUsable
from dadu.operator.console.state import BoxView, SightView
from dadu.operator.run.pictures import encode_jpeg
from dadu.perception.upright import turned, turned_box
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import UNIDENTIFIED, Entity, Kind, WorldGraph
from dadu.world.looks import looks

_WIDTH = 560
"""[px] of the picture that is sent"""
_BOXES = 60
_JPEG = b"\xff\xd8\xff"
"""how each begins"""
_SAME = 0.25
"""[m]: how far what is seen may lie from where memory has it, or from its edge, to be called the same on the page"""


def sight_view(stamp: float, rgb: np.ndarray, turns: int, seen: DetectionFrame | None, graph: WorldGraph) -> SightView:
    """`rgb`: uint8 (H, W, 3), to be turned upright by so many quarters; `seen`: what was detected in it, if known."""
    jpeg = encode_jpeg(turned(rgb, turns, width=_WIDTH), quality=80)
    boxes = [] if seen is None else [_box(d, turns, rgb.shape[:2], graph) for d in seen.detections[:_BOXES]]
    return SightView(stamp=stamp, picture=_url(jpeg), boxes=boxes, detector=seen.detector if seen is not None else "")


def outside_view(stamp: float, jpeg: bytes) -> SightView:
    """The robot from outside, as the simulator drew it. Errors: NotUsable for what is no JPEG."""
    if not jpeg.startswith(_JPEG):
        raise NotUsable("what came as a JPEG is none")
    return SightView(stamp=stamp, picture=_url(jpeg), boxes=[], detector="")


def _url(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()


def _box(found: Detection, turns: int, shape: tuple[int, ...], graph: WorldGraph) -> BoxView:
    height, width = shape[:2]
    (x, y, w, h), (across, down) = turned_box(found.box, (width, height), turns)
    label, score = found.label, float(found.score)
    if found.unknown > score:
        label, score = looks(found.attributes.get("color", ""), found.size.tolist()), found.unknown
    near = [(_distance(found, e), e.id) for e in (*graph.of(Kind.OBJECT), *graph.of(Kind.FURNITURE))
            if e.category == (UNIDENTIFIED if found.unknown > found.score else found.label)]
    distance, id = min(near, default=(np.inf, ""))
    return BoxView(label=label, score=round(score, 2), x=x / across, y=y / down,
                   width=w / across, height=h / down, id=id if distance < _SAME else "")


def _distance(found: Detection, known: Entity) -> float:
    """[m] between where they are; of furniture, which is seen in parts, from the circle around its footprint."""
    if known.kind is Kind.OBJECT:
        return float(np.linalg.norm(np.subtract(known.position, found.centroid)))
    return float(np.linalg.norm(np.subtract(known.position, found.centroid)[:2]) - np.hypot(*known.size[:2]) / 2)
