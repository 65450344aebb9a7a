"""The structure of an instruction: clauses of a verb with noun and prepositional phrases, and their order.

    instruction := clause (connector clause)*          connector: and , . then before after ...
    clause      := [preposition nouns ","] verb item*  |  nouns "goes" item*
    item        := nouns | preposition nouns | "and"
    nouns       := [quantity] [determiner] adjective* noun ["of" noun]  |  pronoun

Which prepositional phrase belongs to which noun is decided later, with the world graph at hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.planner.language.lexicon import Lexicon, Words
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.tokens import Token, tokenise
from dadu.skills.outcome import Code


@dataclass(frozen=True)
class Noun:
    """A noun phrase; `words` are its adjectives and nouns, in the singular."""

    words: Words = ()
    text: str = ""
    number: int | None = None
    every: bool = False
    plural: bool = False
    indefinite: bool = False
    other: bool = False
    pronoun: str = ""
    """it, them, one or there"""


@dataclass(frozen=True)
class Prep:
    """``preposition noun``; the preposition by its relation: on, in, next_to, from, to or at."""

    relation: str
    noun: Noun


class And:
    """A conjunction or comma between two items."""


@dataclass(frozen=True)
class Clause:
    """One verb (by its frame) with its items as they stand in the text."""

    frame: str
    verb: str
    items: tuple[Noun | Prep | And, ...] = ()
    recipient: bool = False
    """for me"""
    ordered: bool = False
    """only after everything before it"""
    respectively: bool = False
    text: str = ""


@dataclass
class _Reader:
    tokens: list[Token]
    lexicon: Lexicon
    at: int = 0
    clauses: list[Clause] = field(default_factory=list)

    def peek(self, tag: str, offset: int = 0) -> str | None:
        """The value of `tag` at the token, or None where the token has no such tag."""
        i = self.at + offset
        return self.tokens[i].tags.get(tag) if i < len(self.tokens) else None

    def take(self, tag: str) -> str | None:
        value = self.peek(tag)
        if value is not None:
            self.at += 1
        return value

    @property
    def over(self) -> bool:
        return self.at >= len(self.tokens)


def parse(instruction: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses in the order in which they are to be carried out. Errors: Refusal."""
    reader = _Reader(tokenise(instruction, lexicon), lexicon)
    for token in reader.tokens:
        if "unsupported" in token.tags and not token.tags.keys() & {"every"}:
            raise Refusal(f"I do not understand {token.text!r} in an instruction; say what to do in plain steps",
                          [token.text], Code.UNKNOWN_ACTION)
    while _skip(reader):
        _sentence_part(reader)
    if not reader.clauses:
        raise Refusal("there is nothing to do in that instruction; say for instance: bring the apple to the table",
                      [instruction.strip()], Code.UNKNOWN_ACTION)
    return reader.clauses


def _skip(reader: _Reader) -> bool:
    """Passes connectors and politeness; False at the end."""
    while any(reader.take(tag) for tag in ("end", "comma", "conjunctions", "politeness", "fillers")):
        pass
    return not reader.over


def _sentence_part(reader: _Reader) -> None:
    """One clause with the connector before it."""
    if reader.peek("before") or reader.peek("after"):
        _subordinate(reader)
        return
    ordered = False
    while reader.take("sequence"):
        ordered = True
        _skip(reader)
    if reader.over:
        return
    clause = _clause(reader, ordered and bool(reader.clauses))
    if reader.take("after"):  # A after B: B comes first
        reader.clauses.append(_clause(reader, clause.ordered))
        clause = _replace_order(clause)
    reader.clauses.append(clause)
    if reader.take("before"):  # A before B
        reader.clauses.append(_clause(reader, True))


def _subordinate(reader: _Reader) -> None:
    """``before B, A`` and ``after A, B``."""
    before = reader.take("before") is not None
    if not before:
        reader.take("after")
    first = _clause(reader, False)
    _skip(reader)
    while reader.take("sequence"):
        _skip(reader)
    second = _clause(reader, False)
    a, b = (second, first) if before else (first, second)
    reader.clauses += [a, _replace_order(b)]


def _replace_order(clause: Clause) -> Clause:
    return Clause(clause.frame, clause.verb, clause.items, clause.recipient, True, clause.respectively, clause.text)


def _clause(reader: _Reader, ordered: bool) -> Clause:
    while reader.take("politeness") or reader.take("fillers"):
        pass
    start = reader.at
    fronted: list = []
    while reader.peek("preposition") and reader.peek("verb") is None:
        fronted.append(_prep(reader))
        reader.take("comma")
    if fronted and reader.clauses and (reader.over or reader.peek("verb") is None):
        frame, verb, items = reader.clauses[-1].frame, reader.clauses[-1].verb, []  # "then to the bedroom"
    else:
        frame, verb, items = _verb(reader)
    recipient = respectively = False
    items = [*items, *fronted]
    while not reader.over and not _ends(reader):
        item, is_recipient, is_respectively = _item(reader)
        recipient, respectively = recipient or is_recipient, respectively or is_respectively
        items += item
    text = " ".join(t.text for t in reader.tokens[start:reader.at])
    recipient = recipient or verb.split()[-1] in ("me", "us")
    return Clause(frame, verb, tuple(items), recipient, ordered, respectively, text)


def _verb(reader: _Reader) -> tuple[str, str, list]:
    """Frame and words of the verb; for ``the toys go in the box`` also the nouns before it."""
    if reader.over:
        raise Refusal("the instruction ends where a verb was expected", [], Code.UNKNOWN_ACTION)
    token = reader.tokens[reader.at]
    frame = reader.take("verb")
    if frame is not None:
        while reader.take("particles"):
            pass
        return frame, token.text, []
    ahead = next((i for i in range(reader.at, len(reader.tokens)) if "belongs" in reader.tokens[i].tags), None)
    if ahead is not None and not any("end" in t.tags for t in reader.tokens[reader.at:ahead]):
        nouns = [_noun(reader)]
        while reader.take("conjunctions") or reader.take("comma"):
            nouns += [And(), _noun(reader)]
        if reader.take("belongs"):
            return "put", "put", nouns
    if token.tags:
        rest = " ".join(t.text for t in reader.tokens[reader.at:])
        raise Refusal(f"what to do is not said in {rest!r}; begin with a verb, such as bring, put or open", [rest],
                      Code.UNKNOWN_ACTION)
    known = sorted({v.split()[0] for phrases in reader.lexicon.verbs.values() for v in phrases} - {"i"})
    raise Refusal(f"I do not understand {token.text!r} as something to do; I know: {', '.join(known)}",
                  [token.text], Code.UNKNOWN_ACTION)


def _item(reader: _Reader) -> tuple[list, bool, bool]:
    """The next item of a clause, and whether it named the recipient or said respectively."""
    if reader.take("recipients"):
        return [], True, False
    if reader.take("respectively"):
        return [], False, True
    if reader.peek("unsupported_prepositions"):
        word = reader.take("unsupported_prepositions")
        raise Refusal(f"I can put things on, in and next to something, not {word!r}", [word], Code.UNKNOWN_ACTION)
    if reader.take("conjunctions") or reader.take("comma"):
        while reader.take("conjunctions") or reader.take("comma") or reader.take("fillers"):
            pass
        return [And()], False, False
    if reader.take("relatives") or reader.take("fillers"):
        return [], False, False
    if reader.peek("preposition") and not (reader.peek("particles") and _bare_particle(reader)):
        return [_prep(reader)], False, False
    if reader.take("particles"):
        return [], False, False
    noun = _noun(reader)
    return [Prep("to", noun) if noun.pronoun == "there" else noun], False, False


def _bare_particle(reader: _Reader) -> bool:
    """``off`` and the like with no noun after it."""
    return reader.at + 1 >= len(reader.tokens) or bool(
        reader.tokens[reader.at + 1].tags.keys() & {"end", "comma", "preposition", "conjunctions"})


def _ends(reader: _Reader) -> bool:
    """Whether the clause ends here: a full stop, a sequence word, or a connector with another verb behind it."""
    tokens, i = reader.tokens, reader.at
    if any(reader.peek(tag) for tag in ("end", "before", "after")):
        return True
    if reader.peek("sequence"):
        return True
    if not (reader.peek("conjunctions") or reader.peek("comma")):
        return False
    skipped = ("conjunctions", "comma", "fillers", "politeness")
    while i < len(tokens) and tokens[i].tags.keys() & set(skipped):
        i += 1
    if i >= len(tokens):
        return True
    if tokens[i].tags.keys() & {"verb", "sequence", "before", "after", "end"}:
        return True
    return _declares(tokens, i) or _fronts(tokens, i)


def _declares(tokens: list[Token], i: int) -> bool:
    """``and the cup goes ...``: a verb of belonging comes before anything else that ends a clause."""
    for token in tokens[i:]:
        if "belongs" in token.tags:
            return True
        if token.tags.keys() & {"end", "comma", "conjunctions", "preposition", "verb"}:
            return False
    return False


def _fronts(tokens: list[Token], i: int) -> bool:
    """``and from the fridge take ...``: a preposition whose noun is followed by a verb."""
    if "preposition" not in tokens[i].tags:
        return False
    for token in tokens[i + 1:]:
        if "verb" in token.tags and "preposition" not in token.tags:
            return True
        if token.tags.keys() & {"end", "conjunctions", "preposition"}:
            return False
    return False


def _prep(reader: _Reader) -> Prep:
    relation = reader.take("preposition")
    return Prep(relation, _noun(reader))


_STOPS = {"preposition", "unsupported_prepositions", "conjunctions", "comma", "end", "sequence", "before", "after",
          "relatives", "recipients", "respectively", "belongs"}


_ALWAYS_PRONOUNS = ("it", "them", "there", "they", "here")


def _noun(reader: _Reader) -> Noun:
    """Errors: Refusal where no noun stands."""
    start = reader.at
    number, every, indefinite, other, determined = None, False, False, False, False
    while not reader.over:
        if reader.peek("pronoun") and _alone(reader, determined or number is not None):
            break
        if reader.take("every"):
            every = True
        elif reader.take("indefinite"):
            indefinite = True
        elif reader.peek("number"):
            number = int(reader.take("number"))
        elif reader.take("other"):
            other = True
        elif reader.take("determiners"):
            determined = True
        elif number is not None and reader.tokens[reader.at].text == "of":
            reader.at += 1
        else:
            break
    pronoun = reader.take("pronoun") or ""
    words: list[str] = []
    while not pronoun and not reader.over and not reader.tokens[reader.at].tags.keys() & _STOPS:
        token = reader.tokens[reader.at]
        if words and (token.tags.keys() & {"fillers", "particles"} or token.text in _ALWAYS_PRONOUNS):
            break
        if token.tags.keys() & {"determiners", "indefinite"} and words and words[-1] != "of":
            break  # the next noun begins
        if not (words and words[-1] == "of" and "determiners" in token.tags):
            words += token.words
        reader.at += 1
    text = " ".join(t.text for t in reader.tokens[start:reader.at])
    if not words and not pronoun:
        if number == 1 or other or every or number:
            return Noun((), text, number, every, False, indefinite, other, "them" if every else "one")
        shown = f"{text} {reader.tokens[reader.at].text if not reader.over else ''}".strip() or "the end"
        raise Refusal(f"I expected the name of a thing at {shown!r}", [shown], Code.UNKNOWN_TARGET)
    if words and words[0] == "of":
        words = words[1:]
    plural = bool(words) and reader.lexicon.singular(words[-1]) != words[-1]
    if "of" in words:
        head = words[words.index("of") - 1]
        plural = plural or reader.lexicon.singular(head) != head
    singular = tuple(reader.lexicon.singular(w) for w in words)
    return Noun(singular, text, number, every, plural, indefinite, other, pronoun)


def _alone(reader: _Reader, determined: bool) -> bool:
    """Whether a word that may be a pronoun (this, one, those...) is one: nothing that it could determine follows."""
    nxt = reader.at + 1
    if nxt >= len(reader.tokens):
        return True
    following = reader.tokens[nxt]
    if reader.tokens[reader.at].text in _ALWAYS_PRONOUNS:
        return True
    return bool(following.tags.keys() & (_STOPS | {"fillers", "particles"}))
