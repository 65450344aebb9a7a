#!/bin/sh
# pyrobosim 5.0.1 (without its web interface), pillow 13.0.0, numpy 2.4.6, Python 3.11.
#
# OccupancyGrid reads and writes maps of ROS, a picture and a YAML file with `negate`, `occupied_thresh` and `free_thresh`. Reading knows three values of a pixel, 0, 205 and 254, those that map_saver writes; any other is kept as the number that it is,
# and what is asked for occupied is whether the number is 1. So in a map that was drawn, scanned or saved in scale mode, walls of the values 2 to 89 are free to drive through; `negate` is not heeded; and where the map is saved again, all
# those values count as more than the threshold: free floor that a drawing program had painted white, 255, becomes wall.
#
# Guess before: the thresholds of the file, as map_server has them. Seen (occupied 0.65, free 0.25; occupancy is (255 - pixel) / 255, with negate pixel / 255):
#   pixel                       0      1     30     80    100    205    230    254    255
#   by the file's thresholds    wall   wall  wall   wall  -      free   free   free   free
#   is_occupied                 yes    yes   no     no    no     no     no     no     no
#   saved again                 0      0     0      0     0      205    0      254    0
#   with negate: 1, by the file free   free  free   -     -      wall   wall   wall   wall      (is_occupied and what is saved: as above)
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 transforms3d==0.4.2 shapely==2.2.0 trimesh==5.2.0 pycollada==0.9.3 PyYAML==6.0.4 pillow==13.0.0 astar==0.99 plotly==6.9.0 typing_extensions==4.16.0
v/bin/pip install -q --no-deps pyrobosim==5.0.1
v/bin/python - <<'PY'
import pathlib

import numpy as np
from PIL import Image
from pyrobosim.navigation.occupancy_grid import OccupancyGrid

OCCUPIED, FREE = 0.65, 0.25
pixels = [0, 1, 30, 80, 100, 205, 230, 254, 255]
here = pathlib.Path(".")


def kind(pixel, negate):
    """What map_server makes of a pixel in its default, trinary mode."""
    occupancy = (pixel if negate else 255 - pixel) / 255
    return "wall" if occupancy > OCCUPIED else "free" if occupancy < FREE else "-"


for negate in (0, 1):
    Image.fromarray(np.array([pixels], np.uint8)).save("map.pgm")
    pathlib.Path("map.yaml").write_text(f"image: map.pgm\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\nnegate: {negate}\noccupied_thresh: {OCCUPIED}\nfree_thresh: {FREE}\n")
    grid = OccupancyGrid.from_file(here, "map")
    occupied = [bool(grid.is_occupied((column, 0))) for column in range(len(pixels))]
    grid.save_to_file(here, "again")
    again = np.array(Image.open("again.pgm"))[0].tolist()
    print("negate", negate)
    for row in zip(pixels, (kind(pixel, negate) for pixel in pixels), occupied, again):
        print("  pixel {}: by the file {}, is_occupied {}, saved again {}".format(*row))
    assert occupied == [pixel in (0, 1) for pixel in pixels]
    assert again == [pixel if pixel in (205, 254) else 0 for pixel in pixels]
assert [kind(pixel, 0) for pixel in pixels] == ["wall"] * 4 + ["-"] + ["free"] * 4
assert [kind(pixel, 1) for pixel in pixels] == ["free"] * 3 + ["-"] * 2 + ["wall"] * 4
print("as stated")
PY
