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
    """A game, and the spaces of its actions and observations. What is `None` is as the map says, in its part `[steer]`."""

    def __init__(
        self,
        document: Document | str | os.PathLike[str] | None,
        scenario: str | os.PathLike[str] | None,
        steer: Sequence[str] | None,
        *,
        name: str | None,
        observe: Sequence[str] | None,
        grid: bool | int | None,
        actions: Sequence[str] | None,
        reward: str | None,
        until: str | None,
        every: int | None,
        ticks: int | None,
        render_mode: str | None,
        alone: bool = True,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"`render_mode` is None or 'rgb_array', not {render_mode!r}")
        if scenario is None:
            raise TypeError("`scenario` is missing: the path of a map, or its text")
        if isinstance(observe, str):
            observe = [observe]
        folder, text = _read(scenario)
        if not isinstance(document, Document):
            document = read_file(os.fspath(document if document is not None else _named(text, folder)))
        self.game = ArenaGame(
            document,
            text,
            name=name,
            steer=None if steer is None else list(steer),
            observe=None if observe is None else list(observe),
            grid=_squares(grid),
            actions=None if actions is None else list(actions),
            reward=reward,
            until=until,
            every=every,
            ticks=ticks,
            alone=alone,
        )
        self.steered = self.game.names
        self.keys = [None if action == WAIT else action for action in self.game.actions]
        # The place of each action's key, or -1 for none.
        self.codes = np.array([-1 if key is None else KEYS.index(key) for key in self.keys], dtype=np.int64)
        self.render_fps = max(1, round(20 / self.game.every))
        self.action_space = spaces.Discrete(len(self.keys))
        facts = spaces.Box(-np.inf, np.inf, (self.game.width,), np.float32)
        seen = self.game.seen()
        self.has_grid = seen is not None
        self.observation_space: spaces.Space[Any] = facts
        if seen is not None:
            squares = spaces.Box(0, ArenaGame.KINDS - 1, seen.shape, np.uint8)
            self.observation_space = spaces.Dict({"facts": facts, "grid": squares})

    def action(self, action: Any) -> int:
        """The place of an action that somebody has given."""
        if not self.action_space.contains(action):
            raise ValueError(f"an action is a whole number from 0 to {len(self.keys) - 1}, not {action!r}")
        return int(action)


def _read(scenario: str | os.PathLike[str]) -> tuple[Path, str]:
    """The folder of a map, and its text."""
    if isinstance(scenario, str) and "\n" in scenario:
        return Path(), scenario
    path = Path(scenario)
    return path.parent, path.read_text(encoding="utf-8")


def _named(text: str, folder: Path) -> Path:
    """The document that a map names, beside it."""
    named = ArenaGame.document_of(text)
    if named is None:
        raise TypeError("`document` is missing: give it, or name it in the part `[steer]` of the map: `document guard.kdl`")
    return folder / named


def _squares(grid: bool | int | None) -> int | None:
    """How the native part is told what is seen of the map: -1 for nothing, 0 for all of it."""
    if grid is None or isinstance(grid, bool):
        return None if grid is None else 0 if grid else -1
    return -2 if grid <= 0 else int(grid)


def frame(squares: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Squares as an image."""
    return _PALETTE[squares].repeat(_PIXELS, axis=0).repeat(_PIXELS, axis=1)
