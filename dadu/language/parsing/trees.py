"""The best tree of a sentence: Earley's algorithm finds all of them, the grammar's priorities say which."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from lark.exceptions import UnexpectedInput

from dadu.language.parsing.earley import earley_parser
from dadu.language.parsing.tokens import Word


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


def best_tree(words: Sequence[Word]) -> Tree:
    """Errors: NoTree."""
    earley = copy(_parser())
    stream = earley.predictions = _Stream(words, earley.predictions)
    try:
        with _uncollected():
            root = earley.parse(stream, "sentence")
    except UnexpectedInput as error:
        at = next((i for i, word in enumerate(words) if word is getattr(error, "token", None)), len(words))
        raise NoTree(at) from error
    children = _Choice().of(root).children()
    assert len(children) == 1 and isinstance(children[0], Tree)
    return children[0]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing of a sentence is garbage before it is read, and to look for some each time there is more takes a third of
    the time."""
    wanted = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if wanted:
            gc.enable()


@cache
def _parser() -> Any:
    """lark's parser, with the rules that a nonterminal begins with by that nonterminal."""
    earley, known = earley_parser()
    rules: dict[Any, list[Any]] = {}
    for rule in known:
        rules.setdefault(rule.origin, []).append(rule)
    earley.predictions = _Rules(rules)
    return earley


class _Rules:
    """The rules of each nonterminal, and of these the ones that can begin with a word of given classes."""

    def __init__(self, rules: Mapping[Any, Sequence[Any]]) -> None:
        self._rules = rules
        self._of = {origin.name: found for origin, found in rules.items()}
        self._first: dict[Any, set[str]] = {origin: set() for origin in rules}
        while any([self._grows(origin) for origin in rules]):
            pass
        self.beginning = lru_cache(maxsize=None)(self._beginning)

    def _grows(self, origin: Any) -> bool:
        known = self._first[origin]
        before = len(known)
        for rule in self._rules[origin]:
            known |= self._starts(rule)
        return len(known) > before

    def _starts(self, rule: Any) -> set[str]:
        first = rule.expansion[0]
        return {first.name} if first.is_term else self._first[first]

    def _beginning(self, origin: Any, classes: frozenset[str]) -> list[Any]:
        return [rule for rule in self._of[origin.name] if not classes.isdisjoint(self._starts(rule))]


class _Stream:
    """A sentence for lark's Earley parser: its lexer, and its table of predictions. lark takes up each word before it
    predicts what may begin there, so that rules which cannot begin with that word are left out; without that, and
    with its table of all left corners, a sentence takes ten times as long."""

    def __init__(self, words: Sequence[Word], rules: _Rules) -> None:
        self._words, self._rules = words, rules
        self._ahead: frozenset[str] = words[0].classes

    def lex(self, _expected: Any) -> Iterator[Word]:
        for word in self._words:
            self._ahead = word.classes
            yield word
        self._ahead = frozenset()

    def __getitem__(self, origin: Any) -> list[Any]:
        return self._rules.beginning(origin, self._ahead)


@dataclass(frozen=True)
class _Best:
    """The best derivation of one node of the forest, or a word."""

    score: int
    length: int
    """words that it covers"""
    order: tuple[int, ...]
    """decides among equals: lengths of its first parts, and where its rule stands in the grammar"""
    rule: Any = None
    """None of a word and of the unfinished first part of a rule"""
    parts: tuple[_Best, ...] = ()
    word: Word | None = None

    def children(self) -> tuple[Tree | Word, ...]:
        """One tree, or what stands in its place where the rule only groups (``_rule``, ``?rule`` of one child)."""
        if self.word is not None:
            return (self.word,)
        inner = tuple(child for part in self.parts for child in part.children())
        if self.rule is None:
            return inner
        name = self.rule.alias or str(self.rule.origin.name)
        if name.startswith("_") or self.rule.options.expand1 and len(inner) == 1 and not self.rule.alias:
            return inner
        return (Tree(name, inner),)


class _Choice:
    """The best derivation of each node, worked out once."""

    def __init__(self) -> None:
        self._known: dict[int, _Best] = {}

    def of(self, node: Any) -> _Best:
        """`node`: of lark's forest; packed nodes are its alternatives."""
        word = getattr(node, "token", node)
        if isinstance(word, Word):
            return _Best(0, 1, (), word=word)
        if id(node) not in self._known:
            self._known[id(node)] = max((self._packed(node, p) for p in node.children), key=_rank)
        return self._known[id(node)]

    def _packed(self, node: Any, packed: Any) -> _Best:
        parts = tuple(self.of(child) for child in packed.children)
        score = sum(p.score for p in parts)
        length = sum(p.length for p in parts)
        if node.is_intermediate:
            return _Best(score, length, (parts[0].length,), parts=parts)
        score += packed.rule.options.priority or 0
        return _Best(score, length, (-packed.rule.order, parts[0].length if parts else 0), packed.rule, parts)


def _rank(best: _Best) -> tuple[int, tuple[int, ...]]:
    return best.score, best.order
