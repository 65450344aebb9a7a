"""Instructions that must be refused, naming the words at fault."""

import time

import pytest
from understood import interpret

from dadu.knowledge import nouns as grounding
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

REFUSED = {
    "put the apple on the piano": "piano",
    "put the apple under the desk": "under the desk",
    "juggle the apples": "juggle",
    "dance": "dance",
    "divide the apple": "divide",
    "fold the blanket": "fold",
    "iron the shirt": "iron",
    "put the apple": "put",
    "put": "put",
    "": "",
    "the apple": "apple",
    "milk near the counter": "counter",
    "open the apple": "the apple",
    "open the sofa": "the sofa",
    "put the desk on the shelf": "the desk",
    "take the mug and the bowl": "the mug",
    "do not open the fridge": "the fridge",
    "bring the milk carton to table 5": "5",
    "put the apple on the candle": "the candle",
    "put the ball on the basket": "the basket",
    "heat the soup": "heat",
    "switch on the apple": "the apple",
    "throw away the soup can": "trash",
    "complete the shipment of the lemon": "shipping",
    "otherwise bring the lemon": "otherwise",
    "if the milk tastes good, bring it": "good",
    "my aunt comes on friday": "friday",
    "tell me a joke": "tell me",
    "what is the capital of france": "the",
    "call my mother": "call",
    "make me a sandwich": "make me a sandwich",
    "bring the heaviest book": "heaviest",
}


@pytest.mark.parametrize("instruction", REFUSED)
def test_it_is_refused_naming_the_words(known, instruction):
    with pytest.raises(Refusal) as refused:
        interpret(instruction, known)
    assert refused.value.code in (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET, Code.NOT_INTERACTIVE, Code.HAND_FULL)
    if REFUSED[instruction]:
        assert refused.value.words[0] == REFUSED[instruction]
        assert REFUSED[instruction] in str(refused.value)


@pytest.mark.parametrize(("instruction", "why"), [
    ("put the " + " ".join(["lemon", "apple", "mug", "vase"] * 20) + " on the desk", "a name of 80 words"),
    ("put the " + ", the ".join(["lemon", "apple", "mug", "vase"] * 20) + " on the desk", "a sentence of"),
    ("put the lemon on the desk and the apple on the shelf. " * 40, "an instruction of"),
])
def test_what_would_take_long_to_read_is_refused_at_once(known, instruction, why):
    began = time.process_time()
    with pytest.raises(Refusal, match=why):
        interpret(instruction, known)
    assert time.process_time() - began < 1.0


def test_a_verb_that_nobody_knows_is_told_with_the_nearest(known):
    with pytest.raises(Refusal, match="the nearest that I know is to cut"):
        interpret("divide the apple", known)


def test_with_a_word_that_nobody_knows_a_box_is_no_box_of_something(known):
    with pytest.raises(Refusal, match="gelation"):
        interpret("move the gelation box to the desk", known, complete=True)
    told = interpret("move the gelation box to the desk", known).propositions[0].subject.description
    assert told.categories == ("box",) and told.general == ()


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
    notes = interpret("I am frightfully thirsty", known).notes
    assert any(note.startswith("'i am thirsty': something for it is brought") for note in notes)
