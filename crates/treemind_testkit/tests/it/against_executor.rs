//! The executor against the reference, over random cases; fifty times as many with `TREEMIND_THOROUGH`, which
//! `cargo xtask ci --thorough` sets. `TREEMIND_CASES` sets the number of the small cases, with the others in
//! proportion; `TREEMIND_FIRST_SEED` sets the first seed.

use treemind_testkit::compare::check_seed;

fn number_from(variable: &str, fallback: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("the variable holds a number"),
        Err(_) => fallback,
    }
}

/// Compares one case for every `share` small ones. The tests run in parallel and each uses its own seeds.
fn check_cases(test: u64, share: u64, agents: impl Fn(u64) -> usize, ticks: impl Fn(u64) -> usize) {
    let cases = number_from("TREEMIND_CASES", super::cases(16_000, 320)).div_ceil(share);
    let first = number_from("TREEMIND_FIRST_SEED", 0) + (test << 40);
    let mut seeds = first..;
    for index in 0..cases {
        let agents = agents(index);
        let mut fits = |seed: &u64| agents < 100 || super::is_quick(*seed);
        let seed = seeds.find(&mut fits).expect("there is always another");
        check_seed(seed, agents, ticks(index));
    }
}

fn some_hundred_now_and_then(index: u64) -> usize {
    if index.is_multiple_of(8) { 300 } else { 40 }
}

#[test]
fn agrees_for_few_agents() {
    check_cases(
        1,
        1,
        |index| [1, 1, 1, 2, 3, 5][index as usize % 6],
        some_hundred_now_and_then,
    );
}

#[test]
fn agrees_around_a_word_of_agents() {
    let sizes = [63, 64, 65];
    check_cases(2, 50, |index| sizes[index as usize % 3], |_| 60);
}

#[test]
fn agrees_for_a_thousand_agents() {
    // Slightly below 200 agents, a population switches to other chunks when agents join.
    let sizes = [1_000, 188];
    check_cases(3, 600, |index| sizes[index as usize % 2], |_| 40);
}

#[test]
fn agrees_for_more_agents_than_a_chunk_holds() {
    check_cases(
        4,
        1_000,
        |_| 1_100,
        |index| if index == 0 { 60 } else { 30 },
    );
}
