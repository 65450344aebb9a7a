"""Noun and prepositional phrases."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.nouns.adjectives import go_on, is_adjective
from dadu.language.reading.nouns.determiners import ALWAYS_PRONOUNS, STOPS, quantified
from dadu.language.reading.nouns.purposes import adjectival, as_purpose, meant, qualities, told_apart
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Noun, Prep
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_COMES = ("that", "which", "come", "comes", "coming", "packed", "is", "are")
_PACKINGS = ("can", "bottle", "carton", "tin")
ONLY_VERBS = ("take", "bring", "get", "grab", "pick up", "put down", "turn on", "turn off", "switch on", "switch off")
"""verbs that are no noun, and so begin a clause even without an article behind them"""
LIGHTS = (("lamp",), ("light",))
_ITEMS = (("item",), ("object",), ("thing",))
CLOSE_BY = ("close by", "nearby")
"""prepositions that need no noun: beside what was spoken of"""


def prep_phrase(reader: Reader, below: bool = False) -> Prep:
    """`below`: it may be under something. Errors: Refusal where no noun follows."""
    start = reader.at
    relation = reader.pass_over("preposition")
    words = reader.text(start)
    if words == "at":  # at the table: on it, at the entrance: in it
        relation = "at"
    approximate = words if reader.tokens[start].has("approximate") else ""
    if relation == "together":
        return Prep("together")
    if words in CLOSE_BY and (reader.over or reader.any(*STOPS)):  # and the candle close by
        return Prep(relation, Noun(pronoun="it", text="it"), words)
    if relation == "between" and (reader.over or reader.any(*STOPS)):  # and the ball in between
        return Prep(relation, Noun(pronoun="them", text="them"))
    reader.place = relation != "with" and not (relation == "for" and reader.searches)
    noun = noun_phrase(reader) if relation != "under" or not reader.over else Noun()
    reader.place = False
    if noun.kinds and " different " in f" {noun.text} " and relation in ("on", "in", "to"):  # on two different tables
        noun = replace(noun, kinds=False, number=None, own=True)
    if relation == "under" and not below and noun.words[-1:] not in LIGHTS:
        raise Refusal(f"I can put things on, in and next to something, not {words!r}", [words], Code.UNKNOWN_ACTION)
    if relation == "between" and reader.any("conjunctions"):
        reader.take("conjunctions")
        return Prep(relation, noun, approximate, noun_phrase(reader))
    directed = relation in ("on", "in") and words.endswith("to")
    return Prep(relation, noun, approximate, directed=directed)


def noun_phrase(reader: Reader) -> Noun:
    """One noun with its alternatives and exceptions. Errors: Refusal where no noun stands."""
    noun = _single(reader)
    while reader.peek("choice") and not reader.any("verb", "preposition", offset=1):
        start = reader.at
        reader.take("choice")
        other = _single(reader)
        if other.pronoun == "one" and other.words:  # the red mug or the blue one
            other = replace(other, pronoun="", words=(*other.words, *noun.words[-1:]))
        noun = replace(noun, alternatives=(*noun.alternatives, other), text=f"{noun.text} {reader.text(start)}")
    while _excepts(reader, noun):
        noun = replace(noun, without=(*noun.without, *exceptions(reader)))
    return noun


def exceptions(reader: Reader) -> list[Noun]:
    """The nouns behind ``except``. Errors: Refusal where there is none."""
    reader.take("exception")
    if reader.tokens[reader.at].text in ("no", "any"):  # an apple but no pear
        reader.at += 1
    reader.skip("preposition")
    without = [_single(reader)]
    while reader.any("conjunctions", "comma", "choice") and _noun_follows(reader):
        reader.skip("conjunctions", "comma", "choice")
        without.append(_single(reader))
    bare = without[-1].pronoun == "one" and not without[-1].words
    if bare and reader.peek("preposition") in ("in", "on", "at", "from"):  # the one in the bedroom
        without[-1] = replace(without[-1], places=(prep_phrase(reader),))
    return without


def _excepts(reader: Reader, noun: Noun) -> bool:
    """``everything but the vase``; not ``take this but leave that``, nor ``in the drawers except the vase``."""
    word = reader.peek("exception")
    several = noun.every or not reader.place and (noun.plural or noun.words == ("everything",))
    if word is None or not several:
        return False
    return not reader.any("verb", "negation", "sequence", "condition", offset=1) or word not in ("but", "not")


def _noun_follows(reader: Reader) -> bool:
    return not reader.any("verb", "sequence", "end", "belongs", "preposition", "fillers", "politeness", offset=1)


def _single(reader: Reader) -> Noun:
    start = reader.at
    noun = quantified(reader)
    uses: list[str] = []
    purposeful = noun.pronoun == "needed" and not reader.over and reader.tokens[reader.at].words[0] in (
        "for", "to", "with")
    if purposeful and (name := meant(reader)) is not None:  # something suitable for a child
        return replace(noun, pronoun="", words=("something",), uses=(name,), text=reader.text(start))
    noun, words = _named(reader, noun, uses)
    if words and not reader.over and reader.any("that_kind"):
        uses += _uses_before(reader)
        reader.at += 1
    noun, held = _with_what_it_holds(reader, noun, words)
    unwanted: list[Noun] = []
    if words and not reader.place:
        more, unwanted = qualities(reader, words, bool(uses))
        uses += more
    while not reader.over and not reader.place and (words or noun.pronoun == "one") and _use_behind(reader, uses):
        pass
    words, more = as_purpose(words, uses, reader.lexicon)
    uses += more
    noun = _told_apart(reader, noun, words)
    words[:0] = _featured(reader) if words else []
    everything = words == ["everything"]
    words += _packed(reader, words)
    if everything and words != ["everything"]:
        noun = replace(noun, every=True)
    text = reader.text(start) if not held else reader.text(start).split(" where ")[0].split(" as ")[0]
    if not words and uses and not noun.pronoun:
        words = ["thing"]
    if not words and not noun.pronoun:
        return _bare(reader, noun, text)
    noun = replace(noun, text=text, uses=tuple(uses), without=(*noun.without, *unwanted))
    return _finished(reader, noun, words)


def _named(reader: Reader, noun: Noun, uses: list[str]) -> tuple[Noun, list[str]]:
    """The adjectives and nouns themselves; what they say the thing is good for is added to `uses`."""
    while reader.any("use"):
        told_apart(reader)
        uses.append(reader.pass_over("use"))
    words: list[str] = []
    while not (noun.pronoun or reader.over or _named_out(reader, words)):
        reader.at += reader.any("comma")
        token = reader.tokens[reader.at]
        described = words and adjectival(reader) or words == ["something"] and (
            token.has("use", "state") or not token.tags)
        at = reader.at
        if described and (name := meant(reader)) is not None:
            if reader.place:  # something on the table | rich in vitamins
                reader.at = at
                break
            uses.append(name)
            continue
        if words and token.text in ("one", "ones"):
            noun = replace(noun, pronoun="one", every=noun.every or token.text == "ones" and noun.number is None)
        elif token.has("use"):
            told_apart(reader)
            uses.append(reader.tokens[reader.at].tags["use"])
        elif not (words and words[-1] == "of" and token.has("determiners", "every", "indefinite")):
            words += token.words
        reader.at += 1
    return noun, words


def _named_out(reader: Reader, words: list[str]) -> bool:
    """Whether the name ends before the token."""
    token = reader.tokens[reader.at]
    return _stops(token, words) and not go_on(reader, words) or bool(words) and (
        _begins_clause(reader) or counts_another(reader) or reader.place and reader.any("use")
        or token.text in ("something", "anything"))


def _with_what_it_holds(reader: Reader, noun: Noun, words: list[str]) -> tuple[Noun, bool]:
    """``the table where the candle is``, ``the room with the bed``; and whether the text says more than the name."""
    room = _room_with(reader) if words[-1:] == ["room"] else 0 if not words else _that_holds(reader)
    if not words or reader.over or not (room or reader.place and reader.tokens[reader.at].text == "where"
                                        or _same_as(reader)):
        return noun, False
    reader.at += room or 1
    noun = replace(noun, holding=_single(reader))
    reader.skip("copula", "fillers")
    if room and [t.text for t in reader.tokens[reader.at:reader.at + 2]] in (["in", "it"], ["in", "there"]):
        reader.at += 2
    return noun, not room


def _uses_before(reader: Reader) -> tuple[str, ...]:
    """What the last thing had to be good for."""
    said: list[tuple[str, ...]] = []
    for c in reader.clauses:
        if c.frame == "wish":
            said.append((c.verb,))
        else:
            said += [item.uses for item in c.items if isinstance(item, Noun) and item.uses]
    return said[-1] if said else ()


def _packed(reader: Reader, words: list[str]) -> list[str]:
    """``a drink in a blue can``, ``the drinks that come in blue cans`` are blue can drinks: the words behind ``in``,
    where they are what things come in."""
    at = reader.at
    while at < len(reader.tokens) and (reader.tokens[at].has("relatives") or reader.tokens[at].text in _COMES):
        at += 1
    if reader.place or at >= len(reader.tokens) or reader.tokens[at].text not in ("in", "from"):
        return []
    end = at = at + 1 + (at + 1 < len(reader.tokens) and reader.tokens[at + 1].has("indefinite"))
    while end < len(reader.tokens) and not reader.tokens[end].tags:
        end += 1
    packing = [w for t in reader.tokens[at:end] for w in t.words]
    one = reader.tokens[at - 1].has("indefinite")
    if not packing or reader.lexicon.singular(packing[-1]) not in _PACKINGS or not (one or packing[-1].endswith("s")):
        return []
    reader.at = end
    if words[-1:] == ["everything"]:  # a can, whatever is in it
        words[:] = packing[:-1]
    else:
        words[:0] = packing[:-1]
    return packing[-1:]


def _room_with(reader: Reader) -> int:
    """``the room with the bed``, ``the room where the bed is``: how many tokens say so."""
    texts = [t.text for t in reader.tokens[reader.at:reader.at + 2]] + ["", ""]
    if texts[0] in ("with", "where", "containing", "has", "contains") and texts[1] not in ("no",):
        return 1
    return 2 * (texts[0] in ("that", "which") and texts[1] in ("has", "contains"))


def _that_holds(reader: Reader) -> int:
    """``the sofa | that has the cushions``: how many tokens say so."""
    texts = [t.text for t in reader.tokens[reader.at:reader.at + 2]]
    has = texts[1:] in (["has"], ["have"], ["holds"], ["contains"])
    said = reader.place and texts[:1] in (["that"], ["which"]) and has
    return 2 * (said and not reader.any("negation", "use", offset=2))


def _same_as(reader: Reader) -> bool:
    """``the same table as the apple``"""
    return reader.tokens[reader.at].text == "as" and reader.any("determiners", offset=1)


def _told_apart(reader: Reader, noun: Noun, words: list[str]) -> Noun:
    """``the shoe that is black``, ``the apple which is not red``, ``the mug that is not on the desk``: adjectives go to
    `words`, what it is not becomes an exception."""
    if not (words or noun.pronoun == "one") or not reader.any("relatives"):
        return noun
    negated = reader.any("negation", offset=1)
    at = reader.at + 1 + negated
    start, text = at, reader.text(reader.at, at + 1)
    while at < len(reader.tokens) and is_adjective(reader.tokens[at], reader.lexicon):
        at += 1
    if at > start:
        found = [w for t in reader.tokens[start:at] for w in t.words if w != "the"]
        reader.at = at
        if not negated:
            words[:0] = found
            return noun
        singular = (reader.lexicon.singular(w) for w in words)
        return replace(noun, without=(*noun.without, Noun((*found, *singular), text)))
    if negated and at < len(reader.tokens) and reader.tokens[at].has("preposition"):
        reader.at = at
        packing = _packed(reader, said := list(words))
        if packing:  # the drinks that are not in a can
            return replace(noun, without=(*noun.without, Noun((*said, *packing), text)))
        place = reader.place
        other = Noun(tuple(reader.lexicon.singular(w) for w in words), text, places=(prep_phrase(reader),))
        reader.place = place
        return replace(noun, without=(*noun.without, other))
    return noun


def _featured(reader: Reader) -> list[str]:
    """``with a red cover``: the colour of a part tells things apart."""
    tokens, at = reader.tokens, reader.at + 1
    if reader.peek("preposition") != "with":
        return []
    while at < len(tokens) and tokens[at].has("determiners", "indefinite"):
        at += 1
    colors = []
    while at < len(tokens) and tokens[at].text in reader.lexicon.colors:
        colors.append(tokens[at].text)
        at += 1
    if not colors or at >= len(tokens) or tokens[at].tags or tokens[at].text not in reader.lexicon.features:
        return []
    reader.at = at + 1
    return colors


def _use_behind(reader: Reader, uses: list[str]) -> bool:
    """``a present, rich in vitamins``, ``a fruit that is rich in vitamin c``."""
    offset = 0
    while reader.any("relatives", "comma", "copula", offset=offset):
        offset += 1
    use = reader.peek("use", offset)
    if use is None:
        return False
    reader.at += offset + 1
    uses.append(use)
    return True


def _stops(token: Token, words: list[str]) -> bool:
    """Whether a noun phrase with these `words` ends before `token`."""
    if token.has(*STOPS):
        return True
    if not words or token.text in ("one", "ones"):
        return False
    if token.has("fillers", "particles", "negation", "exists") or token.text in ("where", "as", *ALWAYS_PRONOUNS):
        return True
    if token.text == "of" or words[-1] == "of":
        return False
    return token.has("determiners", "indefinite", "every", "own") or (token.has("number") and not token.text.isdigit())


def _begins_clause(reader: Reader) -> bool:
    """``if there is milk in the fridge | bring it``: a verb with a noun of its own, and no comma before it."""
    behind = reader.tokens[reader.at + 1:reader.at + 2]
    if reader.tokens[reader.at].text == "put" and behind and not behind[0].tags:
        return True
    return reader.any("verb") and (reader.tokens[reader.at].text in ONLY_VERBS or reader.any(
        "determiners", "pronoun", "indefinite", "every", "number", "recipients", offset=1))


def counts_another(reader: Reader) -> bool:
    """``one fork | two plates``: a number with a noun behind it; not ``table 2``."""
    behind = reader.tokens[reader.at + 1:reader.at + 2]
    return reader.any("number") and bool(behind) and not behind[0].tags


def _bare(reader: Reader, noun: Noun, text: str) -> Noun:
    """``all``, ``another``, ``three``: without the noun, which was said before."""
    if noun.number or noun.other or noun.every:
        return replace(noun, text=text, pronoun="them" if noun.every and not noun.other else "one")
    shown = f"{text} {reader.tokens[reader.at].text if not reader.over else ''}".strip() or "the end"
    raise Refusal(f"I expected the name of a thing at {shown!r}", [shown], Code.UNKNOWN_TARGET)


def _finished(reader: Reader, noun: Noun, words: list[str]) -> Noun:
    lexicon, text = reader.lexicon, noun.text
    if words and words[0] == "of":
        words = words[1:]
    if not (words or noun.pronoun):
        return _bare(reader, noun, text)
    if len(words) > 1 and words[0] in ("everything", "something", "anything"):  # everything red
        noun = replace(noun, every=noun.every or words[0] == "everything")
        words = [*words[1:], words[0]]
    if len(words) == 1 and lexicon.singular(words[0]) in lexicon.pieces:
        return replace(noun, pronoun="it")  # cut the bread and warm a slice
    cut = [i for i in range(len(words) - 1) if lexicon.singular(words[i]) == "slice"]
    if cut:  # a chilled slice of tomato, a chilled slice tomato
        words = [*words[:cut[0]], "sliced", *words[cut[0] + 1 + (words[cut[0] + 1] == "of"):]]
    elif len(words) > 1 and lexicon.singular(words[-1]) == "slice":  # a mango slice
        words = ["sliced", *words[:-1]]
    plural = bool(words) and lexicon.singular(words[-1]) != words[-1]
    if "of" in words:
        head = words[words.index("of") - 1]
        plural = plural or lexicon.singular(head) != head
    singular = tuple(lexicon.singular(w) for w in words)
    named_before = noun.these or text.startswith("the ") and singular in _ITEMS
    return replace(noun, words=singular, plural=plural, these=plural and named_before)
