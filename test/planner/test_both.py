"""The network beside the grammar: who acts, who is asked. The network is played."""

from dataclasses import replace

import pytest

from dadu.core.errors import ConfigError
from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Refused
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.learned.reader import LearnedReading
from dadu.language.parsing.parse import parse
from dadu.planner import learned
from dadu.planner.both import Both
from dadu.planner.interpreters import make_interpreter
from dadu.planner.learned import Learned

SAID = "put the apple on the shelf"


class Played:
    """Reads whatever is given to it as if it were these words."""

    def __init__(self, words, confidence, symbols):
        self.found = LearnedReading(parse(words), confidence, -0.1, (0,) * symbols) if words else None

    def read(self, instruction, names):
        return self.found


@pytest.fixture
def context(known):
    return Context(known, default_vocabulary(), complete=True)


@pytest.fixture
def playing(monkeypatch, tmp_path):
    def play(words, confidence=0.95, symbols=10):
        monkeypatch.setattr(learned, "reader_of", lambda path: Played(words, confidence, symbols))
        return tmp_path
    return play


def test_agreement_acts(playing, context):
    found = Both(playing(SAID)).read(SAID, context)
    assert isinstance(found, Goal) and not any("network" in note for note in found.notes)


def test_readings_that_differ_are_asked_about(playing, context):
    found = Both(playing("take the apple from the shelf")).read(SAID, context)
    assert isinstance(found, AskBack) and "is_held" in found.message and "is_on_top" in found.message


def test_a_network_that_is_not_sure_is_not_heard(playing, context):
    assert isinstance(Both(playing("take the apple from the shelf", 0.5)).read(SAID, context), Goal)
    assert isinstance(Both(playing("")).read(SAID, context), Goal)


def test_what_the_grammar_cannot_read_is_done_with_a_note(playing, context):
    found = Both(playing(SAID)).read("apple of shelf the of on", context)
    assert isinstance(found, Goal) and "read by the network (sure to 95%)" in found.notes[-1]
    assert isinstance(Both(playing(SAID, 0.5)).read("apple of shelf the of on", context), Refused)


def test_a_reading_that_passes_words_over_is_not_heard_however_sure(playing, context):
    refused = Learned(playing("slice the apple")).read(SAID, context)
    assert isinstance(refused, Refused) and refused.words == ("shelf",)
    assert isinstance(Both(playing("slice the apple")).read(SAID, context), Goal)
    assert isinstance(Learned(playing("put the aple on the shelf")).read("put the aple on the shelf", context), Goal)


def test_alone_it_refuses_what_it_is_not_sure_of(playing, context):
    assert isinstance(Learned(playing(SAID)).read("anything", context), Goal)
    refused = Learned(playing(SAID, 0.4)).read("anything", context)
    assert isinstance(refused, Refused) and "sure to 40%" in refused.message
    assert isinstance(Learned(playing("")).read("...", context), Refused)


def test_without_weights_it_says_how_to_get_some():
    for name in ("learned", "both"):
        with pytest.raises(ConfigError, match="nowhere.zip.*dadu train interpreter"):
            make_interpreter(f"{name}:nowhere.zip")


def test_the_context_is_not_changed(playing, context):
    before = replace(context)
    Both(playing("slice the apple")).read(SAID, context)
    assert context == before


def test_a_long_reading_is_as_sure_as_all_its_requests_together(playing, context):
    one, three = (LearnedReading(parse(SAID), 0.95, -0.1, (0,) * symbols) for symbols in (20, 60))
    assert one.sure_of_all == 0.95 and three.sure_of_all == pytest.approx(0.95 ** 3)
    other = "take the apple from the shelf"
    assert isinstance(Both(playing(other, symbols=20)).read(SAID, context), AskBack)
    assert isinstance(Both(playing(other, symbols=60)).read(SAID, context), Goal), "it is not asked about"
