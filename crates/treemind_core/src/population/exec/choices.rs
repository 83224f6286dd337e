//! Tests with branches, and switches: the branch that they leave is aborted before the other one starts.

use super::Exec;
use super::bits::{Bits, and, any, or, remove, without, zero};
use crate::fault::FaultKind;
use crate::program::op::{Again, Choice, Switch};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn choice_begin(&mut self, choice: &Choice) {
        let mut input = self.take(choice.input);
        if let Some(again) = &choice.again {
            let going = self.go_on_without_test(again, &input);
            remove(&mut input, &going);
            self.send(choice.then_input, &going);
        }
        self.send(choice.entered, &input);
        self.send(choice.test, &input);
    }

    /// The agents whose branch goes on.
    #[cold]
    fn go_on_without_test(&mut self, again: &Again, input: &Bits<W>) -> Bits<W> {
        let was = self.slots[again.goes_on as usize];
        let stale = self.stale(&was, input, again.reach);
        remove(&mut self.slots[again.goes_on as usize], &stale);
        and(&was, input)
    }

    pub(super) fn choose(&mut self, choice: &Choice) {
        let entered = self.take(choice.entered);
        let success = self.take(choice.success);
        let failure = self.take(choice.failure);
        let skipped = self.take(choice.skipped);
        let mut held = without(&entered, &or(&success, &failure));
        if choice.drop && any(&skipped) {
            self.abort(choice.then_range, &skipped);
            self.abort(choice.else_range, &skipped);
            remove(&mut held, &skipped);
        }
        let held = or(&held, &self.regs[choice.outer_held.0 as usize]);
        self.hold(choice.held, &held);
        match &choice.again {
            Some(again) => {
                self.put_aside(again.left, &failure);
                self.take_back(again.left as usize, &success);
                self.occupy(again.goes_on, &success);
            }
            None => {
                self.abort(choice.else_range, &success);
                self.abort(choice.then_range, &failure);
            }
        }
        self.send(choice.then_input, &success);
        self.send(choice.else_input, &failure);
        self.send(choice.passing, &skipped);
    }

    pub(super) fn choice_end(&mut self, choice: &Choice) {
        let skipped = self.take(choice.passing);
        self.skip(choice.out_skipped, &skipped);
        if let Some(again) = &choice.again {
            self.hand_on(again.answers, again.goes_on, &again.out);
        }
    }

    pub(super) fn switch(&mut self, switch: &Switch) {
        let input = self.take(switch.input);
        if !any(&input) {
            return;
        }
        let mut open = input;
        if switch.once {
            for (to, range) in &switch.children {
                let kept = and(&self.live(*range), &open);
                remove(&mut open, &kept);
                self.send(*to, &kept);
            }
        }
        let asked = open;
        let mut failure = zero();
        for (case, (to, _)) in switch.cases.iter().zip(&switch.children) {
            let mut chosen = zero();
            for word in 0..W {
                if open[word] != 0 {
                    let bad = self.evaluate(switch.node, *case, word, open[word]);
                    chosen[word] = self.stacks.mask() & open[word] & !bad;
                    failure[word] |= bad;
                    open[word] &= !(chosen[word] | bad);
                }
            }
            self.send(*to, &chosen);
        }
        match switch.children.get(switch.cases.len()) {
            Some((default, _)) => self.send(*default, &open),
            None => {
                failure = or(&failure, &open);
                for (word, &mask) in open.iter().enumerate() {
                    if switch.must_hold && mask != 0 {
                        self.fault(switch.node, &FaultKind::UnknownTree, word, mask);
                    }
                }
            }
        }
        for (to, range) in &switch.children {
            let chosen = self.regs[to.0 as usize];
            self.abort(*range, &without(&asked, &chosen));
        }
        self.send(switch.out_failure, &failure);
    }
}
