"""What people ask for, in the YAML files of ``asked/``: which things must end up where, and in the houses of which."""

from functools import cache
from pathlib import Path

import pytest

from dadu.core.config import read_yaml
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.world.graph import Kind

_LANGUAGE = Path(__file__).parents[1] / "language"
HOUSES = _LANGUAGE / "houses"
STATES = {"hot": "is_hot", "cold": "is_cold", "clean": "is_clean", "sliced": "is_sliced", "filled": "is_filled",
          "on": "is_powered_on", "off": "is_powered_off", "open": "is_open", "closed": "is_closed"}


def cases(files="*"):
    """(house, instruction, what must come of it), all of the files of such names."""
    return [(house, *case) for path in sorted((_LANGUAGE / "asked").glob(f"{files}.yaml"))
            for house, found in read_yaml(path).items() for case in found.items()]


def every(step, cases, first=0):
    """Parameters of a test: one case of `step`, from the `first` on, in each run, the others only with --all."""
    return [pytest.param(*case, id=case[1][:60], marks=() if i % step == first else pytest.mark.thorough)
            for i, case in enumerate(cases)]


@cache
def house_and_graph(name):
    own = HOUSES / f"{name}.house.yaml"
    house = load_house(own if own.exists() else name)
    return house, build_graph(house, "all")


def meant(words, graph):
    """``apple_0|*fruit``: ids, and all that is of a kind."""
    kinds = [w[1:] for w in words.split("|") if w.startswith("*")]
    vocabulary = default_vocabulary().extended(graph)
    categories_of_kind = {e.id for e in graph.of(Kind.OBJECT) for kind in kinds if vocabulary.is_a(e.category, kind)}
    return set(words.split("|")) | categories_of_kind
