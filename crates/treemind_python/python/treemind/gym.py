"""The arena as an environment of Gymnasium. Importing this registers `treemind/Arena-v0`.

>>> import gymnasium, treemind.gym
>>> env = gymnasium.make("treemind/Arena-v0", document="castle.kdl", scenario="castle.map", steer="hero")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._errors import TreemindError
from ._native import ArenaGame, Document, read_file

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise TreemindError("this needs Gymnasium: `pip install treemind[gymnasium]`") from None

__all__ = ["FACTS", "KEYS", "WAIT", "ArenaEnv"]

FACTS: dict[str, str] = dict(ArenaGame.facts())
"""The facts that expressions are about, and what each says. Each is also there as `was_NAME`: what it was a turn before."""
KEYS: tuple[str, ...] = tuple(ArenaGame.keys())
"""The keys that steer an actor."""
WAIT = "wait"
"""The action that presses no key: the actor goes on with what it does."""

# A colour for each kind of square: floor, wall, door, coin, other things, fallen, others, enemies, the one who is steered.
_PALETTE = np.array(
    [
        (238, 236, 230),
        (74, 78, 86),
        (150, 106, 64),
        (232, 186, 44),
        (120, 160, 150),
        (176, 170, 170),
        (86, 130, 196),
        (206, 62, 62),
        (40, 150, 84),
    ],
    dtype=np.uint8,
)
# How many pixels a square is wide.
_PIXELS = 12

Observation = Any


class ArenaEnv(gymnasium.Env[Observation, np.int64]):
    """One actor of a scenario, steered by keys; minds play all others.

    `document` is a document or its path, `scenario` the path of a map or its text, `steer` the name of an actor on it;
    `name` is the tree or machine of those whose mind is `main`. `observe` has expressions over `FACTS`, by default each
    fact. With `grid=True` an observation is a dictionary with `facts` and `grid`, the map as squares. `actions` are keys,
    or `"wait"`. An action is done for `every` ticks of a twentieth of a second. `reward` is an expression, in which
    `was_health` is what `health` was before the action; `until` ends a game, and `ticks` cuts it off.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        document: Document | str | os.PathLike[str],
        scenario: str | os.PathLike[str],
        steer: str = "hero",
        *,
        name: str | None = None,
        observe: Sequence[str] = (),
        grid: bool = False,
        actions: Sequence[str] = (WAIT, *KEYS),
        reward: str | None = None,
        until: str | None = None,
        every: int = 5,
        ticks: int = 2_400,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"`render_mode` is None or 'rgb_array', not {render_mode!r}")
        unknown = [action for action in actions if action != WAIT and action not in KEYS]
        if unknown or not actions:
            raise ValueError(f"actions are some of {', '.join((WAIT, *KEYS))}, not {unknown or 'none'}")
        if isinstance(observe, str):
            observe = [observe]
        if not isinstance(document, Document):
            document = read_file(os.fspath(document))
        is_text = isinstance(scenario, str) and "\n" in scenario
        text = str(scenario) if is_text else Path(scenario).read_text(encoding="utf-8")
        self._game = ArenaGame(document, text, name=name, steer=steer, observe=list(observe), reward=reward, until=until, every=every, ticks=ticks)
        self._keys = [None if action == WAIT else action for action in actions]
        self._has_grid = grid
        self.render_mode = render_mode
        # Beside this, a game's length in seconds is that of its frames.
        self.metadata = {**self.metadata, "render_fps": max(1, round(20 / every))}  # type: ignore[misc]
        self.action_space = spaces.Discrete(len(self._keys))
        facts = spaces.Box(-np.inf, np.inf, (self._game.width,), np.float32)
        shape = self._game.squares().shape
        squares = spaces.Box(0, ArenaGame.KINDS - 1, shape, np.uint8)
        self.observation_space = spaces.Dict({"facts": facts, "grid": squares}) if grid else facts

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins again. The seed is that of the game; without one, the next game of the last seed."""
        super().reset(seed=seed)
        self._game.begin(seed if seed is not None else int(self.np_random.integers(2**63)))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Presses a key and plays a turn."""
        if not self.action_space.contains(action):
            raise ValueError(f"an action is a whole number from 0 to {len(self._keys) - 1}, not {action!r}")
        reward, over, cut = self._game.turn(self._keys[int(action)])
        return self._observation(), reward, over, cut and not over, self._info()

    def render(self) -> npt.NDArray[np.uint8] | None:
        """The map as an image, with `render_mode="rgb_array"`."""
        if self.render_mode is None:
            return None
        return _PALETTE[self._game.squares()].repeat(_PIXELS, axis=0).repeat(_PIXELS, axis=1)

    def _observation(self) -> Observation:
        facts = self._game.observation().astype(np.float32)
        return {"facts": facts, "grid": self._game.squares()} if self._has_grid else facts

    def _info(self) -> dict[str, Any]:
        return {"tick": self._game.tick, **dict(self._game.known())}


gymnasium.register("treemind/Arena-v0", entry_point="treemind.gym:ArenaEnv")
