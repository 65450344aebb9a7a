"""A stand-in for habitat-sim 0.3: the calls that the adapter makes, with their names, types and refusals.

It loads a scene dataset as habitat-sim does and keeps a world of upright boxes: each geometry of a GLB is one box. It
falls, casts rays, walks and draws with these; nothing of it is meant to look good.
"""

from types import SimpleNamespace

import numpy as np

from habitat_sim import _world, agent, geo, gfx, physics
from habitat_sim._types import (
    AgentState,
    CameraSensorSpec,
    Configuration,
    NavMeshSettings,
    SensorSubType,
    SensorType,
    SimulatorConfiguration,
)

AgentConfiguration = agent.AgentConfiguration

__all__ = ["AgentConfiguration", "AgentState", "CameraSensorSpec", "Configuration", "NavMeshSettings", "SensorSubType",
           "SensorType", "Simulator", "SimulatorConfiguration", "agent", "geo", "gfx", "physics"]


class Simulator:
    def __init__(self, config):
        if not isinstance(config, Configuration):
            raise TypeError("Simulator takes a Configuration")
        backend = config.sim_cfg
        if backend.gpu_device_id >= 0:
            raise RuntimeError("unable to find CUDA device")  # as where there is no GPU
        self._dark = not backend.override_scene_light_defaults
        self._specs = config.agents[0].sensor_specifications
        self._world = _world.load(backend.scene_dataset_config_file, backend.scene_id)
        self.pathfinder = _world.PathFinder(self._world)
        self._agent = agent.Agent()
        self._open = True

    def get_agent(self, agent_id):
        assert agent_id == 0
        return self._agent

    def get_rigid_object_manager(self):
        objects = {o.handle: o for o in self._world.objects}
        return SimpleNamespace(get_object_handles=lambda: list(objects), get_object_by_handle=objects.__getitem__)

    def recompute_navmesh(self, pathfinder, settings):
        assert pathfinder is self.pathfinder and isinstance(settings, NavMeshSettings)
        assert settings.include_static_objects
        return pathfinder.build(settings)

    def step_physics(self, dt):
        self._world.fall(float(dt))

    def cast_ray(self, ray, max_distance=100.0):
        hit = self._world.cast(np.array(ray.origin), np.array(ray.direction)[None], max_distance)[0][0]
        found = [SimpleNamespace(ray_distance=float(hit))] if np.isfinite(hit) else []
        return SimpleNamespace(has_hits=lambda: bool(found), hits=found)

    def get_sensor_observations(self):
        spec = self._specs[0]
        depth, semantic, rgb = self._world.draw(self._agent.position, self._agent.R, spec.resolution, spec.hfov)
        pictures = {SensorType.COLOR: np.zeros_like(rgb) if self._dark else rgb, SensorType.DEPTH: depth,
                    SensorType.SEMANTIC: semantic}
        return {spec.uuid: pictures[spec.sensor_type] for spec in self._specs}

    def close(self):
        assert self._open
        self._open = False
