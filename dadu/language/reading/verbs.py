"""What a clause is about: its verb by its frame, and the nouns of a statement that says what should be."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.nouns.phrases import exceptions, noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import And, Item, Noun, Prep, nouns_among
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_CAUSES = ("have", "get", "i want", "i need", "i would like", "i would love", "we want", "we need", "we would like")


def verb_phrase(reader: Reader) -> tuple[str, str, list[Item]]:
    """Frame and words of the verb; for ``the toys go in the box`` also the nouns before it."""
    if reader.over:
        raise Refusal("the instruction ends where a verb was expected", [], Code.UNKNOWN_ACTION)
    token = reader.tokens[reader.at]
    if reader.any("occasion"):
        return "occasion", reader.pass_over("occasion"), []
    passive = _caused(reader)
    if passive:
        return passive, passive, []
    switched = _split_verb(reader) or _thrown(reader)
    if switched:
        return switched, token.text, []
    if token.text == "go" and reader.any("verb", offset=1):  # go check the fridge
        reader.at, token = reader.at + 1, reader.tokens[reader.at + 1]
    frame = reader.take("verb")
    if frame is not None:
        reader.skip("particles")
        return frame, token.text, []
    if reader.clauses and goes_on_passive(reader, reader.at):
        frame = reader.pass_over("participle")
        return frame, frame, [Noun(pronoun="it", text="it")]
    belonging = _hoped(reader) or _amiss(reader) or _belonging(reader)
    if belonging is not None:
        return belonging
    if reader.any("participle") and reader.any("determiners", "pronoun", "number", "indefinite", "every", offset=1):
        frame = reader.pass_over("participle")  # moved the books to the desk
        return frame, frame, []
    delivered = _delivered(reader)
    if delivered:
        return "put", "put", delivered
    if token.tags:
        rest = reader.text(reader.at, len(reader.tokens))
        raise Refusal(f"what to do is not said in {rest!r}; begin with a verb, such as bring, put or open", [rest],
                      Code.UNKNOWN_ACTION)
    verbs = {v.split()[0] for phrases in reader.lexicon.verbs.values() for v in phrases}
    known = sorted(verbs - {"i", "we", "is", "are", "can", "could", "may", "there", "what", "have", "do"})
    raise Refusal(f"I do not understand {token.text!r} as something to do; I know: {', '.join(known)}",
                  [token.text], Code.UNKNOWN_ACTION)


def _delivered(reader: Reader) -> list[Item]:
    """The nouns of ``two lemons and a can to the shelf``, which needs no verb."""
    start = reader.at
    nouns: list[Item] = []
    try:
        while not reader.over and not reader.any("end", "preposition"):
            nouns += [*([And()] if nouns else []), noun_phrase(reader)]
            while reader.any("conjunctions", "comma"):
                reader.at += 1
    except Refusal:
        nouns = []
    if len(nouns) > 1 and reader.any("every") and reader.any("preposition", offset=1):
        reader.at += 1  # cereal, milk and bread, all on the table
    details = start > 0 and reader.tokens[start - 1].text == ":"
    where = reader.peek("preposition")
    if where == "from" and reader.ahead("preposition", until=("end", "verb", "comma")) is not None:
        behind = [t.tags.get("preposition") for t in reader.tokens[reader.at + 1:reader.ahead("end")]]
        where = "to" if "to" in behind else where  # one apple from the fridge to the desk
    if nouns and not reader.over and (where == "to" or details and where in ("on", "in", "next_to", "at")):
        return nouns
    reader.at = start
    return []


def _belonging(reader: Reader) -> tuple[str, str, list[Item]] | None:
    """``the toys go in the box``, ``the fridge should be closed``."""
    if reader.ahead("belongs") is None or reader.any("verb"):
        return None
    start = reader.at
    nouns: list[Item] = [_same_again(reader) if reader.any("belongs") else noun_phrase(reader)]
    while reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma")
        nouns += [And(), noun_phrase(reader)]
    reader.skip("relatives")
    places = []
    while reader.any("preposition") and not reader.any("belongs"):
        prep = prep_phrase(reader)
        places.append(replace(prep, relation="from"))
        reader.skip("fillers")
    if reader.any("comma") and reader.any("belongs", offset=1):  # the clock, which is on the desk, should be ...
        reader.at += 1
    if reader.any("exception"):
        leave_out(nouns, exceptions(reader))
    if reader.any("every") and reader.any("belongs", offset=1):  # the car and the cube both go
        reader.at += 1
    stays = reader.take("belongs")
    if stays is None:
        reader.at = start
        return None
    reader.skip("fillers")
    if stays.split()[-1] in ("stay", "remain", "stays", "remains") and not reader.any("preposition", "state"):
        return "put", "stay", [*nouns, *places]
    if reader.any("state"):
        return "state", reader.pass_over("state"), [*nouns, *places]
    if reader.any("participle"):  # the lamp should be switched off
        frame = reader.pass_over("participle")
        return frame, frame, [*nouns, *places]
    return "put", "put", [*nouns, *places]


def _same_again(reader: Reader) -> Noun:
    """``the cups go to the sink and | are to be washed``: the same as before."""
    before = [i for i in reader.clauses[-1].items if isinstance(i, Noun)] if reader.clauses else []
    several = len(before) > 1 or any(n.plural or n.every or n.pronoun == "them" for n in before)
    return Noun(pronoun="them", text="them") if several else Noun(pronoun="it", text="it")


def _subject(reader: Reader) -> tuple[Noun, list[Item], list[Prep]]:
    """The first noun of a statement, the others, and the places behind them."""
    first = noun_phrase(reader)
    others: list[Item] = []
    while reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma")
        others += [And(), noun_phrase(reader)]
    places = []
    reader.skip("relatives")
    while reader.any("preposition"):
        places.append(prep_phrase(reader))
        reader.skip("fillers", "relatives")
    return first, others, places


def _hoped(reader: Reader) -> tuple[str, str, list[Item]] | None:
    """``a candle on the table would be nice``"""
    if reader.ahead("pleasing", until=("end", "verb")) is None:
        return None
    first, others, places = _subject(reader)
    if not reader.take("pleasing"):
        return None
    there = first.indefinite and any(p.relation != "from" for p in places)
    return ("put" if there else "fetch"), "i would like", [first, *others, *places]


def _amiss(reader: Reader) -> tuple[str, str, list[Item]] | None:
    """``the shoes do not belong on the table``"""
    if reader.ahead("amiss", until=("end", "verb")) is None:
        return None
    first, others, places = _subject(reader)
    if not reader.take("amiss"):
        return None
    reader.skip("fillers")
    while reader.any("preposition"):
        places.append(prep_phrase(reader))
    if reader.peek("pronoun") == "there":
        reader.at += 1
    return "amiss", "put away", [first, *others, *(replace(p, relation="from") for p in places)]


def _caused(reader: Reader) -> str | None:
    """``have the parcel shipped``, ``I want the mug put on it``: the frame of the participle, which is taken out."""
    i = caused(reader)
    if i is None:
        return None
    frame = reader.tokens[i].tags["participle"]
    del reader.tokens[i]
    if [t.text for t in reader.tokens[i - 2:i]] == ["to", "be"]:  # I want the radio to be brought here
        del reader.tokens[i - 2:i]
    reader.at += 1
    return frame


def caused(reader: Reader) -> int | None:
    """Where the participle of ``have the parcel shipped`` stands."""
    if reader.over or reader.tokens[reader.at].text not in _CAUSES:
        return None
    for i in range(reader.at + 2, len(reader.tokens)):
        token, last = reader.tokens[i], i + 1 == len(reader.tokens)
        if token.has("participle") and (last or reader.tokens[i + 1].has(
                "end", "comma", "conjunctions", "preposition", "sequence", "fillers", "recipients", "usual", "before",
                "after", "condition")):
            return i
        if token.has("end", "verb", "relatives") or token.has("use") and token.words[0] == "to":
            return None
    return None


_BEHIND_PARTICLE = ("end", "comma", "conjunctions", "sequence", "fillers", "before", "after", "preposition",
                    "condition", "if_so", "recipients", "meanwhile", "circumstances")


def _split_verb(reader: Reader) -> str | None:
    """``turn the lamp on``: power_on or power_off, with the particle taken out."""
    if not reader.any("split") or reader.any("verb"):
        return None
    for i in range(reader.at + 1, len(reader.tokens)):
        token = reader.tokens[i]
        if token.text in ("on", "off") and (i + 1 == len(reader.tokens) or reader.tokens[i + 1].words[0] == "to"
                                            or reader.tokens[i + 1].has(*_BEHIND_PARTICLE)):
            del reader.tokens[i]
            reader.at += 1
            return f"power_{token.text}"
        named = reader.tokens[i - 1].has("determiners", "indefinite", "every")  # turn the light on
        if token.has("end") or token.has("verb") and not named:
            return None
    return None


def _thrown(reader: Reader) -> str | None:
    """``throw the can from the fridge away``: discard, with the particle taken out."""
    if reader.tokens[reader.at].text not in ("throw", "toss", "chuck"):
        return None
    for i in range(reader.at + 1, len(reader.tokens)):
        if reader.tokens[i].text in ("away", "out") and (i + 1 == len(reader.tokens) or reader.tokens[i + 1].has(
                "end", "comma", "conjunctions", "sequence", "fillers")):
            del reader.tokens[i]
            reader.at += 1
            return "discard"
        if reader.tokens[i].has("end", "verb"):
            return None
    return None


def goes_on_passive(reader: Reader, i: int) -> bool:
    """``the glass should be filled | and placed next to the vase``"""
    here = reader.tokens[i]
    behind = i + 1 >= len(reader.tokens) or reader.tokens[i + 1].has("preposition", "end", "comma", "conjunctions")
    return here.has("participle") and not here.has("verb", "state") and behind


def leave_out(items: list[Item], without: list[Noun]) -> None:
    """``everything on the table except the vase``: it is the first noun that has exceptions."""
    at, first = nouns_among(items)[0]
    items[at] = replace(first, without=(*first.without, *without))
