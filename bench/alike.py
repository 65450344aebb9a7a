"""Which instructions two interpreters read alike, so that only the others need to be carried out again."""

from __future__ import annotations

from dadu.goals.goal import Goal
from dadu.goals.interpreter import Context, Interpretation, Interpreter
from dadu.house.layout import build_graph
from dadu.stacks.priors import vocabulary_of_house
from dadu.tasks.prepare import Prepared


def read_alike(one: Interpreter, other: Interpreter, prepared: Prepared) -> bool:
    """True if an instruction means the same to both, where the robot begins (rooms and furniture are known) and once
    it has seen all that there is."""
    house, words = prepared.house, vocabulary_of_house(prepared.house)
    contexts = (Context(build_graph(house, "layout"), words), Context(build_graph(house, "all"), words, complete=True))
    said = prepared.episode.instruction
    return all(_alike(one.read(said, context), other.read(said, context)) for context in contexts)


def _alike(one: Interpretation, other: Interpretation) -> bool:
    """Wherever a goal's words and notes differ, what is to be done may still be the same."""
    if isinstance(one, Goal) and isinstance(other, Goal):
        return one.to_suite() == other.to_suite() and len(one.branches) == len(other.branches)
    return one == other
