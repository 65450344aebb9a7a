"""A running simulation as the standard's services see it: features, states, steps, resets, worlds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.sim.backend import Backend
from dadu.sim.control.codes import EDITING, Feature, LoadCode, ResultCode, RunState, Scope, StateCode, Unfulfilled
from dadu.sim.control.population import Population
from dadu.sim.control.worlds import Resource, World, read_world
from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend

BuildWorld = Callable[[House, Sequence[RobotDescription]], DrivenBackend]


class SimulatorControl:
    """Of one engine. Calls come one at a time, but for `features`, `state` and the stop of steps."""

    def __init__(self, engine: Engine, world: World, seed: int, build: BuildWorld,
                 changed: Callable[[Backend], None]) -> None:
        """`world`: what is simulated now; `build` makes another's simulation; `changed` hears of each new one."""
        self._engine, self.world, self._seed, self._build, self._changed = engine, world, seed, build, changed
        self._stopped = self._loading = False
        self.population = Population(engine, world.house, changed)

    @property
    def features(self) -> list[Feature]:
        """What is served, and no more."""
        return [feature for feature in Feature if self.population.editable or feature not in EDITING]

    @property
    def state(self) -> RunState:
        if self._loading:
            return RunState.LOADING_WORLD
        if self._engine.gate.playing:
            return RunState.PLAYING
        return RunState.STOPPED if self._stopped else RunState.PAUSED

    def set_state(self, target: int) -> None:
        """Stopped: paused, and everything back at its start. Errors: Unfulfilled."""
        if target == self.state:
            raise Unfulfilled(StateCode.ALREADY_IN_TARGET_STATE, f"the simulation is {self.state.name} already")
        if target == RunState.QUITTING:
            raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, "whoever started the simulator ends it, by Ctrl-C")
        if target == RunState.PLAYING:
            self._stopped = False
            self._engine.gate.play()
        elif target in (RunState.PAUSED, RunState.STOPPED):
            self._stopped = target == RunState.STOPPED
            self._engine.pause()
            if self._stopped:
                self.reset(Scope.ALL)
        else:
            raise Unfulfilled(StateCode.INCORRECT_TRANSITION,
                          f"state {target} cannot be set; valid: 0 (stopped), 1 (playing), 2 (paused)")

    def reset(self, scope: int) -> None:
        """Puts back what the bits of `scope` say; 0: everything. Errors: Unfulfilled."""
        scope = scope or Scope.ALL
        if scope != Scope.ALL and scope & ~(Scope.TIME | Scope.STATE | Scope.SPAWNED):
            raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, f"scope {scope} has other bits than "
                              "1 (time), 2 (state), 4 (spawned)")
        if scope & Scope.SPAWNED and not self.population.editable and scope != Scope.ALL:
            raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, "nothing can be spawned in this simulator")
        if scope == Scope.ALL:
            self.population.forget()
        elif scope & Scope.SPAWNED:
            self.population.despawn()
        if scope & Scope.STATE:
            self.population.put_back(self._seed)
        if scope & Scope.TIME:
            self._engine.rewind()

    def step(self, count: int, told: Callable[[int], None] = lambda done: None,
             stopped: Callable[[], bool] = lambda: False) -> int:
        """Takes so many steps of a paused simulation; how many were done. Errors: Unfulfilled."""
        if self.state is not RunState.PAUSED:
            raise Unfulfilled(ResultCode.OPERATION_FAILED, f"steps are taken while it is paused, not {self.state.name}")
        done = self._engine.gate.steps(count, told, lambda: stopped() or self._stopped)  # since it was asked above
        if done < count and not stopped():
            raise Unfulfilled(ResultCode.OPERATION_FAILED, f"{done} of {count} steps were taken, then it was played or "
                              "stopped")
        return done

    def load(self, resource: Resource) -> World:
        """Another world in the place of this one, stopped. Errors: Unfulfilled; then the old one goes on as it was."""
        world = read_world(resource)
        with self._engine.exclusive() as simulation:
            robots = simulation.descriptions
        playing, self._loading = self._engine.gate.playing, True
        try:
            self._engine.pause()
            new = self._build(world.house, robots)
        except ConfigError as error:
            if playing:
                self._engine.gate.play()
            raise Unfulfilled(LoadCode.RESOURCE_PARSE_ERROR, str(error)) from None
        finally:
            self._loading = False
        self._engine.replace(lambda old: new)
        self._changed(new)
        self.world, self._stopped = world, True
        self.population = Population(self._engine, world.house, self._changed)
        self._engine.rewind()
        return world

    def replaced(self, world: World) -> None:
        """Somebody else has put another world in the place of this one."""
        self.world = world
        self.population = Population(self._engine, world.house, self._changed)

