//! Runs the tests that documents contain.
//!
//! A test of a document plays the game's part: how conditions and actions answer, which values keys have, which events
//! arrive. It lets time pass, and says what it expects. `docs/testing.md` describes how to write tests.
//!
//! The tests of a document are one line of Rust in the tests of a game:
//! ```
//! # let folder = std::env::temp_dir().join(format!("treemind-test-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # std::env::set_current_dir(&folder)?;
//! # let guard = "leaves { action patrol; }; tree guard { action patrol; };";
//! # let test = "test patrols tree=guard { tick; expect running ran=patrol; }";
//! # std::fs::write("guard.kdl", format!("{guard} {test}"))?;
//! treemind_test::check("guard.kdl");
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod aside;
mod condition;
mod coverage;
mod expectation;
mod failure;
mod happened;
mod harness;
mod junit;
mod listed;
mod making;
mod names;

mod plans;
mod player;
mod random;
mod scripted;
mod written;

pub use coverage::{Coverage, CoveredLine, CoveredOutline, Reached, Uncovered};
pub use failure::Failure;
pub use happened::Happened;
pub use harness::Harness;
pub use junit::junit;
pub use listed::{Listed, list};
pub use making::{Made, Wanted, make};

use condition::Conditions;
use coverage::Covered;
use player::Player;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use treemind_core::Program;
use treemind_doc::testing::{Action, Case, Expectation, Step, Subject, Test};
use treemind_doc::{Diagnostics, Document, Imports};

/// The result of one test, or of one case of its table.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name, in which the values of a case stand for its columns.
    pub name: String,
    /// The file.
    pub file: String,
    /// The line of the test, or of the row of its case; from 1.
    pub line: usize,
    /// Why it failed; `None` if it passed.
    pub failure: Option<Failure>,
    /// How long it took.
    pub time: Duration,
}

impl Outcome {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// The results of the tests of a document.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One per test, or per case of its table.
    pub outcomes: Vec<Outcome>,
    /// What the tests reached.
    pub coverage: Coverage,
}

impl Report {
    /// Whether all tests passed.
    pub fn passed(&self) -> bool {
        self.outcomes.iter().all(Outcome::passed)
    }
}

/// How many failures of a document have the tree of their tick.
const MOST_TREES: usize = 100;

/// Runs the tests of a document whose names contain a text. The first hundred failures have the tree of their tick.
///
/// # Errors
/// The diagnostics of the document if one of them is an error.
pub fn run(document: &Document, filter: &str) -> Result<Report, Diagnostics> {
    let mut outcomes = Vec::new();
    let mut reached = Reached::default();
    let is_wanted = |one: &Listed| one.name.contains(filter);
    run_each(document, is_wanted, &AtomicBool::new(false), |ran| {
        reached.add(&ran.reached);
        outcomes.push(ran.outcome);
    })?;
    Ok(Report {
        outcomes,
        coverage: Coverage::of(document, &reached)?,
    })
}

/// A test, or a case of its table, that was run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Which one, as [`Listed::id`] has it.
    pub id: String,
    /// How it went.
    pub outcome: Outcome,
    /// What it reached.
    pub reached: Reached,
}

/// Runs some tests of a document, and tells of each when it is over. When `stop` is set, also by another thread, it stops
/// in the middle of a test, of which nothing is told.
///
/// # Errors
/// As [`run`].
pub fn run_each(
    document: &Document,
    is_wanted: impl Fn(&Listed) -> bool,
    stop: &AtomicBool,
    mut tell: impl FnMut(Ran),
) -> Result<(), Diagnostics> {
    document.ok_with_tests()?;
    let mut failed = 0;
    let mut programs = HashMap::new();
    for (test, case, listed) in listed::all(document) {
        if !is_wanted(&listed) {
            continue;
        }
        let program = program_of(document, test, &mut programs)?;
        let mut covered = Covered::default();
        let mut outcome = run_case((test, case), &listed, (program, &mut covered), stop);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if let Some(failure) = &mut outcome.failure {
            failed += 1;
            if failed > MOST_TREES {
                failure.tree.clear();
            }
        }
        tell(Ran {
            id: listed.id,
            outcome,
            reached: Reached::of(document.definition_of(&test.subject), covered),
        });
    }
    Ok(())
}

/// The program of what a test runs.
fn program_of(
    document: &Document,
    test: &Test,
    known: &mut HashMap<(Subject, bool), Arc<Program>>,
) -> Result<Arc<Program>, Diagnostics> {
    let subject = (test.subject.clone(), test.as_planned);
    if let Some(known) = known.get(&subject) {
        return Ok(Arc::clone(known));
    }
    let program = Arc::new(Program::new(document.behaviour_of_test(test)?));
    known.insert(subject, Arc::clone(&program));
    Ok(program)
}

/// The largest document that [`check`] reads.
const MOST_BYTES: u64 = 256 << 20;

/// Runs the tests of the document in a file, for the tests of a game.
///
/// # Panics
/// With a message for people, when the file cannot be read, has errors, has no tests, or when a test fails.
#[track_caller]
pub fn check(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let imports = Imports::of(path);
    let bytes = treemind_doc::files::read(path, MOST_BYTES);
    let bytes = bytes.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.to_string_lossy();
    let document = Document::read_with(&bytes, &name, |path| imports.read(path));
    let report = run(&document, "").unwrap_or_else(|errors| panic!("{errors}"));
    assert!(!report.outcomes.is_empty(), "{name} has no tests");
    let failed = report.outcomes.iter().filter(|one| !one.passed());
    let shown: Vec<String> = failed.map(Outcome::to_string).collect();
    assert!(shown.is_empty(), "\n{}", shown.join("\n"));
}

/// A test of a document, or one case of its table, that is played without being judged.
#[derive(Clone, Debug)]
pub struct Played<'d> {
    /// The test.
    pub test: &'d Test,
    /// Its name, in which the values of a case stand for its columns.
    pub name: String,
    case: Option<&'d Case>,
}

impl<'d> Played<'d> {
    /// The tests and cases of a document whose names contain a text; only one if it is the whole name of one.
    pub fn named(document: &'d Document, name: &str) -> Vec<Self> {
        let of = |test: &'d Test| {
            let cases = cases(test).into_iter();
            cases.map(move |case| Self {
                test,
                name: name_of(test, case),
                case,
            })
        };
        let mut found: Vec<Self> = document.tests().iter().flat_map(of).collect();
        found.retain(|one| one.name.contains(name));
        if let Some(exact) = found.iter().position(|one| one.name == name) {
            found = vec![found.swap_remove(exact)];
        }
        found
    }

    /// The test or case with this [id](Listed::id).
    pub fn with_id(document: &'d Document, id: &str) -> Option<Self> {
        let (test, case, listed) = listed::all(document).find(|(.., one)| one.id == id)?;
        let name = listed.name;
        Some(Self { test, name, case })
    }

    /// What happens in it, in order. `run` is the number of the try, from 0, if the game behaves at random.
    pub fn actions(&self, run: u64) -> Vec<Action> {
        let mut actions = self.steps();
        match &self.test.random {
            Some(random) => {
                for changes in random::plan(random, run) {
                    actions.extend(changes);
                    actions.push(Action::Tick(1, None));
                }
            }
            None if passes_by_itself(self.test, self.case) => actions.push(Action::Tick(1, None)),
            None => {}
        }
        actions
    }

    /// What happens when it fails in this way, in order: of tries at random in the shortest one that was found.
    pub fn failing(&self, failure: &Failure) -> Vec<Action> {
        let Some(plan) = &failure.shortest else {
            return self.actions(0);
        };
        let mut actions = self.steps();
        for changes in plan {
            actions.extend(changes.iter().cloned());
            actions.push(Action::Tick(1, None));
        }
        actions
    }

    /// The steps of its case and its own.
    fn steps(&self) -> Vec<Action> {
        let case = self.case.map_or(&[][..], |case| &case.steps);
        let steps = case.iter().chain(&self.test.steps);
        steps.map(|step| step.action.clone()).collect()
    }
}

/// Whether a case of a table has a tick at its end, because the test has none.
fn passes_by_itself(test: &Test, case: Option<&Case>) -> bool {
    let ticks = |step: &Step| matches!(step.action, Action::Tick(..));
    case.is_some() && !test.steps.iter().any(ticks) && test.random.is_none()
}

/// The cases of a test; without a table there is one.
fn cases(test: &Test) -> Vec<Option<&Case>> {
    match &test.cases {
        Some(cases) => cases.iter().map(Some).collect(),
        None => vec![None],
    }
}

/// The name of a test in a case.
fn name_of(test: &Test, case: Option<&Case>) -> String {
    let mut name = test.name.clone();
    let mut is_told = false;
    for (column, value) in case.iter().flat_map(|case| &case.cells) {
        let place = format!("{{{column}}}");
        is_told |= name.contains(&place);
        name = name.replace(&place, value);
    }
    let values = case.iter().flat_map(|case| &case.cells);
    let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
    match values.is_empty() || is_told {
        true => name,
        false => format!("{name} ({})", values.join(", ")),
    }
}

/// This moment; `None` in a page, where the standard library knows no clock.
fn now() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

fn run_case(
    (test, case): (&Test, Option<&Case>),
    listed: &Listed,
    (program, covered): (Arc<Program>, &mut Covered),
    stop: &AtomicBool,
) -> Outcome {
    let began = now();
    let failure = Conditions::new(test, program.behaviour())
        .and_then(|mut conditions| {
            let script = Script {
                test,
                case,
                program,
                stop,
            };
            script.play(&mut conditions, covered)
        })
        .err();
    Outcome {
        name: listed.name.clone(),
        file: listed.file.clone(),
        line: listed.line,
        failure: failure.map(|failure| *failure),
        time: began.map_or(Duration::ZERO, |began| began.elapsed()),
    }
}

/// A test in one of its cases.
struct Script<'t> {
    test: &'t Test,
    case: Option<&'t Case>,
    program: Arc<Program>,
    /// Set when nobody waits for the result any more.
    stop: &'t AtomicBool,
}

impl Script<'_> {
    fn play(&self, conditions: &mut Conditions, covered: &mut Covered) -> Result<(), Box<Failure>> {
        if let Some(random) = &self.test.random {
            return random::play(self, random, conditions, covered);
        }
        let mut player = Player::new(self);
        let played = self
            .play_steps(&mut player, conditions)
            .and_then(|()| player.judge_end());
        covered.add(&player.covered);
        played
    }

    /// Plays what the case sets, what the test does, and what the case expects.
    fn play_steps(
        &self,
        player: &mut Player<'_>,
        conditions: &mut Conditions,
    ) -> Result<(), Box<Failure>> {
        let set = self.case.map_or(&[][..], |case| &case.steps);
        player.play(set, conditions)?;
        player.play(&self.test.steps, conditions)?;
        let Some(case) = self.case else {
            return Ok(());
        };
        if passes_by_itself(self.test, Some(case)) {
            player.begin_window();
            player.pass(None, conditions)?;
        }
        let Some(name) = &case.expected else {
            return Ok(());
        };
        let names = vec![name.clone()];
        let expected = match self.test.subject {
            Subject::Decision(_) => Expectation {
                chosen: names,
                ..Expectation::default()
            },
            _ => Expectation {
                active: names,
                ..Expectation::default()
            },
        };
        expectation::judge(player, &expected, conditions)
            .map_err(|(wanted, got)| player.failure(&case.span, wanted, got))
    }
}
