"""lark's Earley parser of the grammar. Reading the grammar and its analysis take lark far longer than a sentence takes,
and lark's own cache is for its other parsers only: the rules that it made of the grammar are kept."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lark
import lark.grammar
from lark.common import ParserConf
from lark.lexer import Lexer
from lark.parsers.earley import Parser

from dadu.core.cache import cached_json

GRAMMAR = Path(__file__).with_name("english.lark")
_made_of: Any = lark.grammar


class _Terminal(_made_of.Terminal):  # type: ignore[misc]
    """One of its name in the grammar, as are the two below of theirs: lark compares and hashes what a sentence is made
    of a thousand times a word, and would look at the names each time."""

    __slots__ = ()
    __eq__, __hash__ = object.__eq__, object.__hash__


class _NonTerminal(_made_of.NonTerminal):  # type: ignore[misc]
    __slots__ = ()
    __eq__, __hash__ = object.__eq__, object.__hash__


class _Rule(_made_of.Rule):  # type: ignore[misc]
    __slots__ = ()
    __eq__, __hash__ = object.__eq__, object.__hash__


_ONE = _made_of.Rule(_made_of.NonTerminal("sentence"), [_made_of.Terminal("WORD")])


def earley_parser() -> tuple[Any, list[Any]]:
    """lark's parser, which needs a table of `predictions` and a stream of words, and the rules of the grammar."""
    grammar = GRAMMAR.read_bytes()
    name = f"grammar-{sha256(repr(GRAMMAR).encode()).hexdigest()[:16]}.json"
    rows = cached_json(name, (grammar, Path(__file__).read_bytes(), lark.__version__), lambda: _rows(grammar))
    symbol = cache(lambda is_term, name: (_Terminal if is_term else _NonTerminal)(name))
    rules = [_rule(row, symbol) for row in rows]
    options: dict[str, Any] = {"parser_conf": ParserConf([_ONE], {}, ["sentence"]), "resolve_ambiguity": False,
                               "term_matcher": _matches, "tree_class": None}
    if "lexer_conf" in inspect.signature(Parser).parameters:  # not in lark-parser
        options["lexer_conf"] = SimpleNamespace(lexer_type="basic", terminals=(), terminals_by_name={})
    made: Any = Parser(**options)  # its analysis of all rules is for the predictions, which it is given
    symbols = {symbol for rule in rules for symbol in rule.expansion}
    made.TERMINALS, made.NON_TERMINALS = ({s for s in symbols if s.is_term is term} for term in (True, False))
    return made, rules


def _rows(grammar: bytes) -> list[Any]:
    """The rules that lark makes of a grammar: what each stands for, its parts, order, name and options."""
    options: dict[str, Any] = {"parser": "earley", "ambiguity": "forest", "maybe_placeholders": False}
    made: Any = lark.Lark(grammar.decode(), start="sentence", lexer=_NoLexer, **options)
    return [[r.origin.name, [[s.is_term, s.name] for s in r.expansion], r.order, r.alias, r.options.expand1,
             r.options.priority] for r in made.rules]


def _rule(row: Any, symbol: Callable[[bool, str], Any]) -> Any:
    origin, parts, order, alias, expand1, priority = row
    return _Rule(symbol(False, origin), [symbol(*part) for part in parts], order, alias,
                 _made_of.RuleOptions(expand1=expand1, priority=priority))


def _matches(terminal: Any, word: Any) -> bool:
    return bool(terminal.name == word.type)


class _NoLexer(Lexer):
    """The words are there already."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, *_: Any) -> Iterator[Any]:
        return iter(())
