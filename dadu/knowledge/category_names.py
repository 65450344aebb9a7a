"""From the words of a detector's classes to the catalogue's categories."""

from __future__ import annotations

from dadu.house.catalogue import furniture_categories, object_categories


def categories_by_word() -> dict[str, str]:
    """Lower-case words to categories: every category's name and aliases; where two share an alias, the first has it."""
    tables = (object_categories(), furniture_categories())
    words = {name.replace("_", " "): name for table in tables for name in table}
    for table in tables:
        for name, category in table.items():
            for alias in category.aliases:
                words.setdefault(alias.lower(), name)
    return words
