"""Instructions that must be refused, naming the words at fault."""

import pytest

from dadu.planner.language.interpret import interpret
from dadu.planner.language.refusal import Refusal
from dadu.skills.outcome import Code

REFUSED = {
    "grasp a strawberry and put it on the toy table": "strawberry",
    "put the shiny apple on the desk": "shiny",
    "put the apple on the piano": "piano",
    "put the apple on the shipping table": "shipping",
    "put the apple on the floor": "floor",
    "put the apple under the desk": "under",
    "put the apple between the vase and the cup": "between",
    "wash the apple": "wash",
    "throw the ball into the basket": "throw",
    "tidy up the kitchen": "tidy",
    "put the apple": "put",
    "put": "put",
    "": "",
    "the apple": "the apple",
    "milk to the counter": "milk",
    "open the apple": "the apple",
    "open the sofa": "the sofa",
    "put the desk on the shelf": "the desk",
    "take the mug and the bowl": "the mug",
    "place it on the desk": "it",
    "do not move the apple": "not",
    "put the apple or the lemon on the desk": "or",
    "if there is milk, bring it": "if",
    "bring the milk carton to table 5": "5",
    "put an apple in every room": "every room",
    "put the apple in the bowl": "the bowl",
    "put the ball on the basket": "the basket",
    "bring the heaviest book to the desk": "heaviest",
    "put all apples except the red one on the desk": "except",
}


@pytest.mark.parametrize("instruction", REFUSED)
def test_it_is_refused_naming_the_words(known, instruction):
    with pytest.raises(Refusal) as refused:
        interpret(instruction, known)
    assert refused.value.code in (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET, Code.NOT_INTERACTIVE, Code.HAND_FULL)
    if REFUSED[instruction]:
        assert refused.value.words[0] == REFUSED[instruction]
        assert REFUSED[instruction] in str(refused.value)


def test_alternatives_are_listed(known):
    with pytest.raises(Refusal, match="dining_table_0"):
        interpret("put the apple on the piano", known)
