"""What an instruction asks for, in one step: words to frames to a goal."""

from dadu.goals.interpreter import AskBack
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.grounding.ground import ground
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal


def interpret(instruction, graph, vocabulary=None, *, complete=False, looked=()):
    """Errors: NotUnderstood, also where the user would be asked back."""
    vocabulary = vocabulary or default_vocabulary()
    goal = ground(parse(instruction, names_of(vocabulary, graph)), graph, vocabulary, complete=complete, looked=looked)
    if isinstance(goal, AskBack):
        raise Refusal(goal.message)
    return goal
