from dataclasses import dataclass
from enum import Enum

import numpy as np


class SensorType(Enum):
    COLOR, DEPTH, SEMANTIC = 1, 2, 3


class SensorSubType(Enum):
    PINHOLE = 1


class _Fields:
    """pybind classes refuse unknown attributes."""

    _fields = ()

    def __setattr__(self, name, value):
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no attribute {name}")
        object.__setattr__(self, name, value)


class SimulatorConfiguration(_Fields):
    _fields = ("scene_dataset_config_file", "scene_id", "gpu_device_id", "enable_physics", "random_seed",
               "override_scene_light_defaults", "scene_light_setup", "allow_sliding", "load_semantic_mesh")

    def __init__(self):
        self.gpu_device_id, self.override_scene_light_defaults, self.enable_physics = 0, False, True


class CameraSensorSpec(_Fields):
    _fields = ("uuid", "sensor_type", "sensor_subtype", "resolution", "position", "orientation", "hfov")


class NavMeshSettings(_Fields):
    _fields = ("agent_radius", "agent_height", "cell_size", "cell_height", "agent_max_climb", "include_static_objects")

    def set_defaults(self):
        self.agent_radius, self.agent_height, self.cell_size, self.include_static_objects = 0.1, 1.5, 0.05, False


@dataclass
class Configuration:
    sim_cfg: SimulatorConfiguration
    agents: list


@dataclass
class AgentState:
    position: np.ndarray
    rotation: np.ndarray

    def __post_init__(self):
        if not np.isfinite(self.position).all():
            raise ValueError("position contains non-finite values")
        if abs(np.linalg.norm(self.rotation) - 1) > 1e-4:
            raise ValueError("rotation is not a unit quaternion")
