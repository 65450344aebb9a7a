"""What is in the way of a body: boxes of what is known, points of what is seen, and the body itself.

One question: does a posture touch anything, and what? Everything is in one frame, in which the base stands somewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import coal
import numpy as np
import pinocchio as pin

from dadu.core.geometry import Pose2
from dadu.motion.model import BodyModel
from dadu.robots.kinematics import Posture
from dadu.world.boxes import OrientedBox

HERE = Pose2(0.0, 0.0, 0.0)
"""where base_link stands unless said otherwise"""
SEEN = "what the camera sees"
"""the name of points that are in the way"""
MARGIN = 0.006
"""by which the body keeps off what is in its way [m]"""
ENOUGH = 3
"""cells of a cloud within a shape that make a collision: fewer may be noise at an edge"""
CELL = 0.008
"""edge of a cloud's cells [m]; a point fills its cell"""


class Obstacle(NamedTuple):
    """A box that is known to be in the way."""

    name: str
    box: OrientedBox


class Load(NamedTuple):
    """A box in the hand."""

    T_tool_box: np.ndarray
    """(4, 4)"""
    size: np.ndarray
    """(3,) full extents [m]"""


@dataclass(frozen=True)
class Contact:
    """What touches what."""

    part: str
    """of the body: a link of the URDF, or ``load``"""
    other: str
    """an obstacle's name, `SEEN`, or another part of the body"""


class CollisionScene:
    """Obstacles about one body."""

    def __init__(self, body: BodyModel, obstacles: Iterable[Obstacle] = (), points: np.ndarray | None = None) -> None:
        """`points` (N, 3) [m]: of a depth picture."""
        self._body, self._base = body, HERE
        self._boxes = [(name, coal.Box(*box.size), pin.SE3(box.R, box.centre)) for name, box in obstacles]
        seen = points is not None and len(points) > 0
        self._seen = coal.makeOctree(np.asarray(points, float), CELL) if seen else None
        self._assemble(None)

    def carrying(self, load: Load) -> CollisionScene:
        """The same with something in the hand."""
        laden = copy(self)
        laden._assemble(load)
        return laden

    def at(self, base: Pose2) -> CollisionScene:
        """The same, base_link standing at `base` in the frame of what is in the way."""
        moved = copy(self)
        moved._base = base
        return moved

    def contact(self, posture: Posture, aperture: float) -> Contact | None:
        """What a posture with the fingers `aperture` apart [m] touches; None where it is free."""
        body, results = self._body, self._results
        q = body.configuration(posture, aperture, self._base)
        if not pin.computeCollisions(body.model, body.data, self._geometry, results, q, False):
            return None
        for i, result in enumerate(results.collisionResults):
            if result.numContacts() >= (ENOUGH if i in self._cloud else 1):
                pair = self._geometry.collisionPairs[i]
                return Contact(self._names[pair.first], self._names[pair.second])
        return None

    def blocked(self, postures: Sequence[Posture], aperture: float) -> Contact | None:
        """The first contact of several postures; None where all are free."""
        return next((hit for posture in postures if (hit := self.contact(posture, aperture))), None)

    def free(self, postures: Sequence[Posture], aperture: float) -> bool:
        """True if none of the postures touches anything."""
        return self.blocked(postures, aperture) is None

    def _assemble(self, load: Load | None) -> None:
        self._geometry = self._body.geometry.copy()
        moving = list(self._body.arm_shapes)
        if load is not None:
            moving.append(self._geometry.addGeometryObject(self._body.load(*load)))
        own = len(self._geometry.collisionPairs)
        self._names = [shape.name for shape in self._geometry.geometryObjects]
        for box in self._boxes:
            self._add(*box, moving)
        boxes = len(self._geometry.collisionPairs)
        if self._seen is not None:
            self._add(SEEN, self._seen, pin.SE3.Identity(), moving)
        self._results = self._geometry.createData()
        for request in list(self._results.collisionRequests)[own:]:
            request.security_margin = MARGIN
        self._cloud = range(boxes, len(self._geometry.collisionPairs))
        for i in self._cloud:
            self._results.collisionRequests[i].num_max_contacts = ENOUGH

    def _add(self, name: str, shape: coal.CollisionGeometry, T: pin.SE3, moving: Sequence[int]) -> None:
        index = self._geometry.addGeometryObject(pin.GeometryObject(f"{len(self._names)} {name}", 0, T, shape))
        self._names.append(name)
        for part in moving:
            self._geometry.addCollisionPair(pin.CollisionPair(part, index))
