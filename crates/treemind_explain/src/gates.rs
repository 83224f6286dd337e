//! Why a decorator did not let its child continue.

use crate::evaluated::evaluated;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::{Join, Words};
use treemind_core::behaviour::Scope;
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, NodeId, Place, SemaphoreId, Status, Value};

/// How many holders of a semaphore are named.
const MOST_HOLDERS: usize = 5;

impl Case<'_> {
    /// Why a decorator answered by itself, without asking its child; `None` if the child decided.
    pub(crate) fn gate(&self, id: NodeId, status: Status, at: usize) -> Option<Told> {
        let node = self.node(id);
        let asked = node
            .children
            .iter()
            .any(|child| self.events.status(*child).is_some());
        let name = self.name(id);
        let words = match &node.kind {
            Kind::Timeout { .. } if status == Status::Failure && !asked => {
                say!(TimeIsOver, name)
            }
            Kind::RunOnce { .. } if !asked => say!(RunsOnce, name),
            _ if asked => return None,
            Kind::Limit { .. } => say!(NoMoreRuns, name),
            Kind::Cooldown { .. } => {
                let child = node.children.first();
                match child.and_then(|child| self.history.since(*child)) {
                    Some(since) => say!(CoolsDown, name, tick = Words::Tick(since.last)),
                    None => say!(IsNotOver, name, since = Words::Nothing),
                }
            }
            Kind::Delay { .. } => say!(IsNotOver, name, since = Words::Nothing),
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
                        let number = Words::plain(format!("{number:.3}"));
                        say!(DrewTooMuch, name, number, wanted = Words::plain(wanted))
                    }
                    _ => say!(DecidedAgainst, name),
                }
            }
            Kind::OnChange { key, .. } => {
                let key = Words::code(&self.behaviour.key(*key).name);
                say!(WasNotWrittenSince, key, name)
            }
            Kind::Semaphore { semaphore, bid, .. } => {
                let bid = bid.as_ref().map(|bid| (bid, at));
                return Some(self.semaphore(id, *semaphore, bid));
            }
            _ => return None,
        };
        Some(Told::about(id, words))
    }

    /// The last number that a node drew in this tick.
    fn drawn(&self, id: NodeId) -> Option<f64> {
        let mut events = self.events.of(id).rev();
        events.find_map(|(_, event, value)| match (event, value) {
            (Event::Draw(_), Some(Value::Double(number))) => Some(number),
            _ => None,
        })
    }

    /// Who holds the places of a semaphore. `bid`: what the node bids, and the event of its answer.
    fn semaphore(&self, id: NodeId, semaphore: SemaphoreId, bid: Option<(&Expr, usize)>) -> Told {
        let one = &self.behaviour.semaphores()[semaphore.index()];
        let name = Words::code(&one.name);
        let lost = self.lost_place(id, one);
        let is_lost = lost.is_some();
        let told = lost.unwrap_or_else(|| say!(NoPlace, semaphore = name.clone()));
        let told = Told::about(id, told);
        if one.scope == Scope::Agent {
            return told;
        }
        let places = self.places(semaphore);
        let is_own = |place: &Place| place.is_held && place.agent == self.agent && place.node == id;
        if places.iter().any(is_own) && self.is_open(id) && !is_lost {
            return Told::about(id, say!(HasPlaceAfter, semaphore = name));
        }
        let holders: Vec<&Place> = places.iter().filter(|place| place.is_held).collect();
        if holders.is_empty() {
            // A shared place is given at the end of a tick; it may be free again by now.
            return told.because(vec![Told::new(say!(NobodyHolds))]);
        }
        let compared = match bid {
            Some(bid) if !holders.iter().any(|place| is_own(place)) => {
                self.compared_bid((id, semaphore), bid, &places)
            }
            _ => Vec::new(),
        };
        let holders_in_all = holders.len();
        let more = holders_in_all.saturating_sub(MOST_HOLDERS);
        let named = holders.iter().take(MOST_HOLDERS);
        let named = named.map(|place| self.place_name(semaphore, place));
        let mut holders = Words::several(Join::Names, named);
        if more > 0 {
            let more = Words::plain(more);
            holders = say!(NamesAndMore, names = holders, more);
        }
        let words = match one.places {
            1 => say!(PlaceHeld, holders),
            places => {
                let (places, taken) = (Words::plain(places), Words::plain(holders_in_all));
                say!(PlacesHeld, places, taken, holders)
            }
        };
        let compared = compared.into_iter().map(Told::new);
        told.because([Told::new(words)].into_iter().chain(compared).collect())
    }
}
