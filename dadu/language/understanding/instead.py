"""One or the other: ``bring the cola from the fridge; if there is none, bring the juice instead``."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Description, Proposition, Question, Term
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.understanding.draft import ROBOT, Draft
from dadu.language.understanding.handed import ASKED
from dadu.language.understanding.questions import Answer

_LOOKING = ("find", "inspect", "explore", "go", "check")
"""what only looks for the same thing elsewhere"""


def one_or_the_other(draft: Draft, clause: Clause, found: Answer | Question) -> bool:
    """What was asked for of a thing is only to be done where there is one, if `clause` says what to do instead. So it
    is looked into before anything of it is done. False where `clause` only says where else such a thing is: that is
    looked for anyway."""
    asked = clause.condition
    if asked is None or asked.kind != "exists" or not asked.negated:
        return True
    if clause.otherwise or clause.frame in _LOOKING:
        return True
    description = found.description if isinstance(found, Question) else (
        found.thing.term.description if found.thing is not None else None)
    about = _entries(draft, description) if description is not None else []
    if not about:
        return True
    if _one_from_elsewhere(clause):
        draft.note(f"{clause.text!r}: what is not there is looked for elsewhere")
        return False
    if isinstance(found, Question):
        for i in about:
            draft.entries[i] = replace(draft.entries[i], question=found, otherwise=not clause.otherwise)
        draft.questions[found] = min([draft.questions.get(found, len(draft.entries)), *about])
    elif found.yes:
        draft.note(f"{asked.text!r}: {found.text}, so {clause.text!r} is done instead")
        draft.entries = [e for i, e in enumerate(draft.entries) if i not in about]
    return True


def _one_from_elsewhere(clause: Clause) -> bool:
    """``take one from the shelf``, which goes where the other one was to go."""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    same = nouns and all(n.pronoun in ("one", "it", "them", "any") for n in nouns)
    places = {i.relation for i in clause.items if isinstance(i, Prep)}
    return bool(same) and not clause.recipient and (clause.frame == "take" or places <= {"from"})


def _entries(draft: Draft, description: Description) -> list[int]:
    """Indices of what is unconditionally asked for of such a thing."""
    free = [(i, e.proposition) for i, e in enumerate(draft.entries) if e.question is None]
    keys = {_thing(p).key for _, p in free if _is_about(p, description)}
    return [i for i, p in free if _thing(p).key.removesuffix(ASKED) in keys]


def _thing(p: Proposition) -> Term:
    return p.object if p.subject == ROBOT and p.object is not None else p.subject


def _is_about(p: Proposition, asked: Description) -> bool:
    """Whether a proposition is about the thing that is wondered about, and does not bring it there."""
    said = _thing(p).description
    if said is None or (said.categories, said.attributes, said.ids) != (asked.categories, asked.attributes, asked.ids):
        return False
    here, there = ({id for where in d.where for id in where.ids} for d in (said, asked))
    brought = p.object is not None and p.subject != ROBOT and set(p.object.ids) & there
    return not brought and (not here or not there or bool(here & there))
