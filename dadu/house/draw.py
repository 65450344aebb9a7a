"""Pictures of a house: a labelled floor plan, and a view from above."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from dadu.core.geometry import Pose2, Vector2
from dadu.house.colors import DEFAULT_FLOOR, FLOORS, rgba
from dadu.house.format import Furniture, House, Room
from dadu.house.furniture.pieces import furniture_model, size_of
from dadu.house.placement import place_objects
from dadu.house.walls import THICKNESS, walls
from dadu.world.graph import points_in_polygon

_NAME = np.array([0.6, 0.15])
"""half extents of a room's name [m]"""
_HALO = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.7}


def floor_plan(house: House) -> Figure:
    """Rooms, walls, doors, furniture with its fronts, objects and the robot, to scale in map coordinates [m]."""
    corners = np.concatenate([room.floor for room in house.rooms])
    low, high = corners.min(axis=0) - 0.4, corners.max(axis=0) + 0.4
    width, height = high - low
    figure = Figure(figsize=(1.35 * width, 1.35 * height + 0.3), dpi=110, layout="constrained")
    axes = figure.add_subplot()
    for room in house.rooms:
        color = FLOORS.get(room.category, DEFAULT_FLOOR)[0]
        axes.add_patch(Polygon(room.floor, facecolor=rgba(color), edgecolor="none", alpha=0.45))
    for wall in walls(house):
        color = "#3b3b3b" if wall.bottom == 0 else "#e8e2d4"
        _rectangle(axes, Pose2(*wall.centre, wall.yaw), (wall.length, THICKNESS), facecolor=color, edgecolor="none")
    for piece in sorted(house.furniture, key=lambda piece: piece.elevation):
        _draw_furniture(axes, piece)
    for room in house.rooms:
        axes.text(*_free_middle(house, room), room.name, ha="center", va="center", fontsize=13, color="#00000066",
                  weight="bold")
    _draw_objects(axes, house)
    pose = Pose2(*house.robot.pose)
    _rectangle(axes, pose, (0.34, 0.34), facecolor="#34495e", edgecolor="black")
    tip, left, right = pose.apply([[0.16, 0.0], [-0.02, 0.1], [-0.02, -0.1]])
    axes.add_patch(Polygon([tip, left, right], facecolor="white", edgecolor="none"))
    axes.annotate("robot", (pose.x, pose.y), (pose.x, pose.y - 0.24), fontsize=7, ha="center", va="top")
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel="x [m]", ylabel="y [m]",
             title=house.house)
    return figure


def save_floor_plan(house: House, path: str | Path) -> None:
    """Writes the plan as PNG."""
    figure = floor_plan(house)
    FigureCanvasAgg(figure)
    figure.savefig(path, format="png")


def _free_middle(house: House, room: Room) -> tuple[float, float]:
    """The place in a room that is farthest from its furniture and its outline, both axes counted by how wide a name is
    for its height [m]."""
    corners = np.asarray(room.floor, float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    grid = np.stack(np.meshgrid(*(np.linspace(a, b, 25) for a, b in zip(low, high, strict=True))), axis=-1)
    points = grid.reshape(-1, 2)
    points = points[[points_in_polygon(room.floor, point) for point in points]]
    clear = np.minimum(points - low, high - points) / _NAME
    for piece in (piece for piece in house.furniture if piece.room == room.name):
        c, s = abs(math.cos(piece.pose[2])), abs(math.sin(piece.pose[2]))
        half = np.array([[c, s], [s, c]]) @ size_of(piece)[:2] / 2
        away = (np.abs(points - piece.pose[:2]) - half) / _NAME
        clear = np.minimum(clear, away.max(axis=1, keepdims=True))
    x, y = points[np.argmax(clear.min(axis=1))]
    return float(x), float(y)


def _draw_furniture(axes: Axes, piece: Furniture) -> None:
    model, pose = furniture_model(piece), piece.pose2
    boxes = [(box, rgba("#c0392b")) for part in model.parts for box in part.boxes]
    boxes += [(box, rgba(box.color)) for box in sorted(model.boxes, key=lambda box: box.centre[2] + box.size[2] / 2)]
    style: dict[str, Any] = {"edgecolor": "#00000055", "linewidth": 0.5}
    for box, color in boxes:
        if box.shape == "cylinder":
            x, y = pose.apply(box.centre[:2])
            axes.add_patch(Circle((x, y), box.size[0] / 2, facecolor=color, **style))
        else:
            _rectangle(axes, pose * Pose2(*box.centre[:2], 0.0), box.size[:2], facecolor=color, **style)
    depth, width, _ = size_of(piece)
    front = pose.apply([[depth / 2 + 0.08, -0.06], [depth / 2 + 0.16, 0.0], [depth / 2 + 0.08, 0.06]])
    axes.add_patch(Polygon(front, facecolor="#1f4e79", edgecolor="none"))
    x, y = pose.apply([-0.25 * depth, 0.0])
    axes.text(x, y, piece.name, ha="center", va="center", fontsize=7, weight="bold", bbox=_HALO)


def _draw_objects(axes: Axes, house: House) -> None:
    """Each object to scale, and its name in a list before the front of what it stands on or in."""
    lists: dict[str, list[str]] = {}
    for placement in place_objects(house).values():
        x, y, _ = placement.position
        thing = placement.thing
        _rectangle(axes, Pose2(x, y, placement.yaw), placement.model.size[:2], facecolor=rgba(placement.model.color),
                   edgecolor="#c0392b" if thing.relation == "in" else "black", linewidth=0.9)
        if thing.room is not None:
            axes.annotate(thing.name, (x, y), fontsize=6.5, color="#333333", ha="center", va="bottom")
            continue
        lists.setdefault(thing.receptacle, []).append(f"{thing.name} (in)" if thing.relation == "in" else thing.name)
    for name, things in lists.items():
        pose, depth = house.piece(name).pose2, size_of(house.piece(name))[0]
        out = np.array([math.cos(pose.yaw), math.sin(pose.yaw)])
        x, y = pose.apply([depth / 2 + 0.2, 0.0])
        sideways = abs(out[0]) > abs(out[1])
        axes.text(x, y, "\n".join(things), fontsize=6.5, color="#333333",
                  ha=("left" if out[0] > 0 else "right") if sideways else "center",
                  va="center" if sideways else ("bottom" if out[1] > 0 else "top"))


def _rectangle(axes: Axes, pose: Pose2, size: Vector2, **style: Any) -> None:
    x, y = size[0] / 2, size[1] / 2
    axes.add_patch(Polygon(pose.apply([[x, y], [-x, y], [-x, -y], [x, -y]]), **style))
