//! `treemind trace`: plays a tree with leaves that answer from a script.

mod asked;
pub(crate) mod json;
mod lists;
mod log;
mod script;

pub(crate) use script::{ScriptProblem, host, scripted};

use super::profile;
use crate::io::{self, Failure, Line, Output, Selection};
use crate::numbers::{positive, ticks, whole};
use crate::spoken::Spoken;
use clap::ValueEnum;
use json::{candidate_json, event_json, fault_json, lower, tells};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Echo, Scripted};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Population, Program, Status};
use treemind_doc::testing::Action;
use treemind_doc::{Diagnostic, Document, Severity, visible_line};
use treemind_explain::{Before, Candidate, Explainer, transition_line};
use treemind_learn::Profile;
use treemind_test::{Harness, Played};

/// Play a tree or a machine whose leaves answer from a script, and print what happens.
///
/// A script takes the place of a game. Its lines have the form `NAME: ANSWERS`, for instance `see-enemy: F F S`: S is
/// success, F failure, R running and K skipped, one answer per call, and the last one repeats. NAME is the name of a
/// node or, if it has none, of its leaf. Leaves without a line answer success. `#` begins a comment.
///
/// The plain trace has one line per tick: its number, the answer of the root, the answers of conditions and actions
/// (`tick NAME STATUS`), the actions that were aborted (`halt NAME`), and the active states of state machines (`state
/// NAME STATES`). An action named `Echo` always succeeds and prints its parameter `in` (`echo NAME VALUE`). Logs and
/// events go to standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: Selection,
    /// The script; `-` is standard input. Without it every leaf answers success.
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Play what happens in a test of the document, or in one case of its table: answers, keys, events, ticks and
    /// aborts.
    ///
    /// NAME is its name or a part of it. What the test expects is not checked; `treemind test` does that.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["script", "tree", "machine", "decide", "planner", "archetype"])]
    test: Option<String>,
    /// Which try of a test with `random` to play, from 1.
    #[arg(long = "try", value_name = "N", default_value_t = 1, value_parser = positive, requires = "test")]
    attempt: u64,
    /// How many ticks to play. A test has its own number of ticks; this is then the maximum.
    #[arg(long, value_name = "N", value_parser = ticks, required_unless_present = "test")]
    ticks: Option<u64>,
    /// The time from tick to tick, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = seconds, allow_hyphen_values = true, conflicts_with = "test")]
    dt: Duration,
    /// The seed of all random numbers: the same seed gives the same trace.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole, conflicts_with = "test")]
    seed: u64,
    /// Abort everything after this tick. Can be repeated.
    #[arg(long, value_name = "TICK", value_parser = positive)]
    halt_at: Vec<u64>,
    /// Also show, for each transition of an active state, whether it was taken and if not, why.
    #[arg(long)]
    why: bool,
    /// Write a profile to this file: how often each test of a decision tree was asked, and what it answered.
    #[arg(long, value_name = "JSON")]
    profile: Option<PathBuf>,
    /// The format of the trace.
    #[arg(long, value_enum, default_value_t = Format::Plain)]
    format: Format,
    #[command(flatten)]
    spoken: Spoken,
}

const AFTER: &str = "\
Examples:
  printf 'see-enemy: F F S\\nattack: R\\n' > day.txt
  treemind trace guard.kdl --script day.txt --ticks 5
  treemind trace guard.kdl --script day.txt --ticks 5 --halt-at 3
  treemind trace guard.kdl --script day.txt --ticks 5 --format log
  treemind trace guard.kdl --script day.txt --ticks 5 --format reasons
  treemind trace guard.kdl --script day.txt --ticks 5 --format json | jq
  treemind trace guard.kdl --test 'attacks an enemy' --format reasons
  treemind trace examples/08-hunter/hunter.kdl --archetype elf-archer --ticks 5
  treemind trace examples/03-boss/boss.kdl --machine boss --ticks 5 --why
  cd examples/09-watchman
  treemind trace watchman.kdl --script night.txt --ticks 99 --profile night.json";

/// How events are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per tick with the answers of leaves.
    Plain,
    /// For each tick, the part of the tree that was reached: the answer of each node, and the values behind it.
    Log,
    /// One JSON object per line and tick, with all events of all nodes.
    Json,
    /// For each tick in which something began, ended or changed: what the agent does and why, in sentences.
    Reasons,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let secs: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    if !secs.is_finite() {
        return Err("not a finite number of seconds".to_owned());
    }
    if secs < 0.0 {
        return Err("time cannot run backwards".to_owned());
    }
    Duration::try_from_secs_f64(secs).map_err(|error| error.to_string())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([
        Some(&args.file),
        args.script.as_ref(),
        args.what.manifest.as_ref(),
    ])?;
    let document = io::sound_document(&args.file, args.what.known())?;
    // What a test expects is not asked here, so it may expect nothing yet.
    let is_mistake = |one: &Diagnostic| one.severity() == Severity::Error && !one.expects_nothing();
    if args.test.is_some()
        && document.diagnostics().iter().any(is_mistake)
        && let Err(found) = document.ok_with_tests()
    {
        io::show(&found);
        return Err(Failure::Reported);
    }
    let test = match &args.test {
        Some(name) => Some(named_test(&document, name)?),
        None => None,
    };
    let behaviour = match &test {
        Some(played) => behaviour_of_test(&document, played)?,
        None => io::behaviour_of(&document, &args.what)?,
    };
    for late in args
        .halt_at
        .iter()
        .filter(|tick| args.ticks.is_some_and(|last| **tick > last))
    {
        io::tell(Line::warning(&format!(
            "`--halt-at {late}` is after the last tick, {}",
            args.ticks.unwrap_or_default()
        )));
    }
    let mut play = match &test {
        Some(played) => Play::of_test(behaviour, played, args),
        None => {
            let host = host(&behaviour, args.script.as_deref(), false)?;
            Play::new(behaviour, host, args)
        }
    };
    play.format = document.format();
    let profile = args.profile.as_deref();
    let profile = profile.map(|path| Output::claim("--profile", path));
    let profile = profile.transpose()?;
    let printed = match args.format {
        Format::Json if profile.is_some() => io::print_exact_to_the_end(|out| play.run(out)),
        Format::Json => io::print_exact(|out| play.run(out)),
        _ if profile.is_some() => io::print_shown_to_the_end(|out| play.run(out)),
        _ => io::print_shown(|out| play.run(out)),
    };
    let profiled = match (&profile, &play.profile) {
        (Some(output), Some(known)) => profile::write(output, known),
        _ => Ok(()),
    };
    io::finish_all([printed, profiled])
}

/// The only test or case with this name.
fn named_test<'d>(document: &'d Document, name: &str) -> Result<Played<'d>, Failure> {
    let mut found = Played::named(document, name);
    let listed = |all: &[Played<'_>]| {
        let names = all
            .iter()
            .map(|one| format!("\n  {}", visible_line(&one.name)));
        names.take(MOST_LISTED).collect::<String>()
    };
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let all = Played::named(document, "");
            let help = match all.is_empty() {
                true => "the document has no tests".to_owned(),
                false => format!("its tests are:{}", listed(&all)),
            };
            Err(Failure::failed(format!(
                "no test is named `{name}`; {help}"
            )))
        }
        count => Err(Failure::failed(format!(
            "`{name}` is in the names of {count} tests:{}",
            listed(&found)
        ))),
    }
}

/// How many names of tests a message lists.
const MOST_LISTED: usize = 20;

fn behaviour_of_test(document: &Document, played: &Played<'_>) -> Result<Behaviour, Failure> {
    document.behaviour_of_test(played.test).map_err(|refusal| {
        io::show(&refusal);
        Failure::Reported
    })
}

/// One agent during its ticks.
struct Play<'a> {
    args: &'a Args,
    harness: Harness,
    /// What happens, in order.
    actions: Vec<Action>,
    dt: Duration,
    trace: Trace,
    /// What the document is written in.
    format: treemind_doc::Format,
    /// The echoes of this tick that have not been printed yet.
    echoes: VecDeque<Echo>,
    /// With `--why`: what happened to the transitions in this tick.
    candidates: Option<Vec<Candidate>>,
    /// With `--format reasons`: what explains the ticks.
    explainer: Option<Explainer>,
    /// With `--profile`: which tests were asked.
    profile: Option<Profile>,
    /// With `--format log`: what lists held before the tick.
    lists: lists::Items,
}

impl<'a> Play<'a> {
    fn new(behaviour: Behaviour, host: Scripted, args: &'a Args) -> Self {
        let profile = args.profile.is_some().then(|| Profile::of(&behaviour));
        let program = Arc::new(Program::new(behaviour));
        let harness = Harness::with_host(&program, args.seed, host);
        let actions = vec![Action::Tick(args.ticks.unwrap_or_default(), None)];
        Self::on(harness, (actions, args.dt), profile, args)
    }

    /// What happens in a test.
    fn of_test(behaviour: Behaviour, played: &Played<'_>, args: &'a Args) -> Self {
        let profile = args.profile.is_some().then(|| Profile::of(&behaviour));
        let program = Arc::new(Program::new(behaviour));
        let harness = Harness::new(&program, played.test.seed);
        let actions = played.actions(args.attempt - 1);
        let dt = Duration::from_secs_f64(played.test.dt);
        let play = Self::on(harness, (actions, dt), profile, args);
        Self {
            explainer: play.explainer.map(|explainer| explainer.of_test(true)),
            ..play
        }
    }

    fn on(
        harness: Harness,
        (actions, dt): (Vec<Action>, Duration),
        profile: Option<Profile>,
        args: &'a Args,
    ) -> Self {
        let explains = args.format == Format::Reasons;
        Self {
            explainer: explains.then(|| Explainer::new(&harness.population, 0)),
            args,
            harness,
            actions,
            dt,
            trace: match args.format {
                Format::Plain => Trace::new(),
                Format::Log | Format::Json | Format::Reasons => Trace::with_values(),
            },
            format: treemind_doc::Format::default(),
            echoes: VecDeque::new(),
            candidates: None,
            profile,
            lists: lists::Items::new(),
        }
    }

    fn run(&mut self, out: &mut dyn Write) -> std::io::Result<()> {
        let halts: BTreeSet<u64> = self.args.halt_at.iter().copied().collect();
        let mut tick = 0;
        for action in std::mem::take(&mut self.actions) {
            match action {
                Action::Tick(times, dt) => {
                    let dt = dt.map_or(self.dt, Duration::from_secs_f64);
                    for _ in 0..times {
                        if self.args.ticks.is_some_and(|last| tick == last) {
                            return Ok(());
                        }
                        tick += 1;
                        self.tick(tick, dt, out)?;
                        if halts.contains(&tick) {
                            self.halt(tick, out)?;
                        }
                    }
                }
                Action::Abort => self.halt(tick, out)?,
                other => {
                    if let Err(problem) = self.harness.act(&other) {
                        io::tell(Line::warning(&format!("after tick {tick}: {problem}")));
                    }
                }
            }
        }
        Ok(())
    }

    fn tick(&mut self, tick: u64, dt: Duration, out: &mut dyn Write) -> std::io::Result<()> {
        self.trace.clear();
        let Harness {
            population, host, ..
        } = &mut self.harness;
        let before = self.args.why.then(|| Before::look(population, 0));
        if self.args.format == Format::Log {
            self.lists = lists::items(population, 0);
        }
        if let Some(explainer) = &mut self.explainer {
            explainer.before_tick(population);
        }
        population.tick_traced(host, dt, &mut self.trace);
        if let Some(explainer) = &mut self.explainer {
            explainer.after_tick(population, &self.trace);
        }
        if let Some(profile) = &mut self.profile {
            profile.record(population.program().behaviour(), &self.trace);
        }
        self.echoes = host.take_echoes().into();
        let explain = |before: Before| before.explain(population, &self.trace, 0);
        self.candidates = before.map(explain);
        self.print(tick, false, out)
    }

    /// Aborts everything after a tick.
    fn halt(&mut self, tick: u64, out: &mut dyn Write) -> std::io::Result<()> {
        self.trace.clear();
        self.candidates = None;
        let Harness {
            population, host, ..
        } = &mut self.harness;
        self.lists = lists::items(population, 0);
        population.abort_all_traced(host, &mut self.trace);
        // What cleans up after an abort may be an `Echo`.
        self.echoes = host.take_echoes().into();
        self.print(tick, true, out)
    }

    /// Prints the line of a tick, or of what was aborted after it.
    fn print(&mut self, tick: u64, halted: bool, out: &mut dyn Write) -> std::io::Result<()> {
        let faults = self.harness.population.take_faults();
        let messages = self.harness.host.take_messages();
        let behaviour = self.harness.population.program().behaviour();
        let root = self.trace.root(behaviour, 0);
        if root.is_none() && !halted && self.harness.population.interval(0) > 1 {
            return Ok(()); // It was not due.
        }
        let (echoes, format) = (&mut self.echoes, self.format);
        let mut echo = |node, status| echo(echoes, behaviour, format, (node, status));
        match self.args.format {
            Format::Plain => {
                for message in &messages {
                    let word = behaviour.node(message.node).kind.keyword();
                    let text = visible_line(&message.text);
                    io::tell(format!("{word}: tick {tick}: {text}"));
                }
                for fault in &faults {
                    let label = behaviour.word(fault.node);
                    let sentence = format!("tick {tick}: {label}: {}", fault.kind);
                    io::tell(Line::fault(&sentence));
                }
                let head = match root {
                    _ if halted => "HALTTREE",
                    Some(status) => status.as_str(),
                    None => "SKIPPED",
                };
                let mut line = self.trace.plain_line_with(behaviour, 0, tick, head, echo);
                for states in states(&self.harness.population, &self.trace) {
                    line += if line.contains(" | ") { "; " } else { " | " };
                    line += &states;
                }
                writeln!(out, "{}", visible_line(&line))?;
                for candidate in self.candidates.iter().flatten() {
                    let line = transition_line(behaviour, candidate);
                    writeln!(out, "    {}", visible_line(&line))?;
                }
                Ok(())
            }
            Format::Log => {
                let head = match root {
                    _ if halted => format!("tick {tick}, aborted"),
                    Some(status) => format!("tick {tick}: {status}"),
                    None => format!("tick {tick}: SKIPPED"),
                };
                let texts = messages.iter().map(|message| message.text.clone());
                let faults = faults.kept().iter().map(|fault| fault.kind.clone());
                let before = std::mem::take(&mut self.lists);
                let lists = lists::Lists::new((&self.harness.population, 0), before, &self.trace);
                let mut log = log::Log::new(behaviour, faults.collect(), texts.collect(), lists);
                for (node, event, value) in self.trace.valued(0) {
                    let echo = match event {
                        Event::Tick(status) => echo(node, status),
                        _ => None,
                    };
                    log.note((node, event, value), echo);
                }
                write!(
                    out,
                    "{}",
                    log.text(&head, |machine, state| {
                        self.harness.population.is_in(0, machine, state)
                    })
                )?;
                for candidate in self.candidates.iter().flatten() {
                    let line = transition_line(behaviour, candidate);
                    writeln!(out, "    {}", visible_line(&line))?;
                }
                Ok(())
            }
            Format::Reasons => {
                let Some(explainer) = self.explainer.as_ref().filter(|_| !halted) else {
                    return Ok(());
                };
                let language = self.args.spoken.language();
                let explanation = explainer.explain_in(&self.harness.population, language);
                if tick == 1 || explanation.has_changed {
                    writeln!(out, "{explanation}")?;
                }
                Ok(())
            }
            Format::Json => {
                let mut faults = faults.kept().iter();
                let mut messages = messages.iter();
                let events = self.trace.valued(0).map(|(node, event, value)| {
                    let text = match event {
                        Event::Fault => faults.next().map(|fault| fault.kind.to_string()),
                        Event::Tick(Status::Success) if tells(behaviour, node) => {
                            messages.next().map(|message| message.text.clone())
                        }
                        Event::Tick(status) => echo(node, status),
                        _ => None,
                    };
                    event_json(behaviour, (node, event, value), text)
                });
                let mut events: Vec<Value> = events.collect();
                // Faults at the end of a tick, such as an event that was lost, have no event in the trace.
                events.extend(faults.map(|fault| fault_json(behaviour, fault)));
                let mut line = Map::new();
                line.insert("tick".to_owned(), tick.into());
                if halted {
                    line.insert("halted".to_owned(), true.into());
                } else {
                    line.insert("status".to_owned(), root.map(lower).into());
                }
                line.insert("events".to_owned(), events.into());
                if let Some(candidates) = &self.candidates {
                    let candidates = candidates.iter();
                    let told = candidates.map(|candidate| candidate_json(behaviour, candidate));
                    line.insert("candidates".to_owned(), told.collect());
                }
                writeln!(out, "{}", Value::Object(line))
            }
        }
    }
}

/// The active states of each machine that was ticked: `state robot on-duty/search`; the states of parallel regions
/// are joined with `+`.
fn states(population: &Population, trace: &Trace) -> Vec<String> {
    let behaviour = population.program().behaviour();
    let is_ticked = |node| {
        let mut events = trace.agent(0);
        events.any(|(at, event)| at == node && matches!(event, Event::Tick(_)))
    };
    let of = |node| {
        let Kind::Machine(machine) = &behaviour.node(node).kind else {
            return None;
        };
        let is_in = |state: &usize| population.is_in(0, node, *state);
        // State 0 is the machine itself, which is not part of a path.
        let active: Vec<usize> = (1..machine.states.len()).filter(is_in).collect();
        let is_innermost = |state: &&usize| {
            let mut parents = active.iter().map(|inner| machine.states[*inner].parent);
            parents.all(|parent| parent != Some(**state))
        };
        let innermost = active.iter().filter(is_innermost);
        let paths = innermost.map(|state| machine.path(*state).join("/"));
        let paths: Vec<String> = paths.collect();
        let label = behaviour.label(node);
        let is_told = !paths.is_empty() && is_ticked(node);
        is_told.then(|| format!("state {label} {}", paths.join("+")))
    };
    behaviour.node_ids().filter_map(of).collect()
}

/// The value given to an `Echo`, at its next answer.
fn echo(
    echoes: &mut VecDeque<Echo>,
    behaviour: &Behaviour,
    format: treemind_doc::Format,
    (node, status): (NodeId, Status),
) -> Option<String> {
    let is_next = echoes.front().is_some_and(|echo| echo.node == node);
    if status != Status::Success || !is_next {
        return None;
    }
    let Some(value) = echoes.pop_front()?.value else {
        return Some("(unset)".to_owned());
    };
    Some(match (value, format) {
        (treemind_core::Value::Text(text), _) => text.as_str().to_owned(),
        // Formatted like the numbers of BehaviorTree.CPP.
        (treemind_core::Value::Double(double), treemind_doc::Format::BtCpp) => {
            format!("{double:.6}")
        }
        (value, _) => behaviour.display_value(value),
    })
}
