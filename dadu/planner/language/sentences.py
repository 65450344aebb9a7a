"""The sentences of an instruction, as clauses in the order in which they are to be carried out."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.language.clauses import caused, clause, elliptical, ends
from dadu.planner.language.conditions import condition
from dadu.planner.language.lexicon import Lexicon
from dadu.planner.language.listed import heading, listed
from dadu.planner.language.phrases import noun_phrase, prep_phrase
from dadu.planner.language.reader import Reader
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Clause, Condition, Noun, Prep
from dadu.planner.language.tokens import tokenise
from dadu.skills.outcome import Code

_BETWEEN = ("end", "comma", "conjunctions", "politeness", "fillers")
_SOMETHING = ("something", "anything")
_BACKGROUND = ("remark", "given", "spare")


def parse(instruction: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses in the order in which they are to be carried out. Errors: Refusal."""
    reader = Reader(tokenise(instruction, lexicon), lexicon)
    for token in reader.tokens:
        if token.has("unsupported"):
            raise Refusal(f"I do not understand {token.text!r} in an instruction; say what to do in plain steps",
                          [token.text], Code.UNKNOWN_ACTION)
    while _skip(reader):
        _sentence(reader)
    if all(c.frame in _BACKGROUND for c in reader.clauses) and not _may_be_wish(reader):
        said = instruction.strip()
        raise Refusal(f"there is nothing to do in {said!r}; say for instance: bring the apple to the table", [said],
                      Code.UNKNOWN_ACTION)
    return _share_places(reader.clauses)


def _share_places(clauses: list[Clause]) -> list[Clause]:
    """``first move the cup, then the book and finally the pen to the desk``: the place is said once, at the end."""
    out = list(clauses)
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        place = [item for item in after.items if isinstance(item, Prep) and item.relation != "from"]
        bare = not any(isinstance(item, Prep) and item.relation != "from" for item in here.items)
        if after.elliptical and bare and place and here.frame == after.frame:
            out[i] = replace(here, items=(*here.items, *(p for p in after.items if isinstance(p, Prep))))
    return out


def _may_be_wish(reader: Reader) -> bool:
    return any(c.frame == "remark" for c in reader.clauses)


def _skip(reader: Reader) -> bool:
    """Passes connectors and politeness; False at the end."""
    while not reader.over and (reader.any(*_BETWEEN) and not reader.any("verb", "exists", "use") or _joins(reader)):
        reader.at += 1
    return not reader.over


def _joins(reader: Reader) -> bool:
    """``but`` and ``so``, and ``to`` before a verb."""
    word = reader.tokens[reader.at].text
    return word in ("but", "so") or word == "to" and reader.any("verb", offset=1)


def _sentence(reader: Reader) -> None:
    """What is to be done until the next connector: under a condition, in an order, or nothing but a statement."""
    if reader.any("condition", "unless"):
        _conditional(reader)
    elif reader.any("if_so", "otherwise"):
        so = reader.take("if_so") is not None
        reader.skip("otherwise")
        if reader.condition is None:
            raise Refusal("I do not know what 'otherwise' is the opposite of", ["otherwise"], Code.UNKNOWN_ACTION)
        _body(reader, reader.condition, otherwise=not so)
    elif reader.any("before", "after"):
        _subordinate(reader)
    else:
        _step(reader)


def _conditional(reader: Reader) -> None:
    unless = reader.take("unless") is not None
    reader.take("condition")
    _body(reader, _heard(reader, condition(reader, unless=unless)), otherwise=False)


def _heard(reader: Reader, found: Condition) -> Condition:
    """The condition, remembered for what follows; ``if not`` is the last one once more."""
    if found.kind == "again" and reader.condition is not None:
        found = replace(reader.condition, negated=reader.condition.negated != found.negated)
    reader.condition = found
    return found


def _body(reader: Reader, when: Condition, otherwise: bool) -> None:
    """All clauses of this sentence are done only under the condition."""
    first = len(reader.clauses)
    reader.skip("comma", "sequence", "fillers")
    while not reader.over and not reader.any("end", "otherwise"):
        reader.skip("comma", "conjunctions")
        if reader.any("condition", "unless"):
            break
        _step(reader)
        while reader.any("comma", "conjunctions") or reader.any("fillers") and not reader.any("otherwise"):
            reader.at += 1
    for i in range(first, len(reader.clauses)):
        if reader.clauses[i].condition is None:
            reader.clauses[i] = replace(reader.clauses[i], condition=when, otherwise=otherwise)


def _step(reader: Reader) -> None:
    """One clause with the connector before it."""
    ordered = False
    while reader.take("sequence"):
        ordered = True
        _skip(reader)
    if reader.over:
        return
    if reader.any("condition", "unless"):
        return _conditional(reader)
    if listed(reader):
        return
    details = reader.at > 0 and reader.tokens[reader.at - 1].text == ":"
    start = len(reader.clauses)
    special = heading(reader) or _aside(reader) or _asked(reader) or _ensured(reader) or _named(reader)
    found = special or (ordered and elliptical(reader)) or clause(reader, False)
    found = replace(found, ordered=ordered and bool(reader.clauses), details=details)
    if reader.take("after"):  # A after B: B comes first
        reader.clauses.append(clause(reader, found.ordered))
        found = replace(found, ordered=True)
    reader.clauses.append(found)
    if reader.take("before"):  # A before B
        reader.clauses.append(clause(reader, True))
    if reader.any("condition", "unless") and found.frame != "remark":  # A if there is B
        unless = reader.take("unless") is not None
        reader.take("condition")
        when = _heard(reader, condition(reader, unless=unless))
        reader.clauses[start:] = [replace(c, condition=when) for c in reader.clauses[start:]]


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
    second = clause(reader, False)
    a, b = (second, first) if before else (first, second)
    reader.clauses += [a, replace(b, ordered=True)]


def _subordinated(reader: Reader) -> Clause:
    """``putting the cup down``, ``you have put the cup down``, ``the cup is on the table``."""
    participle = reader.peek("participle")
    if participle is not None and not reader.any("verb"):
        reader.tokens[reader.at].tags["verb"] = participle
    if not reader.any("verb") and reader.ahead("copula", until=("comma", "end")) is not None:
        noun = noun_phrase(reader)
        reader.skip("copula", "fillers")
        if reader.any("state"):
            return Clause("state", reader.take("state"), (noun,), text=noun.text)
        if reader.any("participle"):
            frame = reader.take("participle")
            items = [noun]
            while reader.any("preposition"):
                items.append(prep_phrase(reader))
            return Clause(frame, frame, tuple(items), text=noun.text)
        if reader.any("preposition"):
            return Clause("put", "put", (noun, prep_phrase(reader)), text=noun.text)
    return clause(reader, False)


def _asked(reader: Reader) -> Clause | None:
    """``check whether ...`` and ``is there ...``."""
    if reader.peek("verb") != "check":
        return None
    start = reader.at
    verb = reader.tokens[reader.at].text
    if verb in ("is there", "are there", "do we have", "do we still have", "do i have", "have we got", "do you see"):
        reader.tokens[reader.at].tags["exists"] = verb
    elif not reader.tokens[reader.at].has("copula"):
        reader.at += 1
        reader.skip("condition")
    asked = _heard(reader, condition(reader))
    while not reader.over and not ends(reader):
        reader.at += 1
    return Clause("check", verb, condition=asked, text=reader.text(start))


def _ensured(reader: Reader) -> Clause | None:
    """``make sure that the fridge is closed``; ``keep five apples on the table`` is an ordinary clause."""
    if reader.peek("verb") != "ensure" and not reader.any("exists") or reader.peek("verb") == "check":
        return None
    if caused(reader) is not None:
        return None
    start = reader.at
    verb = reader.tokens[start].text
    if reader.peek("verb") == "ensure":
        reader.at += 1
        reader.skip("fillers")
        if reader.tokens[reader.at].text == "that":
            reader.at += 1
    try:
        wanted = condition(reader)
    except Refusal:
        reader.at = start
        return None
    return Clause("ensure", verb, condition=wanted, text=reader.text(start))


def _named(reader: Reader) -> Clause | None:
    """``something to wake me up``, ``a cup of tea, please``: named and nothing else; it is to be brought."""
    end = reader.ahead("end") or len(reader.tokens)
    tokens = reader.tokens[reader.at:end]
    bare = not tokens[0].tags and any(t.text == "please" for t in tokens)  # water, please
    if not bare and not reader.any("indefinite", "number", "use") and tokens[0].text not in _SOMETHING:
        return None
    asked = any(t.has("use") for t in tokens) or any(t.text in ("please", "thanks", "thank you") for t in tokens)
    if not asked or any(t.has("verb", "preposition", "belongs") for t in tokens):
        return None
    start, noun = reader.at, noun_phrase(reader)
    reader.skip("comma", "fillers", "recipients")
    return Clause("fetch", "fetch", (noun,), True, text=reader.text(start))


def _aside(reader: Reader) -> Clause | None:
    """What is no instruction: wishes, what is given, what is to be left alone, and the rest of what people say."""
    if reader.any("negation"):
        return _spared(reader)
    if reader.any("exists", "exists_not") and not reader.any("verb"):
        return _given(reader)
    wish = reader.ahead("wish", until=("end", "comma", "conjunctions", "verb", "occasion"))
    if wish is not None:
        name, text = reader.tokens[wish].tags["wish"], reader.tokens[wish].text
        _pass_statement(reader)
        return Clause("wish", name, text=text)
    called = reader.at > 0 and reader.tokens[reader.at - 1].text in ("let", "let us", "lets")
    if called and not reader.tokens[reader.at].tags and reader.any("end", offset=1):  # let's decorate!
        reader.at += 1
        return Clause("remark", "", text=reader.text(reader.at - 1))
    does = reader.any("verb", "occasion", "split", "preposition") and not reader.any("third_person")
    if does or not (_stated(reader) or _wants(reader)):
        return None
    wanted = _wanted(reader)
    if wanted is not None:
        return wanted
    start = reader.at
    located = _located(reader)
    if located is not None:
        return located
    reader.at = start
    _pass_statement(reader)
    return Clause("remark", "", _spoken_of(reader, start), text=reader.text(start))


def _spoken_of(reader: Reader, start: int) -> tuple[Noun, ...]:
    """The nouns in a remark; a pronoun later on may stand for one: ``my son left a hat on it; bring it here``."""
    inner = Reader(reader.tokens[:reader.at], reader.lexicon, start)
    found = []
    while not inner.over:
        if inner.any("determiners", "indefinite", "number") and not inner.any("pronoun", "verb"):
            at = inner.at
            try:
                found.append(noun_phrase(inner))
                continue
            except Refusal:
                inner.at = at
        inner.at += 1
    return tuple(found)


def _wants(reader: Reader) -> int | None:
    """Where ``wants`` and its like stand."""
    return reader.ahead("third_person", until=("end", "verb", "comma", "conjunctions"))


def _wanted(reader: Reader) -> Clause | None:
    """``a customer wants a gift``: it is to be brought, unless the next words say what to do with it."""
    at = _wants(reader)
    if at is None or at + 1 >= len(reader.tokens) or reader.tokens[at + 1].words[0] == "to":
        return None
    start, reader.at = reader.at, at + 1
    lost, places = reader.tokens[at].text in ("forgot", "lost"), []
    try:
        noun = noun_phrase(reader)
        while reader.any("preposition") and not (reader.any("recipients") or reader.peek("preposition") == "for"):
            places.append(prep_phrase(reader))
            reader.skip("fillers")
    except Refusal:
        reader.at = start
        return None
    if lost and places:  # grandma forgot her glasses in the bathroom
        return Clause("given", "there", (noun, *places), text=reader.text(start))
    return Clause("fetch", "i want" if places else "fetch", (noun, *places), True, text=reader.text(start))


def _stated(reader: Reader) -> bool:
    """Whether this is a statement: it has a subject of its own, or something *is*; and nothing has to be somewhere."""
    if reader.ahead("belongs", until=("end", "verb")) is not None:
        return False
    copula = reader.ahead("copula", until=("end", "verb", "comma"))
    return reader.any("subjects", "reasons") or copula is not None


def _pass_statement(reader: Reader) -> None:
    """Up to the next full stop, or to a connector with an instruction behind it."""
    reader.at += 1
    while not reader.over and not reader.any("end"):
        if reader.any("comma", "conjunctions", "fillers") and ends(reader):
            return
        if reader.any("conjunctions") and reader.any("third_person", offset=1):
            return
        if reader.any("politeness") and reader.any("verb", offset=1):
            return
        if reader.any("comma") and reader.any("politeness", "determiners", offset=1) and ends(reader):
            return
        reader.at += 1


def _given(reader: Reader) -> Clause:
    """``there is an oven but no microwave``"""
    start = reader.at
    found = condition(reader)
    reader.skip("comma")
    if reader.any("exception", "conjunctions") and not reader.any("verb", offset=1):
        negated = reader.tokens[reader.at].text in ("but not", "not") or not found.negated
        reader.at += 1
        if not reader.over and reader.tokens[reader.at].text == "no":
            reader.at += 1
        other = noun_phrase(reader)
        lacking, there = (other, found.noun) if negated else (found.noun, other)
        return Clause("given", "instead", (lacking, there), text=reader.text(start))
    return Clause("given", "lacking" if found.negated else "there", (found.noun, *found.preps), text=reader.text(start))


def _located(reader: Reader) -> Clause | None:
    """``the milk is in the fridge``, ``I left my keys on the desk``: spoken of, and where it is."""
    start = reader.at
    try:
        if reader.tokens[start].text == "i left":
            reader.at += 1
            noun = noun_phrase(reader)
        elif reader.any("subjects") and reader.tokens[start].text in ("i", "we"):
            reader.at += 1
            reader.skip("fillers", "copula", "has")
            if reader.over or reader.tokens[reader.at].text not in ("left", "forgot", "put", "placed", "saw", "bought"):
                return None
            reader.at += 1
            noun = noun_phrase(reader)
        else:
            noun = noun_phrase(reader)
            if reader.any("relatives") or not reader.over and reader.tokens[reader.at].text == "that":
                reader.at = reader.ahead("copula", until=("end", "comma", "verb")) or start
            if noun.pronoun or not reader.take("copula"):
                return None
        reader.skip("fillers")
        places = []
        while reader.any("preposition"):
            places.append(prep_phrase(reader))
    except Refusal:
        return None
    return Clause("given", "there", (noun, *places), text=reader.text(start)) if places else None


def _spared(reader: Reader) -> Clause:
    """``do not touch the vase``: the only thing that can be kept from happening is that it is moved."""
    start = reader.at
    reader.take("negation")
    word = reader.tokens[reader.at].text if not reader.over else ""
    if not reader.any("leave_alone"):
        raise Refusal(f"I do not understand 'not' before {word!r}; what I can do is leave things where they are",
                      ["not"], Code.UNKNOWN_ACTION)
    reader.at += 1
    nouns = [noun_phrase(reader)]
    while reader.any("conjunctions", "choice", "comma") and not ends(reader):
        reader.at += 1
        nouns.append(noun_phrase(reader))
    while not reader.over and not ends(reader):
        reader.at += 1
    return Clause("spare", word, tuple(nouns), text=reader.text(start))
