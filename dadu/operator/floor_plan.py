"""A floor plan as SVG, for the report and the console: rooms, doors, furniture, the way driven, numbered places."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from PIL import Image

from dadu.core.geometry import Pose2, Vector2
from dadu.house.format import Door
from dadu.world.graph import Entity, Kind, WorldGraph, points_in_polygon
from dadu.world.occupancy import FREE, OCCUPIED, OccupancyMap

PIXELS_PER_METRE = 90.0
_MARGIN = 0.25
_WALL = 0.09
"""[m]"""
_LETTER = 6.2
"""width of a letter of the furniture's labels [px]"""


@dataclass(frozen=True)
class Marker:
    label: str
    x: float
    y: float
    kind: str = "ok"
    """CSS class: ok, unsure or bad"""
    title: str = ""


class FloorPlan:
    """Collects layers; map x goes right, y up. Colours come from the page's style sheet (classes ``fp-*``)."""

    def __init__(self, layout: WorldGraph, doors: Iterable[Door] = (), chart: OccupancyMap | None = None) -> None:
        """`doors`: of the house file (`between`, `at`, `width`), drawn as gaps in the walls. `chart`: a map of
        obstacles, drawn below all else."""
        rooms = [room for room in layout.of(Kind.ROOM) if len(room.polygon) > 2]
        corners = np.array([p for r in rooms for p in r.polygon] + _charted(chart) or [(0.0, 0.0), (1.0, 1.0)])
        self._low, self._high = corners.min(0) - _MARGIN, corners.max(0) + _MARGIN
        self._layers: list[str] = []
        if chart is not None:
            self._chart(chart)
        self._rooms = rooms
        for room in rooms:
            outline = self._points(np.array(room.polygon))
            self._layers.append(f'<polygon class="fp-room" data-id={quoteattr(room.id)} points="{outline}" '
                                f'stroke-width="{_WALL * PIXELS_PER_METRE:.1f}"/>')
        for door in doors:
            # Across the wall: along the side of a room that the door's centre lies on.
            x, y = self.xy(*door.at)
            half = door.width / 2 * PIXELS_PER_METRE
            dx, dy = (half, 0.0) if self._on_level_wall(door.at) else (0.0, half)
            self._layers.append(f'<line class="fp-door" x1="{x - dx:.1f}" y1="{y - dy:.1f}" x2="{x + dx:.1f}" '
                                f'y2="{y + dy:.1f}" stroke-width="{_WALL * PIXELS_PER_METRE + 2:.1f}"/>')
        furniture = layout.of(Kind.FURNITURE)
        for piece in furniture:
            self._furniture(piece)
        for room in rooms:
            self._name(room, furniture)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height [px]."""
        w, h = (self._high - self._low) * PIXELS_PER_METRE
        return float(w), float(h)

    def xy(self, x: float, y: float) -> tuple[float, float]:
        """Map [m] to picture [px]."""
        return (x - self._low[0]) * PIXELS_PER_METRE, (self._high[1] - y) * PIXELS_PER_METRE

    def path(self, points: np.ndarray) -> None:
        """The way driven, (N, 2) [m]."""
        if len(points) > 1:
            # Points at least 3 cm apart, first and last kept.
            kept = [points[0]]
            for p in points[1:-1]:
                if np.hypot(*(p - kept[-1])) >= 0.03:
                    kept.append(p)
            self._layers.append(f'<polyline class="fp-path" points="{self._points(np.array([*kept, points[-1]]))}"/>')

    def robot(self, pose: Pose2) -> None:
        """A disc with a nose."""
        self._layers.append(self.robot_symbol(pose))

    def robot_symbol(self, pose: Pose2, id: str = "") -> str:
        """The same, for a page that moves it by its `id`."""
        x, y = self.xy(pose.x, pose.y)
        name = f' id="{escape(id)}"' if id else ""
        return (f'<g{name} class="fp-robot" transform="translate({x:.1f} {y:.1f}) rotate({-np.degrees(pose.yaw):.1f})">'
                '<circle r="15"/><path d="M15 0 L4 -8 L4 8 Z"/></g>')

    def move(self, start: Vector2, end: Vector2, label: str) -> None:
        """Where an object went, from and to [m]."""
        (x0, y0), (x1, y1) = self.xy(*start), self.xy(*end)
        bend = 0.18
        cx, cy = (x0 + x1) / 2 + bend * (y1 - y0), (y0 + y1) / 2 - bend * (x1 - x0)
        self._layers.append(f'<path class="fp-move" d="M{x0:.1f} {y0:.1f} Q{cx:.1f} {cy:.1f} {x1:.1f} {y1:.1f}" '
                            f'marker-end="url(#fp-tip)"><title>{escape(label)}</title></path>'
                            f'<circle class="fp-from" cx="{x0:.1f}" cy="{y0:.1f}" r="5"/>')

    def markers(self, markers: Iterable[Marker]) -> None:
        """Numbered places; those that fall together are spread in a row."""
        placed: list[tuple[float, float]] = []
        for m in markers:
            x, y = self.xy(m.x, m.y)
            while any(abs(x - px) < 24 and abs(y - py) < 24 for px, py in placed):
                x += 25
            placed.append((x, y))
            self._layers.append(f'<g class="fp-step {m.kind}" transform="translate({x:.1f} {y:.1f})">'
                                f"<title>{escape(m.title)}</title><circle r=\"12\"/><text>{escape(m.label)}</text></g>")

    def things(self, dots: Iterable[Marker]) -> None:
        """Small things where they are; what they are is said to who points at them."""
        for m in dots:
            x, y = self.xy(m.x, m.y)
            self._layers.append(f'<g class="fp-thing {m.kind}" transform="translate({x:.1f} {y:.1f})">'
                                f'<title>{escape(m.title or m.label)}</title><circle r="7"/></g>')

    def svg(self, extra: str = "") -> str:
        """The picture, with `extra` SVG on top."""
        w, h = self.size
        tip = ('<defs><marker id="fp-tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
               'orient="auto"><path class="fp-tip" d="M0 0 L8 4 L0 8 Z"/></marker></defs>')
        return (f'<svg class="floor-plan" viewBox="0 0 {w:.0f} {h:.0f}" role="img" aria-label="floor plan" '
                f'xmlns="http://www.w3.org/2000/svg">{tip}{"".join(self._layers)}{extra}</svg>')

    def _chart(self, chart: OccupancyMap) -> None:
        left, right, bottom, top = chart.extent
        (x, y), scale = self.xy(left, top), PIXELS_PER_METRE
        self._layers.append(f'<image class="fp-chart" x="{x:.1f}" y="{y:.1f}" width="{(right - left) * scale:.1f}" '
                            f'height="{(top - bottom) * scale:.1f}" preserveAspectRatio="none" '
                            f'href="data:image/png;base64,{_chart_picture(chart)}"/>')

    def _name(self, room: Entity, furniture: Sequence[Entity]) -> None:
        """Where the floor is freest."""
        low, high = np.min(room.polygon, axis=0), np.max(room.polygon, axis=0)
        xs, ys = np.linspace(low[0], high[0], 25)[3:-3], np.linspace(low[1], high[1], 25)[3:-3]
        spots = [np.array([x, y]) for x in xs for y in ys if points_in_polygon(room.polygon, (x, y))]
        spots = spots or [np.mean(room.polygon, axis=0)]
        half = np.array([0.065 * len(room.id), 0.12])  # of the text [m]
        boxes = [(c.min(0), c.max(0)) for c in map(_corners, furniture)]

        def clearance(spot: np.ndarray) -> float:
            """To the nearest box or wall, along the axis that separates them more [m]."""
            gaps = [np.max(np.maximum(lower - spot, spot - upper) - half) for lower, upper in boxes]
            return min([*(spot - low - half), *(high - spot - half), *gaps])

        x, y = self.xy(*max(spots, key=clearance))
        self._layers.append(f'<text class="fp-room-name" x="{x:.1f}" y="{y:.1f}">{_words(room.id)}</text>')

    def _on_level_wall(self, at: Sequence[float]) -> bool:
        """True if the nearest room side to a point runs along x rather than y."""
        best = (np.inf, True)
        for room in self._rooms:
            start = np.array(room.polygon)
            along = np.roll(start, -1, axis=0) - start
            t = np.clip(((at - start) * along).sum(1) / np.maximum((along**2).sum(1), 1e-9), 0, 1)
            gaps = np.linalg.norm(at - start - t[:, None] * along, axis=1)
            i = int(gaps.argmin())
            best = min(best, (float(gaps[i]), bool(abs(along[i, 0]) >= abs(along[i, 1]))))
        return best[1]

    def _furniture(self, piece: Entity) -> None:
        corners = _corners(piece)
        front = corners[1:3]
        x, y = self.xy(*piece.position[:2])
        width, height = np.ptp(corners, axis=0) * PIXELS_PER_METRE
        self._layers.append(
            f'<g class="fp-furniture" data-id={quoteattr(piece.id)}><title>{escape(piece.id)}</title>'
            f'<polygon points="{self._points(corners)}"/>'
            f'<polyline points="{self._points(front)}"/>{_label(_words(piece.category), x, y, width, height)}</g>')

    def _points(self, points: np.ndarray) -> str:
        return " ".join("{:.1f},{:.1f}".format(*self.xy(*p)) for p in points)


def _charted(chart: OccupancyMap | None) -> list[tuple[float, float]]:
    """Corners of what is charted [m]; of a map without anything known, of all of it."""
    if chart is None:
        return []
    known = np.argwhere((chart.grid == FREE) | (chart.grid == OCCUPIED))
    if not len(known):
        left, right, bottom, top = chart.extent
        return [(left, bottom), (right, top)]
    return [tuple(chart.centres(cell)) for cell in (known.min(0), known.max(0))]


def _chart_picture(chart: OccupancyMap) -> str:
    """PNG in base 64, north up: grey where something stands, lighter where it is free, nothing where it is unknown."""
    grid = chart.grid[::-1]
    pixels = np.zeros((*grid.shape, 2), np.uint8)
    pixels[..., 0] = 128
    pixels[..., 1] = np.where(grid == OCCUPIED, 255, np.where(grid == FREE, 40, 0))
    file = io.BytesIO()
    Image.fromarray(pixels, "LA").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def _corners(piece: Entity) -> np.ndarray:
    """(4, 2) [m], map; the second and third are the front's."""
    return piece.pose.apply(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(piece.size[:2]) / 2)


def _label(text: str, x: float, y: float, width: float, height: float) -> str:
    """Along the longer side [px]; left out where it does not fit."""
    turned = height > 1.3 * width
    if _LETTER * len(text) > max(width, height):
        return ""
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{turn}>{text}</text>'


def _words(name: str) -> str:
    return escape(name.replace("_", " "))
