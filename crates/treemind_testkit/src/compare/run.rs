//! One comparison: a population with a trace, one without, one whose single agents are swept, and a reference per agent.
// long: everything that happens to the sides happens to the reference in the same place.

use super::events::{happenings, trace_of};
use super::sharing::Sharing;
use super::sides::{Side, Way};
use super::{Called, ScriptedAgent, cell_of, reference_of, same_cell, write_cell};
use crate::generate::{Case, Op, Step, report_of};
use crate::reference::{
    Cell, Happening, Overflow, Reference, Staged, count_agents, count_agents_between_ticks,
    count_places, deliver, hand_out,
};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Scope, Summary};
use treemind_core::{
    Behaviour, Budget, FaultKind, KeyId, LeafId, Program, Sent, Status, Tally, To, Trace, Value,
};

/// The first difference between executor and reference.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The tick, from 1; events before a tick belong to it.
    pub tick: usize,
    /// The agent.
    pub agent: usize,
    /// What differs.
    pub what: String,
    /// What the executor did, one line each.
    pub executor: Vec<String>,
    /// What the reference did, one line each.
    pub reference: Vec<String>,
    /// Whether the executor panicked.
    pub is_panic: bool,
}

/// Runs a case to its end, aborts all agents and removes them.
///
/// # Errors
/// The first difference, or the first promise to the host that was broken.
///
/// # Panics
/// When the case's parts do not form a behaviour.
pub fn compare(case: &Case) -> Result<(), Box<Mismatch>> {
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let program = Arc::new(Program::new(behaviour));
    let mut run = Run::new(case, &program);
    for step in &case.steps {
        run.step(step)?;
    }
    run.tick += 1;
    run.apply(&Op::AbortAll)?;
    (0..case.scripts.len()).try_for_each(|agent| run.apply(&Op::Remove(agent)))?;
    for side in &run.sides {
        let open = side.host.open_runs();
        if open > 0 {
            let what = format!("{open} runs are open after all were removed");
            return Err(run.mismatch(0, what, Vec::new(), Vec::new()));
        }
    }
    Ok(())
}

/// The reference of one agent in the population.
pub(super) struct Agent<'b> {
    pub(super) reference: Reference<'b>,
    /// How many of its faults have been compared.
    faults_seen: usize,
}

impl Agent<'_> {
    /// The faults since the last call.
    fn new_faults(&mut self, place: usize) -> Vec<PlacedFault> {
        let faults = self.reference.faults();
        let new = faults[self.faults_seen..].iter();
        self.faults_seen = faults.len();
        new.map(|fault| (place, fault.node.index(), fault.tick, fault.kind.clone()))
            .collect()
    }
}

/// The place of the agent, the node, the tick and the fault.
type PlacedFault = (usize, usize, u64, FaultKind);

pub(super) struct Run<'b> {
    pub(super) behaviour: &'b Behaviour,
    /// What is predicted about each node.
    pub(super) summaries: Vec<Summary>,
    case: &'b Case,
    sharing: Sharing<'b>,
    sides: [Side; 5],
    /// Per place; `None` when there is no agent.
    pub(super) agents: Vec<Option<Agent<'b>>>,
    /// Per place: the leaves for the reference, kept from one agent of the place to the next.
    leaves: Vec<ScriptedAgent>,
    /// The faults of agents that have left since the last tick.
    faults: Vec<PlacedFault>,
    pub(super) trace: Trace,
    ids: Vec<u64>,
    tick: usize,
    now_ns: u64,
    /// The place of the agent whose turn it is where not all can be ticked.
    next_in_turn: usize,
}

impl<'b> Run<'b> {
    fn new(case: &'b Case, program: &'b Arc<Program>) -> Self {
        let behaviour = program.behaviour();
        let places = case.scripts.len();
        let agents = (0..places).map(|place| {
            (place < case.agents).then(|| Agent {
                reference: reference_of(case, behaviour, place, place as u64),
                faults_seen: 0,
            })
        });
        Self {
            behaviour,
            summaries: behaviour.summaries(),
            case,
            sharing: Sharing::new(behaviour, places),
            sides: Way::ALL.map(|way| Side::new(case, program, way)),
            agents: agents.collect(),
            leaves: (0..places)
                .map(|place| ScriptedAgent::new(case, behaviour, place))
                .collect(),
            faults: Vec::new(),
            trace: trace_of(case),
            ids: (0..case.agents as u64).collect(),
            tick: 0,
            now_ns: 0,
            next_in_turn: 0,
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Box<Mismatch>> {
        self.tick += 1;
        // In turn before and after what happens between ticks.
        if self.tick % 4 == 1 {
            self.sides.iter_mut().for_each(Side::resume);
        }
        for op in &step.ops {
            self.apply(op)?;
        }
        if self.tick % 4 == 3 {
            self.sides.iter_mut().for_each(Side::resume);
        }
        self.tick(step.dt, step.budget)
    }

    fn tick(&mut self, dt: Duration, budget: Option<usize>) -> Result<(), Box<Mismatch>> {
        let in_turn = self.in_turn(budget);
        self.sharing.end_period(self.now_ns);
        self.now_ns += dt.as_nanos() as u64;
        let mut tallies = [Tally::default(); 5];
        for (side, tally) in self.sides.iter_mut().zip(&mut tallies) {
            side.host.begin_tick(self.tick as u64, self.now_ns);
            *tally = side.tick(dt, budget.map(Budget::Agents), &mut self.trace);
        }
        count_places(&mut self.references());
        count_agents(&mut self.references());
        let mut wanted = Tally::default();
        for (place, agent) in self.agents.iter_mut().enumerate() {
            let Some(agent) = agent else { continue };
            if !in_turn.contains(&place) {
                agent.reference.pass(dt);
                continue;
            }
            match agent.reference.tick_if_due(&mut self.leaves[place], dt) {
                Some(Status::Success) => wanted.success += 1,
                Some(Status::Failure) => wanted.failure += 1,
                Some(Status::Running) => wanted.running += 1,
                Some(Status::Skipped) => wanted.skipped += 1,
                None => {}
            }
        }
        self.settle();
        hand_out(&mut self.references());
        let delivery = deliver(&mut self.references());
        for side in &self.sides {
            let given = side.population.delivery();
            if given != delivery {
                let what = format!("what became of letters on the {} side", side.name());
                let (given, wanted) = (format!("{given:?}"), format!("{delivery:?}"));
                return Err(self.mismatch(0, what, vec![given], vec![wanted]));
            }
        }
        self.check_events()?;
        self.check_recording()?;
        self.check_calls()?;
        self.check_keys()?;
        self.check_faults()?;
        for (side, tally) in self.sides.iter().zip(tallies) {
            let tally = format!("{tally:?}");
            let wanted = format!("{wanted:?}");
            if tally != wanted {
                let what = format!("the {} tally", side.name());
                return Err(self.mismatch(0, what, vec![tally], vec![wanted]));
            }
        }
        Ok(())
    }

    /// The places of the agents that are ticked: of those that are due as many as there may be, from the one on whose turn
    /// it is.
    fn in_turn(&mut self, budget: Option<usize>) -> Vec<usize> {
        let is_due = |agent: &Option<Agent<'_>>| {
            let agent = agent.as_ref();
            agent.is_some_and(|agent| agent.reference.is_due())
        };
        let places = 0..self.agents.len();
        let mut due: Vec<usize> = places
            .filter(|place| is_due(&self.agents[*place]))
            .collect();
        let Some(most) = budget.filter(|most| *most <= due.len()) else {
            return due;
        };
        let first = due.partition_point(|place| *place < self.next_in_turn);
        due.rotate_left(first);
        due.truncate(most);
        self.next_in_turn = due.last().map_or(self.next_in_turn, |last| last + 1);
        due
    }

    /// Makes the writes to shared keys take effect; if a key was written several times, the values are merged.
    fn settle(&mut self) {
        self.sharing.begin();
        let mut staged = Vec::new();
        for (place, agent) in self.agents.iter_mut().enumerate() {
            let Some(agent) = agent else { continue };
            let writes = agent.reference.take_staged().into_iter();
            staged.extend(writes.map(|(key, of_key)| (place, key, of_key)));
        }
        for (place, key, staged) in staged {
            self.apply_staged(place, key, &staged);
        }
    }

    /// All agents.
    fn references(&mut self) -> Vec<&mut Reference<'b>> {
        let there = self.agents.iter_mut().flatten();
        there.map(|agent| &mut agent.reference).collect()
    }

    fn apply_staged(&mut self, place: usize, key: KeyId, staged: &Staged) {
        let agents = self.agents.iter_mut().enumerate();
        let references =
            agents.filter_map(|(place, agent)| Some((place, &mut agent.as_mut()?.reference)));
        let applied = self.sharing.apply(key, place, staged, references);
        if let (Err(Overflow), Some(agent)) = (applied, &mut self.agents[place]) {
            agent.reference.merge_overflowed();
        }
    }

    fn write_shared(&mut self, place: usize, key: KeyId, cell: &Cell) {
        let agents = self.agents.iter_mut().enumerate();
        let references =
            agents.filter_map(|(place, agent)| Some((place, &mut agent.as_mut()?.reference)));
        self.sharing.write(key, place, cell, references);
    }

    /// Applies what happens between two ticks to all sides, and compares the results.
    fn apply(&mut self, op: &Op) -> Result<(), Box<Mismatch>> {
        let is_there = |agents: &[Option<Agent<'_>>], place: usize| {
            agents.get(place).is_some_and(Option::is_some)
        };
        match *op {
            Op::Finish(ref label, salt) => self.finish(label, salt),
            Op::Abort(agent) if is_there(&self.agents, agent) => {
                self.abort(&[agent], |side, trace| match trace {
                    Some(trace) => side.population.abort_traced(agent, &mut side.host, trace),
                    None => side.population.abort(agent, &mut side.host),
                })
            }
            Op::AbortAll => {
                let places: Vec<usize> = (0..self.agents.len())
                    .filter(|place| is_there(&self.agents, *place))
                    .collect();
                self.abort(&places, |side, trace| match trace {
                    Some(trace) => side.population.abort_all_traced(&mut side.host, trace),
                    None => side.population.abort_all(&mut side.host),
                })
            }
            Op::Set(agent, key, ref value) if is_there(&self.agents, agent) => {
                for side in &mut self.sides {
                    write_cell(&mut side.population.board(agent), key, agent, value);
                }
                if self.behaviour.key(key).scope != Scope::Agent {
                    self.write_shared(agent, key, value);
                } else if let Some(agent) = &mut self.agents[agent] {
                    agent.reference.write(key, value.clone());
                }
                self.check_keys()
            }
            Op::Group(place, group) if is_there(&self.agents, place) => {
                for side in &mut self.sides {
                    side.population.set_group(place, group);
                }
                if let Some(agent) = &mut self.agents[place] {
                    self.sharing.join(place, group, &mut agent.reference);
                }
                self.check_keys()
            }
            Op::Interval(place, ticks) if is_there(&self.agents, place) => {
                for side in &mut self.sides {
                    side.population.set_interval(place, ticks);
                }
                if let Some(agent) = &mut self.agents[place] {
                    agent.reference.set_interval(ticks);
                }
                Ok(())
            }
            Op::Tell(place, event, ref values) if is_there(&self.agents, place) => {
                self.tell(place, event, values)
            }
            Op::TellMany(group, event, ref values) => self.tell_many(group, event, values),
            Op::Remove(agent) if is_there(&self.agents, agent) => self.remove(agent),
            Op::Spawn if self.agents.iter().any(Option::is_none) => self.spawn(),
            _ => Ok(()),
        }
    }

    /// Sends an event to all sides, and compares whether it reached a machine.
    fn tell(&mut self, place: usize, event: LeafId, values: &[Value]) -> Result<(), Box<Mismatch>> {
        let Some(agent) = &mut self.agents[place] else {
            return Ok(());
        };
        let wanted = agent.reference.send(event, values);
        for index in 0..self.sides.len() {
            let side = &mut self.sides[index];
            let given = side.population.send(place, event, values);
            if given != wanted {
                let what = format!("what the {} machines are told", side.name());
                let shown = |came: bool| vec![format!("it came: {came}")];
                return Err(self.mismatch(place, what, shown(given), shown(wanted)));
            }
        }
        Ok(())
    }

    /// Sends an event to all agents of a group, or to all, and compares how often it was received.
    fn tell_many(
        &mut self,
        group: Option<u32>,
        event: LeafId,
        values: &[Value],
    ) -> Result<(), Box<Mismatch>> {
        let mut wanted = Sent::default();
        for (place, agent) in self.agents.iter_mut().enumerate() {
            let Some(agent) = agent else { continue };
            if group.is_none_or(|group| group == self.sharing.group_of(place)) {
                let sent = agent.reference.send_counted(event, values);
                wanted.received += sent.received;
                wanted.lost += sent.lost;
            }
        }
        let to = group.map_or(To::World, To::Group);
        for index in 0..self.sides.len() {
            let side = &mut self.sides[index];
            let sent = side.population.send_to(to, event, values);
            if sent != Ok(wanted) {
                let what = format!("what the {} side sends to many", side.name());
                let (given, wanted) = (format!("{sent:?}"), format!("{wanted:?}"));
                return Err(self.mismatch(0, what, vec![given], vec![wanted]));
            }
        }
        Ok(())
    }

    fn abort(
        &mut self,
        places: &[usize],
        abort: impl Fn(&mut Side, Option<&mut Trace>),
    ) -> Result<(), Box<Mismatch>> {
        for side in &mut self.sides {
            let trace = (side.way == Way::Traced).then_some(&mut self.trace);
            abort(side, trace);
        }
        count_agents_between_ticks(&mut self.references());
        // Agents that are not aborted have no events.
        let with_values = self.trace.has_values();
        let mut events: Vec<Vec<Happening>> = vec![Vec::new(); self.agents.len()];
        for &place in places {
            if let Some(agent) = &mut self.agents[place] {
                agent.reference.abort(&mut self.leaves[place]);
                events[place] = happenings(&agent.reference, with_values);
            }
        }
        self.settle();
        deliver(&mut self.references());
        self.check_events_against(&events)?;
        self.check_calls()?;
        self.check_keys()
    }

    /// Reports to all sides, for some agents, that the actions with a label are finished.
    fn finish(&mut self, label: &str, salt: u64) -> Result<(), Box<Mismatch>> {
        let behaviour = self.behaviour;
        let nodes = behaviour
            .node_ids()
            .filter(|node| behaviour.label(*node) == label);
        for node in nodes {
            for place in 0..self.agents.len() {
                let (Some(agent), Some(success)) =
                    (&mut self.agents[place], report_of(salt, place))
                else {
                    continue;
                };
                let wanted = agent.reference.report_end(node, success);
                for side in &mut self.sides {
                    let population = &mut side.population;
                    let ticket = population.ticket(place, node);
                    let given = ticket.is_some_and(|run| population.finish(run, success).is_ok());
                    if given != wanted {
                        let what = format!("what {} said of finish", side.name());
                        let (given, wanted) = (vec![given.to_string()], vec![wanted.to_string()]);
                        return Err(self.mismatch(place, what, given, wanted));
                    }
                }
            }
        }
        Ok(())
    }

    fn remove(&mut self, place: usize) -> Result<(), Box<Mismatch>> {
        for side in &mut self.sides {
            side.population.remove(place, &mut side.host);
            side.host.left(place);
        }
        count_agents_between_ticks(&mut self.references());
        if let Some(agent) = &mut self.agents[place] {
            agent.reference.remove(&mut self.leaves[place]);
            self.settle();
            deliver(&mut self.references());
        }
        if let Some(mut agent) = self.agents[place].take() {
            self.faults.extend(agent.new_faults(place));
        }
        self.check_calls()?;
        if self
            .sides
            .iter()
            .any(|side| side.population.is_alive(place))
        {
            let what = "an agent is alive that was removed".to_owned();
            return Err(self.mismatch(place, what, Vec::new(), Vec::new()));
        }
        Ok(())
    }

    fn spawn(&mut self) -> Result<(), Box<Mismatch>> {
        let places = self.sides.each_mut().map(|side| {
            let place = side.population.spawn().index();
            side.host.joined(place);
            place
        });
        let place = places[0];
        let ids = self
            .sides
            .each_ref()
            .map(|side| side.population.stable_id(place));
        let is_free = self.agents.get(place).is_some_and(Option::is_none);
        let agree = places == [place; 5] && ids == [ids[0]; 5];
        if !agree || self.ids.contains(&ids[0]) || !is_free {
            let what = format!("an agent joined at {places:?} with ids {ids:?}");
            return Err(self.mismatch(place, what, Vec::new(), Vec::new()));
        }
        self.ids.push(ids[0]);
        let reference = reference_of(self.case, self.behaviour, place, ids[0]);
        let mut reference = reference.joining_at(self.tick as u64 - 1, self.now_ns);
        if let Some(id) = self.sides[0].population.id_of(place) {
            reference = reference.with_handle(id.to_bits());
        }
        self.sharing.join(place, 0, &mut reference);
        self.agents[place] = Some(Agent {
            reference,
            faults_seen: 0,
        });
        self.check_keys()
    }

    fn check_recording(&self) -> Result<(), Box<Mismatch>> {
        let misplayed = |side: &Side| side.misplayed(&self.trace, self.agents.len());
        match self.sides.iter().find_map(misplayed) {
            Some((place, given, wanted)) => {
                Err(self.mismatch(place, "what was recorded".to_owned(), given, wanted))
            }
            None => Ok(()),
        }
    }

    fn check_calls(&mut self) -> Result<(), Box<Mismatch>> {
        let show = |calls: &[Called]| calls.iter().map(Called::to_string).collect::<Vec<String>>();
        for side in &self.sides {
            if !side.host.broken().is_empty() {
                let what = format!("a promise to the {} host is broken", side.name());
                let broken = side.host.broken().to_vec();
                return Err(self.mismatch(0, what, broken, Vec::new()));
            }
            for (place, leaves) in self.leaves.iter().enumerate() {
                // The host does not know a place that no agent has taken so far.
                if place >= side.population.len() && leaves.calls().is_empty() {
                    continue;
                }
                let (given, wanted) = (side.host.calls(place), leaves.calls());
                if given != wanted {
                    let what = format!("the calls to the {} host", side.name());
                    return Err(self.mismatch(place, what, show(given), show(wanted)));
                }
            }
        }
        self.sides
            .iter_mut()
            .for_each(|side| side.host.forget_calls());
        self.leaves.iter_mut().for_each(ScriptedAgent::forget_calls);
        Ok(())
    }

    fn check_keys(&mut self) -> Result<(), Box<Mismatch>> {
        for side in &self.sides {
            let (given, wanted) = (side.population.groups(), self.sharing.groups());
            if given != wanted {
                let what = format!("the number of groups of the {} population", side.name());
                let (given, wanted) = (given.to_string(), wanted.to_string());
                return Err(self.mismatch(0, what, vec![given], vec![wanted]));
            }
        }
        for (key, group, wanted) in self.sharing.all() {
            for side in &self.sides {
                let given = cell_of(side.population.shared_held(key, group));
                if !same_cell(&given, &wanted) {
                    let key = &self.behaviour.key(key).name;
                    let what = format!("{} key {key} of group {group}", side.name());
                    let (given, wanted) = (format!("{given:?}"), format!("{wanted:?}"));
                    return Err(self.mismatch(0, what, vec![given], vec![wanted]));
                }
            }
        }
        for (place, agent) in self.agents.iter().enumerate() {
            let Some(agent) = agent else { continue };
            for (index, wanted) in agent.reference.keys().iter().enumerate() {
                for side in &mut self.sides {
                    let given = cell_of(side.population.held(place, KeyId::new(index)));
                    if !same_cell(&given, wanted) {
                        let key = &self.behaviour.keys()[index];
                        let what = format!("{} key {}", side.name(), key.name);
                        let (given, wanted) = (format!("{given:?}"), format!("{wanted:?}"));
                        return Err(self.mismatch(place, what, vec![given], vec![wanted]));
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares the faults of this tick: their number and, as long as none was dropped, the faults themselves.
    fn check_faults(&mut self) -> Result<(), Box<Mismatch>> {
        let mut wanted = std::mem::take(&mut self.faults);
        for (place, agent) in self.agents.iter_mut().enumerate() {
            let Some(agent) = agent else { continue };
            wanted.extend(agent.new_faults(place));
        }
        wanted.sort_by_key(|(place, node, tick, kind)| (*place, *node, *tick, kind.to_string()));
        for index in 0..self.sides.len() {
            let faults = self.sides[index].population.take_faults();
            let mut given: Vec<PlacedFault> = faults
                .kept()
                .iter()
                .map(|fault| {
                    (
                        fault.agent,
                        fault.node.index(),
                        fault.tick,
                        fault.kind.clone(),
                    )
                })
                .collect();
            given.sort_by_key(|(place, node, tick, kind)| (*place, *node, *tick, kind.to_string()));
            let is_complete = faults.total() as usize == given.len();
            if faults.total() as usize != wanted.len() || is_complete && given != wanted {
                let place = wanted.first().or(given.first()).map_or(0, |fault| fault.0);
                let what = format!("the faults of the {} population", self.sides[index].name());
                let show = |faults: &[PlacedFault]| {
                    faults.iter().map(|fault| format!("{fault:?}")).collect()
                };
                return Err(self.mismatch(place, what, show(&given), show(&wanted)));
            }
        }
        Ok(())
    }

    pub(super) fn mismatch(
        &self,
        agent: usize,
        what: String,
        executor: Vec<String>,
        reference: Vec<String>,
    ) -> Box<Mismatch> {
        Box::new(Mismatch {
            tick: self.tick,
            agent,
            what,
            executor,
            reference,
            is_panic: false,
        })
    }
}
