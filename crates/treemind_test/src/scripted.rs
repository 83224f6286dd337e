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
    pub(crate) wanted: &'a Wanted,
    /// The number of its first tick in the game.
    pub(crate) first: u64,
}

impl Script<'_> {
    /// The test, in which the agent is expected to stand like this after each tick.
    pub(crate) fn text(
        &self,
        then: &[Standing],
        subject: &Subject,
        behaviour: &Behaviour,
    ) -> String {
        let mut out = self.head.clone();
        let mut waiting = 0;
        let mut before: Option<&Standing> = None;
        for (nth, changes) in self.plan.iter().enumerate() {
            let facts = self.wanted.facts.iter();
            let facts = facts.filter(|(tick, _)| *tick == self.first + nth as u64);
            let lines = changes
                .iter()
                .map(|change| written::line(change, behaviour));
            let lines: Vec<String> = lines
                .chain(facts.map(|(_, line)| line.trim().to_owned()))
                .collect();
            let now = then.get(nth);
            let changes = now.is_some() && before.is_some() && before != now;
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
            let Some(now) = now.filter(|now| is_last || before != Some(*now)) else {
                continue;
            };
            written::ticks(std::mem::take(&mut waiting), &mut out);
            let gone = before.filter(|before| *before != now);
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
    if now.running.is_empty() {
        out += &property("ran", list(&now.ran));
    }
    if let Some(before) = before {
        let gone = before.running.difference(&now.running).cloned().collect();
        out += &property("inactive", list(&gone));
    }
    // If nothing answered, the agent was not due.
    (out != "expect").then_some(out)
}
