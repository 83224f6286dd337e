//! What made something begin in a tick: what was otherwise in the tick before.
//!
//! It is found in the events of two ticks, this one and the one before, and in nothing else. What was asked in both, and
//! was answered otherwise, is a cause, and so are the keys that it read with another value. What was asked in this tick
//! only is none: that it was asked has a cause of its own.

mod chosen;
mod deciding;
mod told;

use self::deciding::decides;
use crate::evaluated::{Evaluated, Source, evaluated};
use crate::explainer::Met;
use crate::facts::{Case, GuardAsked};
use crate::history::Writer;
use crate::tick::{Answer, TickEvents};
use crate::transitions::Verdict;
use crate::unreached::machine_state;
use crate::words::Words;
use std::cmp::Ordering;
use std::sync::Arc;
use treemind_core::behaviour::{Family, Machine, StateIndex};
use treemind_core::trace::Event;
use treemind_core::{Expr, FaultKind, Held, KeyId, Kind, LeafId, NodeId, Outcome, Status, Value};
use treemind_doc::expression_text;

/// What began in a tick.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub(crate) tick: u64,
    pub(crate) causes: Arc<[Cause]>,
}

/// A key or a time that a test read with another value than in the tick before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    source: Source,
    from: String,
    to: String,
    /// Where the value went, if it has an order.
    order: Option<Ordering>,
}

/// How a test is called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Called {
    /// By its expression.
    Expression,
    /// By the node that it is.
    Name(NodeId),
    /// By the guard that it is, and its node.
    Guard(&'static str, NodeId),
}

/// Something that was otherwise in the tick before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    /// The node that it happened at.
    node: NodeId,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// A test began to hold, or ceased to.
    Test {
        called: Called,
        text: String,
        holds: bool,
        moved: Vec<Moved>,
    },
    /// A test that was not made in the tick before holds, or does not.
    Found { holds: bool, moved: Vec<Moved> },
    /// A node answered otherwise, and nothing in it says why.
    Answered(Status),
    /// A condition of the game began to hold, or ceased to.
    Turned(bool),
    /// An action ended.
    Ended(Outcome),
    /// A `wait` was over.
    Over,
    /// An event came.
    Came(LeafId),
    /// A key was written.
    Written(KeyId),
    /// The time of a transition was over.
    Due(usize),
    /// What a state did had come to its end.
    Done(StateIndex),
    /// A transition was taken.
    Took(usize),
    /// A random choice came out otherwise.
    Drew { text: String, way: String },
    /// Another option had the best score.
    Chose { text: String, way: String },
    /// A child came to score more than the one that led before.
    Scored {
        before: NodeId,
        scores: (f32, f32),
        moved: Vec<Moved>,
    },
    /// It had ended in the tick before, with this answer.
    Before(Status),
    /// A planner came to another plan: what it gave up, and what it pursues.
    Planned(Vec<Words>),
    /// A decorator asked its child again.
    Opened,
    /// It had ended in the tick before, with this answer, and began anew.
    Again(Status),
    /// It had a fault, and failed.
    Faulty(Option<FaultKind>),
    /// The game had aborted what the agent did.
    Aborted,
    /// The agent got another program before the tick.
    Changed,
    /// The agent was not ticked in the tick before.
    Rested,
    /// It was the first tick of the agent.
    First,
}

impl Case<'_> {
    /// Whether a leaf or a waiting machine, which is open now, began in this tick or went elsewhere. `before` is what was
    /// open before it.
    pub(crate) fn has_begun(&self, id: NodeId, before: &[NodeId]) -> bool {
        let mut events = self.events.of(id);
        before.binary_search(&id).is_err()
            || events.any(|(_, event, _)| matches!(event, Event::Start | Event::Take(_)))
    }

    /// Why something that began in this tick did so, from the root down. What a state does may begin one tick after the
    /// state was entered; then it is why that was entered.
    pub(crate) fn begins(&self, id: NodeId) -> Begun {
        let causes = self.causes(id);
        let own = Begun {
            tick: self.tick,
            causes: causes.into(),
        };
        match own.causes.is_empty() {
            true => self.entered(id).unwrap_or(own),
            false => own,
        }
    }

    /// Why the transitions of a machine were taken in this tick, each by its position.
    pub(crate) fn takes(&self, id: NodeId) -> Vec<(usize, Begun)> {
        let Kind::Machine(machine) = &self.node(id).kind else {
            return Vec::new();
        };
        let taken = self.candidates.iter();
        let taken = taken.filter(|one| one.node == id && one.verdict == Verdict::Taken);
        let taken = taken.map(|one| {
            let mut causes = Vec::new();
            self.turned_transition(id, machine, one.transition, &mut causes);
            let begun = Begun {
                tick: self.tick,
                causes: causes.into(),
            };
            (one.transition, begun)
        });
        taken.collect()
    }

    /// Why a machine had come to the state that something is in, or had begun.
    fn entered(&self, id: NodeId) -> Option<Begun> {
        let way = self.way(id);
        way.windows(2).rev().find_map(|pair| {
            let Kind::Machine(machine) = &self.node(pair[0]).kind else {
                return None;
            };
            let state = machine_state(machine, self.node(pair[0]), pair[1])?;
            let since = self.history.state_since(pair[0], state)?;
            let mut taken = (0..machine.transitions.len()).filter_map(|number| {
                let begun = self.took.get(&(pair[0], number))?;
                let is_it = begun.tick == since && leads_to(machine, number, state);
                is_it.then_some(begun)
            });
            let begun = || self.begun.get(&pair[0]).filter(|one| one.tick == since);
            taken.next_back().or_else(begun).cloned()
        })
    }

    fn causes(&self, id: NodeId) -> Vec<Cause> {
        if self.is_first {
            return vec![cause(id, What::First)];
        }
        let way = self.way(id);
        let mut found = Vec::new();
        self.turned_guard(way[0], &mut found);
        for pair in way.windows(2) {
            self.turned_choice(pair[0], Some(pair[1]), &mut found);
            self.turned_guard(pair[1], &mut found);
        }
        if let Kind::Machine(_) = self.node(id).kind {
            self.turned_choice(id, None, &mut found);
        }
        if found.is_empty() {
            found.extend(self.began_anew(id, &way));
        }
        found.dedup();
        found
    }

    /// The nodes from the root to a node.
    pub(crate) fn way(&self, id: NodeId) -> Vec<NodeId> {
        let mut way = vec![id];
        while let Some(outer) = self.node(way[way.len() - 1]).parent {
            way.push(outer);
        }
        way.reverse();
        way
    }

    /// What a node answered in the tick before, if it was asked in it.
    fn then(&self, id: NodeId) -> Option<Answer> {
        self.earlier?.answer(id)
    }

    /// How an action ended in this tick, if it did so by itself.
    fn ended(&self, id: NodeId) -> Option<Outcome> {
        let mut events = self.events.of(id).rev();
        let ended = events.find_map(|(_, event, _)| match event {
            Event::Stop(outcome) => Some(outcome),
            _ => None,
        });
        ended.filter(|outcome| *outcome != Outcome::Aborted)
    }

    /// Why a node answered otherwise than in the tick before; nothing if it did not.
    fn turned(&self, id: NodeId, found: &mut Vec<Cause>) {
        let Some(now) = self.events.answer(id) else {
            return;
        };
        let node = self.node(id);
        let then = self.then(id);
        if let Kind::Action { .. } = node.kind
            && let Some(outcome) = self.ended(id)
        {
            // What was asked in this tick only, and ended at once, is no cause.
            let is_new = then.is_none()
                && self
                    .events
                    .of(id)
                    .any(|(_, event, _)| event == Event::Start);
            if !is_new {
                found.push(cause(id, What::Ended(outcome)));
            }
            return;
        }
        if then.is_some_and(|then| (then.status, then.by_guard) == (now.status, now.by_guard)) {
            return;
        }
        let before = found.len();
        self.turned_guard(id, found);
        if now.by_guard {
            return;
        }
        if let Some(fault) = self.failed_by_fault(id, now) {
            found.push(cause(id, What::Faulty(fault)));
            return;
        }
        match node.kind.facts().family {
            Family::Leaf => found.extend(self.turned_leaf(id, then, now)),
            Family::Machine | Family::Gate => self.turned_choice(id, None, found),
            Family::Choice => {
                self.turned_choice(id, None, found);
                if found.len() == before {
                    let children = node.children.iter();
                    children.for_each(|child| self.turned(*child, found));
                }
            }
            Family::List
            | Family::Parallel
            | Family::Draw
            | Family::Wrapper
            | Family::Loop
            | Family::Planner
            | Family::Host => {
                let children = node.children.iter();
                children.for_each(|child| self.turned(*child, found));
            }
        }
        if found.len() == before && then.is_some() {
            found.push(self.answered(id, now.status));
        }
    }

    /// The fault because of which a leaf failed, if that is so; it is perhaps not known which.
    fn failed_by_fault(&self, id: NodeId, now: Answer) -> Option<Option<FaultKind>> {
        let is_leaf = self.node(id).kind.facts().family == Family::Leaf;
        if !is_leaf || now.status != Status::Failure {
            return None;
        }
        let mut events = self.events.of(id);
        let (at, ..) = events.rfind(|(_, event, _)| *event == Event::Fault)?;
        Some(self.events.fault(at).cloned())
    }

    /// What a node answers otherwise, though nothing in it that was asked in both ticks does: the last test that it came to,
    /// or itself.
    fn answered(&self, id: NodeId, status: Status) -> Cause {
        let is_inside = |node: NodeId| self.way(node).contains(&id);
        let mut events = self.events.all().iter().rev();
        let test = events.find_map(|(node, event, _)| match (event, &self.node(*node).kind) {
            (Event::Tick(status), Kind::Check { .. } | Kind::Condition { .. }) => {
                let holds = match status {
                    Status::Success => true,
                    Status::Failure => false,
                    Status::Running | Status::Skipped => return None,
                };
                is_inside(*node).then_some((*node, holds))
            }
            _ => None,
        });
        let Some((test, holds)) = test else {
            return cause(id, What::Answered(status));
        };
        let moved = match &self.node(test).kind {
            Kind::Check { expr } => self.moved_since(expr, &[]),
            _ => Vec::new(),
        };
        cause(test, What::Found { holds, moved })
    }

    /// Why a leaf answers otherwise.
    fn turned_leaf(&self, id: NodeId, then: Option<Answer>, now: Answer) -> Option<Cause> {
        let before = then.filter(|then| !then.by_guard).map(|then| then.status);
        let what = match &self.node(id).kind {
            Kind::Check { expr } => {
                let then = then.filter(|then| !then.by_guard)?;
                let reads = (
                    evaluated(self.earlier?, id, then.at).pop(),
                    evaluated(self.events, id, now.at).pop(),
                );
                self.test_turned(Called::Name(id), expr, now.status == Status::Success, reads)
            }
            Kind::Received { .. } if now.status == Status::Success => {
                let mut events = self.events.of(id).rev();
                let event = events.find_map(|(_, event, _)| match event {
                    Event::Use(event) => Some(event),
                    _ => None,
                });
                What::Came(event?)
            }
            Kind::Changed { key } if now.status == Status::Success => What::Written(*key),
            Kind::Wait { .. } if now.status == Status::Success => What::Over,
            Kind::Condition { .. } => match (before?, now.status) {
                (Status::Failure, Status::Success) => What::Turned(true),
                (Status::Success, Status::Failure) => What::Turned(false),
                _ => return None,
            },
            _ => return None,
        };
        Some(cause(id, what))
    }

    /// A test that came to another answer.
    fn test_turned(
        &self,
        called: Called,
        expr: &Expr,
        holds: bool,
        (then, now): (Option<Evaluated>, Option<Evaluated>),
    ) -> What {
        let (then, now) = (then.unwrap_or_default(), now.unwrap_or_default());
        let [was, is]: [Vec<_>; 2] = [&then, &now].map(|one| one.sources().collect());
        let mut moved = self.moved(&was, &is);
        // Of several, those that would have done it alone.
        let alone = |moved: &Moved| {
            let before = was.iter().find(|(source, _)| *source == moved.source);
            before.is_some_and(|before| decides(expr, holds, &is, *before))
        };
        if moved.iter().any(alone) {
            moved.retain(alone);
        }
        if moved.is_empty() {
            moved = self.moved_since(expr, &now.reads);
        }
        What::Test {
            called,
            text: expression_text(self.behaviour, expr, &|_| None),
            holds,
            moved,
        }
    }

    /// The keys and the times that were read with other values than before.
    fn moved(&self, then: &[(Source, Value)], now: &[(Source, Value)]) -> Vec<Moved> {
        let mut found: Vec<Moved> = Vec::new();
        for (source, to) in now {
            let is_list = match source {
                Source::Key(key) => self.behaviour.key(*key).form.is_list(),
                Source::Time(_) => false,
            };
            let mut before = then.iter().filter(|(known, _)| known == source);
            let Some((_, from)) = before.next().filter(|(_, from)| from != to && !is_list) else {
                continue;
            };
            let display = |value: Value| self.behaviour.display_held(Held::One(value));
            let moved = Moved {
                source: *source,
                from: display(*from),
                to: display(*to),
                order: order(*from, *to),
            };
            if moved.from != moved.to && !found.contains(&moved) {
                found.push(moved);
            }
        }
        found
    }

    /// The keys of a test that were written between the tick before and this one, other than those that it has `read`: for a
    /// test such as `has(key)`, which reads no value, or one that was not made in the tick before.
    fn moved_since(&self, expr: &Expr, read: &[(KeyId, Value)]) -> Vec<Moved> {
        let mut found: Vec<Moved> = Vec::new();
        expr.for_each_key(&mut |key| {
            let is_known = read.iter().any(|(known, _)| *known == key);
            let source = Source::Key(key);
            let is_told = found.iter().any(|moved| moved.source == source);
            let written = self.history.written(key, self.tick, None);
            let written = written.filter(|one| {
                one.tick == self.tick
                    && matches!(one.by, Writer::Game | Writer::Test | Writer::Sensor)
            });
            if let Some(written) = written.filter(|_| !is_known && !is_told) {
                found.push(Moved {
                    source,
                    order: order_of_texts(&written.from, &written.to),
                    from: written.from.clone(),
                    to: written.to.clone(),
                });
            }
        });
        found
    }

    /// The guard that lets a node run now, or no longer.
    fn turned_guard(&self, id: NodeId, found: &mut Vec<Cause>) {
        let (Some(earlier), Some(then)) = (self.earlier, self.then(id)) else {
            return;
        };
        let now = self.events.answer(id);
        let answered = match (now, then) {
            (Some(now), _) if now.by_guard => (self.events, now, earlier),
            (_, then) if then.by_guard => (earlier, then, self.events),
            _ => return,
        };
        let (events, answer, others) = answered;
        let Some(asked) = self.guard_asked(events, id, answer.at) else {
            return;
        };
        let GuardAsked {
            word,
            expr,
            nth,
            values,
        } = asked;
        let other = guards_before(others, id);
        // What keeps running is asked its `while` only.
        let other = match word {
            "while" => other.last(),
            _ => other.get(nth),
        };
        let Some(other) = other.filter(|other| other.result != values.result) else {
            return;
        };
        let (then, now) = match std::ptr::eq(events, self.events) {
            true => (other.clone(), values),
            false => (values, other.clone()),
        };
        let holds = now.holds();
        let reads = (Some(then), Some(now));
        let called = Called::Guard(word, id);
        let what = match (expr, word) {
            (Expr::Not(inner), "when") => self.test_turned(called, inner, !holds, reads),
            _ => self.test_turned(called, expr, holds, reads),
        };
        found.push(cause(id, what));
    }

    /// Where nothing turned: what had ended, so that it began anew.
    fn began_anew(&self, id: NodeId, way: &[NodeId]) -> Option<Cause> {
        let Some(earlier) = self.earlier.filter(|one| one.touched(way[0])) else {
            return match self.met {
                // What it did before is not known.
                Some(Met::Late) => None,
                Some(Met::Changed) => Some(cause(way[0], What::Changed)),
                None => Some(cause(way[0], What::Rested)),
            };
        };
        if self.was_aborted {
            return Some(cause(way[0], What::Aborted));
        }
        if let Some(outcome) = self.ended(id) {
            return Some(cause(id, What::Ended(outcome)));
        }
        let ended = way.iter().rev().find_map(|node| {
            let status = earlier.status(*node)?;
            (status != Status::Running).then_some((*node, status))
        });
        let (node, status) = ended?;
        Some(cause(node, What::Again(status)))
    }
}

/// Whether a transition enters a state.
fn leads_to(machine: &Machine, transition: usize, state: StateIndex) -> bool {
    let targets = machine.transitions[transition].targets.iter();
    let mut targets = targets.map(Machine::target_state);
    targets.any(|target| {
        target == state || machine.is_inside(state, target) || machine.is_inside(target, state)
    })
}

fn cause(node: NodeId, what: What) -> Cause {
    Cause { node, what }
}

/// The guards that a node was asked before it went on, in order.
fn guards_before(events: &TickEvents, id: NodeId) -> Vec<Evaluated> {
    let mut first = events.of(id).filter(|(_, event, _)| {
        matches!(
            event,
            Event::Enter | Event::Start | Event::Tick(_) | Event::Guard(_)
        )
    });
    let until = first.next().map_or(usize::MAX, |(at, ..)| at);
    evaluated(events, id, until)
}

/// Where a value went that has an order.
fn order(from: Value, to: Value) -> Option<Ordering> {
    match (from, to) {
        (Value::Int(from), Value::Int(to)) => Some(to.cmp(&from)),
        (Value::Float(from), Value::Float(to)) => to.partial_cmp(&from),
        (Value::Double(from), Value::Double(to)) => to.partial_cmp(&from),
        _ => None,
    }
}

/// Where a number went.
fn order_of_texts(from: &str, to: &str) -> Option<Ordering> {
    let (from, to) = (from.parse::<f64>().ok()?, to.parse::<f64>().ok()?);
    to.partial_cmp(&from)
}
