"""A cursor over tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.knowledge.lexicon import Lexicon
from dadu.language.reading.syntax import Clause, Condition
from dadu.language.reading.words.tokens import Token


@dataclass
class Reader:
    """Where reading stands, and what has been read."""

    tokens: list[Token]
    lexicon: Lexicon
    at: int = 0
    clauses: list[Clause] = field(default_factory=list)
    condition: Condition | None = None
    """the last one, for ``otherwise`` and ``if so``"""
    place: bool = False
    """whether the noun being read is a place"""
    searches: bool = False
    """whether ``for`` says what is looked for in the clause being read"""
    remarks: list[str] = field(default_factory=list)
    """of the clause being read"""

    def peek(self, tag: str, offset: int = 0) -> str | None:
        """The value of `tag` at the token, or None where the token has no such tag."""
        i = self.at + offset
        return self.tokens[i].tags.get(tag) if i < len(self.tokens) else None

    def any(self, *tags: str, offset: int = 0) -> bool:
        """Whether the token may be one of these."""
        i = self.at + offset
        return i < len(self.tokens) and self.tokens[i].has(*tags)

    def take(self, *tags: str) -> str | None:
        """Passes the token where it has one of these tags, and gives that tag's value."""
        for tag in tags:
            value = self.peek(tag)
            if value is not None:
                self.at += 1
                return value
        return None

    def pass_over(self, *tags: str) -> str:
        """The same of a token that is known to have one of the tags. Errors: ValueError where it has none."""
        value = self.take(*tags)
        if value is None:
            raise ValueError(f"no {' or '.join(tags)} stands at {self.text(self.at, len(self.tokens))!r}")
        return value

    def skip(self, *tags: str) -> None:
        while self.take(*tags) is not None:
            pass

    @property
    def over(self) -> bool:
        return self.at >= len(self.tokens)

    def text(self, start: int, end: int | None = None) -> str:
        """The words between two positions."""
        return " ".join(t.text for t in self.tokens[start:self.at if end is None else end])

    def ahead(self, *tags: str, until: tuple[str, ...] = ("end",)) -> int | None:
        """The position of the next token with one of `tags`, not behind one of `until`."""
        for i in range(self.at, len(self.tokens)):
            if self.tokens[i].has(*tags):
                return i
            if self.tokens[i].has(*until):
                return None
        return None
