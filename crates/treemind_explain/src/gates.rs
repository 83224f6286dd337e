//! Why a decorator did not let its child continue.

use crate::evaluated::evaluated;
use crate::explanation::Reason;
use crate::facts::Case;
use treemind_core::behaviour::Scope;
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, NodeId, SemaphoreId, Status, Value};

/// How many holders of a semaphore are named.
const MOST_HOLDERS: usize = 5;

impl Case<'_> {
    /// Why a decorator answered by itself, without asking its child; `None` if the child decided.
    pub(crate) fn gate(&self, id: NodeId, status: Status, at: usize) -> Option<Reason> {
        let node = self.node(id);
        let asked = node
            .children
            .iter()
            .any(|child| self.events.status(*child).is_some());
        let name = self.name(id);
        let text = match &node.kind {
            Kind::Timeout { .. } if status == Status::Failure && !asked => {
                format!("the time of {name} is over")
            }
            Kind::RunOnce { .. } if !asked => format!("{name} has run, and runs once only"),
            _ if asked => return None,
            Kind::Limit { .. } => format!("{name} allows no more runs"),
            Kind::Cooldown { .. } => {
                let child = node.children.first();
                match child.and_then(|child| self.history.since(*child)) {
                    Some(since) => {
                        format!(
                            "{name} is not over: its child ran last in tick {}",
                            since.last
                        )
                    }
                    None => format!("{name} is not over"),
                }
            }
            Kind::Delay { .. } => format!("{name} is not over"),
            Kind::Chance { probability } => {
                let computed = evaluated(self.events, id, at)
                    .pop()
                    .and_then(|it| it.result);
                let probability = match probability {
                    Expr::Value(value) => Some(*value),
                    _ => computed,
                };
                match (self.drawn(id), probability) {
                    (Some(number), Some(Value::Double(wanted))) => {
                        format!("{name} drew {number:.3}, which is not below {wanted}")
                    }
                    _ => format!("{name} decided against it"),
                }
            }
            Kind::OnChange { key, .. } => {
                let key = &self.behaviour.key(*key).name;
                format!("`{key}` was not written since the last look of {name}")
            }
            Kind::Semaphore { semaphore, .. } => return Some(self.semaphore(id, *semaphore)),
            _ => return None,
        };
        Some(self.about(id, text))
    }

    /// The last number that a node drew in this tick.
    fn drawn(&self, id: NodeId) -> Option<f64> {
        let mut events = self.events.of(id).rev();
        events.find_map(|(_, event, value)| match (event, value) {
            (Event::Draw(_), Some(Value::Double(number))) => Some(number),
            _ => None,
        })
    }

    /// Who holds the places of a semaphore.
    fn semaphore(&self, id: NodeId, semaphore: SemaphoreId) -> Reason {
        let one = &self.behaviour.semaphores()[semaphore.index()];
        let name = &one.name;
        let reason = self.about(id, format!("the semaphore `{name}` gave it no place"));
        if one.scope == Scope::Agent {
            return reason;
        }
        let group = self.population.group(self.agent);
        let mut holders = self.population.holders(semaphore);
        if holders.contains(&self.agent) && self.is_open(id) {
            let text =
                format!("it asked the semaphore `{name}` for a place, and has one after the tick");
            return self.about(id, text);
        }
        holders.retain(|other| one.scope == Scope::World || self.population.group(*other) == group);
        if holders.is_empty() {
            // A shared place is given at the end of a tick; it may be free again by now.
            let text = "no agent of this population holds a place after the tick";
            return reason.because(vec![Reason::new(text)]);
        }
        let holders_in_all = holders.len();
        let more = holders_in_all.saturating_sub(MOST_HOLDERS);
        holders.truncate(MOST_HOLDERS);
        let named = holders.iter().map(|agent| self.agent_name(*agent));
        let mut named = named.collect::<Vec<String>>().join(", ");
        if more > 0 {
            named += &format!(" and {more} more");
        }
        let places = match one.places {
            1 => "its place is".to_owned(),
            places => format!("of its {places} places, {holders_in_all} are"),
        };
        let text = format!("after the tick, {places} held by {named}");
        reason.because(vec![Reason::new(text)])
    }
}
