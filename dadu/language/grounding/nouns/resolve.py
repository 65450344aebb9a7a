"""From noun phrases to things, with all that stands around them: places, exceptions, alternatives, pronouns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dadu.goals.goal import Description, Where
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.lexicon import Words
from dadu.knowledge.recognise import purpose
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.noun import NounPhrase, PlacePhrase, Quantity
from dadu.language.grounding.nouns.describing import by_name
from dadu.language.grounding.nouns.holding import holds_things, where_it_is
from dadu.language.grounding.nouns.modifiers import regions
from dadu.language.grounding.nouns.naming import known
from dadu.language.grounding.nouns.phrases import Around, named, text_of, words_of
from dadu.language.grounding.nouns.pronouns import serving, spoken_of_before, stands_for
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, NotUnderstood, Refusal
from dadu.world.graph import Kind, Relation

_RELATIONS = {"in": Relation.IN, "next_to": Relation.NEXT_TO, "between": Relation.NEXT_TO, "behind": Relation.NEXT_TO,
              "under": Relation.NEXT_TO}

_CRITERIA = ("color", "colour", "size", "shape", "weight", "height", "kind", "type", "sort", "name", "age")
"""what things are told apart by, beside which nothing stands"""


def resolve_all(nouns: Iterable[NounPhrase], scene: Setting, said: Discourse, kinds: tuple[Kind, ...] = (),
                role: Role = Role.ABOUT) -> tuple[tuple[Referent, ...], Discourse]:
    """The things of several noun phrases, one after the other, and that they were spoken of."""
    out: list[Referent] = []
    for np in nouns:
        things = resolve(np, scene, said, kinds)
        said = said.mention(things, role)
        out += things
    return tuple(out), said


def resolve(np: NounPhrase, scene: Setting, said: Discourse, kinds: tuple[Kind, ...] = ()) -> tuple[Referent, ...]:
    """The things that a noun phrase means; several for ``them``. Errors: Refusal."""
    if np.purpose in occasions().roles and not np.name:
        return (serving(np, scene),)
    np = _for_its_purpose(_plainer(np, scene, said), scene, said)
    np, note = by_name(np, scene, kinds)
    around = _around(np, scene, said)
    if np.pronoun:
        return stands_for(np, around, scene, said, kinds)
    if np.quantity.kinds and (np.quantity.number or 1) > 1:
        return _of_several_kinds(np, np.quantity.number or 2, around, scene, said, kinds)
    before = spoken_of_before(np, around, scene, said, kinds)
    thing = before if before is not None else named(np, around, scene, said, kinds)
    thing = replace(thing, notes=(*thing.notes, note)) if note else thing
    return (_with(np, thing, scene, said),)


def _for_its_purpose(np: NounPhrase, scene: Setting, said: Discourse) -> NounPhrase:
    """``something against a cold``, ``a drink with caffeine``: what it is good for, where nothing here is called so."""
    for place in np.places:
        found = purpose(place.text.split())
        if found is not None and not found.rest and not np.purpose and not any(
                tried(replace(n, places=()), scene, said) for n in place.nouns):
            return replace(np, purpose=place.text, places=tuple(p for p in np.places if p != place))
    return np


def _of_several_kinds(np: NounPhrase, number: int, around: Around, scene: Setting, said: Discourse,
                      kinds: tuple[Kind, ...]) -> tuple[Referent, ...]:
    """``two kinds of fruit``: one thing each of so many categories, those that are known first. Errors: Refusal where
    there are not so many; NotSeen where not so many were seen yet."""
    one = replace(np, quantity=Quantity(number=1), plural=False, determiner="indefinite")
    whole = named(one, around, scene, said, kinds)
    sorts: dict[str, list[str]] = {}
    for id in whole.term.ids:
        sorts.setdefault(scene.graph[id].category, []).append(id)
    if len(sorts) < number and not scene.complete:
        seen = Description(text_of(np), Kind.OBJECT, tuple(sorts))
        raise NotSeen(f"I do not know yet {text_of(np)!r}", [text_of(np)],
                      replace(whole.description, without=(*whole.description.without, seen)), every=False)
    if len(sorts) < number:
        raise Refusal(f"there are only {len(sorts)} kinds for {text_of(np)!r}: {', '.join(sorts) or 'none'}",
                      [text_of(np)])
    return tuple(whole.only(f"{category}#{len(said.mentions)}", ids)
                 for category, ids in list(sorts.items())[:number])


def _plainer(np: NounPhrase, scene: Setting, said: Discourse) -> NounPhrase:
    """``a slice``, once bread was spoken of, is one of it; ``these toys`` are those that were moved."""
    moved = [t for t in said.moved if t.kind is Kind.OBJECT]
    placed = np.attributes or any(p.preposition != "from" for p in np.places)
    if moved and {"these", "those"} & {*np.text.split()} and not placed and (
            np.name in scene.lexicon.plain_nouns or all(
                scene.is_a(scene.categories(t.term.ids, t.term.description), np.name) for t in moved)):
        return replace(np, name="", pronoun="them")
    of = any(p.preposition == "of" for p in np.places)
    if not of and np.name in scene.lexicon.pieces and said.last(Kind.OBJECT) is not None:
        return replace(np, name="", pronoun="it", determiner="definite")
    return np


def tried(np: NounPhrase, scene: Setting, said: Discourse, kinds: tuple[Kind, ...] = ()) -> tuple[Referent, ...]:
    """The things that a noun phrase means; none where it means nothing here."""
    try:
        return resolve(np, scene, said, kinds)
    except NotUnderstood:
        return ()


def kind_of(np: NounPhrase, scene: Setting, said: Discourse) -> Kind | None:
    """What a noun phrase means, or None where that is not known."""
    return next((t.kind for t in tried(replace(np, places=()), scene, said)), None)


def where(place: PlacePhrase, scene: Setting, said: Discourse) -> Where:
    """A place that narrows a noun. Errors: Refusal; NotSeen where a thing that was not seen yet is spoken of as the
    place of another."""
    things = [t for np in place.nouns for t in resolve(np, scene, said, _place_kinds(np, said))]
    if not things:
        raise Refusal(f"I do not know where {place.text!r} is", [place.text])
    ids = tuple(id for t in things for id in t.term.ids)
    if not ids and not scene.complete:
        name = things[0].term.name
        raise NotSeen(f"I do not know yet where {name!r} is", [name], things[0].term.description, every=False)
    if all(t.kind is Kind.ROOM for t in things):
        return Where(Relation.IN_ROOM, ids)
    return Where(_RELATIONS.get(place.preposition, Relation.ON), ids)


def _place_kinds(np: NounPhrase, said: Discourse) -> tuple[Kind, ...]:
    """``clear the table and put the lamp on it``: a place is rather furniture."""
    if np.pronoun == "there":
        return SUPPORTS
    last = said.last(Kind.OBJECT)
    pieces = said.last(*SUPPORTS) is not None and (last is None or last.every)
    return SUPPORTS if np.pronoun == "it" and pieces else (*SUPPORTS, Kind.OBJECT)


def _around(np: NounPhrase, scene: Setting, said: Discourse) -> Around:
    wheres: tuple[Where, ...] = ()
    variants: tuple[Words, ...] = ()
    notes: tuple[str, ...] = ()
    for place in np.places:
        of = _other_words(np, place, scene, said) if place.preposition == "of" else ()
        variants += of
        if not of and place.preposition != "with" and place.special == "" and place.nouns:
            told, note = _where_or_not(place, scene, said)
            if note and np.name in scene.lexicon.plain_nouns and not np.purpose:
                raise Refusal(f"I do not know what {text_of(np)!r} is: {note[0]}", [text_of(np)])
            wheres, notes = wheres + told, notes + note
    without = tuple(_left_out(np, other, scene, said) for other in np.excluded)
    alternatives = tuple(t.description for other in np.alternatives for t in resolve(other, scene, said))
    return Around(wheres, without, alternatives, variants, notes)


def _where_or_not(place: PlacePhrase, scene: Setting, said: Discourse) -> tuple[tuple[Where, ...], tuple[str, ...]]:
    """``the counter by the toaster``, in whose place nobody knows of a toaster: it does not help, which is told.
    Errors: NotSeen."""
    try:
        return (where(place, scene, said),), ()
    except Refusal as refusal:
        if not may_be_unknown(place, scene):
            raise
        return (), (f"{place.text!r} does not help to tell which: {refusal}",)


def may_be_unknown(place: PlacePhrase, scene: Setting) -> bool:
    """True if it is the floor, a wall or something that this house does not have; rooms, what is told by its use, and
    words that are no name of anything, must be understood."""
    words = scene.lexicon.normal(place.nouns[0].name) if place.nouns else ()
    if words and words[-1] in _CRITERIA or any(np.purpose for np in place.nouns):  # sort the fruit by color
        return False
    if place.preposition in ("next_to", "under", "behind"):  # by the door, by the window
        return True
    return is_before(place) or known(words[-1:], scene) or bool({*words} & {*scene.lexicon.floor})


def is_before(place: PlacePhrase) -> bool:
    """True if it stands before the noun that it tells apart: the dining room table."""
    return bool(place.nouns) and place.text == place.nouns[0].text


def stated_contents(np: NounPhrase) -> tuple[NounPhrase, ...]:
    """What it is said to have in or on it: the table with a fork on it."""
    inside = (n for p in np.places if p.preposition == "with" for n in p.nouns)
    return tuple(n for n in inside if any(m.pronoun == "it" for p in n.places for m in p.nouns))


def _left_out(np: NounPhrase, other: NounPhrase, scene: Setting, said: Discourse) -> Description:
    """``all apples except the red one``; of what there is none, nothing is left out."""
    if other.pronoun == "one" or not other.name and not other.pronoun:
        other = replace(other, pronoun="", name=np.name)
    try:
        return resolve(other, scene, said)[0].description
    except Refusal as refusal:
        if scene.complete and other.name and known(words_of(replace(other, attributes=()), scene), scene):
            return Description(text_of(other), Kind.OBJECT, ())
        raise refusal


def _other_words(np: NounPhrase, place: PlacePhrase, scene: Setting, said: Discourse) -> tuple[Words, ...]:
    """``a slice of bread``: sliced bread; ``a bottle of water``, ``the door of the fridge``. Empty where it is a place:
    ``the biggest fruit of the fruit table``."""
    lexicon, head = scene.lexicon, scene.lexicon.normal(np.name)
    whole = words_of(place.nouns[0], scene) if place.nouns else ()
    before = lexicon.normal(" ".join(np.attributes))
    if not whole or not head:
        return ()
    vessel, compound = head[-1] in lexicon.vessels, known((*whole, *head), scene)
    filled = vessel and " ".join(whole) in lexicon.liquids and not compound
    of_it = (*lexicon.parts, *regions(), *lexicon.surfaces, *lexicon.vessels, *lexicon.units, *lexicon.pieces)
    out = {(*whole, *head): vessel or compound, ("filled", *head): filled, whole: head[-1] in of_it}
    return tuple((*before, *words) for words, fits in out.items() if fits)


def _with(np: NounPhrase, thing: Referent, scene: Setting, said: Discourse) -> Referent:
    """``the table with the toys``, where they are; ``a bowl with a spoon``, which is to be in it; ``a mug with a
    handle``, which nothing tells of."""
    for place in (p for p in np.places if p.preposition == "with"):
        for other in place.nouns:
            inside = tuple(p for p in other.places if not any(n.pronoun == "it" for n in p.nouns))
            thing = _with_this(thing, replace(other, places=inside), scene, said)  # with a fork in it
    return thing


def _with_this(thing: Referent, other: NounPhrase, scene: Setting, said: Discourse) -> Referent:
    if " ".join(words_of(other, scene)) in scene.lexicon.liquids and thing.kind is Kind.OBJECT:
        return replace(thing, requires=(*thing.requires, "is_filled"))
    feature = scene.lexicon.normal(other.name)[-1:]
    odd = thing.kind is not Kind.OBJECT and not known(feature, scene)
    if feature and feature[0] in scene.lexicon.features or odd:
        return replace(thing, notes=(*thing.notes, f"'with {text_of(other)}' is taken as said, I cannot tell"))
    inside = resolve(other, scene, said, (Kind.OBJECT, Kind.FURNITURE))[0]
    if thing.kind is not Kind.OBJECT and len(thing.term.ids) > 1:
        return where_it_is(thing, inside, scene)
    if thing.kind is not Kind.OBJECT and other.determiner == "indefinite" and holds_things(inside, scene) and (
            not inside.term.ids):  # in the fridge with a pan
        raise Refusal(f"is {text_of(other)!r} there, or is it to go there, too? Say it in two sentences",
                      [text_of(other)])
    if thing.kind is not Kind.OBJECT:
        return replace(thing, notes=(*thing.notes, f"'with {text_of(other)}': the only {thing.term.name} there is"))
    if holds_things(thing, scene):
        return replace(thing, carried=(*thing.carried, inside), notes=(*thing.notes, *inside.notes))
    raise Refusal(f"nothing can be put in or on {thing.term.name!r}, so there is none 'with {text_of(other)}'",
                  [text_of(other)])
