"""What is given as an array, in the one form that is read without looking again."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# The type of a key, and that of its column.
_DTYPES = {"bool": np.bool_, "int": np.int64, "float": np.float32, "double": np.float64, "entity": np.uint64, "vec2": np.float32, "vec3": np.float32}
_PARTS = {"vec2": 2, "vec3": 3}


def column(key: str, kind: str, names: list[str], values: Any, rows: int) -> npt.NDArray[Any]:
    """The values of a key for so many agents: one value for all, or one for each."""
    if kind == "enum":
        return _enums(key, names, values, rows)
    if kind not in _DTYPES:
        raise TypeError(f"key `{key}` is `{kind}`, which has no column: set it agent by agent")
    given = np.asarray(values)
    wanted = _fitting(f"key `{key}` is `{kind}`, so its column", given, _DTYPES[kind])
    parts = _PARTS.get(kind)
    shape = (rows,) if parts is None else (rows, parts)
    if given.shape != shape and given.shape not in ((), (parts,)):
        raise ValueError(f"key `{key}`: an array of shape {shape} is wanted, or one value for all, not shape {given.shape}")
    # In one piece and in this machine's order of bytes; if it already is, this copies nothing.
    plain = np.ascontiguousarray(np.broadcast_to(given, shape), dtype=wanted)
    return plain.view(np.uint8) if kind == "bool" else plain


def _fitting(what: str, given: npt.NDArray[Any], dtype: Any) -> np.dtype[Any]:
    """The type of an array that another one can be read as without losing anything but digits."""
    wanted: np.dtype[Any] = np.dtype(dtype)
    is_number = given.dtype.kind in "iuf" and wanted.kind in "iuf"
    fits = given.dtype.kind == wanted.kind or (is_number and not (wanted.kind in "iu" and given.dtype.kind == "f"))
    if not fits:
        raise TypeError(f"{what} is {wanted.name}; an array of {given.dtype.name} does not fit: convert it with `.astype({wanted.name!r})` if that is meant")
    if wanted.kind in "iu" and given.size and given.dtype.kind in "iu":
        info = np.iinfo(np.uint64 if wanted.kind == "u" else np.int64)
        if int(given.min()) < info.min or int(given.max()) > info.max:
            raise ValueError(f"{what} is {wanted.name}, and some values are outside of it")
    return wanted


def candidates(name: str, kind: str, given: Any, rows: int) -> tuple[npt.NDArray[Any], int, bool]:
    """Candidates in one row, how many one agent has, and whether each agent has candidates of its own."""
    if kind not in ("vec2", "vec3", "entity"):
        raise TypeError(f"candidates `{name}` are `{kind}`, which has no array")
    parts = _PARTS.get(kind)
    array = np.asarray(given)
    if array.size == 0:
        return np.zeros(0, dtype=_DTYPES[kind]), 0, False
    wanted = _fitting(f"candidates `{name}` are `{kind}`, so their array", array, _DTYPES[kind])
    width = array.ndim - (1 if parts else 0)
    is_each = width == 2
    if width not in (1, 2) or (parts and array.shape[-1] != parts) or (is_each and array.shape[0] != rows):
        tail = f", {parts}" if parts else ","
        each = f", {parts}" if parts else ""
        raise ValueError(f"candidates `{name}`: an array of shape (n{tail}) is wanted, or ({rows}, n{each}) with a row for each agent, not {array.shape}")
    return np.ascontiguousarray(array, dtype=wanted).reshape(-1), array.shape[1 if is_each else 0], is_each


def measures(name: str, given: Any, rows: int) -> tuple[npt.NDArray[np.float32], int, bool]:
    """Numbers by the places of candidates, how many there are, and whether each agent has numbers of its own."""
    array = np.asarray(given)
    wanted = _fitting(f"measure `{name}` is a number, so its array", array, np.float32)
    is_each = array.ndim == 2
    if array.ndim not in (1, 2) or (is_each and array.shape[0] != rows):
        raise ValueError(f"measure `{name}`: an array of shape (n,) is wanted, or ({rows}, n) with a row for each agent, not {array.shape}")
    return np.ascontiguousarray(array, dtype=wanted).reshape(-1), array.shape[-1], is_each


def answers(name: str, given: Any, rows: int) -> npt.NDArray[np.float32]:
    """What a function has answered for so many candidates."""
    array = np.asarray(given)
    wanted = _fitting(f"measure `{name}` is a number, so what its function returns", array, np.float32)
    if array.shape not in ((), (rows,)):
        raise ValueError(f"measure `{name}` was asked about {rows} candidates, but its function returned an array of shape {array.shape}")
    return np.ascontiguousarray(np.broadcast_to(array, (rows,)), dtype=wanted)


def _enums(key: str, names: list[str], values: Any, rows: int) -> npt.NDArray[Any]:
    places = {name: place for place, name in enumerate(names)}
    given = [values] * rows if isinstance(values, str) else list(values)
    if len(given) != rows:
        raise ValueError(f"key `{key}`: {rows} values are wanted, not {len(given)}")
    unknown = next((value for value in given if str(value) not in places), None)
    if unknown is not None:
        raise ValueError(f"key `{key}` is one of {', '.join(names)}, not {unknown!r}")
    return np.fromiter((places[str(value)] for value in given), dtype=np.int64, count=rows)


def enums(names: list[str], codes: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The names that stand for the positions of an enumeration."""
    return np.array([*names, ""], dtype=object)[codes]


def indices(agents: Any, count: int) -> npt.NDArray[np.int64]:
    """Which agents are meant: indices, or a mask."""
    given = np.asarray(agents)
    if given.dtype == np.bool_:
        if given.shape != (count,):
            raise ValueError(f"a mask of agents has shape {(count,)}, not {given.shape}")
        return np.flatnonzero(given).astype(np.int64)
    if given.size == 0:
        return np.zeros(0, dtype=np.int64)
    if given.dtype.kind not in "iu" or given.ndim > 1:
        raise TypeError(f"agents are given as one index, an array of indices or a mask, not as {given.dtype.name} with {given.ndim} axes")
    flat = np.atleast_1d(given)
    if int(flat.min()) < 0 or int(flat.max()) >= count:
        raise IndexError(f"there are {count} agents, from 0 to {count - 1}")
    return np.ascontiguousarray(flat, dtype=np.int64)


def flags(count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """An array of a byte for each agent, all 0, and the same memory as `bool`."""
    bytes_ = np.zeros(count, dtype=np.uint8)
    return bytes_, bytes_.view(np.bool_)


def objects(values: list[Any]) -> npt.NDArray[Any]:
    """Values of any kind; a list stays one item."""
    made = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        made[place] = value
    return made
