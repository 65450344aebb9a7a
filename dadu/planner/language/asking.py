"""What is to be found out, what is to be so, what is only named: ``is there milk?``, ``make sure the fridge is shut``,
``a cup of tea, please``."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.language.clauses import ends
from dadu.planner.language.conditions import condition
from dadu.planner.language.phrases import noun_phrase, prep_phrase
from dadu.planner.language.reader import Reader
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import And, Clause, Condition
from dadu.planner.language.verbs import caused

_SOMETHING = ("something", "anything")


def heard(reader: Reader, found: Condition) -> Condition:
    """The condition, remembered for what follows; ``if not`` is the last one once more."""
    if found.kind == "again" and reader.condition is not None:
        found = replace(reader.condition, negated=reader.condition.negated != found.negated)
    reader.condition = found
    return found


def asked(reader: Reader) -> Clause | None:
    """``check whether ...`` and ``is there ...``."""
    if reader.peek("verb") != "check":
        return None
    start = reader.at
    verb = reader.tokens[reader.at].text
    if verb in ("is there", "are there", "do we have", "do we still have", "do i have", "have we got", "do you see"):
        reader.tokens[reader.at].tags["exists"] = verb
    elif not reader.tokens[reader.at].has("copula"):
        reader.at += 1
        reader.skip("condition")
    asked = heard(reader, condition(reader))
    while not reader.over and not ends(reader):
        reader.at += 1
    return Clause("check", verb, condition=asked, text=reader.text(start))


def ensured(reader: Reader) -> Clause | None:
    """``make sure that the fridge is closed``; ``keep five apples on the table`` is an ordinary clause."""
    if reader.peek("verb") != "ensure" and not reader.any("exists") or reader.peek("verb") == "check":
        return None
    if caused(reader) is not None:
        return None
    start = reader.at
    verb = reader.tokens[start].text
    if reader.peek("verb") == "ensure":
        reader.at += 1
        reader.skip("fillers")
        if reader.tokens[reader.at].text == "that":
            reader.at += 1
    try:
        wanted = condition(reader)
    except Refusal:
        reader.at = start
        return None
    return Clause("ensure", verb, condition=wanted, text=reader.text(start))


def also_ensured(reader: Reader) -> Clause | None:
    """``make sure the stove is off | and the fridge is closed``"""
    start = reader.at
    reader.skip("comma", "conjunctions")
    if start == reader.at or reader.over or reader.any("verb", "sequence", "condition", "negation", "politeness"):
        reader.at = start
        return None
    try:
        wanted = condition(reader)
    except Refusal:
        wanted = None
    if wanted is None or not (wanted.state or wanted.preps):
        reader.at = start
        return None
    return Clause("ensure", "make sure", condition=wanted, text=reader.text(start + 1))


def only_named(reader: Reader) -> Clause | None:
    """``something to wake me up``, ``a cup of tea, please``, ``the order: two apples and a pear``: named and nothing
    else; it is to be brought."""
    end = reader.ahead("end") or len(reader.tokens)
    tokens = reader.tokens[reader.at:end]
    bare = not tokens[0].tags and any(t.text == "please" for t in tokens)  # water, please
    if not bare and not reader.any("indefinite", "number", "use") and tokens[0].text not in _SOMETHING:
        return None
    asked = any(t.has("use") for t in tokens) or any(t.text in ("please", "thanks", "thank you") for t in tokens)
    order = reader.at > 0 and reader.tokens[reader.at - 1].text == ":"
    if not (asked or order) or any(t.has("verb", "belongs", "copula") for t in tokens):
        return None
    start, nouns, places = reader.at, [noun_phrase(reader)], []
    while order and reader.any("comma", "conjunctions"):
        reader.skip("comma", "conjunctions")
        nouns += [And(), noun_phrase(reader)]
    reader.skip("comma", "fillers", "recipients", "politeness")
    while not reader.over and reader.any("preposition"):
        places.append(prep_phrase(reader))
        reader.skip("comma", "fillers", "recipients", "politeness")
    if not reader.over and not reader.any("end"):
        reader.at = start
        return None
    return Clause("fetch", "i want" if places else "fetch", (*nouns, *places), True, text=reader.text(start))
