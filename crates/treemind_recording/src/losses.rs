//! What is missing in a recording, in sentences.

use crate::runs::Run;
use crate::scan::Scan;
use crate::source::Span;
use std::ops::RangeInclusive;

/// How the file is, whose recording it is.
pub(crate) struct Damage<'d> {
    spans: &'d [Span],
    /// For each of them, whether it follows on another recording in the file.
    of_others: Vec<bool>,
    /// How many bytes at the end of the file are not whole.
    cut_bytes: u64,
    is_finished: bool,
    misses_chunks: bool,
}

impl<'d> Damage<'d> {
    pub(crate) fn of(scan: &'d Scan<'_>, length: u64, of_others: Vec<bool>) -> Self {
        Self {
            spans: &scan.damaged,
            of_others,
            cut_bytes: length - scan.whole,
            is_finished: scan.is_finished,
            misses_chunks: scan.misses_chunks,
        }
    }
}

impl Run {
    /// Says what is missing: ticks first, and which bytes are to blame.
    pub(crate) fn note_losses(&mut self, damage: &Damage<'_>) {
        let gaps = self.gaps();
        let mut causes: Vec<Vec<&Span>> = vec![Vec::new(); gaps.len()];
        let (mut harmless, mut behind) = (Vec::new(), Vec::new());
        for (span, is_of_other) in damage.spans.iter().zip(&damage.of_others) {
            let lost = self.lost_in(span);
            // Without the state that they begin with, ticks cannot be played.
            let gap = gaps.iter().position(|gap| gap.contains(lost.start()));
            let gap = gap.or_else(|| gaps.iter().position(|gap| overlap(gap, &lost)));
            match gap {
                Some(gap) => causes[gap].push(span),
                None if *is_of_other => {}
                // Nobody knows which ticks came there.
                None if self.end.is_none() && self.is_behind_all(span) => behind.push(span),
                None => harmless.push(span),
            }
        }
        let mut losses = Vec::new();
        for (gap, spans) in gaps.iter().zip(&causes) {
            let mut text = missing(gap) + &self.times(gap);
            if !spans.is_empty() {
                text = format!("{text}: {}", damaged(spans));
            }
            losses.push(text);
        }
        if !harmless.is_empty() {
            losses.push(format!("no ticks are missing, but {}", damaged(&harmless)));
        }
        losses.extend(self.missing_end(damage, &behind));
        losses.extend(self.missing_messages());
        if losses.is_empty() && damage.misses_chunks {
            let text = "the recording is damaged, and some of it may be missing";
            losses.push(text.to_owned());
        }
        self.losses = losses;
        self.missing = gaps.iter().map(|gap| gap.end() + 1 - gap.start()).sum();
    }

    /// The ticks that cannot be played, although there are later ones or the recording says that they were there.
    fn gaps(&self) -> Vec<RangeInclusive<u64>> {
        let mut gaps = Vec::new();
        let mut next = self.begin() + 1;
        for stretch in &self.stretches {
            if next < *stretch.start() {
                gaps.push(next..=stretch.start() - 1);
            }
            next = stretch.end() + 1;
        }
        let found = self.ticks.iter().map(|ticks| ticks.last()).max();
        let states = self.states.last().map(|state| state.tick);
        let said = self.end.as_ref().map(|end| end.last);
        let last = found.max(said).max(states).unwrap_or(0);
        if next <= last {
            gaps.push(next..=last);
        }
        gaps
    }

    /// The ticks that damaged bytes held, as far as what is around them tells.
    fn lost_in(&self, span: &Span) -> RangeInclusive<u64> {
        let before = self.ticks.iter().filter(|one| one.span.start < span.start);
        let before = before.max_by_key(|one| one.span.start);
        let behind = self.ticks.iter().filter(|one| one.span.start >= span.end);
        let behind = behind.min_by_key(|one| one.span.start);
        let first = before.map_or(self.begin(), |one| one.last()) + 1;
        let last = match (behind, &self.end) {
            (Some(behind), _) => behind.first.saturating_sub(1),
            (None, Some(end)) => end.last,
            (None, None) => 0,
        };
        first..=last
    }

    fn is_behind_all(&self, span: &Span) -> bool {
        let mut ends = self.ticks.iter().map(|ticks| ticks.span.end);
        ends.all(|end| end <= span.start)
    }

    /// When the ticks began and ended, if that is known.
    fn times(&self, gap: &RangeInclusive<u64>) -> String {
        let begin = self.now_ns(gap.start() - 1);
        match begin.zip(self.now_ns(*gap.end())) {
            Some((begin, end)) => format!(" ({} to {})", secs(begin), secs(end)),
            None => String::new(),
        }
    }

    /// A recording that was not finished, or whose file is cut off.
    fn missing_end(&self, damage: &Damage<'_>, behind: &[&Span]) -> Option<String> {
        let cut = match damage.cut_bytes {
            0 => String::new(),
            1 => "its last byte is not whole".to_owned(),
            count => format!("its last {count} bytes are not whole"),
        };
        let is_whole = match self.has_id {
            true => self.end.is_some(),
            false => damage.is_finished && behind.is_empty(),
        };
        if is_whole {
            return match (damage.is_finished, &*cut) {
                (true, _) => None,
                (false, "") => Some("no ticks are missing, but the file is cut off".to_owned()),
                (false, cut) => Some(format!("no ticks are missing, but {cut}")),
            };
        }
        let last = self.stretches.last().map(|stretch| *stretch.end());
        let mut text = "the recording was not finished".to_owned();
        if let Some(last) = last {
            let at = self.now_ns(last).map(|now| format!(" ({})", secs(now)));
            text = format!(
                "{text}: it ends after tick {last}{}",
                at.unwrap_or_default()
            );
        }
        if !cut.is_empty() {
            text = format!("{text}, and {cut}");
        }
        if !behind.is_empty() {
            text = format!("{text}; {}", damaged(behind));
        }
        Some(text)
    }

    /// What else there should be.
    fn missing_messages(&self) -> Vec<String> {
        let mut losses = Vec::new();
        if self.misses_documents {
            losses.push("a document of the agents is missing".to_owned());
        }
        let there = self.notes.len() as u64;
        let noted = self.end.as_ref().map_or(0, |end| end.notes);
        if let missing @ 1.. = noted.saturating_sub(there) {
            losses.push(format!(
                "{missing} of the {noted} notes of the game are missing"
            ));
        }
        for at in &self.broken {
            losses.push(format!("a message means nothing, at byte {at}"));
        }
        losses
    }
}

fn overlap(one: &RangeInclusive<u64>, other: &RangeInclusive<u64>) -> bool {
    one.start() <= other.end() && other.start() <= one.end() && !other.is_empty()
}

fn missing(gap: &RangeInclusive<u64>) -> String {
    match (gap.start(), gap.end()) {
        (first, last) if first == last => format!("tick {first} is missing"),
        (first, last) => format!("the ticks {first} to {last} are missing"),
    }
}

fn damaged(spans: &[&Span]) -> String {
    let told = spans.iter().map(|span| {
        let (count, at) = (span.end - span.start, span.start);
        match count {
            1 => format!("1 byte is damaged, at byte {at}"),
            _ => format!("{count} bytes are damaged, from byte {at} on"),
        }
    });
    told.collect::<Vec<_>>().join("; ")
}

fn secs(ns: u64) -> String {
    format!("{:.2} s", ns as f64 / 1e9)
}
