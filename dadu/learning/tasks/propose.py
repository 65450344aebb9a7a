"""Tasks that a home affords, in words, with the goal that they mean: whether anybody would want them is not asked here.

The goal is written with the words, not read from them: that the grammar reads the same in them is a check of both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dadu.goals.predicates.predicate import Family
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.states import affordances_of
from dadu.learning.plans.asked.names import HomeNames
from dadu.learning.plans.home import PlanHome
from dadu.learning.sentences.speaker import Phrase, Said, Speaker
from dadu.learning.sentences.wording import text_of
from dadu.learning.tasks.said import Meant, Speech
from dadu.learning.tasks.sense import kept_together, suits
from dadu.world.graph import Entity, Kind

_PUT = "<put|put|place|set>"
_MOVE = "<move|bring|carry|take>"
_ANYWHERE = 0.1
"""share of things that are put wherever they can be, likely or not"""
_TREAT: Mapping[str, tuple[str, str]] = {
    "is_clean": ("clean", "<wash|clean|rinse>"), "is_hot": ("pick", "<heat|heat_up|warm_up>"),
    "is_filled": ("fill", "<fill>"), "is_sliced": ("slice", "<slice|cut_up>")}
"""by predicate: the affordance that it takes, and verbs"""
_OPENING = "[|||||please|can you|could you please|i'd like you to|robot ,]"


@dataclass(frozen=True)
class Proposal:
    """An instruction and what is meant by it."""

    kind: str
    """what was drawn: place, beside, ordered..."""
    text: str
    goal: SuiteGoal
    room: str
    """category of the room that it is about"""


@dataclass
class Clause:
    """A part of an instruction: words, and propositions with what ties them."""

    words: list[Said]
    propositions: list[dict[str, Any]]
    order: list[tuple[int, int]] = field(default_factory=list)
    ties: list[dict[str, Any]] = field(default_factory=list)


class Unsaid(Exception):
    """The home has nothing to say that of."""


class Proposer:
    """Draws one task, about a room of a home where one is given."""

    def __init__(self, home: PlanHome, room: Entity | None, rng: random.Random) -> None:
        self.home, self.rng, self._room = home, rng, room
        self.speech, self._used = Speech(home, rng), set[str]()
        self.say = Speaker(rng, HomeNames(home.truth, home.vocabulary)).say
        self.first: Meant | None = None

    def draw(self, type_of_task: str) -> Proposal:
        """Errors: Unsaid."""
        kind = self.rng.choice(tuple(KINDS[type_of_task]))
        whole = KINDS[type_of_task][kind](self)
        one = not any(word.text == "." for word in whole.words)
        openings = "[|||||please|robot ,]" if not one else _OPENING
        opening = self.say(openings) if whole.words[0].text not in ("first", "before") else []
        text = text_of([*opening, *whole.words], False, self.rng)
        asks = opening and opening[0].text in ("can", "could")
        text = re.sub(r"(^|\. )([a-z])", lambda m: m[1] + m[2].upper(), text) + ("?" if asks else ".")
        about = self.home.truth.room_of(self.first.ids[0]) if self.first is not None else None
        return Proposal(kind, text, _goal(whole, self.home), about.category if about is not None else "")

    def thing(self, several: bool = True, where: bool = True, affords: str = "pick", beside: Meant | None = None
              ) -> Meant:
        """What no other part of the task is about; the first of them is in the room."""
        room = self._room.id if self._room is not None and self.first is None else ""
        there = [e for e in self.speech.things(room, self._used) if affords in affordances_of(e.category)]
        if beside is not None and self.rng.random() > _ANYWHERE:
            kind = self.home.truth[beside.ids[0]].category
            there = [e for e in there if kept_together(kind, e.category)] or there
        if not there:
            raise Unsaid("no such things")
        return self._spoken(self.speech.thing(there, several, where))

    def only(self, where: bool = True, affords: str = "pick", beside: Meant | None = None) -> Meant:
        """The same, one that is told from all others; rarely one that nobody puts `beside` that one."""
        meant = self.thing(False, where, affords, beside)
        if len(meant.ids) > 1:
            raise Unsaid("one of several")
        return meant

    def target(self, what: Sequence[Meant], accept: Callable[[Entity], bool] = lambda piece: True) -> PutTarget:
        """Furniture to put them on, or in; rarely such where nobody would."""
        kinds = {self.home.truth[i].category for meant in what for i in meant.ids}
        spots = [(piece, inside) for piece in self.home.layout.of(Kind.FURNITURE) if accept(piece)
                 for inside in sorted({s.inside for s in piece.surfaces})]
        if not spots:
            raise Unsaid("no such furniture")
        liked = [(piece, inside) for piece, inside in spots if (room := self.home.layout.room_of(piece.id)) is not None
                 and all(suits(kind, room.category, piece.category, inside) for kind in kinds)]
        piece, inside = self.rng.choice(liked if liked and self.rng.random() > _ANYWHERE else spots)
        meant = self.speech.piece([piece])
        return PutTarget(meant, inside, any(s.inside for s in piece.surfaces))

    def furniture(self, accept: Callable[[Entity], bool]) -> Meant:
        """A piece that is told from all others, in the room where there is one."""
        pieces = [e for e in self.home.layout.of(Kind.FURNITURE) if accept(e) and e.id not in self._used]
        here = [e for e in pieces if self._room is None or self.home.layout.room_of(e.id) == self._room]
        if not here:
            raise Unsaid("no such furniture")
        meant = self.speech.piece(here)
        if len(meant.ids) > 1:
            raise Unsaid("one of several")
        return self._spoken(meant)

    def _spoken(self, meant: Meant) -> Meant:
        self.first = self.first or meant
        self._used |= {*meant.ids}
        return meant


@dataclass(frozen=True)
class PutTarget:
    """Where things are put."""

    meant: Meant
    inside: bool
    hollow: bool
    """it has an inside: what is brought *to* it may go there"""

    @property
    def on(self) -> str:
        return "in" if self.inside else "on"

    @property
    def phrase(self) -> Phrase:
        return _phrase(self.meant)


def place(p: Proposer) -> Clause:
    """Something to furniture."""
    what = p.thing()
    to = p.target([what])
    template = (f"{_PUT} {{what}} [in|in|inside] {{to}}" if to.inside else f"{_PUT} {{what}} on {{to}}" if to.hollow
                else f"[{_PUT} {{what}} on {{to}}|{_MOVE} {{what}} to {{to}}]")
    return Clause(p.say(template, what=_phrase(what), to=to.phrase), [_placed(what, to)])


def fetch(p: Proposer) -> Clause:
    """Something from where it is to furniture."""
    what = p.only(where=False)
    edge = p.home.truth.support(what.ids[0])
    holder = p.home.layout.entities.get(edge.object) if edge is not None else None
    source = p.speech.piece([holder], room=False) if holder is not None else None
    if source is None or len(source.ids) > 1:
        raise Unsaid("nowhere that has a name")
    to = p.target([what], lambda piece: piece.id not in source.ids)
    take = f"take {{what}} from {{source}} and {_PUT} {what.it} {to.on} {{to}}"
    template = take if to.hollow else f"[{take}|{_MOVE} {{what}} from {{source}} to {{to}}]"
    return Clause(p.say(template, what=_phrase(what), source=_phrase(source), to=to.phrase), [_placed(what, to)])


def shut_in(p: Proposer) -> Clause:
    """Something into furniture that is shut then."""
    what = p.thing()
    to = _that_shuts(p, what)
    return Clause(p.say(f"{_PUT} {{what}} in {{to}} and <close|shut> it", what=_phrase(what), to=to.phrase),
                  [_placed(what, to), _proposition("is_closed", to.meant)])


def opened(p: Proposer) -> Clause:
    """Something into furniture that is opened before and stays so."""
    what = p.thing()
    to = _that_shuts(p, what)
    words = p.say(f"[open {{to}} , then|open {{to}} and then|first open {{to}} , then] {_PUT} {{what}} in it",
                  what=_phrase(what), to=to.phrase)
    return Clause(words, [_proposition("is_open", to.meant), _placed(what, to)], [(0, 1)])


def _that_shuts(p: Proposer, what: Meant) -> PutTarget:
    to = p.target([what], lambda piece: bool(piece.parts))
    if not to.inside or len(to.meant.ids) > 1:
        raise Unsaid("nothing that shuts")
    return to


def moved_to_room(p: Proposer) -> Clause:
    """Something to another room."""
    what = p.thing()
    room = p.speech.room({r.id for i in what.ids if (r := p.home.truth.room_of(i)) is not None})
    if room is None:
        raise Unsaid("no room that has a name")
    return Clause(p.say(f"{_MOVE} {{what}} to {{to}}", what=_phrase(what), to=_phrase(room)),
                  [_proposition("is_in_room", what, room)])


def cool(p: Proposer) -> Clause:
    """Something that gets cold, and then to a table."""
    what = p.thing(several=False)
    to = p.target([what], lambda piece: "cool" not in affordances_of(piece.category))
    words = p.say(f"<chill|cool|cool_down> {{what}} [and|and then|, then] {_PUT} {what.it} {to.on} {{to}}",
                  what=_phrase(what), to=to.phrase)
    return Clause(words, [_proposition("is_cold", what), _placed(what, to)], [(0, 1)])


def put_beside(p: Proposer) -> Clause:
    """A thing to where another one stands."""
    what = p.only(where=False)
    other = p.only(where=False, beside=what)
    words = p.say(f"{_PUT} {{what}} [next to|next to|beside] {{other}}", what=_phrase(what), other=_phrase(other))
    return Clause(words, [_proposition("is_next_to", what, other)])


def placed_beside(p: Proposer) -> Clause:
    """Two to the same piece, the second next to the first."""
    first = p.only(where=False)
    second = p.only(where=False, beside=first)
    to = p.target([first, second])
    again = _PUT if p.rng.random() < 0.4 else ""
    words = p.say(f"{_PUT} {{first}} {to.on} {{to}} and {again} {{second}} [next to|beside] {first.it}",
                  first=_phrase(first), second=_phrase(second), to=to.phrase)
    return Clause(words, [_placed(first, to), _proposition("is_next_to", second, first)])


def together(p: Proposer) -> Clause:
    """Some things to the same piece, or to different pieces, of several."""
    things = [p.only(where=False) for _ in range(p.rng.choice((2, 2, 3)))]
    group = p.speech.alike([e for e in p.home.layout.of(Kind.FURNITURE) if any(not s.inside for s in e.surfaces)])
    if group is None:
        raise Unsaid("no furniture of a kind")
    apart = len(things) == 2 and p.rng.random() < 0.4
    group_words = p.speech.called_by_kind(group, "different" if apart else "the same", plural=apart)
    to = PutTarget(group_words, inside=False, hollow=False)
    words = p.say(f"{_PUT} {{what}} on {{to}}", what=_listed(things), to=to.phrase)
    link = {"propositions": list(range(len(things))), "arg": 1}
    return Clause(words, [_placed(t, to) for t in things], ties=[{"different_arg" if apart else "same_arg": link}])


def treat(p: Proposer) -> Clause:
    """Wash, heat, fill, cut it; then, mostly, to furniture."""
    predicate = p.rng.choice(tuple(_TREAT))
    affordance, verb = _TREAT[predicate]
    what = p.thing(several=predicate == "is_clean", affords=affordance)
    done = p.say(f"{verb} {{what}}", what=_phrase(what))
    if p.rng.random() < 0.3:
        return Clause(done, [_proposition(predicate, what)])
    to = p.target([what])
    words = p.say(f"{{done}} [and|and then|, then] {_PUT} {what.it} {to.on} {{to}}", done=Phrase(done),
                  to=to.phrase)
    return Clause(words, [_proposition(predicate, what), _placed(what, to)], [(0, 1)])


def switch(p: Proposer) -> Clause:
    """A lamp, a radio, a machine."""
    if p.rng.random() < 0.5:
        what = p.furniture(lambda piece: "power_on" in affordances_of(piece.category))
    else:
        what = p.only(affords="power_on")
    short = "|<turn|switch> {what} on" if len(what.words.split()) < 4 else ""
    return Clause(p.say(f"[<turn|switch> on {{what}}{short}]", what=_phrase(what)),
                  [_proposition("is_powered_on", what)])


_MOVES = (place, place, place, fetch, moved_to_room)


def _some(first: Callable[[Proposer], Clause], least: int = 1, most: int = 3) -> Callable[[Proposer], Clause]:
    """The first, then others, in any order."""
    def drawn(p: Proposer) -> Clause:
        parts, more = [first(p)], p.rng.randint(least, most) - 1
        # What comes behind "then" would be a further step.
        if not any(word.text == "then" for word in parts[0].words):
            parts += [p.rng.choice(_MOVES)(p) for _ in range(more)]
        words = list(parts[0].words)
        apart = any(part.order for part in parts) or p.rng.random() < 0.2
        for i, part in enumerate(parts[1:], 2):
            joined = ". also ," if apart else "," if i < len(parts) else ", and" if len(parts) > 2 else "and"
            words += [*map(Said, joined.split()), *part.words]
        return _joined(words, parts, ())
    return drawn


def ordered(p: Proposer) -> Clause:
    """First this, then that."""
    parts = [p.rng.choice(_MOVES)(p) for _ in range(p.rng.choice((2, 2, 3)))]
    a, b, *rest = (Phrase(part.words) for part in parts)
    template = p.rng.choice(("first {a} , then {b}", "first {a} . after that , {b}", "{a} and then {b}",
                             "{a} , then {b}", "{a} . then {b}"))
    words = p.say(template, a=a, b=b)
    for more in rest:
        words += p.say("[, and finally|. finally ,|. after that ,] {c}", c=more)
    return _joined(words, parts, tuple((i, i + 1) for i in range(len(parts) - 1)))


def told_backwards(p: Proposer) -> Clause:
    """``before you do that, do this``"""
    parts = [p.rng.choice((place, place, moved_to_room))(p) for _ in range(2)]
    a, b = (Phrase(part.words) for part in parts)
    return _joined(p.say("[{a} before you {b}|before you {b} , {a}]", a=a, b=b), parts, ((0, 1),))


KINDS: Mapping[str, Mapping[str, Callable[[Proposer], Clause]]] = {
    "constraint-free": {"place": _some(place), "fetch": _some(fetch, most=2), "room": _some(moved_to_room, most=2),
                        "several": _some(place, least=2, most=4), "shut_in": _some(shut_in, most=2)},
    "spatial": {"beside": _some(put_beside, most=2), "placed_beside": _some(placed_beside, most=2),
                "together": _some(together, most=1)},
    "temporal": {"ordered": ordered, "before": told_backwards, "cool": _some(cool, most=2),
                 "opened": _some(opened, most=1)},
    "heterogeneous": {"treat": _some(treat, least=2), "switch": _some(switch, least=2)},
}
"""PARTNR's types of tasks, and what is drawn for each"""


def type_of(goal: SuiteGoal, capabilities: Sequence[str]) -> str:
    """PARTNR's type, by the goal itself: beyond the robot's skills, tied by place, tied by time, or none of these."""
    for p in goal.propositions:
        skills = p.definition.skills()
        if p.definition.family is Family.STATE and not set(skills) & set(capabilities):
            return "heterogeneous"
    if any(p.predicate == "is_next_to" for p in goal.propositions) or any(c.links for c in goal.constraints):
        return "spatial"
    return "temporal" if goal.dependencies or any(c.temporal for c in goal.constraints) else "constraint-free"


def _goal(clause: Clause, home: PlanHome) -> SuiteGoal:
    order = [list(pair) for pair in clause.order]
    data = {"propositions": clause.propositions,
            "dependencies": [{"propositions": [b], "depends_on": [a], "relation": "after_satisfied"} for a, b in order],
            "constraints": [*([{"temporal": order}] if order else []), *clause.ties]}
    return parse_goal(data, "a proposal", home.names).held_to_the_end()


def _joined(words: list[Said], parts: Sequence[Clause], order: Sequence[tuple[int, int]]) -> Clause:
    """Of parts as one, of which some come after others."""
    starts = [sum(len(part.propositions) for part in parts[:i]) for i in range(len(parts))]
    whole = Clause(words, [one for part in parts for one in part.propositions])
    for start, part in zip(starts, parts, strict=True):
        whole.order += [(a + start, b + start) for a, b in part.order]
        for tie in part.ties:
            whole.ties += [{sort: {**link, "propositions": [i + start for i in link["propositions"]]}}
                           for sort, link in tie.items()]
    for a, b in order:
        whole.order += [(i, j) for i in range(starts[a], starts[a] + len(parts[a].propositions))
                        for j in range(starts[b], starts[b] + len(parts[b].propositions))]
    return whole


def _proposition(predicate: str, what: Meant, to: Meant | None = None) -> dict[str, Any]:
    number = {"number": what.number} if what.many else {}
    return {predicate: [list(what.ids), *([list(to.ids)] if to is not None else [])], **number}


def _placed(what: Meant, to: PutTarget) -> dict[str, Any]:
    same = {"same_target": True} if what.many else {}
    return {**_proposition("is_inside" if to.inside else "is_on_top", what, to.meant), **same}


def _phrase(meant: Meant) -> Phrase:
    return Phrase([Said(word) for word in meant.words.split()])


def _listed(things: Sequence[Meant]) -> Phrase:
    *most, last = (thing.words for thing in things)
    return Phrase([Said(word) for word in f"{' , '.join(most)} and {last}".split()])
