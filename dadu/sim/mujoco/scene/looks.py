"""Materials, lights and picture quality of a compiled house, tuned for rendering without a GPU."""

from __future__ import annotations

import mujoco
import numpy as np

from dadu.house.colors import rgba
from dadu.sim.mujoco.scene.textures import GLOWING, STAINED, TILE, picture


class Materials:
    """Makes each material of a spec once and hands out its name."""

    def __init__(self, spec: mujoco.MjSpec) -> None:
        self._spec = spec
        self._names: set[str] = set()

    def name(self, color: str, finish: str) -> str:
        """The material of a colour and finish."""
        name = material_name(color, finish)
        if name not in self._names:
            self._names.add(name)
            self._add(name, color, finish)
        return name

    def _add(self, name: str, color: str, finish: str) -> None:
        material = self._spec.add_material(name=name, rgba=rgba(color))
        material.specular, material.shininess = (0.6, 0.6) if finish == "metal" else (0.12, 0.2)
        material.emission = 0.5 if finish == GLOWING else 0.0
        texture = self._texture(finish)
        if texture:
            textures = material.textures
            textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = texture
            material.textures = textures
            material.texuniform = finish not in STAINED  # stains grow with what they are on
            material.texrepeat = (1 / TILE, 1 / TILE)

    def _texture(self, finish: str) -> str | None:
        """A flat picture: MuJoCo lays it over the top of a box and draws its edges down the sides, like grain."""
        pixels = picture(finish)
        if pixels is not None and finish not in self._names:
            self._names.add(finish)
            kind = mujoco.mjtTexture.mjTEXTURE_CUBE if finish in STAINED else mujoco.mjtTexture.mjTEXTURE_2D
            height, width, _ = pixels.shape
            texture = self._spec.add_texture(name=finish, type=kind, width=width, height=height, nchannel=3)
            texture.data = pixels.tobytes()
        return finish if pixels is not None else None


def material_name(color: str, finish: str) -> str:
    """What it is called in a model."""
    return f"{color}:{finish}"


def light_up(spec: mujoco.MjSpec, centre: tuple[float, float], span: float) -> None:
    """Sky, lights and quality for a house around `centre` with a diagonal of `span` [m]."""
    spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
                     rgb1=(0.93, 0.94, 0.96), rgb2=(0.70, 0.74, 0.80), width=64, height=384)
    spec.visual.headlight.ambient = (0.42, 0.42, 0.42)
    spec.visual.headlight.diffuse = (0.22, 0.22, 0.22)
    spec.visual.headlight.specular = (0.05, 0.05, 0.05)
    for direction, strength in (((0.35, 0.5, -1.0), 0.38), ((-0.6, -0.25, -0.6), 0.16)):
        position = np.array([*centre, 0.0]) - span * np.array(direction) / np.linalg.norm(direction)
        spec.worldbody.add_light(pos=position, dir=direction, type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
                                 diffuse=(strength, strength, 0.96 * strength), specular=(0.1, 0.1, 0.1),
                                 castshadow=False)
    # Multisampling and shadows cost five sixths of the frame rate of software rendering.
    spec.visual.quality.offsamples = 0
    spec.visual.quality.shadowsize = 0
    # Boxes in one piece: a furnished home is mostly boxes, and drawing takes as long as it has corners.
    spec.visual.quality.numquads = 1
    spec.visual.global_.offwidth = 1920
    spec.visual.global_.offheight = 1440
    spec.stat.extent = span / 2
    spec.stat.center = (*centre, 0.8)
    spec.visual.map.znear = 0.02 / spec.stat.extent
    spec.visual.map.zfar = 60 / spec.stat.extent
