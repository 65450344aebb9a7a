"""What is to be found out, what is to be so, what is only named: ``is there milk?``, ``make sure the fridge is shut``,
``a cup of tea, please``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.boundaries import ends
from dadu.language.reading.conditions import condition
from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import And, Clause, Condition, Item
from dadu.language.reading.verbs import caused
from dadu.language.refusal import Refusal

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
        *others, wanted = _each_of_several(reader) or [condition(reader)]
    except Refusal:
        reader.at = start
        return None
    text = reader.text(start)
    reader.clauses += [Clause("ensure", verb, condition=c, text=text) for c in others]
    return Clause("ensure", verb, condition=wanted, text=text)


def _each_of_several(reader: Reader) -> list[Condition]:
    """``the cabinet and the fridge are (both) closed``: a condition for each; nothing where it is about one thing."""
    start, nouns = reader.at, []
    is_so = reader.ahead("copula", until=("end", "preposition", "verb", "exists"))
    reader.at += is_so is not None and reader.tokens[start].text == "both"
    while is_so is not None and reader.at < is_so and not reader.any("every"):
        begins = reader.at
        noun_phrase(reader)
        nouns.append(reader.tokens[begins:reader.at])
        reader.skip("comma", "conjunctions")
    if is_so is None or reader.at != is_so or len(nouns) < 2:
        reader.at = start
        return []
    behind = [t for t in reader.tokens[is_so:] if t.text not in ("both", "all")]
    found = []
    for noun in nouns:
        inner = Reader([*noun, *behind], reader.lexicon)
        found.append(condition(inner))
    reader.tokens[is_so:] = behind
    reader.at = is_so + inner.at - len(noun)
    return found


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
    start, places = reader.at, []
    nouns: list[Item] = [noun_phrase(reader)]
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
