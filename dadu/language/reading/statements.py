"""What is said beside the instruction: wishes, what is given, what is to be left alone, and remarks."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.boundaries import ends
from dadu.language.reading.conditions import condition
from dadu.language.reading.listed import spoken_of
from dadu.language.reading.nouns.phrases import exceptions, noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import And, Clause, Noun, Prep
from dadu.language.reading.wishing import avoided, desired, wished
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_WHO_LEFT = ("i", "we", "someone", "somebody", "he", "she", "they")


def aside(reader: Reader) -> Clause | None:
    """What is no instruction: wishes, what is given, what is to be left alone, and the rest of what people say."""
    wished_for = avoided(reader) or desired(reader) or wished(reader)
    if wished_for is not None:
        return wished_for
    if reader.any("negation"):
        return _spared(reader)
    if reader.any("exists", "exists_not") and not reader.any("verb"):
        return _given(reader)
    fronted = _in_which_there_is(reader)
    if fronted is not None:
        return fronted
    told = _meant_for(reader) or _holding(reader)
    if told is not None:
        return told
    wish = reader.ahead("wish", until=("end", "comma", "conjunctions", "verb", "occasion"))
    of_something = wish is not None and wish + 1 < len(reader.tokens) and reader.tokens[wish + 1].has(
        "determiners", "indefinite", "number", "every")
    if wish is not None and of_something and reader.any("wish"):
        wanted = _wants_that(reader, wish)
        if wanted is not None:
            return wanted
    if wish is not None and not of_something:  # I want to eat; not: I want to eat the tomato
        name, text = reader.tokens[wish].tags["wish"], reader.tokens[wish].text
        _pass_statement(reader)
        rest = reader.text(wish + 1)
        return Clause("wish", name, text=text, remarks=(rest,) if rest else ())
    called = reader.at > 0 and reader.tokens[reader.at - 1].text in ("let", "let us", "lets")
    if called and not reader.tokens[reader.at].tags and reader.any("end", offset=1):  # let's decorate!
        reader.at += 1
        return Clause("remark", "", text=reader.text(reader.at - 1))
    about = _about_to(reader)
    if about is not None:
        return about
    does = reader.any("verb", "occasion", "split", "preposition") and not reader.any("third_person")
    waits = reader.ahead("waits", until=("end", "verb", "comma")) is not None
    if does or not (_stated(reader) or _wants(reader) or waits):
        return None
    wanted = _wanted(reader)
    if wanted is not None:
        return wanted
    start = reader.at
    for known in (_asker, _defect, _located):
        found = known(reader)
        if found is not None:
            return found
        reader.at = start
    _pass_statement(reader)
    return Clause("remark", "", spoken_of(reader, start), text=reader.text(start))


def _wants_that(reader: Reader, wish: int) -> Clause | None:
    """``I want to read | the red book later``: it is to be brought, unless the next words say what to do with it."""
    start, reader.at = reader.at, wish + 1
    try:
        noun = noun_phrase(reader) if reader.any("determiners") else None
    except Refusal:
        noun = None
    reader.skip("fillers")
    later = not reader.over and reader.tokens[reader.at].text in ("later", "later on")
    reader.at += later and reader.any("comma", "end", offset=1)
    if noun is None or not (reader.over or reader.any("end", "comma")):
        reader.at = start
        return None
    return Clause("fetch", "i want", (noun,), True, text=reader.text(start))


def _about_to(reader: Reader) -> Clause | None:
    """``I want to | read the red book later``: what somebody is going to do that is nothing for the robot."""
    before = reader.tokens[reader.at - 1] if reader.at else None
    if before is None or not before.has("politeness") or before.words[0] not in ("i", "we") or "you" in before.words:
        return None
    if reader.tokens[reader.at].tags.keys() - {"use", "wish", "participle"}:
        return None
    start = reader.at
    _pass_statement(reader)
    return Clause("remark", "", spoken_of(reader, start), text=reader.text(start - 1))


def _meant_for(reader: Reader) -> Clause | None:
    """``take the apple, it is for the desk``: where to, if that is a place."""
    start = reader.at
    if reader.tokens[start].text not in ("it", "they", "this", "that", "these", "those"):
        return None
    if not reader.any("copula", offset=1) or reader.peek("preposition", 2) != "for":
        return None
    several = reader.peek("pronoun") == "them" or reader.tokens[start + 1].text in ("are", "were")
    reader.at += 2
    try:
        place = prep_phrase(reader)
    except Refusal:
        place = None
    if place is None or not (reader.over or ends(reader)):
        reader.at = start
        return None
    it = Noun(pronoun="them" if several else "it", text="them" if several else "it")
    return Clause("meant", "bring", (it, place), text=reader.text(start))


def _holding(reader: Reader) -> Clause | None:
    """``the table still has two cups on it``"""
    start = reader.at
    has = reader.ahead("has", until=("end", "comma", "preposition", "conjunctions"))
    if has is None or not reader.any("determiners") or _did(reader):
        return None
    try:
        told = condition(reader)
    except Refusal:
        told = None
    if told is None or told.negated or not told.preps or not (reader.over or ends(reader)):
        reader.at = start
        return None
    return Clause("given", "there", (told.noun, *told.preps), text=reader.text(start))


def _wants(reader: Reader) -> int | None:
    """Where ``wants`` and its like stand."""
    return reader.ahead("third_person", until=("end", "verb", "comma", "conjunctions"))


def _wanted(reader: Reader) -> Clause | None:
    """``a customer wants a gift``: it is to be brought, unless the next words say what to do with it."""
    if reader.ahead("waits", until=("end", "verb", "comma")) is not None:
        return _waits(reader)
    at = _wants(reader)
    if at is None or at + 1 >= len(reader.tokens) or reader.tokens[at + 1].words[0] == "to":
        return None
    start = reader.at
    lost = reader.tokens[at].text in ("forgot", "lost")
    try:
        places = [] if lost else _before(reader, at)
        reader.at = at + 1
        noun = noun_phrase(reader)
        others = _and_more(reader)
        if reader.any("exception") or reader.any("comma") and reader.any("exception", offset=1):  # but no banana
            reader.take("comma")
            noun = replace(noun, without=(*noun.without, *exceptions(reader)))
        while reader.any("preposition") and not (reader.any("recipients") or reader.peek("preposition") == "for"):
            places.append(prep_phrase(reader))
            reader.skip("fillers")
    except Refusal:
        reader.at = start
        return None
    if lost and places:  # grandma forgot her glasses in the bathroom
        return Clause("given", "there", (noun, *places), text=reader.text(start))
    return Clause("fetch", "i want" if places else "fetch", (noun, *others, *places), True, text=reader.text(start))


def _and_more(reader: Reader) -> list[Noun | And]:
    """``... a can of cola, a lemon and some cookies``"""
    out: list[Noun | And] = []
    while reader.any("comma", "conjunctions") and not ends(reader) and not reader.any(
            "third_person", "exception", offset=1):
        reader.skip("comma", "conjunctions")
        out += [And(), noun_phrase(reader)]
    return out


def _before(reader: Reader, until: int) -> list[Prep]:
    """Where somebody is: ``the lady at the entrance wants``. Errors: Refusal where that is no place."""
    while reader.at < until and not reader.any("preposition"):
        reader.at += 1
    return [replace(prep_phrase(reader), relation="to")] if reader.at < until else []


def _waits(reader: Reader) -> Clause | None:
    """``a customer waits at the entrance for a drink``: it is to be brought there."""
    start, waits, places = reader.at, reader.ahead("waits"), []
    if waits is None:
        return None
    reader.at = waits + 1
    try:
        while reader.any("preposition") and reader.peek("preposition") != "for":
            places.append(replace(prep_phrase(reader), relation="to"))
        if reader.peek("preposition") != "for":
            raise Refusal("what for is not said", [reader.text(start)])
        reader.at += 1
        noun = noun_phrase(reader)
    except Refusal:
        reader.at = start
        return None
    return Clause("fetch", "fetch", (noun, *places), True, text=reader.text(start))


def _stated(reader: Reader) -> bool:
    """Whether this is a statement: it has a subject of its own, or something *is*; and nothing has to be somewhere."""
    if reader.ahead("belongs", until=("end", "verb")) is not None:
        return False
    copula = reader.ahead("copula", until=("end", "verb", "comma"))
    defect = reader.ahead("defect", until=("end", "comma"))
    happened = reader.ahead("happened", until=("end", "verb", "comma", "conjunctions"))
    return reader.any("subjects", "reasons") or (copula, defect, happened) != (None, None, None) or _did(reader)


def _did(reader: Reader) -> bool:
    """``the dog has chewed the slipper``: something has happened; not ``the table has two cups``."""
    has = reader.ahead("has", until=("end", "comma", "preposition", "conjunctions"))
    if has is None or not reader.any("determiners") or reader.any("verb") or has + 1 >= len(reader.tokens):
        return False
    nxt = reader.tokens[has + 1]
    return nxt.has("participle", "fillers", "negation") or not nxt.tags


def _pass_statement(reader: Reader) -> None:
    """Up to the next full stop, or to a connector with an instruction behind it."""
    own = reader.text(reader.at, reader.at + 2) in ("i will", "we will")
    reader.at += 1
    while not reader.over and not reader.any("end"):
        if own and reader.any("conjunctions") and _goes_on(reader):  # I will fill the kettle and turn it on
            reader.at += 2
            continue
        if reader.any("comma", "conjunctions", "fillers") and ends(reader):
            return
        if reader.any("conjunctions") and reader.any("third_person", offset=1):
            return
        if reader.any("politeness") and reader.any("verb", offset=1):
            return
        if reader.any("comma") and reader.any("politeness", "determiners", offset=1) and ends(reader):
            return
        reader.at += 1


def _goes_on(reader: Reader) -> bool:
    """Whether what somebody is about to do goes on behind ``and``: a verb, and nothing that is meant for them."""
    end = reader.ahead("end") or len(reader.tokens)
    told = reader.tokens[reader.at + 1:end]
    return bool(told) and told[0].has("verb", "split") and not any(t.has("recipients", "politeness") for t in told)


def _given(reader: Reader) -> Clause:
    """``there is an oven but no microwave``"""
    start = reader.at
    found = condition(reader)
    reader.skip("comma")
    if found.negated and not reader.over and reader.tokens[reader.at].text in ("only", "just"):
        reader.at += 1  # no microwave, only a stove
        if reader.any("preposition"):  # no cup on the counter, only in the kitchen
            return Clause("given", "there", (found.noun, prep_phrase(reader)), text=reader.text(start))
        return Clause("given", "instead", (found.noun, noun_phrase(reader)), text=reader.text(start))
    broken = reader.ahead("defect", until=("end", "comma")) is not None
    another = broken or reader.any("verb", "exists", "exists_not", offset=1)
    if reader.any("exception", "conjunctions") and not another:
        negated = reader.tokens[reader.at].text in ("but not", "not") or not found.negated
        reader.at += 1
        if not reader.over and reader.tokens[reader.at].text == "no":
            reader.at += 1
        other = noun_phrase(reader)
        while reader.any("preposition") and not reader.over:  # ... in this home
            prep_phrase(reader)
        lacking, there = (other, found.noun) if negated else (found.noun, other)
        return Clause("given", "instead", (lacking, there), text=reader.text(start))
    return Clause("given", "lacking" if found.negated else "there", (found.noun, *found.preps), text=reader.text(start))


def _in_which_there_is(reader: Reader) -> Clause | None:
    """``in the kitchen there is a cup``"""
    start = reader.at
    at = reader.ahead("exists", "exists_not", until=("end", "verb", "conjunctions"))
    if not reader.any("preposition") or at is None:
        return None
    try:
        places = []
        while reader.any("preposition"):
            places.append(prep_phrase(reader))
            reader.skip("comma")
        found = _given(reader) if reader.at == at else None
    except Refusal:
        found = None
    if found is None:
        reader.at = start
        return None
    return replace(found, items=(*found.items, *places), text=reader.text(start))


def _asker(reader: Reader) -> Clause | None:
    """``I am in the living room``, ``I am sitting at the desk``: where things are to be brought to."""
    start, words = reader.at, [t.text for t in reader.tokens[reader.at:reader.at + 2]]
    if words not in (["i", "am"], ["we", "are"], ["she", "is"], ["he", "is"]):
        return None
    reader.at += 2
    reader.skip("fillers", "relatives")
    if not reader.any("preposition") or reader.peek("preposition") not in ("in", "on", "at", "next_to", "from"):
        return None
    try:
        prep = prep_phrase(reader)
    except Refusal:
        return None
    return Clause("given", "asker", (prep,), text=reader.text(start))


def _defect(reader: Reader) -> Clause | None:
    """``the microwave is broken``: as good as not there."""
    start = reader.at
    at = reader.ahead("defect", until=("end", "comma"))
    if at is None:
        return None
    try:
        noun = noun_phrase(reader)
    except Refusal:
        return None
    if reader.at != at:
        return None
    reader.at += 1
    return Clause("given", "broken", (noun,), text=reader.text(start))


def _located(reader: Reader) -> Clause | None:
    """``the milk is in the fridge``, ``I left my keys on the desk``: spoken of, and where it is."""
    start = reader.at
    try:
        if reader.tokens[start].text == "i left":
            reader.at += 1
            noun = noun_phrase(reader)
        elif reader.any("subjects") and reader.tokens[start].text in _WHO_LEFT:
            reader.at += 1
            reader.skip("fillers", "copula", "has")
            if reader.over or reader.tokens[reader.at].text not in ("left", "forgot", "put", "placed", "saw", "bought"):
                return None
            reader.at += 1
            noun = noun_phrase(reader)
        else:
            noun = noun_phrase(reader)
            if reader.any("relatives") or not reader.over and reader.tokens[reader.at].text == "that":
                reader.at = reader.ahead("copula", until=("end", "comma", "verb")) or start
            if noun.pronoun or not reader.take("copula"):
                return None
        reader.skip("fillers")
        places = []
        while reader.any("preposition"):
            places.append(prep_phrase(reader))
    except Refusal:
        return None
    return Clause("given", "there", (noun, *places), text=reader.text(start)) if places else None


def _spared(reader: Reader) -> Clause:
    """``do not touch the vase``: the only thing that can be kept from happening is that it is moved."""
    start = reader.at
    reader.take("negation")
    word = reader.tokens[reader.at].text if not reader.over else ""
    if not reader.any("leave_alone"):
        raise Refusal(f"I do not understand 'not' before {word!r}; what I can do is leave things where they are",
                      ["not"], Code.UNKNOWN_ACTION)
    reader.at += 1
    nouns = [noun_phrase(reader)]
    while reader.any("conjunctions", "choice", "comma") and not ends(reader):
        reader.at += 1
        nouns.append(noun_phrase(reader))
    places = []
    while not reader.over and not ends(reader):
        if reader.any("preposition"):
            places.append(prep_phrase(reader))
        else:
            reader.at += 1
    return Clause("spare", word, (*nouns, *places), text=reader.text(start))
