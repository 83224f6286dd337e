//! Scenarios that define, as text, what nodes do. They are read here, and run by the executor and by the reference.
//!
//! A file `conformance/NAME.scenarios` holds scenarios one after the other:
//!
//! ```text
//! # A line that begins with `#` is a comment.
//! scenario A sequence goes on with the next child in the tick in which a child succeeded
//! tree:
//!     sequence {
//!         action a
//!         action b
//!     }
//! script:
//!     a: R S
//! run: ticks=2 dt=0.5 halt-at=2
//! expect:
//!     1 RUNNING | tick a RUNNING
//!     2 SUCCESS | tick a SUCCESS; tick b SUCCESS
//!     2 HALTTREE
//! ```
//!
//! Sections: `tree:` is KDL. Its conditions and actions are declared by their use, unless a section `leaves:` declares
//! them (with parameters, or as instant). `keys:` declares keys as in a `blackboard`, `group:` and `world:` declare
//! shared keys, and `trees:` holds other complete trees. `script:` gives answers, one per call, and the last one
//! repeats; leaves that are not listed answer success; a line that no call uses is an error. `readings:` gives values
//! to sensed keys in the same way, with `-` for a sensor that writes nothing; a key that is not listed keeps its
//! default. It also says what leaves of the kind `candidates` list, `spots: 0,0 3,4`, and the numbers of a `measure`, one
//! for each candidate by its place; the last one repeats. `run:` takes `ticks=`, and optionally `dt=` (seconds, 0.1), `seed=` (0), `turns=` (how often the loops of
//! an agent may go back in one tick, if not the default), and any number of `halt-at=` and `every=` (agents are ticked
//! in every so many ticks only; `every=4@1` is about agent 1). `expect:` is the plain trace. `faults:` lists the
//! faults, each with its tick and node; without it there must be none. `told:` lists the logs and events, each with its
//! tick. `ends:` lists the values after the last tick of the keys that the scenario is about. `calls:` lists, tick by
//! tick, the runs of actions and own nodes that began or ended, and the services that were called; without it they are
//! not compared. `values:` lists, tick by tick, what a trace with values has in addition; without it that is not
//! compared here.
//!
//! Own nodes of the host (`node NAME`, a composite unless `leaves:` declares `decorator NAME`) follow `own:`:
//!
//! ```text
//! own:
//!     pick: tick 0, tick 1, same; halt 0, R
//! ```
//!
//! These are their moves in the first visit and, after a semicolon, in the next; the last list repeats. `tick 0`
//! ticks the first child, `halt 0` aborts what is open in it, `S`, `F`, `R` and `K` are answers, `same` is the
//! answer of the child ticked last, `again` starts the visit's moves from the first, and the end of a list means R.
//! A node that is not listed has the moves `tick 0, same`. Asking for something that does not exist is a fault.
//!
//! Actions that `leaves:` declares with `reports=#true` run until `finish:` reports their end, with the number of
//! the tick after which it is reported, and `success` or `failure`: `2 walk success`. In `calls:` that is `2 finish
//! walk`, or `2 finish in vain walk` when no such run was open.
//!
//! With `agents=3` in `run:` there are three agents, which can interfere with one another; each line of `expect:`,
//! `calls:` and `faults:` then names its agent, as in `1 @0 RUNNING | tick a RUNNING`. `a@1: R S` in `script:`, `2
//! walk@1 success` and `halt-at=2@1` apply to that agent only. Without `agents=` the executor plays the scenario
//! once with one agent, and once with 65 that all do the same.
//!
//! Several programs in one world follow `program NAME:`, each with the sections that are its own, from `leaves:` to
//! `finish:`; `program medic: agents=2` has two agents. They join a society in this order. Lines then name the program,
//! too: `1 medic@0 RUNNING | tick heal RUNNING`; and so do keys in `ends:`, `medic.seen = 3`. `program medic: budget=2`
//! ticks at most two agents in each tick. `asks:` of a program says what a leaf asks for when it is called in a tick:
//! `leave@1: 3 remove`, `leave: 3 group 2`, `call: 3 spawn medic`. `host:` says what the host does after a tick: `2
//! spawn medic`, `2 remove medic@0`, `2 group medic@0 3`, and `2 send noise volume=3 to world`, `to group 3` or `to
//! medic@0`.
//!
//! With `UPDATE_EXPECTED=1` the tests rewrite `expect:`, `told:`, `faults:` and `ends:`, from the reference alone;
//! check the result by hand against `docs/semantics.md` before you commit it.

mod asked;
mod document;
mod executor;
mod life;
mod play;
mod script;
mod show;
mod wishes;

pub use document::{behaviour_of, document_of, load};
pub use executor::play_executor;
pub use play::{Played, check, play_reference};

use std::time::Duration;

/// One scenario of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// What it shows, as a sentence.
    pub title: String,
    /// The number of its first line in the file, from 1.
    pub line: usize,
    /// The body of the tree.
    pub tree: String,
    /// Other complete trees of the document.
    pub trees: String,
    /// Keys, as in a `blackboard`.
    pub keys: String,
    /// Keys that groups share.
    pub group: String,
    /// Keys that all agents share.
    pub world: String,
    /// Declarations of leaves that are not declared by their use, as in `leaves`.
    pub leaves: String,
    /// The script's lines.
    pub script: Vec<String>,
    /// The values of sensed keys, one line each.
    pub readings: Vec<String>,
    /// The number of ticks.
    pub ticks: u64,
    /// How far the clock advances in each tick.
    pub dt: Duration,
    /// The population's seed.
    pub seed: u64,
    /// How often the loops of an agent may go back in one tick, if not the default.
    pub max_turns: Option<u32>,
    /// The ticks after which the whole tree is aborted.
    pub halts: Vec<Halt>,
    /// In every how many ticks agents are ticked: all agents, or one.
    pub intervals: Vec<(Option<usize>, u32)>,
    /// How many agents there are, if it matters.
    pub agents: Option<usize>,
    /// The moves of own nodes.
    pub own: Vec<String>,
    /// When the host reports the ends of actions.
    pub finish: Vec<String>,
    /// What leaves ask for when they are called.
    pub asks: Vec<String>,
    /// What the host does between two ticks.
    pub host: Vec<String>,
    /// How many agents are ticked at most in a tick.
    pub budget: Option<usize>,
    /// Whether agents come and go.
    pub may_change: bool,
    /// The expected calls.
    pub calls: Vec<String>,
    /// What is expected of a trace with values.
    pub values: Vec<String>,
    /// The expected plain trace.
    pub expect: Vec<String>,
    /// The expected logs and events.
    pub told: Vec<String>,
    /// The expected faults.
    pub faults: Vec<String>,
    /// The expected values of keys in the end.
    pub ends: Vec<String>,
    /// The programs, if there are several: each with its name, and with what it has for itself.
    pub programs: Vec<(String, Scenario)>,
}

/// An abort from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The tick after which it happens.
    pub tick: u64,
    /// The agent; `None` for all agents.
    pub agent: Option<usize>,
}

impl Scenario {
    /// Calls `set` with each agent below `agents` that is given an interval, and with the interval.
    fn for_each_interval(&self, agents: usize, mut set: impl FnMut(usize, u32)) {
        for &(agent, ticks) in &self.intervals {
            (agent.map_or(0..agents, |agent| agent..agent + 1)).for_each(|agent| set(agent, ticks));
        }
    }

    /// How many agents the scenario is about.
    pub fn number_of_agents(&self) -> usize {
        self.agents.unwrap_or(1)
    }

    /// For how many agents there is room, with those who may be born.
    fn shown_agents(&self) -> usize {
        const NEWBORNS: usize = 8;
        self.number_of_agents() + if self.may_change { NEWBORNS } else { 0 }
    }

    /// Whether agents need not be ticked in each tick.
    fn may_rest(&self) -> bool {
        self.may_change || self.budget.is_some() || !self.intervals.is_empty()
    }

    /// The programs with their names, each as a scenario: one without a name, or several.
    pub fn parts(&self) -> Vec<(String, Scenario)> {
        if self.programs.is_empty() {
            return vec![(String::new(), self.clone())];
        }
        let mut programs = self.programs.iter();
        let may_change =
            !self.host.is_empty() || programs.any(|(_, program)| !program.asks.is_empty());
        let parts = self.programs.iter().map(|(name, program)| {
            let own = |line: &String| Some(line.strip_prefix(&format!("{name}."))?.to_owned());
            let part = Scenario {
                line: self.line,
                ticks: self.ticks,
                dt: self.dt,
                seed: self.seed,
                max_turns: self.max_turns,
                calls: self.calls.clone(),
                values: self.values.clone(),
                ends: self.ends.iter().filter_map(own).collect(),
                may_change,
                ..program.clone()
            };
            (name.clone(), part)
        });
        parts.collect()
    }
}

/// The sections in the order in which they are written.
const SECTIONS: [&str; 19] = [
    "leaves", "keys", "group", "world", "trees", "tree", "script", "own", "readings", "finish",
    "asks", "host", "run", "expect", "calls", "values", "told", "faults", "ends",
];

/// How many of them are those of a program.
const PROGRAM_SECTIONS: usize = 11;

/// Reads a file.
///
/// # Errors
/// The first error, with its line: an unknown or repeated section, a missing one, a bad number, or no scenario at all.
pub fn parse(text: &str) -> Result<Vec<Scenario>, String> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut section = None;
    let mut seen: Vec<&str> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |what: String| format!("line {}: {what}", index + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix("scenario ") {
            if let Some(last) = scenarios.last() {
                check_complete(last).map_err(at)?;
            }
            scenarios.push(Scenario {
                title: title.trim().to_owned(),
                line: index + 1,
                dt: Duration::from_millis(100),
                ..Scenario::default()
            });
            section = None;
            seen.clear();
            continue;
        }
        let Some(scenario) = scenarios.last_mut() else {
            return Err(at("the file begins with `scenario` and a title".to_owned()));
        };
        if line.starts_with(' ') {
            let name = section.ok_or_else(|| at("a line outside of a section".to_owned()))?;
            let scenario = match scenario.programs.last_mut() {
                Some((_, program)) if SECTIONS[..PROGRAM_SECTIONS].contains(&name) => program,
                _ => scenario,
            };
            add_line(scenario, name, line).map_err(at)?;
            continue;
        }
        let (name, rest) = line
            .split_once(':')
            .ok_or_else(|| at(format!("`{line}` is not a section")))?;
        if let Some(name) = name.strip_prefix("program ") {
            let mut program = Scenario::default();
            read_run(&mut program, rest).map_err(at)?;
            program.agents.get_or_insert(1);
            scenario.programs.push((name.trim().to_owned(), program));
            section = None;
            seen.clear();
            continue;
        }
        let known = SECTIONS.iter().find(|known| **known == name);
        let known = *known.ok_or_else(|| at(format!("there is no section `{name}`")))?;
        if seen.contains(&known) {
            return Err(at(format!("a second section `{name}`")));
        }
        seen.push(known);
        section = Some(known);
        if known == "run" {
            read_run(scenario, rest).map_err(at)?;
        } else if !rest.trim().is_empty() {
            return Err(at(format!(
                "what belongs to `{name}` stands below it, indented"
            )));
        }
    }
    match scenarios.last() {
        Some(last) => check_complete(last).map_err(|what| format!("at the end: {what}"))?,
        None => return Err("there is no scenario in the file".to_owned()),
    }
    Ok(scenarios)
}

fn check_complete(scenario: &Scenario) -> Result<(), String> {
    let Scenario { title, .. } = scenario;
    let mut parts = scenario.parts().into_iter();
    if parts.any(|(_, part)| part.tree.is_empty()) {
        return Err(format!("\"{title}\" has no tree"));
    }
    if !scenario.programs.is_empty() && !scenario.halts.is_empty() {
        return Err(format!(
            "\"{title}\" aborts agents, and has several programs"
        ));
    }
    let is_alone = scenario.programs.is_empty();
    if is_alone
        && !(scenario.asks.is_empty() && scenario.host.is_empty() && scenario.budget.is_none())
    {
        return Err(format!(
            "\"{title}\" has `asks:`, `host:` or `budget=` without `program NAME:`"
        ));
    }
    if scenario.ticks == 0 {
        return Err(format!("\"{title}\" has no ticks"));
    }
    let agents = scenario.number_of_agents();
    let mut halted = scenario.halts.iter().filter_map(|halt| halt.agent);
    if halted.any(|agent| agent >= agents) {
        return Err(format!("\"{title}\" aborts an agent that is not there"));
    }
    for (_, part) in scenario.parts() {
        let agents = part.number_of_agents();
        let mut named = part.intervals.iter().filter_map(|(agent, _)| *agent);
        if named.any(|agent| agent >= agents) {
            return Err(format!(
                "\"{title}\" gives an interval to an agent that is not there"
            ));
        }
    }
    Ok(())
}

fn add_line(scenario: &mut Scenario, section: &str, line: &str) -> Result<(), String> {
    let list = match section {
        "tree" | "trees" | "keys" | "group" | "world" | "leaves" => {
            let text = match section {
                "tree" => &mut scenario.tree,
                "trees" => &mut scenario.trees,
                "keys" => &mut scenario.keys,
                "group" => &mut scenario.group,
                "world" => &mut scenario.world,
                _ => &mut scenario.leaves,
            };
            text.push_str(line);
            text.push('\n');
            return Ok(());
        }
        "script" => &mut scenario.script,
        "own" => &mut scenario.own,
        "finish" => &mut scenario.finish,
        "asks" => &mut scenario.asks,
        "host" => &mut scenario.host,
        "calls" => &mut scenario.calls,
        "values" => &mut scenario.values,
        "readings" => &mut scenario.readings,
        "told" => &mut scenario.told,
        "expect" => &mut scenario.expect,
        "faults" => &mut scenario.faults,
        "ends" => &mut scenario.ends,
        other => return Err(format!("nothing stands below `{other}`")),
    };
    list.push(line.trim().to_owned());
    Ok(())
}

fn read_run(scenario: &mut Scenario, text: &str) -> Result<(), String> {
    for word in text.split_whitespace() {
        let bad = || format!("`{word}` is not a setting of `run`");
        let (name, value) = word.split_once('=').ok_or_else(bad)?;
        let number = || value.parse::<u64>().map_err(|_| bad());
        match name {
            "ticks" => scenario.ticks = number()?,
            "seed" => scenario.seed = number()?,
            "turns" => scenario.max_turns = Some(value.parse().map_err(|_| bad())?),
            "budget" => scenario.budget = Some(value.parse().map_err(|_| bad())?),
            "agents" => {
                let agents = usize::try_from(number()?).map_err(|_| bad())?;
                scenario.agents = Some(agents).filter(|agents| *agents > 0);
            }
            "halt-at" => {
                let (tick, agent) = match value.split_once('@') {
                    Some((tick, agent)) => (tick, Some(agent.parse().map_err(|_| bad())?)),
                    None => (value, None),
                };
                let tick = tick.parse().map_err(|_| bad())?;
                scenario.halts.push(Halt { tick, agent });
            }
            "every" => {
                let (ticks, agent) = match value.split_once('@') {
                    Some((ticks, agent)) => (ticks, Some(agent.parse().map_err(|_| bad())?)),
                    None => (value, None),
                };
                let ticks = ticks.parse().ok().filter(|ticks| *ticks > 0);
                scenario.intervals.push((agent, ticks.ok_or_else(bad)?));
            }
            "dt" => {
                let secs = value.parse::<f64>().map_err(|_| bad())?;
                scenario.dt = Duration::try_from_secs_f64(secs).map_err(|_| bad())?;
            }
            _ => return Err(bad()),
        }
    }
    Ok(())
}

/// The same file with new expectations: for each scenario, in order, what was played.
pub fn updated(text: &str, played: &[Played]) -> String {
    let mut out = String::new();
    let mut skipping = false;
    let mut results = played.iter();
    let mut current: Option<&Played> = None;
    let mut pending_blank = false;
    for line in text.lines() {
        let starts_scenario = line.starts_with("scenario ");
        let name = line.split_once(':').map(|(name, _)| name);
        if starts_scenario {
            flush(&mut out, current.take());
            current = results.next();
            skipping = false;
        } else if matches!(
            name,
            Some("expect" | "calls" | "values" | "told" | "faults" | "ends")
        ) {
            skipping = true;
        } else if line.starts_with('#') {
            flush(&mut out, current.take());
            skipping = false;
        }
        if line.trim().is_empty() {
            pending_blank = true;
            continue;
        }
        if skipping {
            continue;
        }
        if pending_blank && !out.is_empty() {
            out.push('\n');
        }
        pending_blank = false;
        out.push_str(line);
        out.push('\n');
    }
    flush(&mut out, current);
    out
}

fn flush(out: &mut String, played: Option<&Played>) {
    let Some(played) = played else { return };
    let sections = [
        ("expect", &played.trace),
        ("calls", &played.calls),
        ("values", &played.values),
        ("told", &played.told),
        ("faults", &played.faults),
        ("ends", &played.ends),
    ];
    for (name, lines) in sections {
        if lines.is_empty() {
            continue;
        }
        out.push_str(name);
        out.push_str(":\n");
        for line in lines {
            out.push_str("    ");
            out.push_str(line);
            out.push('\n');
        }
    }
}
