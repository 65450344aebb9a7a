"""Short ways to write frames by hand, and goals as lines of text."""

from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity

IT, THEM, THERE, ME = (NounPhrase(pronoun=p, text=p) for p in ("it", "them", "there", "me"))
TOGETHER = PlacePhrase("next_to", (), special="together")


def the(name, *attributes, **more):
    return NounPhrase(name, attributes, **more)


def a(name, *attributes, **more):
    return NounPhrase(name, attributes, determiner="indefinite", **more)


def some(number, name, **more):
    return NounPhrase(name, quantity=Quantity(number), determiner="indefinite", plural=number > 1, **more)


def every(name, **more):
    return NounPhrase(name, quantity=Quantity(amount="all"), plural=True, **more)


def on(*nouns):
    return PlacePhrase("on", nouns)


def into(*nouns):
    return PlacePhrase("in", nouns)


def by(*nouns):
    return PlacePhrase("next_to", nouns)


def from_(*nouns):
    return PlacePhrase("from", nouns)


def to(*nouns):
    return PlacePhrase("at", nouns)


def lines(goal):
    """``predicate subject|subject object|object [number]`` for each proposition."""
    out = []
    for p in goal.propositions:
        arguments = ["|".join(term.ids) for term in (p.subject, p.object) if term is not None]
        out.append(" ".join([p.predicate, *arguments, *([str(p.needed)] if p.needed > 1 else [])]))
    return out
