"""The interpreter by frames: words to frames by grammar (`dadu.language.parsing`), frames to a goal by grounding."""

from __future__ import annotations

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Interpretation, Refused
from dadu.language.grounding.ground import ground
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.planner.first_look import first_look


class ByFrames:
    """Needs no model. See docs/planner.md for what it understands."""

    name = "frames"

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the words ask for; where that depends on what was not seen, the next place to look."""
        try:
            utterance = parse(instruction, names_of(context.vocabulary, context.graph))
        except Refusal as refusal:
            return Refused(str(refusal), refusal.words, refusal.code)

        def grounded(context: Context) -> Goal | AskBack:
            return ground(utterance, context.graph, context.vocabulary, complete=context.complete,
                          looked=context.looked)
        return first_look(grounded, context)
