"""The robot's memory: a world graph fed by sight and by the outcomes of skills, kept on disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dadu.core.geometry import Pose2, vector3, wrap
from dadu.knowledge.embedding import Embedder, default_embedder
from dadu.memory import hand
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.association.labels import Labels
from dadu.memory.association.nearness import Nearness
from dadu.memory.describe import describe
from dadu.memory.edit import EditRefused, apply_edit, parse_edit
from dadu.memory.forgetting import Forgetting, forget_unattended
from dadu.memory.grip import SteadyGrip
from dadu.memory.learning import learn, let_go_if_empty
from dadu.memory.pictures import KeptPictures, folder_beside
from dadu.memory.recall.recall import Unit
from dadu.memory.recall.units import Recollection
from dadu.memory.rooms.found import FoundRooms
from dadu.memory.semantic_map import SemanticMap
from dadu.memory.settings import MemorySettings
from dadu.memory.storage.revision import DISTANCE, differ, snapshot
from dadu.memory.storage.store import Contents, Store
from dadu.memory.storage.undo import StoredChange, changed, take_back
from dadu.memory.teaching import Examples, forget, said_by_put, say, teach
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.world.detection import DetectionFrame, Exemplar
from dadu.world.graph import ROBOT, Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap

Box = tuple[int, int, int, int]
"""x, y, width, height [px]"""
_LONG = 300
"""letters that are kept of an edit: a look has hundreds of numbers"""


class Memory:
    """The world graph, which also holds what kinds of things were met where (`dadu.memory.semantic_map`), short-term
    units that `recall` searches, and the map of obstacles that rooms are found on.

    Not thread-safe. `revision` grows with every change worth telling; mere reconfirmations do not count.
    """

    def __init__(self, prior: WorldGraph, path: str | Path | None = None, settings: MemorySettings | None = None,
                 embedder: Callable[[], Embedder] = default_embedder) -> None:
        """Starts from `prior` (see `dadu.house.layout.build_graph`), or from what the file at `path` holds of the same
        house; without a path, or with memory switched off, nothing is kept. `embedder` is called at the first
        `recall`."""
        self.settings = settings or MemorySettings()
        house = next((e.id for e in prior.of(Kind.HOUSE)), "")
        self._store = Store(path, house) if path is not None and self.settings.memory else None
        self._pictures = KeptPictures(folder_beside(self._store.path)) if self._store else None
        kept = self._store.load() if self._store else Contents()
        self.restored = len(kept.graph.entities) > 0
        """whether the file held a memory"""
        self.unwritten = ""
        """why what is known is not on disk at the moment, if it is not"""
        self._prior = prior.copy()
        self._associator = Associator(kept.graph if self.restored else prior.copy(), self.settings,
                                      lost=dict(kept.lost), births=dict(kept.births), labels=Labels(dict(kept.votes)))
        self._forgetting, self._nearness = Forgetting(self.settings.forgetting), Nearness(self.settings.nearness)
        self._grip = SteadyGrip()
        self._recollection = Recollection(embedder, self._store)
        self._occupancy = kept.occupancy
        self._semantic_map = SemanticMap(self.graph)
        self._rooms = FoundRooms(prior)
        self._body = ObserverPose(self.graph[ROBOT].pose if ROBOT in self.graph else Pose2(0.0, 0.0, 0.0))
        self._examples = Examples(kept.examples)
        self._changes: list[StoredChange] = kept.changes
        self._stamp = max((e.stamp for e in self.graph), default=0.0)
        self._nearness.update(self.graph)
        self._told, self._flushed = snapshot(self.graph), 0.0
        self.revision = 1 + kept.revision
        self._save()

    def take_settings(self, settings: MemorySettings) -> None:
        """Goes on by other settings; whether memory is on stays as it was at the start."""
        self.settings = self._associator.settings = settings.model_copy(update={"memory": self.settings.memory})
        self._forgetting.settings, self._nearness.settings = settings.forgetting, settings.nearness

    @property
    def graph(self) -> WorldGraph:
        """The world as memory has it. Read it; change it only through the methods here."""
        return self._associator.graph

    @property
    def lost(self) -> Mapping[str, Entity]:
        """Things that are no longer where they were, by id, as they were known last."""
        return self._associator.lost

    @property
    def examples(self) -> Sequence[Exemplar]:
        """Of kinds of things, as somebody showed them, oldest first."""
        return self._examples.shown

    @property
    def notice(self) -> str:
        """What was wrong with the file at the start, if anything."""
        return self._store.notice if self._store else ""

    def see(self, frame: DetectionFrame, base: Pose2, tool: tuple[float, float, float] | None = None,
            aperture: float | None = None, cut: Callable[[Box], bytes] | None = None) -> None:
        """Takes in one picture. `base`: the robot in map; `tool`: its grasp centre in map [m] and `aperture`: the gap
        between its fingertips [m], where they are known (a held thing is followed better). `cut` gives what a box of
        the picture shows, as JPEG, empty where it cannot; it is asked only where a thing is seen better than before."""
        self._at(frame.stamp)
        self.follow(base, tool, aperture)
        let_go_if_empty(self._associator, frame.stamp, self._body)
        if self._grip.unexplained(frame.stamp):
            hand.take_unidentified(self._associator, frame.stamp, self._body)
        self._associator.update(frame, self._body)
        if cut is not None and self._pictures is not None:
            # Keeps pictures of what is seen whole and better than before.
            labels = self._associator.labels
            for id, seen in self._associator.sighted.items():
                if id in self.graph and not seen.truncated and labels.is_seen_better(id, seen.pixels):
                    if jpeg := cut(seen.box):
                        self._pictures.put(id, jpeg)
                        labels.show(id, seen.pixels)
            self._pictures.keep(self.graph.entities, self._associator.lost)
        self._forgetting.decay(self.graph, frame.stamp)
        self._rooms.update(self.graph, self._occupancy, frame.stamp)
        self._commit()

    def feel(self, stamp: float, felt: bool,
             body_at: Callable[[float], tuple[Pose2, tuple[float, float, float]] | None]) -> None:
        """Takes in whether the fingers press on something, often. `body_at` gives base and grasp centre in map [m] at a
        time [s], or None where they are not known; it is asked only when something was taken or let go."""
        change = self._grip.update(stamp, felt)
        body = body_at(change.since) if change is not None else None
        if change is None or body is None:
            return
        self._grip.accept(change)
        self._at(stamp)
        self.follow(*body)
        (hand.take if change.gripped else hand.let_go)(self._associator, stamp, self._body)
        self._commit(flush=True)

    def follow(self, base: Pose2, tool: tuple[float, float, float] | None = None,
               aperture: float | None = None) -> None:
        """Moves the robot, and what it holds, without a picture."""
        self._body = ObserverPose(base, tool, aperture, self._grip.gripped)
        if ROBOT in self.graph:
            agent = self.graph[ROBOT]
            if abs(base.x - agent.position[0]) + abs(base.y - agent.position[1]) > 0.02 or (
                    abs(wrap(base.yaw - agent.yaw)) > 0.02):
                self.graph.put(replace(agent, position=(base.x, base.y, 0.0), yaw=base.yaw))
        held = self.graph.held()
        if held is not None and np.linalg.norm(self._body.hand - held.position) > DISTANCE:
            self.graph.put(replace(held, position=vector3(self._body.hand)))

    def learn(self, call: SkillCall, result: SkillResult, stamp: float) -> None:
        """Takes in the outcome of a skill, failures included."""
        self._at(stamp)
        body = replace(self._body, gripped=self._grip.gripped)
        learn(self._associator, call, result, stamp, body)
        if body.gripped is False:
            hand.let_go(self._associator, stamp, body)
        self._commit(flush=True)

    def chart(self, occupancy: OccupancyMap) -> None:
        """Takes in a newer map of obstacles; it is written with the next flush. With the next picture rooms
        are found on it that nobody told of."""
        self._occupancy = occupancy

    def correct(self, entities: Iterable[Entity], stamp: float) -> None:
        """Takes in entities as somebody knows them who sees more."""
        self._at(stamp)
        for entity in entities:
            self.graph.put(entity)
        self._commit()

    def hear(self, take_in: Callable[[WorldGraph], None], doubles: Mapping[str, str], stamp: float) -> None:
        """Takes in what others have seen: `take_in` changes the graph. What is new is then known as if it had been seen
        here, what is gone is lost; `doubles` are ids of own things, each with that by which others know it."""
        self._at(stamp)
        before = dict(self.graph.entities)
        take_in(self.graph)
        for entity in [e for e in self.graph.of(Kind.OBJECT) if e.id not in before]:
            self._associator.begin(entity)
        for id, entity in before.items():
            if id not in self.graph and entity.kind is Kind.OBJECT:
                self._associator.lost[id] = entity
        for mine, theirs in doubles.items():
            self._associator.unite(theirs, mine)
        self._commit()

    def describe(self, instruction: str = "", max_words: int = 0) -> str:
        """The world in words for a planner's prompt, see `dadu.memory.describe`."""
        return describe(self.graph, instruction, max_words, self.recall)

    def recall(self, query: str, limit: int = 5) -> list[Unit]:
        """What is nearest in meaning to `query`, best first."""
        return self._recollection.recall(self.graph, query, limit)

    def edit(self, text: str) -> str:
        """An operator's correction in JSON, see `dadu.memory.edit`; says what it did. Errors: EditRefused."""
        action, argument = parse_edit(text)
        if action == "undo":
            message = self._take_back()
        elif action == "forget":
            message = forget(self._examples, argument)  # and it cannot be taken back
        else:
            before = self.graph.copy()
            said: dict[str, str] = {}
            if action == "teach":
                message, said = teach(self._associator, self._examples, argument, self._stamp)
            else:
                message = apply_edit(self.graph, action, argument, self._stamp)
                said = said_by_put(self._associator, self._examples, argument) if action == "put" else {}
            brief = text if len(text) <= _LONG else f"{text[:_LONG]}..."
            change = replace(changed(brief, self._stamp, before, self.graph), said=said)
            self._changes = [*self._changes, change][-self.settings.undo_depth:]
        self._commit(flush=True)
        return message

    def flush(self) -> None:
        """Writes what has waited for the flush period; call it now and then."""
        if time.monotonic() - self._flushed >= self.settings.flush_period:
            self._save()

    def close(self) -> None:
        """Writes what is not written yet."""
        self._save()
        if self._store:
            self._store.close()

    def _take_back(self) -> str:
        if not self._changes:
            raise EditRefused("there is nothing to undo")
        change = self._changes[-1]
        for id, category in change.said.items():
            say(self._associator, self._examples, id, category, self._stamp)
        take_back(self.graph, change)
        self._changes = self._changes[:-1]
        return f"took back {change.text}"

    def _at(self, stamp: float) -> None:
        """Time may jump back when a simulator starts over: what was known is then as of now."""
        if stamp < self._stamp - 1.0:
            for entity in list(self.graph):
                if entity.stamp > stamp:
                    self.graph.put(replace(entity, stamp=stamp))
            self._associator.births.update({id: min(t, stamp) for id, t in self._associator.births.items()})
        self._stamp = stamp

    def _commit(self, flush: bool = False) -> None:
        """Counts a change worth telling and writes it; reconfirmations wait for the flush period."""
        if not self.settings.memory:
            forget_unattended(self.graph, self._prior, self._stamp, self.settings.attention)
            self._associator.lost.clear()
        else:
            self._semantic_map.update(self.graph)
        self._nearness.update(self.graph)
        now = snapshot(self.graph)
        if differ(self._told, now):
            self._told = now
            self.revision += 1
            flush = True
        if flush:
            self._save()
        else:
            self.flush()

    def _save(self) -> None:
        self._flushed = time.monotonic()
        if self._store is None:
            return
        try:
            labels = self._associator.labels
            self._store.save(Contents(self.graph, self._associator.lost, self._associator.births, labels.votes,
                                      labels.changed, self._changes, self._occupancy, self.revision,
                                      self._examples.kept))
        except sqlite3.OperationalError as error:  # a full disk: what is known stays, and the next flush tries again
            self.unwritten = str(error)
        else:
            self.unwritten = ""
            labels.changed.clear()
