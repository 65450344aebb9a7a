"""The pages with worked examples: what they say is done in a copy of the sources, section by section, and works."""

import pytest
from worked_examples import ROOT, Block, blocks, carry_out, copy_of_sources

DOCS = ROOT / "docs"
PAGES = [page.name for page in sorted((DOCS / "extending").glob("*.md")) if page.stem != "index"]
EXAMPLES = [*((f"extending/{name}", None) for name in PAGES),
            ("howto/evaluate.md", "Write a suite"), ("howto/simulate.md", "Without physics"), ("tutorial.md", None)]


@pytest.mark.parametrize(("page", "section"), EXAMPLES)
def test_the_worked_example_works(page, section, tmp_path):
    found = blocks(DOCS / page, section)
    assert found
    carry_out(found, copy_of_sources(tmp_path))


@pytest.mark.parametrize(("block", "complaint"), [
    (Block("python", "no_comment = 1\n"), "does not say where"),
    (Block("python", "# a.py\nx = 1\n"), "is there already"),
    (Block("python", "# a.py, after: nothing of the kind\nx = 1\n"), "0 lines hold"),
    (Block("sh", "false\ntrue\n"), "status 1"),
    (Block("text", "three\n"), "not printed"),
])
def test_a_page_that_is_wrong_is_found_out(block, complaint, tmp_path):
    (tmp_path / "a.py").write_text("one = 1\n")
    with pytest.raises(AssertionError, match=complaint):
        carry_out([Block("sh", "echo one\necho two\n"), block], tmp_path)


def test_edits_go_where_they_are_told(tmp_path):
    (tmp_path / "a.py").write_text("one = 1\ntwo = 2\n")
    carry_out([Block("python", "# a.py, after: one\nmore = 3\n"), Block("python", "# a.py, instead of: two\n"),
               Block("python", "# a.py, at the end\nlast = 4\n"), Block("python", "# new/b.py\nb = 5\n")], tmp_path)
    assert (tmp_path / "a.py").read_text() == "one = 1\nmore = 3\nlast = 4\n"
    assert (tmp_path / "new" / "b.py").read_text() == "b = 5\n"
