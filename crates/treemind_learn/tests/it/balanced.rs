//! Decision trees that were balanced with a profile decide as before, in the executor, whatever the facts are.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Columns;
use treemind_core::{
    Event, KeyId, LeafId, NodeId, Population, Program, Status, Trace, Type, Value,
};
use treemind_doc::Document;
use treemind_learn::profile::DecisionProfile;
use treemind_learn::{
    Alone, Balanced, NotBalanced, Profile, balance, decision_alone, decisions_alone, same_decisions,
};

/// Numbers that are the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        let (factor, step) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(step);
        (self.0 >> 33) % sides
    }

    fn one_in(&mut self, sides: u64) -> bool {
        self.below(sides) == 0
    }
}

/// A form of a decision tree with agents that run it; their facts are stored in columns.
struct Crowd {
    alone: Alone,
    tasks: HashMap<NodeId, usize>,
    population: Population,
    host: Columns,
    trace: Trace,
    agents: usize,
}

impl Crowd {
    fn new(alone: Alone, agents: usize) -> Self {
        let program = Arc::new(Program::new(alone.behaviour.clone()));
        let tasks = alone.tasks.iter().enumerate();
        Self {
            tasks: tasks.map(|(place, task)| (*task, place)).collect(),
            population: Population::new(program, agents).with_seed(3),
            host: Columns::new(&alone.behaviour, agents),
            trace: Trace::new(),
            alone,
            agents,
        }
    }

    /// Gives an agent facts; `draw` determines their distribution.
    fn give(&mut self, agent: usize, dice: &mut Dice, draw: Draw) {
        let mut board = self.population.board(agent);
        for (index, key) in self.alone.behaviour.keys().iter().enumerate() {
            let id = KeyId::new(index);
            if key.form.can_be_unset() && dice.one_in(3) {
                board.unset(id, agent);
                continue;
            }
            let value = draw(dice, &key.name, key.ty);
            board
                .set(id, agent, value)
                .expect("it is of the type of the key");
        }
        for leaf in 0..self.alone.behaviour.leaves().len() {
            let holds = draw(dice, "asks", Type::Bool) == Value::Bool(true);
            self.host.holds_mut(LeafId::new(leaf)).set(agent, holds);
        }
    }

    /// The task that each agent chooses.
    fn decide(&mut self) -> Vec<Option<usize>> {
        self.trace.clear();
        self.host.clear();
        let dt = Duration::from_secs(1);
        self.population
            .tick_traced(&mut self.host, dt, &mut self.trace);
        let mut chosen = vec![None; self.agents];
        for record in self.trace.records() {
            let task = self.tasks.get(&record.node);
            if let (Event::Tick(Status::Running), Some(task)) = (record.event, task) {
                for bit in (0..64).filter(|bit| record.mask >> bit & 1 == 1) {
                    chosen[record.word as usize * 64 + bit] = Some(*task);
                }
            }
        }
        chosen
    }
}

/// A value of a key, by its name and type.
type Draw = fn(&mut Dice, &str, Type) -> Value;

/// All values are about equally likely, and the values of tests are among them.
fn even(dice: &mut Dice, _: &str, ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(dice.one_in(2)),
        Type::Int => Value::Int(dice.below(12) as i64 - 2),
        Type::Float if dice.one_in(20) => Value::Float(f32::NAN),
        Type::Float => Value::Float(dice.below(120) as f32 / 2.0),
        Type::Enum(list) => Value::Enum(list, dice.below(3) as u32),
        ty => panic!("no key is a {ty}"),
    }
}

/// The profile of a decision tree with such facts.
fn profile(document: &Document, name: &str, draw: Draw) -> Profile {
    let mut crowd = Crowd::new(decision_alone(document, name).unwrap(), 2_000);
    let mut profile = Profile::of(&crowd.alone.behaviour);
    let mut dice = Dice(11);
    (0..crowd.agents).for_each(|agent| crowd.give(agent, &mut dice, draw));
    crowd.decide();
    profile.record(&crowd.alone.behaviour, &crowd.trace);
    profile
}

/// Balances a decision tree, and compares both forms in several ticks, each with many random facts.
fn balanced(
    text: &str,
    name: &str,
    profile: &Profile,
    facts: (usize, u64),
) -> (Balanced, Document) {
    let before = Document::parse(text, "test.kdl");
    let balanced = balance(&before, name, profile);
    let balanced = balanced.unwrap_or_else(|why| panic!("{why}\n{text}"));
    let after = Document::parse(&balanced.text, "test.kdl");
    assert!(
        !after.has_errors(),
        "{:?}\n{}",
        after.diagnostics(),
        balanced.text
    );
    let proof = same_decisions(&before, &after, name, &balanced);
    proof.unwrap_or_else(|why| panic!("{why}\n{text}\n{}", balanced.text));
    let both = decisions_alone(&before, &after, name, &balanced).unwrap();
    let mut both = both.map(|alone| Crowd::new(alone, facts.0));
    let mut dice = Dice(5);
    for _ in 0..facts.1 {
        for agent in 0..facts.0 {
            // Some agents keep their facts, so that draws are kept.
            if !dice.one_in(3) {
                let seed = dice.0;
                for crowd in &mut both {
                    dice.0 = seed;
                    crowd.give(agent, &mut dice, even);
                }
            }
        }
        let [old, new] = both.each_mut().map(Crowd::decide);
        assert_eq!(old, new, "{text}\n{}", balanced.text);
        let [old, new] = both
            .each_mut()
            .map(|crowd| crowd.population.take_faults().total());
        assert!(
            new <= old,
            "{new} faults instead of {old}\n{text}\n{}",
            balanced.text
        );
    }
    (balanced, after)
}

fn example(file: &str) -> String {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The real effort of the new form with the facts of the profile, which `balance` estimated.
fn measured(after: &Document, name: &str, draw: Draw) -> f64 {
    let profile = profile(after, name, draw);
    profile.decision(name).unwrap().expected_tests().unwrap()
}

/// Compares the estimate with the measured effort: answers that were not in the profile are estimated.
fn assert_near(estimate: f64, measured: f64) {
    assert!(
        (estimate - measured).abs() < 0.2,
        "{estimate} estimated, {measured} measured"
    );
}

#[test]
fn the_watchman_asks_less_in_stormy_nights() {
    fn stormy(dice: &mut Dice, name: &str, ty: Type) -> Value {
        match (name, ty) {
            ("alarm_on", _) => Value::Bool(dice.one_in(50)),
            ("enemy_distance", _) => Value::Float(dice.below(40) as f32 + 2.0),
            (_, Type::Enum(list)) => Value::Enum(list, [2, 1, 1, 0, 2][dice.below(5) as usize]),
            ("asks", _) => Value::Bool(dice.one_in(10)),
            _ => even(dice, name, ty),
        }
    }
    let text = example("09-watchman/watchman.kdl");
    let document = Document::parse(&text, "watchman.kdl");
    let mut profile = profile(&document, "watchman", stormy);
    // Its orders need an expensive look, while it always knows whether it is armed.
    costs(
        &mut profile,
        "watchman",
        &[
            ("range \"enemy_distance\" max=3.0", 20.0),
            ("test-condition is-armed", 1.0),
        ],
    );
    let (balanced, after) = balanced(&text, "watchman", &profile, (10_000, 10));
    assert!(balanced.is_changed);
    assert!(balanced.before.cost > 20.0, "{:?}", balanced.before);
    assert!(balanced.after.cost < 12.0, "{:?}", balanced.after);
    assert_near(balanced.after.tests, measured(&after, "watchman", stormy));
}

/// Sets the costs of tests.
fn costs(profile: &mut Profile, name: &str, costs: &[(&str, f64)]) {
    let known = profile.decision(name).unwrap();
    let mut tests = known.tests().to_vec();
    for (test, cost) in costs {
        let test = tests.iter_mut().find(|known| known.test == *test);
        test.expect("there is such a test").cost = *cost;
    }
    let mut of = DecisionProfile::new(tests).unwrap();
    let paths = known.paths().map(|(path, count)| (path.clone(), count));
    paths.for_each(|(path, count)| of.add(path, count).unwrap());
    profile.insert(name.to_owned(), of);
}

#[test]
fn the_soldier_asks_less_when_it_is_mostly_wounded() {
    fn wounded(dice: &mut Dice, name: &str, ty: Type) -> Value {
        match name {
            "enemy_seen" | "safe" => Value::Bool(!dice.one_in(8)),
            "health" => Value::Float(if dice.one_in(9) { 80.0 } else { 12.0 }),
            "enemy_strength" => Value::Float(dice.below(4) as f32),
            _ => even(dice, name, ty),
        }
    }
    let text = example("10-soldier/soldier.kdl");
    let document = Document::parse(&text, "soldier.kdl");
    let profile = profile(&document, "fled", wounded);
    let (balanced, after) = balanced(&text, "fled", &profile, (10_000, 10));
    assert!(balanced.is_changed);
    assert!(balanced.before.tests > 2.7, "{:?}", balanced.before);
    assert!(balanced.after.tests < 2.1, "{:?}", balanced.after);
    assert_near(balanced.after.tests, measured(&after, "fled", wounded));
}

/// 24 rooms in a row, each with a task; a list of tests asks for one after the other.
fn rooms() -> String {
    let mut text = "blackboard { key at type=int; key door type=bool; }\nleaves {\n".to_owned();
    for room in 0..24 {
        writeln!(text, "    action clean-{room}").unwrap();
    }
    text.push_str("}\ndecide rooms {\n    test \"door\" { none; }\n");
    for room in 0..23 {
        writeln!(
            text,
            "    test \"at <= {}\" {{ action clean-{room}; }}",
            room * 4 + 3
        )
        .unwrap();
    }
    text.push_str("    action clean-23\n}\n");
    text
}

#[test]
fn a_list_of_24_tests_becomes_a_tree() {
    fn far(dice: &mut Dice, name: &str, ty: Type) -> Value {
        match (name, ty) {
            ("at", _) if dice.one_in(4) => Value::Int(dice.below(96) as i64),
            ("at", _) => Value::Int(70 + dice.below(8) as i64),
            _ => Value::Bool(dice.one_in(10)),
        }
    }
    fn anywhere(dice: &mut Dice, name: &str, ty: Type) -> Value {
        match (name, ty) {
            ("at", _) => Value::Int(dice.below(100) as i64),
            _ => even(dice, name, ty),
        }
    }
    let text = rooms();
    let document = Document::parse(&text, "rooms.kdl");
    let profile = profile(&document, "rooms", far);
    let (balanced, after) = balanced(&text, "rooms", &profile, (10_000, 10));
    assert!(balanced.is_changed);
    assert!(balanced.before.tests > 15.0, "{:?}", balanced.before);
    assert!(balanced.after.tests < 5.0, "{:?}", balanced.after);
    assert_near(balanced.after.tests, measured(&after, "rooms", far));
    // With other positions too, all agents reach the same room as before.
    let both = decisions_alone(&document, &after, "rooms", &balanced).unwrap();
    let mut both = both.map(|alone| Crowd::new(alone, 10_000));
    for crowd in &mut both {
        let mut dice = Dice(9);
        (0..crowd.agents).for_each(|agent| crowd.give(agent, &mut dice, anywhere));
    }
    let [old, new] = both.each_mut().map(Crowd::decide);
    assert_eq!(old, new);
    let rooms: std::collections::HashSet<_> = old.into_iter().collect();
    assert_eq!(rooms.len(), 25);
}

/// Writes random decision trees.
struct Writer {
    dice: Dice,
    tasks: usize,
}

impl Writer {
    fn document(seed: u64) -> String {
        let mut writer = Self {
            dice: Dice(seed),
            tasks: 0,
        };
        let branches = writer.dice.below(3) as usize;
        let mut text = String::new();
        writer.list(4, 0, branches, &mut text);
        for branch in 0..branches {
            // A branch without a `goto` would be lost.
            if !text.contains(&format!("goto part-{branch}\n")) {
                continue;
            }
            write!(text, "branch part-{branch} {{ ").unwrap();
            writer.list(2, branch + 1, branches, &mut text);
            text.push_str("}\n");
        }
        let mut actions = String::new();
        (0..writer.tasks).for_each(|task| write!(actions, "action do-{task}; ").unwrap());
        format!(
            "blackboard {{ key a type=bool; key b type=bool; key n type=int; key m type=int optional=#true
            key f type=float; key e type=enum {{ value one two three; }}; }}
            leaves {{ condition p; condition q; {actions} }}
            decide top {{ {text} }}"
        )
    }

    fn list(&mut self, depth: u64, after: usize, branches: usize, out: &mut String) {
        let tests = if depth == 0 { 0 } else { self.dice.below(4) };
        for _ in 0..tests {
            if self.test(depth, after, branches, out) {
                return;
            }
        }
        match self.dice.below(6) {
            0 => out.push_str("none\n"),
            1 | 2 if after < branches => {
                let rest = (branches - after) as u64;
                let branch = after + self.dice.below(rest) as usize;
                writeln!(out, "goto part-{branch}").unwrap();
            }
            _ => {
                writeln!(out, "action do-{}", self.tasks).unwrap();
                self.tasks += 1;
            }
        }
    }

    /// Returns whether nothing can follow the test.
    fn test(&mut self, depth: u64, after: usize, branches: usize, out: &mut String) -> bool {
        let at = self.dice.below(8);
        let head = match self.dice.below(12) {
            0 => "test a".to_owned(),
            1 => "test \"b\"".to_owned(),
            2 => "test \"!a || b\"".to_owned(),
            3 => format!("test \"n < {at}\""),
            4 => format!("range n min={} max={at}", at / 2),
            5 => format!("test \"m > {at}\""),
            6 => format!("test \"has(m) && m == {at}\""),
            7 => format!("test \"f >= {}.5\"", at * 7),
            8 => "test-condition p".to_owned(),
            9 => "test-condition q not=#true".to_owned(),
            10 => {
                out.push_str("switch e { case one three { ");
                self.list(depth - 1, after, branches, out);
                out.push_str("}\n");
                let is_over = self.dice.one_in(2);
                if is_over {
                    out.push_str("default { ");
                    self.list(depth - 1, after, branches, out);
                    out.push_str("}\n");
                }
                out.push_str("}\n");
                return is_over;
            }
            _ => {
                out.push_str("random timeout-ticks=3 { option \"f\" { ");
                self.list(depth - 1, after, branches, out);
                out.push_str("}\noption 20 { ");
                self.list(depth - 1, after, branches, out);
                out.push_str("}\n}\n");
                return true;
            }
        };
        let head = head
            .replace("test a", "test \"a\"")
            .replace("range n", "range \"n\"");
        write!(out, "{head} {{ ").unwrap();
        match self.dice.below(3) {
            0 => {
                out.push_str("no { ");
                self.list(depth - 1, after, branches, out);
                out.push('}');
            }
            _ => self.list(depth - 1, after, branches, out),
        }
        out.push_str("}\n");
        false
    }
}

#[test]
fn any_decision_tree_decides_as_before() {
    fn skewed(dice: &mut Dice, name: &str, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(dice.one_in(6)),
            Type::Int => Value::Int(4 + dice.below(3) as i64),
            _ => even(dice, name, ty),
        }
    }
    let (mut changed, mut refused, mut gain) = (0_u64, 0_u64, 0.0);
    // `cargo xtask ci --thorough` tries all of them.
    let is_thorough = std::env::var_os("TREEMIND_THOROUGH").is_some();
    let seeds = if is_thorough { 150 } else { 50 };
    for seed in 0..seeds {
        let text = Writer::document(seed);
        let document = Document::parse(&text, "test.kdl");
        assert!(
            !document.has_errors(),
            "{:?}\n{text}",
            document.diagnostics()
        );
        let profile = profile(&document, "top", skewed);
        match balance(&document, "top", &profile) {
            Ok(_) => {}
            // No test is asked, or a test is never reached.
            Err(why) => {
                assert!(
                    matches!(why, NotBalanced::NoProfile | NotBalanced::Unread(_)),
                    "{why}\n{text}"
                );
                refused += 1;
                continue;
            }
        }
        let (balanced, _) = balanced(&text, "top", &profile, (500, 6));
        changed += u64::from(balanced.is_changed);
        gain += balanced.before.cost - balanced.after.cost;
    }
    assert!(
        changed > seeds / 15 && refused < seeds * 4 / 5 && gain > seeds as f64 / 15.0,
        "{changed} changed, {refused} refused, {gain} gained"
    );
}
