//! Makes a test of what happened to an agent: the facts are given, what it did is expected.

use crate::happened::{Happened, Standing};
use crate::harness::Harness;
use crate::random::Plan;
use crate::run_each;
use crate::scripted::Script;
use crate::written;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Held, KeyId, Kind, Program, Status, Trace, Value};
use treemind_doc::testing::{Action, Subject, Test};
use treemind_doc::{Diagnostics, Document, Said, Severity, said};

/// So many ticks are played again at most to leave out what is not needed.
const MOST_TICKS: usize = 200_000;
/// How many things are named in the name of a test.
const MOST_NAMED: usize = 3;

/// What is wanted of a test that is made.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Its name; empty for one that says what happens.
    pub name: String,
    /// What it runs.
    pub runs: Option<Subject>,
    /// The time between two ticks, in seconds.
    pub dt: f64,
    /// What is never to run.
    pub never: Vec<String>,
    /// What is to happen beside what happened: before which tick, and the line of a script.
    pub facts: Vec<(u64, String)>,
}

/// A test that was made of what happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Its text.
    pub text: String,
    /// Actions that never ran: what may be said to be never the case.
    pub proposed: Vec<String>,
    /// Why it fails, if it does.
    pub wrong: Option<Said>,
}

/// Makes a test of what happened, and runs it. `read` reads the document with a text behind it.
///
/// # Errors
/// Why there is no such test, in a sentence: nothing happened, or a line of the script is wrong.
pub fn make(
    document: &Document,
    happened: &Happened,
    wanted: &Wanted,
    read: &dyn Fn(&str) -> Result<Document, Said>,
) -> Result<Made, Said> {
    let subject = wanted.runs.clone().or_else(|| document.main_subject());
    let subject = subject.ok_or_else(|| said!("the document does not say what it runs"))?;
    if happened.is_empty() {
        return Err(said!("nothing happened in this stretch"));
    }
    let errors = |_: Diagnostics| said!("the document has errors");
    let behaviour = document.behaviour_of(&subject).map_err(errors)?;
    let mut making = Making {
        program: Arc::new(Program::new(behaviour)),
        dt: Duration::from_secs_f64(wanted.dt),
        ticks: 0,
    };
    let then: Vec<Standing> = happened.ticks.iter().map(|one| one.then.clone()).collect();
    let mut plan = making.plan(happened, 0, &[]);
    let played = making.play(&plan);
    let is_same = played == then
        || making.hold(happened, &then, &mut plan)
        || making.lead_to(happened, &then, &mut plan);
    if is_same {
        making.leave_out(&mut plan, &then);
    }
    let wrong = match is_same || !wanted.facts.is_empty() {
        true => None,
        false => Some(otherwise(happened, &played)),
    };
    let head = |name: &str| written::head(name, &subject, (wanted.dt, 0), making.behaviour());
    let mut title = name(document, wanted, &then);
    let mut script = Script {
        head: head(&title),
        lead: plan.len() - then.len(),
        plan,
        wanted,
        first: happened.first,
    };
    let mut expected = then;
    if !wanted.facts.is_empty() {
        // What would have happened is found out by playing it.
        expected = making.with_facts(&script, &title, read)?;
        title = name(document, wanted, &expected);
        script.head = head(&title);
    }
    let text = script.text(&expected, &subject, making.behaviour());
    let wrong = match wrong {
        Some(wrong) => Some(wrong),
        None => failing(&read(&text)?, &title)?,
    };
    Ok(Made {
        proposed: never_ran(making.behaviour(), &expected),
        text,
        wrong,
    })
}

/// That a new agent does something else.
fn otherwise(happened: &Happened, played: &[Standing]) -> Said {
    let both = happened.ticks.iter().zip(played).enumerate();
    let mut differ = both.filter(|(_, (moment, played))| moment.then != **played);
    let Some((nth, (moment, played))) = differ.next() else {
        return Said::Text(String::new());
    };
    let then = &moment.then;
    let told = |names: &BTreeSet<String>, none: Said| match names.is_empty() {
        true => none,
        false => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ").into()
        }
    };
    let answer = |of: &Standing| {
        of.root
            .map_or_else(|| said!("nothing"), |root| root.as_str().into())
    };
    // What is named has to differ: of two that do the same, nobody would see why they are not alike.
    let differs = if then.running != played.running {
        let [then, played] = [then, played].map(|of| told(&of.running, said!("nothing")));
        said!("{} ran, but {} runs", then, played)
    } else if then.ran != played.ran {
        let [then, played] = [then, played].map(|of| told(&of.ran, said!("no action")));
        said!("{} ran, but {} runs", then, played)
    } else {
        said!(
            "the root answered {}, but it answers {}",
            answer(then),
            answer(played)
        )
    };
    said!(
        "in tick {}, {} in a new agent that is given the same: it remembers something from before the stretch. Begin earlier.",
        happened.first + nth as u64,
        differs
    )
}

/// Why a test of a document fails.
fn failing(document: &Document, name: &str) -> Result<Option<Said>, Said> {
    let mut wrong = None;
    let done = run_each(
        document,
        |one| one.id == name,
        &AtomicBool::new(false),
        |ran| {
            let failure = ran.outcome.failure;
            wrong = failure.map(|failure| {
                let (line, text) = failure.at;
                let _ = line;
                said!(
                    "`{}`: expected {}, got {}",
                    text,
                    failure.expected,
                    failure.got
                )
            });
        },
    );
    done.map_err(first_error)?;
    Ok(wrong)
}

fn first_error(errors: Diagnostics) -> Said {
    let first = errors.iter().find(|one| one.severity() == Severity::Error);
    first.map_or_else(|| Said::Text(String::new()), |one| one.said().clone())
}

/// The actions that never ran.
fn never_ran(behaviour: &Behaviour, then: &[Standing]) -> Vec<String> {
    let ran = |name: &str| {
        then.iter()
            .any(|one| one.ran.contains(name) || one.running.contains(name))
    };
    let actions = behaviour
        .node_ids()
        .filter(|node| matches!(behaviour.node(*node).kind, Kind::Action { .. }));
    let names: BTreeSet<&str> = actions.map(|node| behaviour.label(node)).collect();
    names
        .into_iter()
        .filter(|name| !ran(name))
        .map(str::to_owned)
        .collect()
}

/// The name of the test: the one that is wanted, or what runs, one after the other; another one than the others have.
fn name(document: &Document, wanted: &Wanted, then: &[Standing]) -> String {
    let mut name = wanted.name.trim().to_owned();
    if name.is_empty() {
        let mut did: Vec<&str> = Vec::new();
        for one in then {
            let does = one.running.iter().chain(&one.ran).next();
            if let Some(does) = does.filter(|does| did.last() != Some(&does.as_str())) {
                did.push(does);
            }
        }
        did.truncate(MOST_NAMED);
        name = match did.is_empty() {
            true => "what happened".to_owned(),
            false => did.join(", then "),
        };
    }
    let is_taken = |name: &str| document.tests().iter().any(|test| test.name == name);
    let numbered = (2..).map(|nth| format!("{name} {nth}"));
    let mut all = std::iter::once(name.clone()).chain(numbered);
    all.find(|name| !is_taken(name)).unwrap_or_default()
}

/// Finds out what happens in a new agent.
struct Making {
    program: Arc<Program>,
    dt: Duration,
    /// How many ticks were played.
    ticks: usize,
}

impl Making {
    fn behaviour(&self) -> &Behaviour {
        self.program.behaviour()
    }

    /// Whether a new agent does the same if it is given what the keys held when the stretch began, also what was not read since.
    fn hold(&mut self, happened: &Happened, then: &[Standing], plan: &mut Plan) -> bool {
        let held = self.plan(happened, 0, &happened.held);
        self.take(plan, held, then)
    }

    /// Whether a new agent does the same if ticks from before the stretch are played first: so it comes into the state of a
    /// machine, or to the place of a sequence, in which the stretch begins. If so, `plan` begins with as few of them as do.
    fn lead_to(&mut self, happened: &Happened, then: &[Standing], plan: &mut Plan) -> bool {
        let known = happened.earlier.len();
        let doubled = std::iter::successors(Some(1_usize), |lead| Some(lead * 2));
        let leads = doubled.take_while(|lead| *lead < known).chain([known]);
        for lead in leads.filter(|lead| *lead > 0) {
            let longer = self.plan(happened, lead, &[]);
            if self.take(plan, longer, then) {
                self.leave_out_ticks(plan, then);
                return true;
            }
        }
        false
    }

    /// Leaves out ticks before the stretch that the agent would do the same without; what changed in them changes in the next
    /// tick.
    fn leave_out_ticks(&mut self, plan: &mut Plan, then: &[Standing]) {
        let mut length = plan.len() - then.len();
        while length > 0 {
            let mut from = 0;
            while from + length <= plan.len() - then.len() {
                let mut shorter = plan.clone();
                let gone: Vec<Action> = shorter.drain(from..from + length).flatten().collect();
                if let Some(next) = shorter.get_mut(from) {
                    let own = std::mem::take(next);
                    // Of several changes of one thing, only the last one is seen.
                    for change in gone.into_iter().chain(own) {
                        next.retain(|earlier| {
                            thing(earlier).is_none_or(|it| Some(it) != thing(&change))
                        });
                        next.push(change);
                    }
                }
                if !self.take(plan, shorter, then) {
                    from += length;
                }
            }
            length /= 2;
        }
    }

    /// What has to be done before each tick, so that a new agent reads what was read and its leaves answer what they answered;
    /// beginning with so many ticks before the stretch, and with what the keys `held` then.
    fn plan(&mut self, happened: &Happened, lead: usize, held: &[(KeyId, Value)]) -> Plan {
        let behaviour = self.program.behaviour();
        let mut harness = Harness::new(&self.program, 0);
        let mut last: HashMap<&str, Status> = HashMap::new();
        let mut plan = Plan::new();
        let mut known = happened.known_before(lead);
        for (key, value) in held {
            if known.read.iter().all(|(read, _)| read != key) {
                known.read.push((*key, *value));
            }
        }
        let led = &happened.earlier[happened.earlier.len() - lead..];
        for (nth, moment) in led.iter().chain(&happened.ticks).enumerate() {
            let mut changes = Vec::new();
            let before = (nth == 0).then_some(&known);
            let recalled = before.iter().flat_map(|before| &before.read);
            let recalled =
                recalled.filter(|(key, _)| moment.read.iter().all(|(own, _)| own != key));
            for (key, value) in moment.read.iter().chain(recalled) {
                let held = crate::condition::held(&harness.population, *key);
                if !matches!(held, Held::One(held) if held == *value) {
                    let name = behaviour.key(*key).name.clone();
                    changes.push(Action::Given(vec![(name, Some(*value))]));
                }
            }
            let recalled = before.iter().flat_map(|before| &before.calls);
            let recalled = recalled.filter(|(name, _)| !moment.calls.contains_key(*name));
            for (name, answers) in moment.calls.iter().chain(recalled) {
                let known = last.get(name.as_str()).copied();
                let known = known.unwrap_or_else(|| first_answer(behaviour, name));
                if answers.iter().any(|answer| *answer != known) {
                    let mut answers = answers.clone();
                    // The last one repeats.
                    while let [.., before, end] = answers[..]
                        && before == end
                    {
                        answers.pop();
                    }
                    last.insert(name, answers[answers.len() - 1]);
                    changes.push(Action::Answer(vec![name.clone()], answers));
                }
            }
            for event in &moment.sent {
                changes.push(Action::Send(event.clone(), Vec::new()));
            }
            for change in &changes {
                // What cannot be done makes a difference that is told.
                let _ = harness.act(change);
            }
            harness.population.tick(&mut harness.host, self.dt);
            plan.push(changes);
        }
        plan
    }

    /// How a new agent stands after each tick.
    fn play(&mut self, plan: &Plan) -> Vec<Standing> {
        let mut harness = Harness::new(&self.program, 0);
        let mut trace = Trace::new();
        self.ticks += plan.len();
        let then = plan.iter().map(|changes| {
            for change in changes {
                let _ = harness.act(change);
            }
            trace.clear();
            let Harness {
                population, host, ..
            } = &mut harness;
            population.tick_traced(host, self.dt, &mut trace);
            Standing::of(&harness.population, 0, &trace)
        });
        then.collect()
    }

    /// Leaves out what the agent would do the same without, and rounds numbers.
    fn leave_out(&mut self, plan: &mut Plan, then: &[Standing]) {
        let keys: BTreeSet<String> = plan
            .iter()
            .flatten()
            .filter_map(key_of)
            .map(str::to_owned)
            .collect();
        for key in &keys {
            // All that comes after the first value, at once.
            let mut seen = false;
            let mut shorter = plan.clone();
            for changes in &mut shorter {
                changes.retain(|change| {
                    key_of(change) != Some(key) || !std::mem::replace(&mut seen, true)
                });
            }
            self.take(plan, shorter, then);
        }
        for tick in (0..plan.len()).rev() {
            for nth in (0..plan[tick].len()).rev() {
                let mut shorter = plan.clone();
                shorter[tick].remove(nth);
                if self.take(plan, shorter, then) {
                    continue;
                }
                for digits in [0, 1] {
                    if let Some(rounder) = rounded(&plan[tick][nth], digits) {
                        let mut simpler = plan.clone();
                        simpler[tick][nth] = rounder;
                        if self.take(plan, simpler, then) {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Takes another plan if the agent does the same by it; returns whether it does.
    fn take(&mut self, plan: &mut Plan, other: Plan, then: &[Standing]) -> bool {
        // Of the ticks that only lead to the stretch, nothing is expected.
        let is_same = self.ticks < MOST_TICKS && self.play(&other).ends_with(then);
        if is_same {
            *plan = other;
        }
        is_same
    }

    /// How an agent stands after each tick if the facts are added.
    fn with_facts(
        &self,
        script: &Script<'_>,
        name: &str,
        read: &dyn Fn(&str) -> Result<Document, Said>,
    ) -> Result<Vec<Standing>, Said> {
        // A test that is only read has to expect something.
        let runs = Standing {
            root: Some(Status::Running),
            ..Standing::default()
        };
        let bare = vec![runs; script.plan.len() - script.lead];
        let text = script.text(&bare, &Subject::Tree(String::new()), self.behaviour());
        let document = read(&text)?;
        document.ok_with_tests().map_err(first_error)?;
        let test = document.tests().iter().find(|test| test.name == *name);
        let test = test.ok_or_else(|| said!("the test cannot be read"))?;
        let mut then = self.follow(test);
        then.drain(..script.lead.min(then.len()));
        Ok(then)
    }

    /// How an agent stands after each tick of a test.
    fn follow(&self, test: &Test) -> Vec<Standing> {
        let mut harness = Harness::new(&self.program, 0);
        let mut trace = Trace::new();
        let mut then = Vec::new();
        for step in &test.steps {
            let Action::Tick(times, _) = step.action else {
                let _ = harness.act(&step.action);
                continue;
            };
            for _ in 0..times {
                trace.clear();
                let Harness {
                    population, host, ..
                } = &mut harness;
                population.tick_traced(host, self.dt, &mut trace);
                then.push(Standing::of(&harness.population, 0, &trace));
            }
        }
        then
    }
}

/// What a leaf answers to which a test gives no answers.
fn first_answer(behaviour: &Behaviour, name: &str) -> Status {
    let mut nodes = behaviour
        .node_ids()
        .filter(|node| behaviour.label(*node) == name);
    let leaf = nodes.find_map(|node| behaviour.node(node).kind.leaf());
    leaf.map_or(Status::Running, |leaf| {
        Scripted::idle_answer(behaviour.leaf(leaf).kind)
    })
}

/// What a change is about: a later one of the same thing takes its place. An event is sent each time.
fn thing(change: &Action) -> Option<(bool, &str)> {
    match change {
        Action::Given(_) => key_of(change).map(|key| (true, key)),
        Action::Answer(names, _) => names.first().map(|name| (false, name.as_str())),
        _ => None,
    }
}

/// The key that a change is about.
fn key_of(change: &Action) -> Option<&str> {
    match change {
        Action::Given(given) => given.first().map(|(key, _)| key.as_str()),
        _ => None,
    }
}

/// The same with so many digits behind the point; `None` if it has no more.
fn rounded(change: &Action, digits: u32) -> Option<Action> {
    let Action::Given(given) = change else {
        return None;
    };
    let (key, value) = given.first()?;
    let scale = 10_f64.powi(digits as i32);
    let round = |value: f64| (value * scale).round() / scale;
    let value = match (*value)? {
        Value::Float(value) => Value::Float(round(f64::from(value)) as f32),
        Value::Double(value) => Value::Double(round(value)),
        _ => return None,
    };
    Some(Action::Given(vec![(key.clone(), Some(value))]))
}
