"""Decisions for games and robots: behaviour trees, state machines and decision trees as text, for one agent or a million.

>>> import treemind
>>> guard = treemind.loads("leaves { action patrol; }; tree guard { action patrol; }")
>>> mind = treemind.Mind(guard, {"patrol": lambda: treemind.RUNNING})
>>> mind.tick(dt=0.1)
Status.RUNNING
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _draw
from ._errors import DocumentError, RestoreError, TreemindError
from ._learn import Learned, learn
from ._native import (
    Actor,
    Balanced,
    Cast,
    Diagnostic,
    Document,
    Fault,
    Me,
    Mind,
    Minds,
    Profile,
    Recorder,
    Status,
    Studio,
    TestOutcome,
    __version__,
    balance,
    convert,
    fmt,
    read_file,
    read_text,
    test,
)
from ._recordings import DecisionTable, Recording
from ._sweep import Found, SweepTable, Violation, search, sweep

SUCCESS = Status.SUCCESS
FAILURE = Status.FAILURE
RUNNING = Status.RUNNING
SKIPPED = Status.SKIPPED

__all__ = [
    "FAILURE",
    "RUNNING",
    "SKIPPED",
    "SUCCESS",
    "Actor",
    "Balanced",
    "Cast",
    "DecisionTable",
    "Diagnostic",
    "Document",
    "DocumentError",
    "Fault",
    "Found",
    "Learned",
    "Me",
    "Mind",
    "Minds",
    "Profile",
    "Recorder",
    "Recording",
    "RestoreError",
    "Status",
    "Studio",
    "SweepTable",
    "TestOutcome",
    "TreemindError",
    "Violation",
    "__version__",
    "balance",
    "convert",
    "fmt",
    "learn",
    "load",
    "loads",
    "search",
    "studio",
    "svg",
    "sweep",
    "test",
]


def load(path: str | os.PathLike[str], *, manifest: str | os.PathLike[str] | None = None, allow: Iterable[str | os.PathLike[str]] = (), check: bool = True) -> Document:
    """Reads a document. Its ending decides the format: `.kdl`, `.json`, `.xml`, `.scxml` or `.csv`.

    It may import files from its folder, from folders below, and from the folders in `allow`. `manifest` is the file that
    declares the leaves of a table, or the nodes of an XML of BehaviorTree.CPP. A mistake raises `DocumentError`, unless
    `check` is false: then `diagnostics` has it.
    """
    return read_file(os.fspath(path), manifest=None if manifest is None else os.fspath(manifest), allow=[os.fspath(folder) for folder in allow], check=check)


def loads(text: str, name: str = "document.kdl", *, files: Mapping[str, str] | None = None, manifest: str | None = None, check: bool = True) -> Document:
    """Reads a document from a text. `name` is its name in messages; `files` has the texts that it may import."""
    return read_text(text, name, files=dict(files or {}), manifest=manifest, check=check)


def studio(agents: Mind | Minds | Cast, name: str = "agents", *, port: int = 0) -> Studio:
    """Shows agents in the studio: open `url` in a browser. Keep what this returns; when it is gone, the page stands still."""
    opened = Studio(port)
    opened.watch(agents, name)
    return opened


def svg(what: Document | Mind, name: str | None = None) -> str:
    """A drawing of a tree as SVG; of a mind with what runs now."""
    if isinstance(what, Document):
        return _draw.svg(what._nodes(name), ())
    nodes, running = what._drawing()
    return _draw.svg(nodes, running)


def _show(what: Any) -> str:
    return svg(what)


Document._repr_html_ = _show  # type: ignore[attr-defined]
Mind._repr_html_ = _show  # type: ignore[attr-defined]
