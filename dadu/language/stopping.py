"""Words that end whatever the robot does, rather than ask for something new."""

from __future__ import annotations

import re

_ORDERS = frozenset({
    "stop", "halt", "cancel", "abort", "quit", "wait", "pause", "freeze", "enough", "whoa", "hold on", "hold it",
    "hang on", "never mind", "nevermind", "forget it", "forget that", "forget about it", "leave it", "call it off",
    "give up", "stand still", "do not move", "do not do it", "that is enough", "that will do"})
_ADDRESSED = frozenset("robot stretch dadu hey ok okay oh no please just now well sorry you can could would".split())
"""words to whoever is meant, which may stand anywhere"""
_OBJECTS = frozenset(
    "it that this everything all anything the a an your my current whole last running task job order instruction "
    "command request plan work action movement moving driving going working what whatever you are doing there here "
    "right away at once immediately already for moment second sec minute bit one thanks thank".split())
"""words for what is going on, and for the moment in which it is to end; they stand behind the order"""
_LONGEST = max(len(order.split()) for order in _ORDERS)
_SHORT = {r"n['’]t\b": " not", r"['’]s\b": " is", r"['’]ll\b": " will", r"['’]re\b": " are"}


def means_stop(text: str) -> bool:
    """True if `text` says nothing but that what is going on is to end: "stop", "wait!", "no, cancel that please". An
    order about anything else ("stop the music", "wait in the kitchen") is not of that kind."""
    text = text.lower()
    for short, full in _SHORT.items():
        text = re.sub(short, full, text)
    words, ordered = re.findall(r"[^\W_]+", text), False
    while words:
        length = next((n for n in range(_LONGEST, 0, -1) if " ".join(words[:n]) in _ORDERS), 0)
        if not length and words[0] not in _ADDRESSED and not (ordered and words[0] in _OBJECTS):
            return False
        ordered = ordered or length > 0
        words = words[length or 1:]
    return ordered
