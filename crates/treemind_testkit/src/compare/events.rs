//! Compares the events of a tick, and checks them against what was predicted about each node.

use super::run::{Mismatch, Run};
use treemind_core::behaviour::Statuses;
use treemind_core::{Event, Kind, NodeId, Trace};

impl Run<'_> {
    pub(super) fn check_events(&mut self) -> Result<(), Box<Mismatch>> {
        let events: Vec<Vec<(NodeId, Event)>> = self
            .agents
            .iter()
            .map(|agent| {
                let agent = agent.as_ref();
                agent.map_or(Vec::new(), |agent| agent.reference.events().to_vec())
            })
            .collect();
        self.check_events_against(&events)
    }

    /// Compares the events of all leaves in their order, and those of every composite separately: the order of
    /// events below a composite that is dropped, relative to the composite's own answer, is not defined.
    pub(super) fn check_events_against(
        &self,
        wanted: &[Vec<(NodeId, Event)>],
    ) -> Result<(), Box<Mismatch>> {
        let given = split(&self.trace, wanted.len())
            .map_err(|what| self.mismatch(0, what, Vec::new(), Vec::new()))?;
        for (place, (given, wanted)) in given.iter().zip(wanted).enumerate() {
            self.check_answers(place, given)?;
            for of_leaves in [true, false] {
                let kept = |events: &[(NodeId, Event)]| {
                    let mut kept = events.to_vec();
                    kept.retain(|(node, _)| {
                        self.behaviour.node(*node).children.is_empty() == of_leaves
                    });
                    if !of_leaves {
                        // When something is aborted, its keys may be read in the tick of its answer. An own node may
                        // be stopped in that tick too.
                        kept.sort_by_key(|(node, event)| {
                            let kind = &self.behaviour.node(*node).kind;
                            let is_apart = match event {
                                Event::Fault | Event::Sense(_) => kind.reads_when_aborted(),
                                Event::Start | Event::Abort | Event::Stop(_) => {
                                    matches!(kind, Kind::Own { .. })
                                }
                                _ => false,
                            };
                            (node.index(), is_apart)
                        });
                    }
                    kept
                };
                if kept(given) != kept(wanted) {
                    let whose = if of_leaves { "leaves" } else { "composites" };
                    return Err(self.mismatch(
                        place,
                        format!("the events of {whose}"),
                        self.show_events(given),
                        self.show_events(wanted),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that every answer was predicted: lowering and the warnings of documents rely on that.
    fn check_answers(&self, place: usize, events: &[(NodeId, Event)]) -> Result<(), Box<Mismatch>> {
        for (node, event) in events {
            let (Event::Tick(status) | Event::Guard(status)) = event else {
                continue;
            };
            let foretold = self.summaries[node.index()].answers;
            if !foretold.has(Statuses::from(*status)) {
                let what = format!("#{} was not foretold to answer {status}", node.index());
                return Err(self.mismatch(place, what, self.show_events(events), Vec::new()));
            }
        }
        Ok(())
    }

    fn show_events(&self, events: &[(NodeId, Event)]) -> Vec<String> {
        let show = |(node, event): &(NodeId, Event)| {
            format!(
                "#{} {} {event:?}",
                node.index(),
                self.behaviour.label(*node)
            )
        };
        events.iter().map(show).collect()
    }
}

/// The events of each agent.
fn split(trace: &Trace, agents: usize) -> Result<Vec<Vec<(NodeId, Event)>>, String> {
    let mut events = vec![Vec::new(); agents];
    for record in trace.records() {
        let mut rest = record.mask;
        if rest == 0 {
            return Err(format!("an event without agents: {record:?}"));
        }
        while rest != 0 {
            let agent = record.word as usize * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let of_agent = events.get_mut(agent);
            let of_agent =
                of_agent.ok_or_else(|| format!("an event of agent {agent}: {record:?}"))?;
            of_agent.push((record.node, record.event));
        }
    }
    Ok(events)
}
