"""Pictures with depth as point clouds."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.clock import stamp
from sensor_msgs.msg import PointCloud2, PointField
from std_msgs.msg import Header

from dadu.core.robot import CameraFrame

_STEP = 4
"""pixels between two points: 19,200 of a 640x480 picture"""
_FAR = 8.0
"""[m]: depth beyond it is not trusted"""


def cloud_message(frame: CameraFrame) -> PointCloud2:
    """What the camera sees, thinned, in map: x, y, z [m] and colour."""
    depth = frame.depth[::_STEP, ::_STEP]
    seen = np.isfinite(depth) & (depth > 0) & (depth < _FAR)
    v, u = np.nonzero(seen)
    z = depth[seen].astype(float)
    x = (u * _STEP - frame.K[0, 2]) * z / frame.K[0, 0]
    y = (v * _STEP - frame.K[1, 2]) * z / frame.K[1, 1]
    points = np.stack([x, y, z], axis=1) @ frame.T_map_camera[:3, :3].T + frame.T_map_camera[:3, 3]
    rgb = frame.rgb[::_STEP, ::_STEP][seen].astype(np.uint32)
    table = np.empty((len(points), 4), np.float32)
    table[:, :3] = points
    table[:, 3] = (rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]).view(np.float32)  # as PCL and RViz pack it
    fields = [PointField(name=name, offset=4 * i, datatype=PointField.FLOAT32, count=1)
              for i, name in enumerate(("x", "y", "z", "rgb"))]
    cloud = PointCloud2(header=Header(stamp=stamp(frame.stamp), frame_id="map"), height=1, width=len(points),
                        fields=fields, is_bigendian=False, point_step=16, row_step=16 * len(points), is_dense=True)
    cloud.data = table.tobytes()
    return cloud
