"""Things that are told by what they are like or for, and not by a name: ``a tool for flipping pancakes``."""

from __future__ import annotations

from dataclasses import replace

from dadu.knowledge.described import described
from dadu.knowledge.recognise import purpose
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.modifiers import state_of
from dadu.language.grounding.nouns.naming import Name, meaning
from dadu.language.grounding.nouns.phrases import text_of, words_of
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind

_BEHIND = ("of", "for")
"""how what it is like may be said behind it: a collection of stories, a vessel for tea"""


def by_name(np: NounPhrase, scene: Setting, kinds: tuple[Kind, ...]) -> tuple[NounPhrase, str]:
    """`np` with the name of what it describes, and a note on that; as it is, where it has a name or nothing fits."""
    places = tuple(p for p in np.places if p.text.startswith(_BEHIND))
    if np.pronoun or not _is_open(np, places, scene, kinds):
        return np, ""
    kept = tuple(a for a in np.attributes if state_of(a) or a in (*scene.lexicon.unseen, *scene.lexicon.colors))
    words = (*(a for a in np.attributes if a not in kept or a in scene.lexicon.colors), np.name, np.purpose,
             *(p.text for p in places))
    said = " ".join(filter(None, words))
    found = described(said, _possible(scene, kinds)) if len(said.split()) > 1 else ()
    if not found:
        return np, ""
    plain = replace(np, attributes=kept, purpose="", places=tuple(p for p in np.places if p not in places))
    first, *others = (replace(plain, name=c.replace("_", " ")) for c in found)
    either = " or ".join(c.replace("_", " ") for c in found)
    if np.determiner == "definite" and not np.plural and len(found) > 1:
        raise Refusal(f"is {text_of(np)!r} {either}? Say which", [text_of(np)])
    note = f"{text_of(np)!r}: taken for {either}"
    return replace(first, alternatives=(*others, *np.alternatives)), note


def _possible(scene: Setting, kinds: tuple[Kind, ...]) -> set[str]:
    """Categories of things that may be here; of furniture only what is known to be."""
    here = {e.category for kind in kinds or (Kind.OBJECT, Kind.FURNITURE) for e in scene.graph.of(kind)}
    unseen = not scene.complete and Kind.OBJECT in (kinds or (Kind.OBJECT,))
    return here | set(scene.all_categories[Kind.OBJECT] if unseen else ())


def _is_open(np: NounPhrase, places: tuple[PlacePhrase, ...], scene: Setting, kinds: tuple[Kind, ...]) -> bool:
    """True if its words name nothing by themselves, and say something."""
    if np.name and scene.named(np.name):
        return False
    use = purpose(np.purpose.split()) if np.purpose else None
    if np.purpose and (use is None or use.rest) or places and np.name in scene.lexicon.plain_nouns:
        return True
    try:
        meaning(Name((words_of(np, scene) or ("thing",),), text_of(np), kinds), scene)
    except Refusal:
        return True
    return False
