//! Classic domains of planning, grounded into steps. Their plans cost what an optimal planner says: Fast Downward
//! (up-fast-downward 1.0.0, `astar(lmcut())`), on the same problems in PDDL.

use super::Draft;

fn has_cost(draft: Draft, cost: f64, what: &str) {
    let draft = draft.with(|planner| {
        planner.max_steps = 32;
        planner.max_expansions = 65_536;
    });
    assert_eq!(draft.cost(), Some(cost), "{what}");
}

/// Blocks and a hand: a block is on the table (0), on another block, or in the hand (-1).
pub(super) fn blocks(on: &[usize], wanted: &[(usize, usize)]) -> Draft {
    let count = on.len();
    let keys = (1..).zip(on).map(|(block, on)| format!("b{block}={on}"));
    let keys: Vec<String> = keys.collect();
    let wanted = wanted.iter().map(|(a, b)| format!("b{a} == {b}"));
    let wanted: Vec<String> = wanted.collect();
    let mut draft = Draft::new(&format!("holds=0 {}", keys.join(" ")));
    draft = draft.wants("towers", &wanted.join(" && "), 1.0);
    let clear = |block: usize| {
        let others = (1..=count).filter(|other| *other != block);
        others.fold(String::new(), |all, other| {
            all + &format!(" && b{other} != {block}")
        })
    };
    for block in 1..=count {
        let free = format!("holds == 0{}", clear(block));
        let taken = format!("holds = {block}; b{block} = -1");
        let held = format!("holds == {block}");
        let pick = format!("{free} && b{block} == 0");
        draft = draft
            .step(&format!("pick-{block}"), &pick, &taken, "")
            .step(
                &format!("put-{block}"),
                &held,
                &format!("holds = 0; b{block} = 0"),
                "",
            );
        for other in (1..=count).filter(|other| *other != block) {
            let placed = format!("holds = 0; b{block} = {other}");
            let stack = held.clone() + &clear(other);
            let unstack = format!("{free} && b{block} == {other}");
            draft = draft
                .step(&format!("stack-{block}-{other}"), &stack, &placed, "")
                .step(&format!("unstack-{block}-{other}"), &unstack, &taken, "");
        }
    }
    draft
}

#[test]
fn blocks_with_a_hand() {
    has_cost(blocks(&[0, 0, 1], &[(1, 2), (2, 3)]), 6.0, "Sussman");
    has_cost(blocks(&[2, 3, 0], &[(2, 1), (3, 2)]), 6.0, "three around");
    let four = blocks(&[2, 3, 4, 0], &[(2, 1), (3, 2), (4, 3)]);
    has_cost(four, 8.0, "four around");
    let five = blocks(&[2, 3, 4, 5, 0], &[(2, 1), (3, 2), (4, 3), (5, 4)]);
    has_cost(five, 10.0, "five around");
    let tower = blocks(&[0; 5], &[(1, 2), (2, 3), (3, 4), (4, 5)]);
    has_cost(tower, 8.0, "a tower of five");
    let mixed = blocks(&[0, 1, 2, 0, 4], &[(1, 5), (5, 3), (3, 4)]);
    has_cost(mixed, 10.0, "two towers into one");
}

/// A robot with two hands carries balls from room 0 to room 1; 2 and 3 are its hands.
fn gripper(balls: usize) -> Draft {
    let names: Vec<String> = (0..balls).map(|ball| format!("ball{ball}")).collect();
    let join = |what: &str, with: &str| {
        let all = names.iter().map(|name| format!("{name} {what}"));
        all.collect::<Vec<_>>().join(with)
    };
    let mut draft = Draft::new(&format!("robot=0 {}=0", names.join("=0 ")))
        .wants("carried", &join("== 1", " && "), 1.0)
        .step("to-0", "robot == 1", "robot = 0", "")
        .step("to-1", "robot == 0", "robot = 1", "");
    for name in &names {
        for hand in [2, 3] {
            let free = join(&format!("!= {hand}"), " && ");
            draft = draft
                .step(
                    &format!("pick-{name}-{hand}"),
                    &format!("{name} == robot && {free}"),
                    &format!("{name} = {hand}"),
                    "",
                )
                .step(
                    &format!("drop-{name}-{hand}"),
                    &format!("{name} == {hand}"),
                    &format!("{name} = robot"),
                    "",
                );
        }
    }
    draft
}

#[test]
fn a_robot_with_two_hands() {
    for (balls, cost) in [(1, 3.0), (2, 5.0), (3, 9.0), (4, 11.0)] {
        has_cost(gripper(balls), cost, &format!("{balls} balls"));
    }
}

/// A lift takes people from floor to floor: one waits (0), is in it (1), or is there (2).
fn lift(at: usize, floors: usize, people: &[(usize, usize)]) -> Draft {
    let names: Vec<String> = (0..people.len()).map(|one| format!("p{one}")).collect();
    let there: Vec<String> = names.iter().map(|name| format!("{name} == 2")).collect();
    let mut draft = Draft::new(&format!("at={at} {}=0", names.join("=0 ")))
        .wants("served", &there.join(" && "), 1.0)
        .step("up", &format!("at < {}", floors - 1), "at += 1", "")
        .step("down", "at > 0", "at -= 1", "");
    for (name, (from, to)) in names.iter().zip(people) {
        draft = draft
            .step(
                &format!("board-{name}"),
                &format!("{name} == 0 && at == {from}"),
                &format!("{name} = 1"),
                "",
            )
            .step(
                &format!("leave-{name}"),
                &format!("{name} == 1 && at == {to}"),
                &format!("{name} = 2"),
                "",
            );
    }
    draft
}

#[test]
fn a_lift() {
    has_cost(lift(0, 4, &[(3, 0), (1, 2)]), 10.0, "two people");
    has_cost(lift(2, 5, &[(0, 4), (4, 1), (3, 2)]), 15.0, "three people");
    let four = lift(0, 5, &[(4, 0), (0, 4), (2, 3), (3, 1)]);
    has_cost(four, 16.0, "four people");
}

/// Two cities with an airport (1, 2) and an outskirt (0, 3) each, a truck in each (4, 5), and a plane (6).
fn post(plane: usize, parcels: &[(usize, usize)]) -> Draft {
    let names: Vec<String> = (0..parcels.len()).map(|one| format!("x{one}")).collect();
    let keys = names.iter().zip(parcels);
    let keys = keys.fold(String::new(), |all, (name, (from, _))| {
        all + &format!(" {name}={from}")
    });
    let wanted = names.iter().zip(parcels);
    let wanted: Vec<String> = wanted
        .map(|(name, (_, to))| format!("{name} == {to}"))
        .collect();
    let mut draft = Draft::new(&format!("ta=1 tb=2 plane={plane}{keys}"));
    draft = draft.wants("delivered", &wanted.join(" && "), 1.0);
    for (vehicle, places) in [("ta", [0, 1]), ("tb", [2, 3]), ("plane", [1, 2])] {
        for to in places {
            let (when, gives) = (format!("{vehicle} != {to}"), format!("{vehicle} = {to}"));
            draft = draft.step(&format!("{vehicle}-to-{to}"), &when, &gives, "");
        }
    }
    for name in &names {
        for (vehicle, inside) in [("ta", 4), ("tb", 5), ("plane", 6)] {
            draft = draft
                .step(
                    &format!("load-{name}-{vehicle}"),
                    &format!("{name} == {vehicle}"),
                    &format!("{name} = {inside}"),
                    "",
                )
                .step(
                    &format!("unload-{name}-{vehicle}"),
                    &format!("{name} == {inside}"),
                    &format!("{name} = {vehicle}"),
                    "",
                );
        }
    }
    draft
}

#[test]
fn parcels_between_two_cities() {
    has_cost(post(2, &[(0, 3)]), 11.0, "one parcel");
    has_cost(post(2, &[(0, 3), (3, 0)]), 19.0, "two that cross");
    has_cost(post(1, &[(0, 3), (1, 3)]), 14.0, "two the same way");
}
