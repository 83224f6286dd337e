"""Sweeps: the same table everywhere, what broke a promise, and the search."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treemind

MEASURE = {"health": "health", "hurt": "health < 60"}


def fights(examples: Path, **others: Any) -> treemind.SweepTable:
    asked: dict[str, Any] = dict(seeds=range(12), vary={"flee_below": [20, 90]}, measure=MEASURE, always=["health > 10"], ticks=300)
    asked.update(others)
    return treemind.sweep(treemind.load(examples / "01-guard/guard-tuned.kdl"), examples / "01-guard/yard.map", **asked)


def test_a_table_has_a_row_for_each_run(examples: Path) -> None:
    table = fights(examples)
    assert len(table) == 24
    assert table.settings == [{"flee_below": 20.0}, {"flee_below": 90.0}]
    assert not np.array_equal(table["health"][:12], table["health"][12:])
    assert list(table["seed"][:3]) == [0, 1, 2] and list(table["setting"][[0, 23]]) == [0, 1]
    assert (table["ticks"] > 0).all() and (table["faults"] == 0).all()
    assert set(np.unique(table["hurt"])) <= {0.0, 1.0}
    rows = table.quantiles("ticks")
    assert [row["runs"] for row in rows] == [12, 12]
    assert rows[0]["q0.05"] <= rows[0]["q0.5"] <= rows[0]["q0.95"]


def test_one_core_and_all_cores_give_the_same(examples: Path) -> None:
    assert fights(examples, on="one") == fights(examples, on="cores")
    assert fights(examples, on="one") != fights(examples, on="one", seeds=range(1, 13))


def test_a_planted_defect_is_found_and_recorded(examples: Path, tmp_path: Path) -> None:
    table = fights(examples, always=["health > 0", "health > 35"])
    violation = table.first_violation()
    assert violation is not None and violation.promise == "health > 35"
    violation.record(tmp_path / "broken.mcap")
    assert (tmp_path / "broken.mcap").stat().st_size > 1_000
    assert fights(examples, always=["health <= 200"]).first_violation() is None


def test_a_sweep_goes_on_from_what_is_finished(examples: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done < of:
            raise Enough

    with pytest.raises(Enough):
        fights(examples, seeds=range(300), ticks=20, keep=tmp_path, progress=stop)
    (kept,) = tmp_path.iterdir()
    before = kept.stat().st_mtime_ns
    told: list[int] = []
    table = fights(examples, seeds=range(300), ticks=20, keep=tmp_path, progress=lambda done, of: told.append(done))
    assert told[0] > 256 and told[-1] == 600
    assert kept.stat().st_mtime_ns == before
    assert table == fights(examples, seeds=range(300), ticks=20)
    kept.write_bytes(b"damaged")
    assert table == fights(examples, seeds=range(300), ticks=20, keep=tmp_path)


def test_several_documents_are_compared(examples: Path) -> None:
    folder = examples / "01-guard"
    documents = {"quick": treemind.load(folder / "guard.kdl"), "classic": treemind.load(folder / "guard-classic.kdl")}
    table = treemind.sweep(documents, folder / "yard.map", seeds=range(4), measure=MEASURE, ticks=200)
    assert [setting["document"] for setting in table.settings] == ["quick", "classic"]
    assert list(table["document"]) == ["quick"] * 4 + ["classic"] * 4


def test_frames(examples: Path) -> None:
    pytest.importorskip("pandas")
    frame = fights(examples).frame()
    assert len(frame) == 24 and "hurt" in frame.columns


def test_the_search_says_how_sure_it_is(examples: Path) -> None:
    document = treemind.load(examples / "01-guard/guard-tuned.kdl")
    found = treemind.search(document, examples / "01-guard/yard.map", vary={"flee_below": [10, 30, 50, 70]}, measure="health", target=60, seeds=range(40), first=5, ticks=200)
    assert found.runs == 40 and found.low <= found.value <= found.high
    assert [len(left) for left in found.rounds] == [4, 2, 1]
    assert found.played == 4 * 5 + 2 * 5 + 30
    losses = [abs(row["mean"] - 60) for row in found.rounds[0]]
    assert losses == sorted(losses)


@pytest.mark.parametrize(
    ("others", "text"),
    [
        ({"measure": {"x": "healt"}}, "healt"),
        ({"vary": {"nothing": [1]}}, "nothing"),
        ({"vary": {"flee_below": ["much"]}}, "much"),
        ({"vary": {"health": [100]}}, "the arena writes"),
        ({"always": ["health +"]}, "health"),
    ],
)
def test_what_makes_no_sense(examples: Path, others: dict[str, Any], text: str) -> None:
    with pytest.raises(treemind.TreemindError, match=text):
        fights(examples, **others)


def test_values_that_make_no_sense(examples: Path) -> None:
    with pytest.raises(ValueError, match="seeds"):
        fights(examples, seeds=[])
    with pytest.raises(ValueError, match="ray"):
        fights(examples, on="the moon")
    with pytest.raises(treemind.TreemindError, match="map"):
        treemind.sweep(treemind.load(examples / "01-guard/guard.kdl"), "no\nmap\n")


def test_without_ray_it_says_what_to_do(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(treemind.TreemindError, match="pip install"):
        fights(examples, on="ray")


@pytest.mark.by_hand
def test_ray_gives_the_same_and_loses_nothing(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        killed: list[int] = []

        def kill_one(done: int, of: int) -> None:
            if not killed:
                workers = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit() and _is_worker(one)]
                if workers:
                    os.kill(workers[0], 9)
                    killed.append(workers[0])

        table = fights(examples, seeds=range(2_000), on="ray", progress=kill_one)
        assert killed
    finally:
        ray.shutdown()
    assert table == fights(examples, seeds=range(2_000), on="one")


def _is_worker(process: Path) -> bool:
    try:
        said = (process / "cmdline").read_bytes()
        parent = (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
        mine = Path(f"/proc/{parent}/stat").read_text().rsplit(")", 1)[1].split()[1]
    except OSError:
        return False
    return said.startswith(b"ray::_task") and mine == str(os.getpid())
