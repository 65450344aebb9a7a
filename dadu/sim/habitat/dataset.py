"""A house as a scene dataset of Habitat: a stage, furniture, its moving parts and the objects, with configurations.

Format: https://aihabitat.org/docs/habitat-sim/attributesJSON.html. Margins are 0 (the default lets things float 4 cm),
up and front are given (a bare GLB is taken for z up), and origins are the meshes' own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from dadu.core.geometry import Pose2, quaternion, rotation_z, transform
from dadu.house.format import House
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import place_objects
from dadu.sim.habitat.frames import pose_to_habitat
from dadu.sim.habitat.meshes import body_scene
from dadu.sim.mujoco.scene.house_mjcf import build_spec

STATIC, KINEMATIC, DYNAMIC = "static", "kinematic", "dynamic"
FRAME = {"up": [0.0, 1.0, 0.0], "front": [0.0, 0.0, -1.0], "margin": 0.0}
_SHADING = {"template_handle": "plain", "attributes": {"enable_ibl": False, "map_output_to_srgb": True}}
"""colours as they are given; no light from a picture of some surroundings, which halves the speed"""


@dataclass(frozen=True)
class SceneItem:
    """One object of the scene."""

    name: str
    """``fridge_0``, ``fridge_0/door``, ``milk_0``"""
    category: str
    semantic_id: int
    """unique, from 1"""
    motion: str
    T_map_item: np.ndarray
    """(4, 4), parts closed"""
    mass: float = 0.0

    @property
    def stem(self) -> str:
        """Of its files."""
        return self.name.replace("/", "__")


@dataclass(frozen=True)
class Dataset:
    """Where things lie."""

    config: Path
    """``NAME.scene_dataset_config.json``"""
    scene: str
    """handle of the scene instance"""
    items: tuple[SceneItem, ...]


def export_dataset(house: House, directory: str | Path) -> Dataset:
    """Writes the dataset of a house below `directory`. Errors: ConfigError where objects find no place."""
    root, name = Path(directory), house.house
    for folder in ("stages", "objects", "scenes"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    model = build_spec(house).compile()
    items = tuple(house_items(house))
    body_scene(model, 0).export(root / "stages" / f"{name}.glb")
    _write(root / "stages" / f"{name}.stage_config.json",
           {"render_asset": f"{name}.glb", "collision_asset": f"{name}.glb", **FRAME, "friction_coefficient": 0.8})
    for item in items:
        body_scene(model, model.body(item.name).id).export(root / "objects" / f"{item.stem}.glb")
        _write(root / "objects" / f"{item.stem}.object_config.json", _object_config(item))
    _write(root / "scenes" / f"{name}.scene_instance.json", _scene_instance(name, items))
    _write(root / "instances.json", [{"semantic_id": i.semantic_id, "name": i.name, "category": i.category}
                                     for i in items])
    config = root / f"{name}.scene_dataset_config.json"
    _write(config, {"stages": {"paths": {".json": ["stages"]}}, "objects": {"paths": {".json": ["objects"]}},
                    "scene_instances": {"paths": {".json": ["scenes"]}},
                    "pbr_ibl_configs": {"configs": [_SHADING]}})
    return Dataset(config, name, items)


def house_items(house: House) -> Iterator[SceneItem]:
    """Furniture, objects, then parts; semantic ids count from 1, those of furniture and objects are 1 + index into the
    simulation's instance names."""
    things = place_objects(house)
    number = 0
    for piece in house.furniture:
        number += 1
        yield SceneItem(piece.name, piece.category, number, STATIC, _planar(piece.pose2))
    for name, placement in things.items():
        number += 1
        T = transform(rotation_z(placement.yaw), placement.position)
        yield SceneItem(name, placement.thing.category, number, DYNAMIC, T, placement.model.mass)
    for piece in house.furniture:
        for part in furniture_model(piece).parts:
            number += 1
            yield SceneItem(f"{piece.name}/{part.name}", piece.category, number, KINEMATIC, _planar(piece.pose2),
                            part.mass)


def part_pose(house: House, item: str, value: float) -> np.ndarray:
    """T_map_part (4, 4) of ``FURNITURE/PART`` at a value [rad or m]."""
    furniture, _, name = item.partition("/")
    piece = house.piece(furniture)
    part = next(p for p in furniture_model(piece).parts if p.name == name)
    axis = np.array(part.axis)
    if part.kind == "slide":
        return _planar(piece.pose2) @ transform(np.eye(3), axis * value)
    q = np.concatenate([[math.cos(value / 2)], math.sin(value / 2) * axis])
    rows = np.empty(9)
    mujoco.mju_quat2Mat(rows, q)
    R, origin = rows.reshape(3, 3), np.array(part.origin)
    return _planar(piece.pose2) @ transform(R, origin - R @ origin)


def _object_config(item: SceneItem) -> dict[str, Any]:
    """Furniture and parts collide as what they are put together from, things as their convex hulls."""
    return {"render_asset": f"{item.stem}.glb", "collision_asset": f"{item.stem}.glb", **FRAME,
            "COM": [0.0, 0.0, 0.0], "mass": round(item.mass, 6) or 1.0, "friction_coefficient": 0.8,
            "rolling_friction_coefficient": 0.002, "spinning_friction_coefficient": 0.002,
            "join_collision_meshes": item.motion == DYNAMIC, "semantic_id": item.semantic_id}


def _scene_instance(name: str, items: tuple[SceneItem, ...]) -> dict[str, Any]:
    return {"stage_instance": {"template_name": f"stages/{name}.stage_config"}, "default_lighting": "",
            "default_pbr_shader_config": _SHADING["template_handle"], "translation_origin": "asset_local",
            "object_instances": [_instance(item) for item in items]}


def _instance(item: SceneItem) -> dict[str, Any]:
    """Habitat looks templates up by any part of their path: the suffix tells mug_1 from mug_10 and a fridge from its
    door."""
    T = pose_to_habitat(item.T_map_item)
    x, y, z, w = quaternion(T[:3, :3])
    return {"template_name": f"objects/{item.stem}.object_config", "motion_type": item.motion,
            "translation": [round(float(v), 6) for v in T[:3, 3]], "rotation": [round(v, 9) for v in (w, x, y, z)]}


def _planar(pose: Pose2) -> np.ndarray:
    return Pose2(*pose).matrix()


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1))
