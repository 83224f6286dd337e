"""Recordings as tables: arrays, frames, and Arrow through its C interface."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import GUARD

import treemind
from treemind import _native

KEYS = """
blackboard {
    key health type=float default=100.0
    key gold type=int default=1
    key spot type=vec2
    key mood type=enum default=calm { value calm angry; }
    key maybe type=double optional=#true
    key items type=int list=8
}
leaves { condition see; action walk; action flee; }
tree t { reactive-selector { reactive-sequence { check "health < 20"; condition see; action flee; }; action walk; }; }
"""


@pytest.fixture
def played(tmp_path: Path) -> treemind.DecisionTable:
    crowd = treemind.Minds(treemind.loads(KEYS), 3)
    with treemind.Recorder(crowd, tmp_path / "crowd.mcap"):
        for tick in range(4):
            crowd.set("health", np.array([10, 30, 10 + 10 * tick], dtype=np.float32))
            crowd.set("maybe", tick / 2, agents=[1])
            crowd.set("spot", (tick, 2.0))
            crowd.set("mood", ["calm", "angry", "calm"])
            crowd.holds("see")[:] = [True, True, False]
            crowd.step(0.5)
    recording = treemind.Recording(tmp_path / "crowd.mcap")
    assert (recording.populations, recording.ticks, recording.runs) == (["t"], (1, 4), 1)
    assert recording.texts[0][0][1] == KEYS
    assert recording.table(first=2, last=3).rows == 6
    return recording.table()


def test_a_row_for_each_decision(played: treemind.DecisionTable) -> None:
    assert list(played) == ["tick", "time", "agent", "health", "gold", "spot", "mood", "maybe", "see", "action", "status"]
    assert played.rows == 12
    np.testing.assert_array_equal(played["tick"], np.repeat([1, 2, 3, 4], 3))
    np.testing.assert_array_equal(played["agent"], np.tile([0, 1, 2], 4))
    np.testing.assert_array_equal(played["time"], np.repeat([0.5, 1.0, 1.5, 2.0], 3))
    assert played["health"].dtype == np.float32 and played["health"][2::3].tolist() == [10, 20, 30, 40]
    assert played["gold"].dtype == np.int64 and played["spot"].shape == (12, 2)
    assert played["mood"].tolist() == ["calm", "angry", "calm"] * 4
    assert played["maybe"].tolist() == [None, 0.0, None, None, 0.5, None, None, 1.0, None, None, 1.5, None]
    # Nothing asks what nobody needs to know.
    assert played["see"].tolist() == [True, None, False, True, None, None, True, None, None, True, None, None]
    assert played["action"].tolist() == ["flee", "walk", "walk"] * 4
    assert set(played["status"]) == {"running"}


def test_a_tree_is_learned_from_it(played: treemind.DecisionTable) -> None:
    learned = treemind.learn(played, "action", ignore=["tick", "time", "agent", "status", "spot", "mood"], hold_out=0.0)
    assert learned.learned_right == 12


def test_what_is_read_through_arrow(played: treemind.DecisionTable) -> None:
    nanoarrow = pytest.importorskip("nanoarrow")
    gc.collect()
    before = _native.arrow_structures()
    stream = nanoarrow.ArrayStream(played)
    array = stream.read_all()
    rows = array.to_pylist()
    assert len(rows) == 12
    for name in played:
        got = [row[name] for row in rows]
        wanted = [tuple(value) if name == "spot" else value for value in played[name].tolist()]
        assert [tuple(value) if name == "spot" else value for value in got] == wanted, name
    kinds = {field.name: str(field.type) for field in array.schema.fields}
    assert "float" in kinds["health"].lower() and "int64" in kinds["gold"].lower()
    del stream, array, rows
    gc.collect()
    assert _native.arrow_structures() == before, "everything was released"


def test_streams_that_nobody_takes_are_forgotten(played: treemind.DecisionTable) -> None:
    gc.collect()
    before = _native.arrow_structures()
    for _ in range(100):
        played.__arrow_c_stream__()
    gc.collect()
    assert _native.arrow_structures() == before


def test_an_empty_table(tmp_path: Path) -> None:
    mind = treemind.Mind(treemind.loads(GUARD), {name: lambda **_: treemind.RUNNING for name in ("patrol", "run-away", "attack")} | dict.fromkeys(("see-enemy", "enemy-dead"), lambda: False))
    with treemind.Recorder(mind, tmp_path / "one.mcap"):
        mind.tick()
    table = treemind.Recording(tmp_path / "one.mcap").table(first=7)
    assert table.rows == 0
    nanoarrow = pytest.importorskip("nanoarrow")
    assert nanoarrow.ArrayStream(table).read_all().to_pylist() == []


def test_frames(played: treemind.DecisionTable) -> None:
    pandas = pytest.importorskip("pandas")
    frame = played.frame()
    assert list(frame.columns) == list(played) and len(frame) == 12
    assert frame.groupby("action").size().to_dict() == {"flee": 4, "walk": 8}
    assert pandas.isna(frame["maybe"]).sum() == 8


def test_pyarrow_reads_it(played: treemind.DecisionTable) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(played)
    assert table.num_rows == 12
    table.validate(full=True)
    assert table.column("spot").to_pylist() == [list(row) for row in played["spot"].tolist()]
    assert table.column("maybe").null_count == 8 and table.column("action").to_pylist() == ["flee", "walk", "walk"] * 4


def test_whoever_fails_while_it_has_a_table(played: treemind.DecisionTable) -> None:
    """A table that is dropped while an exception is on its way."""
    pyarrow = pytest.importorskip("pyarrow")
    before = _native.arrow_structures()
    with pytest.raises(ZeroDivisionError):
        print(pyarrow.table(played), 1 // 0)
    gc.collect()
    assert _native.arrow_structures() == before


def test_a_cast_has_a_table_for_each_population(tmp_path: Path) -> None:
    cast = treemind.Cast({"go": lambda: treemind.RUNNING})
    for name in ("one", "two"):
        cast.add(treemind.loads(f"leaves {{ action go; }}; tree {name} {{ action go; }}", f"{name}.kdl"))
        cast.spawn(name, 2)
    with treemind.Recorder(cast, tmp_path / "both.mcap"):
        cast.step()
        cast.agents[0].remove()
        cast.step()
    recording = treemind.Recording(tmp_path / "both.mcap")
    assert recording.populations == ["one", "two"]
    assert (recording.table("one").rows, recording.table("two").rows) == (3, 4)
    with pytest.raises(KeyError, match="several populations: name one of one, two"):
        recording.table()
    with pytest.raises(KeyError, match="no population `three`"):
        recording.table("three")


def test_what_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        treemind.Recording(tmp_path / "nothing.mcap")
    (tmp_path / "junk.mcap").write_bytes(b"junk" * 100)
    with pytest.raises(OSError, match=r"junk\.mcap"):
        treemind.Recording(tmp_path / "junk.mcap")


def test_sweeps_through_arrow(examples: Path) -> None:
    nanoarrow = pytest.importorskip("nanoarrow")
    folder = examples / "01-guard"
    table = treemind.sweep(treemind.load(folder / "guard-tuned.kdl"), folder / "yard.map", seeds=range(4), vary={"flee_below": [20, 60]}, measure={"health": "health"}, ticks=60)
    rows: list[dict[str, Any]] = nanoarrow.ArrayStream(table).read_all().to_pylist()
    for name, column in table.columns.items():
        assert [row[name] for row in rows] == column.tolist(), name


def test_a_decision_tree_asks_less(tmp_path: Path) -> None:
    text = """
blackboard { key alarm type=bool; }
leaves { condition storm; action sleep; action fight; action hide; }
decide watch {
    test-condition storm {
        yes { test "alarm" { yes { goto fight; }; no { action hide; }; }; }
    }
    test "alarm" { goto fight; }
    action sleep
    branch fight { action fight; }
}
"""
    document = treemind.loads(text, "watch.kdl")
    crowd = treemind.Minds(document, 200)
    with treemind.Recorder(crowd, tmp_path / "night.mcap"):
        for tick in range(10):
            crowd.holds("storm")[:] = np.arange(200) % 50 == tick
            crowd.set("alarm", np.arange(200) % 3 == 0)
            crowd.step()
    profile = treemind.Recording(tmp_path / "night.mcap").profile()
    assert profile.decisions == {"watch": 2_000}
    result = treemind.balance(document, profile)
    # Who fights need not ask whether there is a storm.
    assert result.changed and result.all_cases and result.cases >= 3 and result.cost[1] < result.cost[0] - 2
    assert treemind.loads(result.text).decisions == ["watch"]
    with pytest.raises(KeyError, match="watch"):
        treemind.balance(document, profile, "guard")
    other = treemind.loads(text.replace("storm", "rain"))
    with pytest.raises(treemind.TreemindError, match="another version"):
        treemind.balance(other, profile)
