"""The arena with several learners, as a parallel environment of PettingZoo.

>>> import treemind.zoo
>>> env = treemind.zoo.parallel_env("castle.kdl", "castle.map", steer=["hero", "captain"])  # doctest: +SKIP
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._errors import TreemindError
from ._native import ArenaGame, ArenaGames, Document

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import ParallelEnv
except ImportError:
    raise TreemindError("this needs PettingZoo: `pip install treemind[pettingzoo]`") from None

from ._arena import KEYS, WAIT, Arena, frame

__all__ = ["FACTS", "KEYS", "WAIT", "ArenaParallelEnv", "parallel_env"]

FACTS: dict[str, str] = dict(ArenaGame.facts())
"""The facts that expressions are about, and what each says."""

Observation = Any


class ArenaParallelEnv(ParallelEnv[str, Observation, Any]):
    """Several actors of a scenario, each steered by a learner; minds play all others.

    `steer` names the actors, by default those of the part `[steer]` of the map. What is observed, the actions, the reward and `until` are those of `treemind.gym.ArenaEnv`,
    and are asked of each of them. Who is dead, or for whom `until` holds, takes no more part; the game goes on for the
    others.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "treemind_arena_v0", "render_modes": ["rgb_array"], "render_fps": 4, "is_parallelizable": True}  # type: ignore[misc]

    def __init__(
        self,
        document: Document | str | os.PathLike[str] | None = None,
        scenario: str | os.PathLike[str] | None = None,
        steer: Sequence[str] | None = None,
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
        if isinstance(steer, str):
            steer = [steer]
        self._arena = Arena(
            document,
            scenario,
            steer,
            name=name,
            observe=observe,
            grid=grid,
            actions=actions,
            reward=reward,
            until=until,
            every=every,
            ticks=ticks,
            render_mode=render_mode,
            alone=False,
        )
        self._games = ArenaGames(self._arena.game, 1, 1)
        self._chance: np.random.Generator | None = None
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": self._arena.render_fps}  # type: ignore[misc]
        self.possible_agents: list[str] = list(self._arena.steered)
        self.agents: list[str] = []
        # One space for each: their chance is their own.
        self.observation_spaces: dict[str, spaces.Space[Any]] = {one: copy.deepcopy(self._arena.observation_space) for one in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {one: spaces.Discrete(len(self._arena.keys)) for one in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins again. The seed is that of the game; without one, the next game of the last seed."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        elif self._chance is None:
            self._chance, _ = seeding.np_random()
        drawn = seed if seed is not None else int(self._chance.integers(2**63)) if self._chance is not None else 0
        self._games.begin(np.ones(1, dtype=np.uint8), np.array([drawn], dtype=np.uint64))
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Presses keys and plays a turn. Those of `agents` that are not in `actions` press none."""
        strange = [one for one in actions if one not in self.possible_agents]
        if strange:
            raise ValueError(f"there is no agent {strange[0]!r}; there are: {', '.join(self.possible_agents)}")
        keys = np.full(len(self.possible_agents), -1, dtype=np.int64)
        for place, one in enumerate(self.possible_agents):
            if one in actions and one in self.agents:
                keys[place] = self._arena.codes[self._arena.action(actions[one])]
        if not self.agents:
            return {}, {}, {}, {}, {}
        rewards, over, cut = self._games.turn(np.ones(1, dtype=np.uint8), keys)
        places = {one: self.possible_agents.index(one) for one in self.agents}
        told = (
            self._observations(),
            {one: float(rewards[place]) for one, place in places.items()},
            {one: bool(over[place]) for one, place in places.items()},
            {one: bool(cut[place] and not over[place]) for one, place in places.items()},
            self._infos(),
        )
        self.agents = [one for one, place in places.items() if not (over[place] or cut[place])]
        return told

    def render(self) -> npt.NDArray[np.uint8] | None:
        """The map as an image, as the first agent has it, with `render_mode="rgb_array"`."""
        return None if self.render_mode is None else frame(self._games.squares()[0])

    def state(self) -> npt.NDArray[np.float32]:
        """What all observe together, dead or alive."""
        return self._games.observations().reshape(-1)

    def close(self) -> None:
        """There is nothing to close."""

    def _observations(self) -> dict[str, Observation]:
        facts = self._games.observations()
        squares = self._games.seen()
        places = ((one, self.possible_agents.index(one)) for one in self.agents)
        return {one: facts[place] if squares is None else {"facts": facts[place], "grid": squares[place]} for one, place in places}

    def _infos(self) -> dict[str, dict[str, Any]]:
        known, tick = self._games.known(), int(self._games.ticks[0])
        rows = {one: known[self.possible_agents.index(one)] for one in self.agents}
        return {one: {"tick": tick, **{name: float(row[nth]) for nth, name in enumerate(FACTS)}} for one, row in rows.items()}


parallel_env = ArenaParallelEnv
