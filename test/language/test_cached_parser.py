"""lark reads the grammar once on a machine, and what was kept is never used for another grammar."""

import pytest

from dadu.language.parsing import trees
from dadu.language.parsing.names import catalogue_names
from dadu.language.parsing.tokens import sentences


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "dadu"


@pytest.fixture
def built(monkeypatch):
    """How often lark was asked."""
    asked, build = [], trees._rows
    monkeypatch.setattr(trees, "_rows", lambda grammar: asked.append(grammar) or build(grammar))
    return asked


def rules():
    return {origin: [(rule.parts, rule.alias, rule.priority) for rule in of]
            for origin, of in trees._rules.__wrapped__().items()}


def test_the_next_process_builds_nothing(built, folder):
    first = rules()
    assert rules() == first and len(built) == 1
    assert [path.suffix for path in folder.iterdir()] == [".json"]


def test_another_grammar_is_built_in_its_place(built, folder, tmp_path, monkeypatch):
    before = rules()
    other = tmp_path / "english.lark"
    other.write_text(trees.GRAMMAR.read_text() + "\n// a word more\n")
    changed = tmp_path / "changed.lark"
    changed.write_text(other.read_text().replace("both: VERB _and_verb+ arguments", "both: VERB _and_verb arguments"))
    monkeypatch.setattr(trees, "GRAMMAR", other)
    assert rules() == before and len(built) == 2
    other.write_text(changed.read_text())
    assert rules() != before and len(built) == 3
    assert rules() != before and len(built) == 3
    assert len([*folder.iterdir()]) == 2  # one for each place of a grammar


def test_another_lark_builds_its_own(built, monkeypatch):
    rules()
    monkeypatch.setattr(trees.lark, "__version__", "9.9")
    rules()
    assert len(built) == 2


@pytest.mark.parametrize("damage", [
    lambda whole: b"", lambda whole: whole[:-1], lambda whole: whole[:200] + b"x" + whole[201:],
    lambda whole: whole[:32] + b"[]"])
def test_a_file_that_is_not_whole_is_not_opened(built, folder, damage):
    first = rules()
    path, = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert rules() == first and len(built) == 2
    assert rules() == first and len(built) == 2


def test_without_a_folder_it_is_built_each_time(built, folder):
    folder.touch()
    assert rules() == rules() and len(built) == 2


def test_what_was_kept_finds_the_same_trees(built):
    words = [spoken.words for spoken in sentences("put the red mug and the plate on the table, then close the fridge",
                                                  catalogue_names())]

    def found():
        for made in (trees._rules, trees._first, trees._beginning):
            made.cache_clear()
        return [trees.best_tree(some) for some in words]

    assert found() == found() and len(built) == 1
