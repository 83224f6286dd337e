//! Aborts because the program changes.

use super::Exec;
use super::bits::{Bits, add, and, any, set_lane, without, zero};
use crate::population::keeping::migration::{Cut, CutKind};
use crate::trace::Sink;

fn count<const W: usize>(set: &Bits<W>) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Aborts the runs of nodes that do not continue, and those around them that have nothing left to wait for.
    pub(in crate::population) fn cut(&mut self, cut: &mut Cut) {
        let alive = self.slots[0];
        for list in &cut.left_open {
            self.take_back(*list, &alive);
            self.let_go(*list, &alive);
        }
        let all = cut.nodes.len();
        let mut aborted: Vec<Bits<W>> = vec![zero(); all];
        for index in 0..all {
            let node = &cut.nodes[index];
            let is_topmost = node.parent.is_none_or(|parent| cut.nodes[parent].goes_on);
            if !node.goes_on && is_topmost {
                let live = self.live_below(cut, index, true);
                self.abort_below(cut, index, &live);
                aborted[index] = live;
                cut.nodes[index].changed += count(&live);
            }
        }
        // Children come after their parents.
        for index in (0..all).rev() {
            if cut.nodes[index].goes_on {
                let inside = aborted[index];
                aborted[index] = self.cut_around(cut, index, &inside);
            }
            if let Some(parent) = cut.nodes[index].parent {
                let set = aborted[index];
                if cut.nodes[parent].goes_on {
                    add(&mut aborted[parent], &set);
                }
            }
        }
    }

    /// Aborts a node that continues as far as it has to be: something was aborted in it for some agents. Returns the
    /// agents for which nothing is left of it.
    fn cut_around(&mut self, cut: &mut Cut, index: usize, inside: &Bits<W>) -> Bits<W> {
        match cut.nodes[index].kind {
            CutKind::Machine => {
                let lost = self.lost_in_machine(cut, index);
                self.abort_below(cut, index, &lost);
                cut.nodes[index].lost += count(&lost);
                lost
            }
            CutKind::Planner => zero(),
            CutKind::Plain | CutKind::Own if !any(inside) => zero(),
            kind => {
                let emptied = match kind {
                    CutKind::Own => *inside,
                    _ => without(inside, &self.live_below(cut, index, false)),
                };
                let mut open = zero();
                for slot in &cut.nodes[index].own_slots {
                    add(&mut open, &and(&self.slots[*slot as usize], &emptied));
                }
                self.abort_below(cut, index, &emptied);
                cut.nodes[index].emptied += count(&open);
                emptied
            }
        }
    }

    /// The agents whose machine cannot continue in the states in which it is.
    fn lost_in_machine(&self, cut: &Cut, index: usize) -> Bits<W> {
        let node = &cut.nodes[index];
        let mut lost = zero();
        for column in &node.lost_states {
            add(&mut lost, &self.column(*column));
        }
        if let Some(depth) = node.lost_stack {
            let run = self.call.run.read();
            let depths = run.narrow(depth).iter().enumerate();
            let stacked = depths.filter(|(_, depth)| **depth > 0);
            stacked.for_each(|(lane, _)| set_lane(&mut lost, lane));
        }
        let mut running = zero();
        for slot in &node.own_slots {
            add(&mut running, &self.slots[*slot as usize]);
        }
        and(&lost, &running)
    }

    /// The agents that run something below a node, or `with` the node itself.
    fn live_below(&self, cut: &Cut, index: usize, with: bool) -> Bits<W> {
        let node = &cut.nodes[index];
        let mut live = zero();
        for range in ranges_below(cut, index) {
            for slot in range {
                if with || !node.own_slots.contains(&slot) {
                    add(&mut live, &self.slots[slot as usize]);
                }
            }
        }
        live
    }

    /// Aborts everything below a node, and the node.
    fn abort_below(&mut self, cut: &Cut, index: usize, set: &Bits<W>) {
        if !any(set) {
            return;
        }
        for range in ranges_below(cut, index) {
            let range = crate::program::op::Range {
                start: range.start,
                end: range.end,
            };
            self.abort_between_ticks(range, set);
        }
    }
}

/// The slots of a node and of all below it. Some nodes have code in a place of its own.
fn ranges_below(cut: &Cut, index: usize) -> Vec<std::ops::Range<u32>> {
    let mut ranges = Vec::new();
    let mut inside = vec![false; cut.nodes.len()];
    inside[index] = true;
    for (below, node) in cut.nodes.iter().enumerate().skip(index) {
        inside[below] |= node.parent.is_some_and(|parent| inside[parent]);
        if inside[below] {
            ranges.extend(node.ranges.iter().map(|range| range.start..range.end));
        }
    }
    ranges
}
