"""Instructions that must be refused, naming the words at fault."""

import pytest

from dadu.knowledge import nouns as grounding
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.language.interpret import interpret
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

REFUSED = {
    "put the shiny apple on the desk": "shiny",
    "put the apple on the piano": "piano",
    "put the apple on the shipping table": "shipping",
    "put the apple under the desk": "under",
    "juggle the apples": "juggle",
    "dance": "dance",
    "fold the blanket": "fold",
    "iron the shirt": "iron",
    "put the apple": "put",
    "put": "put",
    "": "",
    "the apple": "the apple",
    "milk near the counter": "milk",
    "open the apple": "the apple",
    "open the sofa": "the sofa",
    "put the desk on the shelf": "the desk",
    "take the mug and the bowl": "the mug",
    "place it on the desk": "it",
    "do not move the apple": "do not move the apple",
    "do not open the fridge": "not",
    "bring the milk carton to table 5": "5",
    "put the apple on the candle": "the candle",
    "put the ball on the basket": "the basket",
    "bring the heaviest book to the desk": "heaviest",
    "put the mug on the desk while the fridge is open": "while",
    "heat the soup": "heat",
    "switch on the apple": "the apple",
    "throw away the soup can": "throw away",
    "complete the shipment of the lemon": "complete the shipment of",
    "otherwise bring the lemon": "otherwise",
    "if the milk tastes good, bring it": "the milk tastes good",
    "restock the lemons on the desk": "restock",
    "my aunt comes on friday": "my aunt comes on friday",
    "tell me a joke": "tell",
    "what is the capital of france": "what is the capital of france",
    "make me a sandwich": "make",
    "call my mother": "call",
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


class Deaf(LexicalEmbedder):
    """Hears no negation and no adverb, much as a sentence encoder does."""

    name = "deaf"

    def embed(self, texts):
        unheard = {"not", "no", "never", "cannot", "frightfully"}
        return super().embed([" ".join(w for w in text.split() if w not in unheard) for text in texts])


@pytest.mark.parametrize("remark", ["I am not frightfully cold", "my hands are never frightfully cold"])
def test_a_wish_that_is_denied_is_not_fulfilled(known, monkeypatch, remark):
    monkeypatch.setattr(grounding, "default_embedder", Deaf)
    with pytest.raises(Refusal, match="say for instance"):
        interpret(remark, known)


def test_a_remark_means_the_wish_that_is_nearest(known, monkeypatch):
    monkeypatch.setattr(grounding, "default_embedder", Deaf)
    assert any("was taken as 'i am thirsty'" in note for note in interpret("I am frightfully thirsty", known).notes)
