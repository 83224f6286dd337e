//! Plays a scenario with the executor.

use super::Scenario;
use super::asked::{Change, Done, Whom, asked_of, deeds_of};
use super::document::behaviour_of;
use super::play::{Played, agents_of};
use super::script::{Finish, answers_of, finishes_of, found_of, readings_of};
use super::show::{Part, ends_lines, fault_line, head};
use super::wishes::{Players, Wishes};
use crate::reference::{Cell, Happening};
use std::sync::Arc;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::{
    Behaviour, Budget, Event, Faults, KeyId, Kind, NodeId, Population, PopulationId, Program,
    Society, To, Trace, Value,
};

/// Plays a scenario with the executor. If the scenario does not set the number of agents, and they share nothing,
/// it is played once with a single agent, and once with 65 agents that have the same script. Several programs are
/// played in a society, where the order in which they are ticked does not matter.
///
/// # Errors
/// As [`play_reference`](super::play_reference); also when the two results differ.
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
    /// Whether agents need not be ticked in each tick.
    may_rest: bool,
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
            shown: part.1.shown_agents(),
            may_rest: part.1.may_rest(),
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
                None if self.may_rest => {}
                None => return Err("the root was not ticked".to_owned()),
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
                    population.abort_traced(agent, &mut side.host, &mut side.trace);
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
        population.name_archetype(name, &[], 1);
        let id = society.join(name, population);
        let id = id.map_err(|error| error.to_string())?;
        let mut side = ExecutorSide::new((name, part), program, agents)?;
        side.host = host_of(part, program.behaviour(), side.shown)?;
        sides.push((id, side));
    }
    let behaviours: Vec<&Behaviour> = programs.iter().map(|program| program.behaviour()).collect();
    let deeds = deeds_of(scenario, &behaviours)?;
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        let mut step = society.step(scenario.dt);
        let mut order: Vec<_> = sides.iter_mut().collect();
        if is_backwards {
            order.reverse();
        }
        for (id, side) in order {
            match side.part.1.budget {
                None => step.tick_traced(*id, &mut side.host, &mut side.trace),
                Some(agents) => {
                    let budget = Budget::Agents(agents);
                    step.tick_some_traced(*id, &mut side.host, budget, &mut side.trace)
                }
            };
        }
        step.end();
        for (id, side) in &mut sides {
            side.note(&mut played, tick, |agent, end| {
                let mut population = society.population_mut(*id);
                let ticket = population.ticket(agent, end.node);
                ticket.is_some_and(|run| population.finish(run, end.success).is_ok())
            })?;
        }
        for deed in deeds.iter().filter(|deed| deed.tick == tick) {
            carry_out(&mut society, &mut sides, &deed.what)?;
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

/// Does what the host does between two ticks.
fn carry_out(
    society: &mut Society,
    sides: &mut [(PopulationId, ExecutorSide<'_>)],
    what: &Done,
) -> Result<(), String> {
    match what {
        Done::Spawn(program) => {
            society.population_mut(sides[*program].0).spawn();
        }
        Done::Change(program, agent, change) => {
            let (id, side) = &mut sides[*program];
            let mut population = society.population_mut(*id);
            match change {
                Change::Remove => population.remove(*agent, &mut side.host),
                Change::Group(group) => population.set_group(*agent, *group),
                Change::Spawn(_) => {}
            }
        }
        Done::Send(event, values, whom) => {
            let to = match *whom {
                Whom::World => To::World,
                Whom::Group(group) => To::Group(group),
                Whom::Agent(program, agent) => {
                    let id = society.population(sides[program].0).id_of(agent);
                    To::Agent(id.ok_or("an event is sent to an agent that is not there")?)
                }
            };
            let sent = society.send(to, event, values);
            sent.map_err(|error| error.to_string())?;
        }
    }
    Ok(())
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
    for (leaf, values) in found_of(scenario, behaviour)? {
        let numbers = values.iter().filter_map(|value| match value {
            Value::Float(number) => Some(*number),
            _ => None,
        });
        scripted.set_measure(leaf, &numbers.collect::<Vec<f32>>());
        scripted.set_candidates(leaf, &values);
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
        asked: asked_of(scenario, behaviour)?,
    })
}
