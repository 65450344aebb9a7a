"""Upright rectangles in the map [m]."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Rectangle:
    """Between two corners."""

    low: Point
    high: Point

    @property
    def size(self) -> Point:
        return self.high[0] - self.low[0], self.high[1] - self.low[1]

    @property
    def centre(self) -> Point:
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2

    @property
    def elongation(self) -> float:
        """Longer side over shorter side."""
        return max(self.size) / min(self.size)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Counter-clockwise."""
        (x0, y0), (x1, y1) = self.low, self.high
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)

    def beside(self, other: Rectangle) -> bool:
        """True if both reach over some of the same y."""
        return min(self.high[1], other.high[1]) - max(self.low[1], other.low[1]) > 1e-6

    def shared_wall(self, other: Rectangle) -> float:
        """Length of the wall between two that touch [m]; 0 where they do not."""
        wall = self.wall_with(other)
        return 0.0 if wall is None else wall[3] - wall[2]

    def wall_with(self, other: Rectangle) -> tuple[int, float, float, float] | None:
        """The wall between two that touch: the axis that it stands across (0: x), its place on that axis, and from
        where to where it runs on the other axis [m]."""
        for axis in (0, 1):
            across = 1 - axis
            low = max(self.low[across], other.low[across])
            high = min(self.high[across], other.high[across])
            for one, two in ((self, other), (other, self)):
                if abs(one.high[axis] - two.low[axis]) < 1e-6 and high - low > 1e-6:
                    return axis, one.high[axis], low, high
        return None
