"""What must be left alone, what the speaker says to be so, and what only is said."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Term
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import LeaveFrame, RemarkFrame, ToldFrame, WishFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Preposition, Quantity
from dadu.language.grounding.nouns.phrases import text_of, words_of
from dadu.language.grounding.nouns.resolve import resolve, resolve_all, tried
from dadu.language.grounding.partial_goal import PartialGoal
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.wish import needed_for
from dadu.language.refusal import NotUnderstood, Refusal
from dadu.world.graph import Kind

_ARTICLES = frozenset({"the", "a", "an", "my", "our", "his", "her", "their", "some", "this"})
_WHERE: dict[str, Preposition] = {"on": "on", "in": "in", "at": "at"}
_LONGEST = 3
"""words of a name"""


def _named_in(text: str, scene: Setting, said: Discourse) -> tuple[Referent, ...]:
    """What stands in the text behind an article or the like, or behind that and one more word, under its own name."""
    words, out, at = text.split(), list[Referent](), 0
    last, end = NounPhrase(), -1
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            name = " ".join(scene.lexicon.normal(" ".join(words[at:at + length])))
            if name and scene.named(name) and not _ARTICLES.isdisjoint(words[max(0, at - 2):at]):
                np = NounPhrase(name, text=" ".join(words[at:at + length]))
                try:
                    found = resolve(np, scene, said)
                    if end == at - 2 and words[at - 2] in _WHERE and out[-1].kind is not Kind.ROOM:
                        there = PlacePhrase(_WHERE[words[at - 2]], (np,), text=f"{words[at - 2]} {np.text}")
                        out[-1:] = resolve(replace(last, places=(there,)), scene, said)
                    out += found
                except Refusal:
                    continue
                last, end = np, at + length
                at += length - 1
                break
        at += 1
    return tuple(out)


def leave(frame: LeaveFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Left where it is, whatever "all" and "everything" include otherwise; what is said to be left at its place stays
    there."""
    part = PartialGoal(said)
    for np in frame.what:
        if np.pronoun == "rest":
            part = part.note(f"{text_of(np)}: nothing is asked of them")
            continue
        at = (frame.at,) if frame.at is not None and not frame.at.special else ()
        if frame.at is not None:
            places, spoken = resolve_all(frame.at.nouns, scene, part.said, role=Role.PLACE)
            said = spoken
        for thing in resolve(replace(np, places=(*np.places, *at)), scene, part.said, (Kind.OBJECT,)):
            told = thing.description
            wide = replace(told, categories=tuple(dict.fromkeys((*told.categories, *told.general))), general=())
            if thing.number and not thing.every and len(thing.term.ids) > thing.number:
                wide = replace(told, categories=(), ids=thing.term.ids[:thing.number], where=(), general=())
            said = replace(part.said.mention([thing]), spared=(*part.said.spared, wide))
            part = part.now(said).told([thing]).note(f"{thing.term.name} is left where it is")
    return part


def told(frame: ToldFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Where things are is believed, and narrows what is spoken of next; what there is not is not used."""
    np = frame.what
    if np.pronoun == "me" and frame.at is not None:
        place = resolve(frame.at.nouns[0], scene, said, SUPPORTS)[0]
        one = replace(place, term=Term(place.term.key, place.term.ids[:1], place.term.description))
        return PartialGoal(replace(said.mention([place], Role.PLACE), asker=one)).note(f"you are at {place.term.name}")
    if (not frame.exists or np.determiner == "none") and frame.at is not None:
        return PartialGoal(_mentioned(np, scene, said)).note(f"there is no {text_of(np)} there, as you say")
    if not frame.exists or np.determiner == "none":
        return _lacking(frame, scene, said)
    if frame.at is None:
        things, said = resolve_all((np,), scene, said)
        state = f": {frame.state}, as you say" if frame.state is not None else ""
        return PartialGoal(said).told(things).note(f"{text_of(np)}{state}")
    try:
        there = resolve(replace(np, places=(*np.places, frame.at)), scene, said)
    except NotUnderstood as refusal:
        return PartialGoal(_mentioned(np, scene, said)).note(str(refusal).partition(";")[0])
    places, said = resolve_all(frame.at.nouns, scene, said, role=Role.SOURCE)
    return PartialGoal(said.mention(there)).told(there).note(f"{text_of(np)}: looked for where you say")


def _mentioned(np: NounPhrase, scene: Setting, said: Discourse) -> Discourse:
    """It was spoken of, wherever it is."""
    return said.mention(tried(replace(np, determiner="definite", quantity=Quantity()), scene, said))


def _lacking(frame: ToldFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """``there is no microwave``; ``no sugar``: what is chosen for a purpose is none of that."""
    categories = frozenset(e.category for e, tier in scene.vocabulary.named(words_of(frame.what, scene)) if tier < 2)
    if not categories:
        return PartialGoal(said).note(f"not taken as part of the task: there is no {text_of(frame.what)!r}")
    unwanted = Description(text_of(frame.what), Kind.OBJECT, tuple(sorted(categories)))
    said = replace(said, lacking=said.lacking | categories, unwanted=(*said.unwanted, unwanted))
    return PartialGoal(said).note(f"there is no {text_of(frame.what)}, as you say: it is not used")


def remark(frame: RemarkFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Only told; but rooms, furniture and things that it names were spoken of."""
    things = _named_in(frame.text, scene, said)
    named = [t for t in things if t.kind is Kind.ROOM]
    to = [t for t in named if f"from the {t.phrase.text}" not in frame.text]  # rather than where things come from
    rooms = frozenset(id for t in to or named for id in t.term.ids)
    said = said.mention((t for t in things if t.kind is Kind.OBJECT), Role.IMPLIED)
    said = replace(said.mention((t for t in things if t.kind in SUPPORTS), Role.PLACE), rooms=rooms or said.rooms)
    said = needed_for(WishFrame(frame.text), scene, said)
    return PartialGoal(said).note(f"not taken as part of the task: {frame.text!r}")
