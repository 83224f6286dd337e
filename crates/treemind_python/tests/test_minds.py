"""Crowds by columns."""

from __future__ import annotations

import gc
import os
import threading
from typing import Any

import numpy as np
import pytest
from conftest import GUARD

import treemind
from treemind import Mind, Minds

KEYS = """
blackboard {
    key health type=float default=100.0
    key gold type=int default=1
    key rich type=bool
    key exact type=double
    key place type=vec2
    key spot type=vec3
    key whom type=entity
    key note type=string
    key maybe type=float optional=#true
}
leaves { action walk; action flee; }
tree t { reactive-selector { reactive-sequence { check "health < 20"; action flee; }; action walk; }; }
"""


def test_columns_do_what_functions_do() -> None:
    """The same facts, agent by agent with functions and all together with arrays."""
    agents, ticks = 130, 30
    document = treemind.loads(GUARD)
    chance = np.random.default_rng(1)
    see = chance.random((ticks, agents)) < 0.7
    dead = chance.random((ticks, agents)) < 0.2
    health = chance.uniform(0, 60, (ticks, agents)).astype(np.float32)
    crowds = [Minds(document, agents, threads=threads) for threads in (1, 3)]
    now = {"tick": 0, "agent": 0}
    did: list[str] = []

    def does(name: str) -> Any:
        def action(**_: Any) -> treemind.Status:
            did.append(name)
            return treemind.RUNNING

        return action

    functions: dict[str, Any] = {name: does(name) for name in ("patrol", "run-away", "attack")}
    functions["see-enemy"] = lambda: see[now["tick"], now["agent"]]
    functions["enemy-dead"] = lambda: bool(dead[now["tick"], now["agent"]])
    minds = [Mind(document, functions) for _ in range(agents)]
    for tick in range(ticks):
        now["tick"] = tick
        for crowd in crowds:
            crowd.holds("see-enemy")[:] = see[tick]
            crowd.holds("enemy-dead")[:] = dead[tick]
            crowd.set("health", health[tick])
            crowd.step(0.1)
        for agent, mind in enumerate(minds):
            now["agent"] = agent
            mind["health"] = health[tick, agent]
            did.clear()
            mind.tick(0.1)
            for name in ("patrol", "run-away", "attack"):
                for crowd in crowds:
                    assert (agent in crowd.running(name)) == (name in did), (tick, agent, name)
    assert all(mind.take_faults() == [] for mind in minds)


def test_what_comes_out() -> None:
    crowd = Minds(treemind.loads(GUARD), 2_000)
    assert len(crowd) == 2_000
    assert crowd.step(0.1) == (0, 0, 2_000, 0)
    np.testing.assert_array_equal(crowd.started("patrol"), np.arange(2_000))
    assert crowd.running("patrol").dtype == np.int64
    crowd.holds("see-enemy")[5::1_000] = True
    crowd.step()
    np.testing.assert_array_equal(crowd.running("attack"), [5, 1_005])
    np.testing.assert_array_equal(crowd.stopped("patrol", "aborted"), [5, 1_005])
    crowd.succeeded("attack")[5] = True
    crowd.failed("attack")[1_005] = True
    assert crowd.step()[0] == 1
    np.testing.assert_array_equal(crowd.stopped("attack", "success"), [5])
    np.testing.assert_array_equal(crowd.stopped("attack", "failure"), [1_005])
    assert crowd.holds("see-enemy") is crowd.holds("see-enemy")
    assert crowd.running_nodes(7)[-1] == "patrol"
    with pytest.raises(KeyError, match="there are: see-enemy, enemy-dead"):
        crowd.holds("see")
    with pytest.raises(KeyError):
        crowd.running("see-enemy")
    with pytest.raises(ValueError):
        crowd.stopped("patrol", "well")


def test_keys_of_all_types_go_in_and_out() -> None:
    crowd = Minds(treemind.loads(KEYS), 1_500)
    chance = np.random.default_rng(2)
    columns: dict[str, Any] = {
        "health": chance.random(1_500, dtype=np.float32),
        "gold": chance.integers(-(2**62), 2**62, 1_500),
        "rich": chance.random(1_500) < 0.5,
        "exact": chance.random(1_500),
        "place": chance.random((1_500, 2), dtype=np.float32),
        "spot": chance.random((1_500, 3), dtype=np.float32),
        "whom": chance.integers(0, 2**63, 1_500).astype(np.uint64),
    }
    for key, values in columns.items():
        crowd.set(key, values)
    for key, values in columns.items():
        got = crowd.get(key)
        assert got.dtype == values.dtype
        np.testing.assert_array_equal(got, values)
    crowd.set("note", "hello")
    assert set(crowd.get("note")) == {"hello"}
    crowd.set("maybe", 2.5, agents=[3, 4])
    maybe = crowd.get("maybe")
    assert (maybe[2], maybe[3], crowd.get_one("maybe", 4)) == (None, 2.5, 2.5)
    crowd.set("health", 5.0, agents=np.arange(1_500) < 10)
    crowd.step()
    assert set(range(10)) <= set(crowd.running("flee").tolist())
    crowd.set("place", (1.0, 2.0))
    np.testing.assert_array_equal(crowd.get("place")[1_499], [1, 2])


def test_arrays_in_any_layout_are_read_right() -> None:
    crowd = Minds(treemind.loads(KEYS), 100)
    wanted = np.arange(100, dtype=np.float32)
    wide = np.zeros((100, 3), dtype=np.float32)
    wide[:, 1] = wanted
    readonly = wanted.copy()
    readonly.setflags(write=False)
    for given in (wide[:, 1], wanted[::-1][::-1], wanted.astype(">f4"), wanted.astype("<f8"), wanted.astype(int), readonly, list(range(100)), np.asfortranarray(wide)[:, 1]):
        crowd.set("health", 0.0)
        crowd.set("health", given)
        np.testing.assert_array_equal(crowd.get("health"), wanted)


@pytest.mark.parametrize(
    ("key", "values", "raises"),
    [
        ("gold", np.ones(100), TypeError),
        ("gold", np.full(100, 2**63, dtype=np.uint64), ValueError),
        ("gold", ["a"] * 100, TypeError),
        ("health", np.ones(99), ValueError),
        ("health", np.ones((100, 1)), ValueError),
        ("health", np.ones(100, dtype=complex), TypeError),
        ("health", np.array([object()] * 100), TypeError),
        ("rich", np.ones(100), TypeError),
        ("place", np.ones((100, 3)), ValueError),
        ("whom", np.full(100, -1), ValueError),
        ("health", None, TypeError),
        ("nothing", 1, KeyError),
    ],
)
def test_arrays_that_do_not_fit(key: str, values: Any, raises: type[Exception]) -> None:
    crowd = Minds(treemind.loads(KEYS), 100)
    before = crowd.save()
    with pytest.raises(raises):
        crowd.set(key, values)
    assert crowd.save() == before


def test_indices_that_do_not_fit() -> None:
    crowd = Minds(treemind.loads(KEYS), 10)
    for agents, raises in [([10], IndexError), ([-1], IndexError), ([0.5], TypeError), (np.ones(9, bool), ValueError), ([[1]], TypeError)]:
        with pytest.raises(raises):
            crowd.set("health", 1.0, agents=agents)
    with pytest.raises(IndexError):
        crowd.get_one("health", 10)
    with pytest.raises(OverflowError):
        crowd.get_one("health", -1)
    with pytest.raises(ValueError):
        Minds(treemind.loads(KEYS), 0)
    with pytest.raises(ValueError):
        Minds(treemind.loads(KEYS), 10, threads=0)


def test_flags_that_were_written_through_a_view() -> None:
    """A `bool` of NumPy may hold any byte, if somebody insists."""
    crowd = Minds(treemind.loads(GUARD), 70)
    crowd.holds("see-enemy").view(np.uint8)[:] = 255
    crowd.step()
    assert len(crowd.running("attack")) == 70


def test_saving_going_back_and_reloading() -> None:
    crowd = Minds(treemind.loads(GUARD), 300)
    crowd.keep(5)
    states = []
    for tick in range(8):
        crowd.holds("see-enemy")[:] = np.arange(300) % (tick + 2) == 0
        crowd.step()
        states.append(crowd.save())
    crowd.go_back(5)
    assert (crowd.ticks, crowd.save()) == (5, states[4])
    with pytest.raises(ValueError, match="step 1 is not kept"):
        crowd.go_back(1)
    crowd.restore(states[7])
    assert crowd.ticks == 8
    with pytest.raises(treemind.TreemindError, match="keep"):
        crowd.go_back(7)
    with pytest.raises(treemind.RestoreError):
        Minds(treemind.loads(GUARD), 299).restore(states[7])
    for damaged in (b"", states[7][:-1], b"x" * 100):
        with pytest.raises(treemind.RestoreError):
            crowd.restore(damaged)
    flags = crowd.holds("see-enemy")
    crowd.reload(treemind.loads(GUARD.replace("health < 20", "health < 1000")))
    assert crowd.holds("see-enemy") is flags
    flags[:] = True
    crowd.step()
    assert len(crowd.running("run-away")) == 300


def test_a_crowd_in_two_threads() -> None:
    crowd = Minds(treemind.loads(GUARD), 50_000)
    refused: list[treemind.TreemindError] = []

    def step() -> None:
        for _ in range(50):
            try:
                crowd.step()
            except treemind.TreemindError as error:
                refused.append(error)

    threads = [threading.Thread(target=step) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert crowd.ticks + len(refused) == 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_crowd_with_threads_goes_on_in_a_child() -> None:
    crowd = Minds(treemind.loads(GUARD), 5_000, threads=2)
    crowd.step()
    child = os.fork()
    if child == 0:
        crowd.step()
        os._exit(0 if crowd.ticks == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    crowd.step()
    assert crowd.ticks == 2


def test_events_reach_the_crowd() -> None:
    document = treemind.loads("""
        leaves { event noise; action listen; action sleep; }
        machine m { initial asleep; state asleep { do { action sleep; }; transition to=awake on=noise; }; state awake { do { action listen; }; }; }
    """)
    crowd = Minds(document, 5)
    crowd.step()
    assert crowd.send("noise", to=3) == 1
    crowd.step()  # the transition; what the new state does begins in the next step
    crowd.step()
    np.testing.assert_array_equal(crowd.running("listen"), [3])
    assert crowd.send("noise") >= 4
    crowd.step()
    crowd.step()
    assert len(crowd.running("listen")) == 5
    with pytest.raises(KeyError):
        crowd.send("silence")


def test_the_crowd_keeps_what_it_needs() -> None:
    crowd = Minds(treemind.loads(GUARD), 10)
    flags = crowd.holds("see-enemy")
    crowd.step()
    del crowd
    flags[:] = True
    assert flags.all()


def test_a_document_can_go_before_its_crowd() -> None:
    document = treemind.loads(GUARD)
    crowd = Minds(document, 1_500, threads=2)
    del document
    gc.collect()
    crowd.step()
    assert len(crowd.running("patrol")) == 1_500
