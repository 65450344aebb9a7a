"""What people take back while they speak: ``bring the banana, no wait, the apple``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import Clause, Item, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind

_PLACING = ("put", "bring", "take", "stow", "fetch")
_FOLLOWS = ("determiners", "indefinite", "number", "every", "preposition", "comma")
_PLACES: tuple[Kind | None, ...] = (Kind.FURNITURE, Kind.ROOM)


def marked(reader: Reader) -> int | None:
    """The position behind ``, no wait,`` where such a thing stands here; a mild word (actually, sorry) counts only
    between commas or before a noun."""
    tokens, i, plain = reader.tokens, reader.at, None
    begun, strong, at = i == 0 or tokens[i - 1].has("comma", "end"), False, None
    while i < len(tokens):
        if tokens[i].has("correction"):
            strong, at = True, i + 1
        elif tokens[i].has("mild_correction") and begun:
            at = i + 1
        elif not tokens[i].has("comma") and not (tokens[i].text == "." and plain is None):
            break
        plain, begun = at, True
        i += 1
    start = at
    while at is not None and at < len(tokens) and tokens[at].text in ("just", "only"):  # actually, just the mug
        at += 1
    if at is None or at >= len(tokens):
        return None
    behind = tokens[at]
    follows = behind.has(*_FOLLOWS) or at != start and behind.has("pronoun")  # actually only one of them
    while at < len(tokens) and tokens[at].has("comma", "end", "fillers"):
        at += 1
    if at < len(tokens) and (strong or follows and not tokens[at].has("verb")) or _placed_anew(reader, at):
        return at
    return None


def _placed_anew(reader: Reader, at: int) -> bool:
    """``bring the cup to the sofa. Actually, | put it on the desk``"""
    while at < len(reader.tokens) and reader.tokens[at].has("comma", "politeness"):
        at += 1
    if at >= len(reader.tokens):
        return False
    verb, *behind = reader.tokens[at:at + 2]
    end = next((i for i in range(at, len(reader.tokens)) if reader.tokens[i].has("end")), len(reader.tokens))
    same = bool(behind) and behind[0].text in ("it", "them") or reader.tokens[end - 1].text == "instead"
    placed = bool(reader.clauses) and reader.clauses[-1].frame in _PLACING
    return placed and same and verb.tags.get("verb") in _PLACING


def instead(reader: Reader) -> bool:
    """``bring the cup to the sofa. | Put it on the desk instead``"""
    end = reader.ahead("end") or len(reader.tokens)
    begins = reader.at > 0 and reader.tokens[reader.at - 1].has("end")
    return begins and reader.tokens[end - 1].text == "instead" and _placed_anew(reader, reader.at) and (
        reader.clauses[-1].condition is None)


def takes_back(reader: Reader) -> bool:
    """Whether the last clause is being corrected here."""
    return bool(reader.clauses) and marked(reader) is not None


def forgotten(clause: Clause) -> Clause:
    """What is not to be done after all; it was spoken of. Errors: Refusal where only a part may be meant."""
    placed = [i for i, item in enumerate(clause.items) if isinstance(item, Prep) and item.relation != "from"]
    if placed and any(isinstance(item, Noun) for item in clause.items[placed[0]:]):  # A here and B there; no, put it...
        raise Refusal(f"I do not know what of {clause.text!r} is taken back; say it again in one piece", [clause.text])
    nouns = [_noun(item) for item in clause.items if isinstance(item, (Noun, Prep)) and _noun(item).words]
    return Clause("remark", "", tuple(nouns), text=clause.text)


def restated(clause: Clause, kind_of: Callable[[Noun], Kind | None]) -> Clause:
    """With the new words in the place of those that they correct. Errors: Refusal where there are none such."""
    items = list(clause.items)
    for new in clause.corrections:
        if isinstance(new, Prep):
            items = _another_place(items, new)
        elif isinstance(new, Noun):
            items = _another_noun(items, new, kind_of, clause.text)
    return replace(clause, items=tuple(items), corrections=())


def _another_place(items: list[Item], new: Prep) -> list[Item]:
    origin = new.relation == "from"
    old = [i for i, item in enumerate(items) if isinstance(item, Prep) and (item.relation == "from") is origin]
    return [*items[:old[-1]], new, *items[old[-1] + 1:]] if old else [*items, new]


def _another_noun(items: list[Item], new: Noun, kind_of: Callable[[Noun], Kind | None], text: str) -> list[Item]:
    """In the place of the last noun of its kind; ``the red one`` and ``three`` keep the noun."""
    named = [(i, item) for i, item in enumerate(items) if isinstance(item, (Noun, Prep)) and _noun(item).words]
    place = kind_of(new) in _PLACES
    alike = [(i, old) for i, old in named if (kind_of(_noun(old)) in _PLACES) is place]
    if new.pronoun == "one":  # the green one: of what can be green; one of them: of several
        fitting = [(i, old) for i, old in named
                   if (kind_of(_one(new, _noun(old))) is not None if new.words else _several(_noun(old)))]
        alike = fitting or named
    for i, old in named if len(named) == 1 else alike[-1:]:
        here = _one(new, _noun(old)) if new.pronoun == "one" else new
        return [*items[:i], here if isinstance(old, Noun) else replace(old, noun=here), *items[i + 1:]]
    raise Refusal(f"I do not know what {new.text!r} corrects in {text!r}; say it again in one piece", [new.text])


def _one(new: Noun, old: Noun) -> Noun:
    """``the red one``, ``one of them``, of what was named before."""
    number = new.number or (1 if new.text.split()[0] == "one" else None)
    return replace(new, pronoun="", words=(*new.words, *(old.words[-1:] if new.words else old.words)), number=number,
                   text=f"{new.text} {old.words[-1]}", plural=old.plural and number is None)


def _several(noun: Noun) -> bool:
    return noun.plural or noun.every or (noun.number or 1) > 1


def _noun(item: Noun | Prep) -> Noun:
    return item if isinstance(item, Noun) else item.noun
