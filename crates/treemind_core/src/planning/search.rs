//! The cheapest list of steps to what a goal wants.

use super::desk::{Desk, NONE, Reached};
use super::{Cost, Domain, INFINITE, NoPlan, PartCode, Search, StepSet, all_hold};
use std::cmp::Reverse;

/// A rank as one number: the cost with the estimate, then the number of steps.
fn rank(reached: &Reached) -> u64 {
    (reached.cost + reached.estimate) << 8 | u64::from(reached.steps)
}

impl Domain {
    /// The first situation.
    pub(super) fn begin_wanted(&self, parts: &[PartCode], desk: &mut Desk) {
        self.price(parts, desk);
        let first = Reached {
            cost: 0,
            estimate: self.estimate(parts, &desk.next, &desk.prices),
            parent: NONE,
            steps: 0,
            step: 0,
            is_closed: false,
        };
        if let Err(at) = desk.find_next()
            && first.estimate != INFINITE
        {
            let node = desk.add_next(at, first);
            desk.open.push(Reverse((rank(&first), node)));
        }
    }

    /// Situations are looked at by rank, all of one rank together: those that they lead to are of a higher rank.
    pub(super) fn search_wanted(
        &self,
        parts: &[PartCode],
        left_out: StepSet,
        given: u32,
        desk: &mut Desk,
    ) -> Search {
        let limit = self.max_expansions.min(given);
        loop {
            if desk.looked_at == desk.batch.len() {
                if !next_batch(desk) {
                    let why = match desk.was_cut {
                        true => NoPlan::Limit,
                        false => NoPlan::None,
                    };
                    return Search::Nothing(why);
                }
                (desk.looked_at, desk.is_checked) = (0, false);
            }
            if !desk.is_checked {
                if desk.expansions > limit {
                    return self.over(given, desk);
                }
                if let Some(node) = self.goal_of_batch(parts, desk) {
                    desk.keep_plan(node);
                    let cost = desk.nodes[node as usize].cost;
                    return Search::Found { cost, method: 0 };
                }
                desk.is_checked = true;
            }
            while desk.looked_at < desk.batch.len() {
                let node = desk.batch[desk.looked_at];
                desk.looked_at += 1;
                desk.expansions += 1;
                match u32::from(desk.nodes[node as usize].steps) >= self.max_steps {
                    true => desk.was_cut = true,
                    false => self.expand(parts, left_out, node, desk),
                }
                if desk.expansions > limit && is_any_open(desk) {
                    return self.over(given, desk);
                }
            }
        }
    }

    /// One more expansion is needed than there may be, or than were given.
    fn over(&self, given: u32, desk: &mut Desk) -> Search {
        if given < self.max_expansions {
            return Search::Unfinished;
        }
        desk.expansions = self.max_expansions;
        Search::Nothing(NoPlan::Limit)
    }

    /// The price of each part: the least cost of the steps that give it.
    fn price(&self, parts: &[PartCode], desk: &mut Desk) {
        desk.prices.clear();
        for part in parts {
            let costs = part.given_by.iter().filter_map(|step| {
                let step = *step as usize;
                match &self.steps[step].cost {
                    Cost::Fixed(cost) => Some(*cost),
                    Cost::Bad => None,
                    Cost::Term(_, true) => Some(0),
                    Cost::Term(_, false) => self.cost(step, &desk.here),
                }
            });
            desk.prices.push(costs.min().unwrap_or(INFINITE));
        }
    }

    fn estimate(&self, parts: &[PartCode], situation: &[u64], prices: &[u64]) -> u64 {
        let lacking = parts.iter().zip(prices);
        let lacking = lacking.filter(|(part, _)| !all_hold(&part.holds, situation));
        lacking.map(|(_, price)| *price).max().unwrap_or(0)
    }

    /// The situation of the batch where everything holds, the first by its steps.
    fn goal_of_batch(&self, parts: &[PartCode], desk: &mut Desk) -> Option<u32> {
        let mut best: Option<u32> = None;
        for &node in &desk.batch {
            // Whatever lacks something has an estimate, unless it can be had for nothing.
            if desk.nodes[node as usize].estimate != 0 {
                continue;
            }
            let words = &desk.words[node as usize * desk.planned..][..desk.planned];
            desk.here[..words.len()].copy_from_slice(words);
            let is_met = parts.iter().all(|part| all_hold(&part.holds, &desk.here));
            let reached = desk.nodes[node as usize];
            let is_better = best.is_none_or(|best| {
                reached.parent != NONE && desk.comes_before((reached.parent, reached.step), best)
            });
            if is_met && is_better {
                best = Some(node);
            }
        }
        best
    }

    /// Applies each step that can be used.
    fn expand(&self, parts: &[PartCode], left_out: StepSet, node: u32, desk: &mut Desk) {
        let from = desk.nodes[node as usize];
        let planned = desk.planned;
        let start = node as usize * planned;
        desk.here[..planned].copy_from_slice(&desk.words[start..start + planned]);
        for (index, step) in self.steps.iter().enumerate() {
            if left_out.has(index) || !all_hold(&step.usable, &desk.here) {
                continue;
            }
            match planned {
                1 => desk.next[0] = desk.here[0],
                _ => desk.next[..planned].copy_from_slice(&desk.here[..planned]),
            }
            if !self.apply(index, &mut desk.next) {
                continue;
            }
            let Some(cost) = self.cost(index, &desk.here) else {
                desk.bad_costs.add(index);
                continue;
            };
            let reached = Reached {
                cost: from.cost + cost,
                estimate: 0,
                parent: node,
                steps: from.steps + 1,
                step: index as u8,
                is_closed: false,
            };
            self.reach(parts, reached, desk);
        }
    }

    /// Notes that a step leads to the next situation.
    fn reach(&self, parts: &[PartCode], reached: Reached, desk: &mut Desk) {
        match desk.find_next() {
            Ok(node) => {
                let known = desk.nodes[node as usize];
                let (new, old) = ((reached.cost, reached.steps), (known.cost, known.steps));
                let is_better = new < old
                    || new == old && desk.comes_before((reached.parent, reached.step), node);
                if known.is_closed || !is_better {
                    return;
                }
                let reached = Reached {
                    estimate: known.estimate,
                    ..reached
                };
                desk.nodes[node as usize] = reached;
                if new < old {
                    desk.open.push(Reverse((rank(&reached), node)));
                }
            }
            Err(at) => {
                let estimate = self.estimate(parts, &desk.next, &desk.prices);
                // From there, nothing leads to the goal. So that a search has a known size, it is not kept.
                if estimate == INFINITE {
                    return;
                }
                let reached = Reached {
                    estimate,
                    ..reached
                };
                let node = desk.add_next(at, reached);
                desk.open.push(Reverse((rank(&reached), node)));
            }
        }
    }
}

/// Takes all open situations of the lowest rank, and closes them. Returns whether there is one.
fn next_batch(desk: &mut Desk) -> bool {
    desk.batch.clear();
    let mut of = None;
    while let Some(&Reverse((key, node))) = desk.open.peek() {
        if of.is_some_and(|of| key != of) {
            break;
        }
        desk.open.pop();
        let reached = &mut desk.nodes[node as usize];
        // An entry from before a better way was found says another rank.
        if !reached.is_closed && rank(reached) == key {
            reached.is_closed = true;
            of = Some(key);
            desk.batch.push(node);
        }
    }
    of.is_some()
}

fn is_any_open(desk: &mut Desk) -> bool {
    while let Some(&Reverse((key, node))) = desk.open.peek() {
        let reached = &desk.nodes[node as usize];
        if !reached.is_closed && rank(reached) == key {
            return true;
        }
        desk.open.pop();
    }
    false
}
