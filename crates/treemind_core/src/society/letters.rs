//! Events that agents emit to agents of other populations.

use super::Society;
use crate::behaviour::{Audience, LeafKind};
use crate::population::Receivers;

impl Society {
    /// Finds out which populations know which events of others.
    pub(super) fn link_events(&mut self) {
        let members = self.members.iter().enumerate();
        let behaviours = members.filter_map(|(index, member)| {
            let member = member.as_ref()?;
            Some((index, member.population.program().behaviour()))
        });
        let behaviours: Vec<_> = behaviours.collect();
        let mut events = vec![Vec::new(); self.members.len()];
        for (index, behaviour) in &behaviours {
            let receivers = behaviour.leaves().iter().map(|leaf| {
                let known = behaviours.iter().filter_map(|(other, theirs)| {
                    let id = theirs.leaf_id(&leaf.name)?;
                    let is_event =
                        leaf.kind == LeafKind::Event && theirs.leaf(id).kind == leaf.kind;
                    is_event.then_some((*other, id))
                });
                known.collect()
            });
            events[*index] = receivers.collect();
        }
        self.events = events;
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
            for (letter, values) in post.iter() {
                let Some(source) = &self.members[from] else {
                    continue;
                };
                let Some(receivers) = source.population.receivers(letter) else {
                    continue;
                };
                for &(to, event) in &self.events[from][letter.event.index()] {
                    if to == from {
                        if let Some(source) = &mut self.members[from] {
                            let said = (event, letter.from());
                            source.population.receive_letter(receivers, said, values);
                        }
                    } else if receivers.to != Audience::Sender
                        && let Ok([Some(source), Some(target)]) =
                            self.members.get_disjoint_mut([from, to])
                    {
                        let params = &target.population.program().behaviour().leaf(event).params;
                        self.values.clear();
                        let values = values.iter().zip(params);
                        let values =
                            values.map(|(value, param)| source.translate(*value, param.ty));
                        self.values.extend(values);
                        let receivers = Receivers {
                            sender: None,
                            ..receivers
                        };
                        let population = &mut target.population;
                        population.receive_letter(receivers, (event, letter.from()), &self.values);
                    }
                }
            }
            post.clear();
            if let Some(source) = &mut self.members[from] {
                source.population.put_back_post(post);
            }
        }
    }
}
