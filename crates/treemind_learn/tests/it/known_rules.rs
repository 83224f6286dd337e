//! Rows that follow a rule are enough to find the rule, in most tests despite noise.

use treemind_learn::{Criterion, Examples, Judgement, Options, Table, find_ccp_alpha, learn};

/// Random numbers: xorshift64* (Marsaglia, 2003; Vigna, 2016).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
}

const WEATHERS: [&str; 3] = ["rain", "storm", "clear"];

/// What a watchman does, according to the rule to be found.
fn watchman(alarm: bool, distance: u64, armed: bool, weather: &str) -> &'static str {
    match (alarm, distance <= 3, armed, weather) {
        (true, ..) => "run-to-alarm",
        (_, true, true, _) => "strike",
        (_, true, false, _) | (_, _, _, "rain" | "storm") => "shelter",
        _ => "patrol",
    }
}

/// Rows of facts and what the watchman does; in `noise` of a hundred he does something else.
fn rows(count: usize, noise: u64, seed: u64) -> String {
    let mut chance = Chance(seed);
    let mut text = "alarm,distance,armed,weather,moon,does\n".to_owned();
    for _ in 0..count {
        let (alarm, armed) = (chance.below(4) == 0, chance.below(2) == 0);
        let distance = chance.below(12);
        let weather = WEATHERS[chance.below(3) as usize];
        let moon = chance.below(28);
        let mut does = watchman(alarm, distance, armed, weather);
        if chance.below(100) < noise {
            does = ["run-to-alarm", "strike", "shelter", "patrol"][chance.below(4) as usize];
        }
        text.push_str(&format!(
            "{alarm},{distance},{armed},{weather},{moon},{does}\n"
        ));
    }
    text
}

fn examples(text: &str) -> Examples {
    let table = Table::read(text.as_bytes()).expect("the text is a table");
    Examples::of(table, "does", &[]).expect("there is something to learn")
}

/// The share of rows of another table, which follows the rule without exception, that a tree predicts correctly.
fn share_right(learned_from: &str, options: &Options) -> (f64, usize) {
    // Both tables are joined, so that classes and categories have the same numbers.
    let fresh = rows(20_000, 0, 77);
    let fresh = fresh.split_once('\n').map_or("", |(_, rows)| rows);
    let all = examples(&format!("{learned_from}{fresh}"));
    let learned = learned_from.lines().count() - 1;
    let (known, unknown) = all.rows.split_at(learned);
    let tree = learn(&all, known, options);
    let judgement = Judgement::of(&tree, &all, unknown);
    (judgement.accuracy().expect("there are rows"), tree.leaves())
}

#[test]
fn a_rule_is_found_exactly() {
    for criterion in [Criterion::Entropy, Criterion::Gini] {
        let options = Options {
            criterion,
            ..Options::default()
        };
        let (right, leaves) = share_right(&rows(600, 0, 1), &options);
        assert_eq!(right, 1.0, "{criterion:?}");
        // The rule itself has six; one test too many does no harm.
        assert!(leaves <= 8, "{criterion:?}: {leaves} leaves");
    }
}

#[test]
fn noise_is_cut_back() {
    let noisy = rows(3_000, 10, 2);
    let (grown, leaves) = share_right(&noisy, &Options::default());
    let pruned = Options {
        ccp_alpha: 0.002,
        ..Options::default()
    };
    let (right, fewer) = share_right(&noisy, &pruned);
    assert!(fewer < leaves, "{fewer} of {leaves} leaves");
    assert!(right >= grown, "{right} after {grown}");
    assert!(right > 0.99, "{right}");
}

#[test]
fn how_far_to_cut_back_is_found_out() {
    for (count, noise) in [(600, 0), (600, 10), (3_000, 10), (3_000, 30)] {
        let text = rows(count, noise, 5);
        let known = examples(&text);
        let mut options = Options::default();
        options.ccp_alpha = find_ccp_alpha(&known, &known.rows, 1, &options);
        let (right, leaves) = share_right(&text, &options);
        let found = format!("{count} rows, {noise} wrong of 100: {right}, {leaves} leaves");
        assert!(right > 0.99, "{found}");
        // The rule itself has six.
        assert!((6..=8).contains(&leaves), "{found}");
    }
}

#[test]
fn few_rows_do_not_say_how_far_to_cut_back() {
    let few = examples(&rows(39, 0, 6));
    assert_eq!(find_ccp_alpha(&few, &few.rows, 1, &Options::default()), 0.0);
}

#[test]
fn depth_and_size_of_leaves_are_kept_to() {
    let examples = examples(&rows(2_000, 30, 3));
    for depth in 0..6 {
        for min_leaf in [1, 10, 100] {
            let options = Options {
                depth,
                min_leaf,
                ..Options::default()
            };
            let tree = learn(&examples, &examples.rows, &options);
            assert!(tree.depth() <= depth);
            assert!(tree.leaves() <= 2_000 / min_leaf);
        }
    }
}

#[test]
fn rows_are_held_out_by_the_seed_and_only_once() {
    let examples = examples(&rows(1_000, 0, 4));
    let [kept, held_out] = examples.divided(0.25, 9, 1);
    assert_eq!((kept.len(), held_out.len()), (750, 250));
    let mut all: Vec<usize> = kept.iter().chain(&held_out).copied().collect();
    all.sort_unstable();
    assert_eq!(all, examples.rows);
    assert_eq!(examples.divided(0.25, 9, 1), [kept.clone(), held_out]);
    assert_ne!(examples.divided(0.25, 10, 1)[0], kept);
}

#[test]
fn rows_are_held_out_in_stretches() {
    let examples = examples(&rows(1_005, 0, 4));
    let [kept, held_out] = examples.divided(0.25, 9, 50);
    // At most 251: five stretches of fifty, or four and the last one of the table, which has five rows.
    assert!([250, 205].contains(&held_out.len()), "{}", held_out.len());
    let mut all: Vec<usize> = kept.iter().chain(&held_out).copied().collect();
    all.sort_unstable();
    assert_eq!(all, examples.rows);
    let is_held_out = |row: &usize| held_out.contains(row);
    let mixed = examples
        .rows
        .chunks(50)
        .filter(|stretch| stretch.iter().any(is_held_out) && !stretch.iter().all(is_held_out));
    assert_eq!(mixed.count(), 0);
    let share = held_out.len() as f64 / examples.rows.len() as f64;
    assert!(share <= 0.25);
}
