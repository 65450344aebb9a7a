"""Meshes of a compiled house: what MuJoCo draws of a body, as triangles, y up."""

from __future__ import annotations

import mujoco
import numpy as np
import trimesh
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from dadu.core.geometry import transform
from dadu.sim.habitat.frames import C

Y_UP = transform(C, (0.0, 0.0, 0.0))
_G = mujoco.mjtGeom
SECTIONS = 32
"""sides of a round thing"""
_SHARP = np.radians(35.0)
"""faces that turn by more show an edge between them: else a renderer makes pillows of boxes"""


def body_scene(model: mujoco.MjModel, body: int, skip: tuple[str, ...] = ()) -> trimesh.Scene:
    """Every shape of one body that shows as a mesh of its own, in the body's frame turned y up; `skip`: names to leave
    out."""
    scene = trimesh.Scene()
    first = model.body_geomadr[body]
    for geom in range(first, first + model.body_geomnum[body]):
        name = model.geom(geom).name
        mesh = surface(model, geom)
        if mesh is None or name in skip or model.geom_rgba[geom, 3] == 0:
            continue
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, model.geom_quat[geom])
        mesh.apply_transform(Y_UP @ transform(R.reshape(3, 3), model.geom_pos[geom]))
        mesh.visual = TextureVisuals(material=_material(model, geom))
        scene.add_geometry(mesh, geom_name=name.replace("/", "_") or f"geom_{geom}")
    return scene


def surface(model: mujoco.MjModel, geom: int) -> trimesh.Trimesh | None:
    """In the geom's frame, its edges sharp; None for what has no surface of finite size."""
    mesh = _solid(model, geom)
    return None if mesh is None else trimesh.graph.smooth_shade(mesh, angle=_SHARP)


def _solid(model: mujoco.MjModel, geom: int) -> trimesh.Trimesh | None:
    kind, size = _G(int(model.geom_type[geom])), model.geom_size[geom]
    if kind == _G.mjGEOM_BOX:
        return trimesh.creation.box(extents=2 * size)
    if kind == _G.mjGEOM_CYLINDER:
        return trimesh.creation.cylinder(radius=size[0], height=2 * size[1], sections=SECTIONS)
    if kind == _G.mjGEOM_CAPSULE:
        return trimesh.creation.capsule(height=2 * size[1], radius=size[0], count=[SECTIONS // 2, SECTIONS // 2])
    if kind in (_G.mjGEOM_SPHERE, _G.mjGEOM_ELLIPSOID):
        mesh = trimesh.creation.uv_sphere(radius=1.0, count=[SECTIONS // 2, SECTIONS])
        mesh.apply_scale(size if kind == _G.mjGEOM_ELLIPSOID else [size[0]] * 3)
        return mesh
    if kind == _G.mjGEOM_MESH:
        index = model.geom_dataid[geom]
        vertices = model.mesh_vert[model.mesh_vertadr[index]:][:model.mesh_vertnum[index]]
        faces = model.mesh_face[model.mesh_faceadr[index]:][:model.mesh_facenum[index]]
        return trimesh.Trimesh(vertices.astype(float), faces, process=False)
    return None


def _material(model: mujoco.MjModel, geom: int) -> PBRMaterial:
    material = model.geom_matid[geom]
    return paint(model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom])


def paint(color: np.ndarray, roughness: float = 0.8, metallic: float = 0.0) -> PBRMaterial:
    """Of a colour (4,) for the eye."""
    linear = [float(v) ** 2.2 for v in color[:3]]  # glTF's factors are linear, MuJoCo's colours are sRGB
    return PBRMaterial(baseColorFactor=[*linear, float(color[3])], metallicFactor=metallic, roughnessFactor=roughness)
