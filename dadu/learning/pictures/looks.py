"""Light, colours and patterns that change from scene to scene.

A shape's own colour tints its material: what is told of a thing's colour stays true, for it is only made a little
lighter, darker or warmer.
"""

from __future__ import annotations

import colorsys

import mujoco
import numpy as np

from dadu.learning.pictures.patterns import LABEL, SIZE, label, pattern
from dadu.learning.pictures.settings import PictureSettings
from dadu.sim.mujoco.scene.appearance import looks
from dadu.sim.mujoco.scene.house_mjcf import WALL_NAME
from dadu.sim.mujoco.scene.meshes import MESH_MATERIAL
from dadu.sim.mujoco.scene.textures import GLOWING, STAINED

_PATTERNS = 14
"""of each home, at both scales"""
_SCALES = {"fine": (6.0, 30.0), "coarse": (0.7, 4.0)}
"""repetitions a metre: on things, and on furniture, walls and floors"""
_LABELS = 14
"""of each home, where there are any"""
_LAMPS = 3
_DEFAULT = np.array([0.5, 0.5, 0.5, 1.0])
"""a shape of this colour has that of its material"""
_TINT, _SHIFT = (0.82, 1.12), 0.035
"""of things whose colour is told"""


def add_looks(spec: mujoco.MjSpec, labels: bool, rng: np.random.Generator) -> None:
    """Patterns, labels and lamps that `Looks` deals out."""
    for i in range(_PATTERNS):
        texture = spec.add_texture(name=f"pattern_{i}", type=mujoco.mjtTexture.mjTEXTURE_2D, width=SIZE, height=SIZE,
                                   nchannel=3)
        texture.data = pattern(rng).tobytes()
        for scale, (low, high) in _SCALES.items():
            material = spec.add_material(name=f"{scale}_{i}", texuniform=True)
            textures = material.textures
            textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = f"pattern_{i}"
            material.textures = textures
            repeat = float(np.exp(rng.uniform(np.log(low), np.log(high))))
            material.texrepeat = (repeat, repeat * rng.uniform(0.7, 1.4))
            material.specular, material.shininess = rng.uniform(0, 0.7), rng.uniform(0, 0.8)
    for i in range(_LABELS if labels else 0):
        texture = spec.add_texture(name=f"label_{i}", type=mujoco.mjtTexture.mjTEXTURE_CUBE, width=LABEL,
                                   height=6 * LABEL, nchannel=3)
        texture.data = label(rng).tobytes()
        material = spec.add_material(name=f"label_{i}", specular=rng.uniform(0, 0.7), shininess=rng.uniform(0, 0.8))
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = f"label_{i}"
    for i in range(_LAMPS):
        spec.worldbody.add_light(name=f"lamp_{i}", pos=(0, 0, 2.3), dir=(0, 0, -1), castshadow=False,
                                 type=mujoco.mjtLightType.mjLIGHT_POINT)
    spec.visual.quality.numquads = 4  # lamps light the corners of a shape's quads: they need some


class Looks:
    """Of one model; changes its colours, materials and lights."""

    def __init__(self, model: mujoco.MjModel, owner: np.ndarray, small: np.ndarray, packed: np.ndarray,
                 settings: PictureSettings) -> None:
        """`owner` int32 (ngeom,): whose a shape is, 0: walls and floors, which may have any colour. `small` bool
        (owners,): whose patterns are fine; `packed` bool (owners,): who may have a label."""
        self._model, self._owner, self._textured, self._labelled = model, owner, settings.textured, settings.labelled
        self._small, self._packed = small, packed
        self._lamps = np.array([model.light(i).name.startswith("lamp_") for i in range(model.nlight)])
        model.light_active[self._lamps] = False
        self._own = [(array, array.copy()) for array in looks(model)]
        names = [model.mat(i).name for i in range(model.nmat)]
        self._told = np.array([name.partition(":")[2] in (GLOWING, *STAINED) or name.startswith(MESH_MATERIAL)
                               for name in names])
        self._labels = np.array([i for i, name in enumerate(names) if name.startswith("label_")], int)
        self._patterns = {scale: np.array([names.index(f"{scale}_{i}") for i in range(_PATTERNS)]) for scale in _SCALES}
        self._walls = [np.flatnonzero([model.geom(i).name.startswith(WALL_NAME) for i in range(model.ngeom)])]
        floors = [i for i in range(model.ngeom) if owner[i] == 0 and "/floor_" in model.geom(i).name]
        rooms = sorted({model.geom(i).name.partition("/")[0] for i in floors})
        self._floors = [np.array([i for i in floors if model.geom(i).name.startswith(f"{room}/")]) for room in rooms]

    def reset(self) -> None:
        """As the simulator shows the home."""
        for array, own in self._own:
            array[:] = own

    def change(self, rng: np.random.Generator, around: np.ndarray) -> None:
        """New colours, patterns and light for things as they look now; lamps hang around (2,) [m] in map."""
        materials = self._model.geom_matid.copy()
        self._dress(materials, rng)
        for group in self._walls:
            self._repaint(group, materials, rng, pale=True)
        for group in self._floors:
            self._repaint(group, materials, rng, pale=False)
        self._light(rng, around)

    def _dress(self, materials: np.ndarray, rng: np.random.Generator) -> None:
        """`materials` int (ngeom,): of each shape, -1: none."""
        model, owners, own = self._model, len(self._small), materials >= 0
        custom = (model.geom_rgba[:, :3] != _DEFAULT[:3]).any(axis=1) | ~own
        colors = np.where(custom[:, None], model.geom_rgba, model.mat_rgba[materials])
        telling = self._told[materials] & own
        tint = rng.uniform(*_TINT, owners)[:, None] + rng.normal(0, _SHIFT, (owners, 3))
        shift = rng.normal(0, _SHIFT, (owners, 3))
        model.geom_rgba[:, :3] = np.clip(colors[:, :3] * tint[self._owner] + shift[self._owner], 0.01, 1)
        scales = np.where(self._small, *(self._patterns[scale][rng.integers(_PATTERNS, size=owners)]
                                         for scale in ("fine", "coarse")))
        share = np.full(owners, self._textured)
        if len(self._labels):
            labelled = self._packed & (rng.random(owners) < self._labelled)
            scales = np.where(labelled, self._labels[rng.integers(len(self._labels), size=owners)], scales)
            share[labelled] = 1.0
        patterned = (rng.random(owners) < share)[self._owner] & (self._owner > 0) & ~telling
        model.geom_matid[:] = np.where(patterned, scales[self._owner], materials)

    def _repaint(self, group: np.ndarray, materials: np.ndarray, rng: np.random.Generator, pale: bool) -> None:
        saturation = rng.beta(1, 6) if pale else rng.beta(1.3, 2.5)
        value = rng.uniform(0.55, 1.0) if pale else rng.uniform(0.25, 0.95)
        hue = rng.random() if pale or rng.random() < 0.3 else rng.uniform(0.03, 0.12)
        self._model.geom_rgba[group, :3] = colorsys.hsv_to_rgb(hue, saturation, value)
        if rng.random() < self._textured:
            self._model.geom_matid[group] = self._patterns["coarse"][rng.integers(_PATTERNS)]
        else:
            self._model.geom_matid[group] = materials[group]

    def _light(self, rng: np.random.Generator, around: np.ndarray) -> None:
        """From dim to bright, from flat to one-sided, warm or cold."""
        model, level = self._model, float(np.exp(rng.uniform(np.log(0.75), np.log(1.4))))
        flat = rng.uniform(0.3, 0.75)
        headlight = model.vis.headlight
        headlight.ambient[:] = 0.75 * level * flat * _warmth(rng, 0.05)
        headlight.diffuse[:] = level * rng.uniform(0.0, 0.35) * _warmth(rng, 0.05)
        lamps, count = self._lamps, len(self._lamps)
        model.light_active[:] = np.where(lamps, rng.random(count) < 0.5, rng.random(count) < 0.8)
        share = rng.dirichlet(np.ones(count)) * level * (1.5 - flat)
        model.light_diffuse[:] = share[:, None] * np.array([_warmth(rng, 0.12) for _ in range(count)])
        model.light_specular[:] = model.light_diffuse * rng.uniform(0, 0.6)
        model.light_pos[lamps, :2] = around + rng.uniform(-2, 2, (int(lamps.sum()), 2))
        model.light_pos[lamps, 2] = rng.uniform(1.6, 2.4, int(lamps.sum()))
        directions = rng.normal(0, 0.8, (count, 3)) - (0, 0, 1.2)
        model.light_dir[~lamps] = (directions / np.linalg.norm(directions, axis=1)[:, None])[~lamps]


def _warmth(rng: np.random.Generator, spread: float) -> np.ndarray:
    """(3,), unitless: red, green and blue of a white light, more red where there is less blue."""
    shift = rng.normal(0, spread)
    return np.array([1 + shift, 1.0, 1 - shift])
