"""The names of a house's own kinds of things, which are told with its layout and not without it."""

from __future__ import annotations

from dadu.house.files import load_house
from dadu.house.format import House
from dadu.house.layout import NOTHING
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.world.graph import Entity, Kind, WorldGraph


def vocabulary_of(house: str) -> Vocabulary:
    """`vocabulary_of_house`, by the house's name or path; of the catalogue where that is empty. Errors: ConfigError."""
    return vocabulary_of_house(load_house(house)) if house else default_vocabulary()


def vocabulary_of_house(house: House) -> Vocabulary:
    """With the categories of the house's own things, as a detector was taught them: what they are called, not where
    they are or whether there are any."""
    return default_vocabulary().extended(WorldGraph(Entity(o.name, Kind.OBJECT, o.category) for o in house.objects))


def told_vocabulary(house: House, known: str) -> Vocabulary:
    """What a robot calls things that was told as much of the house as `known` says (`dadu.house.layout.KNOWN`): who is
    told of no layout is told of no names either."""
    return default_vocabulary() if known == NOTHING else vocabulary_of_house(house)
