//! What is said about a tick.

use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use treemind_core::{Behaviour, NodeId};
use treemind_doc::visible_line;

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
    /// The sentence, without a full stop, on one line and [made visible](visible_line).
    pub text: String,
    /// Why it is so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Reason>>"))]
    pub because: Vec<Reason>,
}

impl Reason {
    /// A sentence about a node.
    pub(crate) fn about(behaviour: &Behaviour, node: NodeId, text: impl AsRef<str>) -> Self {
        Self {
            node: Some(behaviour.label(node).to_owned()),
            number: Some(node.index()),
            ..Self::new(text)
        }
    }

    /// A sentence about something else.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self {
            node: None,
            number: None,
            text: visible_line(text.as_ref()).into_owned(),
            because: Vec::new(),
        }
    }

    /// The same with its reasons.
    #[must_use]
    pub(crate) fn because(mut self, reasons: Vec<Reason>) -> Self {
        self.because = reasons;
        self
    }

    fn write(&self, depth: usize, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:1$}{2}", "", 2 + 2 * depth, self.text)?;
        self.because
            .iter()
            .try_for_each(|reason| reason.write(depth + 1, out))
    }
}

/// Leaves out what has been said before. Reasons of such a sentence that are new take its place.
pub(crate) fn tell_once<const N: usize>(parts: [&mut Vec<Reason>; N]) {
    let mut told = HashSet::new();
    for part in parts {
        let reasons = std::mem::take(part);
        *part = unsaid(reasons, &mut told);
    }
}

fn unsaid(reasons: Vec<Reason>, told: &mut HashSet<String>) -> Vec<Reason> {
    let mut found = Vec::new();
    for mut reason in reasons {
        let is_new = told.insert(reason.text.clone());
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

impl fmt::Display for Reason {
    /// Writes it as indented lines.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(0, out)
    }
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
    /// What began and ended in this tick.
    pub changed: Vec<Reason>,
    /// Why it does not do something else.
    pub instead: Vec<Reason>,
}

impl fmt::Display for Explanation {
    /// Writes it as indented lines.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = visible_line(&self.behaviour);
        write!(out, "tick {} ({:.2} s), ", self.tick, self.secs)?;
        match &self.name {
            Some(name) => write!(out, "{}", visible_line(name))?,
            None => write!(out, "agent {}", self.agent)?,
        }
        match self.answer {
            Some(answer) => writeln!(out, ": `{name}` answered {answer}")?,
            None => writeln!(out, ": `{name}` was not ticked")?,
        }
        let parts = [
            ("What it does", &self.does),
            ("What made it begin", &self.because),
            ("What went wrong", &self.faults),
            ("What changed", &self.changed),
            ("Why nothing else", &self.instead),
        ];
        for (head, reasons) in parts {
            if !reasons.is_empty() {
                writeln!(out, "\n{head}")?;
                reasons.iter().try_for_each(|reason| reason.write(0, out))?;
            }
        }
        Ok(())
    }
}
