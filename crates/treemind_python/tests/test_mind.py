"""One agent with functions, generators and classes."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import pytest
from conftest import GUARD

import treemind
from treemind import FAILURE, RUNNING, SUCCESS, Me, Mind


class World:
    def __init__(self) -> None:
        self.enemy = False
        self.dead = False
        self.log: list[str] = []


def leaves(**others: Any) -> dict[str, Any]:
    def patrol(me: Me) -> treemind.Status:
        me.world.log.append("patrol")
        return RUNNING

    return {
        "see-enemy": lambda me: me.world.enemy,
        "enemy-dead": lambda me: me.world.dead,
        "patrol": patrol,
        "run-away": lambda: RUNNING,
        "attack": lambda me, range: RUNNING,
        **{name.replace("_", "-"): code for name, code in others.items()},
    }


def test_functions(guard: treemind.Document) -> None:
    world = World()
    mind = Mind(guard, leaves(), world=world)
    assert mind.tick(0.1) == RUNNING
    assert world.log == ["patrol"]
    assert mind.running[-1] == "patrol"
    world.enemy = True
    mind.tick(0.1)
    assert "attack" in mind.running[-1]
    mind["health"] = 10
    mind.tick()
    assert mind.running[-1] == "run-away"
    assert mind.take_faults() == []
    assert mind.ticks == 3 and mind.now == pytest.approx(0.3)
    assert mind["health"] == 10.0 and mind.keys() == ["health"]


def test_an_object_can_be_the_leaves() -> None:
    class Game:
        def see_enemy(self, me: Me) -> bool:
            return True

        def strike(self) -> treemind.Status:
            return SUCCESS

    document = treemind.loads("leaves { condition see-enemy; action strike; }; tree t { sequence { condition see-enemy; action strike; }; }")
    assert Mind(document, Game()).tick() == SUCCESS


def test_parameters_are_given_by_name(guard: treemind.Document) -> None:
    seen: list[float] = []

    def attack(me: Me, range: float) -> bool:
        seen.append(range)
        return True

    world = World()
    world.enemy = True
    assert Mind(guard, leaves(attack=attack), world=world).tick() == SUCCESS
    assert seen == [1.5]


def test_generators_run_until_they_return(guard: treemind.Document) -> None:
    log: list[str] = []

    def attack(me: Me, range: float) -> Any:
        try:
            for blow in (1, 2):
                log.append(f"blow {blow} at {me.tick}")
                yield
        except GeneratorExit:
            log.append("stopped")
            raise
        finally:
            log.append("over")

    world = World()
    world.enemy = True
    mind = Mind(guard, leaves(attack=attack), world=world)
    assert [mind.tick() for _ in range(3)] == [RUNNING, RUNNING, SUCCESS]
    assert log == ["blow 1 at 1", "blow 2 at 2", "over"]
    mind.tick()
    log.clear()
    mind["health"] = 5.0
    mind.tick()
    assert log == ["stopped", "over"]
    assert mind.take_faults() == []


def test_what_a_generator_returns_is_the_answer() -> None:
    document = treemind.loads("leaves { action a; }; tree t { action a; }")

    def answer(value: object) -> treemind.Status:
        def action() -> Any:
            yield
            return value

        mind = Mind(document, {"a": action})
        mind.tick()
        return mind.tick()

    assert answer(None) == SUCCESS and answer(True) == SUCCESS
    assert answer(False) == FAILURE and answer(FAILURE) == FAILURE


def test_classes_have_parameters_as_fields(guard: treemind.Document) -> None:
    log: list[str] = []

    @dataclasses.dataclass
    class Attack:
        range: float
        blows: int = 0

        def start(self, me: Me) -> None:
            log.append(f"start {self.range}")

        def update(self, me: Me) -> treemind.Status:
            self.blows += 1
            return SUCCESS if self.blows == 3 else RUNNING

        def stop(self, me: Me, outcome: str) -> None:
            log.append(f"{outcome} after {self.blows}")

    class Plain:
        range: float

        def update(self, me: Me) -> bool:
            log.append(f"plain {self.range}")
            return True

    world = World()
    world.enemy = True
    mind = Mind(guard, leaves(attack=Attack), world=world)
    assert [mind.tick() for _ in range(3)] == [RUNNING, RUNNING, SUCCESS]
    mind.tick()
    mind.stop()
    assert log == ["start 1.5", "success after 3", "start 1.5", "aborted after 1"]
    Mind(guard, leaves(attack=Plain), world=world).tick()
    assert log[-1] == "plain 1.5"


def test_what_is_raised_becomes_a_fault_with_its_traceback(guard: treemind.Document) -> None:
    def see_enemy(me: Me) -> bool:
        raise ValueError("blind")

    world = World()
    mind = Mind(guard, leaves(see_enemy=see_enemy), world=world)
    assert mind.tick() == RUNNING  # it patrols: the condition has failed
    (fault,) = mind.take_faults()
    assert (fault.leaf, fault.tick, fault.text) == ("see-enemy", 1, "ValueError: blind")
    assert isinstance(fault.exception, ValueError)
    assert 'raise ValueError("blind")' in str(fault)
    assert mind.take_faults() == []


@pytest.mark.parametrize("answer", [None, 3, "yes", RUNNING])
def test_nonsense_from_a_condition_is_a_fault(guard: treemind.Document, answer: object) -> None:
    mind = Mind(guard, leaves(see_enemy=lambda: answer), world=World())
    mind.tick()
    (fault,) = mind.take_faults()
    assert "condition `see-enemy` answered" in fault.text


def test_nonsense_from_actions_is_a_fault() -> None:
    document = treemind.loads("leaves { action a; }; tree t { action a; }")

    def yields() -> Any:
        yield 7

    for code in (lambda: None, lambda: "later", yields):
        mind = Mind(document, {"a": code})
        assert mind.tick() == FAILURE
        assert len(mind.take_faults()) == 1


def test_keyboard_interrupt_ends_the_tick_and_nothing_else(guard: treemind.Document) -> None:
    def patrol() -> bool:
        raise KeyboardInterrupt

    mind = Mind(guard, leaves(patrol=patrol), world=World())
    with pytest.raises(KeyboardInterrupt):
        mind.tick()
    assert mind.ticks == 1
    with pytest.raises(KeyboardInterrupt):
        mind.tick()
    assert mind.ticks == 2


def test_keys_can_be_read_and_written_in_functions() -> None:
    document = treemind.loads("""
        blackboard {
            key hits type=int
            key mood type=enum default=calm { value calm angry; }
            key place type=vec2
            key seen type=entity list=3
            key target type=entity optional=#true
        }
        leaves { action a; }
        tree t { action a; }
    """)

    def action(me: Me) -> bool:
        me["hits"] += 1
        assert me["hits"] == 1 and me["target"] is None
        me["place"] = (1.5, 2)
        me["target"] = 7
        assert me["mood"] == "calm" and me["seen"] == []
        me["mood"] = "angry"
        me["seen"] = [3, 4]
        assert "hits" in me and "no" not in me
        return True

    mind = Mind(document, {"a": action})
    assert mind.tick() == SUCCESS, mind.take_faults()
    assert (mind["hits"], mind["place"], mind["target"]) == (1, (1.5, 2.0), 7)
    assert (mind["mood"], mind["seen"]) == ("angry", [3, 4])
    with pytest.raises(ValueError, match="calm, angry"):
        mind["mood"] = "glad"
    del mind["target"]
    assert mind["target"] is None
    with pytest.raises(TypeError, match="key `hits`"):
        mind["hits"] = 1.5
    with pytest.raises(TypeError, match="not optional"):
        mind["hits"] = None
    with pytest.raises(KeyError, match="there is no key `hit`"):
        mind["hit"] = 1


def test_me_belongs_to_its_call(guard: treemind.Document) -> None:
    kept: list[Me] = []

    def see_enemy(me: Me) -> bool:
        kept.append(me)
        return False

    Mind(guard, leaves(see_enemy=see_enemy), world=World()).tick()
    with pytest.raises(treemind.TreemindError, match="belongs to a call"):
        _ = kept[0]["health"]


def test_a_function_cannot_tick_its_own_mind(guard: treemind.Document) -> None:
    minds: list[Mind] = []
    mind = Mind(guard, leaves(see_enemy=lambda: bool(minds[0].tick())), world=World())
    minds.append(mind)
    mind.tick()
    (fault,) = mind.take_faults()
    assert "is being ticked at this moment" in fault.text


def test_two_threads_get_an_exception(guard: treemind.Document) -> None:
    inside, leave = threading.Event(), threading.Event()

    def see_enemy() -> bool:
        inside.set()
        leave.wait(5)
        return False

    mind = Mind(guard, leaves(see_enemy=see_enemy), world=World())
    thread = threading.Thread(target=mind.tick)
    thread.start()
    assert inside.wait(5)
    with pytest.raises(treemind.TreemindError, match="another thread"):
        mind.tick()
    leave.set()
    thread.join()
    assert mind.ticks == 1


def test_what_does_not_fit_is_said_when_a_mind_is_made(guard: treemind.Document) -> None:
    some = leaves()
    del some["patrol"], some["attack"]
    with pytest.raises(treemind.TreemindError, match="action `patrol`, action `attack`"):
        Mind(guard, some)
    with pytest.raises(treemind.TreemindError, match="asks for `rang`"):
        Mind(guard, leaves(attack=lambda me, rang: RUNNING))
    with pytest.raises(treemind.TreemindError, match="does not take the parameter `range`"):
        Mind(guard, leaves(attack=lambda me: RUNNING))
    with pytest.raises(treemind.TreemindError, match="neither a function nor a class"):
        Mind(guard, leaves(attack=3))
    with pytest.raises(treemind.TreemindError, match="update"):
        Mind(guard, leaves(attack=World))

    async def later(me: Me, range: float) -> bool:
        return True

    with pytest.raises(treemind.TreemindError, match="async"):
        Mind(guard, leaves(attack=later))


@pytest.mark.parametrize("dt", [-1, float("nan"), float("inf"), 1e300])
def test_times_that_make_no_sense(guard: treemind.Document, dt: float) -> None:
    with pytest.raises(ValueError, match="seconds"):
        Mind(guard, leaves(), world=World()).tick(dt)


def test_reasons(guard: treemind.Document) -> None:
    world = World()
    mind = Mind(guard, leaves(), world=world, explain=True)
    mind.tick()
    world.enemy = True
    mind["health"] = 10.0
    mind.tick()
    assert "health < 20" in mind.explain()
    with pytest.raises(treemind.TreemindError, match="explain=True"):
        Mind(guard, leaves(), world=world).explain()


def test_saving_goes_on_as_if_nothing_had_been(guard: treemind.Document) -> None:
    @dataclasses.dataclass
    class Attack:
        range: float
        blows: int = 0

        def update(self, me: Me) -> treemind.Status:
            self.blows += 1
            return SUCCESS if self.blows == 4 else RUNNING

    world = World()
    world.enemy = True

    def mind() -> Mind:
        return Mind(guard, leaves(attack=Attack), world=world)

    first = mind()
    for _ in range(2):
        first.tick()
    saved = first.save()
    second = mind()
    second.restore(saved)
    assert second.ticks == 2
    assert [second.tick() for _ in range(3)] == [first.tick() for _ in range(3)] == [RUNNING, SUCCESS, RUNNING]
    for damaged in (b"", saved[:-1], saved[:40] + b"x" + saved[41:], b"nonsense"):
        with pytest.raises(treemind.RestoreError):
            second.restore(damaged)


def test_generators_cannot_be_saved(guard: treemind.Document) -> None:
    def patrol() -> Any:
        while True:
            yield

    mind = Mind(guard, leaves(patrol=patrol), world=World())
    mind.tick()
    with pytest.raises(treemind.TreemindError, match="`patrol` runs as a generator"):
        mind.save()


def test_reload_keeps_what_has_not_changed(guard: treemind.Document) -> None:
    log: list[str] = []

    def patrol() -> Any:
        step = 0
        while True:
            step += 1
            log.append(f"step {step}")
            yield

    mind = Mind(guard, leaves(patrol=patrol), world=World())
    for _ in range(2):
        mind.tick()
    mind.reload(treemind.loads(GUARD.replace("health < 20", "health < 30"), "guard.kdl"))
    mind.tick()
    assert log == ["step 1", "step 2", "step 3"]
    with pytest.raises(treemind.TreemindError):
        mind.reload(treemind.loads("leaves { action other; }; tree guard { action other; }"))
    mind.tick()
    assert log[-1] == "step 4"


def test_drawing_shows_what_runs(guard: treemind.Document) -> None:
    mind = Mind(guard, leaves(), world=World())
    assert "<rect" not in treemind.svg(mind)
    mind.tick()
    assert "running: " in mind._repr_html_()  # type: ignore[attr-defined]


def test_logs_events_and_services() -> None:
    document = treemind.loads("""
        blackboard { key n type=int default=3; }
        leaves { event noise { param volume type=float; }; action a; }
        tree t { sequence { log "n is {n}"; emit noise volume=2.5; action a; }; }
    """)
    said: list[str] = []
    heard: list[float] = []
    mind = Mind(document, {"a": lambda: True, "noise": lambda volume: heard.append(volume)}, on_log=said.append)
    assert mind.tick() == SUCCESS
    assert (said, heard) == (["n is 3"], [2.5])


def test_a_document_can_go_before_its_mind() -> None:
    document = treemind.loads("leaves { action a; }; tree t { action a; }")
    mind = Mind(document, {"a": lambda: True})
    del document
    assert mind.tick() == SUCCESS
