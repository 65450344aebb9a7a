"""What goes on beside the task: ``while you are in the kitchen``, ``although it is late``, ``after a long day``, ``this
keeps the room tidy``. Where that says to do something it is done; the rest is told and passed over."""

from __future__ import annotations

from dadu.language.reading.boundaries import ends
from dadu.language.reading.clauses import clause
from dadu.language.reading.listed import spoken_of
from dadu.language.reading.reader import Reader
from dadu.language.reading.syntax import BACKGROUND, Clause, Noun
from dadu.language.reading.words.tokens import Token
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_HAPPENS = ("verb", "copula", "has", "participle", "subjects", "exists", "exists_not", "pronoun", "state")
"""tags of words that say that something happens or is so"""


def circumstances(reader: Reader) -> list[Clause]:
    """The clauses of what stands before the task in this sentence, none where it begins with the task. Errors: Refusal
    where the task does not follow."""
    if reader.any("comments") or reader.any("results") and reader.clauses and reader.tokens[reader.at - 1].has("comma"):
        # that way everything is ready; ..., making room for more
        return [_passed(reader, reader.ahead("end"))]
    if reader.any("circumstances", "meanwhile"):
        word, end = reader.tokens[reader.at], _main_clause(reader)
        if end is None and not _begins(reader):  # I want to listen to music | while cooking
            return [_passed(reader, reader.ahead("end"))]
        if end is None:
            said = reader.text(reader.at, reader.ahead("end"))
            raise Refusal(f"what to do beside {said!r} is not said; say it in plain steps", [word.text],
                          Code.UNKNOWN_ACTION)
        _not_a_state(reader, reader.at, end)
        tasks = _tasks(reader, reader.at + 1, end) if word.has("meanwhile") else []
        reader.at = end if tasks else reader.at
        return tasks or [_passed(reader, end)]
    if reader.any("before", "after") or _in_doing(reader):
        end = _main_clause(reader)
        aside = end is not None and (_in_doing(reader) or _no_task(reader, end))
        return [_passed(reader, end)] if aside else []
    if _unknown_activity(reader) and reader.ahead("effects") is None:  # planning a party? ...
        return [_passed(reader, _main_clause(reader) or reader.ahead("end"))]
    return _praised(reader)


def meanwhile(reader: Reader) -> list[Clause]:
    """``turn on the lamp | while holding the book``: what is done with it; nothing where that is no task."""
    start, doing = reader.at, reader.any("meanwhile")
    while reader.at == start or not (reader.over or ends(reader)):
        reader.at += 1
    _not_a_state(reader, start, reader.at)
    tasks = _tasks(reader, start + 1, reader.at) if doing else []
    return tasks or [Clause("remark", "", spoken_of(reader, start), text=reader.text(start))]


def _passed(reader: Reader, end: int | None) -> Clause:
    start, reader.at = reader.at, len(reader.tokens) if end is None else end
    return Clause("remark", "", spoken_of(reader, start), text=reader.text(start))


def _begins(reader: Reader) -> bool:
    """Whether nothing stands before it in its sentence."""
    return reader.at == 0 or reader.tokens[reader.at - 1].has("end")


def _main_clause(reader: Reader) -> int | None:
    """The comma behind which the task begins."""
    start, found = reader.at, None
    while not reader.over and not reader.any("end") and found is None:
        if reader.at > start and reader.any("comma") and ends(reader):
            found = reader.at
        reader.at += 1
    reader.at = start
    return found


def _not_a_state(reader: Reader, start: int, end: int) -> None:
    """Errors: Refusal for ``while the fridge is open``, which nothing here can wait for."""
    if reader.tokens[start].has("meanwhile") and reader.tokens[start + 1].has("determiners") and any(
            t.has("state") for t in reader.tokens[start:end]):
        raise Refusal(f"I do not understand {reader.tokens[start].text!r} in an instruction; say what to do in plain "
                      "steps", [reader.tokens[start].text], Code.UNKNOWN_ACTION)


def _tasks(reader: Reader, start: int, end: int) -> list[Clause]:
    """What the words between ask for; nothing where they are not understood, or no more than an occasion."""
    inner = Reader(reader.tokens[start:end], reader.lexicon)
    if not (inner.any("verb") and _gerund(inner.tokens[0])):
        return []
    found: list[Clause] = []
    try:
        while not inner.over:
            inner.skip("comma", "conjunctions", "fillers")
            found.append(clause(inner, False))
    except Refusal:
        return []
    return [] if any(_vague(reader, c) for c in found) else found


def _vague(reader: Reader, found: Clause) -> bool:
    """``preparing dinner``: what is had rather than a thing."""
    return found.frame == "prepare" or any(isinstance(i, Noun) and i.words[-1:] and i.words[-1] in
                                           reader.lexicon.vague_nouns for i in found.items)


def _no_task(reader: Reader, end: int) -> bool:
    """Whether nothing that can be done stands behind ``before`` or ``after``: a long day, reading the news."""
    first = reader.at + 1
    tokens = reader.tokens[first:end]
    if not tokens or _gerund(tokens[0]) and tokens[0].has("verb"):
        return bool(tokens) and any(_vague(reader, c) for c in _understood(reader, first, end))
    if _gerund(tokens[0]) and not tokens[0].tags:
        return True
    said = [t for t in tokens if not _gerund(t)]  # a long day of cooking
    return len(reader.tokens[reader.at].words) == 1 and not any(t.has(*_HAPPENS) for t in said)


def _in_doing(reader: Reader) -> bool:
    """``in tidying the room, ...``"""
    behind = reader.tokens[reader.at + 1:reader.at + 2]
    return reader.tokens[reader.at].text == "in" and bool(behind) and _gerund(behind[0]) and (
        behind[0].has("verb") or not behind[0].tags) and not behind[0].has("preposition")


def _gerund(token: Token) -> bool:
    return token.words[0].endswith("ing")


def _understood(reader: Reader, start: int, end: int) -> list[Clause]:
    try:
        return [clause(Reader(reader.tokens[start:end], reader.lexicon), False)]
    except Refusal:
        return []


def _unknown_activity(reader: Reader) -> bool:
    """``planning``: what somebody does, and no robot can."""
    first = reader.tokens[reader.at]
    begins, end = _begins(reader), reader.ahead("end")
    followed = _main_clause(reader) is not None or end is not None and end + 1 < len(reader.tokens)
    return begins and followed and not first.tags and _gerund(first) and not first.text.endswith("thing")


def _praised(reader: Reader) -> list[Clause]:
    """``putting the keys on the shelf | keeps them safe``: what is praised is the task where none was said before."""
    first, effect = reader.tokens[reader.at], reader.ahead("effects")
    gerund = _gerund(first) and (first.has("verb") or not first.tags)
    if effect is None or not (gerund or first.text == "its") or reader.ahead("belongs") is not None:
        return []
    if any(c.frame not in BACKGROUND for c in reader.clauses) or first.text == "its":
        return [_passed(reader, reader.ahead("end"))]
    tasks = _tasks(reader, reader.at, effect)
    if tasks:
        reader.at = effect
        tasks.append(_passed(reader, reader.ahead("end")))
    return tasks
