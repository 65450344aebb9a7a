"""Questions, claims, places to go, rooms to tidy, wishes, and what must be left alone."""

from __future__ import annotations

from dadu.knowledge.commonsense import uses
from dadu.learning.sentences.nouns import place, several, thing
from dadu.learning.sentences.orders import state_said
from dadu.learning.sentences.speaker import Meaning, Phrase, Speaker
from dadu.world.graph import Kind

_STATES = ("clean", "hot", "cold", "sliced", "filled", "open", "closed", "powered_on", "powered_off", "dirty", "empty")


def _where(speaker: Speaker) -> Phrase:
    if speaker.chance(0.35):
        return place(speaker, "in", "in", thing(speaker, Kind.ROOM))
    preposition, said = speaker.pick((("on", "on"), ("in", "in"), ("in", "inside"), ("next_to", "next to")))
    return place(speaker, preposition, said, thing(speaker, Kind.FURNITURE, where=False))


def look(speaker: Speaker) -> Phrase:
    """Find, where, how many, what is there, is it open."""
    answer = speaker.weighted({"find": 40, "where": 14, "count": 14, "exists": 14, "what": 8, "state": 10})
    frame: Meaning = {"frame": "look", "answer": answer}
    if answer == "what":
        where = _where(speaker)
        return Phrase(speaker.say("[what is|what's|what do you see|tell me what is] {where}", where=where),
                      [{**frame, "at": where.meaning}])
    what = thing(speaker, Kind.OBJECT if speaker.chance(0.8) else Kind.FURNITURE, where=False)
    frame["what"] = what.meaning
    if answer == "state":
        state = speaker.pick(_STATES)
        words = speaker.say(f"[is {{what}} {state_said(speaker, state)}|[check|tell me|see] [if|whether] {{what}} is "
                            f"{state_said(speaker, state)}]", what=what)
        return Phrase(words, [{**frame, "state": state}])
    templates = {
        "find": "<find|look_for|search_for|locate|spot> {what}",
        "where": "[where is|where's|where are|tell me where|find out where] {what} [|is]",
        "count": "[how many of {what} are there|count {what}|tell me how many of {what} you see]",
        "exists": "[is there|are there|do you see|check for|check whether there is] {what}"}
    words = speaker.say(templates[answer], what=what)
    if answer != "where" and speaker.chance(0.4):
        where = _where(speaker)
        frame["at"] = where.meaning
        words += where.words
    return Phrase(words, [frame])


def go(speaker: Speaker) -> Phrase:
    """To a room, to furniture."""
    if speaker.chance(0.2):
        to = place(speaker, "next_to", speaker.pick(("next to", "near", "by", "close to")),
                   thing(speaker, Kind.FURNITURE, where=False))
        return Phrase(speaker.say("<go|stand|wait|drive|stop|move> {to}", to=to), [{"frame": "go", "to": to.meaning}])
    kind = Kind.ROOM if speaker.chance(0.5) else Kind.FURNITURE
    to = place(speaker, "at", speaker.pick(("to", "to", "to", "over to", "towards")), thing(speaker, kind, where=False))
    return Phrase(speaker.say("<go|drive|head|walk|navigate|travel|proceed|come|move> {to}", to=to),
                  [{"frame": "go", "to": to.meaning}])


def tidy(speaker: Speaker) -> Phrase:
    """A room, or a table that is to be empty."""
    clear = speaker.chance(0.4)
    scope = thing(speaker, Kind.FURNITURE if clear else Kind.ROOM, where=False)
    frame: Meaning = {"frame": "tidy", "scope": {"preposition": "at", "nouns": [scope.meaning]}}
    if clear:
        frame["clear"] = True
    words = speaker.say("<clear|clear_off|empty|clear_out> {scope}" if clear else
                        "<tidy|tidy_up|clean_up|straighten_up> {scope}", scope=scope)
    if speaker.chance(0.15):
        kept = several(speaker)
        frame["excluded"] = kept.meaning
        words += speaker.say("[, but leave|except|except for|, but not] {kept}", kept=kept)
    return Phrase(words, [frame])


def claim(speaker: Speaker) -> tuple[Phrase, Meaning]:
    """What is so, or not, as the rest of a sentence behind `if` or `that`."""
    what = thing(speaker, where=False)
    ask: Meaning = {"what": what.meaning}
    sort = speaker.weighted({"state": 40, "exists": 35, "there": 25})
    if speaker.chance(0.2):
        ask["negated"] = True
    negated = "not" if "negated" in ask else ""
    if sort == "state":
        state = ask["state"] = speaker.pick(_STATES)
        are = "are" if "plural" in what.meaning else "is"
        return Phrase(speaker.say(f"{{what}} {are} {negated} {state_said(speaker, state)}", what=what)), ask
    where = _where(speaker)
    if sort == "exists":
        there = ("there is no", "there are no") if negated else ("there is", "there are")
        verb = there["plural" in what.meaning]
        words = speaker.say(f"{verb} {{what}}", what=what)
        if speaker.chance(0.5):
            ask["at"] = where.meaning
            words += where.words
        return Phrase(words), ask
    ask["at"] = where.meaning
    are = "are" if "plural" in what.meaning else "is"
    return Phrase(speaker.say(f"{{what}} {are} {negated} {{where}}", what=what, where=where)), ask


def ensure(speaker: Speaker) -> Phrase:
    """So many of them there."""
    number, said = speaker.pick(((1, "one"), (2, "two"), (2, "2"), (3, "three"), (4, "four")))
    words, span = speaker.copied(speaker.names.draw(Kind.OBJECT, speaker.rng))
    quantity: Meaning = {"number": number}
    if speaker.chance(0.3):
        quantity["bound"], said = "at_least", f"at least {said}"
    what = Phrase([*speaker.say(said), *words],
                  {"name": span, "quantity": quantity, "determiner": "indefinite",
                   **({"plural": True} if number > 1 else {})})
    where = _where(speaker)
    return Phrase(speaker.say("[make sure|make sure that|ensure|see to it that|] there [are|should be|must be] {what} "
                              "{where}", what=what, where=where),
                  [{"frame": "ensure", "what": what.meaning, "at": where.meaning}])


def leave(speaker: Speaker) -> Phrase:
    """Hands off."""
    what = several(speaker)
    if speaker.chance(0.3):
        where = place(speaker, *speaker.pick((("on", "on"), ("in", "in"), ("in", "into"))),
                      thing(speaker, Kind.FURNITURE, where=False))
        words, span = speaker.copied(speaker.pick(("anything", "things", "something")))
        return Phrase([*speaker.say("[do not|don't|never] put"), *words, *where.words],
                      [{"frame": "leave", "what": [{"name": span, "determiner": "indefinite"}], "at": where.meaning}])
    return Phrase(speaker.say("[[do not|don't|never] [touch|move|take|use|open] {what}|leave {what} [alone|where it is|"
                              "where they are|as it is]|keep away from {what}]", what=what),
                  [{"frame": "leave", "what": what.meaning}])


def swap(speaker: Speaker) -> Phrase:
    """Two things trade places."""
    a, b = thing(speaker, where=False), thing(speaker, where=False)
    return Phrase(speaker.say("[<swap|exchange|switch> {a} [and|with] {b}|<swap|switch> the places of {a} and {b}]",
                              a=a, b=b), [{"frame": "swap", "what": [a.meaning, b.meaning]}])


def told(speaker: Speaker) -> Phrase:
    """What the speaker says to be so."""
    what, where = thing(speaker, where=False), _where(speaker)
    if speaker.chance(0.3):
        return Phrase(speaker.say("there [is|are] no {what}", what=what),
                      [{"frame": "told", "what": what.meaning, "exists": False}])
    are = "are" if "plural" in what.meaning else "is"
    return Phrase(speaker.say(f"[|you will see that|i think|] {{what}} {are} {{where}}", what=what, where=where),
                  [{"frame": "told", "what": what.meaning, "at": where.meaning}])


def wish(speaker: Speaker) -> Phrase:
    """A need, or an occasion, in the words of common sense's own table."""
    said = speaker.pick(sorted({said.lower().replace(",", "") for use in uses().values() for said in use.wishes}))
    if speaker.chance(0.4):
        said = f"{speaker.pick(('set up', 'prepare', 'get ready for', 'create', 'arrange'))} a " + speaker.pick(
            ("party", "dinner", "picnic", "reading corner", "play area", "snack", "cozy room", "breakfast", "game"))
    words, span = speaker.copied(said)
    frame: Meaning = {"frame": "wish", "purpose": span}
    if speaker.chance(0.25):
        where = place(speaker, "in", "in", thing(speaker, Kind.ROOM))
        frame["at"] = where.meaning
        words = [*words, *where.words]
    return Phrase([*speaker.say("[||help me]"), *words], [frame])
