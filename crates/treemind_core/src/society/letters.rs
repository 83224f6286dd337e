//! Events that agents emit to agents of other populations.

use super::{PopulationId, Society};
use crate::behaviour::LeafKind;
use crate::host::outbox::{Addressee, Emitted, Letter};
use crate::population::Receivers;
use crate::value::Value;

impl Society {
    /// Finds out which populations wait for which events of others.
    pub(super) fn link_events(&mut self) {
        let members = self.members.iter().enumerate();
        let programs = members.filter_map(|(index, member)| {
            let member = member.as_ref()?;
            Some((index, member.population.program()))
        });
        let programs: Vec<_> = programs.collect();
        let mut events = vec![Vec::new(); self.members.len()];
        for (index, program) in &programs {
            let receivers = program.behaviour().leaves().iter().map(|leaf| {
                let known = programs.iter().filter_map(|(other, theirs)| {
                    let id = theirs.behaviour().leaf_id(&leaf.name)?;
                    let is_event = leaf.kind == LeafKind::Event;
                    (is_event && theirs.waits_for(id)).then_some((*other, id))
                });
                known.collect()
            });
            events[*index] = receivers.collect();
        }
        self.events = events;
    }

    /// What agents have emitted with `to`, in the order in which it was delivered: in the last step, and in aborts and
    /// removals since then. A population that has done something since keeps only that.
    pub fn emitted(&self) -> impl Iterator<Item = (PopulationId, Emitted<'_>)> {
        self.ids().flat_map(|id| {
            let emitted = self.population(id).emitted();
            emitted.map(move |emitted| (id, emitted))
        })
    }

    /// Delivers what agents have emitted to others since the last delivery.
    pub(super) fn deliver_letters(&mut self) {
        let mut members = self.members.iter().flatten();
        if !members.any(|member| member.population.has_post()) {
            return;
        }
        for member in self.members_mut() {
            member.population.begin_delivery();
        }
        for from in 0..self.members.len() {
            let Some(source) = &mut self.members[from] else {
                continue;
            };
            let mut post = source.population.take_post();
            for (letter, values) in post.pending().filter(|(letter, _)| letter.to.is_some()) {
                let received = self.deliver_letter(from, letter, values);
                self.delivery.note(received);
            }
            post.set_delivered();
            if let Some(source) = &mut self.members[from] {
                source.population.put_back_post(post);
            }
        }
    }

    /// Delivers a letter of a population. Returns how often there was room.
    fn deliver_letter(&mut self, from: usize, letter: Letter, values: &[Value]) -> usize {
        let receivers_in = |index: usize| {
            let member = self.members.get(index)?.as_ref()?;
            member.population.receivers(letter)
        };
        // An agent can be in another population; groups and the world are those of the sender.
        let only = match letter.to {
            Some(Addressee::Agent(agent)) => Some(agent.population().index()),
            Some(Addressee::Sender) => Some(from),
            _ => None,
        };
        let Some(receivers) = receivers_in(only.unwrap_or(from)) else {
            return 0;
        };
        let others = match receivers {
            Receivers::One(agent) => Receivers::One(agent),
            Receivers::Group(group, _) => Receivers::Group(group, None),
            Receivers::World(_) => Receivers::World(None),
        };
        let mut received = 0;
        let meant = self.events[from][letter.event.index()].iter();
        for &(to, event) in meant.filter(|(to, _)| only.is_none_or(|only| only == *to)) {
            let said = (event, letter.from());
            if to == from {
                if let Some(source) = &mut self.members[from] {
                    received += source.population.receive_letter(receivers, said, values);
                }
            } else if let Ok([Some(source), Some(target)]) =
                self.members.get_disjoint_mut([from, to])
            {
                let params = &target.population.program().behaviour().leaf(event).params;
                self.values.clear();
                let values = values.iter().zip(params);
                let values = values.map(|(value, param)| source.translate(*value, param.ty));
                self.values.extend(values);
                let population = &mut target.population;
                received += population.receive_letter(others, said, &self.values);
            }
        }
        received
    }
}
