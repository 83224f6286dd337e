"""Many games in one call: the same as one by one, to the bit; and several learners in one game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treemind

gymnasium = pytest.importorskip("gymnasium")
import treemind.gym  # noqa: E402


def asked(examples: Path, **others: Any) -> dict[str, Any]:
    folder = examples / "13-hero"
    return {"document": treemind.load(folder / "castle.kdl"), "scenario": folder / "castle.map", "steer": "hero", "ticks": 260, **others}


def flat(seen: Any) -> bytes:
    return b"".join(part.tobytes() for part in seen.values()) if isinstance(seen, dict) else seen.tobytes()


@pytest.mark.parametrize(("grid", "threads"), [(False, 1), (True, 2)])
def test_a_vector_is_so_many_games_to_the_bit(examples: Path, grid: bool, threads: int) -> None:
    given = asked(examples, grid=grid, until="health < 140")
    vector = gymnasium.make_vec("treemind/Arena-v0", num_envs=5, threads=threads, **given)
    assert isinstance(vector.unwrapped, treemind.gym.ArenaVectorEnv)
    singles = gymnasium.vector.SyncVectorEnv([lambda: treemind.gym.ArenaEnv(**given)] * 5)
    assert vector.observation_space == singles.observation_space and vector.action_space == singles.action_space
    for seed in (3, [9, 8, 7, 6, 5], None):
        a, b = vector.reset(seed=seed), singles.reset(seed=seed)
        assert flat(a[0]) == flat(b[0])
        chance, ends = np.random.default_rng(4), 0
        for _ in range(70):
            actions = chance.integers(vector.single_action_space.n, size=5)
            one, other = vector.step(actions), singles.step(actions)
            assert flat(one[0]) == flat(other[0])
            for mine, theirs in zip(one[1:4], other[1:4], strict=True):
                assert mine.dtype == theirs.dtype
                np.testing.assert_array_equal(mine, theirs)
            assert one[4].keys() == other[4].keys()
            for key, values in one[4].items():
                np.testing.assert_array_equal(values, other[4][key], key)
            ends += int((one[2] | one[3]).sum())
        assert ends >= 5, "games end and begin again"


def test_what_makes_no_sense_for_a_vector(examples: Path) -> None:
    env = treemind.gym.ArenaVectorEnv(2, **asked(examples, render_mode="rgb_array"))
    env.reset(seed=1)
    for actions in ([0], [[0, 0]], [0.5, 1], [0, 99], [-1, 0], ["up", "up"]):
        with pytest.raises(ValueError):
            env.step(np.array(actions))
    with pytest.raises(ValueError, match="seeds"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError):
        treemind.gym.ArenaVectorEnv(0, **asked(examples))
    with pytest.raises(ValueError):
        treemind.gym.ArenaVectorEnv(2, threads=0, **asked(examples))
    frames = env.render()
    assert frames is not None and len(frames) == 2 and frames[0].shape == (17 * 12, 42 * 12, 3)


def learners(examples: Path, **others: Any) -> Any:
    from treemind import zoo

    return zoo.parallel_env(**asked(examples, **{"steer": ["hero", "captain", "guard"], **others}))


def test_pettingzoo_is_content(examples: Path) -> None:
    pytest.importorskip("pettingzoo")
    theirs: Any = pytest.importorskip("pettingzoo.test")
    theirs.parallel_api_test(learners(examples, render_mode="rgb_array"), num_cycles=200)
    theirs.parallel_api_test(learners(examples, grid=True, until="health < 60"), num_cycles=100)
    theirs.parallel_seed_test(lambda: learners(examples), num_cycles=30)


def test_learners_play_in_one_game(examples: Path) -> None:
    pytest.importorskip("pettingzoo")
    env = learners(examples, observe=["x", "health"], reward="x - was_x", until="x > 4")
    seen, infos = env.reset(seed=1)
    assert env.agents == ["hero", "captain", "guard"] and set(seen) == set(infos) == set(env.agents)
    right = treemind.gym.KEYS.index("right") + 1
    _, rewards, over, cut, _ = env.step({"hero": right})
    assert rewards["hero"] > 0 and rewards["guard"] == 0 and not over["hero"]
    # The others stand where `until` holds already: they take no more part.
    assert over["captain"] and env.agents == [one for one in ("hero", "captain", "guard") if not over[one]]
    turns = 0
    while env.agents:
        env.step({"hero": right} if "hero" in env.agents else {})
        turns += 1
        assert turns < 60
    assert env.step({}) == ({}, {}, {}, {}, {})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'heroine'"):
        env.step({"heroine": 0})
    with pytest.raises(ValueError):
        env.step({"hero": 99})
    for steer, why in [(["hero", "hero"], "steered twice"), (["hero", "nobody"], "nobody"), ([], "nobody is steered")]:
        with pytest.raises((treemind.TreemindError, ValueError), match=why):
            learners(examples, steer=steer)


def test_one_learner_in_a_zoo_plays_what_gymnasium_plays(examples: Path) -> None:
    pytest.importorskip("pettingzoo")
    from treemind import zoo

    given = asked(examples)
    single = treemind.gym.ArenaEnv(**given)
    several = zoo.parallel_env(**{**given, "steer": ["hero"]})
    assert single.reset(seed=5)[0].tobytes() == several.reset(seed=5)[0]["hero"].tobytes()
    for action in np.random.default_rng(2).integers(len(treemind.gym.KEYS) + 1, size=40):
        one, reward, over, cut, info = single.step(action)
        seen, rewards, overs, cuts, infos = several.step({"hero": int(action)})
        assert (one.tobytes(), reward, over, cut, info) == (seen["hero"].tobytes(), rewards["hero"], overs["hero"], cuts["hero"], infos["hero"])
        if over or cut:
            break
