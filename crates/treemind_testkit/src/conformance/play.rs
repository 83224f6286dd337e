//! Plays a scenario with the reference, and compares what both sides play.

use super::asked::{asked_of, deeds_of};
use super::document::behaviour_of;
use super::executor::play_executor;
use super::life::{carry_out, end_changes, keepers, living};
use super::script::{Finish, answers_of, finishes_of, found_of, readings_of};
use super::show::{
    Part, calls_line, cell, ends_lines, fault_line, finish_line, head, plain_line, values_line,
};
use super::wishes::{Player, Wishes};
use super::{Halt, Scenario};
use crate::reference::{
    Happening, Readings, Reference, count_agents, count_places, deliver, settle,
};
use crate::scripts::Scripts;
use std::time::Duration;
use treemind_core::{Behaviour, Event, NodeId, Status};

/// The result of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The plain trace.
    pub trace: Vec<String>,
    /// If the scenario lists them: the runs that began or ended, the calls of services, and the results of
    /// reporting the ends of actions.
    pub calls: Vec<String>,
    /// If the scenario lists it: what a trace with values has in addition.
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

/// What happened to an agent: its events, and the same with values.
pub(super) type Did = (Vec<(NodeId, Event)>, Vec<Happening>);

/// A program of a scenario, played by the reference.
pub(super) struct ReferenceSide<'s> {
    pub(super) part: Part<'s>,
    pub(super) behaviour: &'s Behaviour,
    /// Its position in the order of joining.
    pub(super) number: u64,
    /// Per index, also of those that have died.
    pub(super) references: Vec<Reference<'s>>,
    /// Per index.
    pub(super) alive: Vec<bool>,
    /// What happened to each agent since the last tick began.
    pub(super) done: Vec<Did>,
    /// Per group, an agent that does nothing but keep the group's values.
    pub(super) keepers: Vec<Reference<'s>>,
    pub(super) next_id: u64,
    /// The index of the agent whose turn it is where not all can be ticked.
    next_in_turn: usize,
    pub(super) tick: u64,
    pub(super) now: Duration,
    /// Per index, also of agents that may be born.
    pub(super) players: Vec<Player>,
    finishes: Vec<Finish>,
}

impl<'s> ReferenceSide<'s> {
    /// The program with that number of the scenario.
    fn new(number: u64, part: Part<'s>, behaviour: &'s Behaviour) -> Result<Self, String> {
        let (_, scenario) = part;
        let readings = readings_of(scenario, behaviour)?;
        let agents = scenario.number_of_agents();
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
        let mut references: Vec<_> = (0..agents).map(reference).collect();
        scenario.for_each_interval(references.len(), |agent, ticks| {
            references[agent].set_interval(ticks);
        });
        Ok(Self {
            part,
            behaviour,
            number,
            references,
            alive: vec![true; agents],
            done: vec![Default::default(); agents],
            keepers: keepers(behaviour),
            next_id: agents as u64,
            next_in_turn: 0,
            tick: 0,
            now: Duration::ZERO,
            players: players_of(scenario, behaviour)?,
            finishes: finishes_of(scenario, behaviour)?,
        })
    }

    /// Ticks all agents that are due, within the budget, and returns their answers. Those who leave are aborted then.
    fn tick(&mut self) -> Vec<Option<Status>> {
        let (_, scenario) = self.part;
        self.tick += 1;
        self.now += scenario.dt;
        let in_turn = self.in_turn(scenario.budget);
        for keeper in &mut self.keepers {
            keeper.pass(scenario.dt);
        }
        let mut statuses = Vec::new();
        for agent in 0..self.references.len() {
            let (reference, player) = (&mut self.references[agent], &mut self.players[agent]);
            (player.agent, player.tick) = (agent, self.tick);
            let status = if in_turn.contains(&agent) {
                Some(reference.tick(player, scenario.dt))
            } else {
                reference.pass(scenario.dt);
                None
            };
            statuses.push(status);
            self.done[agent] = Default::default();
            self.note_done(agent);
        }
        self.abort_leaving();
        statuses
    }

    /// The agents that are ticked: of those that are due as many as there may be, from the one on whose turn it is.
    fn in_turn(&mut self, budget: Option<usize>) -> Vec<usize> {
        let agents = 0..self.references.len();
        let mut due: Vec<usize> = agents
            .filter(|agent| self.alive[*agent] && self.references[*agent].is_due())
            .collect();
        let Some(most) = budget.filter(|most| *most <= due.len()) else {
            return due;
        };
        let first = due.partition_point(|agent| *agent < self.next_in_turn);
        due.rotate_left(first);
        due.truncate(most);
        self.next_in_turn = due.last().map_or(self.next_in_turn, |last| last + 1);
        due
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
        let (events, valued) = &self.done[agent];
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
            self.done[agent] = Default::default();
            self.note_done(agent);
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
    let deeds = deeds_of(scenario, &behaviours.iter().collect::<Vec<_>>())?;
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        count_places(&mut living(&mut sides));
        count_agents(&mut living(&mut sides));
        let statuses: Vec<Vec<Option<Status>>> =
            sides.iter_mut().map(ReferenceSide::tick).collect();
        end_changes(&mut sides, true)?;
        for (side, statuses) in sides.iter_mut().zip(&statuses) {
            side.note(&mut played, tick, statuses);
        }
        for halt in scenario.halts.iter().filter(|halt| halt.tick == tick) {
            sides[0].halt(&mut played, *halt);
        }
        for deed in deeds.iter().filter(|deed| deed.tick == tick) {
            carry_out(&mut sides, &deed.what)?;
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

/// The stand-ins for the host of each agent.
fn players_of(scenario: &Scenario, behaviour: &Behaviour) -> Result<Vec<Player>, String> {
    let player = Player {
        scripts: Scripts::new(behaviour),
        wishes: Wishes::new(behaviour, &scenario.own)?,
        asked: asked_of(scenario, behaviour)?,
        agent: 0,
        tick: 0,
        wanted: Vec::new(),
    };
    let mut player = player;
    for (leaf, values) in found_of(scenario, behaviour)? {
        player.scripts.set_found(leaf, &values);
    }
    let mut players = vec![player; scenario.shown_agents()];
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

pub(super) fn agents_of(finish: &Finish, agents: usize) -> std::ops::Range<usize> {
    finish.agent.map_or(0..agents, |agent| agent..agent + 1)
}

impl Played {
    /// Records what an agent did in a tick, or while it was aborted.
    pub(super) fn note(
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

    pub(super) fn note_finish(
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
