//! Rules: which fire, and what becomes of their tasks.

use super::Exec;
use super::bits::{Bits, and, any, or, without};
use crate::program::op::{RuleOp, RuleTaskOp};
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Looks at a rule, and then at the rules after it until one fires: those before it change nothing for the agents.
    pub(super) fn rule(&mut self, rules: &[RuleOp], first: u32) {
        let mut rule = &rules[first as usize];
        let (unfired, fired) = (self.take(rule.unfired), self.take(rule.fired));
        let asked = or(&unfired, &fired);
        if !any(&asked) {
            return;
        }
        // A single agent may be a token, which goes on only where this very instruction sends it.
        let are_several = asked.iter().map(|word| word.count_ones()).sum::<u32>() > 1;
        let fires = loop {
            let fires = self.fires(rule, &asked);
            match rule.next {
                Some(next) if are_several && !any(&fires) => rule = &rules[next as usize],
                _ => break fires,
            }
        };
        self.record_all(rule.node, Event::Fire(rule.number), &fires);
        self.send(rule.task, &fires);
        self.send(rule.firing, &fires);
        self.send(rule.next_unfired, &without(&unfired, &fires));
        self.send(rule.next_fired, &without(&fired, &fires));
    }

    /// For whom a rule fires.
    #[inline(always)]
    fn fires(&mut self, rule: &RuleOp, asked: &Bits<W>) -> Bits<W> {
        let (mut fires, _) = self.ask_guard(rule.node, rule.when, asked);
        let held = self.call.run.bits_mut(rule.held);
        for (word, fires) in fires.iter_mut().enumerate() {
            let (active, holds) = (asked[word], *fires);
            if !rule.again {
                *fires &= !held[word];
            }
            held[word] = held[word] & !active | holds;
        }
        if let Some(until) = rule.until {
            fires = and(&fires, &self.past(until, &fires));
        }
        fires
    }

    /// A task of a rule was ticked: what is still open in it is aborted, and the next one follows.
    pub(super) fn rule_task(&mut self, task: &RuleTaskOp) {
        self.take(task.answered);
        let firing = self.take(task.firing);
        if !any(&firing) {
            return;
        }
        if !task.range.is_empty() {
            self.abort(task.range, &firing);
        }
        if let Some((secs, until)) = task.cooling {
            let failed = self.set_times(task.node, secs, until, &firing);
            let times = self.call.run.wide_mut(until);
            super::bits::for_each(&failed, |lane| times[lane] = 0);
        }
        self.send(task.next, &firing);
        if let Some(next) = task.next_firing {
            self.send(next, &firing);
        }
    }
}
