"""What a model may be told beside what is so: which things the instruction's nouns stand for. Off unless asked for,
since it is the grammar's reading and not the model's."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.mentioned import mentioned
from dadu.planner.policies.policy import Turn
from dadu.planner.regression.search import layout_known


def annotate_nouns(turn: Turn) -> Turn:
    """The turn with ``WORDS -> ID`` for every noun that the graph holds under another name. Until the layout is known
    there is none: what is called otherwise may still turn up under its own name."""
    if not layout_known(turn.graph):
        return turn
    return replace(turn, substitutions=mentioned(turn.instruction, turn.graph, turn.vocabulary))
