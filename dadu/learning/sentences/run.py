"""Makes a folder of sentences in several processes; goes on where a run before was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from dadu.learning.sentences.store import SentenceFolder


def make_sentences(out: Path, number: int, seed: int, workers: int) -> Iterator[tuple[int, int]]:
    """Makes the shards that are missing; yields how many of how many are done. Errors: ConfigError as of
    `SentenceFolder.begin`."""
    folder = SentenceFolder(out)
    folder.begin(seed)
    waiting = folder.missing(number)
    if workers == 1:
        for done, shard in enumerate(waiting, 1):
            folder.make(shard)
            yield done, len(waiting)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_make, out, shard) for shard in waiting]
        for done, job in enumerate(as_completed(jobs), 1):
            job.result()
            yield done, len(waiting)


def _make(out: Path, shard: int) -> None:
    SentenceFolder(out).make(shard)
