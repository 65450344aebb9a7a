"""What each protocol, and each of PARTNR's planners, asks of a language model: calls, tokens, latency and success on
one suite, in the oracle.

    python -m bench.protocols store [--only 'store-1-*']

There is no language model in this: a stand-in serves the OpenAI interface. It knows what to say (the symbolic planner's
steps in the two step-wise protocols, the grammar's frames in `goal`), on the episodes that the symbolic planner carries
out. So calls and tokens are what a model that makes no mistake would cost, latency is calculated from them by `PREFILL`
and `DECODE`, and success says only that nothing is lost on the way from reply to deed. Planner rag is shown what the
symbolic planner did in the suite's other episodes. Planner expert is no stand-in: it is what it always is, privileged.
Of a real model: dadu eval.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dadu.cli.eval.arguments import Which
from dadu.cli.eval.execution import select
from dadu.eval.episode.trial import run_episode
from dadu.eval.options import EvalOptions
from dadu.eval.run import Run
from dadu.eval.summary import figures
from dadu.house.layout import build_graph
from dadu.language.frames.schema import to_json
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.planner.model.examples import ExampleStore
from dadu.planner.model.tokens import estimate
from dadu.planner.settings import GOAL, PlannerSettings
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.stacks.priors import vocabulary_of_house
from dadu.tasks.prepare import Prepared

PREFILL, DECODE = 10_000.0, 60.0
"""[tokens/s] of prompt and of reply, about those of an 8B model on one GPU"""
ROWS: dict[str, dict[str, Any]] = {
    "two_phase": {"policy": "vllm"}, "goal": {"policy": "vllm", "llm": {"protocol": "goal"}}, "react": {}, "rag": {},
    "finetuned": {"llm": {"model": "stand-in"}}, "expert": {}}
"""what is given to `PlannerSettings`; the policy is called as the row is, unless it says otherwise"""
Reply = Callable[[dict[str, Any]], dict[str, Any]]


def main(words: Sequence[str] | None = None) -> None:
    """Prints the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite")
    parser.add_argument("--only", default="")
    given = parser.parse_args(words)
    episodes = select(given.suite, Which(only=given.only)).episodes
    known = _known(episodes)
    others = {p.episode.id: p for p in select(given.suite, Which()).episodes if p not in episodes}
    print(f"{len(known)} of {len(episodes)} episodes\n")  # noqa: T201
    print("| planner | success | calls | tokens in | tokens out | s of the model |\n|---|---|---|---|---|---|")  # noqa: T201
    for name, asked in ROWS.items():
        with TemporaryDirectory() as folder:
            row = _measured({"policy": name, **asked}, known, list(others.values()), Path(folder))
        print(f"| `{name}` | {row['success']:.0%} | {row['llm_calls']:.1f} | {row['tokens_in']:.0f} "  # noqa: T201
              f"| {row['tokens_out']:.0f} | {row['seconds']:.1f} |", flush=True)


def _known(episodes: Sequence[Prepared]) -> list[Prepared]:
    """Those that the symbolic planner carries out: of the others nobody knows what to say."""
    return [p for p in episodes if run_episode(p, EvalOptions(skills="oracle")).result.success]


def _measured(asked: dict[str, Any], known: Sequence[Prepared], others: Sequence[Prepared], folder: Path
              ) -> dict[str, float]:
    """Of the planner `asked` for on the episodes that are `known`; `others`: those that examples are of."""
    if asked["policy"] == "rag":
        asked = {**asked, "llm": {"examples": {"path": str(_examples(others, folder / "store.jsonl"))}}}
    settings = PlannerSettings.model_validate(asked)
    reply = _frames(known) if settings.chooser == GOAL else _steps(known)
    with _served(reply) as url:
        options = EvalOptions(skills="oracle", planner=settings.model_copy(update={"llm_url": url}))
        summary = figures(Run("protocols", "", known, options, folder / "run").execute())
    means = {key: float(summary[key]["mean"]) for key in ("success", "llm_calls", "tokens_in", "tokens_out")}
    return {**means, "seconds": means["tokens_in"] / PREFILL + means["tokens_out"] / DECODE}


def _examples(episodes: Sequence[Prepared], file: Path) -> Path:
    """What the symbolic planner does in them, as a store."""
    store = ExampleStore(file)
    for p in episodes:
        result = run_episode(p, EvalOptions(skills="oracle")).result
        if result.success:
            store.add(p.episode.instruction, [SkillCall.from_list(step) for step in result.plan])
    return file


def _frames(episodes: Sequence[Prepared]) -> Reply:
    """What the grammar reads."""
    found = {}
    for p in episodes:
        graph, words = build_graph(p.house, p.episode.known), vocabulary_of_house(p.house)
        try:
            read = parse(p.episode.instruction, names_of(words, graph))
        except Refusal:
            continue
        frames = _without_text(json.loads(to_json(read)))["frames"]
        found[p.episode.instruction] = {"frames": frames}
    return lambda body: found.get(_instruction(body), {"refuse": "unknown"})


def _steps(episodes: Sequence[Prepared]) -> Reply:
    """The symbolic planner's steps, one a request; whole at first, where the schema asks for a plan."""
    plans = {p.episode.instruction: run_episode(p, EvalOptions(skills="oracle")).result.plan for p in episodes}
    done: dict[str, int] = {}

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        said = [m for m in body["messages"] if m["role"] == "assistant"]
        instruction = _instruction(body)
        at = done[instruction] = 0 if not said and instruction not in done else done[instruction] + 1
        plan = [*plans.get(instruction, []), ["done"]]
        skill, *values = plan[min(at, len(plan) - 1)]
        if skill == "done":
            del done[instruction]  # the next one who says this begins anew
        form = body["response_format"]["json_schema"]["schema"]["anyOf"][0]["properties"]
        listed = {"plan": [" ".join(step) for step in plan[:24]]} if "plan" in form else {}
        return {"reasoning": f"The next step towards what was asked for is to {skill}.", **listed, "action": skill,
                "arguments": SKILLS[skill].named(tuple(values))}
    return reply


def _instruction(body: dict[str, Any]) -> str:
    first = next(m["content"] for m in body["messages"] if m["role"] == "user")
    found = re.search(r"^(?:Instruction|Task): (.*)$", first, re.MULTILINE)
    return found[1] if found is not None else ""


def _without_text(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_text(item) for item in value]
    if isinstance(value, dict):
        return {k: _without_text(v) for k, v in value.items() if k not in ("text", "notes")}
    return value


@contextmanager
def _served(reply: Reply) -> Iterator[str]:
    """The URL of a server that answers so, and counts tokens as `estimate` does."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({"object": "list", "data": [{"id": "stand-in", "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = json.dumps(reply(body))
            tokens = sum(estimate(m["content"]) for m in body["messages"]), estimate(text)
            self._answer({"id": "1", "object": "chat.completion", "created": 0, "model": "stand-in", "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}})

        def _answer(self, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
