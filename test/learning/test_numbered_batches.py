"""Batches made before they are asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
import pytest

from dadu.learning.recipe.batches import NumberedBatches, processes_for


@dataclass(frozen=True)
class Numbers:
    """A batch."""

    values: np.ndarray
    maker: np.ndarray


class Warped(NumberedBatches[Numbers]):
    def make(self, number: int) -> Numbers:
        picture = cv2.warpAffine(np.full((64, 64), number, np.float32), np.eye(2, 3, dtype=np.float32), (64, 64))
        return Numbers(picture, np.array([os.getpid()]))


class Failing(NumberedBatches[Numbers]):
    processes = 1

    def make(self, number: int) -> Numbers:
        return Numbers(np.array([1 / number]), np.zeros(1))


@pytest.fixture
def many_threads():
    """OpenCV's: a number that is the whole process's."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(4)
    yield
    cv2.setNumThreads(before)


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.needs("train"))])
def test_they_come_in_order_from_the_number_asked_for(processes):
    batches = Warped()
    batches.processes = processes
    batches.make(0)  # OpenCV has threads now, which forked processes lack
    came = list(islice(batches.following(5), 8))
    assert [number for number, _ in came] == list(range(5, 13))
    for number, batch in came:
        assert (np.asarray(batch.values) == number).all()
    makers = {int(batch.maker[0]) for _, batch in came}
    assert len(makers) == max(processes, 1) and (os.getpid() in makers) == (not processes)


@pytest.mark.needs("train")
def test_a_mistake_in_a_process_is_told():
    with pytest.raises(ZeroDivisionError):
        next(Failing().following(0))


def test_processes_are_for_devices_that_would_wait():
    assert processes_for("cpu") == 0 and processes_for("cuda") >= 1
