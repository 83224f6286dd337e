//! What happened at breakpoints, for a list on the page.

use crate::view::protocol::{Hit, Hits, Stopped};
use std::collections::VecDeque;
use treemind_explain::{Language, Words};

/// How many of the last hits are kept.
const MOST: usize = 200;

/// The last hits.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The latest one is the last.
    all: VecDeque<(Hit, Words)>,
    /// The number of the last hit.
    last: u64,
    /// Hits up to this number are not all there any more: a page that knows less begins anew.
    forgotten: u64,
}

impl Log {
    /// Takes in a hit. A tick that is played again happens only once.
    pub(super) fn note(&mut self, at: Stopped, what: Words, values: Vec<(String, String)>) {
        let is_same =
            |(old, _): &(Hit, Words)| (old.at.breakpoint, old.at.tick) == (at.breakpoint, at.tick);
        if self.all.iter().any(is_same) {
            return;
        }
        self.last += 1;
        let nth = self.last;
        self.all.push_back((Hit { nth, at, values }, what));
        if self.all.len() > MOST {
            self.all.pop_front();
        }
    }

    /// Forgets what happened after a tick.
    pub(super) fn forget_after(&mut self, tick: u64) {
        let before = self.all.len();
        self.all.retain(|(hit, _)| hit.at.tick <= tick);
        if self.all.len() < before {
            self.last += 1;
            self.forgotten = self.last;
        }
    }

    /// What is new to a page that knows the hits up to a number.
    pub(super) fn after(&self, nth: u64, language: Language) -> Hits {
        let is_all = nth < self.forgotten || nth > self.last;
        let fresh = self.all.iter();
        let fresh = fresh.filter(|(hit, _)| is_all || hit.nth > nth);
        let written = |(hit, what): &(Hit, Words)| {
            let mut hit = hit.clone();
            hit.at.text = what.written(language);
            hit
        };
        Hits {
            last: self.last,
            is_all,
            fresh: fresh.map(written).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u64) -> Stopped {
        Stopped {
            breakpoint: 1,
            tick,
            mind: 0,
            agents: 1,
            text: String::new(),
            line: None,
        }
    }

    fn ticks(hits: &Hits) -> Vec<u64> {
        hits.fresh.iter().map(|hit| hit.at.tick).collect()
    }

    #[test]
    fn a_page_gets_what_is_new_and_begins_anew_on_another_course() {
        let mut log = Log::default();
        for tick in [3, 9, 3] {
            log.note(at(tick), Words::Nothing, Vec::new());
        }
        assert_eq!(ticks(&log.after(0, Language::English)), [3, 9]);
        assert_eq!(ticks(&log.after(1, Language::English)), [9]);
        log.forget_after(5);
        let all = log.after(2, Language::English);
        assert_eq!((ticks(&all), all.is_all), (vec![3], true));
        let known = log.after(all.last, Language::English);
        assert_eq!((ticks(&known), known.is_all), (Vec::new(), false));
        log.note(at(7), Words::Nothing, Vec::new());
        assert_eq!(ticks(&log.after(all.last, Language::English)), [7]);
    }
}
