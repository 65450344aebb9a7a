"""From a house to a MuJoCo model: floor, walls, furniture with its moving parts, free objects. The robot comes later.

Names: body = id of the furniture or object; body and joint of a part = ``FURNITURE/PART``; geoms = ``ID/BOX``.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import mujoco
import numpy as np

from dadu.core.geometry import quaternion
from dadu.house.colors import DEFAULT_FLOOR, FLOORS, WALL
from dadu.house.format import Furniture, House
from dadu.house.furniture.model import Part, SolidBox
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import Placement, place_objects
from dadu.house.polygons import rectangles
from dadu.house.shapes.primitive import Primitive
from dadu.house.states import start_states
from dadu.house.walls import THICKNESS, Wall, walls
from dadu.sim.mujoco.physics import PhysicsSettings, apply_physics
from dadu.sim.mujoco.scene.looks import Materials, light_up
from dadu.sim.mujoco.scene.state_look import Surfaces, object_looks, object_shapes

_GEOM = {"box": mujoco.mjtGeom.mjGEOM_BOX, "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
         "sphere": mujoco.mjtGeom.mjGEOM_SPHERE, "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
         "hull": mujoco.mjtGeom.mjGEOM_MESH}
_JOINT = {"hinge": mujoco.mjtJoint.mjJNT_HINGE, "slide": mujoco.mjtJoint.mjJNT_SLIDE}
_HIDDEN = (0.5, 0.5, 0.5, 0.0)
"""any other than the default would cover the material once the shape shows"""
_SEAL_RANGE = 0.004
"""distance over which a seal pulls [m]"""
WALL_NAME = "wall/"
"""how the names of walls' shapes begin, as no furniture's can"""
_SEAL_CONTACTS = 4
"""points at which two flat faces touch"""
_ROLLING_FRICTION = 0.002
"""of round things, so that they come to rest on a table [m]"""


def build_spec(house: House, physics: PhysicsSettings | None = None, wall_height: float | None = None,
               placements: Mapping[str, Placement] | None = None) -> mujoco.MjSpec:
    """The whole house in map coordinates, ready for a robot to be attached and compiled.

    `wall_height` [m] cuts the walls down for pictures from above; `placements` in place of the house's objects.
    Errors: ConfigError where objects find no place.
    """
    physics = physics or PhysicsSettings()
    spec = mujoco.MjSpec()
    spec.modelname = house.house
    spec.compiler.degree = False
    apply_physics(spec, physics)
    corners = np.concatenate([room.floor for room in house.rooms])
    low, high = corners.min(axis=0), corners.max(axis=0)
    light_up(spec, tuple((low + high) / 2), float(np.linalg.norm(high - low)))
    materials = Materials(spec)
    _add_floor(spec, house, materials)
    for i, wall in enumerate(walls(house)):
        _add_wall(spec, i, wall, materials, wall_height)
    for piece in house.furniture:
        _add_furniture(spec, piece, materials)
    for placement in (place_objects(house) if placements is None else placements).values():
        _add_object(spec, placement, materials, physics)
    return spec


def _add_floor(spec: mujoco.MjSpec, house: House, materials: Materials) -> None:
    """One plane that carries everything, and a thin visible sheet for each room."""
    spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1),
                            material=materials.name("#9aa19a", "paint"))
    for room in house.rooms:
        color, finish = FLOORS.get(room.category, DEFAULT_FLOOR)
        material = materials.name(color, finish)
        for i, (low, high) in enumerate(rectangles(room.floor)):
            centre, half = (low + high) / 2, (high - low) / 2
            spec.worldbody.add_geom(name=f"{room.name}/floor_{i}", type=mujoco.mjtGeom.mjGEOM_BOX, material=material,
                                    pos=(*centre, 0.0), size=(*half, 0.001), contype=0, conaffinity=0)


def _add_wall(spec: mujoco.MjSpec, index: int, wall: Wall, materials: Materials, height: float | None) -> None:
    top = wall.top if height is None else min(height, wall.top)
    if top <= wall.bottom:
        return
    spec.worldbody.add_geom(
        name=f"{WALL_NAME}{index}", type=mujoco.mjtGeom.mjGEOM_BOX, pos=(*wall.centre, (wall.bottom + top) / 2),
        size=(wall.length / 2, THICKNESS / 2, (top - wall.bottom) / 2), quat=_wxyz(wall.yaw),
        material=materials.name(*WALL))


def _add_furniture(spec: mujoco.MjSpec, piece: Furniture, materials: Materials) -> None:
    model, (x, y, yaw) = furniture_model(piece), piece.pose
    body = spec.worldbody.add_body(name=piece.name, pos=(x, y, 0), quat=_wxyz(yaw))
    for box in model.boxes:
        _add_box(body, piece, box, materials)
    for part in model.moving:
        _add_part(body, piece, part, materials)


def _add_part(furniture: mujoco.MjsBody, owner: Furniture, part: Part, materials: Materials) -> None:
    """A body in the furniture's own frame: its boxes and its joint keep their coordinates."""
    name = f"{owner.name}/{part.name}"
    body = furniture.add_body(name=name)
    body.add_joint(name=name, type=_JOINT[part.kind], pos=part.origin, axis=part.axis, limited=True,
                   range=(0, part.range), frictionloss=part.friction, damping=part.damping, stiffness=part.spring)
    volume = sum(float(np.prod(box.size)) for box in part.boxes)
    for box in part.boxes:
        _add_box(body, owner, box, materials).mass = part.mass * float(np.prod(box.size)) / volume
    if part.seal is not None:
        seal = _add_box(body, owner, part.seal, materials)
        seal.mass = 0.01
        seal.contype = 0  # it holds on to the frame, not to the robot's fingers
        # Contacts within the gap push nothing but still stick: a magnet that lets go beyond its range.
        seal.gap = _SEAL_RANGE
        seal.adhesion = part.seal_force / _SEAL_CONTACTS


def _add_box(body: mujoco.MjsBody, owner: Furniture, box: SolidBox, materials: Materials) -> mujoco.MjsGeom:
    x, y, z = (v / 2 for v in box.size)
    size = (x, y, z) if box.shape == "box" else (x, z, 0)
    surfaces = Surfaces.from_item(owner, box.color, box.finish, box.lit)
    for surface in surfaces.all:
        materials.name(*surface)
    now = surfaces.now(start_states(owner.category, owner.states))
    return body.add_geom(name=f"{owner.name}/{box.name}", type=_GEOM[box.shape], pos=box.centre, size=size,
                         material=materials.name(*now))


def _add_object(spec: mujoco.MjSpec, placement: Placement, materials: Materials, physics: PhysicsSettings) -> None:
    name = placement.thing.name
    body = spec.worldbody.add_body(name=name, pos=placement.position, quat=_wxyz(placement.yaw))
    body.add_freejoint(name=name)
    thing, shapes = placement.thing, object_shapes(placement)
    volume = sum(shape.solid.volume for shape in shapes if shape.solid.solid)
    for shape, look in zip(shapes, object_looks(placement, start_states(thing.category, thing.states))):
        solid = shape.solid
        for surface in Surfaces.from_item(thing, solid.color, "paint", solid.lit).all:
            materials.name(*surface)
        geom = body.add_geom(name=shape.name, type=_GEOM[solid.kind], pos=solid.centre, size=_mjcf_size(solid),
                             quat=_quaternion(solid), material=materials.name(*look.surface))
        if not look.shown:
            geom.rgba = _HIDDEN
        if solid.points:
            geom.meshname = _mesh(spec, solid)
        if not solid.solid:
            geom.contype = geom.conaffinity = 0
            geom.mass = 0
            continue
        geom.mass = placement.model.mass * solid.volume / volume
        slide, spin, roll = physics.friction
        if solid.round:
            geom.condim, roll = 6, _ROLLING_FRICTION
        geom.friction = (placement.model.friction or slide, spin, roll)


def _mesh(spec: mujoco.MjSpec, solid: Primitive) -> str:
    """The name of the convex mesh of a hull; equal hulls share one."""
    points = np.round(np.array(solid.points), 5)
    name = f"hull_{zlib.crc32(points.tobytes()):08x}"
    if spec.mesh(name) is None:
        mesh = spec.add_mesh(name=name, uservert=points.ravel(), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
        mesh.maxhullvert = -1
    return name


def _mjcf_size(solid: Primitive) -> tuple[float, ...]:
    """MuJoCo's half extents, or radius and half length."""
    x, y, z = (v / 2 for v in solid.size)
    return {"cylinder": (x, z, 0), "sphere": (x, 0, 0)}.get(solid.kind, (x, y, z))


def _quaternion(solid: Primitive) -> tuple[float, float, float, float]:
    x, y, z, w = quaternion(solid.axes)
    return w, x, y, z


def _wxyz(yaw: float) -> tuple[float, float, float, float]:
    """MuJoCo's order of a quaternion about z."""
    return float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2))
