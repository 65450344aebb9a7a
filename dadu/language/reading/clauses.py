"""One clause: its verb, and the nouns and prepositional phrases behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dadu.knowledge.lexicon import Lexicon
from dadu.language.reading.boundaries import ends, runs_on
from dadu.language.reading.corrections import marked
from dadu.language.reading.nouns.adjectives import with_heads
from dadu.language.reading.nouns.afterthoughts import all_of_them, apposed, good_for, lacks, the_one
from dadu.language.reading.nouns.phrases import CLOSE_BY, LIGHTS, exceptions, noun_phrase, prep_phrase
from dadu.language.reading.nouns.positions import passed
from dadu.language.reading.nouns.recipients import recipient
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import BACKGROUND, And, Clause, Item, Noun, Prep, nouns_among
from dadu.language.reading.verbs import leave_out, verb_phrase
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_LEADING = ("politeness", "fillers")
_FOR_A_PLACE = ("put", "bring", "take", "fetch", "ship", "prepare")
_SEARCHES = ("find", "inspect", "explore", "check")
_REPEATED = ("put", "bring", "take", "stow", "clean", "heat", "cool", "ship", "discard", "slice", "fill", "open",
             "close", "power_on", "power_off", "go", "find", "inspect")
"""frames whose verb may be left out the next time: ship the box, then the parcel"""
_INTO = ("onto", "into", "on to", "back onto", "back into")
"""prepositions that only say where to"""
_AFTERTHOUGHTS = (apposed, all_of_them, the_one, lacks, good_for)
_WITH_TOOL = ("inspect", "clean", "fill", "heat", "cool", "slice", "pour", "refill", "put", "bring", "take", "fetch",
              "clear", "swap", "prepare", "occasion", "go", "state")


def clause(reader: Reader, ordered: bool) -> Clause:
    """The clause that begins here. Errors: Refusal."""
    reader.skip(*_LEADING)
    start, reader.remarks = reader.at, []
    fronted = _fronted(reader)
    task = reader.clauses and reader.clauses[-1].frame not in BACKGROUND
    items: list[Item]
    if fronted and task and (reader.over or not reader.any("verb", "occasion")):
        frame, verb = reader.clauses[-1].frame, reader.clauses[-1].verb  # "then to the bedroom"
        items = [Noun(pronoun="it", text="it")] if frame in ("put", "bring", "take", "stow") else []
    else:
        frame, verb, items = verb_phrase(reader)
    reader.searches = frame in _SEARCHES and reader.any("determiners")
    if reader.searches:
        _looked_for(reader)
    flags = _Flags(recipient=verb.split()[-1] in ("me", "us"))
    items = [*items, *fronted]
    while not reader.over and not ends(reader) and not (items and runs_on(reader)):
        _read_on(reader, frame, items, flags)
    items = _as_a_whole(frame, items, reader.lexicon)
    if verb in ("distinguish", "distinguishing"):  # the white mug from the blue one: from what is no place
        items = [item for item in items if not (isinstance(item, Prep) and item.relation == "from")]
    if frame in ("take", "fetch") and any(t.text in _INTO for t in reader.tokens[start:reader.at]):
        frame = "bring"  # get a blanket onto the sofa
    return flags.said_of(Clause(frame, verb, tuple(items), ordered=ordered, text=reader.text(start),
                                remarks=tuple(reader.remarks)))


@dataclass
class _Flags:
    """What single words say of a whole clause, as in `Clause`."""

    recipient: bool = False
    respectively: bool = False
    in_turn: bool = False
    elsewhere: bool = False

    def said_of(self, clause: Clause) -> Clause:
        return replace(clause, recipient=self.recipient, respectively=self.respectively, in_turn=self.in_turn,
                       elsewhere=self.elsewhere)


def _read_on(reader: Reader, frame: str, items: list[Item], flags: _Flags) -> None:
    """The next item, or what is said of the last ones, at the end of `items`."""
    named = any(isinstance(item, Noun) for item in items)
    if named and reader.tokens[reader.at].text in ("anything", "any", "everything", "all"):  # anything but milk
        reader.at += reader.any("exception", offset=1)
    if reader.any("exception") and named:
        contrast = _contrast(reader, items)
        leave_out(items, exceptions(reader) if contrast is None else contrast)
        return
    narrowing = _which_is(reader, items) or _which_of_them(reader, items)
    if narrowing is None and (any(told(reader, items) for told in _AFTERTHOUGHTS) or items and passed(reader)):
        return
    found = _item(reader, frame, flags) if narrowing is None else [narrowing]
    last, first = items[-1] if items else None, found[0] if found else None
    if isinstance(first, Prep) and first.noun.pronoun == "there" and first.relation == "to" and (
            isinstance(last, Prep) and last.relation != "from"):
        found = [replace(first, relation="in", narrows=True)]  # on the table there
    if isinstance(last, Noun) and isinstance(first, Noun) and first.number:
        items.append(And())  # one fork two plates
    items += found
    flags.in_turn |= _first_of_all(reader, items)


def _as_a_whole(frame: str, items: list[Item], lexicon: Lexicon) -> list[Item]:
    """The items of a clause, with what only all of them together tell."""
    first = items[0] if items else None
    if frame == "clean" and isinstance(first, Noun) and first.words[1:] and first.words[-1] in lexicon.state_of:
        items[0] = replace(first, words=first.words[:-1])  # wipe the mug clean
    if sum(isinstance(item, Noun) for item in items) > 1:
        items = [replace(item, joined=True) if isinstance(item, Noun) else item for item in with_heads(items, lexicon)]
    return _close_together(items)


def _looked_for(reader: Reader) -> None:
    """``check the cupboard | for | coffee``: no purpose."""
    end, tags = reader.ahead("end"), reader.lexicon.tags
    for i in range(len(reader.tokens) - 1 if end is None else end - 1, reader.at, -1):
        token = reader.tokens[i]
        if token.has("use") and token.words[0] == "for":
            reader.tokens[i:i + 1] = [Token((w,), dict(tags.get((w,), {}))) for w in token.words]


def _close_together(items: list[Item]) -> list[Item]:
    """``place them close by``: of several it means next to each other."""
    them = any(isinstance(item, Noun) and item.pronoun == "them" for item in items)
    return [Prep("together") if them and isinstance(item, Prep) and item.approximate in CLOSE_BY else item
            for item in items]


def _which_is(reader: Reader, items: list[Item]) -> Prep | None:
    """``the book | which is on the desk``, ``the plate lying in the sink``: where the last one is, not where to."""
    named = bool(items) and (isinstance(items[-1], Prep) or isinstance(items[-1], Noun) and not items[-1].pronoun)
    if not (named and reader.any("relatives") and reader.any("preposition", offset=1)):
        return None
    reader.at += 1
    prep = prep_phrase(reader)
    if isinstance(items[-1], Noun) and prep.relation in ("on", "in", "at"):
        return replace(prep, relation="from")
    return replace(prep, narrows=isinstance(items[-1], Prep))


def _which_of_them(reader: Reader, items: list[Item]) -> Prep | None:
    """``in the cabinet | under the sink``, ``on the desk | at the foot of the bed``: which place it is."""
    below, words = reader.peek("preposition") == "under", reader.tokens[reader.at].text
    placed = bool(items) and isinstance(items[-1], Prep) and items[-1].noun.words
    if not (placed and words in reader.lexicon.ends or below and items and not isinstance(items[-1], And)):
        return None
    prep = prep_phrase(reader, below=True)
    if below and prep.noun.words[-1:] in LIGHTS:
        return prep
    return replace(prep, relation="under" if below else "next_to", approximate=words, narrows=bool(placed))


def _first_of_all(reader: Reader, items: list[Item]) -> bool:
    """``the lemon and the cup to the table, the lemon first``: puts the nouns into that order."""
    named = items[-1] if items and isinstance(items[-1], Noun) else None
    if named is None or reader.over or reader.tokens[reader.at].text != "first":
        return False
    nouns = nouns_among(items[:-1])
    before = [i for i, noun in nouns if noun.words == named.words]
    whole = [(i, noun) for i, noun in nouns if _several(noun)]
    if not before and whole and named.pronoun == "one" and named.words:  # both apples, the red one first
        at, all_ = whole[0]
        one = replace(named, pronoun="", words=(*named.words, *all_.words[-1:]))
        reader.at += 1
        items[at:] = [one, *items[at:-1]]
        return True
    if not before and any(isinstance(item, Prep) for item in items[:-1]):
        raise Refusal(f"I do not know which of what I move {named.text!r} is, to begin with it", [named.text],
                      Code.UNKNOWN_ACTION)
    if not before:
        return False
    reader.at += 1
    first = items.pop(before[0])
    items.pop()
    items.insert(0, first)
    return True


def _several(noun: Noun) -> bool:
    return noun.every or noun.plural or (noun.number or 1) > 1


def _contrast(reader: Reader, items: list[Item]) -> list[Noun] | None:
    """``to the desk, not to the shelf`` says nothing new; ``not from the shelf`` is an exception. None where no place
    follows."""
    if not reader.any("preposition", offset=1) or reader.tokens[reader.at].text not in ("not", "but not"):
        return None
    start = reader.at
    reader.at += 1
    prep = prep_phrase(reader)
    if prep.relation != "from" and any(isinstance(i, Prep) and i.relation != "from" for i in items):
        reader.remarks.append(reader.text(start))
        return []
    first = next(item for item in items if isinstance(item, Noun))
    return [Noun(first.words, reader.text(start), places=(prep,))]


def correction(reader: Reader) -> list[Item]:
    """The items behind ``no wait``, up to the end of the clause. Errors: Refusal."""
    reader.at = marked(reader) or reader.at
    items: list[Item] = []
    while not reader.over and not ends(reader):
        items += _item(reader, reader.clauses[-1].frame, _Flags())
    return items


def elliptical(reader: Reader) -> Clause | None:
    """``then the placemat``: a noun instead of a verb, which is the last one again; None where it is not that."""
    if reader.tokens[reader.at].text in ("on", "off") and reader.clauses and _bare_particle(reader) and (
            reader.clauses[-1].frame in ("power_on", "power_off")):
        reader.at += 1
        word = reader.tokens[reader.at - 1].text
        return Clause(f"power_{word}", word, (Noun(pronoun="it", text="it"),), ordered=True, text=word)
    if not reader.clauses or reader.clauses[-1].frame not in _REPEATED:
        return None
    if not reader.any("determiners", "indefinite", "every", "number", "other") or _declares(reader):
        return None
    start, last, reader.remarks = reader.at, reader.clauses[-1], []
    items: list[Item] = []
    flags = _Flags()
    while not reader.over and not ends(reader):
        _read_on(reader, last.frame, items, flags)
    return flags.said_of(Clause(last.frame, last.verb, tuple(items), ordered=True, text=reader.text(start),
                                elliptical=True))


def _declares(reader: Reader) -> bool:
    """``then the cup goes next to it``: it has a verb of its own."""
    return reader.ahead("belongs", "pleasing", "amiss", until=("end", "comma", "conjunctions", "verb")) is not None


def _fronted(reader: Reader) -> list[Prep]:
    """``from the fridge, take ...``"""
    fronted = []
    while reader.any("preposition") and not reader.any("verb") and reader.peek("preposition") not in ("together",):
        fronted.append(prep_phrase(reader))
        reader.take("comma")
        reader.skip(*_LEADING)
    return fronted


def _item(reader: Reader, frame: str, flags: _Flags) -> Sequence[Item]:
    """The next item of a clause; sets the flags that it carries."""
    where = recipient(reader, frame)
    if where is not None:
        flags.recipient = True
        return where
    if reader.take("respectively"):
        flags.respectively = True
    elif reader.take("in_turn"):
        flags.in_turn = True
    elif reader.take("elsewhere"):
        flags.elsewhere = True
    elif reader.take("former"):
        return [Prep("former")]
    elif reader.any("usual") and not _particle_of_noun(reader):
        reader.take("usual")
        return [Prep("usual")]
    elif reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma", "fillers")
        return [And()]
    elif reader.tokens[reader.at].text == "where" or _to_where(reader):  # put it where the vase is
        reader.at += 1 + _to_where(reader)
        noun = noun_phrase(reader)
        was = not reader.over and reader.tokens[reader.at].text in ("was", "were")
        reader.skip("copula")
        return [Prep("former_of", noun, directed=True) if was else Prep("next_to", noun, "where", directed=True)]
    elif reader.tokens[reader.at].text == "as" and not reader.any("end", offset=1):  # as a present for my nephew
        _remark(reader, ("end", "comma", "conjunctions", "preposition", "sequence"))
    elif reader.any("reasons") or _to_do_something(reader):
        _reason(reader)
    elif reader.any("preposition") and not (reader.any("particles") and _bare_particle(reader)):
        return _prep_item(reader, frame)
    elif reader.any("use") and (reader.at + 1 == len(reader.tokens) or reader.tokens[reader.at + 1].tags):
        reader.remarks.append(reader.tokens[reader.at].text)
        reader.at += 1
    elif not reader.take("relatives", "fillers", "particles", "copula", "alone", "politeness"):
        noun = noun_phrase(reader)
        if noun.pronoun == "there":  # the cup there to the counter: the one that is there
            return [Prep("from" if reader.any("preposition") else "to", noun)]
        return [noun]
    return []


def _to_do_something(reader: Reader) -> bool:
    """``to impress the guests``: what for; not ``to the kitchen``, nor ``to wash it``, which can be done."""
    behind = reader.tokens[reader.at + 1:reader.at + 3]
    return reader.tokens[reader.at].text == "to" and len(behind) == 2 and not behind[0].tags and behind[1].has(
        "determiners", "indefinite", "recipients")


def _to_where(reader: Reader) -> bool:
    at = reader.at + 1
    return reader.tokens[reader.at].text == "to" and at < len(reader.tokens) and reader.tokens[at].text == "where"


def _particle_of_noun(reader: Reader) -> bool:
    """``away`` is a place only behind a verb such as put."""
    return reader.tokens[reader.at].text == "away" and reader.at + 1 < len(reader.tokens) and not reader.any(
        "end", "comma", "conjunctions", "sequence", "before", "after", "condition", offset=1)


def _prep_item(reader: Reader, frame: str) -> list[Item]:
    relation = reader.peek("preposition")
    inside = reader.tokens[reader.at].text in ("in", "inside", "into")
    if inside and frame in ("put", "bring") and _bare_particle(reader):
        reader.at += 1
        return [Prep("in", Noun(pronoun="there", text="there"))]  # open the fridge and put it in
    if relation == "for" and frame in _FOR_A_PLACE:
        place = _place_behind(reader)
        if place is not None:
            return [place]
    if relation == "for" and frame not in (*_SEARCHES, "swap") or relation == "with" and frame not in _WITH_TOOL:
        _remark(reader, ("end", "comma", "conjunctions", "preposition", "sequence", "condition", "unless", "otherwise"))
        return []
    return [prep_phrase(reader)]


def _place_behind(reader: Reader) -> Prep | None:
    """``for the entry table``, which may be where to; None where more than a noun follows."""
    start = reader.at
    try:
        prep = prep_phrase(reader)
    except Refusal:
        prep = None
    if prep is None or not (reader.over or ends(reader) or reader.any("comma", "conjunctions")):
        reader.at = start
        return None
    return prep


def _remark(reader: Reader, until: tuple[str, ...]) -> None:
    """Passes words that say why or for whom, and keeps them for the user."""
    start = reader.at
    reader.at += 1
    while not reader.over and not reader.any(*until) and not _another_begins(reader):
        reader.at += 1
    reader.remarks.append(reader.text(start))


def _reason(reader: Reader) -> None:
    """Passes ``so that we can eat``, as far as the next clause, and keeps it for the user."""
    start = reader.at
    reader.at += 1
    while not reader.over and not reader.any("end") and not (reader.any("comma", "conjunctions") and ends(reader)):
        reader.at += 1
    reader.remarks.append(reader.text(start))


def _another_begins(reader: Reader) -> bool:
    """``so that I can bake, | and heat the milk``: a verb with a noun of its own behind a comma or conjunction."""
    offset = 0
    while reader.any("comma", "conjunctions", offset=offset):
        offset += 1
    at = reader.at + offset
    unknown = at < len(reader.tokens) and not reader.tokens[at].tags
    return offset > 0 and (unknown or reader.any("verb", offset=offset)) and reader.any(
        "determiners", "indefinite", "every", "number", "pronoun", offset=offset + 1)


def _bare_particle(reader: Reader) -> bool:
    """``off`` and the like with no noun after it."""
    return reader.at + 1 >= len(reader.tokens) or reader.any(
        "end", "comma", "preposition", "conjunctions", "sequence", offset=1)
