"""What of an activity there is here: its things by our names, their kinds, and where they are at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from dadu.imports.bddl.goal import Untranslatable
from dadu.imports.bddl.kinds import KindHere, kind_of, kinds, lemma, words_of
from dadu.imports.bddl.source import BddlProblem, SynsetKind
from dadu.imports.report import ImportReport

HOLDING = ("ontop", "inside")
_AGENT = "agent"


@dataclass(frozen=True)
class Taken:
    """By their names of things."""

    problem: BddlProblem
    names: Mapping[str, str]
    """ours"""
    kinds: Mapping[str, KindHere]
    holders: Mapping[str, tuple[str, str]]
    """of what is on or in something at first: predicate and holder"""

    def room(self, name: str) -> str | None:
        """Where it is at first, by what it stands on in the end; None where nothing says so."""
        for _ in range(len(self.holders) + 1):
            if name in self.problem.rooms:
                return self.problem.rooms[name]
            name = self.holders.get(name, ("", ""))[1]
        return None

    def support(self, name: str) -> tuple[str, str | None, int]:
        """Predicate and the piece of furniture that it is on or in at first, None for the floor; and how many things
        (or furniture that is not there) were passed over, which it is on or in there."""
        for passed in range(len(self.holders) + 1):
            relation, holder = self.holders.get(name, ("ontop", ""))
            if not holder or lemma(self.problem.category_of[holder]) in kinds().floors:
                return "ontop", None, passed
            if holder in self.kinds and self.kinds[holder].furniture:
                return relation, holder, passed
            name = holder
        return "ontop", None, 0

    def words(self, name: str) -> str:
        return words_of(self.problem.category_of[name])

    @property
    def start(self) -> str:
        """The room where the agent is; empty where nothing says so."""
        agent = next((name for name, synset in self.problem.category_of.items() if lemma(synset) == _AGENT), "")
        return self.room(agent) or ""


def taken(problem: BddlProblem, needed: set[str], report: ImportReport) -> Taken:
    """`needed`: what the goal speaks of. Errors: Untranslatable where such a thing is not known here, or is nowhere."""
    names, known, count = dict[str, str](), dict[str, KindHere](), Counter[str]()
    holders = {fact[1]: (fact[0], fact[2]) for fact in problem.init if fact[0] in HOLDING}
    found = Taken(problem, names, known, holders)
    for name, synset in problem.category_of.items():
        if lemma(synset) in (_AGENT, *kinds().floors) and name not in needed:
            continue
        of = problem.kinds.get(synset, SynsetKind())
        fixed = name in problem.rooms or "sceneObject" in of.abilities
        kind = None if "substance" in of.abilities else kind_of(synset, of.above, fixed)
        missing = f"category {words_of(synset)}" if kind is None else "" if found.room(name) else "nowhere at first"
        if kind is None or missing:
            if name in needed:
                raise Untranslatable(missing)
            report.leave_out(f"{problem.name} {name}", "furniture" if fixed else "things", missing)
            continue
        base = "_".join("".join(c if c.isascii() and c.isalnum() else " " for c in words_of(synset)).split()) or "thing"
        names[name], known[name] = f"{base}_{count[base]}", kind
        count[base] += 1
    return found
