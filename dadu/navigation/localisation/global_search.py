"""Where on the whole map a scan could have been taken: a coarse search over positions and headings."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import distance_transform_edt

from dadu.core.geometry import Pose2
from dadu.navigation.localisation.likelihood import LikelihoodField
from dadu.world.occupancy import FREE, OccupancyMap

_STEP, _YAWS, _RAYS, _BEST, _CLEARANCE, _SIGMA = 0.2, 72, 60, 12, 0.2, 0.15


def search(map: OccupancyMap, field: LikelihoodField, hits: np.ndarray) -> list[Pose2]:
    """The most likely poses, best first, for laser hits (N, 2) [m] in base_link."""
    hits = hits[np.linspace(0, len(hits) - 1, min(len(hits), _RAYS)).astype(int)] if len(hits) else hits
    stride = max(1, round(_STEP / map.resolution))
    room = distance_transform_edt(map.grid == FREE) * map.resolution > _CLEARANCE
    cells = np.argwhere(room)
    places = map.centres(cells[(cells % stride == 0).all(axis=1)])
    if not len(places) or not len(hits):
        return []
    scored = []
    for yaw in np.linspace(-np.pi, np.pi, _YAWS, endpoint=False):
        turned = Pose2(0.0, 0.0, float(yaw)).apply(hits)
        d, _ = field.sample(places[:, None] + turned)
        score = np.exp(-0.5 * (d / _SIGMA) ** 2).mean(axis=1)
        best = np.argsort(score)[-3:]
        scored += [(float(score[i]), Pose2(float(places[i, 0]), float(places[i, 1]), float(yaw))) for i in best]
    scored.sort(key=lambda entry: -entry[0])
    return [pose for _, pose in scored[:_BEST]]
