"""The calls to habitat-sim (0.3.x). Everything here is in Habitat's frames: y up, metres, quaternions (x, y, z, w)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import habitat_sim
import magnum as mn
import numpy as np

MOTIONS = {"static": habitat_sim.physics.MotionType.STATIC, "kinematic": habitat_sim.physics.MotionType.KINEMATIC,
           "dynamic": habitat_sim.physics.MotionType.DYNAMIC}


@dataclass(frozen=True)
class SceneSpec:
    """What to load, and the camera."""

    dataset: str
    """path of a ``*.scene_dataset_config.json``"""
    scene: str
    """handle of a scene instance in it"""
    width: int = 640
    height: int = 480
    hfov: float = 54.0
    """[deg]"""
    gpu: int = -1
    """device that renders; -1: whatever the driver offers, also without a GPU"""
    radius: float = 0.15
    """of the agent, for the navigation mesh [m]"""
    tall: float = 1.4
    """[m]"""
    seed: int = 0


class HabitatScene:
    """One scene, one camera that is put where it is wanted, and the rigid objects by their semantic ids."""

    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self._sim = habitat_sim.Simulator(habitat_sim.Configuration(_backend(spec), [_agent(spec)]))
        self._objects = self._number_objects()
        self._start = {id: (_numbers(o.translation), _coefficients(o.rotation), o.motion_type)
                       for id, o in self._objects.items()}
        settings = habitat_sim.NavMeshSettings()
        settings.set_defaults()
        settings.agent_radius, settings.agent_height = spec.radius, spec.tall
        # The default takes everything below 0.2 m for a step that the agent climbs.
        settings.cell_size, settings.cell_height, settings.agent_max_climb = 0.03, 0.03, 0.06
        settings.include_static_objects = True
        self.navigable = bool(self._sim.recompute_navmesh(self._sim.pathfinder, settings))

    def objects(self) -> list[dict[str, Any]]:
        """Semantic id, template, motion and box of every rigid object."""
        found = []
        for id, o in self._objects.items():
            box = o.aabb
            found.append({"id": id, "template": _stem(o.handle), "motion": o.motion_type.name.lower(),
                          "low": _numbers(box.min), "high": _numbers(box.max)})
        return found

    def bounds(self) -> np.ndarray:
        """(2, 3) [m], Habitat's world: lowest and highest corner of the navigation mesh."""
        return np.array([_numbers(corner) for corner in self._sim.pathfinder.get_bounds()])

    def floor_plan(self, resolution: float) -> np.ndarray:
        """bool (rows, columns): where an agent can stand on the largest connected floor, as opposed to beds and tables;
        rows along Habitat's z, columns along its x."""
        finder = self._sim.pathfinder
        floor = max(range(finder.num_islands), key=finder.island_area)
        level = float(np.median([_numbers(v)[1] for v in finder.build_navmesh_vertices(floor)]))
        return np.array(finder.get_topdown_island_view(resolution, level)) == floor

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Semantic ids, int (n,), and positions [m] with quaternions in Habitat's world, (n, 7)."""
        rows = [_numbers(o.translation) + _coefficients(o.rotation) for o in self._objects.values()]
        return np.array(list(self._objects), np.int64), np.array(rows, float).reshape(-1, 7)

    def put(self, id: int, position: np.ndarray, rotation: np.ndarray, motion: str = "") -> None:
        """Moves an object; `motion` changes how it moves from now on. A thing let go starts at rest."""
        o = self._objects[id]
        if motion:
            o.motion_type = MOTIONS[motion]
        elif o.motion_type == MOTIONS["static"]:
            raise ValueError(f"object {id} is static")
        o.translation = _vector(position)
        o.rotation = mn.Quaternion(_vector(rotation[:3]), float(rotation[3]))
        if motion == "dynamic":
            o.linear_velocity = o.angular_velocity = mn.Vector3(0.0, 0.0, 0.0)
            o.awake = True

    def step(self, dt: float) -> None:
        """Bullet, for `dt` [s]."""
        self._sim.step_physics(dt)

    def move(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """(3,) [m], Habitat's world: where an agent comes that goes from `start` towards `end`, both (3,)."""
        finder = self._sim.pathfinder
        on_mesh = np.array(_numbers(finder.snap_point(_vector(start))))
        if not np.isfinite(on_mesh).all():
            return np.asarray(start, float)
        target = np.asarray(end, float) - start + on_mesh
        reached = np.array(_numbers(finder.try_step_no_sliding(_vector(on_mesh), _vector(target))))
        return np.asarray(start, float) + (reached - on_mesh)

    def rays(self, origin: np.ndarray, directions: np.ndarray, reach: float) -> np.ndarray:
        """(n,) distances [m] along unit directions (n, 3) of Habitat's world; inf beyond `reach` [m]."""
        ranges = np.full(len(directions), np.inf)
        for i, direction in enumerate(directions):
            result = self._sim.cast_ray(habitat_sim.geo.Ray(_vector(origin), _vector(direction)), reach)
            if result.has_hits():
                ranges[i] = result.hits[0].ray_distance
        return ranges

    def render(self, position: np.ndarray, rotation: np.ndarray) -> dict[str, np.ndarray]:
        """rgb uint8 (H, W, 3), depth float32 (H, W) [m] along the optical axis, semantic int32 (H, W)."""
        state = habitat_sim.AgentState(np.asarray(position, np.float32), np.asarray(rotation, np.float32))
        self._sim.get_agent(0).set_state(state)
        seen = self._sim.get_sensor_observations()
        return {"rgb": np.asarray(seen["rgb"])[..., :3].astype(np.uint8),
                "depth": np.asarray(seen["depth"], np.float32),
                "semantic": np.asarray(seen["semantic"]).astype(np.int32)}

    def reset(self) -> None:
        """All objects back to where the scene has them, at rest."""
        for id, (position, rotation, motion) in self._start.items():
            name = motion.name.lower()
            if name != "static":
                self.put(id, np.array(position), np.array(rotation), name)

    def close(self) -> None:
        self._sim.close()

    def _number_objects(self) -> dict[int, habitat_sim.physics.ManagedRigidObject]:
        """Rigid objects by semantic id. Datasets that give the same id to several things, or 0, get numbers of their
        own, in the order of handles."""
        manager = self._sim.get_rigid_object_manager()
        objects = [manager.get_object_by_handle(handle) for handle in sorted(manager.get_object_handles())]
        ids = [o.semantic_id for o in objects]
        if len(set(ids)) < len(ids) or 0 in ids:
            for i, o in enumerate(objects, start=1):
                o.semantic_id = i
        return {int(o.semantic_id): o for o in objects}


def _backend(spec: SceneSpec) -> habitat_sim.SimulatorConfiguration:
    config = habitat_sim.SimulatorConfiguration()
    config.scene_dataset_config_file, config.scene_id = spec.dataset, spec.scene
    config.gpu_device_id = spec.gpu
    config.enable_physics = True
    config.random_seed = spec.seed
    config.override_scene_light_defaults = True  # without lights all is black
    config.scene_light_setup = habitat_sim.gfx.DEFAULT_LIGHTING_KEY
    return config


def _agent(spec: SceneSpec) -> habitat_sim.AgentConfiguration:
    """Three pictures from the agent's origin."""
    kinds = {"rgb": habitat_sim.SensorType.COLOR, "depth": habitat_sim.SensorType.DEPTH,
             "semantic": habitat_sim.SensorType.SEMANTIC}
    agent = habitat_sim.agent.AgentConfiguration()
    agent.sensor_specifications = []
    for name, kind in kinds.items():
        sensor = habitat_sim.CameraSensorSpec()
        sensor.uuid, sensor.sensor_type = name, kind
        sensor.sensor_subtype = habitat_sim.SensorSubType.PINHOLE
        sensor.resolution = [spec.height, spec.width]
        sensor.position, sensor.orientation = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        sensor.hfov = spec.hfov
        agent.sensor_specifications.append(sensor)
    return agent


def _numbers(v: mn.Vector3) -> list[float]:
    return [float(v[0]), float(v[1]), float(v[2])]


def _vector(v: np.ndarray) -> mn.Vector3:
    return mn.Vector3(float(v[0]), float(v[1]), float(v[2]))


def _coefficients(rotation: mn.Quaternion) -> list[float]:
    """x, y, z, w of a Magnum quaternion."""
    return [*_numbers(rotation.vector), float(rotation.scalar)]


def _stem(handle: str) -> str:
    """``objects/milk_0.object_config.json_:0000`` and ``milk_0_:0000`` are of template ``milk_0``."""
    return handle.rsplit("_:", 1)[0].rsplit("/", 1)[-1].removesuffix(".object_config.json")
