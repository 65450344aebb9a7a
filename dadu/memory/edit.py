"""An operator's corrections of the world graph: checked in full before anything changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dadu.core.errors import DaduError, choices
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

ACTIONS = ("put", "remove", "move", "teach", "forget", "undo")

_ENTITY = TypeAdapter(Entity)
_FIELDS = frozenset(f.name for f in fields(Entity))


class EditRefused(DaduError):
    """A correction that cannot be made; the text says why and what can."""


def parse_edit(text: str) -> tuple[str, Any]:
    """Action and argument of ``{"put": {...}}``, ``{"remove": ID}``, ``{"move": {...}}``, ``{"teach": {...}}``,
    ``{"forget": NAME}`` or ``{"undo": true}``.

    Errors: EditRefused.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise EditRefused(f"not JSON: {error}") from None
    if not isinstance(data, dict) or len(data) != 1 or next(iter(data)) not in ACTIONS:
        raise EditRefused(f"an edit is an object with one of these keys: {choices(ACTIONS)}")
    return next(iter(data.items()))


def apply_edit(graph: WorldGraph, action: str, argument: Any, stamp: float) -> str:
    """Makes one correction of the graph (put, remove or move) and says what it did. Errors: EditRefused, and nothing
    has changed."""
    return {"put": _put, "remove": _remove, "move": _move}[action](graph, argument, stamp)


def _put(graph: WorldGraph, argument: Any, stamp: float) -> str:
    """Adds an entity, or changes the given fields of a known one."""
    if not isinstance(argument, Mapping) or not isinstance(argument.get("id"), str) or not argument["id"]:
        raise EditRefused("put takes an object with at least an id")
    if unknown := argument.keys() - _FIELDS:
        raise EditRefused(f"unknown field {choices(unknown)}; valid: {choices(_FIELDS, 40)}")
    known = graph.entities.get(argument["id"])
    data = (asdict(known) if known else {}) | dict(argument) | {"provenance": "operator", "stamp": stamp}
    if "confidence" not in argument:
        data["confidence"] = 1.0
    try:
        entity = _ENTITY.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise EditRefused(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if known is not None and entity.kind is not known.kind:
        raise EditRefused(f"{entity.id} is known as {known.kind.value}, not {entity.kind.value}")
    graph.put(entity)
    return f"{'changed' if known else 'added'} {entity.id}"


def _remove(graph: WorldGraph, argument: Any, stamp: float) -> str:
    entity = known_thing(graph, argument)
    if entity.kind in (Kind.HOUSE, Kind.AGENT):
        raise EditRefused(f"{entity.id} is the {entity.kind.value} and stays")
    graph.remove(entity.id)
    return f"removed {entity.id}"


def _move(graph: WorldGraph, argument: Any, stamp: float) -> str:
    if not isinstance(argument, Mapping) or argument.keys() not in ({"object", "on"}, {"object", "in"}):
        raise EditRefused('move takes {"object": ID, "on": ID} or {"object": ID, "in": ID}')
    relation = Relation("on" if "on" in argument else "in")
    thing, receptacle = known_thing(graph, argument["object"]), known_thing(graph, argument[relation.value])
    if thing.kind is not Kind.OBJECT or receptacle.kind not in (Kind.FURNITURE, Kind.ROOM):
        raise EditRefused(f"objects move to furniture or rooms, not {thing.id} to {receptacle.id}")
    graph.edges = {e for e in graph.edges if e.subject != thing.id}
    if receptacle.kind is Kind.ROOM:
        graph.edges.add(Edge(thing.id, Relation.IN_ROOM, receptacle.id))
        height, (x, y) = thing.size[2] / 2, receptacle.position[:2]
    else:
        inside = relation is Relation.IN
        surface = next((s for s in receptacle.surfaces if s.inside == inside), None)
        if surface is None:
            raise EditRefused(f"nothing can be {relation.value} {receptacle.id}")
        graph.edges.add(Edge(thing.id, relation, receptacle.id, surface.name))
        x, y, _ = receptacle.surface_pose(surface)
        height = surface.height + thing.size[2] / 2
    graph.put(replace(thing, position=(x, y, height), provenance="operator", stamp=stamp, confidence=1.0))
    return f"moved {thing.id} {relation.value} {receptacle.id}"


def known_thing(graph: WorldGraph, id: Any) -> Entity:
    """Errors: EditRefused where there is none of that id."""
    if not isinstance(id, str) or id not in graph:
        raise EditRefused(f"nothing called {id!r} is known; known: {choices(graph.entities)}")
    return graph[id]
