#!/bin/sh
# open3d 0.20.0, numpy 2.4.6, Python 3.11, Linux x86-64 (with libusb-1.0 installed).
#
# Open3D renders depth of a known scene by RaycastingScene (create_rays_pinhole, cast_rays) and turns depth into points by create_from_depth_image; both take the camera's matrix. For the rays the middle of the first pixel is at 0.5, 0.5, for the
# points, and for project_to_depth_image, it is at 0, 0. So depth that was rendered with a matrix and taken back with the same one is off by half a pixel to the left and up: 1.7 mm at 2 m for 600 px, 17 mm for the 60 px of a small
# picture, the farther the more, as if the camera were turned. Who renders simulated depth, or compares a map with what the camera should see, calibrates that away or blames the extrinsics. Half a pixel more in the centre for the points mends it.
#
# Guess before: there and back is the identity. Seen (a box of 0.5 x 0.4 m in the middle of the view, 2 m ahead, f 60 px, centre 32, 24; mean of the points):
#   tensor and legacy create_from_depth_image     -0.0167 -0.0167 2.0      (half a pixel at 2 m: 0.0167)
#   with centre 31.5, 23.5                          0       0     2.0
#   a point at 0, 0, 2 projected                  pixel 32, 24; the ray of that pixel passes 0.0167 to the right and below
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 open3d==0.20.0
v/bin/python - <<'PY'
import numpy as np
import open3d as o3d

WIDTH, HEIGHT, FOCAL = 64, 48, 60.0


def camera(shift=0.0):
    return np.array([[FOCAL, 0, WIDTH / 2 - shift], [0, FOCAL, HEIGHT / 2 - shift], [0, 0, 1]])


box = o3d.t.geometry.TriangleMesh.from_legacy(o3d.geometry.TriangleMesh.create_box(0.5, 0.4, 0.3))
box.translate([-0.25, -0.2, 2.0])
scene = o3d.t.geometry.RaycastingScene()
scene.add_triangles(box)
rays = scene.create_rays_pinhole(o3d.core.Tensor(camera()), o3d.core.Tensor(np.eye(4)), WIDTH, HEIGHT)
hit = scene.cast_rays(rays)["t_hit"].numpy()
depth = np.where(np.isfinite(hit), hit, 0).astype(np.float32)


def tensor(matrix):
    image = o3d.t.geometry.Image(o3d.core.Tensor(depth))
    return o3d.t.geometry.PointCloud.create_from_depth_image(image, o3d.core.Tensor(matrix), depth_scale=1.0, depth_max=10.0).point.positions.numpy()


def legacy(matrix):
    pinhole = o3d.camera.PinholeCameraIntrinsic(WIDTH, HEIGHT, matrix)
    return np.asarray(o3d.geometry.PointCloud.create_from_depth_image(o3d.geometry.Image(depth), pinhole, depth_scale=1.0, depth_trunc=10.0).points)


half = 0.5 / FOCAL * 2.0
for points in (tensor, legacy):
    same, shifted = points(camera()).mean(0), points(camera(shift=0.5)).mean(0)
    print(points.__name__, np.round(same, 4), np.round(shifted, 4))
    assert np.allclose(same, [-half, -half, 2], atol=1e-4)
    assert np.allclose(shifted, [0, 0, 2], atol=1e-4)
one = o3d.t.geometry.PointCloud(o3d.core.Tensor(np.array([[0, 0, 2]], np.float32)))
seen = one.project_to_depth_image(WIDTH, HEIGHT, o3d.core.Tensor(camera()), depth_scale=1.0, depth_max=10.0).as_tensor().numpy()[..., 0]
ray = rays.numpy()[24, 32]
print("projected to (row, column)", np.argwhere(seen).tolist(), "the ray there", np.round(ray[3:] / ray[5], 4))
assert np.argwhere(seen).tolist() == [[24, 32]] and np.allclose(ray[3:5] / ray[5] * 2, half)
print("as stated")
PY
