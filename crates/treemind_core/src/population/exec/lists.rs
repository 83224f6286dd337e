//! Lists with memory, the ends of lists, and random selectors.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, has_lane, or, remove, set_lane, without, zero};
use crate::chance::Draw;
use crate::host::Host;
use crate::program::op::{ListEnd, Mark, Random, Reg, Resume};
use crate::trace::Sink;

impl<const W: usize, H: Host, S: Sink> Exec<'_, W, H, S> {
    /// Sends every agent to the last of the children that has something live, or to the first child.
    pub(super) fn resume(&mut self, input: Reg, resume: &Resume) {
        let all = self.take(input);
        let mut rest = all;
        let (first, later) = resume.children.split_first().expect("a list has children");
        for child in later.iter().rev() {
            let live = and(&self.live(child.range), &all);
            let here = and(&live, &rest);
            remove(&mut rest, &here);
            self.hold(child.held, &without(&live, &here));
            self.send(child.input, &here);
        }
        if first.held != Reg::NONE {
            let live = and(&self.live(first.range), &all);
            self.hold(first.held, &without(&live, &rest));
        }
        self.unmark(resume.mark, &rest);
        self.send(first.input, &rest);
    }

    /// Says who is held.
    fn hold(&mut self, held: Reg, set: &Bits<W>) {
        if held != Reg::NONE {
            self.regs[held.0 as usize] = *set;
            self.holds |= any(set);
        }
    }

    pub(super) fn list_end(&mut self, end: &ListEnd) {
        let (mut go, stop, skipped) = (
            self.take(end.go),
            self.take(end.stop),
            self.take(end.skipped),
        );
        let mut all_skipped = zero();
        if any(&skipped) {
            all_skipped = match end.mark {
                Mark::None => zero(),
                Mark::Bits(index) => and(&skipped, &self.column(index)),
                Mark::Reg(reg) => and(&skipped, &self.regs[reg.0 as usize]),
            };
            add(&mut go, &without(&skipped, &all_skipped));
        }
        if let Mark::Reg(reg) = end.mark {
            self.take(reg);
        }
        let mut ended = or(&go, &stop);
        if !end.keep_open {
            add(&mut ended, &all_skipped);
        }
        self.abort(end.close, &ended);
        self.send(end.out_go, &go);
        self.send(end.out_stop, &stop);
        self.skip(end.out_skipped, &all_skipped);
    }

    pub(super) fn random_begin(&mut self, random: &Random) {
        self.regs[random.scope.0 as usize] = self.regs[random.outer_scope.0 as usize];
        self.wake(random.end);
        let mut fresh = self.take(random.input);
        for child in &random.children {
            let kept = and(&self.live(child.range), &fresh);
            remove(&mut fresh, &kept);
            self.send(child.input, &kept);
        }
        if any(&fresh) {
            for child in &random.children {
                remove(self.column_mut(child.tried), &fresh);
            }
            remove(self.column_mut(random.failed), &fresh);
            self.draw(random, &fresh);
        }
    }

    /// Answers whether the body has to be swept again.
    pub(super) fn random_end(&mut self, random: &Random) -> bool {
        let failure = self.take(random.failure);
        let skipped = self.take(random.skipped);
        self.take(random.scope);
        let next = or(&failure, &skipped);
        if !any(&next) {
            return false;
        }
        add(self.column_mut(random.failed), &failure);
        let mut untried: Bits<W> = zero();
        for child in &random.children {
            let tried = self.column(child.tried);
            add(&mut untried, &without(&next, &tried));
        }
        let exhausted = without(&next, &untried);
        if any(&exhausted) {
            let failed = and(&exhausted, &self.column(random.failed));
            self.send(random.out.failure, &failed);
            self.skip(random.out.skipped, &without(&exhausted, &failed));
        }
        self.draw(random, &untried);
        any(&untried)
    }

    /// Draws a child for each of the agents; each has one left.
    fn draw(&mut self, random: &Random, lanes: &Bits<W>) {
        for_each(lanes, |lane| {
            let is_left = |exec: &Self, tried| !has_lane(&exec.column(tried), lane);
            let left = random
                .children
                .iter()
                .filter(|child| is_left(self, child.tried))
                .count();
            let agent = self.first + lane;
            let draw = Draw {
                seed: self.moment.seed,
                agent: self.moment.ids.get(agent).copied().unwrap_or(agent as u64),
                node: random.node.index() as u32,
                tick: self.moment.tick,
                nth: self.counters.next(random.draws, lane),
            };
            let steps = draw.below(left as u32) as usize;
            let mut untried = random
                .children
                .iter()
                .filter(|child| is_left(self, child.tried));
            if let Some(child) = untried.nth(steps) {
                set_lane(self.column_mut(child.tried), lane);
                let mut one = zero();
                set_lane(&mut one, lane);
                self.send(child.input, &one);
            }
        });
    }
}
