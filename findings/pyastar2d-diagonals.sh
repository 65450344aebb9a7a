#!/bin/sh
# pyastar2d 1.1.4, numpy 2.4.6, Python 3.11.
#
# With allow_diagonal=True a diagonal step costs as much as a straight one: the price is the weight of the cell that is entered, whatever the step's
# length. On a grid of equal weights, straight across 41 cells, the path bulges by 19 cells to the side although nothing is in the way. It has as few
# cells as the straight one, and is 39 % longer in metres. It also passes between two blocked cells that touch at a corner.
#
# Guess before: diagonals cost 1.41 times as much, and the path is straight. Seen:
#   41 cells, 38 of the steps diagonal, length 55.74 (straight: 40.00)
#   between two blocked corners: [[0, 0], [1, 1], [2, 2]]
# What it means: weigh lengths yourself. DaDu searches with and without diagonals and pulls both paths straight in the true metric (dadu/navigation/path_planner.py).
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pyastar2d==1.1.4
v/bin/python - <<'PY'
import numpy as np
import pyastar2d

path = pyastar2d.astar_path(np.ones((41, 41), np.float32), (20, 0), (20, 40), allow_diagonal=True)
lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
print(f"{len(path)} cells, {(lengths > 1).sum()} of the steps diagonal, length {lengths.sum():.2f} (straight: 40.00)")
weights = np.ones((3, 3), np.float32)
weights[0, 1] = weights[1, 0] = np.inf
corner = pyastar2d.astar_path(weights, (0, 0), (2, 2), allow_diagonal=True)
print("between two blocked corners:", corner.tolist())
assert len(path) == 41 and lengths.sum() > 50 and corner.tolist() == [[0, 0], [1, 1], [2, 2]]
PY
