//! Why a bid got no place of a semaphore.

use crate::evaluated::evaluated;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use treemind_core::behaviour::{Bidding, Scope, Semaphore};
use treemind_core::trace::Event;
use treemind_core::{Expr, NodeId, Outcome, SemaphoreId, Value};

impl Case<'_> {
    /// What a node bid in this tick, if it did.
    fn bid_now(&self, id: NodeId, bid: &Expr, at: usize) -> Option<f64> {
        let value = match bid {
            Expr::Value(value) => Some(*value),
            _ => evaluated(self.events, id, at).pop()?.result,
        };
        match value? {
            Value::Double(bid) => Some(bid.max(0.0)),
            _ => None,
        }
    }

    /// Whether something in a node was aborted in this tick.
    fn was_cut_inside(&self, id: NodeId) -> bool {
        let is_cut = |event: Event| matches!(event, Event::Abort | Event::Stop(Outcome::Aborted));
        let mut pending = self.node(id).children.clone();
        while let Some(inner) = pending.pop() {
            if self.events.of(inner).any(|(_, event, _)| is_cut(event)) {
                return true;
            }
            pending.extend(&self.node(inner).children);
        }
        false
    }

    /// That an agent had to give a place back, if it had to.
    pub(crate) fn lost_place(&self, id: NodeId, semaphore: &Semaphore) -> Option<Words> {
        semaphore.bidding?.hysteresis?;
        let semaphore = Words::code(&semaphore.name);
        self.was_cut_inside(id).then(|| say!(LostPlace, semaphore))
    }

    /// Why a semaphore cut off what was in it: its place went to a higher bid.
    pub(crate) fn why_lost(
        &self,
        (id, semaphore): (NodeId, SemaphoreId),
        bid: Option<&Expr>,
    ) -> Option<(Words, Vec<Told>)> {
        let one = &self.behaviour.semaphores()[semaphore.index()];
        let words = self.lost_place(id, one)?;
        let group = self.population.group(self.agent);
        let mut holders = self.population.holders(semaphore);
        holders.retain(|other| one.scope == Scope::World || self.population.group(*other) == group);
        let asked = bid.zip(self.events.answer(id));
        let compared = asked.and_then(|(bid, answer)| {
            self.compared_bid((id, semaphore), (bid, answer.at), &holders)
        });
        let compared = compared.map(|words| Told::about(id, words));
        Some((words, compared.into_iter().collect()))
    }

    /// How what a node bids compares with the bid of the weakest of these agents, who hold the places.
    pub(crate) fn compared_bid(
        &self,
        (id, semaphore): (NodeId, SemaphoreId),
        (bid, at): (&Expr, usize),
        holders: &[usize],
    ) -> Option<Words> {
        let bidding = self.behaviour.semaphores()[semaphore.index()].bidding?;
        let own = self.bid_now(id, bid, at)?;
        if own <= 0.0 {
            return Some(say!(BidsNothing));
        }
        let bids = holders.iter().filter_map(|agent| {
            let bid = self.population.bid(semaphore, *agent)?;
            Some((bid, *agent))
        });
        let (least, other) = bids.min_by(|one, two| one.0.total_cmp(&two.0))?;
        Some(said(own, (least, self.agent_name(other)), bidding))
    }
}

fn said(own: f64, (least, other): (f64, Words), bidding: Bidding) -> Words {
    let (bid, holds) = (number(own), number(least));
    if own < least {
        return say!(BidBelow, bid, least = holds, other);
    }
    match bidding.hysteresis {
        None => say!(BidIsTooLate, bid, least = holds, other),
        Some(hysteresis) if own > least + hysteresis => {
            say!(BidIsNext, bid, least = holds, other)
        }
        Some(hysteresis) => {
            let hysteresis = number(hysteresis);
            say!(BidIsNotEnough, bid, least = holds, other, hysteresis)
        }
    }
}

/// A number with up to three decimals.
pub(crate) fn number(number: f64) -> Words {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Words::plain(text)
}
