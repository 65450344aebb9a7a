"""Detections between the library and dadu_interfaces."""

from __future__ import annotations

import numpy as np
from dadu_interfaces import msg
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.convert.geometry import matrix, point, pose, vector, xyz
from sensor_msgs.msg import RegionOfInterest
from std_msgs.msg import Header

from dadu.perception.detection import Detection, DetectionFrame


def frame_message(frame: DetectionFrame) -> msg.DetectionArray:
    return msg.DetectionArray(
        header=Header(stamp=stamp(frame.stamp), frame_id="map"), camera=pose(frame.T_map_camera),
        k=frame.K.reshape(9).astype(float), width=frame.width, height=frame.height,
        depth=frame.depth.astype(np.float32).ravel(), depth_width=frame.depth.shape[1], detector=frame.detector,
        detections=[_detection_message(d) for d in frame.detections],
    )


def frame(message: msg.DetectionArray) -> DetectionFrame:
    return DetectionFrame(
        stamp=seconds(message.header.stamp), T_map_camera=matrix(message.camera),
        K=np.array(message.k, float).reshape(3, 3), width=message.width, height=message.height,
        depth=np.array(message.depth, np.float32).reshape(-1, max(1, message.depth_width)),
        detections=tuple(_detection(d) for d in message.detections), detector=message.detector,
    )


def _detection_message(d: Detection) -> msg.Detection:
    x, y, width, height = d.box
    return msg.Detection(
        label=d.label, score=float(d.score),
        box=RegionOfInterest(x_offset=int(x), y_offset=int(y), width=int(width), height=int(height)),
        pixels=int(d.pixels), centroid=point(d.centroid), size=vector(d.size),
        points=np.asarray(d.points, np.float32).ravel(),
        attribute_names=list(d.attributes), attribute_values=list(d.attributes.values()),
        embedding=[] if d.embedding is None else np.asarray(d.embedding, np.float32).ravel(),
        instance=d.instance, truncated=bool(d.truncated),
    )


def _detection(m: msg.Detection) -> Detection:
    return Detection(
        label=m.label, score=m.score, box=(m.box.x_offset, m.box.y_offset, m.box.width, m.box.height),
        pixels=m.pixels, points=np.array(m.points, np.float32).reshape(-1, 3), centroid=np.array(xyz(m.centroid)),
        size=np.array(xyz(m.size)), attributes=dict(zip(m.attribute_names, m.attribute_values)),
        embedding=np.array(m.embedding, np.float32) if len(m.embedding) else None, instance=m.instance,
        truncated=m.truncated,
    )
