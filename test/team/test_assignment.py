"""Assignment: everybody's jobs end soonest, and what is settled stays so."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.team.assignment import Problem, assign

TIMES = st.lists(st.integers(1, 50), min_size=2, max_size=2)


def problem(times: dict[str, list[int]], fixed=None, after=None, price=None) -> Problem:
    """Two agents, the time of each for each job [s], whatever it did before."""
    def cost(agent: str, last: str | None, job: str) -> float:
        return float(times[job][int(agent == "b")]) if times[job][int(agent == "b")] < 1000 else float("inf")
    return Problem(("a", "b"), tuple(times), cost, after or {}, fixed or {}, price or {})


def end(times: dict[str, list[int]], queues: dict[str, list[str]]) -> int:
    return max(sum(times[job][i] for job in queues[agent]) for i, agent in enumerate("ab"))


@settings(max_examples=60, deadline=None)
@given(st.lists(TIMES, min_size=1, max_size=4))
def test_near_the_best_of_all_ways_and_never_worse_than_one_alone(rows):
    times = {f"j{i}": row for i, row in enumerate(rows)}
    queues = assign(problem(times))
    assert sorted(job for queue in queues.values() for job in queue) == sorted(times)
    best = min(max(sum(row[i] for row, who in zip(rows, way) if who == i) for i in (0, 1))
               for way in product((0, 1), repeat=len(rows)))
    assert best <= end(times, queues) <= min(sum(row[i] for row in rows) for i in (0, 1))
    assert end(times, queues) <= 1.5 * best


def test_who_is_fast_does_more():
    queues = assign(problem({"x": [10, 40], "y": [10, 40], "z": [10, 40]}))
    assert len(queues["a"]) == 3 and queues["b"] == []


def test_whose_time_is_dear_does_less_than_whoever_is_fast_would():
    times = {"x": [10, 25], "y": [10, 25]}
    assert [len(queue) for queue in assign(problem(times)).values()] == [2, 0]
    assert [len(queue) for queue in assign(problem(times, price={"a": 1.0})).values()] == [1, 1]
    assert [len(queue) for queue in assign(problem(times, price={"a": 4.0})).values()] == [0, 2]


def test_whose_time_is_dear_does_not_wait_for_a_slow_one():
    times = {"first": [10, 60], "then": [10, 1000], "other": [20, 30]}
    queues = assign(problem(times, after={"then": ["first"]}, price={"a": 2.0}))
    assert queues == {"a": ["first", "then"], "b": ["other"]}


def test_what_one_cannot_do_is_the_others_and_what_nobody_can_is_nobodys():
    queues = assign(problem({"wash": [1000, 5], "fly": [1000, 1000], "carry": [5, 50]}))
    assert queues == {"a": ["carry"], "b": ["wash"]}


def test_claims_stand():
    assert assign(problem({"x": [50, 1], "y": [1, 50]}, fixed={"x": "a"}))["a"][0] == "x"
