"""``docs/reference`` shows the tables of skills, predicates and outcomes as they are."""

from pathlib import Path

import outcomes_page
import predicates_page
import pytest
import skills_page

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize(("page", "table"), [
    ("skills", skills_page.table()), ("predicates", predicates_page.table()),
    ("outcomes", outcomes_page.table()), ("outcomes", outcomes_page.details()),
])
def test_the_page_shows_the_table(page, table):
    lines = (REFERENCE / f"{page}.md").read_text().splitlines()
    start = lines.index(table[0]) if table[0] in lines else len(lines)
    end = next((i for i, line in enumerate(lines) if i > start and not line.startswith("|")), len(lines))
    shown = lines[start:end]
    missing, outdated = [line for line in table if line not in shown], [line for line in shown if line not in table]
    assert shown == table, "\n".join([f"write to docs/reference/{page}.md:", *missing, "instead of:", *outdated])
