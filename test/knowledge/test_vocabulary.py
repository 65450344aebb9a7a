"""The vocabulary's index finds what trying every entry would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
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
    for words in map(change, NAMES):
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
