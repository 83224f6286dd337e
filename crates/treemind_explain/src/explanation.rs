//! What is said about a tick.

use crate::say;
use crate::words::{Language, Words};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use treemind_core::{Behaviour, NodeId};

/// A sentence, and the sentences that say why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Reason {
    /// The label of the node that it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node: Option<String>,
    /// The number of that node in its behaviour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub number: Option<usize>,
    /// The first tick that the sentence names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tick: Option<u64>,
    /// The sentence, without a full stop, on one line and made visible.
    pub text: String,
    /// Why it is so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Reason>>"))]
    pub because: Vec<Reason>,
}

impl Reason {
    fn write(&self, depth: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:1$}{2}", "", 2 + 2 * depth, self.text)?;
        self.because
            .iter()
            .try_for_each(|reason| reason.write(depth + 1, out))
    }
}

impl fmt::Display for Reason {
    /// Writes it as indented lines.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(0, out)
    }
}

/// The same before it is written in a language.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) node: Option<NodeId>,
    pub(crate) words: Words,
    pub(crate) because: Vec<Told>,
    /// Whether its reasons belong together: all are told, also those that have been told before.
    is_whole: bool,
}

impl Told {
    /// A sentence about a node.
    pub(crate) fn about(node: NodeId, words: Words) -> Self {
        Self {
            node: Some(node),
            ..Self::new(words)
        }
    }

    /// A sentence about something else.
    pub(crate) fn new(words: Words) -> Self {
        Self {
            node: None,
            words,
            because: Vec::new(),
            is_whole: false,
        }
    }

    /// The same with its reasons.
    #[must_use]
    pub(crate) fn because(mut self, reasons: Vec<Told>) -> Self {
        self.because = reasons;
        self
    }

    /// The same with reasons that belong together.
    #[must_use]
    pub(crate) fn because_all(self, reasons: Vec<Told>) -> Self {
        Self {
            is_whole: true,
            ..self.because(reasons)
        }
    }

    /// As a reason in a language.
    pub(crate) fn written(&self, behaviour: &Behaviour, language: Language) -> Reason {
        let because = self.because.iter();
        Reason {
            node: self.node.map(|node| behaviour.label(node).to_owned()),
            number: self.node.map(NodeId::index),
            tick: self.words.tick(),
            text: self.words.written(language),
            because: because
                .map(|one| one.written(behaviour, language))
                .collect(),
        }
    }
}

/// Leaves out what has been said before. Reasons of such a sentence that are new take its place.
pub(crate) fn tell_once<const N: usize>(parts: [&mut Vec<Told>; N]) {
    let mut told = HashSet::new();
    for part in parts {
        let reasons = std::mem::take(part);
        *part = unsaid(reasons, &mut told);
    }
}

fn unsaid(reasons: Vec<Told>, told: &mut HashSet<Words>) -> Vec<Told> {
    let mut found = Vec::new();
    for mut reason in reasons {
        let is_new = told.insert(reason.words.clone());
        if is_new && reason.is_whole {
            for one in &mut reason.because {
                told.insert(one.words.clone());
                one.because = unsaid(std::mem::take(&mut one.because), told);
            }
            found.push(reason);
            continue;
        }
        let because = unsaid(std::mem::take(&mut reason.because), told);
        if is_new {
            reason.because = because;
            found.push(reason);
        } else {
            found.extend(because);
        }
    }
    found
}

/// Why an agent did in a tick what it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Explanation {
    /// The name of its tree or machine.
    pub behaviour: String,
    /// Its index in its population.
    pub agent: usize,
    /// What the game calls it, if it has [said so](crate::Explainer::named).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub name: Option<String>,
    /// The tick, from 1.
    pub tick: u64,
    /// The time since the beginning, in seconds.
    pub secs: f64,
    /// What the root answered, in lower case; `None` when the agent was not ticked.
    pub answer: Option<&'static str>,
    /// The language in which it is written.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub language: Language,
    /// What it does, and what led there.
    pub does: Vec<Reason>,
    /// What made it begin that, in the tick in which it began: what was otherwise in the tick before, with its values. Empty
    /// if it began before the agent was followed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Reason>>"))]
    pub because: Vec<Reason>,
    /// What went wrong for it in this tick, and before this tick since the last one: events that found its mailbox
    /// full, for example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Reason>>"))]
    pub faults: Vec<Reason>,
    /// Whether anything began, ended or changed in this tick, also where that is said elsewhere already.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub has_changed: bool,
    /// What began, ended and changed in this tick.
    pub changed: Vec<Reason>,
    /// Why it does not do something else.
    pub instead: Vec<Reason>,
}

impl fmt::Display for Explanation {
    /// Writes it as indented lines.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tick, secs) = (
            Words::Tick(self.tick),
            Words::plain(format!("{:.2}", self.secs)),
        );
        let who = match &self.name {
            Some(name) => Words::plain(name),
            None => say!(AgentNumber, number = Words::plain(self.agent)),
        };
        let behaviour = Words::code(&self.behaviour);
        let head = match self.answer {
            Some(answer) => say!(
                Answered,
                tick,
                secs,
                who,
                behaviour,
                answer = words_of(answer)
            ),
            None => say!(NotTicked, tick, secs, who, behaviour),
        };
        writeln!(out, "{}", head.written(self.language))?;
        let parts = [
            (say!(WhatItDoes), &self.does),
            (say!(WhatMadeItBegin), &self.because),
            (say!(WhatWentWrong), &self.faults),
            (say!(WhatChanged), &self.changed),
            (say!(WhyNothingElse), &self.instead),
        ];
        for (head, reasons) in parts {
            if !reasons.is_empty() {
                writeln!(out, "\n{}", head.written(self.language))?;
                reasons.iter().try_for_each(|reason| reason.write(0, out))?;
            }
        }
        Ok(())
    }
}

/// An answer in a word.
fn words_of(answer: &str) -> Words {
    match answer {
        "success" => say!(Success),
        "failure" => say!(Failure),
        "running" => say!(Running),
        _ => say!(Skipped),
    }
}
