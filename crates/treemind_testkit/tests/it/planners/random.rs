//! Random planners over actions: executor and reference do the same, in all the ways of running a population.

use treemind_core::{Kind, Node};
use treemind_testkit::compare::{report, shrink, try_compare};
use treemind_testkit::generate::{COMPOSITES, Case, PLANNER, Profile, random_case};
use treemind_testkit::random::Random;

/// A profile of planners with few other nodes.
fn profile(random: &mut Random) -> Profile {
    let mut composites = [0; COMPOSITES];
    composites[PLANNER] = 10;
    Profile {
        nodes: random.between(4, 14),
        depth: *random.pick(&[1, 1, 2, 3]),
        composites,
        decorators: 0,
        machines: 0,
        decisions: 0,
        heard: *random.pick(&[0, 0, 20]),
        ..Profile::random(random)
    }
}

/// How often a case is drawn again that has no planner: about every second one has.
const DRAWS: u64 = 64;

/// The first case with a planner, of those that belong to a seed.
fn case_of(seed: u64) -> Case {
    let draws = (0..DRAWS).map(|draw| {
        let seed = seed ^ (draw << 48);
        let mut random = Random::new(seed ^ 0xB1A7);
        let profile = profile(&mut random);
        let agents = *random.pick(&[1, 1, 2, 3, 65, 1, 2, 3, 300]);
        let ticks = match agents {
            0..=3 => 60,
            _ => 20,
        };
        random_case(seed, profile, agents, ticks)
    });
    let mut draws = draws.filter(|case| has_planner(&case.parts.root));
    draws
        .next()
        .unwrap_or_else(|| panic!("seed {seed} has no planner in {DRAWS} draws"))
}

#[test]
fn random_planners_do_as_the_reference_does() {
    let first: u64 =
        std::env::var("TREEMIND_FIRST_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let cases = crate::cases(3_000, 60);
    for index in first..first + cases {
        let case = case_of(index);
        if let Err(mismatch) = try_compare(&case) {
            let small = shrink(&case, &mismatch);
            let mismatch = try_compare(&small).expect_err("a smaller case differs as well");
            panic!("seed {index}\n{}", report(&small, &mismatch));
        }
    }
}

fn has_planner(node: &Node) -> bool {
    matches!(node.kind, Kind::Planner(_)) || node.children.iter().any(has_planner)
}
