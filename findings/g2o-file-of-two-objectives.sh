#!/bin/sh
# g2opy 2.3.0 (g2o itself), gtsam 4.3.0, scipy 1.17.1, numpy 2.4.6, Python 3.11.
#
# Pose graphs are exchanged as g2o files: poses, relative poses and their information matrices. What an information matrix refers to is not in the file. g2o's error of an EDGE_SE3:QUAT is the translation and the vector part of the unit quaternion,
# that is half the angle; GTSAM, which reads the file without a word, takes the same numbers for the angle (and the logarithm of the whole pose). Rotations thus count four times as much in GTSAM as where the file comes from, or a quarter the other
# way: chi-squared and its gates differ, and so does the optimum, wherever rotations and translations pull against each other. In the plane (EDGE_SE2) both mean the angle.
#
# Guess before: one file, one chi-squared. Seen, chi-squared of one edge, information the identity; the optimum of 0, 1, 2 m along x whose loop says 2, 0.5 m (turn of the middle pose, y of the last)
#                                       g2o             GTSAM
#   SE3, 0.1 m off                      0.01            0.01
#   SE3, 0.4 rad off                    0.0395          0.16
#   SE2, 0.4 rad off                    0.16            0.16
#   SE3, optimum                        13.2 deg 0.410  5.18 deg 0.363
#   the same, rotation's information times 4 for g2o     5.19 deg 0.364
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==2.4.6 scipy==1.17.1 gtsam==4.3.0 && v/bin/pip install -q --no-deps --only-binary :all: g2opy==2.3.0
v/bin/python - <<'PY'
import g2opy
import gtsam
import numpy as np
from scipy.spatial.transform import Rotation


def write(poses, edges, flat=False, turn_weight=1.0):
    """A file of poses and edges (x, y, turn about z); the information is 1 for translations, turn_weight for turns."""
    def fields(x, y, turn):
        return f"{x} {y} {turn}" if flat else f"{x} {y} 0 " + " ".join(map(repr, Rotation.from_rotvec((0, 0, turn)).as_quat().tolist()))

    size, moved = (3, 2) if flat else (6, 3)
    information = " ".join(str((1 if i < moved else turn_weight) if i == j else 0) for i in range(size) for j in range(i, size))
    vertex, edge = ("VERTEX_SE2", "EDGE_SE2") if flat else ("VERTEX_SE3:QUAT", "EDGE_SE3:QUAT")
    with open("graph.g2o", "w") as file:
        file.writelines(f"{vertex} {i} {fields(*pose)}\n" for i, pose in enumerate(poses))
        file.writelines(f"{edge} {a} {b} {fields(*pose)} {information}\n" for a, b, pose in edges)


def by_g2o(optimise=False):
    """chi-squared as read; with optimise, the turn of vertex 1 in degrees and the y of vertex 2 afterwards."""
    graph = g2opy.SparseOptimizer()
    if optimise:
        graph.set_algorithm(g2opy.OptimizationAlgorithmLevenberg(g2opy.BlockSolverSE3(g2opy.LinearSolverEigenSE3())))
    assert graph.load("graph.g2o")
    if not optimise:
        graph.initialize_optimization()
        graph.compute_active_errors()
        return graph.active_chi2()
    graph.vertex(0).set_fixed(True)
    graph.initialize_optimization()
    graph.optimize(100)
    first, last = (graph.vertex(i).estimate().matrix() for i in (1, 2))
    return float(np.degrees(Rotation.from_matrix(first[:3, :3]).magnitude())), float(last[1, 3])


def by_gtsam(flat=False, optimise=False):
    graph, values = gtsam.readG2o("graph.g2o", not flat)
    if not optimise:
        return 2 * graph.error(values)
    graph.add(gtsam.PriorFactorPose3(0, values.atPose3(0), gtsam.noiseModel.Constrained.All(6)))
    values = gtsam.LevenbergMarquardtOptimizer(graph, values).optimize()
    return float(np.degrees(Rotation.from_matrix(values.atPose3(1).rotation().matrix()).magnitude())), float(values.atPose3(2).y())


for name, flat, measured, expected in (("SE3, 0.1 m off", False, (1.1, 0, 0), (0.01, 0.01)), ("SE3, 0.4 rad off", False, (1, 0, 0.4), (np.sin(0.2) ** 2, 0.16)), ("SE2, 0.4 rad off", True, (1, 0, 0.4), (0.16, 0.16))):
    write(((0, 0, 0), (1, 0, 0)), ((0, 1, measured),), flat)
    seen = by_g2o(), by_gtsam(flat)
    print(name, "g2o", round(seen[0], 4), "GTSAM", round(seen[1], 4))
    assert np.allclose(seen, expected, atol=2e-3)

LOOP = ((0, 0, 0), (1, 0, 0), (2, 0, 0)), ((0, 1, (1, 0, 0)), (1, 2, (1, 0, 0)), (0, 2, (2, 0.5, 0)))
write(*LOOP)
seen = by_g2o(optimise=True), by_gtsam(optimise=True)
write(*LOOP, turn_weight=4.0)
weighted = by_g2o(optimise=True)
print("optimum: g2o", np.round(seen[0], 3), "GTSAM", np.round(seen[1], 3), "g2o, rotations times 4", np.round(weighted, 3))
assert abs(seen[0][0] - seen[1][0]) > 0.5 and abs(weighted[0] - seen[1][0]) < 0.05 and abs(weighted[1] - seen[1][1]) < 0.005
PY
