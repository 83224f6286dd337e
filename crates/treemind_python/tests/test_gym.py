"""The arena as an environment of Gymnasium: its checker, the same game to the bit, and what makes no sense."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treemind

gymnasium = pytest.importorskip("gymnasium")
import treemind.gym  # noqa: E402


def make(examples: Path, **others: Any) -> Any:
    folder = examples / "13-hero"
    asked: dict[str, Any] = dict(document=treemind.load(folder / "castle.kdl"), scenario=folder / "castle.map", steer="hero")
    asked.update(others)
    return gymnasium.make("treemind/Arena-v0", **asked)


@pytest.mark.parametrize("grid", [False, True])
def test_the_checker_of_gymnasium_is_content(examples: Path, grid: bool) -> None:
    from gymnasium.utils.env_checker import check_env

    env = make(examples, grid=grid, render_mode="rgb_array", ticks=400)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Facts have no bounds.
        warnings.filterwarnings("ignore", message=".*(minimum|maximum) value is.*infinity.*")
        check_env(env.unwrapped)


def played(env: Any, seed: int) -> list[Any]:
    rows: list[Any] = [env.reset(seed=seed)[0].tobytes()]
    actions = np.random.default_rng(3).integers(env.action_space.n, size=200)
    for action in actions:
        seen, reward, over, cut, info = env.step(action)
        rows.append((seen.tobytes(), reward, over, cut, info))
        if over or cut:
            break
    return rows


def test_the_same_seed_gives_the_same_game_to_the_bit(examples: Path) -> None:
    env = make(examples)
    first = played(env, 5)
    assert len(first) > 50
    assert first == played(env, 5) == played(make(examples), 5)


def test_without_a_seed_games_follow_from_the_last_one(examples: Path) -> None:
    env, other = make(examples), make(examples)
    for one in (env, other):
        one.reset(seed=9)
    assert env.reset()[1] == other.reset()[1]
    assert env.unwrapped.np_random.integers(1_000_000) == other.unwrapped.np_random.integers(1_000_000)


def test_actions_observations_and_rewards_are_declared(examples: Path) -> None:
    env = make(examples, actions=["wait", "right"], observe=["x", "health / 140", "enemy_seen"], reward="x - was_x", until="x > 4", every=4)
    seen, info = env.reset(seed=1)
    assert env.action_space.n == 2 and env.observation_space.shape == (3,)
    assert seen.tolist() == [1.5, 1.0, 0.0] and info["health"] == 140
    assert env.step(0)[1] == 0.0
    seen, reward, over, cut, info = env.step(1)
    assert reward == pytest.approx(float(seen[0]) - 1.5) and reward > 0 and not over and not cut
    assert info["tick"] == 8
    turns = 0
    while not over:
        seen, reward, over, cut, info = env.step(0)
        turns += 1
        assert turns < 50
    assert seen[0] > 4


def test_a_game_is_cut_off(examples: Path) -> None:
    env = make(examples, ticks=10)
    env.reset(seed=0)
    assert [env.step(0)[2:4] for _ in range(2)] == [(False, False), (False, True)]


def test_anybody_can_be_steered(examples: Path) -> None:
    folder = examples / "01-guard"
    env = make(examples, document=folder / "guard.kdl", scenario=folder / "yard.map", steer="guard")
    _, info = env.reset(seed=0)
    at = (info["x"], info["y"])
    *_, info = env.step(treemind.gym.KEYS.index("down") + 1)
    assert info["y"] > at[1] and info["x"] == at[0]


def test_frames(examples: Path) -> None:
    env = make(examples, render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    assert frame.dtype == np.uint8 and frame.shape == (17 * 12, 42 * 12, 3)
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) >= 5
    plain = make(examples)
    plain.reset(seed=0)
    assert plain.unwrapped.render() is None


@pytest.mark.parametrize(
    ("others", "text"),
    [
        ({"steer": "heroine"}, "heroine.*captain"),
        ({"reward": "helth"}, "helth"),
        ({"observe": ["1.0 / coins"]}, "1.0 / coins"),
        ({"until": "coins"}, "coins"),
        ({"scenario": "no\nmap\n"}, "map"),
    ],
)
def test_what_makes_no_sense(examples: Path, others: dict[str, Any], text: str) -> None:
    with pytest.raises(treemind.TreemindError, match=text):
        make(examples, **others)


def test_values_that_make_no_sense(examples: Path) -> None:
    wrong: list[dict[str, Any]] = [{"actions": ["jump"]}, {"actions": []}, {"every": 0}, {"render_mode": "human"}]
    for others in wrong:
        with pytest.raises(ValueError):
            treemind.gym.ArenaEnv(examples / "13-hero/castle.kdl", examples / "13-hero/castle.map", **others)
    env = make(examples).unwrapped
    env.reset(seed=0)
    with pytest.raises(ValueError, match="an action"):
        env.step(99)


SCHOOL = """
[map]
############
#H........G#
#..........#
############
[legend]
H actor hero team=thieves health=140 walk=1.4 run=2.6 weapon=sword
G actor guard mind=main team=castle walk=2.0 run=3.4 weapon=sword
[steer]
document examples/01-guard/guard-tuned.kdl
who hero
observe x / 12
observe guard.health / 100
observe guard.health - guard.was_health
grid 5
actions wait right strike
reward guard.was_health - guard.health + (health - was_health) / 140
until guard.health < 50
every 4
ticks 800
"""


def school(examples: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder / "examples").symlink_to(examples)
    path = folder / "school.map"
    path.write_text(SCHOOL)
    monkeypatch.chdir(folder.parent)
    return path


def test_a_scenario_says_all_that_is_asked(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = school(examples, tmp_path, monkeypatch)
    env: Any = gymnasium.make("treemind/Arena-v0", scenario=path)
    seen, info = env.reset(seed=1)
    assert env.action_space.n == 3 and info["tick"] == 0
    assert seen["facts"].tolist() == pytest.approx([1.5 / 12, 1.0, 0.0])
    assert seen["grid"].shape == (5, 5) and seen["grid"][2, 2] == 8 and seen["grid"][0, 0] == 1
    right, strike = 1, 2
    rewards = []
    for turn in range(200):
        seen, reward, over, cut, info = env.step(right if turn < 20 else strike)
        assert info["tick"] == min(4 * (turn + 1), 800) or over
        rewards.append(reward)
        if over or cut:
            break
    assert any(rewards), "somebody was hit"
    by_hand = treemind.gym.ArenaEnv(
        treemind.load(examples / "01-guard/guard-tuned.kdl"), SCHOOL, "hero", observe=["x"], grid=False, actions=["right"], until="x > 2", every=1, ticks=7
    )
    assert by_hand.reset(seed=1)[0].shape == (1,) and by_hand.action_space.contains(0) and not by_hand.action_space.contains(1)


def test_a_vector_and_a_zoo_read_the_scenario_too(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = school(examples, tmp_path, monkeypatch)
    vector = gymnasium.make_vec("treemind/Arena-v0", num_envs=3, scenario=path)
    seen, _ = vector.reset(seed=1)
    one, _ = gymnasium.make("treemind/Arena-v0", scenario=path).reset(seed=2)
    assert seen["grid"].shape == (3, 5, 5) and seen["facts"][1].tobytes() == one["facts"].tobytes()
    pytest.importorskip("pettingzoo")
    from treemind import zoo

    several = path.with_name("several.map")
    # The guard is steered as well, so it has no mind whose keys could be asked.
    several.write_text(SCHOOL.replace("who hero", "who hero guard").replace("guard.", ""))
    env = zoo.parallel_env(scenario=several)
    assert env.possible_agents == ["hero", "guard"]
    seen, _ = env.reset(seed=1)
    assert seen["guard"]["grid"].shape == (5, 5)


@pytest.mark.parametrize(
    ("line", "other", "raises", "text"),
    [
        ("document examples", "; document examples", TypeError, "document guard.kdl"),
        ("grid 5", "grid 4", treemind.TreemindError, "line 16: `grid 4`"),
        ("until guard.health", "until guard.helth", treemind.TreemindError, "no key `helth`"),
        ("who hero", "who thief", treemind.TreemindError, "`thief`"),
    ],
)
def test_a_scenario_that_makes_no_sense(
    examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, other: str, raises: type[Exception], text: str
) -> None:
    path = school(examples, tmp_path, monkeypatch)
    path.write_text(SCHOOL.replace(line, other))
    with pytest.raises(raises, match=text):
        gymnasium.make("treemind/Arena-v0", scenario=path)


def test_a_grid_and_a_scenario_that_are_missing_or_make_no_sense(examples: Path) -> None:
    for grid in (4, 1, 99, 0, -1):
        with pytest.raises(ValueError, match="odd number"):
            make(examples, grid=grid)
    with pytest.raises(TypeError, match="`scenario` is missing"):
        gymnasium.make("treemind/Arena-v0")


def test_a_mind_that_the_map_marks_as_steered_is_told_what_is_pressed(examples: Path) -> None:
    folder = examples / "16-apprentice"
    env = make(examples, document=folder / "by-hand.kdl", scenario=folder / "yard.map", steer="keeper", observe=["me.enemy_distance", "me.pressed == left"])
    seen, info = env.reset(seed=0)
    at = info["x"]
    for _ in range(20):
        seen, *_, info = env.step(treemind.gym.KEYS.index("left") + 1)
    assert seen[1] == 1.0 and info["x"] < at, "its mind walks to the hut"
