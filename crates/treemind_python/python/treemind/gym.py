"""The arena as an environment of Gymnasium. Importing this registers `treemind/Arena-v0`.

>>> import gymnasium, treemind.gym
>>> env = gymnasium.make("treemind/Arena-v0", document="castle.kdl", scenario="castle.map", steer="hero")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._errors import TreemindError
from ._native import ArenaGame, ArenaGames, Document

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise TreemindError("this needs Gymnasium 1.1 or newer: `pip install treemind[gymnasium]`") from None

from ._arena import KEYS, WAIT, Arena, frame

__all__ = ["FACTS", "KEYS", "WAIT", "ArenaEnv", "ArenaVectorEnv"]

FACTS: dict[str, str] = dict(ArenaGame.facts())
"""The facts that expressions are about, and what each says. Each is also there as `was_NAME`: what it was a turn before."""

Observation = Any


class ArenaEnv(gymnasium.Env[Observation, np.int64]):
    """One actor of a scenario, steered by keys; minds play all others.

    `scenario` is the path of a map or its text. All else may be said by its part `[steer]`, and what is given here comes
    first: `document` is a document or its path, `steer` the name of an actor on the map, `name` the tree or machine of
    those whose mind is `main`. `observe` has expressions over `FACTS` and over keys of minds, such as `guard.alarm`; by
    default each fact. With `grid`, an observation is a dictionary with `facts` and `grid`: the map as squares, all of it
    (`True`) or so many in each direction around the one who is steered. `actions` are keys, or `"wait"`. An action is done
    for `every` ticks of a twentieth of a second. `reward` is an expression, in which `was_health` is what `health` was
    before the action; `until` ends a game, and `ticks` cuts it off.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        document: Document | str | os.PathLike[str] | None = None,
        scenario: str | os.PathLike[str] | None = None,
        steer: str | None = None,
        *,
        name: str | None = None,
        observe: Sequence[str] | None = None,
        grid: bool | int | None = None,
        actions: Sequence[str] | None = None,
        reward: str | None = None,
        until: str | None = None,
        every: int | None = None,
        ticks: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._arena = Arena(
            document,
            scenario,
            None if steer is None else [steer],
            name=name,
            observe=observe,
            grid=grid,
            actions=actions,
            reward=reward,
            until=until,
            every=every,
            ticks=ticks,
            render_mode=render_mode,
        )
        self._game = self._arena.game
        self.render_mode = render_mode
        # Beside this, a game's length in seconds is that of its frames.
        self.metadata = {**self.metadata, "render_fps": self._arena.render_fps}  # type: ignore[misc]
        self.action_space: spaces.Space[np.int64] = self._arena.action_space
        self.observation_space: spaces.Space[Observation] = self._arena.observation_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins again. The seed is that of the game; without one, the next game of the last seed."""
        super().reset(seed=seed)
        self._game.begin(seed if seed is not None else int(self.np_random.integers(2**63)))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Presses a key and plays a turn."""
        reward, over, cut = self._game.turn(self._arena.keys[self._arena.action(action)])
        return self._observation(), reward, over, cut and not over, self._info()

    def render(self) -> npt.NDArray[np.uint8] | None:
        """The map as an image, with `render_mode="rgb_array"`."""
        return None if self.render_mode is None else frame(self._game.squares())

    def _observation(self) -> Observation:
        facts = self._game.observation().astype(np.float32)
        return {"facts": facts, "grid": self._game.seen()} if self._arena.has_grid else facts

    def _info(self) -> dict[str, Any]:
        return {"tick": self._game.tick, **dict(self._game.known())}


class ArenaVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games of `ArenaEnv`, which take a turn in one call, on `threads` threads; by default on all cores.

    They are what `gymnasium.vector.SyncVectorEnv` makes of so many environments, to the bit: a game that has ended begins
    again with the next step, whose action is not carried out.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 4, "autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int,
        document: Document | str | os.PathLike[str] | None = None,
        scenario: str | os.PathLike[str] | None = None,
        steer: str | None = None,
        *,
        name: str | None = None,
        observe: Sequence[str] | None = None,
        grid: bool | int | None = None,
        actions: Sequence[str] | None = None,
        reward: str | None = None,
        until: str | None = None,
        every: int | None = None,
        ticks: int | None = None,
        render_mode: str | None = None,
        threads: int | None = None,
    ) -> None:
        self._arena = Arena(
            document,
            scenario,
            None if steer is None else [steer],
            name=name,
            observe=observe,
            grid=grid,
            actions=actions,
            reward=reward,
            until=until,
            every=every,
            ticks=ticks,
            render_mode=render_mode,
        )
        self._games = ArenaGames(self._arena.game, num_envs, threads if threads is not None else _cores())
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": self._arena.render_fps}  # type: ignore[misc]
        self.single_action_space: spaces.Space[Any] = self._arena.action_space
        self.single_observation_space: spaces.Space[Any] = self._arena.observation_space
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, num_envs)
        self._chances: list[np.random.Generator | None] = [None] * num_envs
        self._ended = np.zeros(num_envs, dtype=np.bool_)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins all games again. With one seed, the games have that and those that follow it."""
        seeds = [seed] * self.num_envs if seed is None else [seed + nth for nth in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} games, but {len(seeds)} seeds")
        for nth, one in enumerate(seeds):
            if one is not None:
                self._chances[nth], _ = seeding.np_random(one)
        drawn = [self._draw(nth) if one is None else one for nth, one in enumerate(seeds)]
        self._games.begin(np.ones(self.num_envs, dtype=np.uint8), np.array(drawn, dtype=np.uint64))
        self._ended[:] = False
        return self._observations(), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Presses keys and plays a turn of all games."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.num_envs} whole numbers, not an array of {chosen.dtype.name} of shape {chosen.shape}")
        count = len(self._arena.keys)
        if chosen.size and not (0 <= int(chosen.min()) and int(chosen.max()) < count):
            raise ValueError(f"an action is a whole number from 0 to {count - 1}, not {int(chosen.min())} or {int(chosen.max())}")
        begins = self._ended.copy()
        if begins.any():
            seeds = np.zeros(self.num_envs, dtype=np.uint64)
            for nth in np.flatnonzero(begins):
                seeds[nth] = self._draw(int(nth))
            self._games.begin(begins.view(np.uint8), seeds)
        rewards, over, cut = self._games.turn((~begins).view(np.uint8), self._arena.codes[chosen])
        cut &= ~over
        self._ended = over | cut
        return self._observations(), rewards, over, cut, self._infos()

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """The map of each game as an image, with `render_mode="rgb_array"`."""
        return None if self.render_mode is None else tuple(frame(squares) for squares in self._games.squares())

    def _draw(self, nth: int) -> int:
        chance = self._chances[nth]
        if chance is None:
            chance, _ = seeding.np_random()
            self._chances[nth] = chance
        return int(chance.integers(2**63))

    def _observations(self) -> Observation:
        facts = self._games.observations()
        return {"facts": facts, "grid": self._games.seen()} if self._arena.has_grid else facts

    def _infos(self) -> dict[str, Any]:
        """A column for each fact, and for each the mask of games that have it, as wrappers expect: all."""
        known = self._games.known()
        infos: dict[str, Any] = {"tick": self._games.ticks, **{name: known[:, nth] for nth, name in enumerate(FACTS)}}
        infos.update({f"_{name}": np.ones(self.num_envs, dtype=np.bool_) for name in list(infos)})
        return infos


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


gymnasium.register("treemind/Arena-v0", entry_point="treemind.gym:ArenaEnv", vector_entry_point="treemind.gym:ArenaVectorEnv")
