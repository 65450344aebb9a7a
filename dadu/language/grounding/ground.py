"""From frames to a goal, a question back, or why there is none: a pure function of what was said and what is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from dadu.goals.goal import Goal, Proposition, Question
from dadu.goals.interpreter import AskBack
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import (
    AskBackFrame,
    ChangeFrame,
    EnsureFrame,
    Frame,
    GoFrame,
    IfFrame,
    LeaveFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    SequenceFrame,
    SwapFrame,
    TidyFrame,
    ToldFrame,
    Utterance,
    WishFrame,
)
from dadu.language.frames.within import lacking
from dadu.language.grounding.change import change
from dadu.language.grounding.conditions import KnownAnswer, answer
from dadu.language.grounding.finish import finished
from dadu.language.grounding.go import approach, go
from dadu.language.grounding.leave import leave, remark, told
from dadu.language.grounding.look import look
from dadu.language.grounding.move import move, swap
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import resolve, tried
from dadu.language.grounding.partial_goal import PartialGoal, ready
from dadu.language.grounding.places.surfaces import target
from dadu.language.grounding.scene import Setting, scene_of
from dadu.language.grounding.tidy import tidy
from dadu.language.grounding.wish import needed_for, wish
from dadu.language.refusal import NotUnderstood, Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, WorldGraph


def ensure(frame: EnsureFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """So many are brought. Errors: Refusal where there are to be no more than so many."""
    less = frame.what.determiner == "none" or frame.what.quantity.number == 0 or frame.what.quantity.bound == "at_most"
    if len(frame.at.nouns) != 1 or less:
        raise Refusal(f"I do not know where {text_of(frame.what)!r} are to be", [text_of(frame.what)])
    place = resolve(frame.at.nouns[0], scene, said, (*SUPPORTS, Kind.OBJECT))[0]
    to = target(place, frame.at.preposition, scene)
    wanted = replace(frame.what, determiner="indefinite")
    thing = resolve(wanted, scene, said, (Kind.OBJECT,))[0]
    part = PartialGoal(said.mention([thing]).mention([place], Role.PLACE)).told([thing, place])
    part = part.note(to.note) if to.note else part
    part = ready([thing], part, scene).want(to.predicate, thing, to.term, same_target=True)
    return part.now(replace(part.said, moved=(replace(thing, turn=said.turn),)))


class _Asking(Exception):
    """Only who said it knows."""


def ground(utterance: Utterance, graph: WorldGraph, vocabulary: Vocabulary, *, complete: bool = False,
           looked: Collection[str] = (), said: Discourse | None = None) -> Goal | AskBack:
    """What `utterance` asks for in the world of `graph`, which is all there is where it is `complete`, and all there is
    in and on the rooms and furniture `looked` at; `said` is what was spoken of before.

    Errors: Refusal naming what cannot be understood or done; NotSeen where that depends on what was not seen yet.
    """
    return ground_in(scene_of(graph, vocabulary, complete, looked), utterance, said)


def ground_in(scene: Setting, utterance: Utterance, said: Discourse | None = None) -> Goal | AskBack:
    """`ground` in a world where much else is said: what was found out of its words is not found out again. Errors: the
    same."""
    missing = next(lacking(utterance), "")
    if missing:
        raise Refusal(f"what is asked for is not said ({missing}); name it", code=Code.UNKNOWN_ACTION)
    try:
        part = _all(utterance.frames, scene, said or Discourse())
    except _Asking as asking:
        return AskBack(str(asking))
    if not (part.wants or part.questions or any(map(_may_be_done, utterance.frames))):
        raise Refusal("nothing is asked for; say for instance: bring me an apple", code=Code.UNKNOWN_ACTION)
    return finished(replace(part, notes=utterance.notes + part.notes), scene)


def _may_be_done(frame: Frame) -> bool:
    """True of what may ask for nothing: a table is clear already, a question was answered, an if does not hold."""
    if isinstance(frame, SequenceFrame):
        return any(_may_be_done(f) for step in frame.steps for f in step)
    return isinstance(frame, (TidyFrame, LookFrame, IfFrame))


def _all(frames: Sequence[Frame], scene: Setting, said: Discourse) -> PartialGoal:
    """One after the other, each with what was said before it."""
    # "clear the table, but leave the vase": what is to be left alone is known before the rest is read
    spared: list[Frame] = [f for f in frames if isinstance(f, LeaveFrame) and not any(np.pronoun for np in f.what)]
    spared += [f for f in frames if isinstance(f, ToldFrame) and f.what.pronoun == "me"]
    part, ordered = PartialGoal(said), [*spared, *(f for f in frames if f not in spared)]
    for i, frame in enumerate(ordered):
        said = replace(part.said, turn=part.said.turn + 1)
        if isinstance(frame, WishFrame) and _only_says(frame, scene) and any(map(_asks, _others(frame, ordered, i))):
            part = _reason(frame, part.now(said), scene)
            continue
        try:
            then = _GROUNDED[type(frame)](frame, scene, said)
            new = [t for t in then.said.moved if t.turn == said.turn]
            part = _reason(frame, part.now(said), scene) if isinstance(frame, WishFrame) and (
                _brought(new, scene) & _brought(part.said.moved, scene)) else part.then(then)
        except NotUnderstood:
            if len(frames) == 1 or not isinstance(frame, WishFrame) or not _only_says(frame, scene):
                raise
            part = part.now(said).note(f"not taken as part of the task: {frame.purpose!r}")
    return part


def _brought(things: Collection[Referent], scene: Setting) -> set[str]:
    """Their categories: ``bring the tea to the sofa, I am thirsty`` asks for no second drink."""
    return {c for t in things for c in scene.categories(t.term.ids, t.term.description)}


def _others(frame: WishFrame, frames: Sequence[Frame], at: int) -> Sequence[Frame]:
    """What a sentence may be the reason for: what follows it; of a third person, whatever is asked for."""
    return frames if frame.purpose.split()[0] in ("he", "she", "they") else frames[at + 1:]


def _asks(frame: Frame) -> bool:
    return not isinstance(frame, (RemarkFrame, ToldFrame, WishFrame, LeaveFrame))


def _reason(frame: WishFrame, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``we have breakfast in the den: bring the bread there``"""
    said = remark(RemarkFrame(frame.purpose), scene, part.said).said
    for np in frame.at.nouns if frame.at is not None else ():
        places = tried(np, scene, said)
        rooms = frozenset(id for t in places if t.kind is Kind.ROOM for id in t.term.ids)
        said = replace(said.mention(places, Role.PLACE), rooms=rooms or said.rooms)
    said = needed_for(frame, scene, said)
    return part.now(said).note(f"{frame.purpose!r} is taken as the reason for what is asked")


def _only_says(frame: WishFrame, scene: Setting) -> bool:
    """``I could not find them``: a sentence about somebody, which needs no answer where something else is asked."""
    return frame.purpose.split()[:1] != [] and frame.purpose.split()[0] in scene.lexicon.subjects


def _ask_back(frame: AskBackFrame, scene: Setting, said: Discourse) -> PartialGoal:
    raise _Asking(frame.question)


def _sequence(frame: SequenceFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Each step only after all the steps before it."""
    part = PartialGoal(said)
    for step in frame.steps:
        part = part.then(_all(step, scene, part.said), after=True)
    return part


def _if(frame: IfFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """What memory knows decides at once; else both sides are asked for, each with the question."""
    found, said = answer(frame.ask, scene, said)
    part = PartialGoal(said)
    if isinstance(found, KnownAnswer) and found.thing is not None and frame.ask.state in ("open", "closed") and not (
            scene.complete or {*found.thing.term.ids} <= {*scene.looked}):  # doors are seen by who goes there
        part = approach(found.thing, part)
        found = Question(found.text.partition(":")[0], negated=frame.ask.negated,
                         proposition=Proposition(f"is_{frame.ask.state}", found.thing.term))
    if isinstance(found, KnownAnswer):
        chosen = frame.then if found.yes else frame.otherwise
        part = part.note(found.text if chosen else f"{found.text}, so the rest is left out")
        return part.then(_all(chosen, scene, said if found.yes else _spoken_of(frame.then, scene, said)))
    then = _all(frame.then, scene, part.said)
    spoken = replace(then.said, moved=part.said.moved, filled=part.said.filled, bound=part.said.bound)
    otherwise = _all(frame.otherwise, scene, replace(spoken, turn=then.said.turn + 1))
    return part.ask(found).then(then.only_if(found, False)).then(otherwise.only_if(found, True))


def _spoken_of(frames: Sequence[Frame], scene: Setting, said: Discourse) -> Discourse:
    """What was said before, and what these frames speak of, though they are not carried out: there, otherwise."""
    try:
        spoken = _all(frames, scene, said).said
    except NotUnderstood:
        return said
    return replace(spoken, moved=said.moved, filled=said.filled, bound=said.bound)


_GROUNDED: dict[type, Callable[..., PartialGoal]] = {
    MoveFrame: move, SwapFrame: swap, ChangeFrame: change, EnsureFrame: ensure, LookFrame: look, GoFrame: go,
    TidyFrame: tidy, WishFrame: wish, LeaveFrame: leave, ToldFrame: told, RemarkFrame: remark,
    AskBackFrame: _ask_back, SequenceFrame: _sequence, IfFrame: _if}
