"""Furniture, parts and objects of a house as they are in Habitat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2, Vector3, quaternion, rotation, rotation_z, transform, vector3
from dadu.house.format import Furniture, House
from dadu.house.furniture.model import Part
from dadu.house.furniture.pieces import furniture_model
from dadu.house.placement import place_objects
from dadu.sim.backend import DisturbanceError, Position
from dadu.sim.habitat.client import HabitatClient
from dadu.sim.habitat.dataset import DYNAMIC, SceneItem, part_pose
from dadu.sim.habitat.frames import pose_to_habitat, pose_to_map, to_map
from dadu.world.boxes import OrientedBox
from dadu.world.state import ObjectState, WorldState

LIFT = 0.002
"""things are put down from this height [m]"""


class HabitatThings:
    """Poses by name, as of the last step; doors and drawers are set, objects fall by Bullet."""

    def __init__(self, house: House, items: Sequence[SceneItem], client: HabitatClient) -> None:
        """`items`: what the scene holds, as exported or as `foreign_items` has it."""
        self.house, self._client = house, client
        self._ids = {item.name: item.semantic_id for item in items}
        self._by_id = {item.semantic_id: item for item in items}
        self.sizes: dict[str, Vector3] = {}
        """extents of objects along their own axes [m]"""
        self._centres: dict[str, np.ndarray] = {}
        self._measure(items, client.objects)
        self.categories_of = {item.name: item.category for item in items}
        whole = [item for item in items if "/" not in item.name]
        self.names = tuple(item.name for item in whole)
        self.categories = tuple(item.category for item in whole)
        self.parts = {item.name: 0.0 for item in items if "/" in item.name}
        self._start = dict(self.parts)
        self._table = self._instance_table()
        self.poses: dict[str, np.ndarray] = {}
        self._take(client.call("poses"))

    def reset(self) -> None:
        """Everything back to the start."""
        self.parts = dict(self._start)
        self._take(self._client.call("reset"))

    def step(self, dt: float) -> None:
        """Bullet, for `dt` [s]."""
        self._take(self._client.call("step", {"dt": dt}))

    def put(self, name: str, T_map_thing: np.ndarray, motion: str = "") -> None:
        """Puts a part or an object somewhere; `motion` as in `HabitatScene.put`."""
        T = pose_to_habitat(T_map_thing)
        self._client.call("put", {"id": self._ids[name], "motion": motion}, position=T[:3, 3],
                          rotation=np.array(quaternion_of(T)))
        self.poses[name] = T_map_thing

    def set_part(self, name: str, value: float) -> None:
        """A door or drawer ``FURNITURE/PART`` to `value` [rad or m]; a drawer takes its content along."""
        before, after = part_pose(self.house, name, self.parts[name]), part_pose(self.house, name, value)
        piece, part = self._part(name)
        if part.kind == "slide":
            shift = transform(np.eye(3), after[:3, 3] - before[:3, 3])
            for thing in self._content(piece, part.name, before):
                self.put(thing, shift @ self.poses[thing], DYNAMIC)
        self.parts[name] = value
        self.put(name, after)

    def part_range(self, name: str) -> float:
        """[rad or m]"""
        return self._part(name)[1].range

    def instances(self, semantic: np.ndarray) -> np.ndarray:
        """int32 (H, W), 1 + index into `names`, of Habitat's semantic ids; parts count as their furniture."""
        return self._table[np.clip(semantic, 0, len(self._table) - 1)]

    def state(self, stamp: float, robot: Pose2, held: str) -> WorldState:
        """The true state."""
        bodies = {name: ObjectState(name, self.categories_of[name], self.box(name),
                                    name == held) for name in self.sizes}
        return WorldState(stamp, robot, bodies, dict(self.parts))

    def box(self, name: str) -> OrientedBox:
        """Of an object, in map."""
        T = self.poses[name]
        return OrientedBox(T[:3, :3] @ self._centres[name] + T[:3, 3], T[:3, :3].copy(),
                           np.array(self.sizes[name], float))

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        return {"habitat_poses": np.array([self.poses[name] for name in self.sizes]).reshape(-1, 4, 4),
                "habitat_parts": np.array(list(self.parts.values()))}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """The inverse of `arrays`."""
        for name, value in zip(list(self.parts), arrays["habitat_parts"], strict=True):
            self.set_part(name, float(value))
        for name, T in zip(self.sizes, arrays["habitat_poses"], strict=True):
            self.put(name, T, DYNAMIC)

    def _take(self, reply: Mapping[str, np.ndarray]) -> None:
        for id, row in zip(reply["ids"].tolist(), reply["poses"], strict=True):
            item = self._by_id.get(id)
            if item is not None:
                self.poses[item.name] = pose_to_map(transform(rotation(row[3:]), row[:3]))

    def _measure(self, items: Sequence[SceneItem], objects: Sequence[Mapping[str, Any]]) -> None:
        """Sizes and centres of what can be carried: as built from the house, of other things as Habitat has them."""
        boxes = {o["id"]: to_map([o["low"], o["high"]]) for o in objects}
        placements = place_objects(self.house)
        for item in items:
            if item.motion != DYNAMIC:
                continue
            if item.name in placements:
                self.sizes[item.name], self._centres[item.name] = placements[item.name].model.size, np.zeros(3)
            else:
                low, high = np.sort(boxes[item.semantic_id], axis=0)
                self.sizes[item.name], self._centres[item.name] = vector3(high - low), (low + high) / 2

    def _instance_table(self) -> np.ndarray:
        index = {name: i for i, name in enumerate(self.names, start=1)}
        table = np.zeros(max(self._by_id, default=0) + 2, np.int32)
        for id, item in self._by_id.items():
            table[id] = index[item.name.split("/")[0]]
        return table

    def _part(self, name: str) -> tuple[Furniture, Part]:
        furniture, _, part = name.partition("/")
        piece = self.house.piece(furniture)
        return piece, next(p for p in furniture_model(piece).parts if p.name == part)

    def _content(self, piece: Furniture, part: str, T_map_part: np.ndarray) -> list[str]:
        """Objects that stand in a sliding part."""
        found = []
        for deck in (d for d in furniture_model(piece).decks if d.part == part):
            for name in self.sizes:
                x, y, z = (np.linalg.inv(T_map_part) @ [*self.poses[name][:3, 3], 1.0])[:3]
                level = deck.height - 0.02 < z < deck.height + deck.clearance
                beside = np.abs(np.subtract((x, y), deck.centre)) - np.array(deck.size) / 2
                if level and (beside < 0.02).all():
                    found.append(name)
        return found


def foreign_items(objects: Sequence[Mapping[str, Any]]) -> list[SceneItem]:
    """What a scene that somebody else made holds: rigid objects, named by their templates and numbered."""
    counts: dict[str, int] = {}
    items = []
    for o in objects:
        template = o["template"].replace("/", "_")
        number = counts[template] = counts.get(template, -1) + 1
        items.append(SceneItem(f"{template}_{number}", template, o["id"], o["motion"], np.eye(4)))
    return items


def disturb(things: HabitatThings, kind: str, object: str, target: str, position: Position) -> str:
    """``move``, ``open``, ``close`` as `dadu.sim.mujoco.disturbance` has them. Errors: DisturbanceError."""
    if kind == "move":
        if object not in things.sizes:
            raise DisturbanceError(f"no object called {object!r}; valid: {choices(things.sizes, 40)}")
        x, y, z = _place_on(things, object, target) if target else position
        T = transform(rotation_z(0.0), (x, y, z + things.sizes[object][2] / 2 + LIFT))
        things.put(object, T, DYNAMIC)
        return f"moved {object} to {target or f'{x:.2f}, {y:.2f}'}"
    if kind in ("open", "close"):
        target = target or object
        parts = [name for name in things.parts if target in (name, name.split("/")[0])]
        if not parts:
            raise DisturbanceError(f"{target!r} has no part that opens; valid: {choices(things.parts, 40)}")
        for name in parts:
            things.set_part(name, things.part_range(name) if kind == "open" else 0.0)
        return f"{'opened' if kind == 'open' else 'closed'} {', '.join(parts)}"
    raise DisturbanceError(f"unknown disturbance {kind!r}; valid: {choices(('move', 'open', 'close'))}")


def _place_on(things: HabitatThings, name: str, target: str) -> tuple[float, float, float]:
    """A point on furniture (``shelf_0`` or ``shelf_0/board_1``), clear of other objects [m]."""
    furniture, _, surface = target.partition("/")
    pieces = {piece.name: piece for piece in things.house.furniture}
    if furniture not in pieces:
        raise DisturbanceError(f"no furniture called {furniture!r}; valid: {choices(pieces, 40)}")
    piece, half = pieces[furniture], np.hypot(*things.sizes[name][:2]) / 2
    decks = [d for d in furniture_model(piece).decks if surface in ("", d.name)]
    for deck in sorted(decks, key=lambda d: d.inside):
        limit = np.array(deck.size) / 2 - half
        axes = [np.arange(-m, m + 1e-9, 0.05) for m in limit if m >= 0]
        for offset in (np.stack(np.meshgrid(*axes), -1).reshape(-1, 2) if len(axes) == 2 else ()):
            x, y = piece.pose2.apply(np.array(deck.centre) + offset)
            clear = all(np.hypot(*(things.poses[o][:2, 3] - (x, y))) > half + np.hypot(*size[:2]) / 2
                        for o, size in things.sizes.items() if o != name)
            if clear and deck.clearance > things.sizes[name][2]:
                return float(x), float(y), deck.height
    raise DisturbanceError(f"no free place for {name} on {target}; surfaces: {choices(d.name for d in decks)}")


def quaternion_of(T: np.ndarray) -> tuple[float, float, float, float]:
    """(x, y, z, w) of a pose (4, 4)."""
    return quaternion(T[:3, :3])
