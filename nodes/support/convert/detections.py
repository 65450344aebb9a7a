"""Detections between the library and dadu_interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from dadu_interfaces import msg
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import point, pose, vector
from sensor_msgs.msg import RegionOfInterest
from std_msgs.msg import Header

from dadu.replay.messages import detections as frame
from dadu.world.detection import Detection, DetectionFrame, as_text
from dadu.world.exemplar import Exemplar

__all__ = ["examples", "examples_message", "frame", "frame_message"]


def frame_message(frame: DetectionFrame) -> msg.DetectionArray:
    return msg.DetectionArray(
        header=Header(stamp=stamp(frame.stamp), frame_id="map"), camera=pose(frame.T_map_camera),
        k=frame.K.reshape(9).astype(float), width=frame.width, height=frame.height,
        depth=frame.depth.astype(np.float32).ravel(), depth_width=frame.depth.shape[1], detector=frame.detector,
        detections=[_detection_message(d) for d in frame.detections],
    )


def examples_message(shown: Iterable[Exemplar]) -> msg.DetectionArray:
    """Of each its category and how it looks, and nothing else."""
    return msg.DetectionArray(detections=[
        msg.Detection(label=example.category, embedding=np.asarray(example.look, np.float32)) for example in shown])


def examples(message: msg.DetectionArray) -> Sequence[Exemplar]:
    """What `examples_message` made, those without a look left out."""
    return [Exemplar(one.label, look / np.linalg.norm(look)) for one, look in
            ((one, np.array(one.embedding, np.float32)) for one in message.detections)
            if len(look) and 0 < np.linalg.norm(look) < np.inf]


def _detection_message(d: Detection) -> msg.Detection:
    (x, y, width, height), said = d.box, as_text(d)
    return msg.Detection(
        label=d.label, score=float(d.score),
        box=RegionOfInterest(x_offset=int(x), y_offset=int(y), width=int(width), height=int(height)),
        pixels=int(d.pixels), centroid=point(d.centroid), size=vector(d.size),
        points=np.asarray(d.points, np.float32).ravel(),
        attribute_names=list(said), attribute_values=list(said.values()),
        embedding=[] if d.embedding is None else np.asarray(d.embedding, np.float32).ravel(),
        instance=d.instance, truncated=bool(d.truncated),
        other_labels=[label for label, _ in d.others], other_scores=[float(score) for _, score in d.others],
    )
