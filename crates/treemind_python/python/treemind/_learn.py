"""Decision trees learned from tables."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _native
from ._native import Document


@dataclass(frozen=True)
class Learned:
    """A decision tree that was learned, and how good it is."""

    text: str
    """The document, to be edited, saved and loaded."""
    depth: int
    leaves: int
    learned_right: int
    learned_rows: int
    held_out_right: int
    held_out_rows: int
    classes: list[str]
    confusion: list[list[int]]
    """Of the rows held out: how often each class (row) was taken for each class (column)."""

    @property
    def accuracy(self) -> float | None:
        """The share of the rows held out that it gets right; `None` if none were held out."""
        return self.held_out_right / self.held_out_rows if self.held_out_rows else None

    @property
    def document(self) -> Document:
        """The document, read."""
        return _native.read_text(self.text, "learned.kdl", files={})


def learn(
    table: Any,
    target: str,
    *,
    ignore: Iterable[str] = (),
    name: str = "learned",
    depth: int = 8,
    min_leaf: int = 2,
    criterion: str = "entropy",
    ccp_alpha: float | None = None,
    hold_out: float = 0.25,
    stretch: int = 1,
    seed: int = 0,
) -> Learned:
    """Learns a decision tree that predicts the column `target`.

    `table` is the path of a CSV file, a frame of pandas or anything else with `to_csv`, a mapping from columns to their
    values, or rows that are mappings. The other arguments are those of `treemind learn`.
    """
    wanted = dict(target=target, ignore=list(ignore), name=name, depth=depth, min_leaf=min_leaf, criterion=criterion, ccp_alpha=ccp_alpha, hold_out=hold_out, stretch=stretch, seed=seed)
    text, tree_depth, leaves, learned, held_out, classes, confusion = _native.learn(_bytes(table), wanted)
    return Learned(text, tree_depth, leaves, *learned, *held_out, classes, confusion)


def _bytes(table: Any) -> bytes:
    if isinstance(table, (str, os.PathLike)):
        return Path(table).read_bytes()
    if hasattr(table, "to_csv"):
        return str(table.to_csv(index=False)).encode()
    if isinstance(table, Mapping):
        names = list(table)
        columns = [list(table[key]) for key in names]
        if len({len(column) for column in columns}) > 1:
            raise ValueError("the columns of the table have different lengths")
        return _csv(names, zip(*columns))
    rows = list(table)
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise TypeError("a table is a path, a frame, a mapping of columns, or a list of rows that are mappings")
    names = list(dict.fromkeys(key for row in rows for key in row))
    return _csv(names, ([row.get(key, "") for key in names] for row in rows))


def _csv(names: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _cell(value: Any) -> Any:
    if getattr(value, "ndim", 0):
        return ", ".join(str(part) for part in value.tolist())
    item = value.item() if hasattr(value, "item") else value
    return str(item).lower() if isinstance(item, bool) else item
