"""What people ask a robot to do with things: each function draws one request and its frames."""

from __future__ import annotations

from dadu.learning.sentences.nouns import holding, noun_with_contents, place, pronoun, region, several, thing
from dadu.learning.sentences.speaker import Meaning, Phrase, Said, Speaker
from dadu.world.graph import Kind

PUT = "<put|put|put|place|place|set|lay|drop|leave|deposit|position|stick|put_down|set_down|arrange|rest>"
BRING = "<bring|bring|move|move|carry|take|transport|transfer|deliver|relocate|bring_over|return|haul>"
TAKE = "<take|pick_up|pick_up|grab|get|grasp|lift|collect|retrieve|remove|fetch|pick|acquire>"
_CHANGE: dict[str, tuple[str, tuple[str, ...]]] = {
    "clean": ("<wash|clean|rinse|wipe|rinse_off|wash_off|scrub|soak|rinse_out|wipe_down>", ("in", "with")),
    "hot": ("<heat|heat_up|warm|warm_up|microwave|cook|reheat|toast|boil>", ("in",)),
    "cold": ("<chill|cool|cool_down|refrigerate|freeze|cool_off>", ("in",)),
    "sliced": ("<slice|cut|chop|cut_up|slice_up|dice>", ("with",)),
    "filled": ("<fill|fill_up>", ("with", "in")),
    "open": ("<open|open_up|pull_open>", ()), "closed": ("<close|shut>", ())}
_STATE_WORDS = {"clean": ("clean", "washed"), "hot": ("hot", "heated", "warm"), "cold": ("cold", "chilled"),
                "sliced": ("sliced", "cut up"), "filled": ("full", "filled"), "open": ("open", "opened"),
                "closed": ("closed", "shut"), "powered_on": ("on", "turned on", "switched on"), "dirty": ("dirty",),
                "powered_off": ("off", "turned off", "switched off"), "empty": ("empty",)}
_TO = (("on", "on"), ("on", "on"), ("on", "on"), ("on", "onto"), ("on", "on top of"), ("on", "upon"), ("in", "in"),
       ("in", "in"), ("in", "into"), ("in", "inside"), ("in", "inside of"), ("next_to", "next to"), ("next_to", "by"),
       ("next_to", "beside"), ("next_to", "near"), ("under", "under"), ("behind", "behind"), ("at", "at"))
_BY_SIDE = ("to the right of", "to the left of", "in front of", "beside", "next to", "by", "close to")


def destination(speaker: Speaker, toward: bool = False) -> Phrase:
    """Where to; the meaning is a list of places. `toward`: as bring and move have it."""
    kind = speaker.weighted({Kind.FURNITURE: 80, Kind.OBJECT: 12, Kind.ROOM: 8})
    if toward and speaker.chance(0.8) or kind is Kind.ROOM and toward:
        kind = Kind.ROOM if speaker.chance(0.25) else Kind.FURNITURE
        first = place(speaker, "at", speaker.pick(("to", "to", "to", "over to")), _target(speaker, kind))
    else:
        preposition, said = ("in", "in") if kind is Kind.ROOM else speaker.pick(_TO)
        first = place(speaker, preposition, said, _target(speaker, kind))
        if kind is Kind.FURNITURE and said == "on" and speaker.chance(0.06):
            target = _target(speaker, kind)
            first = place(speaker, "on", "on", Phrase([*region(speaker), *target.words], target.meaning))
    if kind is Kind.FURNITURE and speaker.chance(0.08):
        beside = place(speaker, "next_to", speaker.pick(_BY_SIDE), thing(speaker, Kind.FURNITURE, where=False))
        return Phrase([*first.words, *beside.words], [first.meaning, beside.meaning])
    if speaker.chance(0.02):
        between = several(speaker, 2)
        both = place(speaker, "between", "between", Phrase(between.words, between.meaning[:]))
        return Phrase(both.words, [both.meaning])
    return Phrase(first.words, [first.meaning])


def _target(speaker: Speaker, kind: Kind) -> Phrase:
    target = thing(speaker, kind, where=False)
    if kind is Kind.FURNITURE and "places" not in target.meaning and speaker.chance(0.08):
        speaker.names.follow()
        room = place(speaker, "in", "in", thing(speaker, Kind.ROOM))
        target = Phrase([*target.words, *room.words], {**target.meaning, "places": [room.meaning]})
    elif kind is Kind.FURNITURE and "places" not in target.meaning and speaker.chance(0.03):
        target = noun_with_contents(speaker, target)
    return target


def move(speaker: Speaker) -> Phrase:
    """Put something somewhere."""
    bring = speaker.chance(0.4)
    what = _moved(speaker)
    to = destination(speaker, toward=bring)
    frame: Meaning = {"frame": "move", "what": what.meaning, "to": to.meaning}
    verb = BRING if bring else PUT
    if speaker.chance(0.2):
        source = _source(speaker)
        frame["source"] = source.meaning
        template = speaker.pick((f"{verb} {{what}} {{source}} {{to}}", f"{verb} {{what}} {{to}} {{source}}"))
        return Phrase(speaker.say(template, what=what, source=source, to=to), [frame])
    if speaker.chance(0.05):
        frame["to"] = [*frame["to"], {"preposition": "next_to", "special": "together", "nouns": []}]
        template = f"{verb} {{what}} {{to}} [next to each other|side by side|together]"
        return Phrase(speaker.say(template, what=what, to=to), [frame])
    template = f"{verb} [{{what}} {{to}}|{{what}} {{to}}|{{what}} {{to}}|{{what}} [over|back|down] {{to}}]"
    return Phrase(speaker.say(template, what=what, to=to), [frame])


def _moved(speaker: Speaker) -> Phrase:
    if speaker.chance(0.15):
        held = holding(speaker)
        return Phrase(held.words, [held.meaning])
    if speaker.spoken and speaker.chance(0.25):
        spoken = pronoun(speaker, speaker.chance(0.3))
        return Phrase(spoken.words, [spoken.meaning])
    return several(speaker, where=True)


def _source(speaker: Speaker) -> Phrase:
    kind = Kind.ROOM if speaker.chance(0.25) else Kind.FURNITURE
    speaker.names.follow()
    return place(speaker, "from", speaker.pick(("from", "from", "from", "off of", "out of")), _target(speaker, kind))


def take_and_put(speaker: Speaker) -> Phrase:
    """``pick up the mug from the table and put it on the shelf``"""
    what = several(speaker)
    first: Meaning = {"frame": "move", "what": what.meaning}
    words = speaker.say(f"{TAKE} {{what}}", what=what)
    if speaker.chance(0.5):
        source = _source(speaker)
        first["source"] = source.meaning
        words = [*words, *source.words]
    many = len(what.meaning) > 1 or "plural" in what.meaning[0]
    to = destination(speaker, toward=speaker.chance(0.3))
    joined = speaker.say(f"[and|and|,|, and|and then go and|to] {PUT if speaker.chance(0.7) else BRING}")
    back = pronoun(speaker, many) if speaker.chance(0.85) else Phrase([], pronoun(speaker, many).meaning)
    second: Meaning = {"frame": "move", "what": [back.meaning], "to": to.meaning}
    return Phrase([*words, *joined, *back.words, *to.words], [first, second])


def nested(speaker: Speaker) -> Phrase:
    """``put a pen in a cup and move it to the desk``"""
    what, vessel = several(speaker), thing(speaker, where=False)
    into = place(speaker, "in", speaker.pick(("in", "into", "inside")), vessel)
    if speaker.chance(0.2):
        into = place(speaker, "on", "on", vessel)
    to = destination(speaker, toward=speaker.chance(0.4))
    back = pronoun(speaker, speaker.chance(0.3))
    if speaker.chance(0.2):
        back = Phrase(speaker.say("[both|the two]"), {"pronoun": "them", "plural": True})
    words = speaker.say(f"{PUT} {{what}} {{into}} [and|,|and then] [{PUT}|{BRING}] {{back}} {{to}}", what=what,
                        into=into, back=back, to=to)
    return Phrase(words, [{"frame": "move", "what": what.meaning, "to": [into.meaning]},
                          {"frame": "move", "what": [back.meaning], "to": to.meaning}])


def take(speaker: Speaker) -> Phrase:
    """Fetch and hold; to me."""
    what = several(speaker, where=True)
    frame: Meaning = {"frame": "move", "what": what.meaning}
    if speaker.chance(0.3):
        frame["to"] = [{"preposition": "at", "nouns": [{"pronoun": "me"}]}]
        return Phrase(speaker.say("[<bring|give|hand|get|fetch> me {what}|<bring|carry|take|hand> {what} to me|"
                                  "i [need|want|would like] {what}]", what=what), [frame])
    if speaker.chance(0.35):
        source = _source(speaker)
        frame["source"] = source.meaning
        return Phrase(speaker.say(f"[{TAKE}|<take_out|pull>] {{what}} {{source}}", what=what, source=source), [frame])
    return Phrase(speaker.say(f"[{TAKE}|<hold>] {{what}}", what=what), [frame])


def stow(speaker: Speaker) -> Phrase:
    """Away, back, to the trash."""
    what = several(speaker)
    frame: Meaning = {"frame": "move", "what": what.meaning}
    if speaker.chance(0.35):
        frame["to"] = [{"preposition": "at", "nouns": [{"purpose": "trash"}]}]
        return Phrase(speaker.say("[<throw> {what} away|<throw> away {what}|<get> rid of {what}|<discard|trash> {what}|"
                                  "<dispose> of {what}]", what=what), [frame])
    frame["to"] = [{"preposition": "at", "special": "usual", "nouns": []}]
    return Phrase(speaker.say("[<put> {what} [away|back]|<put> away {what}|<store|stow> {what}|<put|return> {what} "
                              "[where it belongs|where they belong|to its place|in its usual place]]", what=what),
                  [frame])


def change(speaker: Speaker, of: Kind = Kind.OBJECT) -> Phrase:
    """Wash, heat, cut, fill, open; the lamp on or off. `of`: what sort of thing is washed."""
    state = speaker.weighted({"clean": 26, "hot": 20, "cold": 20, "sliced": 18, "filled": 5, "open": 5, "closed": 6,
                              "powered_on": 14, "powered_off": 10})
    if speaker.spoken and speaker.chance(0.5):
        spoken = pronoun(speaker, speaker.chance(0.25))
        what = Phrase(spoken.words, [spoken.meaning])
    else:
        what = several(speaker, kind=of)
    frame: Meaning = {"frame": "change", "what": what.meaning, "state": state}
    if state.startswith("powered"):
        on = state.removeprefix("powered_")
        what = Phrase(*_lamp(speaker)) if speaker.chance(0.6) else what
        frame["what"] = what.meaning
        verbs = "turn|switch|power" if speaker.chance(0.9) else "flip|toggle"
        return Phrase(speaker.say(f"[<{verbs}> {on} {{what}}|<{verbs}> {{what}} {on}]", what=what), [frame])
    verb, prepositions = _CHANGE[state]
    if prepositions and speaker.chance(0.35):
        preposition = speaker.pick(prepositions)
        said = speaker.pick(("in", "inside", "using")) if preposition == "in" else speaker.pick(("with", "using"))
        using = place(speaker, "with" if said == "using" else preposition, said, thing(speaker, where=False))
        frame["using"] = using.meaning
        return Phrase(speaker.say(f"{verb} {{what}} {{using}}", what=what, using=using), [frame])
    tail = {"hot": "[||up|for a while]", "sliced": "[||into pieces|in half]"}.get(state, "")
    return Phrase(speaker.say(f"{verb} {{what}} {tail}", what=what), [frame])


def change_and_put(speaker: Speaker) -> Phrase:
    """``wash the mug and put it on the shelf``, ``rinse a bowl to put on the shelf``"""
    first = change(speaker)
    while "state" not in first.meaning[0] or first.meaning[0]["state"].startswith("powered"):
        first = change(speaker)
    if speaker.chance(0.1):
        return _both(speaker, first.meaning[0]["state"])
    what = first.meaning[0]["what"]
    many = len(what) > 1 or "plural" in what[0]
    to = destination(speaker, toward=speaker.chance(0.25))
    back = pronoun(speaker, many)
    said = back if speaker.chance(0.75) else Phrase([])
    words = speaker.say(f"[and|and|,|, and|, then|to|before you] [{PUT}|{BRING}] {{back}} {{to}}", back=said, to=to)
    frames = [first.meaning[0], {"frame": "move", "what": [back.meaning], "to": to.meaning}]
    if words[1].text == "then" or words[0].text == "before":
        return Phrase([*first.words, *words], [{"frame": "sequence", "steps": [frames[:1], frames[1:]]}])
    return Phrase([*first.words, *words], frames)


def _both(speaker: Speaker, state: str) -> Phrase:
    """``clean and return a sponge to the shelf``"""
    what, to = several(speaker), destination(speaker, toward=speaker.chance(0.4))
    words = speaker.say(f"{_CHANGE[state][0]} and [{PUT}|{BRING}] {{what}} {{to}}", what=what, to=to)
    back = pronoun(speaker, len(what.meaning) > 1 or "plural" in what.meaning[0]).meaning
    return Phrase(words, [{"frame": "change", "what": what.meaning, "state": state},
                          {"frame": "move", "what": [back], "to": to.meaning}])


def examine_under_lamp(speaker: Speaker) -> Phrase:
    """``examine the book by the lamp``, ``turn on the lamp while holding the book``"""
    what, (lamp_words, lamp) = several(speaker, where=True), _lamp(speaker)
    said = Phrase(lamp_words, lamp)
    lit: Meaning = {"frame": "change", "what": lamp, "state": "powered_on"}
    held: Meaning = {"frame": "move", "what": what.meaning}
    if speaker.chance(0.5) and len(what.meaning) == 1:
        fetched, looked = speaker.chance(0.3), what.meaning[0]
        back = pronoun(speaker, looked.get("plural", False))
        looks = speaker.say(
            "<examine|look_at|inspect|view|see|read|check|study|observe> {what} "
            "[under|by|with|in|using|at|near|beneath] [||the light of|the glow of|the light from] {lamp}",
            what=back if fetched else what, lamp=said)
        if looks[-len(said.words) - 1].text not in ("of", "from") and looks[-1].text != "light" and speaker.chance(0.2):
            looks.append(Said("light"))
        look = {"frame": "look", "answer": "find", "what": back.meaning if fetched else looked, "using": lamp[0]}
        if not fetched:
            return Phrase(looks, [look])
        words = speaker.say(f"{TAKE} {{what}} [and|and|,|, and|to]", what=what)
        return Phrase([*words, *looks], [held, look])
    if speaker.chance(0.5):
        words = speaker.say("<turn|switch> [on {lamp}|{lamp} on] [while holding|while you hold|with] {what}", what=what,
                            lamp=said)
        if not any(w.text in ("holding", "hold") for w in words):
            words += speaker.say("[in hand|in your hand|in my hand]")
        return Phrase(words, [held, lit])
    words = speaker.say(f"[{TAKE}|<hold|carry>] {{what}} [and|and|,|, and] <turn|switch> [on {{lamp}}|{{lamp}} on]",
                        what=what, lamp=said)
    return Phrase(words, [held, lit])


def _lamp(speaker: Speaker) -> tuple[list[Said], list[Meaning]]:
    noun = speaker.pick(("lamp", "lamp", "floor lamp", "desk lamp", "table lamp", "light", "bedside lamp"))
    words, span = speaker.copied(noun)
    if speaker.terse:
        return words, [{"name": span, "determiner": "indefinite"}]
    article = speaker.pick(("the", "the", "a"))
    return [*speaker.say(article), *words], [{"name": span, **({"determiner": "indefinite"} if article == "a" else {})}]


def state_said(speaker: Speaker, state: str) -> str:
    """An adjective that means it."""
    return speaker.pick(_STATE_WORDS[state])
