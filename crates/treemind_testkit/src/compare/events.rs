//! Compares the events of a tick, and checks them against what was predicted about each node.

use super::run::{Mismatch, Run};
use super::same_value;
use crate::generate::Case;
use crate::reference::{Happening, Reference};
use treemind_core::behaviour::Statuses;
use treemind_core::{Event, Kind, Trace};

impl Run<'_> {
    pub(super) fn check_events(&mut self) -> Result<(), Box<Mismatch>> {
        let with_values = self.trace.has_values();
        let events: Vec<Vec<Happening>> = self
            .agents
            .iter()
            .map(|agent| {
                let agent = agent.as_ref();
                agent.map_or(Vec::new(), |agent| {
                    happenings(&agent.reference, with_values)
                })
            })
            .collect();
        self.check_events_against(&events)
    }

    /// Compares the events of all leaves in their order, and those of every composite separately: the order of
    /// events below a composite that is dropped, relative to the composite's own answer, is not defined.
    pub(super) fn check_events_against(
        &self,
        wanted: &[Vec<Happening>],
    ) -> Result<(), Box<Mismatch>> {
        let given = split(&self.trace, wanted.len())
            .map_err(|what| self.mismatch(0, what, Vec::new(), Vec::new()))?;
        for (place, (given, wanted)) in given.iter().zip(wanted).enumerate() {
            self.check_answers(place, given)?;
            for of_leaves in [true, false] {
                let kept = |events: &[Happening]| {
                    let mut kept = events.to_vec();
                    // The reference does not say what the host writes. It is compared with what a recording plays.
                    kept.retain(|(node, event, _)| {
                        !matches!(event, Event::HostSet(_) | Event::HostUnset(_))
                            && self.behaviour.node(*node).children.is_empty() == of_leaves
                    });
                    if !of_leaves {
                        // When something is aborted, its keys may be read in the tick of its answer. An own node may
                        // be stopped in that tick too.
                        kept.sort_by_key(|(node, event, _)| {
                            let kind = &self.behaviour.node(*node).kind;
                            let is_apart = match event {
                                Event::Fault
                                | Event::Sense(_)
                                | Event::Read(_)
                                | Event::Time(_)
                                | Event::Result
                                | Event::Draw(_)
                                | Event::Set(_) => kind.reads_when_aborted(),
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
                if !same_events(&kept(given), &kept(wanted)) {
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
    fn check_answers(&self, place: usize, events: &[Happening]) -> Result<(), Box<Mismatch>> {
        for (node, event, _) in events {
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

    fn show_events(&self, events: &[Happening]) -> Vec<String> {
        let show = |(node, event, value): &Happening| {
            let value = value.map_or(String::new(), |value| format!(" {value:?}"));
            format!(
                "#{} {} {event:?}{value}",
                node.index(),
                self.behaviour.label(*node)
            )
        };
        events.iter().map(show).collect()
    }
}

/// Every second case is compared with values.
pub(super) fn trace_of(case: &Case) -> Trace {
    match case.seed.is_multiple_of(2) {
        true => Trace::with_values(),
        false => Trace::new(),
    }
}

/// What a reference did in its last tick, as a trace has it.
pub(super) fn happenings(reference: &Reference<'_>, with_values: bool) -> Vec<Happening> {
    if with_values {
        return reference.valued().to_vec();
    }
    let events = reference.events().iter();
    events.map(|(node, event)| (*node, *event, None)).collect()
}

pub(super) fn same_events(left: &[Happening], right: &[Happening]) -> bool {
    let same = |(left, right): (&Happening, &Happening)| {
        let same_values = match (left.2, right.2) {
            (Some(left), Some(right)) => same_value(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        (left.0, left.1) == (right.0, right.1) && same_values
    };
    left.len() == right.len() && left.iter().zip(right).all(same)
}

/// The events of each agent.
fn split(trace: &Trace, agents: usize) -> Result<Vec<Vec<Happening>>, String> {
    let events = (0..agents)
        .map(|agent| trace.valued(agent).collect())
        .collect();
    for record in trace.records() {
        let mut rest = record.mask;
        if rest == 0 {
            return Err(format!("an event without agents: {record:?}"));
        }
        while rest != 0 {
            let agent = record.word as usize * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if agent >= agents {
                return Err(format!("an event of agent {agent}: {record:?}"));
            }
        }
    }
    Ok(events)
}
