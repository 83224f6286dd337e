"""`find` over candidates that Python gives: functions for one agent, arrays and functions over arrays for crowds."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import treemind
from treemind import FAILURE, RUNNING, Cast, Me, Mind, Minds

DOCUMENT = """
blackboard {
    key pos type=vec2
    key spot type=vec2
    key prey type=entity optional=#true
}
leaves {
    candidates covers type=vec2 { param range type=float; }
    candidates others type=entity
    measure exposure { param of type=vec2; }
    measure danger { param of type=entity; param weight type=float; }
    action hide { param place type=vec2; }
    action hunt
}
tree soldier {
    selector {
        sequence {
            find place in=covers range=5.0 into="{spot}" {
                keep "exposure(place) < 0.5"
                score "1 / (1 + distance(place, pos))"
            }
            action hide place="{spot}"
        }
        sequence {
            find who in=others into="{prey}" { score "1 / (1 + danger(who, 2))"; }
            action hunt
        }
    }
}
"""
COVERS = [(1.0, 0.0), (3.0, 0.0), (9.0, 0.0)]
EXPOSED = {(1.0, 0.0): 0.6, (3.0, 0.0): 0.2, (9.0, 0.0): 0.0}


def leaves(**others: Any) -> dict[str, Any]:
    def covers(me: Me, range: float) -> Iterator[tuple[float, float]]:
        for cover in COVERS:
            if abs(cover[0] - me["pos"][0]) <= range:
                yield cover

    return {
        "covers": covers,
        "others": lambda: [7, 8, 9],
        "exposure": lambda of: EXPOSED[of],
        "danger": lambda of, weight: weight * (10 - of),
        "hide": lambda place: RUNNING,
        "hunt": lambda: RUNNING,
        **others,
    }


def soldier(**others: Any) -> Mind:
    return Mind(treemind.loads(DOCUMENT), leaves(**others))


def test_functions_list_and_measure() -> None:
    mind = soldier()
    assert mind.tick() == RUNNING and mind.take_faults() == []
    assert mind["spot"] == (3.0, 0.0), "the nearest one is too exposed, the last one out of range"
    far = soldier()
    far["pos"] = (40.0, 0.0)
    far.tick()
    assert far["prey"] == 9 and far.running[-1] == "hunt"


def test_arrays_and_classes_list_and_measure() -> None:
    class Covers:
        range: float

        def list(self, me: Me) -> npt.NDArray[np.float64]:
            return np.array(COVERS)[:2]

    class Exposure:
        of: tuple[float, float]

        def measure(self, me: Me) -> np.float32:
            return np.float32(EXPOSED[self.of])

    mind = soldier(covers=Covers, exposure=Exposure)
    mind.tick()
    assert mind.take_faults() == [] and mind["spot"] == (3.0, 0.0)


def test_only_the_first_ones_of_an_endless_list_count() -> None:
    def endless() -> Iterator[int]:
        at = 0
        while True:
            at += 1
            yield at

    mind = soldier(covers=lambda range: [], others=endless, danger=lambda of, weight: -of)
    mind.tick()
    # 1 / (1 - n) is below 0 for all but the first, which divides by zero: nobody is chosen, and nothing hangs.
    assert mind["prey"] is None
    mind = soldier(covers=lambda range: [], others=endless, danger=lambda of, weight: 100 - of)
    mind.tick()
    assert mind["prey"] == 64


@pytest.mark.parametrize(
    ("others", "text"),
    [
        ({"covers": lambda range: 1 / 0}, "ZeroDivisionError"),
        ({"covers": lambda range: None}, "candidates `covers` answered None"),
        ({"covers": lambda range: [(1.0, 2.0, 3.0)]}, "vec2"),
        ({"covers": lambda range: "ab"}, "vec2"),
        ({"covers": lambda range: [("a", "b")]}, "vec2"),
        ({"exposure": lambda of: "far"}, "measure `exposure` answered 'far'"),
        ({"exposure": lambda of: True}, "measure `exposure` answered True"),
        ({"exposure": lambda of: EXPOSED[of[0]]}, "KeyError"),
    ],
)
def test_what_goes_wrong_is_a_fault(others: dict[str, Any], text: str) -> None:
    mind = soldier(**{"others": lambda: [], **others})
    assert mind.tick() == FAILURE
    faults = mind.take_faults()
    assert faults and text in faults[0].text and faults[0].exception is not None
    assert faults[0].leaf in ("covers", "exposure", None)


def test_an_interrupt_in_a_measure_ends_the_tick() -> None:
    def exposure(of: object) -> float:
        raise KeyboardInterrupt

    mind = soldier(exposure=exposure)
    with pytest.raises(KeyboardInterrupt):
        mind.tick()
    assert mind.ticks == 1


def test_what_does_not_fit_is_said_when_a_mind_is_made() -> None:
    with pytest.raises(treemind.TreemindError, match="does not take the parameter `range`"):
        soldier(covers=lambda me: [])
    with pytest.raises(treemind.TreemindError, match="measure `exposure`.*generator"):

        def exposure(of: object) -> Iterator[float]:
            yield 1.0

        soldier(exposure=exposure)
    with pytest.raises(treemind.TreemindError, match=r"needs a method `list\(self, me\)`"):
        soldier(covers=int)


def test_a_cast_finds_too() -> None:
    cast = Cast(leaves())
    cast.add(treemind.loads(DOCUMENT))
    (agent,) = cast.spawn("soldier")
    cast.step()
    assert agent["spot"] == (3.0, 0.0) and cast.take_faults() == []


def crowd(agents: int, threads: int = 1) -> Minds:
    made = Minds(treemind.loads(DOCUMENT), agents, threads=threads)
    made.candidates("covers", np.array(COVERS))
    made.candidates("others", np.zeros(0))
    made.measure("exposure", [0.6, 0.2, 0.0])
    made.measure("danger", lambda agents, of, weight: weight * of)
    return made


def test_a_crowd_chooses_from_arrays() -> None:
    agents = crowd(1_500)
    places = np.zeros((1_500, 2), dtype=np.float32)
    places[1_000:, 0] = 8.0
    agents.set("pos", places)
    agents.step()
    assert agents.take_faults() == []
    chosen = agents.get("spot")
    assert (chosen[:1_000] == (3.0, 0.0)).all() and (chosen[1_000:] == (9.0, 0.0)).all()
    assert len(agents.running("hide")) == 1_500


def test_each_agent_has_candidates_of_its_own() -> None:
    agents = crowd(3)
    covers = np.full((3, 2, 2), np.nan, dtype=np.float32)
    covers[0] = [(1, 0), (2, 0)]
    covers[1, 0] = (7, 7)
    agents.candidates("covers", covers)
    agents.measure("exposure", np.array([[0.9, 0.1], [0.0, 0.0], [0.0, 0.0]]))
    agents.candidates("others", np.array([[0, 0], [0, 0], [5, 3]], dtype=np.uint64))
    agents.step()
    assert agents.take_faults() == []
    assert agents.get("spot").tolist() == [[2, 0], [7, 7], [0, 0]]
    assert agents.get("prey").tolist() == [None, None, 3]


def test_functions_are_asked_about_many_agents_in_one_call() -> None:
    asked: list[tuple[str, tuple[int, ...], str]] = []

    def covers(agents: npt.NDArray[np.int64], range: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        asked.append(("covers", agents.shape, str(range.dtype)))
        assert (range == 5.0).all()
        return np.stack([np.stack([agents, agents * 0], axis=1), np.stack([agents + 1, agents * 0], axis=1)], axis=1).astype(np.float32)

    def exposure(agents: npt.NDArray[np.int64], of: npt.NDArray[np.float32]) -> Any:
        asked.append(("exposure", of.shape, str(of.dtype)))
        return (of[:, 0] == agents).astype(np.float32)

    for threads in (1, 3):
        asked.clear()
        agents = crowd(5_000, threads)
        agents.candidates("covers", covers)
        agents.measure("exposure", exposure)
        for _ in range(2):
            agents.step()
        assert agents.take_faults() == []
        np.testing.assert_array_equal(agents.get("spot")[:, 0], np.arange(5_000) + 1)
        assert sorted({name for name, *_ in asked}) == ["covers", "exposure"]
        # A call for each block of agents, in the first step; then nobody searches.
        assert len(asked) == 10 and asked[0][1] == (1_024,) and ("exposure", (2_048, 2), "float32") in asked


def test_functions_are_called_by_several_threads() -> None:
    text = DOCUMENT.replace("sequence {\n            find place", "reactive-sequence {\n            find place")
    spots = []
    for threads in (1, 3):
        agents = Minds(treemind.loads(text), 6_000, threads=threads)
        agents.candidates("covers", lambda agents, range: np.stack([agents % 7, agents % 5], axis=1)[:, None].astype(np.float32))
        agents.candidates("others", [])
        agents.measure("exposure", lambda agents, of: of[:, 0] / 14)
        # The first steps are played in both ways.
        for _ in range(6):
            agents.step()
        assert agents.take_faults() == []
        spots.append(agents.get("spot").tobytes())
    assert spots[0] == spots[1]


def test_what_goes_wrong_in_a_crowd_is_a_fault() -> None:
    def wrong(agents: npt.NDArray[np.int64], of: npt.NDArray[np.float32]) -> Any:
        return answer[0] if not isinstance(answer[0], Exception) else raise_it(answer[0])

    def raise_it(error: Exception) -> None:
        raise error

    answer: list[Any] = [None]
    for answer[0], text in [(ValueError("blind"), "blind"), (np.zeros(7), "3 candidates"), ("ab", "float32"), (np.zeros((1, 3)), "shape")]:
        agents = crowd(1)
        agents.measure("exposure", wrong)
        assert agents.step()[1] == 1
        faults = agents.take_faults()
        assert faults and text in faults[0].text and faults[0].exception is not None, (text, faults)


def test_an_interrupt_in_a_crowd_is_raised_after_the_step() -> None:
    def stop(agents: npt.NDArray[np.int64], of: npt.NDArray[np.float32]) -> Any:
        raise KeyboardInterrupt

    agents = crowd(10)
    agents.measure("exposure", stop)
    with pytest.raises(KeyboardInterrupt):
        agents.step()
    assert agents.ticks == 1
    agents.measure("exposure", [0.0, 0.0, 0.0])
    agents.step()


def test_who_has_given_nothing_is_told() -> None:
    agents = Minds(treemind.loads(DOCUMENT), 2)
    agents.step()
    texts = {fault.text for fault in agents.take_faults()}
    assert any('crowd.candidates("covers", …)' in text for text in texts)
    agents.candidates("covers", COVERS)
    agents.step()
    assert any('crowd.measure("exposure", …)' in fault.text for fault in agents.take_faults())


def test_a_function_cannot_step_its_own_crowd() -> None:
    def covers(agents: npt.NDArray[np.int64], range: npt.NDArray[np.float32]) -> Any:
        with pytest.raises(treemind.TreemindError, match="being ticked"):
            made.step()
        return COVERS

    made = crowd(2)
    made.candidates("covers", covers)
    made.step()
    assert made.take_faults() == []


@pytest.mark.parametrize(
    ("give", "raises", "text"),
    [
        (lambda agents: agents.candidates("cover", COVERS), KeyError, "there are: covers, others"),
        (lambda agents: agents.candidates("exposure", COVERS), KeyError, "there are no candidates"),
        (lambda agents: agents.measure("covers", [1]), KeyError, "there are: exposure, danger"),
        (lambda agents: agents.candidates("covers", np.zeros((3, 3))), ValueError, r"\(n, 2\)"),
        (lambda agents: agents.candidates("covers", np.zeros((3, 4, 2))), ValueError, r"\(10, n, 2\)"),
        (lambda agents: agents.candidates("covers", [["a", "b"]]), TypeError, "float32"),
        (lambda agents: agents.candidates("others", [1.5]), TypeError, "uint64"),
        (lambda agents: agents.candidates("others", [-1]), ValueError, "outside"),
        (lambda agents: agents.measure("exposure", np.zeros((2, 2, 2))), ValueError, r"\(n,\)"),
        (lambda agents: agents.measure("danger", [1.0]), TypeError, "`weight`"),
    ],
)
def test_arrays_that_do_not_fit(give: Any, raises: type[Exception], text: str) -> None:
    agents = crowd(10)
    with pytest.raises(raises, match=text):
        give(agents)
    agents.step()
    assert agents.take_faults() == []


def test_what_was_given_stays_after_a_reload() -> None:
    agents = crowd(2)
    agents.reload(treemind.loads(DOCUMENT.replace("range=5.0", "range=6.0")))
    agents.step()
    assert agents.take_faults() == [] and agents.get("spot").tolist() == [[3, 0], [3, 0]]


def test_a_crowd_that_its_function_knows_is_collected() -> None:
    agents = crowd(2)
    agents.measure("exposure", lambda agents, of, crowd=agents: of[:, 0])
    gone = weakref.ref(agents)
    del agents
    gc.collect()
    assert gone() is None


def test_threads_give_the_same() -> None:
    """Long enough that several threads are worth it in a build of any kind; the states are the same to the bit."""
    document = treemind.loads("""
        blackboard { key health type=float default=100.0; key sum type=float; key tries type=int; }
        leaves { condition see-enemy; action attack; action patrol; }
        tree guard {
            reactive-selector {
                reactive-sequence {
                    condition see-enemy
                    set "sum = sum * 0.5 + sqrt(health); tries += random(0, 3)"
                    action attack
                }
                action patrol
            }
        }
    """)
    saved = []
    for threads in (1, 2, 5):
        many = Minds(document, 40_000, threads=threads, seed=3)
        chance = np.random.default_rng(1)
        seen = many.holds("see-enemy")
        for _ in range(4):
            seen[:] = chance.random(40_000) < 0.5
            many.set("health", chance.random(40_000, dtype=np.float32))
            many.step()
        saved.append((many.save(), many.running("attack").tobytes()))
    assert saved[0] == saved[1] == saved[2]
