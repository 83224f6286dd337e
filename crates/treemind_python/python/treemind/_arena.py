"""What the environments of the arena have in common: the game, and what its actions and observations are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._native import ArenaGame, Document, read_file

KEYS: tuple[str, ...] = tuple(ArenaGame.keys())
WAIT = "wait"

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


class Arena:
    """A game, and the spaces of its actions and observations."""

    def __init__(
        self,
        document: Document | str | os.PathLike[str],
        scenario: str | os.PathLike[str],
        steer: Sequence[str],
        *,
        name: str | None,
        observe: Sequence[str],
        grid: bool,
        actions: Sequence[str],
        reward: str | None,
        until: str | None,
        every: int,
        ticks: int,
        render_mode: str | None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"`render_mode` is None or 'rgb_array', not {render_mode!r}")
        unknown = [action for action in actions if action != WAIT and action not in KEYS]
        if unknown or not actions:
            raise ValueError(f"actions are some of {', '.join((WAIT, *KEYS))}, not {unknown or 'none'}")
        if not steer:
            raise ValueError("nobody is steered: `steer` names actors of the map")
        if isinstance(observe, str):
            observe = [observe]
        if not isinstance(document, Document):
            document = read_file(os.fspath(document))
        is_text = isinstance(scenario, str) and "\n" in scenario
        text = str(scenario) if is_text else Path(scenario).read_text(encoding="utf-8")
        first, *others = steer
        self.game = ArenaGame(document, text, name=name, steer=first, others=others, observe=list(observe), reward=reward, until=until, every=every, ticks=ticks)
        self.keys = [None if action == WAIT else action for action in actions]
        # The place of each action's key, or -1 for none.
        self.codes = np.array([-1 if key is None else KEYS.index(key) for key in self.keys], dtype=np.int64)
        self.has_grid = grid
        self.render_fps = max(1, round(20 / every))
        self.action_space = spaces.Discrete(len(self.keys))
        facts = spaces.Box(-np.inf, np.inf, (self.game.width,), np.float32)
        squares = spaces.Box(0, ArenaGame.KINDS - 1, self.game.squares().shape, np.uint8)
        self.observation_space: spaces.Space[Any] = spaces.Dict({"facts": facts, "grid": squares}) if grid else facts

    def action(self, action: Any) -> int:
        """The place of an action that somebody has given."""
        if not self.action_space.contains(action):
            raise ValueError(f"an action is a whole number from 0 to {len(self.keys) - 1}, not {action!r}")
        return int(action)


def frame(squares: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Squares as an image."""
    return _PALETTE[squares].repeat(_PIXELS, axis=0).repeat(_PIXELS, axis=1)
