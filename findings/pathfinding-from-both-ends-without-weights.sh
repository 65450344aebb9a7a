#!/bin/sh
# pathfinding 1.0.23, Python 3.11.
#
# A grid of weights, as a robot's costmap is one, and finders with one interface. AStarFinder and DijkstraFinder find the cheapest path. BiAStarFinder, which searches from both ends, finds the one of the fewest steps and heeds no weight: it ends as soon as
# the two searches touch, and goes through a strip of weight 50 where a way round costs 20. A weight of 0, a wall, it does not cross. Where all weights are equal its paths are as short as the others' (with diagonals nearly always).
#
# Guess before: the cost of Dijkstra's path, from all three. Seen (without diagonals):
#   past a strip of weight 50 that ends 5 cells on           A*, Dijkstra 20 in 20 steps;  BiA* 57 in 8 steps, through the strip
#   200 random grids of 12 by 12 cells, weights 1, 5, 20     A* = Dijkstra in all;         BiA* dearer in all, 2.5 times on average, at most 5.8; always in the fewest steps, 22
#   the same with equal weights                              equal in all
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q pathfinding==1.0.23
v/bin/python - <<'PY'
import random

from pathfinding.core.diagonal_movement import DiagonalMovement
from pathfinding.core.grid import Grid
from pathfinding.finder.a_star import AStarFinder
from pathfinding.finder.bi_a_star import BiAStarFinder
from pathfinding.finder.dijkstra import DijkstraFinder

FINDERS = (DijkstraFinder, AStarFinder, BiAStarFinder)


def found(finder, weights, start, goal):
    """Cost (the weights of the cells that are entered), steps, and the cells."""
    grid = Grid(matrix=weights)
    nodes, _ = finder(diagonal_movement=DiagonalMovement.never).find_path(grid.node(*start), grid.node(*goal), grid)
    cells = [(node.x, node.y) for node in nodes]
    assert cells[0] == start and cells[-1] == goal
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in zip(cells, cells[1:]))
    return sum(weights[y][x] for x, y in cells[1:]), len(cells) - 1, cells


strip = [[50 if x == 4 and y < 6 else 1 for x in range(9)] for y in range(7)]
for finder in FINDERS:
    cost, steps, cells = found(finder, strip, (0, 0), (8, 0))
    print(finder.__name__, "cost", cost, "in", steps, "steps, through the strip:", (4, 0) in cells)
    assert (cost, steps) == ((57, 8) if finder is BiAStarFinder else (20, 20))

draw = random.Random(0)
ratios = []
for _ in range(200):
    weights = [[draw.choice((1, 5, 20)) for _ in range(12)] for _ in range(12)]
    best, direct, both = (found(finder, weights, (0, 0), (11, 11)) for finder in FINDERS)
    assert direct[0] == best[0] and both[1] == 22
    ratios.append(both[0] / best[0])
print("BiAStarFinder against Dijkstra, 200 grids: dearer in", sum(ratio > 1 for ratio in ratios), "on average", round(sum(ratios) / 200, 2), "at most", round(max(ratios), 2))
assert min(ratios) > 1 and 2 < sum(ratios) / 200 < 3 and max(ratios) > 5

for _ in range(200):
    weights = [[1 if draw.random() > 0.2 else 0 for _ in range(12)] for _ in range(12)]
    weights[0] = [1] * 12
    for row in weights:
        row[11] = 1
    assert len({found(finder, weights, (0, 0), (11, 11))[0] for finder in FINDERS}) == 1
print("equal in 200 grids of equal weights")
print("as stated")
PY
