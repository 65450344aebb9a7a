"""The best tree of a sentence: Earley's algorithm finds what can stand where, the grammar's priorities say which tree.

lark reads the grammar file, which takes it far longer than a sentence takes here: the rules that it makes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark
from lark.lexer import Lexer

from dadu.core.cache import cached_json
from dadu.language.parsing.tokens import Word

GRAMMAR = Path(__file__).with_name("english.lark")
_START = "sentence"


@dataclass(frozen=True)
class Tree:
    """A rule of the grammar (or its alias) and what it stands for."""

    rule: str
    children: tuple[Tree | Word, ...]

    def words(self) -> list[Word]:
        """Its words in order."""
        return [word for child in self.children for word in (child.words() if isinstance(child, Tree) else [child])]


class NoTree(Exception):
    """A sentence that is none by the grammar; `at` is the index of the first word that fits nowhere, or the number
    of words where something is missing behind them."""

    def __init__(self, at: int) -> None:
        super().__init__(f"no tree at word {at}")
        self.at = at


@dataclass(frozen=True, eq=False)
class _Rule:
    """What a rule of the grammar stands for; names of terminals are in capitals."""

    origin: str
    parts: tuple[str, ...]
    order: int
    """where it stands among those of the same origin"""
    alias: str | None
    expands: bool
    """it only groups where it has one child"""
    priority: int

    def tree(self, children: tuple[Tree | Word, ...]) -> tuple[Tree | Word, ...]:
        """One tree, or what stands in its place where the rule only groups (``_rule``, ``?rule`` of one child)."""
        name = self.alias or self.origin
        if name.startswith("_") or self.expands and len(children) == 1 and not self.alias:
            return children
        return (Tree(name, children),)


def best_tree(words: Sequence[Word]) -> Tree:
    """Errors: NoTree."""
    chart = _Chart(words)
    best = _Choice(words, chart).of(_START, 0, len(words))
    assert len(best.children) == 1 and isinstance(best.children[0], Tree)
    return best.children[0]


@cache
def _rules() -> dict[str, list[_Rule]]:
    """By what they stand for."""
    grammar = GRAMMAR.read_bytes()
    name = f"grammar-{sha256(repr(GRAMMAR).encode()).hexdigest()[:16]}.json"
    found: dict[str, list[_Rule]] = {}
    for row in cached_json(name, (grammar, Path(__file__).read_bytes(), lark.__version__), lambda: _rows(grammar)):
        origin, parts, *rest = row
        found.setdefault(origin, []).append(_Rule(origin, tuple(parts), *rest))
    return found


def _rows(grammar: bytes) -> list[Any]:
    """The rules that lark makes of a grammar."""
    options: dict[str, Any] = {"parser": "earley", "ambiguity": "forest", "maybe_placeholders": False}
    made: Any = lark.Lark(grammar.decode(), start=_START, lexer=_NoLexer, **options)
    return [[r.origin.name, [s.name for s in r.expansion], r.order, r.alias, r.options.expand1,
             r.options.priority or 0] for r in made.rules]


class _NoLexer(Lexer):
    """The words are there already."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, *_: Any) -> Iterator[Any]:
        return iter(())


@cache
def _first() -> dict[str, set[str]]:
    """The classes of words that each nonterminal begins with."""
    first: dict[str, set[str]] = {origin: set() for origin in _rules()}
    grows = True
    while grows:
        grows = False
        for origin, rules in _rules().items():
            begins = set[str]().union(*(first.get(rule.parts[0], {rule.parts[0]}) for rule in rules))
            grows, first[origin] = grows or begins != first[origin], begins
    return first


@cache
def _beginning(origin: str, classes: frozenset[str]) -> tuple[_Rule, ...]:
    """The rules of `origin` that can begin with a word of these classes."""
    return tuple(rule for rule in _rules()[origin] if _may_begin(rule.parts[0], classes))


@cache
def _may_begin(part: str, classes: frozenset[str]) -> bool:
    """True if a word of these classes can be the first of `part`."""
    return not classes.isdisjoint(_first().get(part, {part}))


_Item = tuple[_Rule, int, int]
"""a rule, how many of its parts are there, and at which word it began"""


class _Chart:
    """What can stand where in a sentence. Errors: NoTree."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.items: list[set[_Item]] = []
        """by the number of words before"""
        self.rules: dict[tuple[str, int, int], list[_Rule]] = {}
        """that are complete, by what they stand for and from where to where"""
        self.starts: dict[tuple[str, int], list[int]] = {}
        """of what is complete, by where it ends"""
        self._waiting: list[dict[str, list[_Item]]] = []
        none = frozenset[str]()
        column: list[_Item] = [(rule, 0, 0) for rule in _beginning(_START, words[0].classes)]
        for at in range(len(words) + 1):
            column = self._column(at, column, words[at].classes if at < len(words) else none)
            if not column and at < len(words):
                raise NoTree(at)
        if (_START, 0, len(words)) not in self.rules:
            raise NoTree(len(words))

    def _column(self, at: int, todo: list[_Item], ahead: frozenset[str]) -> list[_Item]:
        """All that can be the case before the word with classes `ahead`, from what was so behind the last one; returns
        what is so behind it."""
        seen, waiting, scanned = set(todo), dict[str, list[_Item]](), list[_Item]()
        self.items.append(seen)
        self._waiting.append(waiting)
        while todo:
            item = todo.pop()
            rule, done, start = item
            found: list[_Item] = []
            if done == len(rule.parts):
                found = self._completed(rule, start, at, ahead)
            elif (part := rule.parts[done]).isupper():
                if part in ahead:
                    scanned.append((rule, done + 1, start))
            elif part in waiting:
                waiting[part].append(item)
            else:
                waiting[part] = [item]
                found = [(predicted, 0, at) for predicted in _beginning(part, ahead)]
            for new in found:
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
        return scanned

    def _completed(self, rule: _Rule, start: int, at: int, ahead: frozenset[str]) -> list[_Item]:
        """What goes on behind it with a word of classes `ahead`, or is complete with it."""
        key = (rule.origin, start, at)
        if key in self.rules:
            self.rules[key].append(rule)
            return []
        self.rules[key] = [rule]
        self.starts.setdefault((rule.origin, at), []).append(start)
        return [(waiter, done + 1, begun) for waiter, done, begun in self._waiting[start].get(rule.origin, ())
                if done + 1 == len(waiter.parts) or _may_begin(waiter.parts[done + 1], ahead)]


@dataclass(frozen=True)
class _Best:
    """The best derivation of a part of a sentence."""

    score: int
    order: tuple[int, ...]
    """decides among equals: where its rule stands in the grammar, and the length of its first parts"""
    children: tuple[Tree | Word, ...]


class _Choice:
    """The best derivation of each part, worked out once."""

    def __init__(self, words: Sequence[Word], chart: _Chart) -> None:
        self._words, self._chart = words, chart
        self._known: dict[tuple[str, int, int], _Best] = {}
        self._begun: dict[tuple[_Rule, int, int, int], _Best] = {}

    def of(self, name: str, start: int, end: int) -> _Best:
        """Of a nonterminal, or a word."""
        key = (name, start, end)
        if key not in self._known:
            self._known[key] = max((self._whole(rule, start, end) for rule in self._chart.rules[key]), key=_rank)
        return self._known[key]

    def _whole(self, rule: _Rule, start: int, end: int) -> _Best:
        parts = self._parts(rule, len(rule.parts), start, end)
        return _Best(parts.score + rule.priority, (-rule.order, *parts.order), rule.tree(parts.children))

    def _parts(self, rule: _Rule, count: int, start: int, end: int) -> _Best:
        """The first `count` parts of a rule."""
        key = (rule, count, start, end)
        if key not in self._begun:
            self._begun[key] = max(self._splits(rule, count, start, end), key=_rank)
        return self._begun[key]

    def _splits(self, rule: _Rule, count: int, start: int, end: int) -> Iterator[_Best]:
        part = rule.parts[count - 1]
        ends = [end - 1] if part.isupper() else self._chart.starts[part, end]
        for middle in ends:
            last = _Best(0, (), (self._words[middle],)) if part.isupper() else None
            if count == 1:
                if middle == start:
                    only = last or self.of(part, start, end)
                    yield _Best(only.score, (end - start,), only.children)
            elif (rule, count - 1, start) in self._chart.items[middle]:
                before, last = self._parts(rule, count - 1, start, middle), last or self.of(part, middle, end)
                yield _Best(before.score + last.score, (middle - start,), before.children + last.children)


def _rank(best: _Best) -> tuple[int, tuple[int, ...]]:
    return best.score, best.order
