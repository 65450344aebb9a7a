"""Asks PARTNR's evaluation functions. Runs on its own in any Python that has NumPy and networkx: cases in at standard
input, verdicts out at standard output, both JSON.

``python theirs.py CHECKOUT < cases > verdicts``. A case: ``propositions`` (for each its arguments' names and its
number), ``dependencies``, ``constraints``, ``states`` (for each the findings of all propositions, those with a number
unrolled: null, or the value of each argument). `correct`, a list, may name ``values`` (a handle is one value, not its
letters) and ``unrolling`` (what a dependency binds is unrolled by its index).
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

FILE = Path("habitat_llm", "agent", "env", "evaluation", "evaluation_functions.py")
STUB = "habitat_llm.agent.env.evaluation.predicate_wrappers"


@dataclasses.dataclass
class PropositionResult:
    """All that their functions take from the module that needs a simulator."""

    is_satisfied: bool
    info: dict[str, Any] = dataclasses.field(default_factory=dict)


def load(checkout: Path) -> Any:
    """Their module, from a checkout of partnr-planner."""
    names = [STUB.rsplit(".", n)[0] for n in range(STUB.count("."), -1, -1)]
    kept = {name: sys.modules.get(name) for name in names}
    for name in names:
        sys.modules[name] = types.ModuleType(name)
    sys.modules[STUB].PropositionResult = PropositionResult  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("evaluation_functions", checkout / FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for name, old in kept.items():
        if old is None:
            del sys.modules[name]
        else:
            sys.modules[name] = old
    return module


def judge(module: Any, case: dict[str, Any], correct: list[str]) -> float:
    """Their percentage of completion, 0 to 1: the loop of their measure, which alone needs a simulator."""
    propositions = [module.EvaluationProposition("asked", dict(number=p["number"], **dict.fromkeys(p["args"])))
                    for p in case["propositions"]]
    constraints = [_constraint(module, c, case, len(propositions)) for c in case["constraints"]]
    dependencies = [module.EvaluationPropositionDependency(list(d["propositions"]), list(d["depends_on"]),
                                                           d["relation"], d["mode"]) for d in case["dependencies"]]
    first = len(propositions)
    late = dependencies if "unrolling" in correct else []
    propositions, dependencies, constraints = module.unroll_propositions_with_number(
        propositions, [] if late else dependencies, constraints)
    for dependency in late:
        for i, origin in enumerate(_origins(case), first):
            if origin in dependency.proposition_indices:
                dependency.proposition_indices.append(i)
    return _percent(module, propositions, late or dependencies, constraints, case, correct)


def _percent(module: Any, propositions: list[Any], dependencies: list[Any], constraints: list[Any],
             case: dict[str, Any], correct: list[str]) -> float:
    sequence: list[list[PropositionResult]] = []
    since = [-1] * len(propositions)
    for findings in case["states"]:
        asked = module.determine_propositions_to_evaluate(sequence, propositions, dependencies)
        state = [_result(found if i in asked else None, p, correct)
                 for i, (found, p) in enumerate(zip(findings, propositions))]
        for i, result in enumerate(state):
            if since[i] == -1 and result.is_satisfied:
                since[i] = len(sequence)
        sequence.append(state)
    table = module.apply_constraint_satisfaction(constraints, sequence, since)
    return float(module.compute_percent_complete(since, table))


def _origins(case: dict[str, Any]) -> list[int]:
    """Of the propositions that unrolling adds, in order: of which each is one."""
    return [i for i, p in enumerate(case["propositions"]) for _ in range(1, p["number"])]


def _result(found: list[str] | None, proposition: Any, correct: list[str]) -> PropositionResult:
    names = [name for name in proposition.args if name != "number"]
    if found is None:
        return PropositionResult(False, dict.fromkeys(names, ""))
    return PropositionResult(True, {n: (value,) if "values" in correct else value for n, value in zip(names, found)})


def _constraint(module: Any, given: dict[str, Any], case: dict[str, Any], count: int) -> Any:
    if given["kind"] == "temporal":
        return module.TemporalConstraint(dag_edges=[tuple(pair) for pair in given["pairs"]], n_propositions=count)
    if given["kind"] == "terminal":
        return module.TerminalSatisfactionConstraint(proposition_indices=list(given["propositions"]),
                                                     n_propositions=count)
    kind = module.SameArgConstraint if given["kind"] == "same_arg" else module.DifferentArgConstraint
    names = [case["propositions"][i]["args"][a] for i, a in zip(given["propositions"], given["args"])]
    return kind(proposition_indices=list(given["propositions"]), arg_names=names, n_propositions=count)


def main() -> None:
    module = load(Path(sys.argv[1]))
    warnings.simplefilter("ignore")
    asked = json.load(sys.stdin)
    json.dump([[judge(module, case, correct) for correct in asked["correct"]] for case in asked["cases"]], sys.stdout)


if __name__ == "__main__":
    main()
