"""``docs/skills.md`` shows the table of skills as it is."""

from pathlib import Path

from skills_page import table

PAGE = Path(__file__).parents[2] / "docs" / "skills.md"


def test_the_page_shows_the_table():
    shown = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    missing, outdated = [line for line in table() if line not in shown], [line for line in shown if line not in table()]
    assert shown == table(), "\n".join(["write to docs/skills.md:", *missing, "instead of:", *outdated])
