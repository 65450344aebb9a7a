"""One clause: its verb, and the nouns and prepositional phrases behind it."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.language.phrases import exceptions, noun_phrase, prep_phrase
from dadu.planner.language.reader import Reader
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import BACKGROUND, And, Clause, Noun, Prep
from dadu.planner.language.tokens import Token
from dadu.skills.outcome import Code

_LEADING = ("politeness", "fillers")
_SEARCHES = ("find", "inspect", "explore", "check")
_BEGINS = ("verb", "sequence", "before", "after", "end", "negation", "occasion", "condition", "unless", "otherwise",
           "if_so", "wish", "exists", "exists_not", "reasons")
"""what a clause, or the end of one, begins with"""
_CAUSES = ("have", "get", "i want", "i need", "i would like", "i would love", "we want", "we need", "we would like")
_INTRODUCES = ("determiners", "indefinite", "every", "preposition")
_WITH_TOOL = ("clean", "fill", "heat", "cool", "slice", "pour", "refill", "put", "bring", "take", "fetch", "clear",
              "swap")


def clause(reader: Reader, ordered: bool) -> Clause:
    """The clause that begins here. Errors: Refusal."""
    reader.skip(*_LEADING)
    start, reader.remarks = reader.at, []
    fronted = _fronted(reader)
    task = reader.clauses and reader.clauses[-1].frame not in BACKGROUND
    if fronted and task and (reader.over or not reader.any("verb", "occasion")):
        frame, verb = reader.clauses[-1].frame, reader.clauses[-1].verb  # "then to the bedroom"
        items = [Noun(pronoun="it", text="it")] if frame in ("put", "bring", "take", "stow") else []
    else:
        frame, verb, items = _verb(reader)
    flags = {"recipient": verb.split()[-1] in ("me", "us"), "respectively": False, "in_turn": False, "elsewhere": False}
    items = [*items, *fronted]
    while not reader.over and not ends(reader):
        if reader.any("exception") and any(isinstance(item, Noun) for item in items):
            contrast = _contrast(reader, items)
            _leave_out(items, exceptions(reader) if contrast is None else contrast)
        else:
            items += _item(reader, frame, flags)
    return Clause(frame, verb, tuple(items), ordered=ordered, text=reader.text(start), remarks=tuple(reader.remarks),
                  **flags)


def _leave_out(items: list, without: list[Noun]) -> None:
    """``everything on the table except the vase``: it is the first noun that has exceptions."""
    i = next(i for i, item in enumerate(items) if isinstance(item, Noun))
    items[i] = replace(items[i], without=(*items[i].without, *without))


def _contrast(reader: Reader, items: list) -> list[Noun] | None:
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


def elliptical(reader: Reader) -> Clause | None:
    """``then the placemat``: a noun instead of a verb, which is the last one again; None where it is not that."""
    if reader.tokens[reader.at].text in ("on", "off") and reader.clauses and _bare_particle(reader) and (
            reader.clauses[-1].frame in ("power_on", "power_off")):
        reader.at += 1
        word = reader.tokens[reader.at - 1].text
        return Clause(f"power_{word}", word, (Noun(pronoun="it", text="it"),), ordered=True, text=word)
    if not reader.clauses or reader.clauses[-1].frame not in ("put", "bring", "take", "stow", "clean", "heat", "cool"):
        return None
    if not reader.any("determiners", "indefinite", "every", "number", "other"):
        return None
    start, last, reader.remarks = reader.at, reader.clauses[-1], []
    items: list = []
    flags = {"recipient": False, "respectively": False, "in_turn": False, "elsewhere": False}
    while not reader.over and not ends(reader):
        items += _item(reader, last.frame, flags)
    return Clause(last.frame, last.verb, tuple(items), ordered=True, text=reader.text(start), elliptical=True,
                  **flags)


def _fronted(reader: Reader) -> list[Prep]:
    """``from the fridge, take ...``"""
    fronted = []
    while reader.any("preposition") and not reader.any("verb") and reader.peek("preposition") not in ("together",):
        fronted.append(prep_phrase(reader))
        reader.take("comma")
        reader.skip(*_LEADING)
    return fronted


def _verb(reader: Reader) -> tuple[str, str, list]:
    """Frame and words of the verb; for ``the toys go in the box`` also the nouns before it."""
    if reader.over:
        raise Refusal("the instruction ends where a verb was expected", [], Code.UNKNOWN_ACTION)
    token = reader.tokens[reader.at]
    if reader.any("occasion"):
        return "occasion", reader.take("occasion"), []
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
    if reader.clauses and _goes_on_passive(reader, reader.at):
        frame = reader.take("participle")
        return frame, frame, [Noun(pronoun="it", text="it")]
    belonging = _hoped(reader) or _amiss(reader) or _belonging(reader)
    if belonging is not None:
        return belonging
    if token.tags:
        rest = reader.text(reader.at, len(reader.tokens))
        raise Refusal(f"what to do is not said in {rest!r}; begin with a verb, such as bring, put or open", [rest],
                      Code.UNKNOWN_ACTION)
    verbs = {v.split()[0] for phrases in reader.lexicon.verbs.values() for v in phrases}
    known = sorted(verbs - {"i", "we", "is", "are", "can", "could", "may", "there", "what", "have", "do"})
    raise Refusal(f"I do not understand {token.text!r} as something to do; I know: {', '.join(known)}",
                  [token.text], Code.UNKNOWN_ACTION)


def _belonging(reader: Reader) -> tuple[str, str, list] | None:
    """``the toys go in the box``, ``the fridge should be closed``."""
    if reader.ahead("belongs", until=("end", "verb")) is None:
        return None
    nouns: list = [noun_phrase(reader)]
    while reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma")
        nouns += [And(), noun_phrase(reader)]
    reader.skip("relatives")
    places = []
    while reader.any("preposition") and not reader.any("belongs"):
        prep = prep_phrase(reader)
        places.append(replace(prep, relation="from"))
    if reader.any("exception"):
        _leave_out(nouns, exceptions(reader))
    stays = reader.take("belongs")
    if stays is None:
        return None
    reader.skip("fillers")
    if stays.split()[-1] in ("stay", "remain", "stays") and not reader.any("preposition", "state"):
        return "put", "stay", [*nouns, *places]
    if reader.any("state"):
        return "state", reader.take("state"), nouns
    if reader.any("participle"):  # the lamp should be switched off
        frame = reader.take("participle")
        return frame, frame, [*nouns, *places]
    return "put", "put", [*nouns, *places]


def _subject(reader: Reader) -> tuple[list, list[Prep]]:
    """The nouns of a statement and the places behind them."""
    nouns: list = [noun_phrase(reader)]
    while reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma")
        nouns += [And(), noun_phrase(reader)]
    places = []
    reader.skip("relatives")
    while reader.any("preposition"):
        places.append(prep_phrase(reader))
        reader.skip("fillers", "relatives")
    return nouns, places


def _hoped(reader: Reader) -> tuple[str, str, list] | None:
    """``a candle on the table would be nice``"""
    if reader.ahead("pleasing", until=("end", "verb")) is None:
        return None
    nouns, places = _subject(reader)
    if not reader.take("pleasing"):
        return None
    there = nouns[0].indefinite and any(p.relation != "from" for p in places)
    return ("put" if there else "fetch"), "i would like", [*nouns, *places]


def _amiss(reader: Reader) -> tuple[str, str, list] | None:
    """``the shoes do not belong on the table``"""
    if reader.ahead("amiss", until=("end", "verb")) is None:
        return None
    nouns, places = _subject(reader)
    if not reader.take("amiss"):
        return None
    reader.skip("fillers")
    while reader.any("preposition"):
        places.append(prep_phrase(reader))
    if reader.peek("pronoun") == "there":
        reader.at += 1
    return "amiss", "put away", [*nouns, *(replace(p, relation="from") for p in places)]


def _caused(reader: Reader) -> str | None:
    """``have the parcel shipped``, ``I want the mug put on it``: the frame of the participle, which is taken out."""
    i = caused(reader)
    if i is None:
        return None
    frame = reader.tokens[i].tags["participle"]
    del reader.tokens[i]
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
        if token.has("end", "comma", "verb", "preposition", "relatives"):
            return None
    return None


def _split_verb(reader: Reader) -> str | None:
    """``turn the lamp on``: power_on or power_off, with the particle taken out."""
    if not reader.any("split") or reader.any("verb"):
        return None
    for i in range(reader.at + 1, len(reader.tokens)):
        token = reader.tokens[i]
        if token.text in ("on", "off") and (i + 1 == len(reader.tokens) or reader.tokens[i + 1].has(
                "end", "comma", "conjunctions", "sequence", "fillers", "before", "after", "preposition", "condition")):
            del reader.tokens[i]
            reader.at += 1
            return f"power_{token.text}"
        if token.has("end", "verb"):
            return None
    return None


def _thrown(reader: Reader) -> str | None:
    """``throw the newspaper away``: discard, with the particle taken out."""
    if reader.tokens[reader.at].text not in ("throw", "toss", "chuck"):
        return None
    for i in range(reader.at + 1, len(reader.tokens)):
        if reader.tokens[i].text in ("away", "out") and (i + 1 == len(reader.tokens) or reader.tokens[i + 1].has(
                "end", "comma", "conjunctions", "sequence", "fillers")):
            del reader.tokens[i]
            reader.at += 1
            return "discard"
        if reader.tokens[i].has("end", "verb", "preposition"):
            return None
    return None


def _item(reader: Reader, frame: str, flags: dict[str, bool]) -> list:
    """The next item of a clause; sets the flags that it carries."""
    if reader.take("recipients"):
        flags["recipient"] = True
        if reader.peek("preposition") in ("in", "at") and reader.tokens[reader.at - 1].text.startswith("to "):
            return [replace(prep_phrase(reader), relation="to")]  # to me in the kitchen
    elif reader.take("respectively"):
        flags["respectively"] = True
    elif reader.take("in_turn"):
        flags["in_turn"] = True
    elif reader.take("elsewhere"):
        flags["elsewhere"] = True
    elif reader.take("former"):
        return [Prep("former")]
    elif reader.any("usual") and not _particle_of_noun(reader):
        reader.take("usual")
        return [Prep("usual")]
    elif reader.any("conjunctions", "comma"):
        reader.skip("conjunctions", "comma", "fillers")
        return [And()]
    elif reader.tokens[reader.at].text == "where":  # put it where the vase is
        reader.at += 1
        noun = noun_phrase(reader)
        reader.skip("copula")
        return [Prep("next_to", noun, "where")]
    elif reader.any("reasons"):
        _remark(reader, ("end",))
    elif reader.any("preposition") and not (reader.any("particles") and _bare_particle(reader)):
        return _prep_item(reader, frame)
    elif not reader.take("relatives", "fillers", "particles", "copula", "use", "alone", "politeness"):
        noun = noun_phrase(reader)
        if noun.pronoun == "there":  # the cup there to the counter: the one that is there
            return [Prep("from" if reader.any("preposition") else "to", noun)]
        return [noun]
    return []


def _particle_of_noun(reader: Reader) -> bool:
    """``away`` is a place only behind a verb such as put."""
    return reader.tokens[reader.at].text == "away" and reader.at + 1 < len(reader.tokens) and not reader.any(
        "end", "comma", "conjunctions", "sequence", offset=1)


def _prep_item(reader: Reader, frame: str) -> list:
    relation = reader.peek("preposition")
    if relation == "for" and frame not in _SEARCHES or relation == "with" and frame not in _WITH_TOOL:
        _remark(reader, ("end", "comma", "conjunctions", "preposition", "sequence", "condition", "unless", "otherwise"))
        return []
    return [prep_phrase(reader)]


def _remark(reader: Reader, until: tuple[str, ...]) -> None:
    """Passes words that say why or for whom, and keeps them for the user."""
    start = reader.at
    reader.at += 1
    while not reader.over and not reader.any(*until):
        reader.at += 1
    reader.remarks.append(reader.text(start))


def _bare_particle(reader: Reader) -> bool:
    """``off`` and the like with no noun after it."""
    return reader.at + 1 >= len(reader.tokens) or reader.any(
        "end", "comma", "preposition", "conjunctions", "sequence", offset=1)


def ends(reader: Reader) -> bool:
    """Whether the clause ends here: a full stop, a sequence word, or a connector with another verb behind it."""
    tokens, i = reader.tokens, reader.at
    if reader.any("end", "before", "after", "sequence", "condition", "unless", "otherwise", "if_so"):
        return True
    if _purpose(tokens, i) or (tokens[i].text == "but" and not _noun_behind(tokens, i)):
        return True
    if not reader.any("conjunctions", "comma"):
        return False
    while i < len(tokens) and (tokens[i].has("conjunctions", "comma", "fillers", "politeness")
                               or tokens[i].text in ("but", "so")):
        i += 1
    if i + 1 < len(tokens) and tokens[i].text in ("not", "but not") and tokens[i + 1].has(*_INTRODUCES):
        return False  # the red one, not the brown one
    if i >= len(tokens) or tokens[i].has(*_BEGINS):
        return True
    if _goes_on_passive(reader, i):
        return True
    if tokens[i].has("split") or (tokens[i].has("subjects") and not tokens[i].has("determiners")):
        return True
    return _declares(tokens, i) or _fronts(tokens, i)


def _goes_on_passive(reader: Reader, i: int) -> bool:
    """``the glass should be filled | and placed next to the vase``"""
    here = reader.tokens[i]
    behind = i + 1 >= len(reader.tokens) or reader.tokens[i + 1].has("preposition", "end", "comma", "conjunctions")
    return here.has("participle") and not here.has("verb", "state") and behind


def _purpose(tokens: list[Token], i: int) -> bool:
    """``go to the kitchen to get the milk``"""
    return tokens[i].text == "to" and i + 2 < len(tokens) and tokens[i + 1].has("verb") and tokens[i + 2].has(
        "determiners", "indefinite", "number", "every", "pronoun", "recipients")


def _noun_behind(tokens: list[Token], i: int) -> bool:
    return i + 1 < len(tokens) and not tokens[i + 1].has("verb", "negation", "sequence", "politeness", "condition")


def _declares(tokens: list[Token], i: int) -> bool:
    """``and the cup goes ...``: a verb of belonging comes before anything else that ends a clause."""
    for token in tokens[i:]:
        if token.has("belongs"):
            return True
        if token.has("end", "comma", "conjunctions", "verb"):
            return False
    return False


def _fronts(tokens: list[Token], i: int) -> bool:
    """``and from the fridge take ...``: a preposition whose noun is followed by a verb."""
    if not tokens[i].has("preposition"):
        return False
    for token in tokens[i + 1:]:
        if token.has("verb") and not token.has("preposition"):
            return True
        if token.has("end", "conjunctions", "preposition"):
            return False
    return False
