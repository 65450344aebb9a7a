"""What every skill has to make sure of first. Errors: SkillFailed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dadu.core.errors import choices
from dadu.house.states import affordances_of
from dadu.sim.oracle.sight import AgentView
from dadu.sim.oracle.state import OracleObject
from dadu.skills.outcome import Code, Detail, SkillFailed
from dadu.skills.specification import Argument, Hand, SkillSpec
from dadu.skills.table import setting
from dadu.world.graph import ROBOT, Entity, Kind


def known(view: AgentView, id: str, kinds: tuple[Kind, ...] = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM, Kind.AGENT)
          ) -> Entity:
    """The entity called `id`, as memory has it; UNKNOWN_TARGET where it has none."""
    entity = view.graph.entities.get(id)
    if entity is None or entity.kind not in kinds or id == ROBOT:
        names = choices(e.id for e in view.graph if e.kind in kinds and e.id != ROBOT)
        raise SkillFailed(Code.UNKNOWN_TARGET, f"no {' or '.join(k.value for k in kinds)} called {id!r} is known; "
                          f"known: {names}", target=id)
    return entity


def present(view: AgentView, id: str) -> OracleObject:
    """The object called `id`, known, where it can be got at: not behind a door, near, within the hand's heights."""
    entity = known(view, id, (Kind.OBJECT,))
    world, agent = view.world, view.agent
    thing = world.things[id]
    if agent.held == id:
        return thing
    shut = world.hidden_in(thing)
    remembered = view.graph.support(id)
    if shut and remembered is not None and remembered.object == shut:
        raise SkillFailed(Code.CONTAINER_CLOSED, f"{id} is in {shut}, which is closed; open({shut}) first", target=shut)
    moved = math.dist(thing.position, entity.position) > 0.5
    if moved and math.dist(entity.position[:2], view.agent.pose[:2]) <= view.agent.reach or shut:
        where = f"{remembered.relation.value} {remembered.object}" if remembered is not None else "where it was"
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{id} is not seen {where}; explore to find it", Detail.NOT_THERE, id)
    require_within_reach(view, entity.position if moved else thing.position, id)
    if any(agent is not other and other.held == id for other in world.agents.values()):
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{id} is in somebody else's hand; wait until it is put down",
                          Detail.NOT_THERE, id)
    return thing


def require_within_reach(view: AgentView, position: tuple[float, float, float], name: str) -> None:
    """TOO_FAR where the hand does not get to a point of the map [m] from here."""
    agent = view.agent
    away = math.dist(position[:2], agent.pose[:2])
    if away > agent.reach:
        raise SkillFailed(Code.TOO_FAR, f"{name} is {away:.1f} m away, out of reach; go_to({name}) first", target=name)
    low, high = agent.heights
    if not low <= position[2] <= high:
        raise SkillFailed(Code.TOO_FAR, f"{name} is at a height of {position[2]:.2f} m, the hand reaches from "
                          f"{max(low, 0):.2f} to {high:.2f} m", target=name)


def nearest_point(view: AgentView, piece: Entity) -> tuple[float, float, float]:
    """Of furniture's outline to the agent, at a height that suits any hand [m]."""
    local = piece.pose.inverse().apply(view.agent.pose[:2])
    x, y = piece.pose.apply([min(max(v, -s / 2), s / 2) for v, s in zip(local, piece.size[:2], strict=True)])
    return float(x), float(y), min(0.8, piece.size[2])


def empty_hand(view: AgentView, verb: str) -> None:
    if view.agent.held:
        held = view.agent.held
        raise SkillFailed(Code.HAND_FULL, f"the hand holds {held}; place it before you {verb} anything", target=held)


def full_hand(view: AgentView) -> OracleObject:
    if not view.agent.held:
        raise SkillFailed(Code.HAND_EMPTY, "the hand is empty; pick something first")
    return view.world.things[view.agent.held]


def require_in_hand(view: AgentView, id: str) -> None:
    """HAND_FULL where the hand holds something else."""
    held = full_hand(view)
    if held.name != id:
        raise SkillFailed(Code.HAND_FULL, f"the hand holds {held.name}, not {id}; place it and pick {id}", target=id)


def affords(view: AgentView, name: str, affordance: str, category: str, affordances: frozenset[str]) -> None:
    """NOT_INTERACTIVE, naming what it can be done with."""
    if affordance not in affordances:
        from_graph = (e.id for e in view.graph if affordance in view.affordances(e.id))
        raise SkillFailed(Code.NOT_INTERACTIVE, f"{name} ({category}) cannot be used for {affordance}; what can be: "
                          f"{choices(from_graph)}", target=name)


def require(spec: SkillSpec, view: AgentView, arguments: Sequence[str]) -> None:
    """What skills need that give states of things a value, as the table has it: most robots of this project cannot, a
    person can."""
    if spec.hand is Hand.EMPTY:
        empty_hand(view, spec.name)
    if spec.hand is Hand.FULL:
        full_hand(view)
    given = spec.named(arguments)
    for argument in spec.arguments:
        _check(view, argument, given[argument.name])


def _check(view: AgentView, argument: Argument, id: str) -> None:
    """Checks that the thing is what the argument asks for, can be got at, and affords it."""
    entity = known(view, id, argument.kinds)
    if argument.held:
        require_in_hand(view, id)
    piece = view.world.pieces.get(id)
    if piece is None:
        thing = present(view, id)
        category, affordances, states = thing.category, thing.affordances, thing.states
    else:
        category, affordances, states = entity.category, affordances_of(entity.category), piece.states
    if argument.affordance:
        affords(view, id, argument.affordance, category, affordances)
    if piece is not None and argument.stand:
        require_within_reach(view, nearest_point(view, piece), id)
    wanted = argument.must_be
    if wanted is not None and states.get(wanted.name, False) != wanted.value:
        first = " or ".join(setting(wanted.name, wanted.value))
        raise SkillFailed(Code.NOT_INTERACTIVE, f"{id} is not {wanted.word}; {first} it first", target=id)
