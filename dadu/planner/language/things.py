"""From noun phrases to the terms of a goal: quantities, places that narrow them, pronouns and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.memory.graph import Kind, Relation, WorldGraph
from dadu.planner.goal import Description, Term, Where
from dadu.planner.language.attachment import Placed
from dadu.planner.language.nouns import Meaning, Nouns, candidates, superlatives
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Noun, Prep
from dadu.planner.vocabulary import Vocabulary

SUPPORTS = (Kind.FURNITURE, Kind.ROOM)


@dataclass(frozen=True)
class Thing:
    """A term with how many are meant."""

    term: Term
    kind: Kind
    number: int = 1
    every: bool = False
    noun: Noun | None = None
    clause: int = 0


class Things:
    """Grounds nouns one after the other and remembers what was mentioned."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.nouns = Nouns(graph, vocabulary)
        self.mentions: list[Thing] = []
        self.substitutions: dict[str, None] = {}
        self.clause = 0

    def kind_of(self, noun: Noun) -> Kind | None:
        """What a noun is, or None where that is not known."""
        try:
            return self.resolve(Placed(noun), mention=False)[0].kind
        except Refusal:
            return None

    def resolve(self, placed: Placed, kinds: tuple[Kind, ...] = (), mention: bool = True) -> list[Thing]:
        """The things that a noun phrase means. Errors: Refusal."""
        noun = placed.noun
        things = self._pronoun(noun, kinds) if noun.pronoun else [self._noun(placed, kinds)]
        if mention:
            self.mentions += [replace(t, clause=self.clause) for t in things]
        return things

    def last(self, *kinds: Kind) -> Thing | None:
        """The newest mention of one of these kinds."""
        return next((t for t in reversed(self.mentions) if t.kind in kinds), None)

    def _noun(self, placed: Placed, kinds: tuple[Kind, ...]) -> Thing:
        noun = placed.noun
        again = self._again(placed)
        if again is not None:
            return again
        meaning = self.nouns.meaning(noun.words, noun.text, kinds)
        description = replace(meaning.description,
                              where=meaning.description.where + tuple(map(self._where, placed.where)))
        found = superlatives(candidates(description, self.graph), meaning.superlative)
        if description.kind is not Kind.OBJECT and not found:
            raise self._absent(noun, description, meaning)
        if noun.other and not noun.every:
            used = {id for t in self.mentions for id in t.term.ids[:1] if t.kind is description.kind}
            found = [e for e in found if e.id not in used] or found
        ids = tuple(e.id for e in found)
        self._note(meaning, ids)
        mass = noun.words[-1] in self.nouns.lexicon.mass_nouns
        plural = (noun.plural or mass) and noun.number is None and not noun.indefinite
        every = noun.every or plural or noun.words == ("everything",)
        number = noun.number or (2 if noun.plural and noun.indefinite else 1)
        term = Term(f"{noun.text}#{len(self.mentions)}", ids, description)
        return Thing(term, description.kind, number, every and description.kind is Kind.OBJECT, noun)

    def _again(self, placed: Placed) -> Thing | None:
        """``take the milk ... put the milk``: the same thing, unless the words say another."""
        noun = placed.noun
        if placed.where or noun.indefinite or noun.other or noun.number:
            return None
        return next((t for t in reversed(self.mentions)
                     if t.noun is not None and (t.noun.words, t.noun.plural) == (noun.words, noun.plural)), None)

    def _where(self, prep: Prep) -> Where:
        kinds = (Kind.FURNITURE, Kind.OBJECT) if prep.relation == "next_to" else SUPPORTS
        things = self.resolve(Placed(prep.noun), kinds)
        ids = tuple(id for t in things for id in t.term.ids)
        if all(t.kind is Kind.ROOM for t in things):
            return Where(Relation.IN_ROOM, ids)
        relation = {"next_to": Relation.NEXT_TO, "in": Relation.IN}.get(prep.relation, Relation.ON)
        return Where(relation, ids)

    def _pronoun(self, noun: Noun, kinds: tuple[Kind, ...]) -> list[Thing]:
        if noun.pronoun == "one":
            model = self.last(Kind.OBJECT)
            if model is None or model.noun is None or not model.noun.words:
                raise Refusal(f"I do not know what {noun.text!r} stands for", [noun.text])
            # "the red one": its own adjectives, the noun of what was spoken of.
            head = replace(model.noun, number=noun.number or 1, every=noun.every, plural=False, other=True,
                           words=(*noun.words, *model.noun.words))
            return [self._noun(Placed(head), kinds)]
        if noun.pronoun == "there":
            kinds = SUPPORTS
        found = [t for t in reversed(self.mentions) if not kinds or t.kind in kinds]
        if not found:
            raise Refusal(f"I do not know what {noun.text!r} stands for; name the thing", [noun.text])
        if noun.pronoun == "them":
            newest = found[0]
            if newest.every or newest.number > 1:
                return [newest]
            return [t for t in reversed(found) if t.clause == newest.clause]
        return found[:1]

    def _absent(self, noun: Noun, description: Description, meaning: Meaning) -> Refusal:
        place = "there" if description.where and meaning.found else "in this house"
        others = self.nouns.alternatives((description.kind,))
        return Refusal(f"there is no {' '.join(noun.words)} {place}; there is: {others}", [noun.text])

    def _note(self, meaning: Meaning, ids: tuple[str, ...]) -> None:
        if meaning.tier > 0 and ids and meaning.description.kind is not Kind.ROOM:
            words = " ".join(w for w in meaning.description.words.split()
                             if w not in self.nouns.lexicon.determiners + self.nouns.lexicon.indefinite)
            self.substitutions[f"{words} -> {', '.join(ids)}"] = None
