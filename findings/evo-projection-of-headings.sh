#!/bin/sh
# evo 1.38.1, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# evo compares trajectories in a plane on demand (`--project_to_plane`, PosePath3D.project), orientations included. For xy and yz the heading comes through. For xz, the ground plane of camera frames as KITTI's, it is the second of three Euler
# angles, which never leaves -90 to 90 degrees: whoever drives on after a quarter turn is turned back. Half of a round course has headings that are up to half a turn wrong, and since both trajectories are folded alike,
# an estimate that is off by 40 degrees where the reference passes a quarter turn may count as perfect. Positions are right, so that the plot of the path shows nothing.
#
# Guess before: the heading is kept in each plane. Seen (turned about the plane's normal by that many degrees; what is left of it):
#         30    80   100   150  -150
#   xy    30    80   100   150  -150
#   yz    30    80   100   150  -150
#   xz    30    80    80    30   -30
#   error of an estimate of 70 against a reference of 110 degrees (RMSE of the angle): xy 40, xz 0
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 evo==1.38.1
HOME="$dir" v/bin/python - <<'PY'
import numpy as np
from evo.core.metrics import APE, PoseRelation, StatisticsType
from evo.core.trajectory import Plane, PosePath3D
from scipy.spatial.transform import Rotation

TURNS = (30, 80, 100, 150, -150)


def path(axis, degrees):
    """Poses that move on along x and y and z, turned about one axis."""
    poses = np.tile(np.eye(4), (len(degrees), 1, 1))
    poses[:, :3, :3] = Rotation.from_euler(axis, np.reshape(degrees, (-1, 1)), degrees=True).as_matrix()
    poses[:, :3, 3] = np.arange(len(degrees))[:, None]
    return PosePath3D(poses_se3=list(poses))


for plane, axis, kept in ((Plane.XY, "z", TURNS), (Plane.YZ, "x", TURNS), (Plane.XZ, "y", (30, 80, 80, 30, -30))):
    one = path(axis, TURNS)
    one.project(plane)
    seen = [Rotation.from_matrix(pose[:3, :3]).as_rotvec(degrees=True)["xyz".index(axis)] for pose in one.poses_se3]
    print(plane.name, np.round(seen, 3))
    assert np.allclose(seen, kept)

for plane, axis, error in ((Plane.XY, "z", 40), (Plane.XZ, "y", 0)):
    reference, estimate = path(axis, (110, 110, 110)), path(axis, (70, 70, 70))
    metric = APE(PoseRelation.rotation_angle_deg)
    metric.process_data((reference, estimate))
    whole = metric.get_statistic(StatisticsType.rmse)
    reference.project(plane), estimate.project(plane)
    metric.process_data((reference, estimate))
    projected = metric.get_statistic(StatisticsType.rmse)
    print(plane.name, "error of the angle", round(whole, 3), "projected", round(projected, 3))
    assert np.isclose(whole, 40) and np.isclose(projected, error, atol=1e-4)
PY
