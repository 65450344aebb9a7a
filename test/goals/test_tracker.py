"""Evaluation functions over traces: PARTNR's documented examples, and agreement with a slow reading of their text."""

import itertools
import random

import pytest

from dadu.core.errors import ConfigError
from dadu.goals.rules import unroll
from dadu.goals.suite_goal import parse_goal
from dadu.goals.tracker import NOT, Finding, Tracker


def goal_of(count, **rest):
    return parse_goal({"propositions": [{"is_held": [f"p{i}"]} for i in range(count)], **rest}, "test")


def track(goal, *states):
    """Each state: what every proposition yields, True, False or the value of its argument."""
    tracker = Tracker(unroll(goal))
    for state in states:
        tracker.take(lambda i, s=state: Finding(bool(s[i]), (frozenset([str(s[i])]),) * 2) if s[i] else NOT)
    return tracker


def test_back_on_the_table_counts_only_once_it_has_left_the_sink():
    goal = goal_of(2, dependencies=[{"propositions": [1], "depends_on": [0], "relation": "after_unsatisfied"}])
    on_table, in_sink, held = (0, 1), (1, 0), (0, 0)
    assert track(goal, on_table, on_table).percent_complete() == 0.0
    assert track(goal, on_table, in_sink, held, on_table).percent_complete() == 1.0
    assert track(goal, in_sink, on_table).percent_complete() == 0.5, "it still was in the sink the state before"


@pytest.mark.parametrize("relation, expected", [
    ("while_satisfied", [False, False, True, False]), ("after_satisfied", [False, False, True, True]),
    ("after_unsatisfied", [False, False, False, True]), ("before_satisfied", [True, True, False, False])])
def test_when_a_proposition_is_asked(relation, expected):
    goal = goal_of(2, dependencies=[{"propositions": [1], "depends_on": [0], "relation": relation}])
    tracker, asked = Tracker(unroll(goal)), []
    for head in (False, True, False, False):
        questions = []
        tracker.take(lambda i, head=head, questions=questions: questions.append(i) or Finding(head and i == 0))
        asked.append(1 in questions)
    assert asked == expected


@pytest.mark.parametrize("since, satisfied", [((1, 1), [True, False]), ((2, 1), [True, False]),
                                              ((1, 2), [True, True])])
def test_temporal(since, satisfied):
    goal = goal_of(2, constraints=[{"temporal": [[0, 1]]}])
    states = [[t >= since[0], t >= since[1]] for t in range(3)]
    assert track(goal, *states).satisfied() == satisfied


def test_what_comes_first_must_have_come_at_all():
    goal = goal_of(3, constraints=[{"temporal": [[0, 1], [1, 2]]}])
    assert track(goal, (1, 0, 0), (1, 0, 1)).satisfied() == [True, False, False]


def test_ties():
    same, other = (("x", 0), ("x", "x")), (("x", 0), ("x", "y"))
    for key, good in (("same_arg", same), ("different_arg", other)):
        goal = goal_of(2, constraints=[{key: {"propositions": [0, 1], "arg": 0}}])
        for states in (same, other):
            assert track(goal, *states).satisfied() == [True, states is good]


def test_undone_at_the_end():
    goal = goal_of(2, constraints=[{"terminal": [0]}])
    assert track(goal, (1, 1), (0, 0)).satisfied() == [False, True]


def test_a_number_counts_in_parts():
    goal = parse_goal({"propositions": [{"is_held": [["a", "b", "c", "d"]], "number": 4}]}, "test")
    assert [item.proposition.number for item in unroll(goal).items] == [4, 1, 2, 3]
    tracker = Tracker(unroll(goal))
    tracker.take(lambda i: Finding(tracker.goal.items[i].proposition.number <= 3))
    assert tracker.percent_complete() == 0.75


def test_a_circle_is_refused():
    with pytest.raises(ConfigError, match="circle"):
        goal_of(3, constraints=[{"temporal": [[0, 1], [1, 2], [2, 0]]}])


def random_goal(rng):
    count = rng.randint(1, 4)
    others = [[j for j in range(count) if j != i] for i in range(count)]
    dependencies = [{"propositions": [i], "depends_on": rng.sample(others[i], rng.randint(1, len(others[i]))),
                     "relation": rng.choice(["after_satisfied", "after_unsatisfied", "while_satisfied",
                                             "before_satisfied"]), "mode": rng.choice(["all", "any"])}
                    for i in range(count) if others[i] and rng.random() < 0.4]
    line = rng.sample(range(count), count)
    edges = [[line[a], line[b]] for a, b in itertools.combinations(range(count), 2) if rng.random() < 0.4]
    constraints = [{"temporal": edges}] if edges else []
    constraints += [{key: {"propositions": rng.sample(range(count), count), "arg": 0}}
                    for key in ("same_arg", "different_arg") if rng.random() < 0.4]
    constraints += [{"terminal": rng.sample(range(count), rng.randint(0, count))}]
    return goal_of(count, dependencies=dependencies, constraints=constraints)


def reference(goal, states):
    """Percent complete, straight from the definitions, looking back over the whole history at every question."""
    rows = []
    for state in states:
        def ever(i, upto=None):
            return any(row[i] for row in rows[:upto])

        def met(d):
            tests = {"while_satisfied": lambda i: bool(rows) and bool(rows[-1][i]), "after_satisfied": ever,
                     "after_unsatisfied": lambda i: any(a[i] and not b[i] for a, b in zip(rows, rows[1:])),
                     "before_satisfied": lambda i: not ever(i)}
            return (all if d.mode == "all" else any)(tests[d.relation](i) for i in d.depends_on)

        rows.append([v if all(met(d) for d in goal.dependencies if i in d.propositions) else 0
                     for i, v in enumerate(state)])
    count = len(goal.propositions)
    since = [next((t for t, row in enumerate(rows) if row[i]), None) for i in range(count)]
    good = [s is not None for s in since]
    for c in goal.constraints:
        for i in range(count):
            paths = set(c.temporal or ())
            while len(longer := paths | {(a, d) for a, b in paths for e, d in paths if b == e}) > len(paths):
                paths = longer
            for a, b in paths:
                if b == i and (since[a] is None or since[b] is None or since[b] <= since[a]):
                    good[i] = False
            if c.terminal is not None and i in c.terminal and not rows[-1][i]:
                good[i] = False
        for link, same in ((c.same_arg, True), (c.different_arg, False)):
            done = sorted((i for i in (link.propositions if link else ()) if since[i] is not None),
                          key=lambda i: since[i])
            values = [rows[since[i]][i] for i in done]
            for n in range(1, len(done)):
                if (values[n] != values[0]) if same else (values[n] in values[:n]):
                    good[done[n]] = False
    return sum(good) / count


def test_agrees_with_the_definitions_on_random_traces():
    rng = random.Random(7)
    shares = []
    for _ in range(2000):
        goal = random_goal(rng)
        states = [[rng.choice((0, 0, "x", "y")) for _ in goal.propositions] for _ in range(rng.randint(1, 7))]
        shares.append(track(goal, *states).percent_complete())
        assert shares[-1] == pytest.approx(reference(goal, states)), (goal, states)
    assert 0.0 in shares and 1.0 in shares, "the traces tell good from bad"
