"""What was asked for in all, as a goal: less what is said twice, each in its turn, one thing in the hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from dadu.goals.belief import holds
from dadu.goals.goal import Branch, Goal, Proposition, Question, Term, undoes
from dadu.goals.interpreter import AskBack
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import BRINGING, PREDICATES
from dadu.knowledge.usual_places import furniture_for_role
from dadu.language.grounding.partial_goal import ASKED, ROBOT, PartialGoal, Want, less, narrowed
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import ROBOT as ROBOT_ID
from dadu.world.graph import Entity, Kind

_STATES = tuple(p.name for p in PREDICATES.values() if p.family is Family.STATE and "powered" not in p.name)
"""what a thing is brought into before it is brought anywhere"""
_TAKES_A_HAND = tuple(p.name for p in PREDICATES.values() if p.skill in ("place", "open", "close") and p.maker is None)
_PLACED = tuple(p.name for p in PREDICATES.values() if p.family is Family.WHEREABOUTS and p.arity == 2)


def finished(part: PartialGoal, scene: Setting) -> Goal | AskBack:
    """Errors: Refusal where two things would have to be held at once."""
    part = _at_one_place(_of_one_thing(part))
    part = _told_apart(_others_apart(part))
    part = _less_those_named(part)
    part = _put_down(_less_what_is_included(part, scene), scene)
    part = _less_what_is_included(part, scene)
    part = _drop_wants(part, {i for i, want in enumerate(part.wants) if want in part.wants[:i]})
    held = [w.proposition for w in part.wants if w.proposition.predicate == "is_held" and not w.otherwise]
    if sum(p.number if not p.every else max(1, len(p.subject.ids)) for p in held) > 1:
        names = [p.subject.name for p in held]
        raise Refusal(f"I have one hand and can hold one thing, not {' and '.join(names)}; say where to put them",
                      names, Code.HAND_FULL)
    goal = _goal(part)
    return _nothing_done(goal, scene) or goal


def _less_what_is_included(part: PartialGoal, scene: Setting) -> PartialGoal:
    return _drop_wants(part, {i for i in range(len(part.wants)) if any(
        _includes(part.wants[j], part.wants[i], scene) for j in range(i + 1, len(part.wants)))})


def _goal(part: PartialGoal) -> Goal:
    propositions = tuple(w.proposition for w in part.wants)
    pairs = ((a, b) for b in range(len(part.wants)) for a in range(b))
    order = {(a, b) for a, b in part.order if not exclusive(part.wants[a], part.wants[b])}
    order |= {(a, b) for a, b in pairs if _comes_first(part.wants[a], part.wants[b])}
    branches = tuple(_branch(q, before, part.wants) for q, before in dict(part.questions).items())
    return Goal(propositions, tuple(sorted(_direct(order))), tuple(dict.fromkeys(part.substitutions)),
                tuple(dict.fromkeys(part.notes)), branches, part.different, part.together)


def _direct(order: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Less the pairs that follow from others."""
    return {(a, c) for a, c in order if not any((a, b) in order and (b, c) in order for b in range(a + 1, c))}


def exclusive(a: Want, b: Want) -> bool:
    """True if only one of them will be asked for, as the answer is."""
    return a.question is not None and a.question == b.question and a.otherwise is not b.otherwise


def _comes_first(earlier: Want, later: Want) -> bool:
    """True if one undoes the other, or prepares it: washed, heated or sliced before it is put where it is wanted;
    packed before what it is in is carried; fetched before it is brought."""
    if exclusive(earlier, later):
        return False
    a, b = earlier.proposition, later.proposition
    if undoes(b, a):  # but on the table and next to the cup: both
        return b.predicate != "is_next_to" or earlier.passing
    if a.predicate == "is_held" and b.object is not None and b.object.key == a.subject.key + ASKED:
        return True
    return _prepares(earlier, b)


def _prepares(earlier: Want, b: Proposition) -> bool:
    a = earlier.proposition
    packed = a.object is not None and a.object.key == b.subject.key and a.predicate in ("is_inside", "is_on_top")
    same = a.subject.key == b.subject.key and (a.predicate in _STATES or earlier.passing)
    return (packed or same) and b.predicate in (*BRINGING, "is_held")


def _branch(question: Question, before: int, wants: Sequence[Want]) -> Branch:
    """What depends on a question that is answered `before` so many wants."""
    then, otherwise = (tuple(i for i, w in enumerate(wants) if w.question == question and w.otherwise is side)
                       for side in (False, True))
    return Branch(question, then, otherwise, min(before, len(wants)))


def _drop_wants(part: PartialGoal, gone: set[int]) -> PartialGoal:
    """Less the wants of these indices; the order of the others is kept."""
    if not gone:
        return part
    kept = [i for i in range(len(part.wants)) if i not in gone]
    number = {old: new for new, old in enumerate(kept)}
    order = set(part.order)
    for i in gone:
        order |= set(product((a for a, b in order if b == i), (b for a, b in order if a == i)))

    left = frozenset((number[a], number[b]) for a, b in order if not {a, b} & gone)
    return replace(part, wants=tuple(part.wants[i] for i in kept), order=left,
                   different=_renumbered(part.different, number), together=_renumbered(part.together, number),
                   questions=tuple((q, sum(i < at for i in kept)) for q, at in part.questions))


def _renumbered(groups: Sequence[tuple[int, ...]], number: Mapping[int, int]) -> tuple[tuple[int, ...], ...]:
    left = (tuple(number[i] for i in group if i in number) for group in groups)
    return tuple(group for group in left if len(group) > 1)


def _change(part: PartialGoal, index: int, proposition: Proposition) -> PartialGoal:
    wants = list(part.wants)
    wants[index] = replace(wants[index], proposition=proposition)
    return replace(part, wants=tuple(wants))


def _of_one_thing(part: PartialGoal) -> PartialGoal:
    """``wash a plate and put it in the cupboard``: what is said of one of several is said of the same one."""
    common: dict[str, set[str]] = {}
    for want in part.wants:
        p = want.proposition
        if not p.every and p.subject.ids:
            common[p.subject.key] = common.get(p.subject.key, set(p.subject.ids)) & set(p.subject.ids)
    for i, want in enumerate(part.wants):
        p = want.proposition
        ids = tuple(id for id in p.subject.ids if id in common.get(p.subject.key, ()))
        if not p.every and len(ids) >= p.number:
            part = _change(part, i, narrowed(p, ids))
    return part


def _at_one_place(part: PartialGoal) -> PartialGoal:
    """``the clock on a table; put the apple on it, too``: on the same one."""
    wants: dict[str, list[int]] = {}
    for i, want in enumerate(part.wants):
        place = want.proposition.object
        if place is not None and want.one_place and len(place.ids) > 1:
            wants.setdefault(place.key, []).append(i)
    groups = tuple(tuple(g) for g in wants.values() if len(g) > 1)
    others = tuple(g for g in part.together if not any(set(g) <= set(larger) for larger in groups))
    return replace(part, together=(*others, *groups))


def _others_apart(part: PartialGoal) -> PartialGoal:
    """``an apple on the desk and another on the bed``: what is another one is not the one spoken of."""
    wanted = [w.proposition for w in part.wants]
    groups = [(i, j) for j, later in enumerate(wanted) for i in range(j)
              if _is_another(later, wanted[i], (i, j) in part.order)]
    return replace(part, different=(*part.different, *groups))


def _is_another(later: Proposition, earlier: Proposition, moves_on: bool) -> bool:
    a, b = earlier.subject, later.subject
    if a.key == b.key or a.description is None or b.description is None:
        return False
    spoken = [o for o in b.description.without if o.words == "spoken of"]
    if not spoken:  # a mug on the desk and a mug on the bed: nothing is in two places
        single = later.needed == earlier.needed == 1 and {later.predicate, earlier.predicate} <= {*_PLACED}
        same = a.description == b.description and not moves_on
        return single and same and not {*later.place.ids} & {*earlier.place.ids}
    if len(a.ids) > 1 and any({*o.ids} & {*a.ids} for o in spoken):
        return True
    alike = {*a.description.categories} & {*b.description.categories}
    return bool(alike) and not any(o.ids for o in spoken)  # which ones is not known yet


def _told_apart(part: PartialGoal) -> PartialGoal:
    """``the red mug to the desk and the mug to the shelf``: what only one thing can be, the other one is not."""
    grouped = {i for group in part.different for i in group}
    placed = [i for i, w in enumerate(part.wants) if w.proposition.predicate in _PLACED and w.proposition.needed == 1
              and i not in grouped]
    for sure in (part.wants[i].proposition for i in placed if len(part.wants[i].proposition.subject.ids) == 1):
        for i in placed:
            p = part.wants[i].proposition
            if p.subject.key != sure.subject.key and p.place.ids != sure.place.ids and len(p.subject.ids) > 1:
                part = _not_this(part, p.subject.key, sure.subject.ids[0])
    return part


def _not_this(part: PartialGoal, key: str, id: str) -> PartialGoal:
    """With the thing `key` taken not to be `id`, where it can be something else."""
    for i, want in enumerate(part.wants):
        ids = tuple(other for other in want.proposition.subject.ids if other != id)
        if want.proposition.subject.key == key and ids:
            part = _change(part, i, narrowed(want.proposition, ids))
    return part


def _less_those_named(part: PartialGoal) -> PartialGoal:
    """``empty the dishwasher and put the cup on the table``: the cup is not among those that are put away."""
    gone = set()
    for named in [w for w in part.wants if w.proposition.predicate in _PLACED]:
        one = named.proposition
        if one.every or len(one.subject.ids) != 1:
            continue
        for i, p in enumerate(w.proposition for w in part.wants):
            if _is_among(one, p) and not _is_ordered(part, named, i):
                part = _change(part, i, replace(p, subject=less(p.subject, one.subject)))
                gone |= set() if part.wants[i].proposition.subject.ids else {i}
    return _drop_wants(part, gone)


def _is_among(one: Proposition, p: Proposition) -> bool:
    """True if it is one of all that are to be somewhere else."""
    both = p.every and p.predicate in _PLACED and one.subject.ids[0] in p.subject.ids
    return both and p.place.ids != one.place.ids


def _is_ordered(part: PartialGoal, named: Want, i: int) -> bool:
    at = part.wants.index(named)
    return (at, i) in part.order or (i, at) in part.order


def _includes(later: Want, earlier: Want, scene: Setting) -> bool:
    """True if doing the later one is doing the earlier one as well."""
    if (later.question, later.otherwise) != (earlier.question, earlier.otherwise):
        return False
    a, b = later.proposition, earlier.proposition
    if earlier.tentative and a.predicate in _PLACED:
        return a.subject.key == b.subject.key or _takes_all(a, b)
    if b.predicate == "is_held":
        ids = set(a.subject.ids)
        same = a.subject.key == b.subject.key or bool(ids) and ids <= set(b.subject.ids)
        return same and a.predicate in (*BRINGING, "is_held") and a is not b
    if b.subject == ROBOT and b.object is not None:
        found, fetched = b.object.key, b.object.key.removesuffix(ASKED)
        return a.subject.key == (found if b.predicate == "is_next_to" else fetched)
    return _within(a, b, scene) or _says_the_same(a, b)


def _takes_all(later: Proposition, earlier: Proposition) -> bool:
    """``empty the table and move everything from it to the bed``: seen or not yet."""
    all_, some = later.subject.description, earlier.subject.description
    if not earlier.subject.ids and all_ is not None and some is not None:
        return later.every and earlier.every and set(some.categories) <= set(all_.categories) and bool(all_.where) and (
            [w.ids for w in all_.where] == [w.ids for w in some.where])
    return bool(earlier.subject.ids) and set(earlier.subject.ids) <= set(later.subject.ids)


def _within(later: Proposition, earlier: Proposition, scene: Setting) -> bool:
    """``to the kitchen, and put them on the counter``: the counter is in the kitchen."""
    if earlier.predicate != "is_in_room" or later.predicate not in ("is_on_top", "is_inside", "is_next_to"):
        return False
    a, b = later.subject, earlier.subject
    rooms = {scene.room(id) for id in later.place.ids}
    same = a.key == b.key or a.ids == b.ids and len(a.ids) == 1
    return a != ROBOT and same and bool(rooms) and rooms <= set(earlier.place.ids)


def _says_the_same(a: Proposition, b: Proposition) -> bool:
    """Of the same one thing in other words."""
    where = [p.object.ids if p.object is not None else () for p in (a, b)]
    return a.predicate == b.predicate and a.subject.ids == b.subject.ids and len(a.subject.ids) == 1 and (
        where[0] == where[1] and (a.object is None or bool(where[0])))


def _put_down(part: PartialGoal, scene: Setting) -> PartialGoal:
    """``bring me the apple and the pear``: the hand holds one, so what is fetched goes on the nearest table in the room
    where it is asked for; alone it stays in the hand."""
    asked = [w for w in part.wants if w.proposition.object is not None and w.proposition.object.key.endswith(ASKED)]
    rooms = {w.proposition.place.key.removesuffix(ASKED): w.proposition.place.ids[0] for w in asked}
    fetched = [w for w in part.wants if w.proposition.predicate == "is_held" and w.proposition.subject.key in rooms]
    tables = {room: _table(room, scene) for room in rooms.values()}
    if not fetched or not all(tables.values()) or not _hand_is_needed(part.wants, fetched, rooms):
        return part
    for want in fetched:
        table = tables[rooms[want.proposition.subject.key]]
        placed = replace(want.proposition, predicate="is_on_top", object=Term(table, (table,)))
        part = _change(part, part.wants.index(want), placed)
    gone = {i for i, w in enumerate(part.wants) if w in asked}
    names = " and ".join(w.proposition.subject.name for w in fetched)
    return _drop_wants(part, gone).note(
        f"the hand is needed for more than {names}, put down where you asked ({', '.join(tables.values())})")


def _hand_is_needed(wants: Sequence[Want], fetched: Sequence[Want], rooms: Mapping[str, str]) -> bool:
    """True if several things are fetched, or something else is to be done by hand."""
    after = wants[wants.index(fetched[0]):]
    busy = any(w.proposition.predicate in _TAKES_A_HAND and w.proposition.subject.key not in (ROBOT.key, *rooms)
               and not all(exclusive(w, f) for f in fetched) for w in after)
    return busy or any(w.proposition.needed > 1 for w in fetched) or any(
        not exclusive(a, b) for a, b in combinations(fetched, 2))


def _table(room: str, scene: Setting) -> str:
    """Where things are put down in a room: the nearest table, else the nearest piece that things can stand on; empty
    where there is none."""
    here = [p for p in scene.graph.of(Kind.FURNITURE) if scene.room(p.id) == room
            and any(not s.inside for s in p.surfaces)]
    serving = furniture_for_role("serving", scene.graph, scene.vocabulary)
    asker = scene.graph[ROBOT_ID if ROBOT_ID in scene.graph else room].position

    def order(piece: Entity) -> tuple[bool, float]:
        table = piece.id in serving or scene.vocabulary.is_a(piece.category, "table")
        return not table, math.dist(piece.position[:2], asker[:2])
    return min(here, key=order).id if here else ""


def _nothing_done(goal: Goal, scene: Setting) -> AskBack | None:
    """Where something was substituted, and all is so already, the words meant something else."""
    if not goal.substitutions or goal.branches or not goal.propositions or not all(
            holds(p, scene.graph) for p in goal.propositions):
        return None
    return AskBack(f"{'; '.join(goal.substitutions)}: taken so, there is nothing to do. What do you mean?",
                   words=tuple(s.partition(" -> ")[0] for s in goal.substitutions))
