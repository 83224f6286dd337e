//! Plays a scenario, with the executor or with the reference.

use super::document::behaviour_of;
use super::script::{Finish, answers_of, finishes_of, readings_of};
use super::show::{
    Part, calls_line, cell, ends_lines, fault_line, finish_line, head, plain_line, values_line,
};
use super::wishes::{Player, Players, Wishes};
use super::{Halt, Scenario};
use crate::reference::{
    Cell, Happening, Readings, Reference, count_agents, count_places, deliver, hand_out, settle,
};
use crate::scripts::Scripts;
use std::sync::Arc;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::{
    Behaviour, Event, Faults, KeyId, Kind, NodeId, Population, Program, Society, Status, Trace,
};

/// The result of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The plain trace.
    pub trace: Vec<String>,
    /// If the scenario lists them: the runs that began or ended, the calls of services, and the results of
    /// reporting the ends of actions.
    pub calls: Vec<String>,
    /// If the scenario lists it: what a trace with values has besides.
    pub values: Vec<String>,
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
        values: scenario.values.clone(),
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
                    "{heading}{}{}{}{}{}{}",
                    show("the trace", &played.trace, &expected.trace),
                    show("the list of calls", &played.calls, &expected.calls),
                    show(
                        "what a trace with values has",
                        &played.values,
                        &expected.values
                    ),
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

/// A program of a scenario, played by the reference.
struct ReferenceSide<'s> {
    part: Part<'s>,
    behaviour: &'s Behaviour,
    references: Vec<Reference<'s>>,
    players: Vec<Player>,
    finishes: Vec<Finish>,
}

impl<'s> ReferenceSide<'s> {
    /// The program with that number of the scenario.
    fn new(number: u64, part: Part<'s>, behaviour: &'s Behaviour) -> Result<Self, String> {
        let (_, scenario) = part;
        let readings = readings_of(scenario, behaviour)?;
        let reference = |agent| {
            // The first agent that lives at this index.
            let handle = number << 52 | (agent as u64) << 24 | 1;
            let mut reference =
                Reference::new(behaviour, scenario.seed, agent as u64).with_handle(handle);
            for (key, values) in &readings {
                reference.set_readings(*key, Readings::InTurn(values.clone()));
            }
            reference
        };
        let mut references: Vec<_> = (0..scenario.number_of_agents()).map(reference).collect();
        scenario.for_each_interval(references.len(), |agent, ticks| {
            references[agent].set_interval(ticks);
        });
        Ok(Self {
            part,
            behaviour,
            references,
            players: players_of(scenario, behaviour)?,
            finishes: finishes_of(scenario, behaviour)?,
        })
    }

    /// Ticks all agents that are due, and returns their answers.
    fn tick(&mut self) -> Vec<Option<Status>> {
        let (_, scenario) = self.part;
        let agents = self.references.iter_mut().zip(&mut self.players);
        agents
            .map(|(reference, player)| reference.tick_if_due(player, scenario.dt))
            .collect()
    }

    /// Records what happened in a tick.
    fn note(&mut self, played: &mut Played, tick: u64, statuses: &[Option<Status>]) {
        for (agent, status) in statuses.iter().enumerate() {
            if let Some(status) = status {
                self.note_agent(played, (tick, agent), status.as_str());
            }
        }
        let agents = self.references.len();
        for finish in self.finishes.iter().filter(|finish| finish.tick == tick) {
            for agent in agents_of(finish, agents) {
                let is_taken = self.references[agent].report_end(finish.node, finish.success);
                played.note_finish(self.part, self.behaviour, (tick, agent), finish, is_taken);
            }
        }
    }

    fn note_agent(&self, played: &mut Played, (tick, agent): (u64, usize), what: &str) {
        let events = self.references[agent].events();
        let valued = self.references[agent].valued();
        let head = head(self.part, agent, what);
        let line = plain_line(self.behaviour, tick, &head, events);
        played.note(
            self.part,
            self.behaviour,
            (tick, agent),
            line,
            (events, valued),
        );
    }

    fn halt(&mut self, played: &mut Played, halt: Halt) {
        let agents = self.references.len();
        let halted = halt.agent.map_or(0..agents, |agent| agent..agent + 1);
        for agent in halted.clone() {
            self.references[agent].abort(&mut self.players[agent]);
        }
        settle(&mut self.references.iter_mut().collect::<Vec<_>>());
        deliver(&mut self.references.iter_mut().collect::<Vec<_>>());
        for agent in halted {
            self.note_agent(played, (halt.tick, agent), "HALTTREE");
        }
    }

    fn note_told(&mut self, played: &mut Played, tick: u64) {
        for (agent, player) in self.players.iter_mut().enumerate() {
            let told = player.scripts.take_told().into_iter();
            let line = |text: String| format!("{tick} {}", head(self.part, agent, &text));
            played.told.extend(told.map(line));
        }
    }

    /// Records what is left after the last tick; the faults with their tick, to be sorted by it.
    fn end(&self, played: &mut Played, faults: &mut Vec<(u64, String)>) -> Result<(), String> {
        let (_, scenario) = self.part;
        for line in answers_of(scenario)? {
            let mut meant = self.players.iter().enumerate();
            let is_used = meant.any(|(agent, player)| {
                line.agent.is_none_or(|meant| meant == agent)
                    && player.scripts.calls(&line.label) > 0
            });
            if !is_used {
                let label = &line.label;
                return Err(format!("no call uses the script's line for `{label}`"));
            }
        }
        for (agent, reference) in self.references.iter().enumerate() {
            faults.extend(reference.faults().iter().map(|fault| {
                let kind = fault.kind.to_string();
                let what = (fault.node, kind.as_str());
                let line = fault_line(self.part, self.behaviour, (fault.tick, agent), what);
                (fault.tick, line)
            }));
        }
        let keys = self.references[0].keys();
        let ends = ends_lines(self.part, self.behaviour, |index| {
            cell(self.behaviour, &keys[index])
        });
        played.ends.extend(ends?);
        Ok(())
    }
}

/// Plays a scenario with the reference.
///
/// # Errors
/// What is wrong with the scenario: an error in its document, an unknown leaf in its script, or an unused line.
pub fn play_reference(scenario: &Scenario) -> Result<Played, String> {
    let parts = scenario.parts();
    let behaviours = parts.iter().map(|(_, part)| behaviour_of(part));
    let behaviours: Vec<Behaviour> = behaviours.collect::<Result<_, _>>()?;
    let sides = parts.iter().zip(&behaviours);
    let mut sides: Vec<ReferenceSide<'_>> = sides
        .zip(0..)
        .map(|(((name, part), behaviour), number)| {
            ReferenceSide::new(number, (name, part), behaviour)
        })
        .collect::<Result<_, _>>()?;
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        count_places(&mut all(&mut sides));
        count_agents(&mut all(&mut sides));
        let statuses: Vec<Vec<Option<Status>>> =
            sides.iter_mut().map(ReferenceSide::tick).collect();
        settle(&mut all(&mut sides));
        hand_out(&mut all(&mut sides));
        deliver(&mut all(&mut sides));
        for (side, statuses) in sides.iter_mut().zip(&statuses) {
            side.note(&mut played, tick, statuses);
        }
        for halt in scenario.halts.iter().filter(|halt| halt.tick == tick) {
            sides[0].halt(&mut played, *halt);
        }
        for side in &mut sides {
            side.note_told(&mut played, tick);
        }
    }
    let mut faults = Vec::new();
    for side in &sides {
        side.end(&mut played, &mut faults)?;
    }
    faults.sort_by_key(|(tick, _)| *tick);
    played.faults = faults.into_iter().map(|(_, line)| line).collect();
    Ok(played)
}

/// The agents of all programs, in order.
fn all<'a, 's>(sides: &'a mut [ReferenceSide<'s>]) -> Vec<&'a mut Reference<'s>> {
    let agents = sides.iter_mut().map(|side| side.references.iter_mut());
    agents.flatten().collect()
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
        part: Part<'_>,
        behaviour: &Behaviour,
        place: (u64, usize),
        line: String,
        (events, valued): (&[(NodeId, Event)], &[Happening]),
    ) {
        self.trace.push(line);
        if !part.1.values.is_empty() {
            self.values
                .extend(values_line(part, behaviour, place, valued));
        }
        if !part.1.calls.is_empty() {
            let events = events.iter().copied();
            self.calls
                .extend(calls_line(part, behaviour, place, events));
        }
    }

    fn note_finish(
        &mut self,
        part: Part<'_>,
        behaviour: &Behaviour,
        place: (u64, usize),
        finish: &Finish,
        is_taken: bool,
    ) {
        if !part.1.calls.is_empty() {
            let what = (finish.node, is_taken);
            self.calls.push(finish_line(part, behaviour, place, what));
        }
    }
}

/// Plays a scenario with the executor. If the scenario does not set the number of agents, and they share nothing,
/// it is played once with a single agent, and once with 65 agents that have the same script. Several programs are
/// played in a society, where the order in which they are ticked does not matter.
///
/// # Errors
/// As [`play_reference`]; also when the two results differ.
pub fn play_executor(scenario: &Scenario) -> Result<Played, String> {
    let parts = scenario.parts();
    let programs = parts
        .iter()
        .map(|(_, part)| Ok(Arc::new(Program::new(behaviour_of(part)?))));
    let programs: Vec<Arc<Program>> = programs.collect::<Result<_, String>>()?;
    if !scenario.programs.is_empty() {
        let played = play_society(scenario, &parts, &programs, false)?;
        let backwards = play_society(scenario, &parts, &programs, true)?;
        if played != backwards {
            return Err(format!("in order {played:?}, backwards {backwards:?}"));
        }
        return Ok(played);
    }
    let program = &programs[0];
    let played = play_population(scenario, program, scenario.number_of_agents())?;
    if scenario.agents.is_some() || is_shared(program.behaviour()) {
        return Ok(played);
    }
    let among = play_population(scenario, program, 65)?;
    // With many agents not all faults are kept, so they are not compared.
    let lines = |played: &Played| {
        let Played {
            trace,
            calls,
            values,
            told,
            ends,
            ..
        } = played.clone();
        [trace, calls, values, told, ends]
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

/// A program of a scenario, played by the executor.
struct ExecutorSide<'s> {
    part: Part<'s>,
    behaviour: &'s Behaviour,
    host: Players,
    finishes: Vec<Finish>,
    trace: Trace,
    /// How many agents there are, and how many of them the scenario is about.
    agents: usize,
    shown: usize,
}

impl<'s> ExecutorSide<'s> {
    fn new(part: Part<'s>, program: &'s Program, agents: usize) -> Result<Self, String> {
        let behaviour = program.behaviour();
        Ok(Self {
            part,
            behaviour,
            host: host_of(part.1, behaviour, agents)?,
            finishes: finishes_of(part.1, behaviour)?,
            trace: if part.1.values.is_empty() {
                Trace::new()
            } else {
                Trace::with_values()
            },
            agents,
            shown: part.1.number_of_agents(),
        })
    }

    /// Records what happened in a tick, and reports the ends of actions.
    fn note(
        &mut self,
        played: &mut Played,
        tick: u64,
        mut finish: impl FnMut(usize, &Finish) -> bool,
    ) -> Result<(), String> {
        for agent in 0..self.shown {
            let status = self.trace.root(self.behaviour, agent);
            match status {
                Some(status) => self.note_agent(played, (tick, agent), status.as_str()),
                None if self.part.1.intervals.is_empty() => {
                    return Err("the root was not ticked".to_owned());
                }
                None => {}
            }
        }
        for end in self.finishes.iter().filter(|finish| finish.tick == tick) {
            for agent in agents_of(end, self.agents) {
                let is_taken = finish(agent, end);
                if agent < self.shown {
                    played.note_finish(self.part, self.behaviour, (tick, agent), end, is_taken);
                }
            }
        }
        Ok(())
    }

    fn note_agent(&self, played: &mut Played, (tick, agent): (u64, usize), what: &str) {
        let head = head(self.part, agent, what);
        let line = self.trace.plain_line(self.behaviour, agent, tick, &head);
        let events: Vec<(NodeId, Event)> = self.trace.agent(agent).collect();
        let valued: Vec<Happening> = self.trace.valued(agent).collect();
        let events = (&events[..], &valued[..]);
        played.note(self.part, self.behaviour, (tick, agent), line, events);
    }

    fn note_told(&mut self, played: &mut Played, tick: u64) {
        let mut messages = self.host.scripted.take_messages();
        messages.sort_by_key(|message| message.agent);
        for message in messages.iter().filter(|one| one.agent < self.shown) {
            let said = head(self.part, message.agent, &message.text);
            played.told.push(format!("{tick} {said}"));
        }
    }

    fn note_faults(&self, played: &mut Played, faults: &Faults) {
        for agent in 0..self.shown {
            let faults = faults.kept().iter().filter(|fault| fault.agent == agent);
            played.faults.extend(faults.map(|fault| {
                let kind = fault.kind.to_string();
                let what = (fault.node, kind.as_str());
                fault_line(self.part, self.behaviour, (fault.tick, agent), what)
            }));
        }
    }

    fn end(&self, played: &mut Played, population: &Population) -> Result<(), String> {
        let ends = ends_lines(self.part, self.behaviour, |index| {
            self.behaviour
                .display_held(population.held(0, KeyId::new(index)))
        });
        played.ends.extend(ends?);
        Ok(())
    }
}

/// Plays this many agents, and records what those agents did that the scenario is about.
fn play_population(
    scenario: &Scenario,
    program: &Arc<Program>,
    agents: usize,
) -> Result<Played, String> {
    let mut side = ExecutorSide::new(("", scenario), program, agents)?;
    let mut population = Population::new(Arc::clone(program), agents).with_seed(scenario.seed);
    scenario.for_each_interval(agents, |agent, ticks| population.set_interval(agent, ticks));
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        population.tick_traced(&mut side.host, scenario.dt, &mut side.trace);
        side.note(&mut played, tick, |agent, end| {
            let ticket = population.ticket(agent, end.node);
            ticket.is_some_and(|run| population.finish(run, end.success).is_ok())
        })?;
        for halt in scenario.halts.iter().filter(|halt| halt.tick == tick) {
            match halt.agent {
                Some(agent) => {
                    population.abort_traced(&mut side.host, agent, &mut side.trace);
                }
                None => population.abort_all_traced(&mut side.host, &mut side.trace),
            }
            for agent in halt.agent.map_or(0..side.shown, |agent| agent..agent + 1) {
                side.note_agent(&mut played, (tick, agent), "HALTTREE");
            }
        }
        side.note_told(&mut played, tick);
        side.note_faults(&mut played, &population.take_faults());
    }
    side.end(&mut played, &population)?;
    Ok(played)
}

/// Plays several programs in a society.
fn play_society(
    scenario: &Scenario,
    parts: &[(String, Scenario)],
    programs: &[Arc<Program>],
    is_backwards: bool,
) -> Result<Played, String> {
    let mut society = Society::new();
    let mut sides = Vec::new();
    for ((name, part), program) in parts.iter().zip(programs) {
        let agents = part.number_of_agents();
        let mut population = Population::new(Arc::clone(program), agents).with_seed(part.seed);
        part.for_each_interval(agents, |agent, ticks| population.set_interval(agent, ticks));
        let id = society.join(name, population);
        let id = id.map_err(|error| error.to_string())?;
        sides.push((id, ExecutorSide::new((name, part), program, agents)?));
    }
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        let mut step = society.step(scenario.dt);
        let mut order: Vec<_> = sides.iter_mut().collect();
        if is_backwards {
            order.reverse();
        }
        for (id, side) in order {
            step.tick_traced(*id, &mut side.host, &mut side.trace);
        }
        step.end();
        for (id, side) in &mut sides {
            side.note(&mut played, tick, |agent, end| {
                let mut population = society.population_mut(*id);
                let ticket = population.ticket(agent, end.node);
                ticket.is_some_and(|run| population.finish(run, end.success).is_ok())
            })?;
        }
        for (id, side) in &mut sides {
            side.note_told(&mut played, tick);
            let faults = society.population_mut(*id).take_faults();
            side.note_faults(&mut played, &faults);
        }
    }
    for (id, side) in &sides {
        side.end(&mut played, society.population(*id))?;
    }
    Ok(played)
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
