"""Sweeps: a scenario of the arena, played many times, on one core, on all of them, or on a cluster of Ray."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _arrow
from ._errors import TreemindError
from ._native import Document, SweepRuns
from ._recordings import sweep_columns

Documents: TypeAlias = "Document | Sequence[Document] | Mapping[str, Document]"
Batch = tuple[Any, ...]

# The most runs of a task: so many keep a worker busy for a while, and few are lost with it.
_BATCH = 256
# Runs between two looks at whether somebody has pressed Ctrl-C.
_BETWEEN = 64


@dataclass(frozen=True)
class Violation:
    """A run in which something did not hold that must always hold."""

    promise: str
    seed: int
    tick: int
    setting: dict[str, Any]
    _runs: SweepRuns
    _number: int

    def record(self, path: str | os.PathLike[str]) -> None:
        """Plays the run again and records it: `treemind replay` and the studio show it."""
        self._runs.record(self._number, self.seed, os.fspath(path))


@dataclass(frozen=True)
class _Spec:
    """What a worker needs to play runs. It can be pickled."""

    documents: list[tuple[str, Document]]
    map: str
    name: str | None
    ticks: int
    measures: dict[str, str]
    always: list[str]
    until: str | None
    vary: dict[str, list[str]]

    def runs(self) -> list[SweepRuns]:
        return [
            SweepRuns(
                document,
                self.map,
                name=self.name,
                ticks=self.ticks,
                measures=list(self.measures.values()),
                always=self.always,
                until=self.until,
                vary=list(self.vary.items()),
            )
            for _, document in self.documents
        ]

    def fingerprint(self) -> str:
        known: list[Any] = [self.map, self.name, self.ticks, self.measures, self.always, self.until, self.vary]
        known.append([[name, document.texts] for name, document in self.documents])
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()


class SweepTable:
    """A row for each run. `columns` are arrays of NumPy; `frame()` is a frame of pandas."""

    def __init__(self, spec: _Spec, runs: list[SweepRuns], which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], parts: list[Batch]) -> None:
        self._spec = spec
        self._runs = runs
        self._per_document = runs[0].settings
        self._which = which
        ticks, alive, faults, broken, tick, measures = (np.concatenate(part) for part in zip(*parts, strict=True))
        self._broken, self._broken_tick = broken, tick
        self.settings: list[dict[str, Any]] = [self._setting(number) for number in range(self._per_document * len(runs))]
        """What differs between the settings, by their numbers in the column `setting`."""
        self.columns: dict[str, npt.NDArray[Any]] = {"setting": which, "seed": seeds, "ticks": ticks, "alive": alive, "faults": faults, "held": broken < 0}
        """`setting`, what varies, `seed`, `ticks`, `alive`, `faults`, `held` (whether all promises did), and the measures."""
        for key in self.settings[0] if self.settings else ():
            self.columns[key] = np.array([setting[key] for setting in self.settings], dtype=object)[which] if len(which) else np.zeros(0)
            if all(isinstance(setting[key], (int, float)) for setting in self.settings):
                self.columns[key] = np.array([setting[key] for setting in self.settings])[which]
        for place, measure in enumerate(spec.measures):
            self.columns[measure] = measures[:, place]

    def _setting(self, number: int) -> dict[str, Any]:
        document, inner = divmod(number, self._per_document)
        named = {"document": self._spec.documents[document][0]} if len(self._runs) > 1 else {}
        return {**named, **self._runs[document].setting(inner)}

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        return self.columns[column]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SweepTable) or list(self.columns) != list(other.columns):
            return NotImplemented if not isinstance(other, SweepTable) else False
        return all(_same(self.columns[name], other.columns[name]) for name in self.columns)

    __hash__ = None  # type: ignore[assignment]

    def frame(self) -> Any:
        """The rows as a frame of pandas."""
        try:
            import pandas
        except ImportError:
            raise TreemindError("this needs pandas: `pip install treemind[pandas]`; without it, `columns` has the arrays") from None
        return pandas.DataFrame(self.columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows for everything that reads Arrow, such as `polars.DataFrame(table)` or `pyarrow.table(table)`."""
        return _arrow.stream(sweep_columns(self.columns))

    def quantiles(self, measure: str, at: Sequence[float] = (0.05, 0.5, 0.95)) -> list[dict[str, Any]]:
        """For each setting: what differs in it, the number of runs, the mean of a measure, and its quantiles."""
        values = self.columns[measure].astype(float)
        rows = []
        for number, setting in enumerate(self.settings):
            of = values[self._which == number]
            known = of[~np.isnan(of)]
            row = {**setting, "runs": len(of), "mean": float(known.mean()) if known.size else math.nan}
            row.update({f"q{share:g}": float(np.quantile(known, share)) if known.size else math.nan for share in at})
            rows.append(row)
        return rows

    def first_violation(self) -> Violation | None:
        """The first run in which something did not hold that was `always` to hold."""
        broken = np.flatnonzero(self._broken >= 0)
        if not broken.size:
            return None
        at = int(broken[0])
        number = int(self._which[at])
        document, inner = divmod(number, self._per_document)
        promise = self._spec.always[int(self._broken[at])]
        return Violation(promise, int(self.columns["seed"][at]), int(self._broken_tick[at]), self.settings[number], self._runs[document], inner)

    def record(self, row: int, path: str | os.PathLike[str]) -> None:
        """Plays the run of a row again and records it."""
        document, inner = divmod(int(self._which[row]), self._per_document)
        self._runs[document].record(inner, int(self.columns["seed"][row]), os.fspath(path))

    def __repr__(self) -> str:
        return f"<SweepTable: {len(self)} runs of {len(self.settings)} settings>"


def _same(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    return a.dtype == b.dtype and (a.tobytes() == b.tobytes() if a.dtype != object else bool(np.array_equal(a, b)))


def sweep(
    document: Documents,
    scenario: str | os.PathLike[str],
    *,
    seeds: Iterable[int] = range(100),
    vary: Mapping[str, Iterable[Any]] | None = None,
    measure: Mapping[str, str] | None = None,
    always: Iterable[str] = (),
    until: str | None = None,
    ticks: int = 600,
    name: str | None = None,
    on: str = "cores",
    keep: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> SweepTable:
    """Plays a scenario once for each setting and seed.

    `document` is one, or several to be compared; `scenario` is the path of a map, or its text. `vary` gives keys other
    start values, in all combinations. `measure` names numbers, as expressions over the keys of the first one on the map
    whose mind is `main`; `always` must hold after each tick; `until` ends a run. `on` is `"one"` core, all `"cores"`, or
    `"ray"`. The table is the same everywhere. With `keep`, a folder, each batch of runs is kept as soon as it is
    finished, and a sweep that was stopped goes on from there.
    """
    spec = _spec(document, scenario, vary, measure, always, until, ticks, name)
    runs = spec.runs()
    numbers = list(range(runs[0].settings * len(runs)))
    which, chosen = _grid(numbers, seeds)
    parts = _play(spec, runs, which, chosen, on, keep, progress)
    return SweepTable(spec, runs, which, chosen, parts)


def _spec(
    document: Documents,
    scenario: str | os.PathLike[str],
    vary: Mapping[str, Iterable[Any]] | None,
    measure: Mapping[str, str] | None,
    always: Iterable[str],
    until: str | None,
    ticks: int,
    name: str | None,
) -> _Spec:
    if isinstance(document, Document):
        documents = [("document", document)]
    elif isinstance(document, Mapping):
        documents = list(document.items())
    else:
        documents = [(one.name, one) for one in document]
    if not documents:
        raise ValueError("there is no document")
    if isinstance(always, str):
        always = [always]
    is_text = isinstance(scenario, str) and "\n" in scenario
    text = str(scenario) if is_text else Path(scenario).read_text()
    varied = {key: [_written(value) for value in values] for key, values in (vary or {}).items()}
    return _Spec(documents, text, name, ticks, dict(measure or {}), list(always), until, varied)


def _written(value: Any) -> str:
    item = value.item() if hasattr(value, "item") else value
    return str(item).lower() if isinstance(item, bool) else str(item)


def _grid(settings: Sequence[int], seeds: Iterable[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    chosen = np.fromiter(seeds, dtype=np.uint64)
    if not chosen.size:
        raise ValueError("there are no seeds")
    return np.repeat(np.array(settings, dtype=np.int64), chosen.size), np.tile(chosen, len(settings))


def _batches(which: npt.NDArray[np.int64], per_document: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows that are of one document."""
    begin = 0
    while begin < len(which):
        same = int(np.searchsorted(which, (int(which[begin]) // per_document + 1) * per_document))
        end = min(begin + _BATCH, same)
        yield begin, end
        begin = end


def _one(runs: list[SweepRuns], which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], threads: int) -> Batch:
    document, _ = divmod(int(which[0]), runs[0].settings)
    inner = np.ascontiguousarray(which % runs[0].settings)
    step = _BETWEEN * threads
    parts = [runs[document].run(inner[at : at + step], np.ascontiguousarray(seeds[at : at + step]), threads) for at in range(0, len(which), step)]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _play(
    spec: _Spec,
    runs: list[SweepRuns],
    which: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.uint64],
    on: str,
    keep: str | os.PathLike[str] | None,
    progress: Callable[[int, int], object] | None,
) -> list[Batch]:
    kept = _Kept(keep, spec) if keep is not None else None
    found: dict[int, Batch] = {}
    missing = []
    for begin, end in _batches(which, runs[0].settings):
        known = kept.find(which[begin:end], seeds[begin:end]) if kept else None
        if known is None:
            missing.append((begin, end))
        else:
            found[begin] = known
    done = len(which) - sum(end - begin for begin, end in missing)
    for (begin, end), batch in _places(on)(spec, runs, which, seeds, missing):
        found[begin] = batch
        if kept:
            kept.add(which[begin:end], seeds[begin:end], batch)
        done += end - begin
        if progress:
            progress(done, len(which))
    return [found[begin] for begin in sorted(found)]


_Played = Iterator[tuple[tuple[int, int], Batch]]


def _places(on: str) -> Callable[..., _Played]:
    if on == "ray":
        return _by_ray
    if on not in ("one", "cores"):
        raise ValueError(f"`on` is 'one', 'cores' or 'ray', not {on!r}")
    threads = 1 if on == "one" else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def here(spec: _Spec, runs: list[SweepRuns], which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], missing: list[tuple[int, int]]) -> _Played:
        for begin, end in missing:
            yield (begin, end), _one(runs, which[begin:end], seeds[begin:end], threads)

    return here


# What a worker has made of a specification, so that a task does not read the document again.
_made: dict[str, list[SweepRuns]] = {}


def _task(spec: _Spec, key: str, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> Batch:
    if key not in _made:
        _made.clear()
        _made[key] = spec.runs()
    return _one(_made[key], which, seeds, 1)


def _by_ray(spec: _Spec, runs: list[SweepRuns], which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], missing: list[tuple[int, int]]) -> _Played:
    try:
        import ray
    except ImportError:
        raise TreemindError("`on='ray'` needs Ray: `pip install treemind[ray]`; `on='cores'` uses this machine without it") from None
    if tuple(int(part) for part in ray.__version__.split(".")[:2]) < (2, 40):
        raise TreemindError(f"Ray {ray.__version__} is too old: 2.40 or newer is needed")
    if not ray.is_initialized():
        ray.init()
    # A worker that dies loses nothing: its task is run again, as often as it takes.
    task = ray.remote(max_retries=-1)(_task)
    shared, key = ray.put(spec), spec.fingerprint()
    resources: dict[str, float] = getattr(ray, "cluster_resources")()
    most = 2 * max(1, int(resources.get("CPU", 1)))
    waiting = iter(missing)
    running: dict[Any, tuple[int, int]] = {}

    def begin_some(count: int) -> None:
        for begin, end in itertools.islice(waiting, count):
            running[task.remote(shared, key, which[begin:end], seeds[begin:end])] = (begin, end)

    try:
        begin_some(most)
        while running:
            (ready,), _ = ray.wait(list(running), num_returns=1)
            place = running.pop(ready)
            begin_some(1)
            yield place, ray.get(ready)
    finally:
        for rest in running:
            ray.cancel(rest)


class _Kept:
    """Batches that are finished, in a folder. Each file is whole or not there."""

    def __init__(self, folder: str | os.PathLike[str], spec: _Spec) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._spec = spec.fingerprint()

    def _path(self, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> Path:
        key = hashlib.sha256(self._spec.encode() + which.tobytes() + seeds.tobytes()).hexdigest()
        return self._folder / f"{key[:32]}.npz"

    def find(self, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> Batch | None:
        try:
            with np.load(self._path(which, seeds), allow_pickle=False) as found:
                batch = tuple(found[f"arr_{place}"] for place in range(6))
        except (OSError, ValueError, KeyError, EOFError):
            return None
        return batch if all(len(column) == len(which) for column in batch) else None

    def add(self, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64], batch: Batch) -> None:
        path = self._path(which, seeds)
        unfinished = path.with_suffix(f".{os.getpid()}.part")
        with unfinished.open("wb") as out:
            np.savez(out, *batch)
        unfinished.replace(path)


@dataclass(frozen=True)
class Found:
    """The setting that comes nearest to what was wanted, and how sure that is."""

    setting: dict[str, Any]
    value: float
    """The mean of the measure with this setting."""
    low: float
    high: float
    """Between `low` and `high` the true mean lies with a probability of 95 %."""
    runs: int
    """How many runs with this setting say so."""
    played: int
    """How many runs were played in all."""
    rounds: list[list[dict[str, Any]]]
    """What was left in each round, the best first, each with its mean and its number of runs."""


def search(
    document: Documents,
    scenario: str | os.PathLike[str],
    *,
    vary: Mapping[str, Iterable[Any]],
    measure: str,
    target: float | None = None,
    seeds: Iterable[int] = range(1_000),
    first: int = 16,
    until: str | None = None,
    ticks: int = 600,
    name: str | None = None,
    on: str = "cores",
) -> Found:
    """Finds the setting whose mean of `measure` comes nearest to `target`, or is greatest without one.

    By successive halving: all settings are played with the `first` seeds; the better half goes on with twice as many,
    until one is left, which is played with all seeds. No run is played twice.
    """
    spec = _spec(document, scenario, vary, {"measure": measure}, (), until, ticks, name)
    runs = spec.runs()
    chosen = np.fromiter(seeds, dtype=np.uint64)
    if first < 1 or not chosen.size:
        raise ValueError("`first` is 1 or more, and there must be seeds")
    values: dict[int, npt.NDArray[np.float64]] = {number: np.zeros(0) for number in range(runs[0].settings * len(runs))}
    left = list(values)
    count = min(first, chosen.size)
    rounds: list[list[dict[str, Any]]] = []
    table = SweepTable(spec, runs, np.zeros(0, np.int64), np.zeros(0, np.uint64), [_nothing()])
    while True:
        for number in left:
            more = chosen[len(values[number]) : count]
            if more.size:
                which = np.full(more.size, number, dtype=np.int64)
                parts = _play(spec, runs, which, more, on, None, None)
                values[number] = np.concatenate([values[number], *(part[5][:, 0] for part in parts)])
        left.sort(key=lambda number: (_loss(values[number], target), number))
        rounds.append([{**table.settings[number], "mean": _mean(values[number]), "runs": len(values[number])} for number in left])
        if len(left) == 1 and count == chosen.size:
            break
        left = left[: (len(left) + 1) // 2]
        count = chosen.size if len(left) == 1 else min(2 * count, chosen.size)
    best = values[left[0]]
    low, high = _interval(best)
    return Found(table.settings[left[0]], _mean(best), low, high, len(best), sum(map(len, values.values())), rounds)


def _nothing() -> Batch:
    ints = np.zeros(0, np.int64)
    return (ints, np.zeros(0, np.bool_), ints, ints - 1, ints, np.zeros((0, 1)))


def _mean(values: npt.NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _loss(values: npt.NDArray[np.float64], target: float | None) -> float:
    mean = _mean(values)
    if math.isnan(mean):
        return math.inf
    return -mean if target is None else abs(mean - target)


def _interval(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """95 %: that of Wilson for shares, the normal one for other numbers."""
    known = values[~np.isnan(values)]
    count, mean = known.size, _mean(values)
    if count < 2:
        return (-math.inf, math.inf)
    z = 1.959964
    if np.isin(known, (0.0, 1.0)).all():
        middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
        return (middle - half, middle + half)
    half = z * float(known.std(ddof=1)) / math.sqrt(count)
    return (mean - half, mean + half)
