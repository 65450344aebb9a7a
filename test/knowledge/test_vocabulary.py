"""The vocabulary's index finds what trying every entry would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.grounding.ground import ground
from dadu.language.parsing.parse import parse
from dadu.stacks.priors import vocabulary_of_house
from dadu.world.graph import Entity, Kind, WorldGraph

VOCABULARY = vocabulary_of_house(load_house("flat")).extended(build_graph(load_house("flat")))
NAMES = sorted({words for entry in VOCABULARY.entries.values()
                for words in (entry.name, *entry.aliases, *entry.hypernyms, *entry.coloured) if words})
WORDS = sorted({word for words in NAMES for word in words})


def by_trying(words):
    tried = ((entry, entry.tier(words)) for entry in VOCABULARY.entries.values())
    return tuple((entry, tier) for entry, tier in tried if tier is not None)


@pytest.mark.parametrize("change", [lambda words: words, lambda words: words[1:], lambda words: ("".join(words),),
                                    lambda words: words[:-1], lambda words: (*words, *words)])
def test_every_name_is_found_as_by_trying_all(change):
    for words in map(change, NAMES[::5]):
        assert VOCABULARY.named(words) == by_trying(words), words


@given(st.lists(st.sampled_from(WORDS), max_size=3).map(tuple))
def test_any_words_are_found_as_by_trying_all(words):
    assert VOCABULARY.named(words) == by_trying(words)
    name = " ".join(words)
    normal = {entry.category for entry, _ in by_trying(VOCABULARY.lexicon.normal(name))}
    assert {category for category in VOCABULARY.entries if VOCABULARY.is_a(category, name)} == normal


def test_what_nobody_has_heard_of_names_nothing():
    assert VOCABULARY.named(("zork",)) == () == VOCABULARY.named(())
    assert not default_vocabulary().is_a("zork", "fruit") and default_vocabulary().is_a("apple", "fruit")


def test_what_is_extended_in_the_same_way_is_the_same_vocabulary():
    """So that it remembers what words name."""
    def with_(*categories):
        return default_vocabulary().extended(WorldGraph(Entity(f"{c}_{i}", Kind.OBJECT, c)
                                                        for i, c in enumerate(categories)))
    assert with_("zork", "zork") is with_("zork") and "zork" in with_("zork").entries
    assert with_("zork", "blib") is not with_("zork") and with_("mug") is default_vocabulary()


def test_no_two_kinds_share_a_name():
    """What bears another's own name is the same kind, or a kind of it: nobody looks for one where the other is seen."""
    words, told = default_vocabulary(), set()
    for entry in words.entries.values():
        for other, tier in words.named(entry.name):
            if other is not entry and other.kind is entry.kind and tier < 2:
                same = tier == 0 and entry.name in other.same and other.name in entry.same
                homonym = entry.kind is not Kind.OBJECT or not entry.hypernyms & other.hypernyms  # glass, glasses
                assert same or homonym, (entry.category, other.category)
                told |= {entry.category} if same else set()
    assert {"remote", "remote_control", "sofa", "couch"} <= told and "mug" not in told


@pytest.mark.parametrize(("said", "meant"), [
    ("remote control", {"remote", "remote_control"}), ("clock", {"clock", "alarm_clock"}), ("mug", {"mug"})])
def test_what_is_of_one_kind_is_looked_for_at_once(said, meant):
    graph = build_graph(load_house("apartment"), "layout")
    goal = ground(parse(f"put the {said} on the bed"), graph, default_vocabulary())
    told = goal.propositions[0].subject.description
    assert meant <= set(told.categories) and not meant & set(told.general)
