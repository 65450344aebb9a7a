#!/bin/sh
# cv-bridge 1.13.0.post0 (the package of that name on the package index, in pure Python), ros-sensor-msgs 5.3.6, opencv-python-headless 4.12.0.88, numpy 2.2.6, Python 3.11.
#
# The package is the usual way to cv_bridge where ROS's own is not installed. A depth picture is a picture of 16 bits, encoding 16UC1. The package takes 16UC1 to 16UC4 for 8 bits: what comes out has the right shape and half the picture, its low and
# high bytes side by side as pixels of their own. The same bytes called mono16, and signed or float pictures, come out right; writing is right too, so that there and back is another picture. A compressed depth picture (a PNG of 16 bits) is cut
# down to its high bytes: whatever is nearer than 256 mm is 0, all else has steps of 256 mm and is taken for millimetres. Neither is said.
#
# Guess before: as written; for the PNG, 16 bits kept, since passthrough is said to keep the format. Seen (2 x 3 pixels: 500 1000 1500, 2000 4000 65535):
#   16UC1                 244 1 232, 3 220 5              uint8
#   mono16                500 1000 1500, 2000 4000 65535  uint16
#   32FC1                 500 1000 1500, 2000 4000 65535  float32
#   PNG, passthrough      1 3 5, 7 15 255                 uint8
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.2.6 opencv-python-headless==4.12.0.88 ros-sensor-msgs==5.3.6 ros-builtin-interfaces==2.0.3 rpds-py==0.30.0 cv-bridge==1.13.0.post0
v/bin/python - <<'PY'
import cv2
import numpy as np
from cv_bridge import CvBridge
from sensor_msgs.msg import CompressedImage, Image

depth = np.array([[500, 1000, 1500], [2000, 4000, 65535]], np.uint16)
bridge = CvBridge()


def read(encoding, pixels):
    message = Image(height=2, width=3, encoding=encoding, step=3 * pixels.itemsize, data=pixels.tobytes())
    return bridge.imgmsg_to_cv2(message)


seen = {name: read(name, depth.astype(kind)) for name, kind in (("16UC1", "u2"), ("mono16", "u2"), ("32FC1", "f4"))}
png = CompressedImage(format="16UC1; png compressed ", data=cv2.imencode(".png", depth)[1].tobytes())
seen["PNG"] = bridge.compressed_imgmsg_to_cv2(png)
for name, picture in seen.items():
    print(name, picture.dtype, picture.tolist())
assert seen["16UC1"].dtype == np.uint8 and seen["16UC1"].tolist() == [[244, 1, 232], [3, 220, 5]]
assert seen["mono16"].tolist() == seen["32FC1"].tolist() == depth.tolist()
assert seen["PNG"].dtype == np.uint8 and seen["PNG"].tolist() == (depth >> 8).tolist()
written = bridge.cv2_to_imgmsg(depth)
print("written as", written.encoding, bytes(written.data) == depth.tobytes())
assert written.encoding == "16UC1" and bytes(written.data) == depth.tobytes() and written.step == 6
print("as stated")
PY
