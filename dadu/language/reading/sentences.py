"""The sentences of an instruction, as clauses in the order in which they are to be carried out."""

from __future__ import annotations

from dataclasses import replace

from dadu.knowledge.lexicon import Lexicon
from dadu.language.reading.asking import also_ensured, asked, ensured, heard, only_named
from dadu.language.reading.boundaries import by_doing
from dadu.language.reading.circumstances import circumstances, meanwhile
from dadu.language.reading.clauses import clause, correction, elliptical
from dadu.language.reading.conditions import condition
from dadu.language.reading.corrections import forgotten, instead, marked, takes_back
from dadu.language.reading.listed import consigned, heading, in_turn, listed
from dadu.language.reading.neighbours import completed
from dadu.language.reading.nouns.phrases import noun_phrase, prep_phrase
from dadu.language.reading.reader import Reader
from dadu.language.reading.repeated import repeated
from dadu.language.reading.statements import aside
from dadu.language.reading.syntax import BACKGROUND, Clause, Condition, Item, Noun, Prep
from dadu.language.reading.words.tokens import tokenise
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_BETWEEN = ("end", "comma", "conjunctions", "politeness", "fillers")
_IT_IS = (" it is", " they are", " it has", " they have")


def parse(instruction: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses in the order in which they are to be carried out. Errors: Refusal."""
    reader = Reader(tokenise(instruction, lexicon), lexicon)
    for token in reader.tokens:
        if token.has("unsupported"):
            raise Refusal(f"I do not understand {token.text!r} in an instruction; say what to do in plain steps",
                          [token.text], Code.UNKNOWN_ACTION)
    while _skip(reader):
        _sentence(reader)
    if all(c.frame in BACKGROUND for c in reader.clauses) and not _may_be_wish(reader):
        said = instruction.strip()
        raise Refusal(f"there is nothing to do in {said!r}; say for instance: bring the apple to the table", [said],
                      Code.UNKNOWN_ACTION)
    return completed(reader.clauses)


def _may_be_wish(reader: Reader) -> bool:
    return any(c.frame == "remark" for c in reader.clauses)


def _skip(reader: Reader) -> bool:
    """Passes connectors and politeness; False at the end."""
    while not reader.over and not takes_back(reader) and (
            reader.any(*_BETWEEN) and not reader.any("verb", "exists", "use") or _joins(reader)):
        reader.at += 1
    return not reader.over


def _joins(reader: Reader) -> bool:
    """``but`` and ``so``, ``to`` before a verb, ``by`` before how it is done."""
    word = reader.tokens[reader.at].text
    return word in ("but", "so") or word == "to" and reader.any("verb", offset=1) or by_doing(reader.tokens, reader.at)


def _sentence(reader: Reader) -> None:
    """What is to be done until the next connector: under a condition, in an order, or nothing but a statement."""
    if takes_back(reader):
        _corrected(reader)
    elif instead(reader):
        reader.clauses[-1] = forgotten(reader.clauses[-1])
        _step(reader)
    elif reader.any("condition", "unless"):
        _conditional(reader)
    elif reader.any("if_so", "otherwise"):
        so = reader.take("if_so") is not None
        reader.skip("otherwise")
        if reader.condition is None:
            raise Refusal("I do not know what 'otherwise' is the opposite of", ["otherwise"], Code.UNKNOWN_ACTION)
        _body(reader, reader.condition, otherwise=not so)
    elif (title := consigned(reader) or heading(reader)) is not None:  # after dinner: ...
        reader.clauses.append(title)
    elif beside := circumstances(reader):
        reader.clauses += beside
    elif reader.any("before", "after"):
        _subordinate(reader)
    else:
        _step(reader)


def _corrected(reader: Reader) -> None:
    """``no wait, the apple`` is about the last clause; ``no wait, bring the apple`` takes its place."""
    at, last = marked(reader), reader.clauses[-1]
    if at is None:
        return
    if last.frame in BACKGROUND:
        if not reader.tokens[at].has("verb", "split", "politeness", "belongs"):
            raise Refusal(f"I do not know what {reader.text(at, reader.ahead('end'))!r} corrects; say it again in one "
                          "piece", [reader.text(at, reader.ahead("end"))], Code.UNKNOWN_ACTION)
        reader.at = at
        return
    if reader.tokens[at].has("verb", "split", "politeness", "belongs"):
        reader.at, reader.clauses[-1] = at, forgotten(last)
        return
    reader.clauses[-1] = replace(last, corrections=(*last.corrections, *correction(reader)))


def _conditional(reader: Reader) -> None:
    unless = reader.take("unless") is not None
    reader.take("condition")
    _body(reader, heard(reader, condition(reader, unless=unless)), otherwise=False)


def _body(reader: Reader, when: Condition, otherwise: bool) -> None:
    """All clauses of this sentence are done only under the condition."""
    first = len(reader.clauses)
    reader.skip("comma", "sequence", "fillers")
    while not reader.over and not reader.any("end", "otherwise"):
        reader.skip("comma", "conjunctions")
        if not reader.over and reader.tokens[reader.at].text in ("but", "so"):
            reader.at += 1
        if reader.any("condition", "unless", "if_so"):
            break
        _step(reader)
        while reader.any("comma", "conjunctions") or reader.any("fillers") and not reader.any("otherwise"):
            reader.at += 1
    if first == len(reader.clauses) and first and reader.clauses[-1].condition is None:  # bring it, but only if ...
        when, first = _of(when, reader.clauses[-1]), first - 1
    for i in range(first, _end_of_search(reader.clauses, first, when)):
        if reader.clauses[i].condition is None:
            reader.clauses[i] = replace(reader.clauses[i], condition=when, otherwise=otherwise)


def _end_of_search(clauses: list[Clause], first: int, when: Condition) -> int:
    """``if it is not there, check the den, | then take it to the table``: that is done wherever it was found."""
    end, again = first, when.negated and when.noun.pronoun in ("it", "them", "any", "none")
    while again and end < len(clauses) and clauses[end].frame in ("inspect", "explore") and not any(
            isinstance(i, Prep) and i.relation == "for" for i in clauses[end].items):
        end += 1
    return end if first < end < len(clauses) and clauses[end].ordered else len(clauses)


def _step(reader: Reader) -> None:
    """One clause with the connector before it."""
    ordered = False
    hurried = bool(reader.clauses) and [t.text for t in reader.tokens[reader.at - 2:reader.at]] == ["but", "first"]
    while reader.take("sequence"):
        ordered = True
        _skip(reader)
    if reader.over:
        return
    if reader.any("condition", "unless"):
        return _conditional(reader)
    if listed(reader):
        return
    again = repeated(reader)
    if again:
        first = replace(again[0], ordered=ordered and bool(reader.clauses))
        reader.clauses += [first, *again[1:]]
        return
    found = _one_clause(reader, ordered)
    at_first = reader.tokens[reader.at - 1].text == "first" and not (found.ordered or _then(reader))
    if (hurried or at_first) and _preceded(reader):
        _done_first(reader, found)
        return
    _with_what_goes_along(reader, found)


def _then(reader: Reader) -> bool:
    """``put a plate on it first, | then the cups``: first of these, not of all that was said."""
    at = reader.at
    reader.skip("comma", "conjunctions")
    follows = not reader.over and reader.any("sequence")
    reader.at = at
    return follows


def _done_first(reader: Reader, found: Clause) -> None:
    """``but first open the window``, ``open the window first``: before all that the sentence said; ``wash it first``
    before what was said last of it."""
    at = len(reader.clauses) - 1
    if not any(isinstance(i, Noun) and i.pronoun for i in found.items):
        while at and not (reader.clauses[at].opens and not reader.clauses[at].details):
            at -= 1
    found, last = _names_first(found, reader.clauses[at])
    reader.clauses[at:at + 1] = [replace(found, ordered=last.ordered), replace(last, ordered=True)]


def _one_clause(reader: Reader, ordered: bool) -> Clause:
    """What is said next, and how it is connected with what was said before."""
    begins, before = reader.at, reader.tokens[reader.at - 1].text if reader.at else ""
    details, opens = before in (":", "by"), _opens(reader)
    special = heading(reader) or aside(reader) or asked(reader) or ensured(reader) or only_named(reader)
    if special and special.frame == "wish" and _preceded(reader) and reader.tokens[begins - 1].has("comma"):
        special = Clause("remark", "", text=special.text)  # put it on the bed, I want to sleep
    bare = details and reader.ahead("verb", "belongs") is None
    named = not special and (ordered or bare) and elliptical(reader)
    if named and details:  # put them apart: the cup on the table and the plate on the shelf
        last = reader.clauses[-1]
        reader.clauses[-1] = replace(last, frame="remark", items=tuple(i for i in last.items if isinstance(i, Noun)))
    found = special or named or clause(reader, False)
    if reader.any("sequence") and (reader.at + 1 >= len(reader.tokens) or reader.any("end", offset=1)):
        ordered = reader.take("sequence") is not None  # put the knife away afterwards
    if _supposed(reader, found) or found.frame == "prepare" and before == "to":
        found = Clause("remark", "", text=found.text)
    return replace(found, ordered=ordered and bool(reader.clauses), details=details, opens=opens,
                   explains=_behind_colon(reader), purpose=before == "to")


def _with_what_goes_along(reader: Reader, found: Clause) -> None:
    """A, with what is done before it, meanwhile and behind it, and on what condition."""
    start = len(reader.clauses)
    if reader.take("after"):  # A after B: B comes first
        earlier = _subordinated(reader)
        if not _taken_already(reader, earlier):
            earlier, found = _names_first(earlier, found)
            reader.clauses.append(replace(earlier, ordered=found.ordered))
        found = replace(found, ordered=True)
    reader.clauses += [*(meanwhile(reader) if reader.any("circumstances", "meanwhile") else []), *in_turn(found)]
    reader.clauses += _ensured_too(reader) if found.frame == "ensure" else []
    if reader.take("before"):  # A before B
        reader.clauses.append(replace(_subordinated(reader), ordered=True))
    if reader.any("if_so") and reader.condition is not None:  # check if it is on, and turn it off if so
        reader.at += 1
        reader.clauses[start:] = [replace(c, condition=reader.condition) for c in reader.clauses[start:]]
    if reader.any("condition", "unless") and found.frame != "remark":  # A if there is B
        unless = reader.take("unless") is not None
        reader.take("condition")
        when = heard(reader, _of(condition(reader, unless=unless), found))
        reader.clauses[start:] = [replace(c, condition=when) for c in reader.clauses[start:]]


def _taken_already(reader: Reader, earlier: Clause) -> bool:
    """``lay the shirt on the chair and shut the wardrobe once you have taken it out``"""
    moved = bool(reader.clauses) and reader.clauses[-1].frame in ("put", "bring", "take", "stow")
    return moved and earlier.frame == "take" and all(isinstance(i, Noun) and i.pronoun for i in earlier.items)


def _supposed(reader: Reader, found: Clause) -> bool:
    """``find the book; it should be in the study``: where it is thought to be."""
    looked_for = bool(reader.clauses) and reader.clauses[-1].frame == "find"
    about = found.items[0] if found.items else None
    return looked_for and isinstance(about, Noun) and bool(about.pronoun) and found.text.startswith(
        ("it should be", "it must be", "it ought to be", "they should be", "they must be"))


def _preceded(reader: Reader) -> bool:
    return bool(reader.clauses) and reader.clauses[-1].frame not in BACKGROUND


def _behind_colon(reader: Reader) -> bool:
    ends_before = [t.text for t in reader.tokens[:reader.at] if t.has("end")]
    return ends_before[-1:] == [":"]


def _opens(reader: Reader) -> bool:
    """Whether a sentence begins here, politeness aside."""
    at = reader.at - 1
    while at >= 0 and reader.tokens[at].has("politeness", "fillers", "comma"):
        at -= 1
    return at >= 0 and reader.tokens[at].has("end")


def _subordinate(reader: Reader) -> None:
    """``before B, A`` and ``after A, B``."""
    before = reader.take("before") is not None
    if not before:
        reader.take("after")
    first = _subordinated(reader)
    _skip(reader)
    reader.skip("sequence")
    _skip(reader)
    if reader.over:
        raise Refusal(f"what to do {'before' if before else 'after'} {first.text!r} is not said", [first.text],
                      Code.UNKNOWN_ACTION)
    second = ensured(reader) or clause(reader, False)
    a, b = _names_first(second, first) if before else (first, second)
    reader.clauses += [a, *(_as_well(reader) if before else ()), replace(b, ordered=True)]
    if second.frame == "ensure":
        reader.clauses[-1:] = [reader.clauses[-1], *_ensured_too(reader)]


def _as_well(reader: Reader) -> list[Clause]:
    """``before leaving, close the window | and switch off the lamp``: both of them before."""
    found, at = [], reader.at
    while not reader.over:
        reader.skip("comma", "conjunctions")
        if reader.at == at or not reader.any("verb") or reader.any("sequence"):
            break
        found.append(clause(reader, False))
        at = reader.at
    reader.at = at
    return found


def _ensured_too(reader: Reader) -> list[Clause]:
    """``make sure the fridge is closed | and the stove is off``"""
    found = []
    while (more := also_ensured(reader)) is not None:
        found.append(more)
    return found


def _of(asked: Condition, found: Clause) -> Condition:
    """``to the table, if there is no vase on it``: the condition is looked at first, so it is told what ``it`` is."""
    places = [i.noun for i in found.items if isinstance(i, Prep) and i.noun.words]
    named = next((i for i in found.items if isinstance(i, Noun) and i.words), asked.noun)
    preps = tuple(replace(p, noun=places[-1]) if p.noun.pronoun in ("it", "there") and places else p
                  for p in asked.preps)
    if not preps and asked.text.endswith((" there", " there already")):  # on the shelf, if it is not there already
        relations = ("on", "in", "next_to", "to")
        preps = tuple(i for i in found.items if isinstance(i, Prep) and i.relation in relations)[-1:]
        asked = replace(asked, kind="is")
    return replace(asked, preps=preps, noun=named if asked.noun.pronoun == "it" else asked.noun)


def _names_first(first: Clause, second: Clause) -> tuple[Clause, Clause]:
    """``bring the kettle back after filling it``: what is done first is told what ``it`` is."""
    named = next((item for item in second.items if isinstance(item, Noun)), None)
    bare = next((item for item in first.items if isinstance(item, Noun)), None)
    if named is not None and not named.pronoun:  # start the washer after you have put the towel in it
        places = [replace(i, noun=named) if isinstance(i, Prep) and i.noun.pronoun == "it" else i for i in first.items]
        first = replace(first, items=tuple(places))
    if named is not None and named.words and bare is not None and bare.pronoun == "one":  # wash the red one first
        same = (*bare.words, named.words[-1]) if bare.words else named.words
        one = replace(bare, pronoun="", words=same)
        return replace(first, items=tuple(one if i is bare else i for i in first.items)), second
    first = _told_where(first, second)
    if named is None or named.pronoun or bare is None or bare.pronoun not in ("it", "them"):
        return first, second
    to = next((i for i, item in enumerate(second.items) if isinstance(item, Prep) and item.relation == "to"), None)
    said = second.items[:to] if to is not None else ()
    which = [item for item in said if isinstance(item, Prep)]  # the mug in the sink to the shelf
    items: list[Item] = []
    for item in first.items:
        items += [named, *which] if item is bare else [item]
    rest: list[Item] = [bare if item is named else item for item in second.items if item not in which]
    return replace(first, items=tuple(items)), replace(second, items=tuple(rest))


def _told_where(first: Clause, second: Clause) -> Clause:
    """``before you bring the butter to the table, put the bread there``"""
    place = next((i.noun for i in second.items if isinstance(i, Prep) and i.relation in ("to", "on", "in")), None)
    if place is None or not place.words:
        return first
    return replace(first, items=tuple(replace(i, noun=place) if isinstance(i, Prep) and i.noun.pronoun == "there" else i
                                      for i in first.items))


def _subordinated(reader: Reader) -> Clause:
    """``putting the cup down``, ``you have put the cup down``, ``the cup is on the table``."""
    if reader.tokens[reader.at - 1].text.endswith(_IT_IS) and reader.any("state"):
        text = reader.tokens[reader.at].text
        it = Noun(pronoun="it", text="it")
        return Clause("state", reader.pass_over("state"), (it,), text=text)  # once it is clean
    participle = reader.peek("participle")
    if participle is not None and not reader.any("verb"):
        reader.tokens[reader.at].tags["verb"] = participle
    bare = reader.at + 1 >= len(reader.tokens) or reader.any("verb", "end", "comma", offset=1)
    if reader.tokens[reader.at].text.endswith("ing") and reader.any("verb") and bare:
        verb = reader.tokens[reader.at].text  # after washing | put it away
        return Clause(reader.pass_over("verb"), verb, (Noun(pronoun="it", text="it"),), text=verb)
    if not reader.any("verb") and reader.ahead("copula", until=("comma", "end")) is not None:
        noun, places = noun_phrase(reader), []
        while reader.any("preposition"):
            places.append(replace(prep_phrase(reader), relation="from"))
        reader.skip("copula", "fillers")
        if reader.any("state"):
            return Clause("state", reader.pass_over("state"), (noun, *places), text=noun.text)
        if reader.any("participle"):
            frame = reader.pass_over("participle")
            items: list[Item] = [noun, *places]
            while reader.any("preposition"):
                items.append(prep_phrase(reader))
            return Clause(frame, frame, tuple(items), text=noun.text)
        if reader.any("preposition"):
            return Clause("put", "put", (noun, prep_phrase(reader)), text=noun.text)
    return clause(reader, False)
