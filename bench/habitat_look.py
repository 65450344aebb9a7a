"""What a MuJoCo model shows, drawn by habitat-sim: its own light, shaded by physically based materials and a picture of
some surroundings. Shapes, places and the things' own colours are the model's; patterns, walls' and floors' colours and
all light are not. Needs ``DADU_HABITAT_PYTHON`` (docs/howto/simulate.md)."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import mujoco
import numpy as np
import trimesh
from trimesh.visual import TextureVisuals

from bench.paint import colors, drawn, repaint
from dadu.core.geometry import transform
from dadu.sim.habitat.client import HabitatClient
from dadu.sim.habitat.dataset import FRAME
from dadu.sim.habitat.frames import camera_to_habitat, horizontal
from dadu.sim.habitat.meshes import Y_UP, paint, surface
from dadu.sim.habitat.things import quaternion_of

_SHADING = {"template_handle": "lit",
            "attributes": {"enable_ibl": True, "enable_direct_lights": True, "map_output_to_srgb": True}}


class HabitatLook:
    """Of one moment of one model: all of it is a stage, nothing moves. Close it."""

    def __init__(self, model: mujoco.MjModel, view: mujoco.MjData, rgba: np.ndarray, materials: np.ndarray,
                 owner: np.ndarray, seed: int, size: tuple[int, int], field_of_view: float) -> None:
        """`rgba` (ngeom, 4), `materials` int (ngeom,) and `owner` int (ngeom,), 0: walls and floors; `size` width and
        height [px], `field_of_view` along the picture's height [deg]. Errors: HabitatUnavailable."""
        stage = _stage(model, view, colors(model, rgba, materials), owner, np.random.default_rng(seed))
        self._scratch = tempfile.TemporaryDirectory(prefix="dadu-look-")
        spec = {"dataset": str(_dataset(Path(self._scratch.name), stage)), "scene": "look", "width": size[0],
                "height": size[1], "hfov": horizontal(field_of_view, size[0] / size[1])}
        self._client = HabitatClient(spec)

    def picture(self, T_map_camera: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Colour uint8 (H, W, 3) and depth (H, W) [m], from a pose (4, 4) of the optical frame."""
        T = camera_to_habitat(T_map_camera)
        seen = self._client.call("render", position=T[:3, 3], rotation=np.array(quaternion_of(T)))
        return seen["rgb"], seen["depth"]

    def close(self) -> None:
        """Ends habitat-sim."""
        self._client.close()
        self._scratch.cleanup()


def _stage(model: mujoco.MjModel, view: mujoco.MjData, shown: np.ndarray, owner: np.ndarray,
           rng: np.random.Generator) -> trimesh.Scene:
    """Every shape that shows, where it is; `shown` (ngeom, 4): colours, those of walls and floors are changed."""
    shine, glossy = rng.uniform(0.25, 0.95, model.nbody), rng.random(model.nbody) < 0.1
    repaint(rng, model, owner, shown)
    stage = trimesh.Scene()
    for i in drawn(model):
        mesh, body = surface(model, i), model.geom_bodyid[i]
        if mesh is None or shown[i, 3] == 0:
            continue
        mesh.apply_transform(Y_UP @ transform(view.geom_xmat[i].reshape(3, 3), view.geom_xpos[i]))
        metallic = 0.7 * float(glossy[body] and owner[i] > 0)
        mesh.visual = TextureVisuals(material=paint(shown[i], shine[body], metallic))
        stage.add_geometry(mesh, geom_name=f"geom_{i}")
    return stage


def _dataset(root: Path, stage: trimesh.Scene) -> Path:
    """The configuration's path, of a dataset of one scene."""
    stage.export(root / "look.glb")
    files = {"look.stage_config.json": {"render_asset": "look.glb", "collision_asset": "look.glb", **FRAME},
             "look.scene_instance.json": {"stage_instance": {"template_name": "look.stage_config"},
                                          "default_pbr_shader_config": _SHADING["template_handle"]},
             "look.scene_dataset_config.json": {"stages": {"paths": {".json": ["."]}},
                                                "scene_instances": {"paths": {".json": ["."]}},
                                                "pbr_ibl_configs": {"configs": [_SHADING]}}}
    for name, content in files.items():
        (root / name).write_text(json.dumps(content))
    return root / "look.scene_dataset_config.json"
