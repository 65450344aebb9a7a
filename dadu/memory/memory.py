"""The robot's memory: a world graph fed by sight and by the outcomes of skills, kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from dadu.geometry import Pose2, wrap
from dadu.memory.association import Associator, Body
from dadu.memory.describe import describe
from dadu.memory.edit import EditRefused, apply_edit, parse_edit
from dadu.memory.embedding import Embedder, default_embedder
from dadu.memory.forgetting import Forgetting
from dadu.memory.graph import Entity, Kind, WorldGraph
from dadu.memory.learning import learn, let_go_if_empty
from dadu.memory.recall import ShortTermMemory, Unit
from dadu.memory.revision import DISTANCE, differ, snapshot
from dadu.memory.settings import MemorySettings
from dadu.memory.store import Store
from dadu.perception.detection import DetectionFrame
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult

AGENT = "robot"


class Memory:
    """Not thread-safe. `revision` grows with every change worth telling; mere reconfirmations do not count."""

    def __init__(self, prior: WorldGraph, path: str | Path | None = None, settings: MemorySettings | None = None,
                 embedder: Callable[[], Embedder] = default_embedder) -> None:
        """Starts from `prior` (see `dadu.sim.layout.build_graph`), or from what the file at `path` holds of the same
        house; without a path nothing is kept. `embedder` is called at the first `recall`."""
        self.settings = settings or MemorySettings()
        house = next((e.id for e in prior.of(Kind.HOUSE)), "")
        self._store = Store(path, house) if path is not None else None
        kept = self._store.load() if self._store else None
        self.restored = kept is not None and len(kept.graph.entities) > 0
        """whether the file held a memory"""
        self._associator = Associator(kept.graph if self.restored else prior.copy(), self.settings)
        if self.restored:
            self._associator.lost.update(kept.lost)
            self._associator.births.update(kept.births)
        self._forgetting = Forgetting(self.settings.forgetting)
        self._make_embedder, self._short_term = embedder, None
        self._body = Body(self.graph[AGENT].pose if AGENT in self.graph else Pose2(0.0, 0.0, 0.0))
        self._undo: list[tuple[WorldGraph, frozenset[str]]] = []
        self._stamp = max((e.stamp for e in self.graph), default=0.0)
        self._told, self._flushed = snapshot(self.graph), 0.0
        self.revision = 1 + (kept.revision if self.restored else 0)
        self._save()

    @property
    def graph(self) -> WorldGraph:
        """The world as memory has it. Read it; change it only through the methods here."""
        return self._associator.graph

    @property
    def lost(self) -> Mapping[str, Entity]:
        """Things that are no longer where they were, by id, as they were known last."""
        return self._associator.lost

    @property
    def notice(self) -> str:
        """What was wrong with the file at the start, if anything."""
        return self._store.notice if self._store else ""

    def see(self, frame: DetectionFrame, base: Pose2, tool: tuple[float, float, float] | None = None,
            aperture: float | None = None) -> None:
        """Takes in one picture. `base`: the robot in map; `tool`: its grasp centre in map [m] and `aperture`: the gap
        between its fingertips [m], where they are known (a held thing is followed better)."""
        self._at(frame.stamp)
        self.follow(base, tool, aperture)
        let_go_if_empty(self._associator, frame.stamp, self._body)
        self._associator.update(frame, self._body)
        self._forgetting.decay(self.graph, frame.stamp)
        self._commit()

    def follow(self, base: Pose2, tool: tuple[float, float, float] | None = None,
               aperture: float | None = None) -> None:
        """Moves the robot, and what it holds, without a picture."""
        self._body = Body(base, tool, aperture)
        if AGENT in self.graph:
            agent = self.graph[AGENT]
            if abs(base.x - agent.position[0]) + abs(base.y - agent.position[1]) > 0.02 or (
                    abs(wrap(base.yaw - agent.yaw)) > 0.02):
                self.graph.put(replace(agent, position=(base.x, base.y, 0.0), yaw=base.yaw))
        held = self.graph.held()
        if held is not None and np.linalg.norm(self._body.hand - held.position) > DISTANCE:
            self.graph.put(replace(held, position=tuple(map(float, self._body.hand))))

    def learn(self, call: SkillCall, result: SkillResult, stamp: float) -> None:
        """Takes in the outcome of a skill, failures included."""
        self._at(stamp)
        learn(self._associator, call, result, stamp, self._body)
        self._commit(flush=True)

    def describe(self, instruction: str = "", max_words: int = 0) -> str:
        """The world in words for a planner's prompt, see `dadu.memory.describe`."""
        return describe(self.graph, instruction, max_words)

    def recall(self, query: str, limit: int = 5) -> list[Unit]:
        """What is nearest in meaning to `query`, best first."""
        if self._short_term is None:
            self._short_term = ShortTermMemory(self._make_embedder())
        return self._short_term.recall(self.graph, query, limit)

    def edit(self, text: str) -> str:
        """An operator's correction in JSON, see `dadu.memory.edit`; says what it did. Errors: EditRefused."""
        action, argument = parse_edit(text)
        if action == "undo":
            message = self._take_back()
        else:
            before = self.graph.copy()
            message = apply_edit(self.graph, action, argument, self._stamp)
            touched = frozenset(id for id in {*before.entities, *self.graph.entities}
                                if before.entities.get(id) is not self.graph.entities.get(id))
            self._undo = [*self._undo, (before, touched)][-self.settings.undo_depth:]
        self._commit(flush=True)
        return message

    def close(self) -> None:
        """Writes what is not written yet."""
        self._save()
        if self._store:
            self._store.close()

    def _take_back(self) -> str:
        """Puts the entities that the last edit touched back as they were, with their edges; what was seen of others
        since then stays."""
        if not self._undo:
            raise EditRefused("there is nothing to undo")
        before, touched = self._undo.pop()
        graph = self.graph
        graph.edges = {e for e in graph.edges if not touched & {e.subject, e.object}}
        for id in touched:
            graph.entities.pop(id, None)
            if id in before:
                graph.put(before[id])
        graph.edges |= {e for e in before.edges if touched & {e.subject, e.object}
                        and e.subject in graph and e.object in graph}
        return f"took back the change of {', '.join(sorted(touched))}"

    def _at(self, stamp: float) -> None:
        """Time may jump back when a simulator starts over: what was known is then as of now."""
        if stamp < self._stamp - 1.0:
            for entity in list(self.graph):
                if entity.stamp > stamp:
                    self.graph.put(replace(entity, stamp=stamp))
            self._associator.births.update({id: min(t, stamp) for id, t in self._associator.births.items()})
            self._flushed = stamp
        self._stamp = stamp

    def _commit(self, flush: bool = False) -> None:
        """Counts a change worth telling and writes it; reconfirmations wait for the flush period."""
        now = snapshot(self.graph)
        if differ(self._told, now):
            self._told = now
            self.revision += 1
            flush = True
        if flush or self._stamp - self._flushed >= self.settings.flush_period:
            self._save()

    def _save(self) -> None:
        self._flushed = self._stamp
        if self._store:
            self._store.save(self.graph, self._associator.lost, self._associator.births, self.revision)
