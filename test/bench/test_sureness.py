"""The curve over the threshold: from it on the network's outcome counts, below it the grammar's, or a refusal."""

from bench.language import Outcome
from bench.sureness import curve


def outcomes(*said):
    return [Outcome("s", str(i), "", one, "", 0.0) for i, one in enumerate(said)]


GRAMMAR, NETWORK = outcomes("right", "wrong", "refused"), outcomes("wrong", "right", "right")
SURE = {("s", "0"): 0.4, ("s", "1"): 0.92, ("s", "2"): 0.97, ("other", "9"): 1.0}


def row(text, threshold):
    [line] = [one.split() for one in text.splitlines() if one.split()[0] == threshold]
    return [int(number) for number in line[1:]]


def test_heard_from_the_threshold_on():
    text = curve(GRAMMAR, NETWORK, SURE, alone=False)
    assert text.split()[:6] == ["sure", "heard", "right", "refused", "wrong", "failed"]
    assert row(text, "0.0") == [3, 2, 0, 1, 0]
    assert row(text, "0.5") == [2, 3, 0, 0, 0]
    assert row(text, "0.95") == [1, 2, 0, 1, 0]
    assert row(text, "1.01") == [0, 1, 1, 1, 0]


def test_alone_the_rest_is_refused():
    text = curve(GRAMMAR, NETWORK, SURE, alone=True)
    assert row(text, "0.95") == [1, 1, 2, 0, 0] and row(text, "1.01") == [0, 0, 3, 0, 0]
