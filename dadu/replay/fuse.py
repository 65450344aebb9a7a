"""A recording's pictures fused to one coloured mesh of the home: a truncated signed distance field (Curless and Levoy
1996) by Open3D, with the boxes of what memory held at the end drawn in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.errors import DaduError, MissingExtra
from dadu.core.robot import CameraFrame
from dadu.replay import messages
from dadu.replay.bag import Bag
from dadu.replay.pictures import RecordedPictures
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Kind, WorldGraph

_TRUNCATION = 4
"""voxels: a sensor's noise, and where the robot is not quite where it thinks"""
_BLOCK, _BLOCKS = 16, 4000
"""voxels along a block's side, and blocks that there is room for at first"""
_OFTEN = 1.5
"""pictures: what one alone shows may be a passing hand"""
_FAR = 4.0
"""[m]: depth beyond it is not trusted"""
_MOVED, _TURNED = 0.05, 0.1
"""[m, rad] since the last picture that was fused: one from the same place tells nothing new"""
_BAR = 0.012
"""[m]: how thick a box's edges are drawn"""
_COLORS = {Kind.OBJECT: (0.9, 0.1, 0.1), Kind.FURNITURE: (0.1, 0.3, 0.9)}


@dataclass(frozen=True)
class Fused:
    """What came of it."""

    pictures: int
    """that were fused"""
    vertices: int
    boxes: int
    lacking: str = ""
    """what kept pictures from being seen"""


def fuse(bag: Bag, out: Path, voxel: float) -> Fused:
    """Writes a PLY with colours; `voxel` [m]. Errors: UnusableBag, MissingExtra, DaduError where nothing was seen."""
    pictures, graphs = RecordedPictures(), list[WorldGraph]()
    bag.require([role for role in pictures.roles if role != "tf_static"], "a mesh")
    return replace(write_mesh(_frames(bag, pictures, graphs), graphs, out, voxel), lacking=pictures.lacking)


def write_mesh(pictures: Iterator[CameraFrame], graphs: list[WorldGraph], out: Path, voxel: float) -> Fused:
    """The same of pictures; of `graphs`, which may grow as these are taken, the last. Errors: as above."""
    try:
        import open3d
    except ImportError as error:  # or a library of the system's that it is linked with
        raise MissingExtra(f"a mesh of a home needs open3d: pip install -e '.[vision]' ({error})") from None
    volume = _Volume(open3d, voxel)
    last, count = None, 0
    for frame in pictures:
        if last is None or not _same_place(last, frame.T_map_camera):
            last, count = frame.T_map_camera, count + 1
            volume.take(frame)
    mesh = volume.mesh()
    if not len(mesh.vertices):
        raise DaduError(f"{count} pictures, and no surface within {_FAR:g} m that two of them show")
    vertices = len(mesh.vertices)
    boxed = [thing for thing in (graphs[-1] if graphs else ()) if thing.kind in _COLORS and min(thing.size) > 0]
    for thing in boxed:
        for bar in _edges(thing.box):
            mesh += _solid(open3d, bar).paint_uniform_color(_COLORS[thing.kind])
    if not open3d.io.write_triangle_mesh(str(out), mesh):
        raise DaduError(f"{out} could not be written")
    return Fused(count, vertices, len(boxed))


class _Volume:
    """Open3D's `VoxelBlockGrid`: its older ScalableTSDFVolume gives an empty mesh in 0.20.0."""

    def __init__(self, open3d: Any, voxel: float) -> None:
        self._tensor, self._image = open3d.core.Tensor, open3d.t.geometry.Image
        real = open3d.core.float32
        self._grid = open3d.t.geometry.VoxelBlockGrid(("tsdf", "weight", "color"), (real,) * 3, ((1,), (1,), (3,)),
                                                      voxel, _BLOCK, _BLOCKS)

    def take(self, frame: CameraFrame) -> None:
        depth = np.nan_to_num(frame.depth, nan=0.0, posinf=0.0).astype(np.float32)
        if not ((depth > 0) & (depth < _FAR)).any():
            return
        depth, color = self._image(depth[..., None]), self._image(frame.rgb.astype(np.float32) / 255)
        camera = (self._tensor(frame.K.astype(float)), self._tensor(np.linalg.inv(frame.T_map_camera)), 1.0, _FAR,
                  float(_TRUNCATION))
        self._grid.integrate(self._grid.compute_unique_block_coordinates(depth, *camera), depth, color, *camera)

    def mesh(self) -> Any:
        """Of what was seen from `_OFTEN` places and more."""
        return self._grid.extract_triangle_mesh(weight_threshold=_OFTEN).to_legacy()


def _frames(bag: Bag, pictures: RecordedPictures, graphs: list[WorldGraph]) -> Iterator[CameraFrame]:
    """Its pictures with where the robot took them to be; what memory knew goes to `graphs`, the newest alone."""
    for message in bag.messages({*pictures.roles, "graph"}):
        if message.role == "graph":
            graphs[:] = [messages.graph(message.data)]
        else:
            pictures.add(message)
            yield from pictures.frames()


def _same_place(a: np.ndarray, b: np.ndarray) -> bool:
    turn = np.arccos(np.clip((np.trace(a[:3, :3].T @ b[:3, :3]) - 1) / 2, -1, 1))
    return bool(np.linalg.norm(a[:3, 3] - b[:3, 3]) < _MOVED and turn < _TURNED)


def _edges(box: OrientedBox) -> Iterator[OrientedBox]:
    """Its twelve, as thin boxes."""
    for axis in range(3):
        size = np.full(3, _BAR)
        size[axis] = box.size[axis] + _BAR
        for signs in product((-0.5, 0.5), repeat=2):
            yield OrientedBox(box.centre + box.R @ (np.insert(signs, axis, 0.0) * box.size), box.R, size)


def _solid(open3d: Any, box: OrientedBox) -> Any:
    solid = open3d.geometry.TriangleMesh.create_box(*box.size)
    return solid.translate(-box.size / 2).rotate(box.R, (0.0, 0.0, 0.0)).translate(box.centre)
