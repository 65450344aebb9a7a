"""What must be left alone, what the speaker says to be so, and what only is said."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Term
from dadu.language.discourse import SUPPORTS, Discourse, Role
from dadu.language.frames.frame import LeaveFrame, RemarkFrame, ToldFrame
from dadu.language.grounding.nouns.phrases import text_of, words_of
from dadu.language.grounding.nouns.resolve import resolve, resolve_all
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.wants import Asked
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind


def leave(frame: LeaveFrame, scene: Setting, said: Discourse) -> Asked:
    """Left where it is, whatever "all" and "everything" include otherwise; what is said to be left at its place stays
    there."""
    part = Asked(said)
    for np in frame.what:
        if np.pronoun == "rest":
            part = part.note(f"{text_of(np)}: nothing is asked of them")
            continue
        at = (frame.at,) if frame.at is not None and not frame.at.special else ()
        for thing in resolve(replace(np, places=(*np.places, *at)), scene, part.said, (Kind.OBJECT,)):
            told = thing.description
            wide = replace(told, categories=tuple(dict.fromkeys((*told.categories, *told.general))), general=())
            if thing.number and not thing.every and len(thing.term.ids) > thing.number:
                wide = replace(told, categories=(), ids=thing.term.ids[:thing.number], where=(), general=())
            said = replace(part.said.mention([thing]), spared=(*part.said.spared, wide))
            part = part.now(said).told([thing]).note(f"{thing.term.name} is left where it is")
    return part


def told(frame: ToldFrame, scene: Setting, said: Discourse) -> Asked:
    """Where things are is believed, and narrows what is spoken of next; what there is not is not used."""
    np = frame.what
    if np.pronoun == "me" and frame.at is not None:
        return _asker(frame, scene, said)
    if not frame.exists or np.determiner == "none":
        return _lacking(frame, scene, said)
    if frame.state is not None and frame.at is None or frame.at is None:
        things, said = resolve_all((np,), scene, said)
        state = f": {frame.state}, as you say" if frame.state is not None else ""
        return Asked(said).told(things).note(f"{text_of(np)}{state}")
    try:
        there = resolve(replace(np, places=(*np.places, frame.at)), scene, said)
    except Refusal as refusal:
        return Asked(said).note(str(refusal).partition(";")[0])
    places, said = resolve_all(frame.at.nouns, scene, said, role=Role.SOURCE)
    return Asked(said.mention(there)).told(there).note(f"{text_of(np)}: looked for where you say")


def _asker(frame: ToldFrame, scene: Setting, said: Discourse) -> Asked:
    """``I am in the kitchen``."""
    assert frame.at is not None
    place = resolve(frame.at.nouns[0], scene, said, SUPPORTS)[0]
    one = replace(place, term=Term(place.term.key, place.term.ids[:1], place.term.description))
    return Asked(replace(said.mention([place], Role.PLACE), asker=one)).note(f"you are at {place.term.name}")


def _lacking(frame: ToldFrame, scene: Setting, said: Discourse) -> Asked:
    """``there is no microwave``; ``no sugar``: what is chosen for a purpose is none of that."""
    words = words_of(frame.what, scene)
    categories = frozenset(e.category for e, tier in scene.vocabulary.named(words) if tier < 2)
    if not categories:
        return Asked(said).note(f"not taken as part of the task: there is no {text_of(frame.what)!r}")
    unwanted = Description(text_of(frame.what), Kind.OBJECT, tuple(sorted(categories)))
    said = replace(said, lacking=said.lacking | categories, unwanted=(*said.unwanted, unwanted))
    return Asked(said).note(f"there is no {text_of(frame.what)}, as you say: it is not used")


def remark(frame: RemarkFrame, scene: Setting, said: Discourse) -> Asked:
    """Only told."""
    return Asked(said).note(f"not taken as part of the task: {frame.text!r}")
