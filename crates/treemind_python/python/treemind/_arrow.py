"""Tables for everything that reads Arrow: columns, described for its C interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import arrow_stream

# Format, name, length, how many are missing, buffers, children, and the dictionary.
_Piece = tuple[str, str, int, int, "list[bytes | None]", "list[_Piece]", "_Piece | None"]

_FORMATS = {"bool": "b", "int": "l", "float": "f", "double": "g", "entity": "L"}


@dataclass
class Column:
    """A column: its values, and which of them are there."""

    name: str
    kind: str
    """`bool`, `int`, `float`, `double`, `entity`, `vector` or `text`."""
    values: npt.NDArray[Any]
    """Of texts: their places in `texts`."""
    there: npt.NDArray[np.bool_]
    texts: list[str] = field(default_factory=list)

    def plain(self) -> npt.NDArray[Any]:
        """The values as an array for people: objects with `None` where there is none, if one is missing."""
        values: npt.NDArray[Any]
        if self.kind == "text":
            values = np.array([*self.texts, ""], dtype=object)[self.values]
        elif self.there.all():
            return self.values
        elif self.kind == "vector":
            values = np.empty(len(self.values), dtype=object)
            values[:] = [tuple(row) for row in self.values.tolist()]
        else:
            values = self.values.astype(object)
        values[~self.there] = None
        return values

    def piece(self) -> _Piece:
        """The column as Arrow has it."""
        rows = len(self.values)
        nulls = int(rows - np.count_nonzero(self.there))
        valid = _bits(self.there) if nulls else None
        if self.kind == "vector":
            flat = np.ascontiguousarray(self.values, dtype=np.float32)
            item: _Piece = ("f", "item", flat.size, 0, [None, flat.tobytes()], [], None)
            return (f"+w:{flat.shape[1]}", self.name, rows, nulls, [valid], [item], None)
        if self.kind == "text":
            encoded = [text.encode() for text in self.texts]
            ends = np.zeros(len(encoded) + 1, dtype=np.int32)
            ends[1:] = np.cumsum([len(text) for text in encoded], dtype=np.int64)
            texts: _Piece = ("u", "", len(encoded), 0, [None, ends.tobytes(), b"".join(encoded)], [], None)
            return ("i", self.name, rows, nulls, [valid, self.values.astype(np.int32).tobytes()], [], texts)
        data = _bits(self.values) if self.kind == "bool" else np.ascontiguousarray(self.values).tobytes()
        return (_FORMATS[self.kind], self.name, rows, nulls, [valid, data], [], None)


def _bits(flags: npt.NDArray[np.bool_]) -> bytes:
    return np.packbits(flags, bitorder="little").tobytes()


def stream(columns: Sequence[Column]) -> Any:
    """A capsule with a stream of Arrow."""
    rows = len(columns[0].values) if columns else 0
    table: _Piece = ("+s", "", rows, 0, [None], [column.piece() for column in columns], None)
    return arrow_stream(table)
