"""What stands for something that was spoken of before: it, them, there, one, the rest, and the same name once more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dadu.goals.candidates import candidates, located
from dadu.goals.goal import Description, Term, Where
from dadu.knowledge.commonsense import uses
from dadu.knowledge.lexicon import Words
from dadu.knowledge.usual_places import furniture_for_role
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.noun import NounPhrase, Quantity
from dadu.language.grounding.nouns.modifiers import state_of
from dadu.language.grounding.nouns.phrases import Around, named, text_of, words_of
from dadu.language.grounding.nouns.quantities import is_every, is_indefinite
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, NotUnderstood, Refusal
from dadu.world.graph import Kind

_GENERAL = ("thing", "everything", "item", "object", "room", "place", "something", "anything")
_ACTED_ON = (Role.ABOUT, Role.IMPLIED)


def stands_for(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]
               ) -> tuple[Referent, ...]:
    """Errors: Refusal where nothing was spoken of that it could be."""
    found = _stands_for(np, around, scene, said, kinds)
    if np.excluded:
        out = {e.id for told in around.without for e in candidates(told, scene.graph)}
        found = tuple(t.of(id for id in t.term.ids if id not in out) for t in found)
    found = tuple(t for t in found if _is_where(t, around.where, scene, said)) or found
    found = tuple(replace(_from_there(t, around.where, scene), notes=()) for t in found)
    return tuple(_as_described(t, np) for t in found) if np.pronoun in ("it", "them") else found


def _as_described(thing: Referent, np: NounPhrase) -> Referent:
    """``slice an apple, put the chilled slice on the table``: it is to be chilled; what else is said of it is noted."""
    states = tuple(state for word in np.attributes if (state := state_of(word)))
    said = " ".join((*(word for word in np.attributes if not state_of(word)), *np.superlative.split()))
    return replace(thing, requires=tuple(dict.fromkeys((*thing.requires, *states))),
                   notes=(f"{said!r} is taken as said of {thing.term.name!r}",) if said else ())


def _stands_for(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]
                ) -> tuple[Referent, ...]:
    if np.pronoun in ("one", "any", "none"):
        return (_one(np, around, scene, said, kinds),)
    if np.pronoun == "rest":
        return (_rest(np, around, scene, said),)
    if np.pronoun == "needed":
        return _needed(np, scene, said)
    if np.pronoun in ("former", "latter", "held"):
        raise _unknown(np)
    if np.pronoun in ("me", "here"):
        return (_speaker(np, scene, said, kinds),)
    if np.pronoun == "there":
        return (_there(np, scene, said),)
    if np.pronoun == "them":
        return _them(np, said, kinds)
    return (_it(np, said, kinds),)


def _it(np: NounPhrase, said: Discourse, kinds: tuple[Kind, ...]) -> Referent:
    """What was moved or changed last rather than where it went."""
    fitting, acted = (_of_kind(said.mentions, kinds)[::-1], _of_kind(said.moved, kinds)[::-1])
    if not fitting:
        raise _unknown(np)
    if acted and fitting[0].turn <= acted[0].turn:
        return acted[0]
    about = [t for t in fitting if t.kind is not Kind.ROOM] or fitting
    return next((t for t in about if t.turn == about[0].turn and t.role in _ACTED_ON), about[0])


def _them(np: NounPhrase, said: Discourse, kinds: tuple[Kind, ...]) -> tuple[Referent, ...]:
    """All that was moved or spoken of last; one by one in the frames just before, where that was a single thing."""
    fitting, moved = _of_kind(said.mentions, kinds), _of_kind(said.moved, kinds)
    if not fitting:
        raise _unknown(np)
    newest = fitting[-1].turn
    since = moved[-1].turn if moved else 0
    group = moved if newest <= since else _spoken_since(fitting, since)
    if len(group) == 1 and group[0].single and not group[0].phrase.plural:
        group = _one_by_one(fitting, group[0].turn) or group
        group = group[-2:] if "both" in np.text.split() else group
    return tuple(_all_of_it(t, np) for t in {t.term.key: t for t in group}.values())


def _of_kind(things: Iterable[Referent], kinds: tuple[Kind, ...]) -> tuple[Referent, ...]:
    return tuple(t for t in things if not kinds or t.kind in kinds)


def _spoken_since(things: tuple[Referent, ...], turn: int) -> tuple[Referent, ...]:
    """``find the books and find the pens, and put them ...``"""
    acted_on = tuple(t for t in things if t.turn > turn and t.role in _ACTED_ON)
    return acted_on or tuple(t for t in things if t.turn == things[-1].turn)


def _one_by_one(things: tuple[Referent, ...], turn: int) -> tuple[Referent, ...]:
    """``take the cup, then the plate, then the fork, and put them ...``; ``put the cup by the mug, then move both``"""
    acted = [t for t in things if t.role in _ACTED_ON and t.turn <= turn]
    first = turn
    while any(t.turn == first - 1 for t in acted):
        first -= 1
    found = tuple(t for t in acted if t.turn >= first)
    beside = tuple(t for t in things if t.turn == turn and t.kind is Kind.OBJECT and t.role is not Role.SOURCE)
    return found if len({t.term.key for t in found}) > 1 else beside


def _all_of_it(thing: Referent, np: NounPhrase) -> Referent:
    """``if there is any fruit on the table, put it in the fridge``: whatever there is of it."""
    asked = is_indefinite(thing.phrase) and thing.phrase.quantity.number is None and thing.role is Role.ABOUT
    whole = np.quantity.amount == "all" and asked or thing.phrase.quantity.amount == "some" and not thing.phrase.name
    return replace(thing, every=True) if whole and thing.kind is Kind.OBJECT else thing


def _there(np: NounPhrase, scene: Setting, said: Discourse) -> Referent:
    """The place spoken of last; where the thing spoken of last is to be by then, or is."""
    place = said.last(*SUPPORTS, roles=(Role.PLACE, Role.ABOUT))
    last = said.last(Kind.OBJECT)
    if place is None and last is not None and len(last.term.ids) == 1:
        id = (*said.place_of(last.term.key), scene.holder(last.term.ids[0]))[0]
        place = scene.entity(id, np) if id else None
    place = place or said.last(*SUPPORTS)
    if place is None:
        raise _unknown(np)
    return place


def _speaker(np: NounPhrase, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]) -> Referent:
    """Where the speaker says to be, else where the robot is asked: no thing to put somewhere."""
    if said.asker is None and not scene.here():
        raise Refusal("I do not know which room I am in", [text_of(np)])
    place = said.asker or scene.entity(scene.here(), np)
    if kinds and place.kind not in kinds:
        raise _unknown(np)
    return place


def serving(np: NounPhrase, scene: Setting) -> Referent:
    """What the house has for a role: the bin for what is thrown away. Errors: Refusal where it has none."""
    ids = furniture_for_role(np.purpose, scene.graph, scene.vocabulary)
    if not ids:
        raise Refusal(f"there is nothing here for {np.purpose!r}; name the place", [text_of(np)])
    return Referent(Term("|".join(ids), ids, Description(text_of(np), Kind.FURNITURE, (), ids=ids)), Kind.FURNITURE,
                    phrase=np)


def _needed(np: NounPhrase, scene: Setting, said: Discourse) -> tuple[Referent, ...]:
    """All that the wish takes that was spoken of before."""
    if not said.use:
        raise Refusal(f"I do not know what for in {text_of(np)!r}; say what it is needed for", [text_of(np)])
    out = []
    for slot in uses()[said.use].needs or uses()[said.use].things[:1]:
        names = (slot,) if isinstance(slot, str) else slot
        found = (_try(NounPhrase(name.replace("_", " "), determiner="indefinite"), scene, said) for name in names)
        out += [t for t in found if t is not None][:1]
    if not out:
        raise Refusal(f"nothing is here of {text_of(np)!r}", [text_of(np)])
    return (*out, *said.extra)


def _try(np: NounPhrase, scene: Setting, said: Discourse) -> Referent | None:
    try:
        return named(np, Around(), scene, said, (Kind.OBJECT,))
    except NotUnderstood:
        return None


def _one(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]) -> Referent:
    """``the red one``, ``another one``, ``two more``: of what was spoken of last."""
    models = [t for t in _of_kind(said.mentions[::-1], kinds) if t.phrase.name]
    if not models:
        raise _unknown(np)
    model = next((t for t in models if t.role in _ACTED_ON), models[0])
    if np.pronoun == "one" and _says_no_more(np, around):
        if model.single or model.kind is not Kind.OBJECT or np.quantity.number is None or np.quantity.amount:
            return model
        np = replace(np, determiner="other")  # two here and one there
    kept = model.phrase.attributes if not np.attributes else ()
    colors = scene.lexicon.colors if {*np.attributes} & {*scene.lexicon.colors} else ()
    # of a red apple the apple, where another colour is said
    name = " ".join(word for word in model.phrase.name.split() if word not in colors)
    like = replace(np, name=name or model.phrase.name, pronoun="", attributes=(*np.attributes, *kept),
                   purpose=model.phrase.purpose, text=text_of(np))
    return named(like, around, scene, said, kinds)


def _says_no_more(np: NounPhrase, around: Around) -> bool:
    said = np.attributes or np.superlative or np.determiner == "other" or np.quantity.more or around.where
    return not said and np.quantity.number in (None, 1)


def _rest(np: NounPhrase, around: Around, scene: Setting, said: Discourse) -> Referent:
    """All of a kind, or all that is there, less those that were spoken of. Errors: Refusal where nothing is left."""
    single = [t for t in said.mentions if t.kind is Kind.OBJECT and not t.every]
    whole = _whole(np, around, scene, said, single)
    if not whole.term.ids:
        raise NotSeen(f"I do not know yet what is left for {text_of(np)!r}", [text_of(np)], whole.term.description)
    used = {id for t in single for id in t.term.ids if len(t.term.ids) <= t.number}
    ids = tuple(id for id in whole.term.ids if id not in used)
    number = len(ids) - sum(t.number for t in single if len(t.term.ids) > t.number and set(t.term.ids) & set(ids))
    if number < 1:
        raise Refusal(f"nothing is left for {text_of(np)!r}", [text_of(np)])
    return whole.only(f"{text_of(np)}#{len(said.mentions)}", ids, number=number, every=number == len(ids))


def _whole(np: NounPhrase, around: Around, scene: Setting, said: Discourse, single: list[Referent]) -> Referent:
    """That of which something is the rest."""
    every = next((t for t in reversed(said.mentions) if t.kind is Kind.OBJECT and t.every), None)
    model = next((t for t in reversed(single) if t.phrase.name), None)
    if every is not None:
        return every
    if model is None:
        raise _unknown(np)
    plain = NounPhrase(model.phrase.name, quantity=Quantity(amount="all"), plural=True, text=text_of(np))
    return named(plain, around, scene, replace(said, mentions=()), (Kind.OBJECT,))


def spoken_of_before(np: NounPhrase, around: Around, scene: Setting, said: Discourse, kinds: tuple[Kind, ...]
                     ) -> Referent | None:
    """``take the milk ... put the milk``: the same thing, unless the words say another; None where there is none."""
    if _is_new(np):
        return None
    words, every = _core(np, scene), is_every(np, scene.lexicon)
    spoken = (t for t in reversed(said.mentions) if (not kinds or t.kind in kinds)
              and not (every and t.role is Role.IMPLIED))
    for thing in spoken:
        if is_indefinite(np) and thing.turn == said.turn:
            continue
        if _says_as_much(words, thing, np, scene, said) and _is_where(thing, around.where, scene, said):
            elsewhere = thing.kind is Kind.FURNITURE and said.rooms and not scene.within(thing.term.ids, said.rooms)
            return None if elsewhere else replace(thing, notes=())
    return None


def _is_new(np: NounPhrase) -> bool:
    """True if the words say that it is another one, or no certain one."""
    quantity = np.quantity
    bare = np.text.split()[:1] in ([np.name], *([a] for a in np.attributes))  # get soap, wash soap
    new = is_indefinite(np) and not bare or np.determiner in ("other", "own") or quantity.number or quantity.more
    more = np.excluded or np.alternatives or np.superlative or np.purpose
    return bool(new or more or not np.name or np.name in _GENERAL and np.determiner != "same")


def _says_as_much(words: Words, thing: Referent, np: NounPhrase, scene: Setting, said: Discourse) -> bool:
    """The same words, or fewer of them once it was spoken of: the floor lamp ... the lamp."""
    phrase = thing.phrase
    if not phrase.name or phrase.plural is not np.plural or phrase.pronoun or phrase.determiner == "other":
        return False
    before = _core(phrase, scene)
    shorter = thing.turn < said.turn and words == before[-len(words):]
    alike = words == before
    if thing.kind is Kind.OBJECT and len(thing.term.ids) == 1 and thing.turn < said.turn:
        shorter = shorter or words == scene.lexicon.normal(scene.graph[thing.term.ids[0]].category)[-1:] if (
            thing.term.ids[0] in scene.graph) else shorter
    return alike or shorter


def _core(np: NounPhrase, scene: Setting) -> Words:
    """Its words less what becomes of it: the sliced tomato is the tomato."""
    return tuple(w for w in words_of(np, scene) if (state_of(w) or "is_dirty") in scene.lexicon.choosing)


def _is_where(thing: Referent, wheres: Iterable[Where], scene: Setting, said: Discourse) -> bool:
    """``the cup to the table ... the cup from the table``: whether that is where it is, or is to be by then."""
    then = said.place_of(thing.term.key)
    told = thing.term.description.where if thing.term.description is not None else ()
    for where in wheres:
        if where in told or {*then, *(scene.room(id) for id in then)} & set(where.ids):
            continue
        known = [scene.graph[id] for id in thing.term.ids if id in scene.graph]
        if then or not known or not all(located(scene.graph, e, where) for e in known):
            return False
    return True


def _from_there(thing: Referent, wheres: tuple[Where, ...], scene: Setting) -> Referent:
    """``my shirt ... take it from the bed``: of the shirts the one that is there."""
    if thing.every or thing.kind is not Kind.OBJECT or len(thing.term.ids) < 2 or not wheres:
        return thing
    there = tuple(id for id in thing.term.ids if all(located(scene.graph, scene.graph[id], w) for w in wheres))
    return thing.of(there) if there else thing


def _unknown(np: NounPhrase) -> Refusal:
    return Refusal(f"I do not know what {text_of(np)!r} stands for; name the thing", [text_of(np)])
