"""What is to be seen in a picture: one label for each thing with a pixel in it."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from dadu.learning.pictures.stage import Stage
from dadu.learning.pictures.store import InstanceLabel


def labels_of(stage: Stage, instances: np.ndarray, depth: np.ndarray, held: str | None) -> tuple[InstanceLabel, ...]:
    """Of numbers uint16 (H, W) and true depth (H, W) [m]; `held`: what is in the gripper."""
    count = len(stage.things) + 1
    pixels = np.bincount(instances.ravel(), minlength=count)
    sums = np.bincount(instances.ravel(), depth.ravel(), minlength=count)
    boxes = ndimage.find_objects(instances, count - 1)
    found = []
    for i in np.flatnonzero(pixels[1:]) + 1:
        thing, (rows, columns) = stage.things[i - 1], boxes[i - 1]
        found.append(InstanceLabel(
            id=int(i), name=thing.name, category=thing.category, kind=thing.kind, color=thing.color,
            states=stage.states(thing),
            openness=_openness(stage, thing.name) if thing.kind == "part" else None, held=thing.name == held,
            pixels=int(pixels[i]), distance=round(float(sums[i] / pixels[i]), 3),
            box=(columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start)))
    return tuple(found)


def _openness(stage: Stage, part: str) -> float:
    """0 shut, 1 as far as it goes."""
    world = stage.world
    return round(float(world.data.joint(part).qpos[0] / world.model.joint(part).range[1]), 3)
