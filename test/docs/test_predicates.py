"""``docs/evaluation.md`` shows the table of predicates as it is."""

from pathlib import Path

from predicates_page import HEAD, table

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"


def test_the_page_shows_the_table():
    lines = PAGE.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {HEAD[0]} |"))
    end = next(i for i, line in enumerate(lines) if i > start and not line.startswith("|"))
    shown = lines[start:end]
    missing, outdated = [line for line in table() if line not in shown], [line for line in shown if line not in table()]
    assert shown == table(), "\n".join(["write to docs/evaluation.md:", *missing, "instead of:", *outdated])
