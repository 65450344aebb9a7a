"""What things were said to look like, for detectors that take text: few, each once, and only as long as a task."""

from __future__ import annotations

from collections.abc import Collection, Iterator

MOST = 4
"""every phrase more costs time and precision"""


class Descriptions:
    """The newest phrases, and of which category each is told."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Phrase and category, oldest first."""
        return iter(self._told.items())

    def add(self, category: str, description: str, names: Collection[str] = ()) -> bool:
        """True if that is news: neither empty, nor one of the `names` that are known anyway, nor told already."""
        text = " ".join(description.lower().split())
        if not text or text in names:
            return False
        news = self._told.pop(text, None) != category
        self._told[text] = category
        while len(self._told) > MOST:
            del self._told[next(iter(self._told))]
        return news

    def clear(self) -> bool:
        """True if there were any."""
        had = bool(self._told)
        self._told.clear()
        return had
