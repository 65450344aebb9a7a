"""What a bar opens: an upright one a door, hinged on the farther side; one that lies a drawer.

Furniture opens so as a rule. Flaps, such as of dishwashers and ovens in most homes, and sliding doors do not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dadu.core.geometry import Pose2, vector3
from dadu.memory.association.parts import HANDLE_STANDS_OFF
from dadu.world.bars import HandleBar
from dadu.world.graph import Articulation, Entity, Surface

TURN = 1.7
"""how far doors of furniture open [rad]"""
PULL, LEFT_IN = 0.35, 0.08
"""how far a drawer comes out, and how much of it stays in, at least [m]"""
LEAF = 0.03
"""thickness of a door, which turns about an edge of its inner face [m]"""
PAIR = 0.3
"""upright bars nearer than this are those of two doors that meet between them [m]"""
EDGE = 0.05
"""from a bar to the free edge of its door [m]"""
NARROWEST = 0.12
"""from a door's hinge to its bar, at least [m]"""
LENGTH = 0.2
"""of a bar, where it is not known any more [m]"""
DEPTH = 0.4
"""of furniture, where no more than its front was seen [m]"""
WALL = 0.04
"""of a body [m]"""
GUESS = "in_"
"""how the name of a place inside begins that nobody has looked at yet"""
_FLOOR = 0.6
"""where things are taken to stand behind a door nobody looked behind, as a share of its handle's height"""
_TRAY = (0.08, 0.15)
"""from a drawer's handle down to its bottom, and free height above that [m]"""
_ORDINALS = ("top", "second", "third", "fourth", "fifth")


def fronted(piece: Entity, bars: Sequence[HandleBar], stuck: Collection[str] = ()) -> Entity:
    """The piece with the parts that `bars`, all before one face, open, and what is behind them. A part that was known
    stays as far open as it was; what was known to be inside stays. Doors that are `stuck` as they seem to be hinged,
    by name, are hinged on their other side, where that is far enough from the bar."""
    if not bars:
        return piece
    piece = _facing(piece, bars[0].normal)
    depth = piece.size[0] if piece.size[0] >= DEPTH / 2 else DEPTH
    front = _Front.of(bars, depth)
    parts = [*front.doors(stuck), *front.drawers()]
    before = {part.name: part for part in piece.parts}
    parts = [replace(part, value=before[part.name].value) if part.name in before else part for part in parts]
    names = {part.name for part in parts}
    kept = [s for s in piece.surfaces if not s.inside or s.part in names]
    told = {s.part for s in kept}
    return replace(piece, parts=tuple(parts),
                   surfaces=(*kept, *(front.behind(part, piece.box.top) for part in parts if part.name not in told)))


def bars_of(piece: Entity) -> list[HandleBar]:
    """Of its parts, where these are shut."""
    return [_bar_of(part, next((s.size[1] / 2 + WALL for s in piece.surfaces if s.part == part.name), EDGE))
            for part in piece.parts]


def _bar_of(part: Articulation, half: float) -> HandleBar:
    """`half`: of the width of a drawer [m]."""
    across = np.cross((0.0, 0.0, 1.0), part.normal)
    to_hinge = float(across @ np.subtract(part.origin, part.handle))
    left, right = (half, half) if part.kind == "slide" else (max(-to_hinge, EDGE), max(to_hinge, EDGE))
    return HandleBar(part.handle, part.kind == "hinge", part.normal, LENGTH, left, right)


def _facing(piece: Entity, normal: Sequence[float]) -> Entity:
    """The same box with the side that `normal` comes nearest to as its front."""
    quarter = math.pi / 2
    yaw = round(math.atan2(normal[1], normal[0]) / quarter) * quarter
    length, width, height = piece.size
    across = round((yaw - piece.yaw) / quarter) % 2 == 1
    return replace(piece, yaw=yaw, size=(width, length, height) if across else piece.size)


@dataclass(frozen=True)
class _Front:
    """The bars of one face, in its own directions: aside to the right of who stands before it, up, [m]."""

    normal: np.ndarray
    out: float
    """of the bars' middles, along the normal from the map's origin"""
    bars: tuple[tuple[float, float, HandleBar], ...]
    """aside, up"""
    ends: tuple[float, float]
    """how far the face reaches, aside"""
    depth: float

    @classmethod
    def of(cls, bars: Sequence[HandleBar], depth: float) -> _Front:
        normal = np.mean([bar.normal for bar in bars], axis=0)
        normal /= np.linalg.norm(normal)
        across = np.cross((0.0, 0.0, 1.0), normal)
        placed = [(float(across @ bar.centre), bar.centre[2], bar) for bar in bars]
        return cls(normal, float(np.mean([normal @ bar.centre for bar in bars])), tuple(placed),
                   (min(t - bar.left for t, _, bar in placed), max(t + bar.right for t, _, bar in placed)), depth)

    def point(self, aside: float, up: float, out: float = 0.0) -> np.ndarray:
        """(3,) [m, map]; `out` beyond the bars."""
        across = np.cross((0.0, 0.0, 1.0), self.normal)
        return (self.out + out) * self.normal + aside * across + np.array([0.0, 0.0, up])

    def doors(self, stuck: Collection[str]) -> list[Articulation]:
        """From left to right."""
        bars = sorted(((t, z) for t, z, bar in self.bars if bar.upright))
        found = (self._door(name, t, z, name in stuck) for name, (t, z) in zip(_door_names(bars), bars, strict=True))
        return [door for door in found if door is not None]

    def _door(self, name: str, aside: float, up: float, stuck: bool) -> Articulation | None:
        left, right = self._leaf(aside, up)
        # Nobody puts a handle near the hinge.
        side = 1.0 if right - aside > aside - left else -1.0
        if stuck and min(right - aside, aside - left) >= NARROWEST:
            side = -side
        hinge = right if side > 0 else left
        if abs(hinge - aside) < NARROWEST:
            return None
        return Articulation(name, "hinge", vector3(self.point(hinge, 0.0, -HANDLE_STANDS_OFF - LEAF)), (0.0, 0.0, side),
                            vector3(self.point(aside, up)), (0.0, 0.0, 1.0), vector3(self.normal), TURN)

    def _leaf(self, aside: float, up: float) -> tuple[float, float]:
        """From where to where the door with a bar at `aside` and `up` reaches: the face's end, or where the next door
        begins."""
        level = [t for t, z, bar in self.bars if bar.upright and t != aside and abs(z - up) < bar.length]
        left, right = self.ends
        if before := [t for t in level if t < aside]:
            nearest = max(before)
            left = (nearest + aside) / 2 if aside - nearest < PAIR else nearest + EDGE
        if after := [t for t in level if t > aside]:
            nearest = min(after)
            right = (nearest + aside) / 2 if nearest - aside < PAIR else nearest - EDGE
        return left, right

    def drawers(self) -> list[Articulation]:
        """From the top downwards."""
        bars = sorted(((z, t) for t, z, bar in self.bars if not bar.upright), reverse=True)
        reach = min(PULL, self.depth - LEFT_IN)
        across = vector3(np.cross((0.0, 0.0, 1.0), self.normal))
        return [Articulation(name, "slide", vector3(self.point(t, z, -HANDLE_STANDS_OFF)), vector3(self.normal),
                             vector3(self.point(t, z)), across, vector3(self.normal), reach)
                for name, (z, t) in zip(_drawer_names(len(bars)), bars, strict=True)]

    def behind(self, part: Articulation, height: float) -> Surface:
        """A place for things in what `part` opens, where nobody has looked yet: about there."""
        across = np.cross((0.0, 0.0, 1.0), self.normal)
        handle, up = float(across @ part.handle), part.handle[2]
        if part.kind == "slide":
            left, right = self.ends
            middle, width, level, free = (left + right) / 2, right - left, up - _TRAY[0], _TRAY[1]
        else:
            left, right = self._leaf(handle, up)
            hinge = float(across @ part.origin)
            left, right = min(hinge, handle - EDGE), max(hinge, handle + EDGE)
            middle, width, level = (left + right) / 2, right - left, _FLOOR * up
            free = max(height - WALL - level, 0.1)
        x, y, _ = self.point(middle, 0.0, -HANDLE_STANDS_OFF - self.depth / 2)
        size = max(self.depth - 2 * WALL, 0.1), max(width - 2 * WALL, 0.1)
        yaw = math.atan2(self.normal[1], self.normal[0])
        return Surface(GUESS + part.name, Pose2(float(x), float(y), yaw), level, size, free, inside=True,
                       part=part.name)


def _door_names(bars: Sequence[tuple[float, float]]) -> list[str]:
    """Of doors with bars at (aside, up) [m], sorted."""
    if len(bars) == 2:
        (t0, z0), (t1, z1) = bars
        if abs(z1 - z0) > t1 - t0:
            return ["lower_door", "upper_door"] if z0 < z1 else ["upper_door", "lower_door"]
        return ["left_door", "right_door"]
    return ["door"] if len(bars) == 1 else [f"door_{i}" for i, _ in enumerate(bars, 1)]


def _drawer_names(count: int) -> list[str]:
    """From the top downwards."""
    if count <= 1:
        return ["drawer"] * count
    if count == 3:
        return ["top_drawer", "middle_drawer", "bottom_drawer"]
    inner = [f"{_ORDINALS[i]}_drawer" if i < len(_ORDINALS) else f"drawer_{i + 1}" for i in range(count - 1)]
    return [*inner, "bottom_drawer"]
