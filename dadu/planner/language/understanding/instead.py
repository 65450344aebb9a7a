"""One or the other: ``bring the cola from the fridge; if there is none, bring the juice instead``."""

from __future__ import annotations

from dataclasses import replace

from dadu.memory.graph import Kind
from dadu.planner.goal import Description, Proposition, Question
from dadu.planner.language.reading.syntax import Clause, Noun
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.understanding.attachment import Placed
from dadu.planner.language.understanding.draft import ROBOT, Draft
from dadu.planner.language.understanding.handed import ASKED
from dadu.planner.language.understanding.questions import Answer

_LOOKING = ("find", "inspect", "explore", "go", "check")
"""what only looks for the same thing elsewhere"""


def one_or_the_other(draft: Draft, clause: Clause, found: Answer | Question) -> None:
    """What was asked for of a thing is only to be done where there is one, if `clause` says what to do instead. So it
    is looked into before anything of it is done."""
    asked = clause.condition
    if asked.kind != "exists" or not asked.negated or clause.otherwise or clause.frame in _LOOKING:
        return
    description = found.description if isinstance(found, Question) else (
        found.thing.term.description if found.thing is not None else None)
    if description is None or not _something_else(draft, clause, description):
        return
    about = _entries(draft, description)
    if isinstance(found, Question):
        for i in about:
            draft.entries[i] = replace(draft.entries[i], question=found, otherwise=not clause.otherwise)
        draft.questions[found] = min([draft.questions.get(found, len(draft.entries)), *about])
    elif found.yes and about:
        draft.note(f"{asked.text!r}: {found.text}, so {clause.text!r} is done instead")
        draft.entries = [e for i, e in enumerate(draft.entries) if i not in about]


def _something_else(draft: Draft, clause: Clause, description: Description) -> bool:
    """Whether the clause names another sort of thing; the same one from elsewhere goes where it was to go."""
    try:
        named = [t for i in clause.items if isinstance(i, Noun) and i.words and not i.pronoun
                 for t in draft.things.resolve(Placed(i), (Kind.OBJECT,), mention=False)]
    except Refusal:
        return False
    return bool(named) and not any(set(t.term.description.categories) & set(description.categories)
                                   for t in named if t.term.description is not None)


def _entries(draft: Draft, description: Description) -> list[int]:
    """Indices of what is unconditionally asked for of such a thing."""
    free = [(i, e.proposition) for i, e in enumerate(draft.entries) if e.question is None]
    keys = {_thing(p).key for _, p in free if _is_about(p, description)}
    return [i for i, p in free if _thing(p).key.removesuffix(ASKED) in keys]


def _thing(p: Proposition):
    return p.object if p.subject == ROBOT and p.object is not None else p.subject


def _is_about(p: Proposition, asked: Description) -> bool:
    """Whether a proposition is about the thing that is wondered about, and does not bring it there."""
    said = _thing(p).description
    if said is None or (said.categories, said.attributes, said.ids) != (asked.categories, asked.attributes, asked.ids):
        return False
    here, there = ({id for where in d.where for id in where.ids} for d in (said, asked))
    brought = p.object is not None and p.subject != ROBOT and set(p.object.ids) & there
    return not brought and (not here or not there or bool(here & there))
