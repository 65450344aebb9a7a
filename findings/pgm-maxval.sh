#!/bin/sh
# opencv-python-headless 5.0.0.93, pillow 13.0.0, imageio 2.38.1, numpy 2.4.6, Python 3.11.
#
# A PGM says which value is white: a map of 0 to 100 (the values of an occupancy grid), a depth picture of 12 bits. Pillow and imageio scale to 255 or 65535. OpenCV leaves the values as they are, except for those of 8 bits
# that are written as text (P2), which it scales: one map, saved binary or as text, has other values. Nav2's thresholds divide by 255: in the binary map, read by OpenCV, white is 0.39 instead of 1, and all that is free is occupied.
# And convert("L") of Pillow, which brings any picture to 8 bits, cuts one of 16 bits off at 255 instead of scaling it: whatever is not black is white, so unknown space and grey walls become free.
#
# Guess before: all scale. Seen for 0, 25, 50, 100 of at most 100 (text, binary) and 0, 1000, 2000, 4000 of at most 4000 (16 bits):
#              P2, 100           P5, 100           P2, 4000                P5, 4000
#   Pillow     0 64 128 255      0 64 128 255      0 16384 32768 65535     0 16384 32768 65535
#   imageio    as Pillow
#   OpenCV     0 63 127 255      0 25 50 100       0 1000 2000 4000        0 1000 2000 4000
#   Pillow, convert("L"): 0 64 128 255 and 0 255 255 255
# What it means: DaDu scales pictures of 16 bits itself before it compares with a map's thresholds (dadu/world/occupancy.py).
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 opencv-python-headless==5.0.0.93 pillow==13.0.0 imageio==2.38.1
v/bin/python - <<'PY'
import cv2
import imageio.v3
import numpy as np
from PIL import Image

SCALED, CUT = {100: [0, 64, 128, 255], 4000: [0, 16384, 32768, 65535]}, {100: [0, 64, 128, 255], 4000: [0, 255, 255, 255]}
for white, kind in ((100, "u1"), (4000, ">u2")):
    values = [0, white // 4, white // 2, white]
    for magic, body in (("P2", (" ".join(map(str, values)) + "\n").encode()), ("P5", np.array(values, kind).tobytes())):
        with open("map.pgm", "wb") as file:
            file.write(f"{magic}\n4 1\n{white}\n".encode() + body)
        pillow, eight, other, opencv = (
            np.asarray(picture).ravel().tolist()
            for picture in (Image.open("map.pgm"), Image.open("map.pgm").convert("L"), imageio.v3.imread("map.pgm"), cv2.imread("map.pgm", cv2.IMREAD_UNCHANGED)))
        print(magic, white, "Pillow", pillow, "as 8 bits", eight, "imageio", other, "OpenCV", opencv)
        assert pillow == other == SCALED[white] and eight == CUT[white]
        assert opencv == ([0, 63, 127, 255] if (magic, white) == ("P2", 100) else values)
PY
