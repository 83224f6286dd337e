//! Plans that are known, with what they cost and how many situations are looked at: by the executor's search and by the
//! reference.

use super::Draft;
use treemind_core::Value;

pub(super) fn soldier() -> Draft {
    let keys = "armed ammo=0 mags=1 in_cover enemy_dead enemy_distance=10";
    Draft::new(keys)
        .wants("kill", "enemy_dead", 0.4)
        .step("draw-gun", "!armed", "armed = true", "")
        .step("reload", "armed && mags > 0", "ammo = 6; mags -= 1", "")
        .step("take-cover", "", "in_cover = true", "2")
        .step(
            "shoot",
            "armed && ammo > 0 && in_cover",
            "enemy_dead = true; ammo -= 1",
            "2",
        )
        .step(
            "shoot-standing",
            "armed && ammo > 0",
            "enemy_dead = true; ammo -= 1",
            "5",
        )
        .step("club", "enemy_distance < 2", "enemy_dead = true", "3")
}

pub(super) fn soldier_who_fetches() -> Draft {
    soldier().step("fetch-mags", "", "mags = 2; in_cover = false", "6")
}

#[test]
fn a_soldier() {
    let soldier_at = |mags| soldier_who_fetches().given("mags", Value::Int(mags));
    assert_eq!(
        soldier_at(1).plan(),
        "6 / 6: draw-gun reload take-cover shoot"
    );
    assert_eq!(
        soldier_at(0).plan(),
        "12 / 11: draw-gun fetch-mags reload take-cover shoot"
    );
    assert_eq!(soldier().given("mags", Value::Int(0)).plan(), "none / 4");
    let near = soldier_who_fetches().given("enemy_distance", Value::Int(1));
    assert_eq!(near.plan(), "3 / 1: club");
    let ready = soldier_who_fetches()
        .given("armed", Value::Bool(true))
        .given("ammo", Value::Int(3))
        .given("in_cover", Value::Bool(true));
    assert_eq!(ready.plan(), "2 / 1: shoot");
}

#[test]
fn the_first_planner_of_a_game() {
    let orkin = Draft::new("drawn loaded dead")
        .wants("kill", "dead", 1.0)
        .step("draw", "", "drawn = true", "")
        .step("load", "drawn", "loaded = true", "")
        .step("attack", "loaded", "dead = true", "");
    assert!(orkin.plan().starts_with("3 / "));
    assert!(orkin.plan().ends_with(": draw load attack"));
}

#[test]
fn four_facts() {
    let day = Draft::new("fit fed=true rested=true clean=true")
        .wants("well", "fit && fed && rested && clean", 1.0)
        .step("eat", "", "fed = true", "")
        .step("sleep", "", "rested = true; fed = false", "")
        .step("train", "", "fit = true; rested = false; clean = false", "")
        .step("shower", "", "clean = true; rested = false", "");
    assert_eq!(day.plan(), "4 / 11: train shower sleep eat");
}

#[test]
fn what_a_step_uses_up_is_needed_again() {
    let buyer = Draft::new("money food")
        .wants("both", "food && money", 1.0)
        .step("mine", "", "money = true", "10")
        .step("buy", "money", "food = true; money = false", "2");
    assert_eq!(buyer.plan(), "22 / 3: mine buy mine");
}

#[test]
fn counters_end() {
    let counter = |by: &str| {
        Draft::new("i=0")
            .wants("many", "i > 100", 1.0)
            .step("count", "", by, "0.5")
    };
    assert!(counter("i += 10").plan().starts_with("5.5 / 11: count"));
    assert_eq!(counter("i -= 10").plan(), "limit");
}

pub(super) fn robber(gold: &str, most: u32) -> Draft {
    Draft::new("energy=30 hunger=70 gold=0")
        .wants("rich", gold, 1.0)
        .step("sleep", "", "energy += 10", "")
        .step("eat", "energy >= 25", "hunger -= 10", "")
        .step(
            "rob",
            "hunger <= 50 && energy >= 50",
            "gold += 1; energy -= 5; hunger += 5",
            "",
        )
        .with(|planner| planner.max_steps = most)
}

#[test]
fn a_robber() {
    assert_eq!(
        robber("gold >= 3", 16).plan(),
        "9 / 56: sleep sleep sleep eat eat eat rob rob rob"
    );
    assert!(robber("gold >= 7", 32).plan().starts_with("17 / "));
}

#[test]
fn a_smith() {
    let smith = Draft::new("wood=0 iron=0 store=1 tool")
        .wants("tool", "tool", 1.0)
        .step("chop", "", "wood += 1", "3")
        .step("mine", "", "iron += 1", "4")
        .step("take-wood", "store > 0", "wood += 1; store -= 1", "1")
        .step(
            "forge",
            "wood >= 2 && iron >= 1",
            "tool = true; wood -= 2; iron -= 1",
            "2",
        );
    assert_eq!(smith.plan(), "10 / 11: chop mine take-wood forge");
}

#[test]
fn a_woodcutter() {
    let cutter = Draft::new("axe_there=true axe wood=0 delivered")
        .wants("firewood", "delivered", 1.0)
        .step("get-axe", "axe_there && !axe", "axe = true", "2")
        .step("chop", "axe", "wood += 1", "4")
        .step("gather", "", "wood += 1", "8")
        .step("deliver", "wood > 0", "delivered = true; wood -= 1", "1");
    assert!(cutter.plan().ends_with(": get-axe chop deliver"));
    assert!(cutter.plan().starts_with("7 / "));
    let without = cutter.given("axe_there", Value::Bool(false));
    assert!(without.plan().starts_with("9 / "));
    assert!(without.plan().ends_with(": gather deliver"));
}

/// Blocks on places: `on` of a block is 0 for the table, else the number of a block.
pub(super) fn blocks(on: &[i64], wanted: &str) -> Draft {
    let count = on.len();
    let keys: Vec<String> = on
        .iter()
        .enumerate()
        .map(|(block, on)| format!("b{}={on}", block + 1))
        .collect();
    let mut draft = Draft::new(&keys.join(" ")).wants("towers", wanted, 1.0);
    let clear = |block: usize| {
        let others = (1..=count).filter(|other| *other != block);
        others
            .map(|other| format!("b{other} != {block}"))
            .collect::<Vec<_>>()
            .join(" && ")
    };
    for block in 1..=count {
        for to in (0..=count).filter(|to| *to != block) {
            let mut when = format!("{} && b{block} != {to}", clear(block));
            if to > 0 {
                when += &format!(" && {}", clear(to));
            }
            draft = draft.step(
                &format!("{block}-to-{to}"),
                &when,
                &format!("b{block} = {to}"),
                "",
            );
        }
    }
    draft
}

#[test]
fn blocks_with_one_move_each() {
    let cost = |draft: Draft| draft.plan().split(' ').next().map(str::to_owned);
    let is = |cost: &str| Some(cost.to_owned());
    // C stands on A; A on B on C is wanted.
    assert_eq!(cost(blocks(&[0, 0, 1], "b1 == 2 && b2 == 3")), is("3"));
    // Towers turned upside down.
    assert_eq!(cost(blocks(&[2, 3, 0], "b2 == 1 && b3 == 2")), is("3"));
    assert_eq!(
        cost(blocks(&[2, 3, 4, 0], "b2 == 1 && b3 == 2 && b4 == 3")),
        is("4")
    );
}

#[test]
fn tasks_of_the_first_domain() {
    let fluid = Draft::new("a b c done")
        .step("get-a", "", "a = true", "")
        .step("get-b", "", "b = true", "")
        .step("get-c", "", "c = true", "")
        .tasks(&[(
            "get",
            &[
                ("", "a && b && c"),
                ("get-c", "a && b"),
                ("get-a get-b", "!a || !b"),
            ],
        )])
        .does("all", "get", 1.0);
    assert!(fluid.plan().ends_with(": get-a get-b"));
    let two = fluid
        .given("a", Value::Bool(true))
        .given("b", Value::Bool(true));
    assert!(two.plan().ends_with(": get-c"));
    assert!(two.given("c", Value::Bool(true)).plan().ends_with(": "));
}

#[test]
fn tasks_of_a_traveller() {
    let travel = |cash: i64, far: i64| {
        Draft::new("cash=0 far=0 there taxi")
            .given("cash", Value::Int(cash))
            .given("far", Value::Int(far))
            .step("walk", "", "there = true", "")
            .step("call-taxi", "", "taxi = true", "")
            .step("ride", "taxi", "there = true", "")
            .step("pay", "cash >= 10", "cash -= 10", "")
            .tasks(&[(
                "travel",
                &[("walk", "far <= 2"), ("call-taxi ride pay", "")],
            )])
            .does("go", "travel", 1.0)
            .plan()
    };
    assert!(travel(20, 8).ends_with(": call-taxi ride pay"));
    assert!(travel(5, 8).starts_with("none / "));
    assert!(travel(5, 2).ends_with(": walk"));
}

#[test]
fn tasks_that_fail_are_undone() {
    // `b` cannot be done after `a`; `c` needs that `a` was not done.
    let undone = Draft::new("a never c")
        .step("do-a", "", "a = true", "")
        .step("do-b", "never", "", "")
        .step("do-c", "!a", "c = true", "")
        .tasks(&[("try", &[("do-a do-b", ""), ("do-c", "")])])
        .does("go", "try", 1.0);
    assert!(undone.plan().ends_with(": do-c"));
    // The second method of an inner task is what a later step needs.
    let inner = Draft::new("p q")
        .step("p1", "", "p = true", "")
        .step("p2", "", "q = true", "")
        .step("b2", "q", "", "")
        .tasks(&[
            ("inner", &[("p1", ""), ("p2", "")]),
            ("outer", &[("inner b2", "")]),
        ])
        .does("go", "outer", 1.0);
    assert!(inner.plan().ends_with(": p2 b2"));
}

#[test]
fn tasks_without_end_meet_a_limit() {
    let grow = Draft::new("a=0")
        .step("do-a", "", "a += 1", "")
        .tasks(&[("grow", &[("do-a grow", "")])])
        .does("go", "grow", 1.0);
    assert_eq!(grow.plan(), "limit");
    let villager = Draft::new("wood=0 coins=0")
        .step("chop", "", "wood += 1", "")
        .step("sell", "wood >= 3", "wood -= 3; coins += 3", "")
        .tasks(&[
            ("trade", &[("stock sell", "")]),
            ("stock", &[("", "wood >= 3"), ("chop stock", "")]),
        ])
        .does("earn", "trade", 1.0);
    assert!(villager.plan().ends_with(": chop chop chop sell"));
}
