#!/bin/sh
# pyoctomap 1.2.2, octomap-python 1.10.0.0, numpy 2.4.6, Python 3.11.
#
# extractPointCloud() gives the centres of the occupied and of the free voxels. Both packages bind the same library and build the same tree, and their iterators over leaves give the same coordinates.
# What pyoctomap extracts is shifted by half a voxel along x, y and z for voxels of the finest size, and not shifted for those that were merged into larger ones. So one cloud has both: a wall that
# is partly merged comes out torn.
#
# Guess before: the same points. Seen, resolution 0.1, one point at 0.32 0.51 0.72; a wall 2.02 m away seen from the origin; a solid block of eight by eight by eight voxels from 0 to 0.8:
#                    one point         wall's x   wall's z         block, least and largest coordinate
#   octomap-python   0.35 0.55 0.75    2.05       -0.45 to 0.45    0.05 0.75
#   pyoctomap        0.4  0.6  0.8     2.1        -0.4  to 0.5     0.05 0.75
#   leaf iterators   0.35 0.55 0.75 in both
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 pyoctomap==1.2.2 octomap-python==1.10.0.0
v/bin/python - <<'PY'
import numpy as np
import octomap
import pyoctomap

POINT = np.array([0.32, 0.51, 0.72])
y, z = (values.ravel() for values in np.meshgrid(np.arange(-1, 1, 0.03), np.arange(-0.5, 0.5, 0.03)))
WALL = np.column_stack([np.full(y.size, 2.02), y, z])
BLOCK = np.stack(np.meshgrid(*[np.arange(0.05, 0.8, 0.1)] * 3), -1).reshape(-1, 3)
for package, shift in ((octomap, 0.0), (pyoctomap, 0.05)):
    tree = package.OcTree(0.1)
    tree.updateNode(POINT, True)
    point = tree.extractPointCloud()[0][0]
    leaf = np.array([leaf.getCoordinate() for leaf in tree.begin_leafs()])[0]
    tree = package.OcTree(0.1)
    tree.insertPointCloud(WALL, np.zeros(3))
    wall = np.asarray(tree.extractPointCloud()[0])
    tree = package.OcTree(0.1)
    for voxel in BLOCK:
        for _ in range(6):  # certain, so that neighbours are merged
            tree.updateNode(voxel, True)
    block = np.asarray(tree.extractPointCloud()[0])
    print(f"{package.__name__:10} {point.round(3)} wall x {np.unique(wall[:, 0].round(3))} z {wall[:, 2].min():.3f} to {wall[:, 2].max():.3f} block {block.min():.3f} {block.max():.3f} leaf {leaf.round(3)}")
    assert np.allclose(leaf, (0.35, 0.55, 0.75))
    assert np.allclose(point, leaf + shift)
    assert np.allclose((wall[:, 0].max(), wall[:, 2].min(), wall[:, 2].max()), np.array((2.05, -0.45, 0.45)) + shift)
    assert np.allclose((block.min(), block.max()), (0.05, 0.75))
PY
