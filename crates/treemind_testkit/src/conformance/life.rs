//! Agents of the reference that are born, die and change their groups.

use super::asked::{Change, Done, Whom};
use super::play::ReferenceSide;
use crate::reference::{Reference, count_agents_between_ticks, deliver, hand_out, settle};
use treemind_core::behaviour::Scope;
use treemind_core::{Behaviour, KeyId};

/// How many groups scenarios use.
const GROUPS: u32 = 4;

/// For each group an agent that keeps its values.
pub(super) fn keepers(behaviour: &Behaviour) -> Vec<Reference<'_>> {
    let keeper = |group| {
        let mut keeper = Reference::new(behaviour, 0, 0);
        keeper.set_group(group);
        keeper
    };
    (0..GROUPS).map(keeper).collect()
}

/// The agents of all programs that live, in order.
pub(super) fn living<'a, 's>(sides: &'a mut [ReferenceSide<'s>]) -> Vec<&'a mut Reference<'s>> {
    let agents = sides.iter_mut().flat_map(|side| {
        let alive = side.references.iter_mut().zip(&side.alive);
        alive.filter_map(|(reference, is_alive)| is_alive.then_some(reference))
    });
    agents.collect()
}

/// The end of a step, or of what the host has done between two steps.
pub(super) fn end_changes(sides: &mut [ReferenceSide<'_>], is_step: bool) -> Result<(), String> {
    settle_all(sides);
    for side in sides.iter_mut() {
        for agent in side.leaving() {
            side.references[agent].die();
        }
    }
    deliver(&mut living(sides));
    for side in sides.iter_mut() {
        for agent in 0..side.references.len() {
            let mut groups = side.players[agent]
                .wanted
                .iter()
                .filter_map(|one| match one {
                    Change::Group(group) => Some(*group),
                    _ => None,
                });
            if let Some(group) = groups.next_back() {
                side.join_group(agent, group)?;
            }
        }
        for agent in side.leaving() {
            side.alive[agent] = false;
        }
    }
    if is_step {
        hand_out(&mut living(sides));
    }
    for side in 0..sides.len() {
        for agent in 0..sides[side].references.len() {
            for wanted in std::mem::take(&mut sides[side].players[agent].wanted) {
                if let Change::Spawn(program) = wanted {
                    let mut programs = sides.iter_mut();
                    let program = programs.find(|side| side.part.0 == program);
                    program.ok_or("an agent of no program is born")?.spawn()?;
                }
            }
        }
    }
    Ok(())
}

/// The writes to shared keys take effect, also for groups in which nobody is.
fn settle_all(sides: &mut [ReferenceSide<'_>]) {
    let (mut agents, mut keepers) = (Vec::new(), Vec::new());
    for side in sides.iter_mut() {
        agents.extend(side.references.iter_mut());
        keepers.extend(side.keepers.iter_mut());
    }
    agents.extend(keepers);
    settle(&mut agents);
}

/// Does what the host does between two ticks.
pub(super) fn carry_out(sides: &mut [ReferenceSide<'_>], what: &Done) -> Result<(), String> {
    match what {
        Done::Spawn(program) => sides[*program].spawn()?,
        Done::Change(program, agent, Change::Group(group)) => {
            sides[*program].join_group(*agent, *group)?;
        }
        Done::Change(program, agent, _) => {
            count_agents_between_ticks(&mut living(sides));
            let side = &mut sides[*program];
            side.references[*agent].remove(&mut side.players[*agent]);
            side.players[*agent].wanted = vec![Change::Remove];
            end_changes(sides, false)?;
        }
        Done::Send(event, values, whom) => {
            for (program, side) in sides.iter_mut().enumerate() {
                let Some(event) = side.behaviour.leaf_id(event) else {
                    continue;
                };
                for agent in 0..side.references.len() {
                    let reference = &mut side.references[agent];
                    let is_meant = match *whom {
                        Whom::World => true,
                        Whom::Group(group) => reference.group() == group,
                        Whom::Agent(of, index) => (of, index) == (program, agent),
                    };
                    if is_meant && side.alive[agent] {
                        reference.send(event, values);
                    }
                }
            }
        }
    }
    Ok(())
}

impl ReferenceSide<'_> {
    /// Adds what has happened to an agent.
    pub(super) fn note_done(&mut self, agent: usize) {
        let reference = &self.references[agent];
        let (events, valued) = &mut self.done[agent];
        events.extend(reference.events());
        valued.extend(reference.valued());
    }

    /// The agents that leave.
    fn leaving(&self) -> Vec<usize> {
        let leaves = |agent: &usize| {
            self.alive[*agent] && self.players[*agent].wanted.contains(&Change::Remove)
        };
        (0..self.references.len()).filter(leaves).collect()
    }

    /// After all agents were ticked: those who leave are aborted.
    pub(super) fn abort_leaving(&mut self) {
        for agent in self.leaving() {
            self.references[agent].remove(&mut self.players[agent]);
            self.note_done(agent);
        }
    }

    /// Moves an agent to a group, whose values it sees.
    fn join_group(&mut self, agent: usize, group: u32) -> Result<(), String> {
        let keeper = self.keepers.get(group as usize);
        let keeper = keeper.ok_or_else(|| format!("group {group} of {GROUPS}"))?;
        let reference = &mut self.references[agent];
        reference.set_group(group);
        for (index, key) in self.behaviour.keys().iter().enumerate() {
            if key.scope != Scope::Agent {
                let id = KeyId::new(index);
                let (value, age) = (keeper.keys()[index].clone(), keeper.age(id).clone());
                reference.see(id, value, age);
            }
        }
        Ok(())
    }

    /// An agent is born: at the lowest index of a dead one, or at the end.
    fn spawn(&mut self) -> Result<(), String> {
        let free = self.alive.iter().position(|is_alive| !is_alive);
        let index = free.unwrap_or(self.references.len());
        if index >= self.players.len() {
            return Err("too many agents are born".to_owned());
        }
        let generation = match free {
            Some(index) => self.references[index].handle() % (1 << 24) + 1,
            None => 1,
        };
        let handle = self.number << 52 | (index as u64) << 24 | generation;
        let now_ns = u64::try_from(self.now.as_nanos()).map_err(|error| error.to_string())?;
        let newborn = Reference::new(self.behaviour, self.part.1.seed, self.next_id)
            .with_handle(handle)
            .joining_at(self.tick, now_ns);
        self.next_id += 1;
        if free.is_some() {
            self.references[index] = newborn;
            self.alive[index] = true;
        } else {
            self.references.push(newborn);
            self.alive.push(true);
            self.done.push(Default::default());
        }
        self.join_group(index, 0)
    }
}
