//! Plays a scenario, with the executor or with the reference.

use super::Scenario;
use super::script::{Finish, answers_of, finishes_of, readings_of};
use super::show::{calls_line, cell, ends_lines, fault_line, finish_line, head, plain_line};
use super::wishes::{Player, Players, Wishes};
use crate::reference::{Cell, Readings, Reference, count_places, hand_out, settle};
use crate::scripts::Scripts;
use std::sync::Arc;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Event, KeyId, Kind, NodeId, Population, Program, Trace};
use treemind_doc::{Document, Severity};

/// The result of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The plain trace.
    pub trace: Vec<String>,
    /// If the scenario lists them: the runs that began or ended, the calls of services, and the results of
    /// reporting the ends of actions.
    pub calls: Vec<String>,
    /// The logs and events, each with its tick.
    pub told: Vec<String>,
    /// Each fault: its tick, its node, and what it was.
    pub faults: Vec<String>,
    /// The values of the keys that the scenario lists.
    pub ends: Vec<String>,
}

/// Plays a scenario with both sides; returns the differences from what is expected, one paragraph each.
pub fn check(scenario: &Scenario) -> Vec<String> {
    let expected = Played {
        trace: scenario.expect.clone(),
        calls: scenario.calls.clone(),
        told: scenario.told.clone(),
        faults: scenario.faults.clone(),
        ends: scenario.ends.clone(),
    };
    let mut problems = Vec::new();
    for (who, played) in [
        ("reference", play_reference(scenario)),
        ("executor", play_executor(scenario)),
    ] {
        let heading = format!("line {}: {} ({who})", scenario.line, scenario.title);
        match played {
            Err(problem) => problems.push(format!("{heading}\n  {problem}")),
            Ok(played) if played != expected => {
                let show = |name: &str, given: &[String], wanted: &[String]| {
                    if given == wanted {
                        return String::new();
                    }
                    format!(
                        "\n  {name} is\n    {}\n  but was expected to be\n    {}",
                        given.join("\n    "),
                        wanted.join("\n    ")
                    )
                };
                problems.push(format!(
                    "{heading}{}{}{}{}{}",
                    show("the trace", &played.trace, &expected.trace),
                    show("the list of calls", &played.calls, &expected.calls),
                    show("what is told", &played.told, &expected.told),
                    show("the faults", &played.faults, &expected.faults),
                    show("the end", &played.ends, &expected.ends)
                ));
            }
            Ok(_) => {}
        }
    }
    problems
}

/// Plays a scenario with the reference.
///
/// # Errors
/// What is wrong with the scenario: an error in its document, an unknown leaf in its script, or an unused line.
pub fn play_reference(scenario: &Scenario) -> Result<Played, String> {
    let behaviour = behaviour_of(scenario)?;
    let agents = scenario.number_of_agents();
    let mut players = players_of(scenario, &behaviour)?;
    let finishes = finishes_of(scenario, &behaviour)?;
    let readings = readings_of(scenario, &behaviour)?;
    let reference = |agent| {
        let mut reference = Reference::new(&behaviour, scenario.seed, agent as u64);
        for (key, values) in &readings {
            reference.set_readings(*key, Readings::InTurn(values.clone()));
        }
        reference
    };
    let mut references: Vec<Reference<'_>> = (0..agents).map(reference).collect();
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        let mut statuses = Vec::new();
        count_places(&mut references.iter_mut().collect::<Vec<_>>());
        for (reference, player) in references.iter_mut().zip(&mut players) {
            statuses.push(reference.tick(player, scenario.dt));
        }
        let mut all: Vec<_> = references.iter_mut().collect();
        settle(&mut all);
        hand_out(&mut all);
        for (agent, reference) in references.iter().enumerate() {
            let head = head(scenario, agent, statuses[agent].as_str());
            let events = reference.events();
            let line = plain_line(&behaviour, tick, &head, events);
            played.note(scenario, &behaviour, (tick, agent), line, events);
        }
        for finish in finishes.iter().filter(|finish| finish.tick == tick) {
            for agent in agents_of(finish, agents) {
                let is_taken = references[agent].report_end(finish.node, finish.success);
                played.note_finish(scenario, &behaviour, (tick, agent), finish, is_taken);
            }
        }
        for halt in scenario.halts.iter().filter(|halt| halt.tick == tick) {
            let halted = halt.agent.map_or(0..agents, |agent| agent..agent + 1);
            for agent in halted.clone() {
                references[agent].abort(&mut players[agent]);
            }
            settle(&mut references.iter_mut().collect::<Vec<_>>());
            for agent in halted {
                let events = references[agent].events();
                let head = head(scenario, agent, "HALTTREE");
                let line = plain_line(&behaviour, tick, &head, events);
                played.note(scenario, &behaviour, (tick, agent), line, events);
            }
        }
        for (agent, player) in players.iter_mut().enumerate() {
            let told = player.scripts.take_told().into_iter();
            let line = |text: String| format!("{tick} {}", head(scenario, agent, &text));
            played.told.extend(told.map(line));
        }
    }
    for line in answers_of(scenario)? {
        let mut meant = players.iter().enumerate();
        let is_used = meant.any(|(agent, player)| {
            line.agent.is_none_or(|meant| meant == agent) && player.scripts.calls(&line.label) > 0
        });
        if !is_used {
            let label = &line.label;
            return Err(format!("no call uses the script's line for `{label}`"));
        }
    }
    let mut faults: Vec<(u64, usize, String)> = Vec::new();
    for (agent, reference) in references.iter().enumerate() {
        faults.extend(reference.faults().iter().map(|fault| {
            let kind = fault.kind.to_string();
            let what = (fault.node, kind.as_str());
            let line = fault_line(scenario, &behaviour, (fault.tick, agent), what);
            (fault.tick, agent, line)
        }));
    }
    faults.sort_by_key(|(tick, agent, _)| (*tick, *agent));
    played.faults = faults.into_iter().map(|(_, _, line)| line).collect();
    let keys = references[0].keys();
    played.ends = ends_lines(scenario, &behaviour, |index| cell(&behaviour, &keys[index]))?;
    Ok(played)
}

/// The stand-ins for the host of each agent.
fn players_of(scenario: &Scenario, behaviour: &Behaviour) -> Result<Vec<Player>, String> {
    let player = Player {
        scripts: Scripts::new(behaviour),
        wishes: Wishes::new(behaviour, &scenario.own)?,
    };
    let mut players = vec![player; scenario.number_of_agents()];
    for line in answers_of(scenario)? {
        for (agent, player) in players.iter_mut().enumerate() {
            let is_meant = line.agent.is_none_or(|meant| meant == agent);
            if is_meant && !player.scripts.set(&line.label, &line.answers) {
                let label = &line.label;
                return Err(format!(
                    "the script names `{label}`, which is not in the tree"
                ));
            }
        }
    }
    Ok(players)
}

fn agents_of(finish: &Finish, agents: usize) -> std::ops::Range<usize> {
    finish.agent.map_or(0..agents, |agent| agent..agent + 1)
}

impl Played {
    /// Records what an agent did in a tick, or while it was aborted.
    fn note(
        &mut self,
        scenario: &Scenario,
        behaviour: &Behaviour,
        place: (u64, usize),
        line: String,
        events: &[(NodeId, Event)],
    ) {
        self.trace.push(line);
        if !scenario.calls.is_empty() {
            let events = events.iter().copied();
            self.calls
                .extend(calls_line(scenario, behaviour, place, events));
        }
    }

    fn note_finish(
        &mut self,
        scenario: &Scenario,
        behaviour: &Behaviour,
        place: (u64, usize),
        finish: &Finish,
        is_taken: bool,
    ) {
        if !scenario.calls.is_empty() {
            let what = (finish.node, is_taken);
            self.calls
                .push(finish_line(scenario, behaviour, place, what));
        }
    }
}

/// Plays a scenario with the executor. If the scenario does not set the number of agents, and they share nothing,
/// it is played once with a single agent, and once with 65 agents that have the same script.
///
/// # Errors
/// As [`play_reference`]; also when the two results differ.
pub fn play_executor(scenario: &Scenario) -> Result<Played, String> {
    let program = Arc::new(Program::new(behaviour_of(scenario)?));
    let played = play_population(scenario, &program, scenario.number_of_agents())?;
    if scenario.agents.is_some() || is_shared(program.behaviour()) {
        return Ok(played);
    }
    let among = play_population(scenario, &program, 65)?;
    // With many agents not all faults are kept, so they are not compared.
    let lines = |played: &Played| {
        let Played {
            trace,
            calls,
            told,
            ends,
            ..
        } = played.clone();
        [trace, calls, told, ends]
    };
    if lines(&played) != lines(&among) {
        return Err(format!("alone {played:?}, among 65 {among:?}"));
    }
    Ok(played)
}

/// Whether agents can interfere with one another.
fn is_shared(behaviour: &Behaviour) -> bool {
    behaviour.nodes().iter().any(|node| match node.kind {
        Kind::Semaphore { semaphore, .. } => {
            behaviour.semaphores()[semaphore.index()].scope != Scope::Agent
        }
        _ => false,
    })
}

/// Plays this many agents, and records what those agents did that the scenario is about.
fn play_population(
    scenario: &Scenario,
    program: &Arc<Program>,
    agents: usize,
) -> Result<Played, String> {
    let behaviour = program.behaviour();
    let shown = scenario.number_of_agents();
    let mut host = host_of(scenario, behaviour, agents)?;
    let finishes = finishes_of(scenario, behaviour)?;
    let mut population = Population::new(Arc::clone(program), agents).with_seed(scenario.seed);
    let mut trace = Trace::new();
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        population.tick_traced(&mut host, scenario.dt, &mut trace);
        for agent in 0..shown {
            let status = trace.root(behaviour, agent);
            let status = status.ok_or("the root was not ticked")?;
            let head = head(scenario, agent, status.as_str());
            played.note_traced(scenario, &trace, (tick, agent), behaviour, &head);
        }
        for finish in finishes.iter().filter(|finish| finish.tick == tick) {
            for agent in agents_of(finish, agents) {
                let is_taken = population.finish(agent, finish.node, finish.success);
                if agent < shown {
                    played.note_finish(scenario, behaviour, (tick, agent), finish, is_taken);
                }
            }
        }
        for halt in scenario.halts.iter().filter(|halt| halt.tick == tick) {
            match halt.agent {
                Some(agent) => population.abort_traced(&mut host, agent, &mut trace),
                None => population.abort_all_traced(&mut host, &mut trace),
            }
            for agent in halt.agent.map_or(0..shown, |agent| agent..agent + 1) {
                let head = head(scenario, agent, "HALTTREE");
                played.note_traced(scenario, &trace, (tick, agent), behaviour, &head);
            }
        }
        let mut messages = host.scripted.take_messages();
        messages.sort_by_key(|message| message.agent);
        for message in messages.iter().filter(|message| message.agent < shown) {
            let said = head(scenario, message.agent, &message.text);
            played.told.push(format!("{tick} {said}"));
        }
        let faults = population.take_faults();
        for agent in 0..shown {
            let faults = faults.kept().iter().filter(|fault| fault.agent == agent);
            played.faults.extend(faults.map(|fault| {
                let kind = fault.kind.to_string();
                let what = (fault.node, kind.as_str());
                fault_line(scenario, behaviour, (fault.tick, agent), what)
            }));
        }
    }
    played.ends = ends_lines(scenario, behaviour, |index| {
        behaviour.display_held(population.held(0, KeyId::new(index)))
    })?;
    Ok(played)
}

impl Played {
    fn note_traced(
        &mut self,
        scenario: &Scenario,
        trace: &Trace,
        place: (u64, usize),
        behaviour: &Behaviour,
        head: &str,
    ) {
        let (tick, agent) = place;
        let line = trace.plain_line(behaviour, agent, tick, head);
        let events: Vec<(NodeId, Event)> = trace.agent(agent).collect();
        self.note(scenario, behaviour, place, line, &events);
    }
}

fn host_of(scenario: &Scenario, behaviour: &Behaviour, agents: usize) -> Result<Players, String> {
    let mut scripted = Scripted::new(behaviour, agents).listening();
    for (key, values) in readings_of(scenario, behaviour)? {
        let value = |cell: Cell| match cell {
            Cell::One(value) => Some(value),
            Cell::Unset | Cell::List(_) => None,
        };
        let values = values.into_iter().map(|reading| reading.and_then(value));
        scripted.set_sensed(key, &values.collect::<Vec<_>>());
    }
    for line in answers_of(scenario)? {
        match line.agent {
            Some(agent) => scripted.set(agent, &line.label, &line.answers),
            None => scripted.set_all(&line.label, &line.answers),
        };
    }
    let wishes = Wishes::new(behaviour, &scenario.own)?;
    Ok(Players {
        scripted,
        wishes: vec![wishes; agents],
    })
}

/// The document of a scenario, with a manifest made from what the tree uses.
pub fn document_of(scenario: &Scenario) -> String {
    let mut leaves = scenario.leaves.clone();
    for leaf in used_leaves(&format!("{}{}", scenario.trees, scenario.tree)) {
        let is_declared = used_leaves(&leaves).iter().any(|known| known.1 == leaf.1);
        if !is_declared {
            leaves.push_str(&format!("{} {}\n", leaf.0, leaf.1));
        }
    }
    let mut text = "main tree=scenario\n".to_owned();
    for (name, body) in [
        ("blackboard", &scenario.keys),
        ("blackboard scope=group", &scenario.group),
        ("blackboard scope=world", &scenario.world),
        ("leaves", &leaves),
        ("tree scenario", &scenario.tree),
    ] {
        if !body.is_empty() {
            text.push_str(&format!("{name} {{\n{body}}}\n"));
        }
    }
    text.push_str(&scenario.trees);
    text
}

/// The behaviour of a scenario.
///
/// # Errors
/// The errors of its [document](document_of), and the text.
pub fn behaviour_of(scenario: &Scenario) -> Result<Behaviour, String> {
    let text = document_of(scenario);
    let document = Document::parse(&text, "scenario");
    let behaviour = document.behaviour(None).map_err(|_| {
        let errors = document.diagnostics().iter();
        let errors = errors.filter(|diagnostic| diagnostic.severity() == Severity::Error);
        let errors: String = errors.map(|diagnostic| diagnostic.to_plain()).collect();
        format!("{errors}\n{text}")
    })?;
    Ok(match scenario.max_turns {
        Some(max_turns) => behaviour.with_max_turns(max_turns),
        None => behaviour,
    })
}

/// Each leaf of the host that a text names, once: the keyword before it and the name.
fn used_leaves(text: &str) -> Vec<(&str, &str)> {
    let separators = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';');
    let mut words = text.split(separators).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let kind = match word {
            "condition" | "action" | "service" | "composite" | "decorator" => word,
            // Unless declared otherwise, it takes any number of children.
            "node" => "composite",
            _ => continue,
        };
        if let Some(name) = words.next()
            && !found.contains(&(kind, name))
        {
            found.push((kind, name));
        }
    }
    found
}
