//! Expressions with the values that they had.

use crate::tick::{TickEvents, is_of_expression};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Expr, FaultKind, KeyId, NodeId, Time, Value};
use treemind_doc::expression_text;

/// What an expression looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Key(KeyId),
    Time(Time),
}

impl Source {
    /// What an expression is, if it looks something up and does nothing else.
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Key(key, _) => Some(Self::Key(*key)),
            expr => Time::of(expr).map(Self::Time),
        }
    }

    /// What a trace with values tells.
    pub(crate) fn told(event: Event) -> Option<Self> {
        match event {
            Event::Read(key) => Some(Self::Key(key)),
            Event::Time(time) => Some(Self::Time(time)),
            _ => None,
        }
    }
}

/// An expression that a node evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluated {
    /// The keys that it names, with their values.
    pub(crate) reads: Vec<(KeyId, Value)>,
    /// The times that it asks for, in seconds.
    pub(crate) times: Vec<(Time, Value)>,
    /// What it came to; `None` after a fault.
    pub(crate) result: Option<Value>,
    /// Which fault that was.
    pub(crate) fault: Option<FaultKind>,
}

impl Evaluated {
    /// Whether it was a test that held.
    pub(crate) fn holds(&self) -> bool {
        self.result == Some(Value::Bool(true))
    }

    /// The expression with the values in place of the keys and the times, if it names any: `18.0 < 20.0`.
    pub(crate) fn text(&self, behaviour: &Behaviour, expr: &Expr) -> Option<String> {
        let known = |expr: &Expr| {
            let source = match expr {
                Expr::Len(list) => Source::Key(*list),
                expr => Source::of(expr)?,
            };
            Some(self.sources().find(|(known, _)| *known == source)?.1)
        };
        let plain = expression_text(behaviour, expr, &|_| None);
        let valued = expression_text(behaviour, expr, &known);
        (plain != valued).then_some(valued)
    }

    /// What it looked up, with the values.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (Source, Value)> + '_ {
        let keys = self
            .reads
            .iter()
            .map(|(key, value)| (Source::Key(*key), *value));
        let times = self.times.iter();
        keys.chain(times.map(|(time, value)| (Source::Time(*time), *value)))
    }

    /// Whether anything was read for it.
    fn is_begun(&self) -> bool {
        !self.reads.is_empty() || !self.times.is_empty()
    }

    /// The keys that it read.
    pub(crate) fn keys(&self) -> impl Iterator<Item = KeyId> + '_ {
        self.reads.iter().map(|(key, _)| *key)
    }
}

/// What a node evaluated before the event at `until`, back to its last answer or verdict before that.
pub(crate) fn evaluated(events: &TickEvents, node: NodeId, until: usize) -> Vec<Evaluated> {
    evaluations(events, node, until, true)
}

/// All that a node evaluated before the event at `until`.
pub(crate) fn every_evaluation(events: &TickEvents, node: NodeId, until: usize) -> Vec<Evaluated> {
    evaluations(events, node, until, false)
}

fn evaluations(
    events: &TickEvents,
    node: NodeId,
    until: usize,
    since_answer: bool,
) -> Vec<Evaluated> {
    let mut found: Vec<Evaluated> = Vec::new();
    let mut open = Evaluated::default();
    for (at, event, value) in events.of(node) {
        if at >= until {
            break;
        }
        match (event, value) {
            (Event::Read(key), Some(value)) => open.reads.push((key, value)),
            (Event::Time(time), Some(value)) => open.times.push((time, value)),
            (Event::Result, value) => {
                open.result = value;
                found.push(std::mem::take(&mut open));
            }
            // What has a fault because a key is unset may have read nothing else.
            (Event::Fault, _)
                if open.is_begun() || events.fault(at).is_some_and(is_of_expression) =>
            {
                open.fault = events.fault(at).cloned();
                found.push(std::mem::take(&mut open));
            }
            (
                Event::Tick(_)
                | Event::Guard(_)
                | Event::Take(_)
                | Event::Refuse(..)
                | Event::Branch(..)
                | Event::Enter,
                _,
            ) => {
                if since_answer {
                    found.clear();
                }
                open = Evaluated::default();
            }
            _ => {}
        }
    }
    if open.is_begun() {
        found.push(open);
    }
    found
}
