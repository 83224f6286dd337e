//! Plays a test: one agent, whose conditions and actions answer as the test says.

use crate::Script;
use crate::condition::{Conditions, line_of};
use crate::coverage::Covered;
use crate::expectation;
use crate::failure::{Cause, Failure};
use crate::harness::Harness;
use crate::names::Names;
use crate::plans::Plans;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Outcome, Population, Status};
use treemind_doc::testing::{Action, Condition, RuleKind, Step, Test};
use treemind_doc::{About, Said, marked_outline, said};

/// What happened since the last step that let time pass began.
#[derive(Default)]
pub(crate) struct Seen {
    /// Nodes that were ticked.
    pub(crate) ticked: BTreeSet<NodeId>,
    pub(crate) started: BTreeSet<NodeId>,
    pub(crate) stopped: Vec<(NodeId, Outcome)>,
    pub(crate) emitted: Vec<String>,
    /// The names of the rules that fired.
    pub(crate) fired: BTreeSet<String>,
    /// The faults, each with its tick.
    pub(crate) faults: Vec<(u64, String)>,
    /// The answers of the last tick.
    pub(crate) answers: HashMap<NodeId, Status>,
    /// The nodes that are open after it, in order.
    open: Vec<NodeId>,
    pub(crate) root: Option<Status>,
}

impl Seen {
    /// Whether a node or state with this name is running.
    pub(crate) fn is_active(&self, name: &str, names: &Names, agent: &Population) -> bool {
        let mut nodes = names.nodes(name).iter();
        nodes.any(|node| self.is_running(*node))
            || names
                .states(name)
                .iter()
                .any(|(machine, state)| agent.is_in(0, *machine, *state))
    }

    /// Whether a node goes on after the last tick, whether that came to it or not.
    fn is_running(&self, node: NodeId) -> bool {
        let is_over = matches!(
            self.answers.get(&node),
            Some(Status::Success | Status::Failure)
        );
        !is_over && self.open.binary_search(&node).is_ok()
    }

    /// Whether a node with this name was ticked.
    pub(crate) fn ran(&self, name: &str, names: &Names) -> bool {
        names
            .nodes(name)
            .iter()
            .any(|node| self.ticked.contains(node))
    }
}

/// A name, or a part of the document.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

fn within_ticks(condition: &Condition, within: u64) -> Said {
    said!("{} within {} ticks", quoted(&condition.text), within)
}

/// An agent in a test.
pub(crate) struct Player<'t> {
    test: &'t Test,
    pub(crate) harness: Harness,
    pub(crate) seen: Seen,
    pub(crate) covered: Covered,
    pub(crate) plans: Plans,
    trace: Trace,
    pub(crate) tick: u64,
    /// Per rule, whether `eventually` was met.
    met: Vec<bool>,
    stop: &'t AtomicBool,
}

impl<'t> Player<'t> {
    pub(crate) fn new(script: &Script<'t>) -> Self {
        Self {
            test: script.test,
            harness: Harness::new(&script.program, script.test.seed),
            seen: Seen::default(),
            covered: Covered::default(),
            plans: Plans::default(),
            trace: Trace::new(),
            tick: 0,
            met: vec![false; script.test.rules.len()],
            stop: script.stop,
        }
    }

    fn behaviour(&self) -> &Behaviour {
        self.harness.population.program().behaviour()
    }

    /// Plays steps until one is not met.
    pub(crate) fn play(
        &mut self,
        steps: &[Step],
        conditions: &mut Conditions,
    ) -> Result<(), Box<Failure>> {
        for step in steps {
            self.step(step, conditions)?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, conditions: &mut Conditions) -> Result<(), Box<Failure>> {
        match &step.action {
            Action::Tick(times, dt) => {
                self.begin_window();
                for _ in 0..*times {
                    self.pass(*dt, conditions)?;
                }
            }
            Action::Abort => {
                self.begin_window();
                self.trace.clear();
                self.harness
                    .population
                    .abort_all_traced(&mut self.harness.host, &mut self.trace);
                self.seen.answers.clear();
                self.note();
                self.seen.answers.clear();
                self.seen.open.clear();
                self.seen.root = None;
            }
            Action::Expect(expected) => {
                expectation::judge(self, expected, conditions)
                    .map_err(|(wanted, got)| self.failure(&step.span, wanted, got))?;
                if !expected.fault {
                    self.no_faults(&step.span)?;
                }
                self.seen.faults.clear();
            }
            other => self.act(other, &step.span)?,
        }
        Ok(())
    }

    /// Carries out what the game does between ticks.
    pub(crate) fn act(&mut self, action: &Action, span: &Range<usize>) -> Result<(), Box<Failure>> {
        let done = self.harness.act(action);
        done.map_err(|problem| self.problem(span, problem))
    }

    pub(crate) fn begin_window(&mut self) {
        let faults = std::mem::take(&mut self.seen.faults);
        self.seen = Seen {
            faults,
            ..Seen::default()
        };
    }

    /// One tick, after which the rules of the whole test are judged.
    pub(crate) fn pass(
        &mut self,
        dt: Option<f64>,
        conditions: &mut Conditions,
    ) -> Result<(), Box<Failure>> {
        if self.stop.load(Ordering::Relaxed) {
            // Nobody is told of it.
            return Err(self.failure(&self.test.span, "the end".into(), "a stop".into()));
        }
        let dt = Duration::from_secs_f64(dt.unwrap_or(self.test.dt));
        self.trace.clear();
        self.harness
            .population
            .tick_traced(&mut self.harness.host, dt, &mut self.trace);
        self.tick += 1;
        self.seen.answers.clear();
        self.note();
        let behaviour = self.harness.population.program().behaviour();
        self.seen.root = self.trace.root(behaviour, 0);
        self.judge_rules(conditions)
    }

    /// Notes what the trace says.
    fn note(&mut self) {
        let program = Arc::clone(self.harness.population.program());
        let behaviour = program.behaviour();
        for (node, event) in self.trace.agent(0) {
            self.plans.note(behaviour, node, event);
            match event {
                Event::Tick(status) => {
                    self.seen.ticked.insert(node);
                    self.seen.answers.insert(node, status);
                }
                Event::Start => {
                    self.seen.ticked.insert(node);
                    self.seen.started.insert(node);
                }
                Event::Stop(outcome) => self.seen.stopped.push((node, outcome)),
                Event::Fire(number) => {
                    if let Kind::Rules { rules, .. } = &behaviour.node(node).kind {
                        let name = &rules[number as usize].name;
                        self.seen.fired.insert(name.clone());
                    }
                }
                _ => {}
            }
        }
        self.seen.open = self.harness.population.open(0, self.trace.agent(0));
        self.covered.note(&self.trace, behaviour);
        for message in self.harness.host.take_messages() {
            if let Some(leaf) = behaviour.node(message.node).kind.leaf() {
                self.seen.emitted.push(behaviour.leaf(leaf).name.clone());
            }
        }
        let tick = self.tick;
        let faults = self.harness.population.take_faults();
        let told = faults.iter().map(|fault| {
            let text = format!("{}: {}", behaviour.label(fault.node), fault.kind);
            (tick, text)
        });
        self.seen.faults.extend(told);
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn judge_rules(&mut self, conditions: &mut Conditions) -> Result<(), Box<Failure>> {
        let test = self.test;
        for (index, rule) in test.rules.iter().enumerate() {
            let (condition, within) = match &rule.kind {
                RuleKind::Never(names) => {
                    let is_seen = |name: &&String| self.did(name);
                    if let Some(name) = names.iter().find(is_seen) {
                        let wanted = said!("{} never runs", quoted(name));
                        let got = said!("it ran in tick {}", self.tick);
                        return Err(self.failure(&rule.span, wanted, got));
                    }
                    continue;
                }
                RuleKind::Always(condition) => (condition, None),
                RuleKind::Eventually(condition, within) => (condition, Some(*within)),
                _ => treemind_core::unlisted(&rule.kind),
            };
            if within.is_some() && self.met[index] {
                continue;
            }
            let holds = conditions.holds(
                condition,
                &self.harness.population,
                &self.harness.names,
                &self.seen,
            );
            let holds = holds.map_err(|problem| self.problem(&rule.span, problem.into()))?;
            self.met[index] |= holds;
            let is_over = within.is_none_or(|within| self.tick >= within);
            if !holds && is_over {
                let wanted = match within {
                    Some(within) => within_ticks(condition, within),
                    None => said!("{} after every tick", quoted(&condition.text)),
                };
                let got = self.values_of(condition, conditions);
                return Err(self.failure(&rule.span, wanted, got));
            }
        }
        Ok(())
    }

    /// Whether a node ran or a state is active in this tick.
    fn did(&self, name: &str) -> bool {
        let mut nodes = self.harness.names.nodes(name).iter();
        nodes.any(|node| self.seen.answers.contains_key(node))
            || self
                .seen
                .is_active(name, &self.harness.names, &self.harness.population)
    }

    /// The values that decided a condition.
    pub(crate) fn values_of(&self, condition: &Condition, conditions: &Conditions) -> Said {
        let values = conditions.values(condition, &self.harness.population);
        let running = self.running();
        match values.is_empty() {
            true => running,
            false => said!("{}; {}", values.join(", "), running),
        }
    }

    /// What is running, in a sentence.
    pub(crate) fn running(&self) -> Said {
        let behaviour = self.behaviour();
        let mut names: Vec<String> = Vec::new();
        for node in behaviour.node_ids() {
            let is_named = behaviour.node(node).name.is_some()
                || matches!(behaviour.node(node).kind, Kind::Action { .. });
            if is_named && self.seen.is_running(node) {
                names.push(quoted(behaviour.label(node)));
            }
        }
        let states = self.harness.names.paths().iter();
        let active =
            states.filter(|(machine, state, _)| self.harness.population.is_in(0, *machine, *state));
        let active: Vec<&String> = active.map(|(.., path)| path).collect();
        let is_innermost = |path: &&&String| {
            let inner = format!("{path}.");
            !active.iter().any(|other| other.starts_with(&inner))
        };
        names.extend(active.iter().filter(is_innermost).map(|path| quoted(path)));
        match &names[..] {
            [] => said!("{} is running", said!("nothing")),
            [one] => said!("{} is running", one),
            _ => said!("{} are running", names.join(", ")),
        }
    }

    /// What must be so at the end of a test.
    pub(crate) fn judge_end(&self) -> Result<(), Box<Failure>> {
        for (rule, is_met) in self.test.rules.iter().zip(&self.met) {
            if let (RuleKind::Eventually(condition, within), false) = (&rule.kind, is_met) {
                let wanted = within_ticks(condition, *within);
                let got = match self.tick {
                    1 => said!("the test ends after 1 tick"),
                    ticks => said!("the test ends after {} ticks", ticks),
                };
                let mut failure = self.failure(&rule.span, wanted, got);
                failure.cause = Cause::End(self.tick);
                return Err(failure);
            }
        }
        self.no_faults(&self.test.span)
    }

    pub(crate) fn no_faults(&self, span: &Range<usize>) -> Result<(), Box<Failure>> {
        match self.seen.faults.first() {
            Some((tick, fault)) => {
                let got = said!("a fault in tick {}: {}", *tick, fault);
                let mut failure = self.failure(span, said!("no fault"), got);
                failure.cause = Cause::Fault(fault.into());
                Err(failure)
            }
            None => Ok(()),
        }
    }

    pub(crate) fn problem(&self, span: &Range<usize>, problem: Said) -> Box<Failure> {
        let wanted = said!("a step that can be carried out");
        let mut failure = self.failure(span, wanted, problem.clone());
        failure.cause = Cause::Fault(problem);
        failure
    }

    pub(crate) fn failure(&self, span: &Range<usize>, expected: Said, got: Said) -> Box<Failure> {
        let at = line_of(self.test, span.start);
        let mut failure = Box::new(Failure::new(at, expected, got));
        (failure.tick, failure.tree) = (self.tick, self.tree());
        failure
    }

    /// The tree with the answers of the last tick, and what machines did in it.
    fn tree(&self) -> String {
        let mut did = HashMap::new();
        for (node, event) in self.trace.agent(0) {
            let (about, mark) = match event {
                Event::Take(number) => (About::Transition(node, number as usize), "TAKEN"),
                Event::EnterState(state) => (About::State(node, state as usize), "ENTERED"),
                Event::LeaveState(state) => (About::State(node, state as usize), "LEFT"),
                _ => continue,
            };
            did.insert(about, mark);
        }
        marked_outline(self.behaviour(), |about| {
            let otherwise = || match about {
                About::Node(node) => match self.seen.answers.get(&node) {
                    Some(Status::Skipped) | None if self.seen.is_running(node) => "OPEN",
                    answer => answer.map_or("", |one| one.as_str()),
                },
                About::State(machine, state)
                    if self.harness.population.is_in(0, machine, state) =>
                {
                    "ACTIVE"
                }
                _ => "",
            };
            let mark = did.get(&about).copied().unwrap_or_else(otherwise);
            Some((mark, String::new()))
        })
    }
}
