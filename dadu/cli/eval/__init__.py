"""``dadu eval``: one file a verb. ``dadu eval SUITE ...`` is ``dadu eval run SUITE ...``."""

from __future__ import annotations

from typing import Any

from dadu.cli.verbs import LazyVerbs, verb_group

FLAGS = {"--schema": "schema", "--compare": "compare", "--write": "generate", "--check": "check", "--ablate": "ablate"}
"""a flag of the form without a verb to the verb that it means; where there are several, the first one here"""
_TAKES_VALUE = ("--write", "--ablate")
"""those that are options of their verbs, too"""


EVAL_VERBS = {
    "run": "Runs a suite's episodes and writes records, summary and report.",
    "play": "People play agents in a suite's episodes, in a browser.",
    "check": "Checks a suite: every name is found, every episode can be done.",
    "compare": "Compares two runs of the same episodes.",
    "ablate": "Runs a suite with and without parts of the system.",
    "generate": "Writes a suite of generated episodes to a file.",
    "list": "Lists the suites in config/suites/.",
    "schema": "Prints the JSON schema of suite files.",
}


class EvalVerbs(LazyVerbs):
    """The verbs, and the form without one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, insert_verb(args))


def insert_verb(words: list[str]) -> list[str]:
    """The arguments with their verb: ``SUITE --check`` is ``check SUITE``, and without any such flag ``run SUITE``."""
    if not words or words[0] in (*EVAL_VERBS, "--help"):
        return words
    given = [word.partition("=")[0] for word in words]
    for flag, verb in FLAGS.items():
        if flag in given:
            at = given.index(flag)
            return [verb, *words] if flag in _TAKES_VALUE else [verb, *words[:at], *words[at + 1:]]
    return ["run", *words]


app = verb_group("dadu.cli.eval", "Evaluates suites of episodes. `dadu eval SUITE ...` is short for `dadu eval run "
                 "SUITE ...`.", EVAL_VERBS, EvalVerbs)
