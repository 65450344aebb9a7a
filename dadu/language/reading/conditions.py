"""What stands behind ``if`` and ``check whether``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Condition, Noun, Prep
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_THERE = Prep("in", Noun(pronoun="there", text="there"))


def condition(reader: Reader, *, unless: bool = False) -> Condition:
    """The condition that begins here. Errors: Refusal naming its words where it cannot be checked."""
    start = reader.at
    reader.skip("fillers")
    _no_wish(reader)
    found = _again(reader) or _exists(reader) or _about(reader)
    if found is None:
        end = next((i for i in range(start, len(reader.tokens)) if reader.tokens[i].has("comma", "end")),
                   len(reader.tokens))
        words = reader.text(start, end)
        raise Refusal(f"I cannot check whether {words!r}; I can check whether something is there, where a thing is, "
                      "and whether something is open, closed, clean, filled, switched on, hot or cold", [words],
                      Code.UNKNOWN_ACTION)
    return replace(found, negated=found.negated != unless, text=reader.text(start))


def _no_wish(reader: Reader) -> None:
    """``it is cold`` is no wish for a blanket behind ``if``."""
    token = reader.tokens[reader.at] if not reader.over else None
    if token is not None and token.has("wish") and token.words[:2] in (("it", "is"), ("they", "are")):
        tags = reader.lexicon.tags
        reader.tokens[reader.at:reader.at + 1] = [Token((w,), dict(tags.get((w,), {}))) for w in token.words]


def _again(reader: Reader) -> Condition | None:
    """``not``, ``so``, ``it is not``: the last condition once more."""
    if reader.condition is None:
        return None
    start = reader.at
    if reader.peek("pronoun") in ("it", "them") and reader.any("copula", offset=1):
        reader.at += 2
        negated = reader.take("negation") is not None
        if reader.over or reader.any("comma", "end"):
            return Condition("again", negated=negated)
        reader.at = start
    nxt = reader.at + 1
    bare = nxt >= len(reader.tokens) or reader.tokens[nxt].has("comma", "end", "sequence", "verb", "politeness")
    word = reader.tokens[reader.at].text if not reader.over else ""
    if bare and (reader.any("negation") or word in ("so", "yes", "no")):
        reader.at += 1
        return Condition("again", negated=word not in ("so", "yes"))
    return None


def _exists(reader: Reader) -> Condition | None:
    """``there is [no] milk in the fridge``, ``you [do not] find an apple``."""
    if not reader.any("exists", "exists_not"):
        return None
    negated = reader.any("exists_not")
    reader.take("exists", "exists_not")
    reader.skip("fillers", "copula")
    if reader.any("negation"):
        reader.take("negation")
        negated = True
    if reader.over or _task_begins(reader) or reader.any("comma", "end", "sequence", "preposition") and not reader.any(
            "pronoun"):
        return Condition("exists", Noun(pronoun="any", text="any"), _preps(reader), negated=negated)
    if reader.tokens[reader.at].text in ("nothing", "no"):
        nothing = reader.tokens[reader.at].text == "nothing"
        reader.at += 1
        noun = Noun(("thing",), "anything", indefinite=True) if nothing else noun_phrase(reader)
        return Condition("exists", noun, _preps(reader), negated=True)
    noun = noun_phrase(reader)
    if noun.pronoun == "none":
        return Condition("exists", replace(noun, pronoun="any"), _preps(reader), negated=True)
    return Condition("exists", noun, _preps(reader), negated=negated)


def _task_begins(reader: Reader) -> bool:
    """``if there is none, take ...``; not in ``there is no microwave here``, ``in this flat``."""
    behind = reader.tokens[reader.at + 1:reader.at + 2]
    name = reader.any("preposition", "end", "comma", "fillers", offset=1) or bool(behind) and behind[0].text == "here"
    return reader.any("verb") and not name


def _about(reader: Reader) -> Condition | None:
    """``the fridge is [not] closed``, ``the milk is in the fridge``, ``the drawer has no spoon``."""
    if reader.over or reader.any("verb") and not reader.any("copula"):
        return None
    start = reader.at
    reader.skip("copula")  # "is the fridge closed"
    if reader.over:
        return None
    none = reader.tokens[reader.at].text == "no"  # that no books are on the desk
    reader.at += none
    if reader.over:
        return None
    empty = reader.tokens[reader.at].text in ("nothing", "anything", "something", "everything")
    noun = Noun(("thing",), reader.tokens[reader.at].text, indefinite=True) if empty else noun_phrase(reader)
    negated = none or empty and reader.tokens[reader.at].text == "nothing"
    if empty:
        reader.at += 1
    reader.skip("relatives", "fillers")
    if reader.any("has", "hasnt"):
        return _holds(reader, noun)
    asked, lexicon = reader.tokens[start].has("copula"), reader.lexicon
    where = _narrowing(reader, asked)
    copula = reader.take("copula") is not None or asked
    reader.skip("fillers")
    while reader.take("negation"):
        negated = not negated
    reader.skip("fillers", "most")
    if copula and not reader.over and reader.tokens[reader.at].text in ("on", "off") and not _goes_on(reader):
        power = reader.tokens[reader.at].text
        reader.at += 1
        return Condition("is", noun, (), f"is_powered_{power}", negated)
    if copula and not reader.over and reader.tokens[reader.at].text in (*lexicon.colors, *lexicon.materials):
        reader.at += 1
        return Condition("is", noun, where, look=reader.tokens[reader.at - 1].text, negated=negated)
    if asked and len(noun.words) > 1 and noun.words[-1] in lexicon.state_of:  # is the fridge closed?
        return Condition("is", replace(noun, words=noun.words[:-1]), where, lexicon.state_of[noun.words[-1]], negated)
    if reader.any("state"):
        state = reader.pass_over("state")
        return Condition("is", noun, where or _preps(reader), state, negated)
    kind = "exists" if empty or none or noun.indefinite or noun.number else "is"
    if where and asked:  # is the plate in the sink clean?
        place = where[-1].noun
        if len(place.words) > 1 and place.words[-1] in lexicon.state_of:
            there = (*where[:-1], replace(where[-1], noun=replace(place, words=place.words[:-1])))
            return Condition("is", noun, there, lexicon.state_of[place.words[-1]], negated)
        return Condition(kind, noun, where, negated=negated)
    return _whereabouts(reader, noun, kind, copula, negated)


def _holds(reader: Reader, place: Noun) -> Condition:
    """``the drawer | has no spoon``"""
    lacks = reader.take("hasnt") is not None or not reader.take("has")
    held, relation = noun_phrase(reader), "in"
    if reader.any("preposition") and reader.peek("pronoun", 1) == "it":  # has two apples on it
        relation = reader.pass_over("preposition")
        reader.at += 1
    return Condition("exists", held, (Prep(relation, place),), negated=lacks)


def _whereabouts(reader: Reader, noun: Noun, kind: str, copula: bool, negated: bool) -> Condition | None:
    """``the milk | is in the fridge``, ``is there``, ``is available``"""
    if reader.any("preposition", "exists"):
        there = reader.any("exists") and bool(noun.pronoun)
        reader.skip("exists")
        places = _preps(reader) or ((_THERE,) if there else ())  # whether it is there: at the place spoken of
        return Condition(kind, noun, places, negated=negated)
    if reader.any("pronoun") and reader.peek("pronoun") == "there":
        reader.at += 1
        if noun.pronoun:
            return Condition("is", noun, (_THERE,), negated=negated)
        return Condition("exists", noun, (), negated=negated)
    if copula and (reader.over or reader.any("comma", "end", "verb", "sequence", "condition")):
        return Condition("exists", noun, (), negated=negated)
    return None


def _narrowing(reader: Reader, asked: bool) -> tuple[Prep, ...]:
    """``the plate in the sink | is dirty``, ``is the plate in the sink | clean``: places before what is said of it."""
    start = reader.at
    if not reader.any("preposition"):
        return ()
    places = _preps(reader)
    if asked or reader.any("copula") and not reader.any("preposition", offset=1):
        return places
    reader.at = start
    return ()


def _goes_on(reader: Reader) -> bool:
    """Whether a noun follows: ``is on the table``."""
    return reader.at + 1 < len(reader.tokens) and not reader.any(
        "end", "comma", "conjunctions", "verb", "sequence", "fillers", "condition", "before", "after", offset=1)


def _preps(reader: Reader) -> tuple[Prep, ...]:
    out = []
    reader.skip("fillers", "relatives")
    while reader.any("preposition") and reader.peek("preposition") in ("in", "on", "next_to", "at", "from"):
        if reader.tokens[reader.at].text == "inside" and reader.any("comma", "end", offset=1):
            reader.at += 1
            out.append(_THERE)
            break
        out.append(prep_phrase(reader))
        reader.skip("fillers", "relatives")
    if reader.any("pronoun") and reader.peek("pronoun") == "there":
        reader.at += 1
        out.append(_THERE)
    while reader.any("fillers", "elsewhere") or not reader.over and reader.tokens[reader.at].text == "here":
        reader.at += 1
    return tuple(out)
