"""What skills change, carried out by the oracle: no physics, but true preconditions and places that are free."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.sim.oracle import checks, climate, moving
from dadu.sim.oracle.sight import AgentView
from dadu.sim.oracle.spots import GAPS, free_spots
from dadu.sim.oracle.state import OracleObject, Paced, Support
from dadu.skills.call import PLACED_NEXT_TO
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.specification import SkillSpec, StateValue
from dadu.skills.table import SKILLS
from dadu.world.graph import Entity, Kind, Relation, Surface
from dadu.world.names import meant

HEADROOM = 0.02
"""a thing is lower than the space it goes into by this much [m]"""
HELD_OUT = 10.0
"""how long something is held out to somebody [s]"""
AT = 1.0
"""who is this near to furniture stands at it [m]"""


def carry_out(spec: SkillSpec, view: AgentView, *arguments: str) -> SkillResult:
    """A skill that changes the world. Errors: SkillFailed, with the first condition that does not hold."""
    if spec.only_sets_states:
        checks.require(spec, view, arguments)
    deed = Deed(view, spec.name)
    spec.change(deed, arguments)
    return deed.result


def handover(view: AgentView, agent: str) -> Paced[SkillResult]:
    """Holds out what is held until the other takes it, who stands there with a free hand. Errors: SkillFailed."""
    held = checks.full_hand(view)
    other = view.world.agents[meant(checks.known(view, agent, (Kind.AGENT,)).id, view.agent.name)]
    checks.require_within_reach(view, (*other.pose[:2], 0.9), agent)
    until = view.agent.clock + HELD_OUT
    while other.held or other.way:
        if view.agent.clock >= until:
            raise SkillFailed(Code.EXECUTION_FAILED, f"{agent} did not take {held.name}, which is in the hand still; "
                              "try again later, or put it down near them", Detail.NOT_TAKEN, agent)
        view.agent.clock += moving.WAIT
        view.agent.idle += moving.WAIT
        yield
    checks.require_within_reach(view, (*other.pose[:2], 0.9), agent)
    return carry_out(SKILLS["handover"], view, agent)


class Deed:
    """Changes the true world, as far as the agent can; a `dadu.skills.specification.Changing`. Errors: SkillFailed."""

    def __init__(self, view: AgentView, skill: str) -> None:
        self._view, self._skill = view, skill
        self.result = SkillResult(Code.SUCCEEDED, "nothing changed")

    def arrive(self, target: str) -> None:
        """Who goes somewhere is under way for a while: see `moving`."""

    def take(self, object: str) -> None:
        view = self._view
        checks.empty_hand(view, self._skill)
        thing = checks.present(view, object)
        view.world.settle(thing, (*view.agent.pose[:2], 0.9), Support(Relation.HELD_BY, view.agent.name))
        view.agent.held = object
        self._done(f"{object} is in the hand", object)

    def put(self, relation: str, receptacle: str, reference: str) -> None:
        view, held = self._view, checks.full_hand(self._view)
        if relation not in ("on", "in"):
            raise SkillFailed(Code.UNKNOWN_ACTION, f"things are placed on or in something, not {relation!r}")
        entity = checks.known(view, receptacle, (Kind.FURNITURE, Kind.OBJECT))
        if receptacle == held.name:
            raise SkillFailed(Code.NOT_INTERACTIVE, f"{receptacle} is in the hand; choose another receptacle",
                              target=receptacle)
        beside = _reference(view, reference) if reference else None
        surfaces = _surfaces(view, held, relation, receptacle)
        spot = _spot(view, held, entity.id, surfaces, beside)
        if spot is None:
            where = f"beside {reference} " if reference else ""
            raise SkillFailed(Code.EXECUTION_FAILED, f"there is no free space {where}{relation} {receptacle}; choose "
                              "another place", Detail.NO_FREE_SPACE, receptacle)
        surface, (x, y) = spot
        position = (float(x), float(y), surface.height + held.size[2] / 2)
        _step_along(view, receptacle, position)
        checks.require_within_reach(view, position, receptacle)
        view.agent.held = ""
        view.world.settle(held, position, Support(Relation(relation), receptacle, surface.name), surface.pose.yaw)
        climate.settle_in(view.world, receptacle)
        self._done(f"{held.name} stands {relation} {receptacle}", held.name)

    def hand_over(self, agent: str) -> None:
        view, held = self._view, checks.full_hand(self._view)
        other = view.world.agents[meant(agent, view.agent.name)]
        view.agent.held, other.held = "", held.name
        view.world.settle(held, (*other.pose[:2], 0.9), Support(Relation.HELD_BY, other.name))
        self._done(f"{agent} has taken {held.name}", held.name)

    def turn(self, path: str, open: bool) -> None:
        """The nearest part that is still to be moved, as the physical skill does."""
        view = self._view
        checks.empty_hand(view, self._skill)
        checks.known(view, path, (Kind.FURNITURE, Kind.OBJECT))
        piece = view.world.pieces.get(path)
        if piece is None or not piece.parts:
            able = (e.id for e in view.graph if e.parts)
            raise SkillFailed(Code.NOT_INTERACTIVE, f"{path} has nothing to {self._skill}; what can be: "
                              f"{choices(able)}", target=path)
        waiting = [p for p in piece.parts if not (p.open if open else p.closed)]
        part = min(waiting or piece.parts, key=lambda p: math.dist(p.handle[:2], view.agent.pose[:2]))
        checks.require_within_reach(view, part.handle, path)
        if waiting:
            view.world.move_part(path, part.name, part.range if open else 0.0)
            climate.settle_in(view.world, path)
        self._done(f"{path} is {'open' if open else 'closed'}", path)

    def give(self, id: str, state: StateValue) -> None:
        world = self._view.world
        if id in world.pieces:
            world.pieces[id] = replace(world.pieces[id], states=world.pieces[id].states | {state.name: state.value})
            climate.settle_in(world, id)
        else:
            world.things[id].states[state.name] = state.value
        self._done(f"{id} is {state.word}", id)

    def _done(self, message: str, target: str) -> None:
        self.result = SkillResult(Code.SUCCEEDED, message, target=target)


def _reference(view: AgentView, id: str) -> OracleObject | Entity:
    """What something is to stand next to."""
    known = checks.known(view, id, (Kind.OBJECT, Kind.FURNITURE))
    return view.world.pieces[known.id] if known.kind is Kind.FURNITURE else view.world.things[known.id]


def _step_along(view: AgentView, receptacle: str, position: tuple[float, float, float]) -> None:
    """To where the free space is, for an agent who stands at the furniture already: who drives up to place something
    stands there in the first place."""
    piece, agent = view.world.pieces.get(receptacle), view.agent
    if piece is None or math.dist(position[:2], agent.pose[:2]) <= agent.reach:
        return
    if math.dist(checks.nearest_point(view, piece)[:2], agent.pose[:2]) <= AT:
        for _ in moving.travel(view, position[:2], view.world.room_of_piece[receptacle], receptacle):
            pass  # a step or two, which nobody has to wait for


def _surfaces(view: AgentView, held: OracleObject, relation: str, receptacle: str) -> list[Surface]:
    """Where in or on it the held thing may go, the most comfortable first. Errors: SkillFailed."""
    piece = view.world.pieces.get(receptacle)
    every = _surfaces_now(piece) if piece is not None else _own_surfaces(view.world.things[receptacle])
    meant = [s for s in every if s.inside == (relation == "in")]
    if not meant or receptacle == held.name:
        raise SkillFailed(Code.NOT_INTERACTIVE, f"nothing can be put {relation} {receptacle}; choose another "
                          "receptacle", target=receptacle)
    open_ = [s for s in meant if piece is None or _accessible(piece, s)]
    if not open_:
        raise SkillFailed(Code.CONTAINER_CLOSED, f"{receptacle} is closed; the hand must be empty to open it: put what "
                          f"is held down elsewhere, open({receptacle}), and come back", target=receptacle)
    low, high = view.agent.heights
    fit = [s for s in open_ if s.clearance > held.size[2] + HEADROOM and low <= s.height <= high]
    if not fit:
        raise SkillFailed(Code.TOO_FAR, f"no place {relation} {receptacle} is at a height that suits the arm and the "
                          "object; choose another receptacle", target=receptacle)
    return sorted(fit, key=lambda s: (-min(s.clearance, 0.5), abs(s.height - 0.75)))


def _surfaces_now(piece: Entity) -> list[Surface]:
    """Where the surfaces are with doors and drawers as they stand."""
    return [replace(s, pose=piece.surface_pose(s)) for s in piece.surfaces]


def _accessible(piece: Entity, surface: Surface) -> bool:
    """True if no door or drawer keeps a hand from it."""
    part = piece.part_of(surface)
    return part is None or part.open


def _own_surfaces(thing: OracleObject) -> list[Surface]:
    """The inside of a vessel, or the upper side of another object, on which something can stand."""
    x, y, z = thing.position
    pose, bottom = Pose2(x, y, thing.yaw), z - thing.size[2] / 2
    found = [Surface("top", pose, z + thing.size[2] / 2, thing.size[:2], 2.0)]
    if "place_in" in thing.affordances:
        found.append(Surface("inside", pose, bottom + 0.01, thing.size[:2], 2.0, inside=True))
    return found


def _spot(view: AgentView, held: OracleObject, receptacle: str, surfaces: list[Surface],
          beside: OracleObject | Entity | None,
          ) -> tuple[Surface, np.ndarray] | None:
    """Surface and point (2,) [m, map] that is free: the one nearest to the agent, or to what it goes beside. What is
    longer than a vessel stands in it, as a spoon does in a mug."""
    lying = held.size[0] / 2, held.size[1] / 2
    thin, thick, _ = sorted(held.size)
    wanted = np.array(beside.position[:2] if beside is not None else view.agent.pose[:2])
    for gap in GAPS:
        for surface in surfaces:
            neighbours = [t for t in view.world.on(receptacle, surface.name) if t is not held]
            spots = free_spots(surface.pose, surface.size, lying, neighbours, gap)
            if len(spots) == 0 and surface.inside and receptacle in view.world.things:
                spots = free_spots(surface.pose, surface.size, (thin / 2, thick / 2), neighbours, gap)
            if len(spots) == 0:
                continue
            if beside is not None:
                spots = spots[_next_to(spots, surface, held, beside)]
            if len(spots):
                return surface, spots[np.argmin(np.hypot(*(spots - wanted).T))]
    return None


def _next_to(spots: np.ndarray, surface: Surface, held: OracleObject, beside: OracleObject | Entity) -> np.ndarray:
    """bool (N,): whether what is held is next to a thing when it stands at a point of `spots` (N, 2) [m, map]."""
    if isinstance(beside, OracleObject) and not (
            beside.bottom <= surface.height + held.size[2] and surface.height <= beside.bottom + beside.size[2]):
        return np.zeros(len(spots), bool)
    return beside.box.away(spots) <= PLACED_NEXT_TO + min(held.size[:2]) / 2
