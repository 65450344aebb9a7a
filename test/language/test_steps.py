"""Numbers and bullets before steps."""

import pytest

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.reading.words.steps import without_numbers


@pytest.mark.parametrize("said, plain", [
    ("1. Open the door. 2. Close it.", "open the door. then close it."),
    ("1) open it 2) take the cup, 3) close it", "open it. then take the cup. then close it"),
    ("Step 1: Open it. Step two - close it.", "open it. then close it."),
    ("Put on the table:\n1. the cup\n2. the mug", "Put on the table: the cup, the mug"),
    ("- Open it\n- Close it", "open it. close it"),
    ("Put the cup on table 1. Open cabinet 2. Close it.", "Put the cup on table 1. Open cabinet 2. Close it."),
    ("Take 2 apples. Bring 3 cups.", "Take 2 apples. Bring 3 cups."),
    ("1. \u017fugar here 2. milk there", "\u017fugar here. then milk there"),  # no letter of the alphabet
])
def test_without_numbers(said, plain):
    assert without_numbers(said, default_lexicon()) == plain
