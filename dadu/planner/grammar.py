"""The interpreter by grammar: words to frames (`dadu.language.parsing`), frames to a goal (`dadu.language.grounding`),
and where to look first where meaning depends on what is not seen yet.

Where the layout is not known, the words are read once as if every sort of furniture and room were there. What they mean
only then is worth looking for. Where things have to be seen first (half of the books, where the vase was), the places
where they may be are. So the robot looks around, and the frames are grounded again, until nothing is left to look at.
"""

from __future__ import annotations

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Choice, Context, Interpretation, Refused
from dadu.language.grounding.ground import ground
from dadu.language.parsing.clauses import without_each
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.planner.first_look import first_look
from dadu.planner.put_down import asked_to_put_down, name_held_object, name_put_down_place
from dadu.skills.outcome import Code


class Grammar:
    """Needs no model: rules for sentences, common sense as data. What it understands:
    docs/howto/instructions.md."""

    name = "grammar"

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the words ask for; where that depends on what was not seen, the next place to look."""
        try:
            return _understood(instruction, context)
        except Refusal as refusal:  # words that are no words of it
            return Refused(str(refusal), refusal.words, refusal.code)


def _understood(instruction: str, context: Context) -> Interpretation:
    named = name_held_object(instruction, context.graph)
    if isinstance(named, Refused):
        return named
    setting_down = asked_to_put_down(named, context)
    if setting_down is not None:
        return setting_down
    words = name_put_down_place(named, context)
    found = _read(words, context)
    if context.looking is not None or not isinstance(found, Refused) or found.code not in (
            Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET):
        return found
    return _or_the_rest(words, found, context)


def _or_the_rest(words: str, refused: Refused, context: Context) -> Interpretation:
    """Where one clause is not understood and the others are: whether to do those without it. Never a part unasked."""
    for clause, rest in without_each(words, names_of(context.vocabulary, context.graph)):
        if not isinstance(_read(rest, context), Refused):
            alone = _read(clause, context)
            at_fault = any(word in clause for word in refused.words)  # alone, "it" stands for nothing
            why = alone.message if isinstance(alone, Refused) and not at_fault else refused.message
            return AskBack(f"I do not understand {clause!r}: {why.partition(';')[0]}. "
                           f"Shall I do the rest, {rest!r}?", (Choice("the rest", rest),), (clause,), partial=True)
    return refused


def _read(words: str, context: Context) -> Interpretation:
    try:
        utterance = parse(words, names_of(context.vocabulary, context.graph))
    except Refusal as refusal:
        return Refused(str(refusal), refusal.words, refusal.code)

    def grounded(context: Context) -> Goal | AskBack:
        return ground(utterance, context.graph, context.vocabulary, complete=context.complete, looked=context.looked)
    return first_look(grounded, context)
