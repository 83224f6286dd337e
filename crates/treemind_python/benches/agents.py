"""What a tick costs: one agent with functions beside py_trees, and crowds by columns.

Run it against a wheel that was built with optimisation: `pip install py_trees treemind-….whl && python benches/agents.py`.
The tree is that of the benchmark in Rust (`crates/treemind_bench/src/cases/guard.kdl`), and the facts change in every tick.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import treemind

GUARD = Path(__file__).resolve().parents[2] / "treemind_bench/src/cases/guard.kdl"
NAMES = ("see-enemy", "health-low", "enemy-dead")
# Many short ones, so that some are not disturbed, whatever else the machine does.
ROUNDS = 80


def least(work: Callable[[], object], times: int) -> float:
    """The least time of a call, in nanoseconds: what disturbs makes it longer, never shorter."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter_ns()
        for _ in range(times):
            work()
        best = min(best, (time.perf_counter_ns() - begun) / times)
    return best


class Facts:
    """Three facts of one agent, drawn before."""

    def __init__(self) -> None:
        self.rows = np.random.default_rng(1).random((1_000, 3)) < 0.5
        self.lists = self.rows.tolist()
        self.at = 0
        self.now = self.lists[0]

    def next(self) -> None:
        self.at = (self.at + 1) % 1_000
        self.now = self.lists[self.at]


def ours(takes_me: bool) -> Callable[[], None]:
    facts = Facts()
    if takes_me:
        leaves: dict[str, Any] = {name: (lambda me, place=place: me.world.now[place]) for place, name in enumerate(NAMES)}
        leaves |= dict.fromkeys(("run-away", "attack", "patrol"), lambda me: treemind.RUNNING)
    else:
        leaves = {name: (lambda place=place: facts.now[place]) for place, name in enumerate(NAMES)}
        leaves |= dict.fromkeys(("run-away", "attack", "patrol"), lambda: treemind.RUNNING)
    mind = treemind.Mind(treemind.load(GUARD), leaves, world=facts)

    def tick() -> None:
        facts.next()
        mind.tick(0.1)

    return tick


def theirs() -> Callable[[], None]:
    import py_trees

    facts = Facts()
    status = py_trees.common.Status

    class Fact(py_trees.behaviour.Behaviour):  # type: ignore[misc, unused-ignore]
        def __init__(self, name: str, place: int) -> None:
            super().__init__(name)
            self.place = place

        def update(self) -> Any:
            return status.SUCCESS if facts.now[self.place] else status.FAILURE

    class Act(py_trees.behaviour.Behaviour):  # type: ignore[misc, unused-ignore]
        def update(self) -> Any:
            return status.RUNNING

    def sequence(name: str, *children: Any) -> Any:
        return py_trees.composites.Sequence(name, memory=False, children=list(children))

    def selector(name: str, *children: Any) -> Any:
        return py_trees.composites.Selector(name, memory=False, children=list(children))

    alive = py_trees.decorators.Inverter("alive", Fact("enemy-dead", 2))
    flee = sequence("flee", Fact("health-low", 1), Act("run-away"))
    fight = sequence("fight", Fact("see-enemy", 0), selector("how", flee, sequence("hit", alive, Act("attack"))))
    root = selector("guard", fight, Act("patrol"))

    def tick() -> None:
        facts.next()
        root.tick_once()

    return tick


def crowd(agents: int, threads: int) -> Callable[[], None]:
    minds = treemind.Minds(treemind.load(GUARD), agents, threads=threads)
    drawn = np.random.default_rng(1).random((8, 3, agents)) < 0.5
    flags = [minds.holds(name) for name in NAMES]
    turn = 0

    def step() -> None:
        nonlocal turn
        turn = (turn + 1) % 8
        for flag, now in zip(flags, drawn[turn], strict=True):
            flag[:] = now
        minds.step(0.1)

    return step


def main() -> None:
    rows = [("one agent, functions without `me`", least(ours(False), 200)), ("one agent, functions with `me`", least(ours(True), 200))]
    try:
        rows.append(("one agent, py_trees", least(theirs(), 40)))
    except ImportError:
        print("py_trees is not installed, so it is left out")
    for agents in (10_000, 100_000, 1_000_000):
        for threads in (1, 2):
            rows.append((f"{agents} agents by columns, {threads} thread{'s'[: threads - 1]}", least(crowd(agents, threads), max(4, 200_000 // agents)) / agents))
    for name, nanoseconds in rows:
        print(f"{name:45} {nanoseconds:12.2f} ns per agent and tick")


if __name__ == "__main__":
    main()
