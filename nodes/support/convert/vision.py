"""Detections in the types of the package vision_msgs, which other tools know, where it is installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import point, vector
from geometry_msgs.msg import Pose, PoseWithCovariance
from std_msgs.msg import Header

from dadu.world.detection import Detection, DetectionFrame


def installed() -> Any | None:
    """The module of the messages; None where there is none."""
    try:
        return import_module("vision_msgs.msg")
    except ImportError:
        return None


def detections_3d(frame: DetectionFrame, types: Any) -> Any:
    """A Detection3DArray of the module `types`: the box of what was seen of each thing, along the axes of map [m], and
    what it may be, likeliest first, with scores."""
    header = Header(stamp=stamp(frame.stamp), frame_id="map")  # one for all, so that a prefix of frames reaches all
    return types.Detection3DArray(header=header, detections=[_detection(d, header, types) for d in frame.detections])


def _detection(seen: Detection, header: Header, types: Any) -> Any:
    centre = Pose(position=point(seen.centroid))
    names = ((seen.label, seen.score), *seen.others)
    return types.Detection3D(
        header=header, bbox=types.BoundingBox3D(center=centre, size=vector(seen.size)),
        results=[types.ObjectHypothesisWithPose(
            hypothesis=types.ObjectHypothesis(class_id=name, score=float(score)), pose=PoseWithCovariance(pose=centre))
            for name, score in names])
