//! Parallels. The numbers of successes, failures and skipped children of an agent are kept as bits in registers,
//! one register per power of two, and counted for all agents at once.

use super::Exec;
use super::bits::{Bits, and, any, or, remove, without, zero};
use crate::program::op::{Parallel, ParallelChild, Quorum, Range, Reg};
use crate::trace::Sink;

const SUCCESSES: usize = 0;
const FAILURES: usize = 1;
const SKIPPED: usize = 2;

/// Enough powers of two for three counts of `u32` added.
const MAX_PLANES: usize = 34;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn parallel_begin(&mut self, parallel: &Parallel) {
        let input = self.take(parallel.input);
        if let Some(between) = parallel.between {
            let was = self.slots[between as usize];
            let stale = self.stale(&was, &input, parallel.reach);
            remove(&mut self.slots[between as usize], &or(&stale, &input));
            // Those that come in go back there when the children have had their turn.
            self.stir(&or(&stale, &without(&input, &was)));
        }
        self.regs[parallel.current.0 as usize] = input;
        self.regs[parallel.all_skipped.0 as usize] = input;
        if !any(&input) {
            return;
        }
        for place in &parallel.places {
            self.wake(*place);
        }
        for child in &parallel.children {
            if let Some([success, failure]) = child.done {
                let success = and(&self.slots[success as usize], &input);
                let failure = and(&self.slots[failure as usize], &input);
                self.count(parallel, SUCCESSES, success);
                self.count(parallel, FAILURES, failure);
            }
        }
    }

    pub(super) fn parallel_enter(&mut self, parallel: &Parallel, child: &ParallelChild) {
        let mut input = self.regs[parallel.current.0 as usize];
        if let Some(done) = child.done {
            for slot in done {
                // A parallel that was not reached, or has answered, forgets which children had finished.
                let finished = self.slots[slot as usize];
                let stale = self.stale(&finished, &input, parallel.reach);
                self.slots[slot as usize] = without(&finished, &stale);
                self.stir(&stale);
                remove(&mut input, &finished);
            }
        }
        self.send(child.input, &input);
    }

    pub(super) fn parallel_check(&mut self, parallel: &Parallel, index: usize) {
        let child = &parallel.children[index];
        let success = self.take(child.success);
        let failure = self.take(child.failure);
        let skipped = self.take(child.skipped);
        let current = self.regs[parallel.current.0 as usize];
        if !any(&current) {
            return;
        }
        if let Some([success_slot, failure_slot]) = child.done {
            self.stir(&or(&success, &failure));
            self.occupy(success_slot, &success);
            self.occupy(failure_slot, &failure);
        }
        if child.is_task {
            self.count(parallel, SUCCESSES, success);
            self.count(parallel, SKIPPED, skipped);
        }
        self.count(parallel, FAILURES, failure);
        let all_skipped = and(&self.regs[parallel.all_skipped.0 as usize], &skipped);
        self.regs[parallel.all_skipped.0 as usize] = all_skipped;
        if parallel.to_the_end.is_some() {
            return;
        }
        let is_last = index + 1 == parallel.children.len();
        if parallel.at_end && !is_last {
            return;
        }
        let (succeeded, failed) = self.decide(parallel, &current, &all_skipped, is_last);
        let decided = or(&succeeded, &failed);
        if any(&decided) {
            self.abort(child.upto, &decided);
            remove(&mut self.regs[parallel.current.0 as usize], &decided);
            self.send(parallel.out.success, &succeeded);
            self.send(parallel.out.failure, &failed);
        }
    }

    fn decide(
        &self,
        parallel: &Parallel,
        current: &Bits<W>,
        all_skipped: &Bits<W>,
        is_last: bool,
    ) -> (Bits<W>, Bits<W>) {
        let reached = |exec: &Self, quorum, what| match quorum {
            Quorum::Count(count) => exec.at_least(parallel, &[what], count),
            Quorum::Exactly(count) => without(
                &exec.at_least(parallel, &[what], count),
                &exec.at_least(parallel, &[what], count + 1),
            ),
            Quorum::PresentEvenNone(count) => exec.at_least(parallel, &[what, SKIPPED], count),
            Quorum::Present(_) if parallel.tasks == 0 && !is_last => zero(),
            Quorum::Present(count) => without(
                &exec.at_least(parallel, &[what, SKIPPED], count),
                all_skipped,
            ),
        };
        let mut succeeded = and(current, &reached(self, parallel.success, SUCCESSES));
        let hopeless = self.at_least(parallel, &[FAILURES], parallel.spare_failures + 1);
        let failed = or(&reached(self, parallel.failure, FAILURES), &hopeless);
        let mut failed = and(current, &failed);
        if parallel.watching {
            remove(&mut succeeded, &failed);
        } else {
            remove(&mut failed, &succeeded);
        }
        (succeeded, failed)
    }

    pub(super) fn parallel_end(&mut self, parallel: &Parallel) {
        let current = self.take(parallel.current);
        let skipped = and(&self.take(parallel.all_skipped), &current);
        if let Some(max_failures) = parallel.to_the_end {
            self.end_all(parallel, max_failures, &without(&current, &skipped));
        }
        for first in parallel.counts {
            for plane in 0..parallel.planes {
                self.take(Reg(first.0 + plane));
            }
        }
        if let Some(between) = parallel.between {
            self.occupy(between, &without(&current, &skipped));
        }
        if any(&skipped) {
            if parallel.drop {
                let last = parallel
                    .children
                    .last()
                    .map_or(Range::default(), |child| child.upto);
                self.abort(last, &skipped);
            }
            self.skip(parallel.out.skipped, &skipped);
        }
    }

    /// All children have been ticked: checks whether the parallel ends.
    fn end_all(&mut self, parallel: &Parallel, max_failures: u32, lanes: &Bits<W>) {
        let all = [SUCCESSES, FAILURES, SKIPPED];
        let ended = and(lanes, &self.at_least(parallel, &all, parallel.tasks));
        if any(&ended) {
            let failed = and(&ended, &self.at_least(parallel, &[FAILURES], max_failures));
            let last = parallel
                .children
                .last()
                .map_or(Range::default(), |child| child.upto);
            self.abort(last, &ended);
            self.send(parallel.out.failure, &failed);
            self.send(parallel.out.success, &without(&ended, &failed));
        }
    }

    /// Adds one to a count of each agent in the set.
    fn count(&mut self, parallel: &Parallel, what: usize, set: Bits<W>) {
        let first = parallel.counts[what].0;
        let mut carry = set;
        for plane in first..first + parallel.planes {
            if !any(&carry) {
                return;
            }
            let plane = &mut self.regs[plane as usize];
            let next = and(plane, &carry);
            *plane = std::array::from_fn(|word| plane[word] ^ carry[word]);
            carry = next;
        }
    }

    /// The agents for which the sum of some counts is at least the given number.
    fn at_least(&self, parallel: &Parallel, counts: &[usize], least: u32) -> Bits<W> {
        let planes = parallel.planes as usize;
        std::array::from_fn(|word| {
            let mut sum = [0u64; MAX_PLANES];
            for &count in counts {
                let first = parallel.counts[count].0 as usize;
                let mut carry = 0;
                for (plane, sum) in sum[..planes + 2].iter_mut().enumerate() {
                    let bits = if plane < planes {
                        self.regs[first + plane][word]
                    } else {
                        0
                    };
                    let old = *sum;
                    *sum = old ^ bits ^ carry;
                    carry = old & bits | carry & (old | bits);
                }
            }
            // From the highest power down: more so far, or equal so far.
            let (mut more, mut equal) = (0, u64::MAX);
            for plane in (0..planes + 2).rev() {
                let wanted = if u64::from(least) >> plane & 1 == 1 {
                    u64::MAX
                } else {
                    0
                };
                more |= equal & sum[plane] & !wanted;
                equal &= !(sum[plane] ^ wanted);
            }
            more | equal
        })
    }
}
