"""A noun phrase that names something, as a thing of this world: which ones are meant, and how many of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dadu.goals.candidates import candidates, exactly, relax_nearness
from dadu.goals.goal import Description, Term, Where
from dadu.goals.stand_in import unlike_none
from dadu.knowledge.lexicon import Words
from dadu.knowledge.recognise import purpose
from dadu.language.discourse import Discourse, Referent
from dadu.language.frames.noun import NounPhrase
from dadu.language.grounding.nouns.modifiers import modifiers, regions
from dadu.language.grounding.nouns.naming import GENERAL, OWN_NAME, Name, NounReading, instead, known, meaning
from dadu.language.grounding.nouns.quantities import is_every, is_indefinite, number_of
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.world.graph import Entity, Kind, Relation


@dataclass(frozen=True)
class Around:
    """What stands around a noun, resolved."""

    where: tuple[Where, ...] = ()
    without: tuple[Description, ...] = ()
    alternatives: tuple[Description, ...] = ()
    variants: tuple[Words, ...] = ()
    """its name in other words, where ``of`` says what it is: a slice of bread"""
    notes: tuple[str, ...] = ()
_SUITABLE = "suitable"
"""for what was spoken of"""
_ANYTHING = ("thing", "something", "anything", "item", "object")


def named(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...] = ()) -> Referent:
    """The thing or things called so. Errors: Refusal where the words are not known, or there is no such thing."""
    read, passed_over = _meaning(np, around, scene, said, kinds)
    told = _described(np, around, read, scene, said)
    read = _nearest(np, around, read, told, scene)
    told = read.description
    told = _of_the_kind(np, told, scene)
    told, found = _found(np, told, scene, said)
    _check(np, told, read, found, scene)
    # what nobody can measure is no way to choose: "the heaviest book"
    most = next((a for a in np.attributes if a.endswith("est") and _says_nothing(a, scene)), None)
    if most is not None and (len(found) > 1 or not scene.complete):
        raise Refusal(f"I cannot tell which {np.name} is the {most}; say which one", [most])
    notes = (*around.notes, *passed_over, *_cannot_tell(read, np, found, scene), *_not_there(np, read, told))
    substitution = _substitution(read, np, found)
    key = f"{text_of(np)}#{len(said.mentions)}"
    every = is_every(np, scene.lexicon) and told.kind is Kind.OBJECT
    number = number_of(np)
    if np.quantity.amount == "half":
        raise Refusal(f"say how many of which for {text_of(np)!r}", [text_of(np)])
    if scene.complete and (np.quantity.number is None or substitution):
        number = min(number, len(found) or number)
    rinsed = is_indefinite(np) and {*read.unseen} & {*scene.lexicon.rinsed}  # a wet cloth; the wet cloth is wet already
    return Referent(Term(key, _ids(found), told), told.kind, number, every, np,
                    (*read.requires, "is_clean") if rinsed else read.requires, substitution, notes)


def text_of(np: NounPhrase) -> str:
    said = (np.superlative, *np.attributes, np.name or np.pronoun or np.purpose)
    return np.text or " ".join(word for word in said if word)


def words_of(np: NounPhrase, scene: Setting) -> Words:
    """Adjectives and name, normalised."""
    text = " ".join((*np.attributes, np.name)).replace("'s ", " ").replace("'", "")
    return scene.lexicon.normal(text)


def _ids(found: list[Entity]) -> tuple[str, ...]:
    return tuple(e.id for e in found)


def _meaning(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]
             ) -> tuple[NounReading, tuple[str, ...]]:
    """Adjectives that are no known ones are passed over, which is noted. Errors: Refusal."""
    uses, notes = _uses(np, said)
    np = _less_what_it_is_for(np, uses)
    words = words_of(np, scene) or ("thing",)
    superlative = (np.superlative,) if np.superlative else ()
    variants = tuple((*superlative, *v) for v in (*around.variants, words, *_main_place(words, scene)))
    name = Name(variants, text_of(np), kinds, uses, around.where, said.lacking)
    try:
        return _in_rooms_spoken_of(meaning(name, scene), name, np, scene, said), notes
    except Refusal:
        odd = _odd(np, scene)
        if not odd or len(words) <= len(odd):
            raise
        plain = words_of(replace(np, attributes=tuple(a for a in np.attributes if a not in odd)), scene)
        name = replace(name, variants=((*superlative, *plain),))
        passed = tuple(f"{word!r} is passed over: I cannot tell" for word in odd)
        read = _in_rooms_spoken_of(meaning(name, scene), name, np, scene, said)
        if _only_ends_so(np, read, plain, scene) and purpose(list(odd)) is None:  # healthy
            raise
        return replace(read, description=replace(read.description, general=())), notes + passed


def _only_ends_so(np: NounPhrase, read: NounReading, words: Words, scene: Setting) -> bool:
    """``the gelatine box``, where nobody knows of one, is no cereal box; of several sorts of utensils, ``bladed`` says
    which."""
    names = [scene.vocabulary.called(e.category) for e in read.found if e.kind is Kind.OBJECT]
    ends = read.tier == GENERAL and bool(names) and not any(words[-1:] in of for of in names)
    sorts = [c for c in read.description.categories if scene.vocabulary.entries[c].tier(words[-1:]) != 0]
    return ends or read.kind is Kind.OBJECT and len(sorts) > 1 and not np.plural


def _odd(np: NounPhrase, scene: Setting) -> tuple[str, ...]:
    """Words before its name that tell nothing apart: what nobody knows; names before the only one: computer desk."""
    only = _is_piece((np.name,), scene, only=True)
    return tuple(a for a in np.attributes if _says_nothing(a, scene) or only and modifiers((a,), scene) is None)


def _less_what_it_is_for(np: NounPhrase, uses: tuple[str, ...]) -> NounPhrase:
    """``something soft``, ``a suitable drink``: these words are read already."""
    read = uses and not np.purpose and np.name in _ANYTHING
    return replace(np, attributes=() if read else tuple(a for a in np.attributes if a != _SUITABLE))


def _main_place(words: Words, scene: Setting) -> tuple[Words, ...]:
    """``the toilet tank lid``, ``the table edge``: the world knows no more of it than the toilet and the table."""
    lexicon, rest = scene.lexicon, words
    if _is_piece(words[-1:], scene):
        return ()  # the desk drawer, where drawers are furniture
    while rest and rest[-1] in (*lexicon.surfaces, *regions(), *lexicon.parts):
        rest = rest[:-1]
    if rest != words and not known(rest, scene) and not any(_is_furniture(rest[i:], scene) for i in range(len(rest))):
        rest = next((rest[:end] for end in range(len(rest) - 1, 0, -1) if _is_furniture(rest[:end], scene)), rest)
    thing = words[-1] in lexicon.surfaces and known(rest, scene) and not _is_furniture(rest, scene)  # the water tank
    return (rest,) if rest and rest != words and not (thing or known(words, scene)) else ()


def _is_furniture(words: Words, scene: Setting) -> bool:
    return any(e.kind is Kind.FURNITURE for e, _ in scene.vocabulary.named(words))


def _is_piece(words: Words, scene: Setting, only: bool = False) -> bool:
    """True if furniture of one sort here is called so; of which there is `only` one, and no object."""
    named_ = scene.vocabulary.named(words)
    fits = {e.category for e, tier in named_ if e.kind is Kind.FURNITURE and tier <= GENERAL}
    here = [e.category for e in scene.graph.of(Kind.FURNITURE) if e.category in fits]
    return len(here if only else {*here}) == 1 and not (only and any(e.kind is Kind.OBJECT for e, _ in named_))


def _says_nothing(attribute: str, scene: Setting) -> bool:
    words = scene.lexicon.normal(attribute)
    return modifiers(words, scene) is None and not known(words, scene)


def _spoken_use(said: Discourse) -> str:
    """What was wished for last."""
    last = next((found for t in reversed(said.mentions) if t.phrase.purpose
                 and (found := purpose(t.phrase.purpose.split())) is not None), None)
    return said.use or (last.use if last is not None else "")


def _uses(np: NounPhrase, said: Discourse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What it is to be good for. Errors: Refusal where that is not known."""
    if _SUITABLE in np.attributes and _spoken_use(said):
        return (_spoken_use(said),), ()
    if not np.purpose and np.name in _ANYTHING and np.attributes:  # something soft
        described = purpose(list(np.attributes))
        return ((described.use,), ()) if described is not None and not described.rest else ((), ())
    if not np.purpose:
        return (), ()
    found = purpose(np.purpose.split())
    if found is None:
        if np.name and np.name not in _ANYTHING:
            return (), (f"not taken as part of the task: {np.purpose!r}",)
        raise Refusal(f"I do not know what is good {np.purpose!r}; name the thing", [np.purpose])
    left = (f"passed over in {np.purpose!r}: {', '.join(found.rest)}",) if found.rest else ()
    return (found.use,), left


def _in_rooms_spoken_of(read: NounReading, name: Name, np: NounPhrase, scene: Setting, said: Discourse) -> NounReading:
    """``the bathroom is a mess: wipe the sink``: the bathroom sink, rather than what is called nothing but sink."""
    bare = not (name.where or np.determiner == "own" or read.description.where)
    if not said.rooms or read.kind is not Kind.FURNITURE or not bare:
        return read
    try:
        there = meaning(replace(name, kinds=(Kind.FURNITURE,),
                                where=(Where(Relation.IN_ROOM, tuple(sorted(said.rooms))),)), scene)
    except Refusal:
        return read
    words = scene.lexicon.normal(np.name)
    called = all(scene.lexicon.normal(e.category)[-len(words):] == words for e in there.found)
    return there if there.found and (there.tier <= read.tier or called) else read


def _described(np: NounPhrase, around: Around, read: NounReading, scene: Setting, said: Discourse) -> Description:
    """With exceptions, alternatives, and what nothing that is chosen may be."""
    told = read.description
    chosen = bool(np.purpose) or len(told.categories) > 1
    without = around.without + (said.unwanted if chosen else ()) + (
        said.spared if is_every(np, scene.lexicon) else ())
    told = replace(told, without=told.without + without)
    if around.alternatives:
        each = (replace(told, without=()), *(replace(o, where=o.where + told.where) for o in around.alternatives))
        categories = tuple(dict.fromkeys(c for d in each for c in d.categories))
        told = replace(told, alternatives=each, categories=categories)
    return told


def _nearest(np: NounPhrase, around: Around, read: NounReading, told: Description, scene: Setting) -> NounReading:
    """What is known not to be in the house is replaced by the nearest thing that is."""
    read = read.described(told, scene)
    if scene.complete and told.kind is Kind.OBJECT and not candidates(told.anywhere(), scene.graph):
        same = unlike_none(told.anywhere(), scene.graph, scene.lexicon)
        if same:
            plain = replace(told, attributes=(), ids=_ids(same), categories=())
            return replace(read.described(plain, scene), unseen=(*read.unseen, *told.attributes))
        other = instead(read, Name((words_of(np, scene),), told.words), scene) if np.name else None
        if other is not None:
            near_ = replace(other.description, where=told.where, without=told.without)
            return replace(other.described(near_, scene), requires=read.requires)
    return read


def _of_the_kind(np: NounPhrase, told: Description, scene: Setting) -> Description:
    """``a toy`` and ``the toys`` are any toy cars; ``a box`` is no box of cookies."""
    several = is_indefinite(np) or np.plural or np.quantity.number or is_every(np, scene.lexicon)
    if not told.general or not several or np.purpose:
        return told
    words = scene.lexicon.normal(np.name)
    kind = tuple(c for c in told.general if words in scene.vocabulary.entries[c].hypernyms)
    return replace(told, categories=tuple(dict.fromkeys((*told.categories, *kind))),
                   general=tuple(c for c in told.general if c not in kind))


def _found(np: NounPhrase, told: Description, scene: Setting, said: Discourse) -> tuple[Description, list[Entity]]:
    """Those that are known to fit, and the description by which others will be found."""
    every = is_every(np, scene.lexicon)
    found = candidates(told, scene.graph)
    if told.kind is Kind.FURNITURE and not found:
        told = _less_near(told, scene)
        found = candidates(told, scene.graph)
    sure = replace(told, sure=True)
    unseen = not scene.complete and "is_dirty" in told.states  # looked for before what may just be clean
    if told.states and (unseen or candidates(sure, scene.graph)):
        told, found = sure, candidates(sure, scene.graph)
    if told.kind is Kind.FURNITURE and (is_indefinite(np) or np.determiner in ("own", "other", "same")):
        found = _any_such_piece(np, told, found, scene)
    if not every and not told.alternatives:
        found = _called_so(exactly(told.attributes, found) or found, scene)
    if np.determiner == "other" or np.quantity.more:
        told, found = _others(np, told, found, said)
    return told, found


def _called_so(found: list[Entity], scene: Setting) -> list[Entity]:
    """Less furniture whose own name is another than that of its sort: a cabinet that is called safe."""
    return [e for e in found if e.kind is not Kind.FURNITURE or any(
        word in "".join(scene.lexicon.normal(e.id)) for word in scene.lexicon.normal(e.category))] or found


def _less_near(told: Description, scene: Setting) -> Description:
    """The drawer by the stove is in the same room, or at least in a room that is named."""
    same_room = relax_nearness(told, scene.graph)
    if candidates(same_room, scene.graph):
        return same_room
    return replace(told, where=tuple(w for w in told.where if w.relation is Relation.IN_ROOM))


def _any_such_piece(np: NounPhrase, told: Description, found: list[Entity], scene: Setting) -> list[Entity]:
    """``a table`` is any side table, coffee table..., also where one of them is called nothing but table."""
    words = scene.lexicon.normal(np.name)
    if len(words) != 1 or told.superlative:
        return found
    kind = replace(told, ids=(), categories=tuple(
        e.category for e in scene.graph.of(Kind.FURNITURE) if scene.lexicon.normal(e.category)[-1:] == words))
    return sorted({e.id: e for e in (*found, *candidates(kind, scene.graph))}.values(), key=lambda e: e.id)


def _others(np: NounPhrase, told: Description, found: list[Entity], said: Discourse
            ) -> tuple[Description, list[Entity]]:
    """Less those that were spoken of, now and once more of them are found."""
    spoken = [t for t in said.mentions if t.kind is told.kind and _is_certain(t)]
    chosen = [t for t in spoken if len(t.term.ids) == 1 or t.number < len(t.term.ids)]  # not all there are
    used = {id for t in chosen for id in t.term.ids[:t.number]}
    if spoken:
        told = replace(told, without=(*told.without, Description("spoken of", told.kind, (), ids=tuple(sorted(used)))))
    return told, [e for e in found if e.id not in used] or ([] if used and told.kind is Kind.OBJECT else found)


def _is_certain(thing: Referent) -> bool:
    """True if it stands for a thing or some, rather than for all of a kind or the others of it."""
    return thing.term.description is not None and not (thing.every or thing.phrase.determiner == "other")


def _check(np: NounPhrase, told: Description, read: NounReading, found: list[Entity], scene: Setting) -> None:
    """Errors: Refusal where there is no such thing, or not enough of it."""
    elsewhere = bool(told.where) and bool(candidates(told.anywhere(), scene.graph))
    if not found and _must_be_known(np, told, elsewhere, scene):
        raise _absent(np, told, "there" if elsewhere else "in this house", scene)
    if _is_any_relative(np, told, read, found):
        raise Refusal(f"there is no {text_of(replace(np, text=''))} in this house; is it {' or '.join(_ids(found))}?",
                      [text_of(np)])
    few = scene.complete and told.kind is Kind.OBJECT and 0 < len(found) < (np.quantity.number or 1)
    if few and read.tier == OWN_NAME and not np.quantity.more:
        raise Refusal(f"there are only {len(found)} of {text_of(np)!r} in this house", [text_of(np)])


def _is_any_relative(np: NounPhrase, told: Description, read: NounReading, found: list[Entity]) -> bool:
    """``the desk``, in a house that has tables of several sorts and no desk."""
    several = len({e.category for e in found}) > 1 and told.kind is Kind.FURNITURE
    return several and read.tier > GENERAL and not (np.plural or is_indefinite(np) or told.where)


def _must_be_known(np: NounPhrase, told: Description, elsewhere: bool, scene: Setting) -> bool:
    """True if there is no use in looking for it."""
    gone = scene.complete and not (elsewhere and not is_every(np, scene.lexicon))
    return told.kind is not Kind.OBJECT or gone or not (told.categories or told.ids or told.alternatives)


def _absent(np: NounPhrase, told: Description, place: str, scene: Setting) -> Refusal:
    if np.purpose:
        would = ", ".join(told.categories) or "nothing that I know"
        return Refusal(f"there is nothing {place} for {text_of(np)!r}; this would do: {would}", [text_of(np)])
    return Refusal(f"there is no {text_of(replace(np, text=''))} {place}; there is: {scene.known((told.kind,))}",
                   [text_of(np)])


def _cannot_tell(read: NounReading, np: NounPhrase, found: list[Entity], scene: Setting) -> Iterator[str]:
    """``the wet towel``: nothing tells whether it is, so there must be no other. Errors: Refusal where there is a
    choice."""
    alike = read.kind is Kind.FURNITURE and len({e.category for e in found}) == 1
    doubtful = [word for word in read.unseen if word not in regions()]
    if doubtful and len(found) > number_of(np) and not (alike or is_indefinite(np)):
        ids = ", ".join(e.id for e in found)
        raise Refusal(f"I cannot tell which of {ids} is {doubtful[0]}; say which one", doubtful)
    if read.unseen:
        yield f"{' '.join(read.unseen)!r} is taken as said, I cannot tell"


def _not_there(np: NounPhrase, read: NounReading, told: Description) -> Iterator[str]:
    """Furniture that does not stand where the words say."""
    if len(told.where) < len(read.description.where):
        yield f"{' '.join(p.text for p in np.places)!r} does not help to tell which: none stands there"


def _substitution(read: NounReading, np: NounPhrase, found: list[Entity]) -> str:
    if read.tier == OWN_NAME or not found or read.kind is Kind.ROOM:
        return ""
    return f"{text_of(replace(np, text=''))} -> {', '.join(_ids(found))}"
