"""What furniture does to its contents: fridges cool, ovens and stoves heat, running water cleans."""

from __future__ import annotations

from dadu.house.states import affordances_of, content_states
from dadu.sim.oracle.state import OracleObject
from dadu.sim.oracle.truth import OracleWorld
from dadu.world.graph import Entity, Relation


def settle_in(world: OracleWorld, piece: str) -> None:
    """After something was put in `piece`, or it was shut or switched: its contents warm up or cool down."""
    entity = world.pieces.get(piece)
    change = content_states(entity) if entity is not None else {}
    for thing in _content(world, entity) if entity is not None and change else ():
        thing.states |= change


def settle_at_start(world: OracleWorld) -> None:
    """What starts in something cold is cold, unless the house says otherwise."""
    for entity in world.pieces.values():
        if "cool" in affordances_of(entity.category):
            for thing in _content(world, entity):
                if "is_hot" not in thing.states:
                    thing.states.setdefault("is_cold", True)


def _content(world: OracleWorld, entity: Entity) -> list[OracleObject]:
    """What is in it; on it, where it has no inside, such as a stove."""
    inside = any(surface.inside for surface in entity.surfaces)
    return [t for t in world.on(entity.id) if t.support.relation is Relation.IN or not inside]
