"""Recordings, read as tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrow, _native
from ._errors import TreemindError


class DecisionTable(Mapping[str, "npt.NDArray[Any]"]):
    """What agents knew and did: a row for each agent and tick.

    It is a mapping from names to columns: `tick`, `time` in seconds, `agent`, each key with single values as it was when
    the behaviour first read it in the tick, each condition with what it answered, `action`, and `status`, what the
    behaviour answered. Where there is no value, such as for a condition that was not asked, there is `None`.
    """

    def __init__(self, columns: list[_arrow.Column]) -> None:
        self._columns = {column.name: column for column in columns}

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name].plain()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._columns["tick"].values)

    def frame(self) -> Any:
        """The rows as a frame of pandas."""
        try:
            import pandas
        except ImportError:
            raise TreemindError("this needs pandas: `pip install treemind[pandas]`; without it, the table is a mapping of arrays") from None
        return pandas.DataFrame({name: list(column) if column.ndim > 1 else column for name, column in self.items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows for everything that reads Arrow: `polars.DataFrame(table)`, `pyarrow.table(table)`, `duckdb` and others."""
        return _arrow.stream(list(self._columns.values()))

    def __repr__(self) -> str:
        return f"<DecisionTable: {self.rows} rows of {', '.join(self)}>"


class Recording:
    """A recording that a `Recorder` has written, or `treemind run --record`. Of a file with several, `run` is which one, from 1."""

    def __init__(self, path: str | os.PathLike[str], *, run: int = 0) -> None:
        self._native = _native.Recording(os.fspath(path), run=run)

    @property
    def populations(self) -> list[str]:
        """The names of the populations: one, except of a `Cast`."""
        return self._native.populations

    @property
    def ticks(self) -> tuple[int, int]:
        """The first tick and the last one."""
        return self._native.ticks

    @property
    def runs(self) -> int:
        """How many recordings follow each other in the file."""
        return self._native.runs

    @property
    def texts(self) -> list[list[tuple[str, str]]]:
        """The names and texts of the files of each document."""
        return self._native.texts

    def table(self, population: str | None = None, *, first: int = 0, last: int | None = None) -> DecisionTable:
        """What the agents of a population knew and did, in all ticks or in some."""
        most = 2**64 - 1
        columns = self._native._columns(population, first, most if last is None else last)
        return DecisionTable([_arrow.Column(name, kind, values, there, texts) for name, kind, values, there, texts in columns])

    def profile(self, population: str | None = None, *, first: int = 0, last: int | None = None) -> _native.Profile:
        """How often each way was taken through the decision trees of a population, for `balance`."""
        return self._native._profile(population, first, 2**64 - 1 if last is None else last)

    def __repr__(self) -> str:
        return repr(self._native)


def sweep_columns(columns: Mapping[str, npt.NDArray[Any]]) -> list[_arrow.Column]:
    """The columns of a table of sweeps as Arrow has them."""
    made = []
    for name, values in columns.items():
        there = np.ones(len(values), dtype=np.bool_)
        kind = {"b": "bool", "i": "int", "u": "entity", "f": "double"}.get(values.dtype.kind)
        if kind is not None:
            wanted = {"bool": np.bool_, "int": np.int64, "entity": np.uint64, "double": np.float64}[kind]
            made.append(_arrow.Column(name, kind, values.astype(wanted, copy=False), there))
            continue
        texts, places = np.unique(values.astype(str), return_inverse=True)
        made.append(_arrow.Column(name, "text", places.astype(np.int32), there, texts.tolist()))
    return made
