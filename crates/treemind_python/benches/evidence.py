"""What CI has no time or packages for, in one run: sweeps on a cluster, a planted defect, and a learner.

    pip install 'treemind[gymnasium,ray]' && python benches/evidence.py
    python benches/evidence.py --fights 400 --seeds 500 --seconds 20     # small, to try it

Run it on a machine that does nothing else, with a wheel that was built with optimisation: it compares times.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import treemind

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
GUARD, YARD = EXAMPLES / "01-guard/guard-tuned.kdl", EXAMPLES / "01-guard/yard.map"

Row = tuple[str, str]


def fights(count: int, on: str, **others: Any) -> tuple[treemind.SweepTable, float]:
    """A sweep of so many fights, and the seconds that it took."""
    begun = time.perf_counter()
    table = treemind.sweep(
        treemind.load(GUARD), YARD, seeds=range(count // 4), vary={"flee_below": [20, 40, 60, 80]}, measure={"health": "health"}, always=["health > 0"], ticks=400, on=on, **others
    )
    return table, time.perf_counter() - begun


@contextmanager
def local(workers: int) -> Iterator[None]:
    """Ray in this machine, with so many workers."""
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def two_nodes() -> Iterator[None]:
    """Ray with two nodes, both on this machine."""
    import ray
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        yield
    finally:
        ray.shutdown()
        cluster.shutdown()


def children(process: int) -> Iterator[int]:
    """All processes that a process has begun, and that those have."""
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        for child in path.read_text().split():
            yield int(child)
            yield from children(int(child))


def a_worker() -> int | None:
    """A worker of this process's Ray that is in the middle of a task."""
    for process in children(os.getpid()):
        try:
            if Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::_task"):
                return process
        except OSError:
            continue
    return None


def clusters(count: int) -> list[Row]:
    """The same sweep everywhere."""
    rows: list[Row] = []
    one, seconds = fights(count, "one")
    rows.append((f"{len(one)} fights, one core", f"{seconds:.1f} s"))
    table, seconds = fights(count, "cores")
    rows.append(("all cores", f"{seconds:.1f} s, {same(table, one)}"))
    times = {}
    for workers in (1, 2):
        with local(workers):
            # The first tasks begin the workers and load the document.
            fights(4 * 256 * workers, "ray")
            table, times[workers] = fights(count, "ray")
        rows.append((f"Ray, {workers} worker{'s'[: workers - 1]}", f"{times[workers]:.1f} s, {same(table, one)}"))
    rows.append(("one worker to two", f"{times[1] / times[2]:.2f} times as quick (wanted: 1.7 on an idle machine)"))
    with two_nodes():
        table, seconds = fights(count, "ray")
    rows.append(("Ray, two nodes", f"{seconds:.1f} s, {same(table, one)}"))
    killed: list[int] = []

    def kill(done: int, of: int) -> None:
        worker = a_worker() if not killed and done < of else None
        if worker is not None:
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    with local(2):
        table, seconds = fights(count, "ray", progress=kill)
    rows.append(("Ray, a worker killed in the middle", f"{same(table, one)}, {len(killed)} killed"))
    return rows


def same(table: treemind.SweepTable, one: treemind.SweepTable) -> str:
    """Whether two tables are the same to the bit."""
    return "the same to the bit" if table == one else "ANOTHER TABLE"


def defect(seeds: int) -> list[Row]:
    """A guard that very rarely does what it must not."""
    text = GUARD.read_text().replace("main tree=tuned-guard", "main tree=tuned-guard\nblackboard { key broken type=bool; }")
    planted = f"reactive-selector {{ chance {3 / seeds / 300:.3e} {{ set \"broken = true\"; }}; action patrol; }}"
    text = text.replace("        action patrol\n", f"        {planted}\n")
    begun = time.perf_counter()
    table = treemind.sweep(treemind.loads(text, "planted.kdl"), YARD, seeds=range(seeds), always=["!broken"], ticks=300)
    seconds = time.perf_counter() - begun
    rows = [(f"a defect planted for some of {seeds} seeds", f"{int((~table['held']).sum())} found in {seconds:.1f} s")]
    violation = table.first_violation()
    if violation is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "broken.mcap"
            violation.record(path)
            recording = treemind.Recording(path)
            shown = [name for name in recording.populations if "broken" in recording.table(name)]
            broken = recording.table(shown[0])
            at = int(broken["tick"][np.flatnonzero(broken["broken"] == True)[0]]) if (broken["broken"] == True).any() else violation.tick  # noqa: E712
        rows.append(("the first one", f"seed {violation.seed}, tick {violation.tick}: `{violation.promise}`; the recording shows it in tick {at}"))
    return rows


ACTIONS = ("wait", "up", "down", "left", "right", "strike")
OBSERVE = ("enemy_seen", "enemy_dx / 5", "enemy_dy / 5", "health / 120", "enemy_health / 100", "x / 24 - 0.5", "y / 13 - 0.5")


class Duel:
    """Many games at once, in which an intruder is steered against the guard."""

    def __init__(self, games: int) -> None:
        import treemind.gym

        self.env = treemind.gym.ArenaVectorEnv(
            games,
            treemind.load(GUARD),
            YARD,
            "intruder",
            actions=ACTIONS,
            observe=OBSERVE,
            reward="(was_enemies_health - enemies_health + health - was_health) / 100",
            every=5,
            ticks=700,
        )
        self.games = games

    def play(self, decide: Callable[[npt.NDArray[Any]], npt.NDArray[np.int64]], seed: int) -> tuple[npt.NDArray[np.float64], list[tuple[Any, Any]]]:
        """What each game was worth, and what was seen and done in each turn."""
        seen, _ = self.env.reset(seed=seed)
        worth, over, rows = np.zeros(self.games), np.zeros(self.games, dtype=bool), []
        for _ in range(700 // 5):
            actions = decide(seen)
            rows.append((seen[~over], actions[~over]))
            seen, rewards, ended, cut, _ = self.env.step(actions)
            worth += np.where(over, 0.0, rewards)
            over |= ended | cut
            if over.all():
                break
        return worth, rows


def linear(weights: npt.NDArray[np.float64]) -> Callable[[npt.NDArray[Any]], npt.NDArray[np.int64]]:
    """A policy for each game, or one for all: the action whose sum is greatest."""
    matrix = weights.reshape(-1, len(ACTIONS), len(OBSERVE) + 1)

    def decide(seen: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        inputs = np.column_stack([seen, np.ones(len(seen))])
        sums = np.einsum("gai,gi->ga", np.broadcast_to(matrix, (len(seen), *matrix.shape[1:])), inputs)
        return np.asarray(sums.argmax(axis=1), dtype=np.int64)

    return decide


def learner(seconds: float) -> list[Row]:
    """The cross-entropy method against the guard, then a decision tree of what it does, on seeds that neither has seen."""
    candidates, games = 48, 4
    duel, chance = Duel(candidates * games), np.random.default_rng(0)
    size = len(ACTIONS) * (len(OBSERVE) + 1)
    mean, spread = np.zeros(size), np.ones(size)
    curve: list[float] = []
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        drawn = mean + spread * chance.standard_normal((candidates, size))
        worth, _ = duel.play(linear(drawn.repeat(games, axis=0)), seed=1_000_000 * len(curve))
        worth = worth.reshape(candidates, games).mean(axis=1)
        best = drawn[np.argsort(worth)[-10:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        curve.append(float(worth.mean()))
    spent = time.perf_counter() - begun
    held_out, seed = Duel(200), 2_000_000_000
    before, _ = held_out.play(linear(np.zeros(size)), seed)
    after, _ = held_out.play(linear(mean), seed)
    _, rows = held_out.play(linear(mean), seed=1_900_000_000)
    seen, done = np.concatenate([row for row, _ in rows]), np.concatenate([row for _, row in rows])
    columns = {name.split(" ")[0]: seen[:, nth] for nth, name in enumerate(OBSERVE)}
    tree = treemind.learn({**columns, "does": np.array(ACTIONS)[done]}, "does", depth=8, name="intruder")
    distilled, _ = held_out.play(by_tree(tree.document, list(columns), 200), seed)
    step = max(1, len(curve) // 12)
    return [
        (f"cross-entropy, {spent:.0f} s, {len(curve)} generations", " ".join(f"{value:.2f}" for value in curve[::step])),
        ("200 held-out games: waits only", f"{before.mean():.2f}"),
        ("the policy that was learned", f"{after.mean():.2f}"),
        (f"a decision tree of it, {tree.leaves} leaves, right in {tree.accuracy or 0:.0%}", f"{distilled.mean():.2f}"),
    ]


def by_tree(document: treemind.Document, names: list[str], games: int) -> Callable[[npt.NDArray[Any]], npt.NDArray[np.int64]]:
    """A crowd of decision trees decides: one agent for each game."""
    crowd = treemind.Minds(document, games)
    known = set(crowd.keys())

    def decide(seen: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        for nth, name in enumerate(names):
            if name in known:
                crowd.set(name, seen[:, nth])
        crowd.step()
        actions = np.zeros(games, dtype=np.int64)
        for place, action in enumerate(ACTIONS):
            try:
                actions[crowd.running(action)] = place
            except KeyError:
                continue  # The tree never does it.
        return actions

    return decide


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fights", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--only", choices=["clusters", "defect", "learner"])
    given = parser.parse_args()
    parts: dict[str, Callable[[], list[Row]]] = {
        "clusters": lambda: clusters(given.fights),
        "defect": lambda: defect(given.seeds),
        "learner": lambda: learner(given.seconds),
    }
    for name, part in parts.items():
        if given.only in (None, name):
            for what, how in part():
                print(f"{what:58} {how}", flush=True)


if __name__ == "__main__":
    # Ray writes a token into the home folder.
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, RAY_AUTH_MODE="disabled")
        main()
