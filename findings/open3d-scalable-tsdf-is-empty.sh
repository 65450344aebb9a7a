#!/bin/sh
# open3d 0.20.0, numpy 2.4.6, Python 3.11, Linux x86-64.
#
# A wall 2 m in front of a depth camera, integrated into `ScalableTSDFVolume`, the volume of the tutorials on RGB-D integration: without an error or a warning the volume stays empty, whatever voxel length, unit
# resolution, sampling stride, truncation, colours, or number of pictures. `UniformTSDFVolume`, given the same picture, intrinsics and extrinsics, holds the wall, and so does the newer `t.geometry.VoxelBlockGrid`.
#
# Guess before: the same surface from all three. Seen (vertices of the mesh): UniformTSDFVolume 8374, VoxelBlockGrid 8480, ScalableTSDFVolume 0 in all 36 settings.
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 open3d==0.20.0
v/bin/python - <<'PY'
from itertools import product

import numpy as np
import open3d as o3d

fusion, tensor = o3d.pipelines.integration, o3d.core.Tensor
depth, color = np.full((120, 160), 2, np.float32), np.full((120, 160, 3), 100, np.uint8)
camera, there = o3d.camera.PinholeCameraIntrinsic(160, 120, 150.0, 150.0, 80.0, 60.0), np.eye(4)
picture = o3d.geometry.RGBDImage.create_from_color_and_depth(
    o3d.geometry.Image(color), o3d.geometry.Image(depth), depth_scale=1.0, depth_trunc=4.0, convert_rgb_to_intensity=False)

uniform = fusion.UniformTSDFVolume(4.0, 200, 0.08, fusion.TSDFVolumeColorType.RGB8, np.array([-2.0, -2.0, 0.0]))
uniform.integrate(picture, camera, there)

real = o3d.core.float32
grid = o3d.t.geometry.VoxelBlockGrid(("tsdf", "weight", "color"), (real,) * 3, ((1,), (1,), (3,)), 0.02, 16, 1000)
images = o3d.t.geometry.Image(depth[..., None]), o3d.t.geometry.Image(color.astype(np.float32) / 255)
how = tensor(np.array(camera.intrinsic_matrix)), tensor(there), 1.0, 4.0, 4.0
grid.integrate(grid.compute_unique_block_coordinates(images[0], *how), *images, *how)

scalable = []
for voxel, resolution, stride, pictures in product((0.01, 0.02, 0.05), (8, 16, 32), (1, 4), (1, 5)):
    volume = fusion.ScalableTSDFVolume(voxel, 4 * voxel, fusion.TSDFVolumeColorType.RGB8, resolution, stride)
    for _ in range(pictures):
        volume.integrate(picture, camera, there)
    scalable.append(len(volume.extract_triangle_mesh().vertices))
found = len(uniform.extract_triangle_mesh().vertices), len(grid.extract_triangle_mesh(weight_threshold=0.0).to_legacy().vertices)
print("uniform, block grid:", found, "scalable:", scalable)
assert min(found) > 8000 and len(scalable) == 36 and set(scalable) == {0}
PY
