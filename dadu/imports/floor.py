"""What lies on the floor, and the robot: where there is room for them, as near as can be to where they were."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree

from dadu.core.geometry import Pose2
from dadu.house.format import House, Object, RobotStart
from dadu.house.rasterize import rasterize
from dadu.imports.drafts import DraftThing
from dadu.imports.report import ImportReport
from dadu.imports.sizes import object_fields
from dadu.world.graph import points_in_polygon
from dadu.world.occupancy import FREE

_RESOLUTION = 0.05
_SEARCH = 1.0
"""how far a thing on the floor may be moved [m]"""
_ROBOT = 0.35
"""free floor round the robot's middle where it starts [m]"""


class FloorPlaces:
    """Of a furnished house."""

    def __init__(self, house: House, report: ImportReport) -> None:
        self._house, self._report = house, report
        map = rasterize(house, _RESOLUTION)
        rows, columns = np.nonzero(map.grid == FREE)
        self._free = map.centres(np.stack([rows, columns], axis=-1))
        rows, columns = np.nonzero(map.grid != FREE)
        self._taken = map.centres(np.stack([rows, columns], axis=-1))

    def put(self, thing: DraftThing, name: str) -> Iterator[Object]:
        """The object, or none where there is no room for it."""
        size, yaw, said = object_fields(thing)
        spot = self._spot(np.array(thing.pose[:2]), math.hypot(*size[:2]) / 2, _SEARCH)
        room = None if spot is None else next((r.name for r in self._house.rooms if points_in_polygon(r.floor, spot)),
                                              None)
        if spot is None or room is None:
            self._report.leave_out(thing.source, "objects", "no room left on the floor")
            return
        moved = math.dist(spot, thing.pose[:2])
        if moved > _RESOLUTION:
            self._report.change(thing.source, "things on the floor moved to where there is room", moved)
        self._taken = np.concatenate([self._taken, [spot]])
        yield Object.model_validate({"name": name, "room": room, "at": spot, "yaw": round(yaw, 4), **said})

    def robot(self, wanted: Pose2 | None) -> RobotStart:
        """Where it starts: as wanted, else where most room is."""
        spot = None if wanted is None else self._spot(np.array(wanted[:2]), _ROBOT, math.inf)
        if wanted is None or spot is None:
            x, y = self._free[int(np.argmax(self._distances(self._free)))]
            return RobotStart(pose=(round(float(x), 3), round(float(y), 3), 0.0))
        if (moved := math.dist(spot, wanted[:2])) > _RESOLUTION:
            self._report.change("robot", "robots moved to where there is room", moved)
        return RobotStart(pose=(*spot, round(wanted.yaw, 4)))

    def _spot(self, wanted: np.ndarray, radius: float, farthest: float) -> tuple[float, float] | None:
        """The nearest place with `radius` of free floor about it, map [m]."""
        away = np.linalg.norm(self._free - wanted, axis=1)
        near = self._free[away < farthest]
        near = np.concatenate([[wanted], near[np.argsort(away[away < farthest], kind="stable")]])
        fits = np.flatnonzero(self._distances(near) > radius)
        if len(fits) == 0:
            return None
        x, y = near[fits[0]]
        return round(float(x), 4), round(float(y), 4)

    def _distances(self, points: np.ndarray) -> np.ndarray:
        """(N,) from each of (N, 2) points to what is not free [m]."""
        return np.asarray(cKDTree(self._taken).query(points)[0])
