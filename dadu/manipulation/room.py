"""Room to work in: what the camera and the laser say of the space around the arm and along the base's way."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from dadu.core.geometry import Pose2, apply, inverse
from dadu.core.robot import Observation
from dadu.manipulation import sight
from dadu.manipulation.articulation.parts import leaf
from dadu.manipulation.grasp.shape import UprightBox
from dadu.manipulation.support import OPEN_ABOVE
from dadu.motion.scene import Obstacle
from dadu.navigation.standing.base_poses import FOLDING
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Kind, Surface, WorldGraph

NEAR = 1.5
"""obstacles farther from the base are out of the arm's way [m]"""
OWN = 0.03
"""around the robot's own body nothing seen is an obstacle [m]"""
HAND, HELD = 0.05, (0.15, 0.12, 0.20)
"""half extents about the grasp centre of what the camera sees of the fingers, and of what they hold [m]"""
SIDE = 0.04
"""kept free beside the base when it drives [m]"""
BESIDE = 0.1
"""what the laser sees so near to furniture is of that [m]"""
WALL = np.arange(0.1, 1.6, 0.025)
"""heights at which a wall stands in the arm's way [m]: close enough that a finger does not pass between them"""
BOARD = 0.02
"""thickness of a board over a surface, at least [m]"""


def obstacles(body: Manipulator, observation: Observation, graph: WorldGraph, frame: DetectionFrame,
              target: UprightBox | None) -> np.ndarray:
    """(N, 3) [m], base_link: everything seen near the arm, walls and doors that stand open also beside the picture; but
    neither the robot itself, nor the target and the surface that it stands on."""
    doors = [leaf(part) for entity in graph for part in entity.parts if part.kind == "hinge" and not part.closed]
    points = np.concatenate([seen(body, observation, frame), walls(observation, graph), *doors])
    if target is not None:
        points = points[~target.contains(points, 0.012)]
    points = apply(inverse(observation.base_pose.matrix()), points)
    if target is not None:
        # Support and target meet in a rim of mixed pixels; the planned height keeps the palm off the surface.
        beside = np.linalg.norm(points[:, :2] - observation.base_pose.inverse().apply(target.centre), axis=1) < 0.3
        points = points[~(beside & (np.abs(points[:, 2] - target.bottom) < 0.012))]
    points = points[np.linalg.norm(points[:, :2], axis=1) < NEAR]
    low, high = body.robot.footprint.min(axis=0) - OWN, body.robot.footprint.max(axis=0) + OWN
    own = ((points[:, :2] > low) & (points[:, :2] < high)).all(axis=1)
    return points[~own]


def seen(body: Manipulator, observation: Observation, frame: DetectionFrame) -> np.ndarray:
    """(N, 3) [m], map: the picture's cloud without the hand, and what it holds, before a camera on the arm."""
    points = sight.cloud(frame)
    if not body.kinematics.camera_on_arm:
        return points
    # Camera and hand sit on the same link: wherever the arm was, the hand is at the same place in the picture.
    T_camera_tool = inverse(body.kinematics.camera({})) @ body.kinematics.tool({})
    local = np.abs(apply(inverse(frame.T_map_camera @ T_camera_tool), points))
    held = hand.holding(observation, body.robot, body.settings.gripper)
    return points[~(local < (HELD if held else (HAND, body.robot.aperture_max / 2 + OWN, HAND))).all(axis=1)]


def walls(observation: Observation, graph: WorldGraph) -> np.ndarray:
    """(N, 3) [m], map: what the laser sees near the robot and no known piece of furniture explains, as high as the arm
    reaches: a wall, or somebody."""
    flat = scanned(observation)
    flat = observation.base_pose.apply(flat[np.linalg.norm(flat, axis=1) < NEAR])
    for piece in graph.of(Kind.FURNITURE):
        flat = flat[piece.box.away(flat) > BESIDE]
    return np.column_stack([np.repeat(flat, len(WALL), axis=0), np.tile(WALL, len(flat))])


def ceiling(base: Pose2, surface: Surface) -> list[Obstacle]:
    """Seen from `base` (map): what is over a surface that is known to have little room above, whether the camera looks
    there or not; nothing over one that is open above."""
    if surface.clearance >= OPEN_ABOVE:
        return []
    x, y, yaw = base.inverse() * surface.pose
    board = OrientedBox.upright(x, y, surface.height + surface.clearance, yaw, (*surface.size, BOARD))
    return [Obstacle(f"the board over {surface.name}", board)]


def scanned(observation: Observation) -> np.ndarray:
    """(N, 2) [m], base_link: where the laser's rays end."""
    scan = observation.scan
    if scan is None:
        return np.zeros((0, 2))
    rays = np.flatnonzero(np.isfinite(scan.ranges) & (scan.ranges > 0.05))
    return scan.ends(rays[~scan.on_floor(rays)])


def drive_range(body: Manipulator, observation: Observation, most: float | None = None,
                ignoring: np.ndarray | None = None) -> tuple[float, float]:
    """How far the base may shift back (negative) and ahead [m]: `most`, by default the setting, less where the laser
    sees something other than points to be ignored (N, 3) [m, map]."""
    most = body.settings.pick.max_drive if most is None else most
    if observation.scan is None:
        return -most, most
    points = scanned(observation)
    if ignoring is not None and len(points):
        own = apply(inverse(observation.base_pose.matrix()), ignoring)[:, :2]
        points = points[cKDTree(own).query(points)[0] > BESIDE]
    along = np.array(body.robot.shift_direction)
    to_shift = np.column_stack([along, (-along[1], along[0])])
    points, outline = points @ to_shift, body.robot.footprint @ to_shift
    low, high = outline.min(axis=0), outline.max(axis=0)
    abreast = (points[:, 1] > low[1] - SIDE) & (points[:, 1] < high[1] + SIDE)
    ahead = (points[:, 0] - high[0] - SIDE)[abreast & (points[:, 0] > high[0])]
    behind = (points[:, 0] - low[0] + SIDE)[abreast & (points[:, 0] < low[0])]
    return float(min(0.0, np.max(behind, initial=-most))), float(max(0.0, np.min(ahead, initial=most)))


def room_to_fold(body: Manipulator, observation: Observation, most: float, ignoring: np.ndarray | None = None
                 ) -> tuple[float, float]:
    """How far back (negative) and ahead [m] the base may drive, at most `most`, and still be far enough from walls to
    fold and unfold the arm there; `ignoring` (N, 3) [m, map]: as in `drive_range`."""
    behind, ahead = drive_range(body, observation, most + FOLDING, ignoring)
    past_tail, past_front = (FOLDING * passes for passes in body.folds_past)
    return float(np.clip(behind + past_tail, -most, 0.0)), float(np.clip(ahead - past_front, 0.0, most))
