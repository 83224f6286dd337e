"""Several documents in one world."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

import treemind
from treemind import RUNNING, SUCCESS, Cast, Mind

GUARDS = """
blackboard { key aim type=float default=0.5; key whom type=entity; }
blackboard scope=world { key ammo type=int default=6; }
leaves {
    action shoot
    action wait-for-it
    event alarm { param from type=entity; param with type=enum default=spear { value spear bow; }; }
}
tree guard {
    reactive-selector {
        sequence { received alarm from="{whom}"; check "ammo > 0"; set "ammo = ammo - 1"; action shoot; }
        action wait-for-it
    }
}
archetype rookie tree=guard
archetype marksman tree=guard { given aim=0.9; }
"""
COOKS = """
blackboard { key seen type=bool; }
blackboard scope=world { key ammo type=int default=6; }
leaves {
    action cook
    event alarm { param from type=entity; param with type=enum default=spear { value bow spear; }; }
}
tree cook { selector { check seen; action cook; }; }
"""


class Leaves:
    """The code of all; it notes what was done."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.calls_at = -1

    def shoot(self, me: treemind.Me) -> treemind.Status:
        self.done.append(("shoot", me.index, round(me["aim"], 1), me["whom"]))
        return SUCCESS

    def wait_for_it(self) -> treemind.Status:
        return RUNNING

    def cook(self, me: treemind.Me) -> treemind.Status:
        if me.tick == self.calls_at:
            me.send("alarm", to="world", **{"from": me.id, "with": "bow"})
        return RUNNING


def made(leaves: Leaves | None = None, **others: Any) -> tuple[Cast, Leaves]:
    leaves = leaves or Leaves()
    cast = Cast(leaves, **others)
    assert cast.add(treemind.loads(GUARDS, "guards.kdl")) == ["rookie", "marksman"]
    assert cast.add(treemind.loads(COOKS, "cooks.kdl")) == ["cook"]
    return cast, leaves


def test_documents_share_a_world() -> None:
    cast, leaves = made()
    guards = cast.spawn("rookie", 2) + cast.spawn("marksman")
    (cook,) = cast.spawn("cook")
    assert cast.archetypes == ["rookie", "marksman", "cook"] and len(cast) == 4
    assert [agent.archetype for agent in cast.agents] == ["rookie", "rookie", "marksman", "cook"]
    assert cast.step() == (0, 0, 4, 0) and cast.steps == 1
    assert cast.send("alarm", **{"from": cook.id}) == 3
    cast.step()
    assert leaves.done == [("shoot", 0, 0.5, cook.id), ("shoot", 1, 0.5, cook.id), ("shoot", 2, 0.9, cook.id)]
    # All have written 5: what is shared reads as it was when the step began.
    assert cast["ammo"] == 5 and cook["ammo"] == 5
    cast["ammo"] = 0
    assert guards[0]["ammo"] == 0
    cook["ammo"] = 3
    assert cast["ammo"] == 3
    cast.step()
    assert guards[0].send("alarm", **{"from": 1}) and guards[0].running[-1] == "wait-for-it"
    with pytest.raises(KeyError, match="there are: ammo"):
        cast["aim"]
    assert cast.take_faults() == []


def test_agents_send_events_to_each_other() -> None:
    cast, leaves = made()
    cast.spawn("rookie", 2)
    (cook,) = cast.spawn("cook")
    leaves.calls_at = 2
    for _ in range(2):
        cast.step()
    assert leaves.done == []
    cast.step()
    assert leaves.done == [("shoot", 0, 0.5, cook.id), ("shoot", 1, 0.5, cook.id)]


def test_agents_come_and_go() -> None:
    cast, _ = made()
    one, two = cast.spawn("rookie", 2, group=3)
    assert (one.group, one.alive, one != two, one == cast.find(one.id)) == (3, True, True, True)
    assert len({one, cast.agents[0]}) == 1
    one.group = 1
    assert one.group == 1
    one.remove()
    assert not one.alive and cast.find(one.id) is None and cast.agents == [two]
    for use in (lambda: one["aim"], lambda: one.remove(), lambda: one.running, lambda: one.send("alarm", **{"from": 1})):
        with pytest.raises(treemind.TreemindError, match="dead|any more"):
            use()
    assert cast.send("alarm", group=3, **{"from": 1}) == 1
    assert cast.send("alarm", group=9, **{"from": 1}) == 0
    again = cast.spawn("rookie")[0]
    assert again.index == one.index and again != one and not one.alive


def test_functions_ask_for_agents() -> None:
    document = treemind.loads("""
        blackboard { key age type=int; }
        leaves { action live; }
        tree t { action live; }
        archetype parent tree=t
        archetype child tree=t
    """)

    def live(me: treemind.Me) -> treemind.Status:
        if me.tick == 1:
            me.spawn("child", age=7)
            me.group = 2
        elif me["age"] == 0:
            me.remove()
        return RUNNING

    cast = Cast({"live": live})
    cast.add(document)
    (parent,) = cast.spawn("parent")
    cast.step()
    child = cast.agents[1]
    assert (child.archetype, child["age"], parent.group) == ("child", 7, 2)
    cast.step()
    assert cast.agents == [child] and not parent.alive


class Shoot:
    """An action with a state that can be saved."""

    def __init__(self) -> None:
        self.count = 0

    def update(self, me: treemind.Me) -> treemind.Status:
        self.count += 1
        me["aim"] = self.count
        return SUCCESS if self.count == 4 else RUNNING


class Saved(Leaves):
    shoot = Shoot  # type: ignore[assignment]


def shooting() -> tuple[Cast, treemind.Actor]:
    cast, _ = made(Saved())
    (guard,) = cast.spawn("rookie")
    cast.spawn("cook", 2)
    cast.send("alarm", **{"from": 1})
    return cast, guard


def test_saving_going_back_and_restoring() -> None:
    cast, guard = shooting()
    cast.keep(3)
    saved, aims = [cast.save()], []
    for _ in range(5):
        cast.step()
        saved.append(cast.save())
        aims.append(guard["aim"])
    assert aims == [1, 2, 3, 4, 4]
    cast.go_back(2)
    assert (cast.steps, guard["aim"], cast.save()) == (2, 2, saved[2])
    for tick in (3, 4):
        cast.step()
        assert cast.save() == saved[tick]
    with pytest.raises(ValueError, match="step 1 is not kept"):
        cast.go_back(1)
    other, _ = made(Saved())
    other.restore(saved[3])
    assert [agent.archetype for agent in other.agents] == ["rookie", "cook", "cook"]
    other.step()
    assert other.save() == saved[4]
    for damaged in (b"", saved[1][:-1], b"x" * 100):
        with pytest.raises(treemind.RestoreError):
            other.restore(damaged)
    alone = Cast(Saved())
    alone.add(treemind.loads(GUARDS, "guards.kdl"))
    with pytest.raises(treemind.RestoreError):
        alone.restore(saved[3])


def test_what_cannot_be_kept() -> None:
    def shoot() -> Any:
        yield

    cast = Cast({"shoot": shoot, "wait-for-it": lambda: RUNNING})
    cast.add(treemind.loads(GUARDS, "guards.kdl"))
    with pytest.raises(treemind.TreemindError, match="`shoot` runs as a generator"):
        cast.keep(2)
    with pytest.raises(treemind.TreemindError, match="nothing is kept"):
        cast.go_back(0)


def test_reloading() -> None:
    cast, guard = shooting()
    cast.step()
    changed = GUARDS + "archetype veteran tree=guard { given aim=0.7; }"
    cast.reload(treemind.loads(changed, "guards.kdl"))
    assert cast.archetypes == ["cook", "rookie", "marksman", "veteran"]
    assert round(cast.spawn("veteran")[0]["aim"], 1) == 0.7
    assert guard.running[-1] == "shoot"
    cast.step()
    assert guard["aim"] == 2, "what has not changed goes on"
    before = cast.save()
    for text, why in [
        (COOKS.replace("tree cook", "tree chef"), "2 agents run `cook`"),
        (COOKS.replace("key ammo type=int default=6", "key ammo type=float default=6.0"), "ammo"),
        (COOKS.replace("action cook", "action bake"), "`bake`"),
    ]:
        with pytest.raises(treemind.TreemindError, match=why):
            cast.reload(treemind.loads(text, "cooks.kdl"))
        assert cast.save() == before
    with pytest.raises(treemind.TreemindError, match="no document that was added"):
        cast.reload(treemind.loads(COOKS, "bakers.kdl"))


def test_documents_that_do_not_fit_together() -> None:
    cast, _ = made()
    for text, name, why in [
        (GUARDS.replace("aim=0.9", "aim=0.8"), "other.kdl", "two files define `rookie`"),
        (COOKS.replace("tree cook", "tree chef").replace("type=int default=6", "type=float default=6.0"), "chef.kdl", "ammo"),
        ("leaves { action dig; }; tree digger { action dig; }", "dig.kdl", "`dig`"),
    ]:
        with pytest.raises(treemind.TreemindError, match=why):
            cast.add(treemind.loads(text, name))
    assert cast.archetypes == ["rookie", "marksman", "cook"]
    assert cast.add(treemind.loads(GUARDS, "other.kdl"), prefix="red/") == ["red/rookie", "red/marksman"]
    with pytest.raises(KeyError, match="there are: rookie"):
        cast.spawn("rocky")
    with pytest.raises(ValueError, match="groups"):
        cast.spawn("rookie", group=1 << 30)
    with pytest.raises(KeyError, match="no document has the event"):
        cast.send("alert")
    with pytest.raises(TypeError, match="needs `from`"):
        cast.send("alarm")


def test_faults_say_of_whom_they_are() -> None:
    class Bad(Leaves):
        def cook(self, me: treemind.Me) -> treemind.Status:
            me.send("alert") if me.index else me["seen"]
            raise ValueError("burnt")

    cast, _ = made(Bad())
    cast.spawn("rookie")
    cast.spawn("cook")
    cast.step()
    (fault,) = cast.take_faults()
    assert (fault.population, fault.agent, fault.leaf, fault.text) == ("cook", 0, "cook", "ValueError: burnt")
    assert isinstance(fault.exception, ValueError) and "raise ValueError" in str(fault)


def test_a_cast_is_recorded(tmp_path: Path) -> None:
    cast, _ = made()
    cast.spawn("rookie", 2)
    cast.spawn("cook")
    with treemind.Recorder(cast, tmp_path / "all.mcap"):
        for _ in range(5):
            cast.step()
    assert (tmp_path / "all.mcap").stat().st_size > 500


def test_who_holds_each_other_is_collected() -> None:
    """A game that has its minds, whose leaves are methods of the game."""

    class Game:
        def __init__(self) -> None:
            self.mind = Mind(treemind.loads("leaves { action go; }; tree t { action go; }"), {"go": self.go}, world=self, on_log=self.hear)
            self.cast = Cast(self, world=self)
            self.cast.add(treemind.loads("leaves { action go; }; tree t { action go; }"))
            self.agents = self.cast.spawn("t", 2)
            self.cast.step()
            self.mind.tick()

        def go(self) -> treemind.Status:
            return RUNNING

        def hear(self, text: str) -> None:
            pass

    game = Game()
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None
