"""One home compiled for taking pictures: a camera that goes anywhere, lights and surfaces that can be changed, and a
number for each thing."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from dadu.core.geometry import quaternion
from dadu.core.robot import CameraFrame, RobotDescription
from dadu.house.catalogue import furniture_categories
from dadu.house.format import House
from dadu.house.furniture.pieces import furniture_model
from dadu.learning.pictures.looks import add_looks
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.store import InstanceKind
from dadu.sim.mujoco.camera import Camera
from dadu.sim.mujoco.physics_world import PhysicsWorld, compile_world
from dadu.sim.mujoco.scene.appearance import Appearance
from dadu.sim.mujoco.scene.figure import FIGURE
from dadu.sim.mujoco.scene.state_look import shown_states
from dadu.sim.settings import CameraSettings, SimulationSettings

_VIEWER = "viewer"
_MOST_OF_THE_WAY = 0.85
_FAR = 20.0
"""the renderer gives depth up to here [m]; what a sensor does not reach is taken away later"""
_LARGER = 2
"""some homes' pictures are rendered this much larger on each side: smoothed, edges are as a lens makes them"""


@dataclass(frozen=True)
class SeenThing:
    """Whatever has a number of its own in the pictures."""

    name: str
    category: str
    kind: InstanceKind
    color: str | None = None
    shows: frozenset[str] = frozenset()
    """predicates of the states that can be seen of it"""
    mesh: str = ""
    """which it has, where it is not made of primitives"""


class Stage:
    """Holds a rendering context: close it, in the thread that made it."""

    def __init__(self, house: House, robot: RobotDescription, settings: PictureSettings, rng: np.random.Generator
                 ) -> None:
        """Errors: ConfigError where the house's objects find no place, or a mesh cannot be read."""

        def add(spec: mujoco.MjSpec) -> None:
            add_looks(spec, settings.labelled > 0, rng)
            spec.worldbody.add_body(name=_VIEWER, mocap=True).add_camera(name=_VIEWER, fovy=settings.field_of_view)

        self.world = compile_world(house, robot, SimulationSettings(person=True, meshes=settings.meshes), add)
        self.things = _things(self.world)
        """number 1 is the first"""
        self.appearance = Appearance(self.world.model, house, self.world.placements)
        self.owner = _owners(self.world, self.things)
        """int32 (ngeom,): number of the thing that a shape belongs to, 0: background"""
        self.oversampling = _LARGER if rng.random() < 0.5 else 1
        """how many of the camera's pixels, on each side, make one of the picture"""
        camera = CameraSettings(width=self.oversampling * settings.width, height=self.oversampling * settings.height,
                                field_of_view=settings.field_of_view, max_depth=_FAR)
        self._camera = Camera(self.world.model, camera, self.owner, _VIEWER)
        self._mocap = self.world.model.body(_VIEWER).mocapid[0]

    def render(self, T_map_camera: np.ndarray) -> CameraFrame:
        """`oversampling` times as large as wanted, with instances, from that pose (4, 4) of the optical frame."""
        x, y, z, w = quaternion(T_map_camera[:3, :3] @ np.diag([1.0, -1.0, -1.0]))
        self.world.data.mocap_pos[self._mocap] = T_map_camera[:3, 3]
        self.world.data.mocap_quat[self._mocap] = (w, x, y, z)
        return self._camera.render(self.world.snapshot(), 0.0)

    def clear(self, eye: np.ndarray, target: np.ndarray) -> bool:
        """True if nothing stands in the way from one point to another, (3,) [m] in map, but what is at its end."""
        ray, hit = target - eye, np.zeros(1, np.int32)
        model, view = self.world.model, self.world.snapshot()
        share = mujoco.mj_ray(model, view, eye, ray, None, 1, -1, hit)
        return bool(share < 0 or share > _MOST_OF_THE_WAY)

    def states(self, thing: SeenThing) -> dict[str, bool]:
        """Those that are known and can be seen, by predicate."""
        known = self.world.states.get(thing.name, {})
        return {predicate: value for predicate, value in known.items() if predicate in thing.shows}

    def close(self) -> None:
        """Frees the context."""
        self._camera.close()


def _things(world: PhysicsWorld) -> tuple[SeenThing, ...]:
    """Nobody says of what colour a mesh is, and it shows no state."""
    found: list[SeenThing] = []
    for piece in world.house.furniture:
        category = furniture_categories().get(piece.category)
        color = piece.color or (category.color if category else None)
        found.append(SeenThing(piece.name, piece.category, "furniture", color, shown_states(piece)))
        found += (SeenThing(f"{piece.name}/{part.name}", part_category(part.name), "part", color)
                  for part in furniture_model(piece).parts)
    found += (SeenThing(name, placement.thing.category, "object", mesh=world.meshes[name]) if name in world.meshes else
              SeenThing(name, placement.thing.category, "object", placement.model.attributes["color"],
                        shown_states(placement.thing))
              for name, placement in world.placements.items())
    return (*found, SeenThing("robot", "robot", "robot"), SeenThing(FIGURE, "person", "person"))


def part_category(part: str) -> str:
    """What a part is: ``door`` of ``left_door``."""
    return part.rpartition("_")[2]


def _owners(world: PhysicsWorld, things: tuple[SeenThing, ...]) -> np.ndarray:
    """int32 (ngeom,)."""
    model = world.model
    number = {thing.name: i + 1 for i, thing in enumerate(things)}
    number[f"{world.body.prefix}base_link"] = number["robot"]
    bodies = [model.body(i).name for i in range(model.nbody)]
    own = np.array([number.get(name, number.get(bodies[model.body_rootid[i]], 0)) for i, name in enumerate(bodies)])
    return own[model.geom_bodyid].astype(np.int32)
