#!/bin/sh
# pypcd4 1.5.1, pcd-py 0.2.0 (to read the file with another library), numpy 2.4.6, Python 3.11.
#
# Most PCD files keep a point's colour as the bits of a float named rgb; taken as a number such a float is below 1e-38. Saved as text, pypcd4 writes every float with ten places after the point: all colours become
# 0.0000000000, black, for every reader, without a word. Binary and compressed files keep them, as does a field of whole numbers. Anything else below 1e-10 goes the same way, and the colours of a file that it has read and saves as text.
#
# Guess before: text keeps what binary keeps. Seen, a red and a blue-green point, 255 0 0 and 0 128 64:
#                        pypcd4                     pcd-py
#   ASCII                0 0 0, 0 0 0               0 0 0, 0 0 0
#   BINARY               255 0 0, 0 128 64          255 0 0, 0 128 64
#   BINARY_COMPRESSED    255 0 0, 0 128 64          255 0 0, 0 128 64
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pypcd4==1.5.1 pcd-py==0.2.0
v/bin/python - <<'PY'
import numpy as np
import pcd_py
from pypcd4 import Encoding, PointCloud

COLOURS = np.array(((255, 0, 0), (0, 128, 64)), np.uint8)
cloud = PointCloud.from_xyzrgb_points(np.c_[np.array(((1, 2, 3), (4, 5, 6)), np.float32), PointCloud.encode_rgb(COLOURS)])
for encoding in (Encoding.ASCII, Encoding.BINARY, Encoding.BINARY_COMPRESSED):
    cloud.save("cloud.pcd", encoding=encoding)
    read = PointCloud.from_path("cloud.pcd")
    own = PointCloud.decode_rgb(read.pc_data["rgb"]).tolist()
    other = pcd_py.read_pcd("cloud.pcd")[1]["rgb"].view(np.uint32).astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tolist()
    print(encoding.name, "pypcd4", own, "pcd-py", other)
    assert own == other == (np.zeros_like(COLOURS) if encoding == Encoding.ASCII else COLOURS).tolist()
    assert read.numpy()[:, :3].tolist() == [[1, 2, 3], [4, 5, 6]]
PY
