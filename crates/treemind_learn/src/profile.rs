//! How often the tests of decision trees were asked, and what they answered. A profile records whole paths and not
//! single tests, so that it shows which answers come together.

use std::collections::BTreeMap;
use treemind_core::behaviour::{Decision, DecisionStep, TestName, Way};
use treemind_core::trace::{Event, Record};
use treemind_core::{Behaviour, Expr, Kind, NodeId};

/// The cost of a test by default.
pub const TEST_COST: f64 = 1.0;

/// The cost of a question to the host by default: a condition, or a key that a sensor computes.
pub const HOST_COST: f64 = 10.0;

/// How often decision trees were asked, and which paths they took.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use treemind_core::{Population, Program, Trace, host::Scripted};
/// use treemind_doc::Document;
/// use treemind_learn::Profile;
///
/// let text = "leaves { condition armed; action strike; action hide; }
///     decide fighter { test-condition armed { action strike; }; action hide; }";
/// let fighter = Document::parse(text, "fighter.kdl").behaviour(None).unwrap();
/// let mut profile = Profile::of(&fighter);
/// let mut population = Population::new(Arc::new(Program::new(fighter.clone())), 1);
/// let (mut host, mut trace) = (Scripted::new(&fighter, 1), Trace::new());
/// for _ in 0..3 {
///     population.tick_traced(&mut host, Duration::from_millis(50), &mut trace);
///     profile.record(&fighter, &trace);
///     trace.clear();
/// }
/// let asked = profile.decision("fighter").unwrap().taken(0);
/// assert_eq!(asked, [3, 0]); // three times armed
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    decisions: BTreeMap<String, DecisionProfile>,
}

/// What is known about one decision tree, as it is written. A decision tree nested in it has a profile of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionProfile {
    tests: Vec<TestProfile>,
    paths: BTreeMap<Path, u64>,
}

/// The tests that were asked, in order, each with the way that it took; both by position.
pub type Path = Vec<(usize, usize)>;

/// A test in a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct TestProfile {
    /// How it is written.
    pub test: String,
    /// How its ways are written.
    pub ways: Vec<String>,
    /// The cost of asking it, in units of the cost of a test of keys.
    pub cost: f64,
}

/// The differences between a profile and a decision tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Tests of the decision tree that the profile does not have.
    pub unknown: Vec<String>,
    /// Tests of the profile that the decision tree does not have.
    pub gone: Vec<String>,
}

impl Stale {
    /// Whether the profile and the decision tree match.
    pub fn is_empty(&self) -> bool {
        self.unknown.is_empty() && self.gone.is_empty()
    }
}

impl DecisionProfile {
    /// A profile without any path.
    ///
    /// # Errors
    /// A cost that is negative or not finite, and a test that occurs twice.
    pub fn new(tests: Vec<TestProfile>) -> Result<Self, String> {
        for (index, test) in tests.iter().enumerate() {
            if !(test.cost.is_finite() && test.cost >= 0.0) {
                return Err(format!(
                    "the cost of `{}` must be a number of at least 0",
                    test.test
                ));
            }
            if tests[..index].iter().any(|other| other.test == test.test) {
                return Err(format!("`{}` occurs twice", test.test));
            }
        }
        Ok(Self {
            tests,
            paths: BTreeMap::new(),
        })
    }

    /// The tests.
    pub fn tests(&self) -> &[TestProfile] {
        &self.tests
    }

    /// The paths that were taken, and how often.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.paths.iter().map(|(path, count)| (path, *count))
    }

    /// How often the decision tree was asked.
    pub fn asked(&self) -> u64 {
        self.paths.values().sum()
    }

    /// How often a test, given by its position, took each of its ways.
    pub fn taken(&self, test: usize) -> Vec<u64> {
        let mut taken = vec![0; self.tests[test].ways.len()];
        for (path, count) in &self.paths {
            for (_, way) in path.iter().filter(|(asked, _)| *asked == test) {
                taken[*way] += count;
            }
        }
        taken
    }

    /// The average cost of a decision; `None` if there was none.
    pub fn cost(&self) -> Option<f64> {
        let asked = self.asked();
        let cost =
            |path: &Path| -> f64 { path.iter().map(|(test, _)| self.tests[*test].cost).sum() };
        let all: f64 = self
            .paths()
            .map(|(path, count)| cost(path) * count as f64)
            .sum();
        (asked > 0).then(|| all / asked as f64)
    }

    /// How many tests were asked on average; `None` if there was no decision.
    pub fn expected_tests(&self) -> Option<f64> {
        let asked = self.asked();
        let all: u64 = self
            .paths()
            .map(|(path, count)| path.len() as u64 * count)
            .sum();
        (asked > 0).then(|| all as f64 / asked as f64)
    }

    /// Adds a path that was taken `count` times.
    ///
    /// # Errors
    /// A test or a way that does not exist, or a test that has already given another answer on this path.
    pub fn add(&mut self, path: Path, count: u64) -> Result<(), String> {
        for (index, (test, way)) in path.iter().enumerate() {
            let ways = self.tests.get(*test).map(|test| test.ways.len());
            if ways.is_none_or(|ways| *way >= ways) {
                return Err("a way that is not there".to_owned());
            }
            let mut before = path[..index].iter();
            if before.any(|(other, taken)| other == test && taken != way) {
                let test = &self.tests[*test].test;
                return Err(format!("`{test}` answers in two ways at once"));
            }
        }
        *self.paths.entry(path).or_default() += count;
        Ok(())
    }

    /// The position of a test.
    pub fn position(&self, test: &TestName) -> Option<usize> {
        self.tests.iter().position(|known| known.test == test.test)
    }

    /// The differences from these tests of the decision tree.
    pub fn stale(&self, tests: &[TestName]) -> Stale {
        let mut stale = Stale::default();
        for test in tests {
            let known = self.position(test).map(|known| &self.tests[known]);
            // A test with fewer cases still matches; a test with unknown cases does not.
            let fits =
                known.is_some_and(|known| test.ways.iter().all(|way| known.ways.contains(way)));
            if !fits && !stale.unknown.contains(&test.test) {
                stale.unknown.push(test.test.clone());
            }
        }
        let is_there = |known: &&TestProfile| tests.iter().any(|test| test.test == known.test);
        let gone = self.tests.iter().filter(|known| !is_there(known));
        stale.gone = gone.map(|known| known.test.clone()).collect();
        stale
    }

    /// The paths as they would be with these tests: answers of tests that do not exist there are left out, and
    /// positions are positions in `tests`.
    pub(crate) fn answers(&self, tests: &[TestName]) -> Vec<(Path, f64)> {
        // For each test of this profile, its position among `tests`, and the same for its ways.
        let place = |known: &TestProfile| {
            let place = tests.iter().position(|test| test.test == known.test)?;
            let way = |way: &String| tests[place].ways.iter().position(|other| other == way);
            Some((place, known.ways.iter().map(way).collect::<Vec<_>>()))
        };
        let places: Vec<_> = self.tests.iter().map(place).collect();
        let paths = self.paths().map(|(path, count)| {
            let answers = path.iter().filter_map(|(test, way)| {
                let (place, ways) = places[*test].as_ref()?;
                Some((*place, ways[*way]?))
            });
            (answers.collect(), count as f64)
        });
        paths.collect()
    }

    /// Follows these answers through a decision, as far as they belong to its tests.
    fn follow(
        &self,
        decision: &Decision,
        entry: usize,
        path: &Path,
        mut each: impl FnMut(usize, usize),
    ) {
        let mut step = entry;
        while decision.tests[step].of == decision.tests[entry].of {
            let name = &decision.tests[step];
            let answer = path
                .iter()
                .find(|(test, _)| self.tests[*test].test == name.test);
            let way = answer.and_then(|(test, way)| {
                let way = &self.tests[*test].ways[*way];
                name.ways.iter().position(|known| known == way)
            });
            let Some(way) = way else { return };
            each(step, way);
            match decision.steps[step].ways()[way] {
                Way::Step(next) => step = next,
                Way::Leaf(_) | Way::None => return,
            }
        }
    }

    fn test(&mut self, name: &TestName, cost: f64) -> usize {
        self.position(name).unwrap_or_else(|| {
            self.tests.push(TestProfile {
                test: name.test.clone(),
                ways: name.ways.clone(),
                cost,
            });
            self.tests.len() - 1
        })
    }
}

impl Profile {
    /// A profile with the tests of a behaviour, none of which has been asked.
    pub fn of(behaviour: &Behaviour) -> Self {
        let mut profile = Self::default();
        for (_, decision, _) in decisions(behaviour) {
            for (name, step) in decision.tests.iter().zip(&decision.steps) {
                let cost = cost_of(behaviour, step);
                let of = profile.decisions.entry(name.of.clone()).or_default();
                of.test(name, cost);
            }
        }
        profile
    }

    /// The profile of a decision tree, by the name in its definition.
    pub fn decision(&self, name: &str) -> Option<&DecisionProfile> {
        self.decisions.get(name)
    }

    /// The decision trees in the profile, by name.
    pub fn decisions(&self) -> impl Iterator<Item = (&str, &DecisionProfile)> {
        self.decisions.iter().map(|(name, of)| (name.as_str(), of))
    }

    /// How often each test of a decision took each of its ways: by test, in the order of its ways. Tests of
    /// decision trees that are not in the profile have `None`. A profile belongs to a decision tree wherever the
    /// tree is used, so each use shows the same numbers.
    pub fn taken(&self, decision: &Decision) -> Vec<Option<Vec<u64>>> {
        let mut taken: Vec<Option<Vec<u64>>> = vec![None; decision.steps.len()];
        for (entry, name) in decision.tests.iter().enumerate() {
            let is_entry = !decision.tests[..entry]
                .iter()
                .any(|other| other.of == name.of);
            let Some(of) = self.decisions.get(&name.of).filter(|_| is_entry) else {
                continue;
            };
            let own = decision.tests.iter().zip(&mut taken);
            for (test, taken) in own.filter(|(test, _)| test.of == name.of) {
                *taken = Some(vec![0; test.ways.len()]);
            }
            for (path, count) in of.paths() {
                of.follow(decision, entry, path, |step, way| {
                    if let Some(taken) = &mut taken[step] {
                        taken[way] += count;
                    }
                });
            }
        }
        taken
    }

    /// Sets the profile of a decision tree, and replaces an earlier one.
    pub fn insert(&mut self, name: String, of: DecisionProfile) {
        self.decisions.insert(name, of);
    }

    /// Adds the tests that all agents were asked in a trace of one tick. The trace must be of this behaviour.
    pub fn record(&mut self, behaviour: &Behaviour, trace: &treemind_core::Trace) {
        let decisions = decisions(behaviour);
        // By agent and decision: the tests that have been asked so far.
        let mut open: BTreeMap<(u64, usize), Vec<(usize, usize)>> = BTreeMap::new();
        for record in trace.records() {
            let Event::Branch(number, way) = record.event else {
                continue;
            };
            let found = decisions.iter().position(|(node, decision, first)| {
                let steps = *first..first + decision.steps.len();
                *node == record.node && steps.contains(&(number as usize))
            });
            let Some(found) = found else { continue };
            let (_, decision, first) = &decisions[found];
            let step = number as usize - first;
            let begins = decision.first == Way::Step(step);
            for agent in agents(record) {
                let path = open.entry((agent, found)).or_default();
                if begins && !path.is_empty() {
                    // The decision was asked more than once in this tick.
                    let done = std::mem::take(path);
                    self.add(behaviour, decision, &done);
                }
                path.push((step, way as usize));
            }
        }
        for ((_, found), path) in open {
            let (_, decision, _) = &decisions[found];
            self.add(behaviour, decision, &path);
        }
    }

    /// Adds a path through a decision tree, which may pass through decision trees nested in it.
    fn add(&mut self, behaviour: &Behaviour, decision: &Decision, path: &[(usize, usize)]) {
        if decision.tests.is_empty() {
            return;
        }
        let of = |step: usize| &decision.tests[step].of;
        for part in path.chunk_by(|left, right| of(left.0) == of(right.0)) {
            let [(first, _), ..] = part else { continue };
            let profile = self.decisions.entry(of(*first).clone()).or_default();
            let part = part.iter().map(|(step, way)| {
                let cost = cost_of(behaviour, &decision.steps[*step]);
                (profile.test(&decision.tests[*step], cost), *way)
            });
            let part: Path = part.collect();
            *profile.paths.entry(part).or_default() += 1;
        }
    }
}

/// All decisions of a behaviour: those that are nodes, and those that decide where transitions lead, each with the
/// number of its first test in traces.
fn decisions(behaviour: &Behaviour) -> Vec<(NodeId, &Decision, usize)> {
    let mut all = Vec::new();
    for id in behaviour.node_ids() {
        match &behaviour.node(id).kind {
            Kind::Decide(decision) => all.push((id, &**decision, 0)),
            Kind::Machine(machine) => {
                let deciders = machine.deciders.iter().enumerate();
                all.extend(
                    deciders.map(|(number, decision)| (id, decision, machine.first_test(number))),
                );
            }
            _ => {}
        }
    }
    all
}

/// The default cost of a test.
fn cost_of(behaviour: &Behaviour, step: &DecisionStep) -> f64 {
    let is_sensed = |expr: &&Expr| {
        let mut is_sensed = false;
        expr.for_each_key(&mut |key| is_sensed |= behaviour.key(key).sensed.is_some());
        is_sensed
    };
    match step {
        DecisionStep::Ask { .. } => HOST_COST,
        step if step.exprs().iter().any(is_sensed) => HOST_COST,
        _ => TEST_COST,
    }
}

fn agents(record: &Record) -> impl Iterator<Item = u64> + use<> {
    let (mask, first) = (record.mask, u64::from(record.word) * 64);
    (0..64)
        .filter(move |bit| mask >> bit & 1 == 1)
        .map(move |bit| first + bit)
}
