//! The text of a test that is made of what happened.

use crate::happened::Standing;
use crate::making::Wanted;
use crate::random::Plan;
use crate::written;
use std::collections::BTreeSet;
use std::fmt::Write;
use treemind_core::{Behaviour, Status};
use treemind_doc::testing::{Subject, word_text};

/// A test that is about to be written.
pub(crate) struct Script<'a> {
    /// Its first line.
    pub(crate) head: String,
    /// What is done before each tick.
    pub(crate) plan: Plan,
    /// How many of its ticks only lead to what the test is about.
    pub(crate) lead: usize,
    pub(crate) wanted: &'a Wanted,
    /// The number of the first tick in the game that it is about.
    pub(crate) first: u64,
}

impl Script<'_> {
    /// The test, in which the agent is expected to stand like this after each tick that it is about.
    pub(crate) fn text(
        &self,
        then: &[Standing],
        subject: &Subject,
        behaviour: &Behaviour,
    ) -> String {
        let mut out = self.head.clone();
        let mut waiting = 0;
        let mut before: Option<&Standing> = None;
        if self.lead > 0 {
            let _ = writeln!(out, "    // What led to it.");
        }
        for (nth, changes) in self.plan.iter().enumerate() {
            let about = nth.checked_sub(self.lead);
            let tick = about.map(|about| self.first + about as u64);
            let facts = self.wanted.facts.iter();
            let facts = facts.filter(|(at, _)| Some(*at) == tick);
            let lines = changes
                .iter()
                .map(|change| written::line(change, behaviour));
            let lines: Vec<String> = lines
                .chain(facts.map(|(_, line)| line.trim().to_owned()))
                .collect();
            let now = about.and_then(|about| then.get(about));
            let stays = |now: &Standing| before.is_some_and(|before| before.reads_as(now));
            let changes = before.is_some() && now.is_some_and(|now| !stays(now));
            // What was so before a change is said, too.
            if waiting > 0 && (changes || !lines.is_empty()) {
                written::ticks(std::mem::take(&mut waiting), &mut out);
                if let Some(before) = before.filter(|_| changes) {
                    say(expect(before, None, subject), &mut out);
                }
            }
            for line in lines {
                let _ = writeln!(out, "    {line}");
            }
            waiting += 1;
            let is_last = nth + 1 == self.plan.len();
            let Some(now) = now.filter(|now| is_last || !stays(now)) else {
                continue;
            };
            written::ticks(std::mem::take(&mut waiting), &mut out);
            let gone = before.filter(|before| !before.reads_as(now));
            say(expect(now, gone, subject), &mut out);
            before = Some(now);
        }
        if !self.wanted.never.is_empty() {
            let names: Vec<String> = self
                .wanted
                .never
                .iter()
                .map(|name| word_text(name))
                .collect();
            let _ = writeln!(out, "    never {}", names.join(" "));
        }
        out.push_str("}\n");
        out
    }
}

/// Writes a line, if there is one.
fn say(line: Option<String>, out: &mut String) {
    if let Some(line) = line {
        let _ = writeln!(out, "    {line}");
    }
}

/// The line that expects how it stands, and that what ran before no longer does.
fn expect(now: &Standing, before: Option<&Standing>, subject: &Subject) -> Option<String> {
    let list = |names: &BTreeSet<String>| {
        let names = names
            .iter()
            .filter(|name| !name.contains(char::is_whitespace));
        let names: Vec<&str> = names.map(String::as_str).collect();
        names.join(" ")
    };
    let property = |word: &str, names: String| match names.is_empty() {
        true => String::new(),
        false => format!(" {word}={}", word_text(&names)),
    };
    let mut out = "expect".to_owned();
    match now.root {
        _ if matches!(subject, Subject::Decision(_)) => {
            return Some(out + &property("chosen", list(&now.ran)));
        }
        Some(Status::Success) => out += " success",
        Some(Status::Failure) => out += " failure",
        Some(Status::Skipped) => out += " skipped",
        Some(Status::Running) if now.running.is_empty() => out += " running",
        _ => {}
    }
    out += &property("active", list(&now.running));
    // What began and ended in this tick, whatever runs on; of what still runs, that says it already.
    let ended = now.ran.difference(&now.running).cloned();
    out += &property("ran", list(&ended.collect()));
    if let Some(before) = before {
        let gone = before.running.difference(&now.running);
        // A node with a name that ran alone still runs around the action that runs now.
        let gone = gone.filter(|name| !now.around.contains(*name)).cloned();
        out += &property("inactive", list(&gone.collect()));
    }
    // If nothing answered, the agent was not due.
    (out != "expect").then_some(out)
}
