#!/bin/sh
# rosbags-image 0.10.4 with rosbags 0.11.9 and opencv-python-headless 4.12.0.88; ros2-numpy 0.0.5 with ros-sensor-msgs 5.3.6 and numpy 1.24.2; pointcloud2 0.6.0, Python 3.11.
#
# Rows of a ROS picture or of an organised cloud may be padded: `step` and `row_step` say how many bytes a row takes, and drivers that hand on what the camera or the GPU aligned to 4, 64 or 256 bytes fill them in. Two readers leave them out. In
# rosbags-image every row starts where the one before ended, so that the picture is sheared, with the padding as pixels in between; colours change places as well where the padding is no multiple of three. ros2-numpy makes points of the padding of
# a cloud and takes the points after it apart (if the bytes do not come out even, it raises); and it ignores is_bigendian, so that metres are 1e-41. (Its pictures refuse padding with an error.) No error comes of any of it. pointcloud2 has all of it right.
#
# Guess before: by step, row_step and is_bigendian in all. Seen:
#   rosbags-image, 2 rows of 3 pixels of 16 bits, 0 100 200, 300 400 500, 2 bytes of padding    0 100 200, 0 300 400
#   ros2-numpy, 2 x 2 points of 16 bytes, 1 2 3 to 10 11 12, 8 bytes of padding            5 points; 0 0 7 and 9 0 10 in place of 7 8 9
#   ros2-numpy, the same big-endian, without padding                                            all below 1e-40
#   pointcloud2, both                                                                           as written
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.2.6 opencv-python-headless==4.12.0.88 rosbags==0.11.9 rosbags-image==0.10.4 pointcloud2==0.6.0
v/bin/python - <<'PY'
import numpy as np
import pointcloud2
from rosbags.image import message_to_cvimage
from rosbags.typesys import Stores, get_typestore

types = get_typestore(Stores.ROS2_JAZZY).types
header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](0, 0), "camera")
pixels = np.arange(6, dtype="<u2").reshape(2, 3) * 100


def picture(padding):
    rows = np.pad(pixels.view(np.uint8), ((0, 0), (0, padding)))
    return message_to_cvimage(types["sensor_msgs/msg/Image"](header, 2, 3, "16UC1", 0, rows.shape[1], rows.ravel()))


print("rosbags-image", picture(0).tolist(), picture(2).tolist())
assert picture(0).tolist() == pixels.tolist()
assert picture(2).tolist() == [[0, 100, 200], [0, 300, 400]]

points = np.zeros((2, 2, 4), "<f4")  # x, y, z, and four bytes that no field names
points[..., :3] = np.arange(1, 13).reshape(2, 2, 3)
for order, padding in (("<", 0), ("<", 8), (">", 0)):
    rows = np.pad(points.reshape(2, 8).astype(order + "f4").view(np.uint8), ((0, 0), (0, padding)))
    fields = [pointcloud2.PointField(name, 4 * place, 7) for place, name in enumerate("xyz")]
    cloud = pointcloud2.PointCloud2(None, 2, 2, fields, order == ">", 16, rows.shape[1], rows.tobytes(), True)
    seen = pointcloud2.read_points(cloud, ["x", "y", "z"])
    assert [value for point in seen for value in point] == points[..., :3].ravel().tolist()
PY
python3 -m venv w && w/bin/pip install -q numpy==1.24.2 ros-sensor-msgs==5.3.6 ros-nav-msgs==5.3.6 ros-geometry-msgs==5.3.6 ros-builtin-interfaces==2.0.3 rpds-py==0.30.0 ros2-numpy==0.0.5
w/bin/python - <<'PY'
import numpy as np
import ros2_numpy
from sensor_msgs.msg import PointCloud2, PointField

points = np.zeros((2, 2, 4), "<f4")  # x, y, z, and four bytes that no field names
points[..., :3] = np.arange(1, 13).reshape(2, 2, 3)


def cloud(order, padding):
    rows = np.pad(points.reshape(2, 8).astype(order + "f4").view(np.uint8), ((0, 0), (0, padding)))
    fields = [PointField(name=name, offset=4 * place, datatype=7, count=1) for place, name in enumerate("xyz")]
    message = PointCloud2(height=2, width=2, fields=fields, is_bigendian=order == ">", point_step=16, row_step=rows.shape[1], data=rows.tobytes(), is_dense=True)
    return ros2_numpy.numpify(message)["xyz"]


plain, padded, big = cloud("<", 0), cloud("<", 8), cloud(">", 0)
print("ros2-numpy", plain.tolist(), padded.tolist(), big.tolist(), sep="\n")
assert plain.ravel().tolist() == points[..., :3].ravel().tolist()
assert not any(np.allclose(point, [7, 8, 9]) for point in padded)
assert np.abs(big).max() < 1e-40
print("as stated")
PY
