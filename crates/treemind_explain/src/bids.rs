//! Why a bid got no place of a semaphore.

use crate::evaluated::evaluated;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::tick::TickEvents;
use crate::words::Words;
use treemind_core::behaviour::{Scope, Semaphore};
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, NodeId, Outcome, Place, SemaphoreId, Value};

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

    /// Whether something in a node was aborted in a tick.
    pub(crate) fn was_cut_inside(&self, events: &TickEvents, id: NodeId) -> bool {
        let is_cut = |event: Event| matches!(event, Event::Abort | Event::Stop(Outcome::Aborted));
        let mut pending = self.node(id).children.clone();
        while let Some(inner) = pending.pop() {
            if events.of(inner).any(|(_, event, _)| is_cut(event)) {
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
        self.was_cut_inside(self.events, id)
            .then(|| say!(LostPlace, semaphore))
    }

    /// Why a semaphore cut off what was in it: its place went to a higher bid.
    pub(crate) fn why_lost(
        &self,
        (id, semaphore): (NodeId, SemaphoreId),
        bid: Option<&Expr>,
    ) -> Option<(Words, Vec<Told>)> {
        let words = self.lost_place(id, &self.behaviour.semaphores()[semaphore.index()])?;
        let asked = bid.zip(self.events.answer(id));
        let compared = asked.map(|(bid, answer)| {
            let places = self.places(semaphore);
            self.compared_bid((id, semaphore), (bid, answer.at), &places)
        });
        let compared = compared.into_iter().flatten();
        let compared = compared.map(|words| Told::about(id, words));
        Some((words, compared.collect()))
    }

    /// The places of a semaphore after the tick that agents of this agent's group hold or ask for.
    pub(crate) fn places(&self, semaphore: SemaphoreId) -> Vec<Place> {
        let group = self.population.group(self.agent);
        let scope = self.behaviour.semaphores()[semaphore.index()].scope;
        let mut places = self.population.places(semaphore);
        places.retain(|one| scope == Scope::World || self.population.group(one.agent) == group);
        places
    }

    /// Who holds a place or asks for one: with the node, where an agent could do so at several.
    pub(crate) fn place_name(&self, semaphore: SemaphoreId, place: &Place) -> Words {
        let agent = self.agent_name(place.agent);
        let kinds = self.behaviour.nodes().iter().map(|node| &node.kind);
        let is_of = |kind: &&Kind| matches!(kind, Kind::Semaphore { semaphore: of, .. } if *of == semaphore);
        let nodes = kinds.filter(is_of).count();
        match nodes {
            0 | 1 => agent,
            _ => say!(NodeOf, node = self.name(place.node), agent),
        }
    }

    /// How what a node bids compares with the bids of those who hold the places and of those who ask for one, as they stand
    /// after the tick.
    pub(crate) fn compared_bid(
        &self,
        (id, semaphore): (NodeId, SemaphoreId),
        (bid, at): (&Expr, usize),
        places: &[Place],
    ) -> Vec<Words> {
        let Some(bidding) = self.behaviour.semaphores()[semaphore.index()].bidding else {
            return Vec::new();
        };
        let Some(own) = self.bid_now(id, bid, at) else {
            let fault = evaluated(self.events, id, at).pop();
            let fault = fault.and_then(|bid| bid.fault);
            let said = fault.map(|fault| say!(BidHasFault, fault = Words::wrong(&fault)));
            return said.into_iter().collect();
        };
        if own <= 0.0 {
            return vec![say!(BidsNothing)];
        }
        let holders = || places.iter().filter(|one| one.is_held);
        let name = |place: &Place| self.place_name(semaphore, place);
        let Some(hysteresis) = bidding.hysteresis else {
            let least = weakest(holders());
            let said = least.map(|(least, place)| {
                let (bid, holds, other) = (number(own), number(least), name(place));
                match own < least {
                    true => say!(BidBelow, bid, least = holds, other),
                    false => say!(BidIsTooLate, bid, least = holds, other),
                }
            });
            return said.into_iter().collect();
        };
        // Each of those who have to give their places back does so for one of those who ask: the highest bids come first.
        let mut line: Vec<&Place> = places.iter().filter(|one| !one.is_held).collect();
        line.sort_by(|one, two| {
            let order = |place: &Place| std::cmp::Reverse(place.asks_for_ticks);
            let bids = [one, two].map(|place| place.bid.unwrap_or(0.0));
            bids[1]
                .total_cmp(&bids[0])
                .then(order(one).cmp(&order(two)))
        });
        let leaving: Vec<&Place> = holders().filter(|one| one.is_outbid).collect();
        let own_turn = line
            .iter()
            .position(|one| one.agent == self.agent && one.node == id);
        if let Some(for_it) = own_turn.and_then(|turn| leaving.get(turn)) {
            let other = name(for_it);
            let bid = number(own);
            let exceeds = for_it.bid.filter(|least| own > least + hysteresis);
            return vec![match exceeds {
                Some(least) => say!(BidIsNext, bid, least = number(least), other),
                None => say!(GivesBack, other),
            }];
        }
        let staying = || holders().filter(|one| !one.is_outbid);
        let mut said = Vec::new();
        let compared = |(least, place): (f64, &Place)| {
            let (bid, holds, other) = (number(own), number(least), name(place));
            if own < least {
                say!(BidBelow, bid, least = holds, other)
            } else if own > least + hysteresis {
                say!(KeptByMinHold, bid, least = holds, other)
            } else {
                let hysteresis = number(hysteresis);
                say!(BidIsNotEnough, bid, least = holds, other, hysteresis)
            }
        };
        let is_kept = |(least, _): &(f64, &Place)| own > least + hysteresis;
        let can_lose = weakest(staying().filter(|one| !one.is_safe));
        let is_safe = weakest(staying().filter(|one| one.is_safe));
        match can_lose.filter(|one| !is_kept(one)) {
            Some(one) => {
                said.push(compared(one));
                said.extend(is_safe.filter(is_kept).map(compared));
            }
            None if can_lose.is_none() => said.extend(is_safe.map(compared)),
            None => {}
        }
        if let Some(turn) = own_turn
            && let Some(ahead) = leaving.len().checked_sub(1)
            && let Some(ahead) = line[..turn].get(ahead)
            && said.is_empty()
        {
            let bid = ahead.bid.unwrap_or(0.0);
            let (own, bid, other) = (number(own), number(bid), name(ahead));
            said.push(say!(BidIsBehind, bid = own, more = bid, other));
        }
        said
    }
}

/// The place with the lowest bid: of equals, the last, who loses it first.
fn weakest<'p>(places: impl Iterator<Item = &'p Place>) -> Option<(f64, &'p Place)> {
    let bids = places.filter_map(|place| Some((place.bid?, place)));
    bids.reduce(|least, one| if one.0 <= least.0 { one } else { least })
}

/// A number with up to three decimals.
pub(crate) fn number(number: f64) -> Words {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Words::plain(text)
}
