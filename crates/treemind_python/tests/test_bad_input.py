"""What makes no sense is an exception that says what to do, and never the end of the interpreter."""

from __future__ import annotations

import copy
import os
import pickle
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import GUARD

import treemind
from treemind import RUNNING, Cast, Mind, Minds

GO = "leaves { action go; }; tree t { action go; }"


def test_what_cannot_be_pickled_says_what_to_do_instead() -> None:
    cast = Cast({"go": lambda: RUNNING})
    cast.add(treemind.loads(GO))
    for one in (Mind(treemind.loads(GO), {"go": lambda: RUNNING}), Minds(treemind.loads(GUARD), 3), cast):
        for work in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=r"cannot be pickled or copied: `save\(\)`"):
                work(one)


def test_a_function_cannot_step_its_own_cast_or_change_it() -> None:
    def go(me: treemind.Me) -> treemind.Status:
        for use in (cast.step, cast.save, lambda: cast.spawn("t"), lambda: cast.agents, lambda: agent["x"], agent.remove, lambda: cast.add(treemind.loads(GO))):
            with pytest.raises(treemind.TreemindError, match="being ticked"):
                use()
        done.append(me.tick)
        return RUNNING

    done: list[int] = []
    cast = Cast({"go": go})
    cast.add(treemind.loads(GO))
    (agent,) = cast.spawn("t")
    cast.step()
    assert done == [1] and cast.take_faults() == []


def test_what_functions_ask_for_and_cannot_have() -> None:
    asked: list[Any] = [
        lambda me: me.send("noise"),
        lambda me: me.send("noise", to="nobody"),
        lambda me: me.send("noise", to=0),
        lambda me: me.spawn("nobody", x=1, y=object()),
        lambda me: setattr(me, "group", -1),
        lambda me: setattr(me, "group", "red"),
    ]
    turn = iter(asked)

    def go(me: treemind.Me) -> treemind.Status:
        next(turn)(me)
        return RUNNING

    cast = Cast({"go": go})
    cast.add(treemind.loads(GO))
    cast.spawn("t")
    for _ in asked:
        cast.step()
    faults = cast.take_faults()
    assert len(faults) == len(asked) and all(fault.exception is not None for fault in faults)
    # These are only known at the end of the step.
    late: list[Any] = [lambda me: me.spawn("nobody"), lambda me: setattr(me, "group", 1 << 24)]
    turn = iter(late)
    for _ in late:
        cast.step()
    assert [fault.exception for fault in cast.take_faults()] == [None, None]
    assert len(cast) == 1


def test_me_cannot_be_used_afterwards() -> None:
    kept: list[treemind.Me] = []

    def go(me: treemind.Me) -> treemind.Status:
        kept.append(me)
        return RUNNING

    mind = Mind(treemind.loads(GO), {"go": go})
    mind.tick()
    for use in (lambda: kept[0].send("x"), lambda: kept[0].spawn("x"), kept[0].remove, lambda: setattr(kept[0], "group", 1)):
        with pytest.raises(treemind.TreemindError, match="belongs to a call"):
            use()


def test_flags_that_somebody_has_bent() -> None:
    crowd = Minds(treemind.loads(GUARD), 100)
    flags = crowd.holds("see-enemy")
    flags[:] = True
    flags.setflags(write=False)
    crowd.step()
    assert len(crowd.running("attack")) == 100
    base = flags.base
    assert base is not None
    for size in (10, 1_000):
        base.resize(size, refcheck=False)
        crowd.step()
    with pytest.raises(ValueError, match="one value for all"):
        crowd.set("health", np.ones((2, 50), dtype=np.float32))


def test_two_threads_in_one_vector(examples: Path) -> None:
    pytest.importorskip("gymnasium")
    import treemind.gym

    env = treemind.gym.ArenaVectorEnv(4, examples / "13-hero/castle.kdl", examples / "13-hero/castle.map", every=40, threads=2)
    env.reset(seed=1)
    refused: list[Exception] = []

    def play() -> None:
        for _ in range(5):
            try:
                env.step(np.zeros(4, dtype=np.int64))
            except treemind.TreemindError as error:
                refused.append(error)

    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread" in str(error) for error in refused)
    env.reset(seed=1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_vector_with_threads_goes_on_in_a_child(examples: Path) -> None:
    pytest.importorskip("gymnasium")
    import treemind.gym

    env = treemind.gym.ArenaVectorEnv(4, examples / "13-hero/castle.kdl", examples / "13-hero/castle.map", threads=2)
    env.reset(seed=1)
    child = os.fork()
    if child == 0:
        seen, *_ = env.step(np.zeros(4, dtype=np.int64))
        os._exit(0 if np.isfinite(seen).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
    env.step(np.zeros(4, dtype=np.int64))


def test_an_old_ray_is_refused(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = ModuleType("ray")
    old.__version__ = "2.9.3"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", old)
    with pytest.raises(treemind.TreemindError, match=r"Ray 2\.9\.3 is too old: 2\.40"):
        treemind.sweep(treemind.load(examples / "01-guard/guard-tuned.kdl"), examples / "01-guard/yard.map", seeds=range(2), ticks=5, on="ray")


def test_crowds_and_casts_keep_the_memory(tmp_path: Path) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def play(times: int) -> None:
        for _ in range(times):
            crowd = Minds(guard, 2_000)
            crowd.holds("see-enemy")[::2] = True
            crowd.set("health", np.ones(2_000, dtype=np.float32))
            crowd.step()
            cast = Cast({"go": lambda: RUNNING})
            cast.add(go)
            cast.keep(3)
            for agent in cast.spawn("t", 20):
                agent.group = 1
            cast.step()
            cast.restore(cast.save())

    if not Path("/proc/self/statm").exists():
        pytest.skip("only where /proc says how much memory there is")
    guard, go = treemind.loads(GUARD), treemind.loads(GO)
    play(20)
    before = resident()
    play(60)
    assert resident() - before < 4 << 20
