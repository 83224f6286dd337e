//! The facts behind the answer of a node in a tick: the tests, leaves, times and places that decided it.

use crate::causes::Cause;
use crate::evaluated::{Evaluated, evaluated};
use crate::explanation::Reason;
use crate::fellows::Fellows;
use crate::history::{History, Since, Writer, sensor};
use crate::tick::TickEvents;
use crate::transitions::Candidate;
use std::collections::BTreeMap;
use std::sync::Arc;
use treemind_core::behaviour::{Family, Form, Guards, PlacedNode, Written};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Expr, Held, KeyId, Kind, NodeId, Population, Status, Value};
use treemind_doc::{expression_text, when_and_fail_if};

/// How many facts are told about one thing.
const MOST_FACTS: usize = 8;
/// How many agents are named that did something together.
const MOST_AGENTS: usize = 5;

/// One agent after a tick.
pub(crate) struct Case<'a> {
    pub(crate) population: &'a Population,
    pub(crate) behaviour: &'a Behaviour,
    pub(crate) agent: usize,
    pub(crate) tick: u64,
    pub(crate) events: &'a TickEvents,
    /// What happened in the tick before, if that was seen.
    pub(crate) earlier: Option<&'a TickEvents>,
    /// Whether what was open was aborted between that tick and this one.
    pub(crate) was_aborted: bool,
    /// Whether this is the first tick of the agent.
    pub(crate) is_first: bool,
    /// Why what is open began.
    pub(crate) begun: &'a BTreeMap<NodeId, Begun>,
    /// Why each transition was taken when it was taken last, by its machine and its position.
    pub(crate) took: &'a BTreeMap<(NodeId, usize), Begun>,
    pub(crate) history: &'a History,
    pub(crate) names: &'a [String],
    pub(crate) fellows: &'a Fellows,
    /// The nodes that are open after the tick, in order.
    pub(crate) open: &'a [NodeId],
    pub(crate) candidates: &'a [Candidate],
}

/// What began in a tick.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub(crate) tick: u64,
    pub(crate) causes: Arc<[Cause]>,
}

/// A guard that answered in place of its node.
pub(crate) struct GuardAsked<'a> {
    pub(crate) word: &'static str,
    pub(crate) expr: &'a Expr,
    /// Its position among the guards that are read when the node is about to start.
    pub(crate) nth: usize,
    pub(crate) values: Evaluated,
}

/// A status in words: what the node did.
pub(crate) fn verb(status: Status) -> &'static str {
    match status {
        Status::Success => "succeeded",
        Status::Failure => "failed",
        Status::Running => "is running",
        Status::Skipped => "was skipped",
    }
}

impl<'a> Case<'a> {
    pub(crate) fn node(&self, id: NodeId) -> &'a PlacedNode {
        self.behaviour.node(id)
    }

    /// A node as sentences name it.
    pub(crate) fn name(&self, id: NodeId) -> String {
        self.names[id.index()].clone()
    }

    /// A sentence about a node.
    pub(crate) fn about(&self, id: NodeId, text: impl AsRef<str>) -> Reason {
        Reason::about(self.behaviour, id, text)
    }

    /// `, since tick 60`, if something has been so for longer than this tick.
    pub(crate) fn since(&self, first: Option<u64>) -> String {
        match first {
            Some(first) if first < self.tick => format!(", since tick {first}"),
            _ => String::new(),
        }
    }

    /// `, since tick 60`, for an answer; `, at least since tick 60` if it may have been so before the agent was followed.
    fn since_when(&self, since: Since) -> String {
        match since.first {
            first if first >= self.tick => String::new(),
            first if since.is_exact => format!(", since tick {first}"),
            first => format!(", at least since tick {first}"),
        }
    }

    /// `, since tick 60`, or for an answer that is new `; in tick 59 it did not`.
    fn since_answer(&self, id: NodeId, otherwise: &str) -> String {
        match self.history.since(id) {
            Some(since) if since.first < self.tick => self.since_when(since),
            Some(Since {
                before: Some((_, tick)),
                ..
            }) => format!("; in tick {tick} {otherwise}"),
            _ => String::new(),
        }
    }

    /// Whether a node gave another answer than the last time.
    fn is_new(&self, id: NodeId) -> bool {
        let since = self.history.since(id);
        since.is_some_and(|since| since.first == self.tick && since.before.is_some())
    }

    /// The facts that are new in this tick, of those behind the answer of a node; all if none is new. They are what
    /// changed its answer.
    pub(crate) fn new_facts(&self, id: NodeId) -> Vec<Reason> {
        let facts = self.facts(id);
        let is_new = |fact: &&Reason| {
            fact.number.is_some_and(|number| {
                let id = NodeId::new(number);
                !matches!(self.node(id).kind, Kind::Action { .. }) && self.is_new(id)
            })
        };
        let new: Vec<Reason> = facts.iter().filter(is_new).cloned().collect();
        match new.is_empty() {
            true => facts,
            false => new,
        }
    }

    /// The facts behind the last answer of a node, the deciding ones only. Empty if it was not reached.
    pub(crate) fn facts(&self, id: NodeId) -> Vec<Reason> {
        let mut found = Vec::new();
        self.collect(id, &mut found);
        if found.len() > MOST_FACTS {
            let more = found.len() - MOST_FACTS;
            found.truncate(MOST_FACTS);
            found.push(Reason::new(format!("and {more} more")));
        }
        found
    }

    fn collect(&self, id: NodeId, found: &mut Vec<Reason>) {
        let Some(answer) = self.events.answer(id) else {
            return;
        };
        if answer.by_guard {
            found.push(self.guard(id, answer.at));
            return;
        }
        let node = self.node(id);
        let before = found.len();
        match node.kind.facts().family {
            Family::Leaf if is_deed(&node.kind) && answer.status != Status::Failure => return,
            Family::Leaf => found.push(self.leaf(id, answer.status, answer.at)),
            Family::List | Family::Parallel | Family::Draw => {
                self.of_children(id, answer.status, found);
            }
            Family::Choice | Family::Machine => {
                found.extend(self.choice(id));
                let is_carried_out = |nth: usize| match &node.kind {
                    // What transitions ask decides where a machine goes, and is not what it does.
                    Kind::Machine(machine) => {
                        let mut asked = machine.transitions.iter();
                        asked.all(|transition| transition.conditions != Some(nth))
                    }
                    _ => true,
                };
                let children = node.children.iter().enumerate();
                children
                    .filter(|(nth, _)| is_carried_out(*nth))
                    .for_each(|(_, child)| self.collect(*child, found));
            }
            Family::Gate | Family::Wrapper => {
                found.extend(self.gate(id, answer.status, answer.at));
                node.children
                    .iter()
                    .for_each(|child| self.collect(*child, found));
            }
            Family::Loop | Family::Host => {
                node.children
                    .iter()
                    .for_each(|child| self.collect(*child, found));
            }
        }
        if found.len() == before {
            let text = format!("{} {}", self.name(id), verb(answer.status));
            found.push(self.about(id, text));
        }
    }

    /// The children that decided the answer of a node with several.
    fn of_children(&self, id: NodeId, status: Status, found: &mut Vec<Reason>) {
        let node = self.node(id);
        if let Kind::UtilitySelector { .. } = node.kind {
            found.extend(self.scores(id));
        }
        let answered = |child: &&NodeId| self.events.status(**child).is_some();
        let is_it = |child: &&NodeId| self.events.status(**child) == Some(status);
        let children = || node.children.iter().filter(answered);
        match deciding(&node.kind, status) {
            Deciding::Last => {
                let last = children().rfind(is_it);
                let last = last.or_else(|| children().next_back());
                last.into_iter()
                    .for_each(|child| self.collect(*child, found));
            }
            Deciding::Same => children()
                .filter(is_it)
                .for_each(|child| self.collect(*child, found)),
            Deciding::All => children().for_each(|child| self.collect(*child, found)),
        }
    }

    /// Why a leaf answered what it answered.
    fn leaf(&self, id: NodeId, status: Status, at: usize) -> Reason {
        let (node, name) = (self.node(id), self.name(id));
        match &node.kind {
            Kind::Condition { .. } => {
                let (text, otherwise) = match status {
                    Status::Success => (format!("{name} holds"), "it did not"),
                    Status::Failure => (format!("{name} does not hold"), "it did"),
                    other => (format!("{name} {}", verb(other)), "it gave another answer"),
                };
                self.about(id, text + &self.since_answer(id, otherwise))
            }
            Kind::Check { expr } => {
                let (last, holds) = (
                    evaluated(self.events, id, at).pop(),
                    status == Status::Success,
                );
                let mut reason = self.test(id, &name, expr, last, holds);
                if self.is_new(id) {
                    let otherwise = if holds { "it did not" } else { "it did" };
                    reason.text += &self.since_answer(id, otherwise);
                }
                reason
            }
            Kind::Changed { key } => {
                let key_name = &self.behaviour.key(*key).name;
                let text = match status {
                    Status::Success => format!("`{key_name}` was written"),
                    _ => format!("`{key_name}` was not written since the last look"),
                };
                self.about(id, text).because(self.writers([(*key, None)]))
            }
            Kind::Received { awaited, .. } => {
                let event = self.awaited(awaited);
                let text = match status {
                    Status::Success => format!("{event} came"),
                    Status::Running if self.is_open(id) => return self.goes_on(id),
                    Status::Running => format!("{name} was running"),
                    _ => format!("no {event} came"),
                };
                self.about(id, text)
            }
            Kind::Action { .. } | Kind::Wait { .. } => match (&node.kind, status) {
                (_, Status::Running | Status::Skipped) if self.is_open(id) => self.goes_on(id),
                // It was cut off later in the tick.
                (_, Status::Running) => self.about(id, format!("{name} was running")),
                (Kind::Wait { .. }, _) => self.about(id, format!("{name} is over")),
                _ => self.about(id, format!("{name} {}", verb(status))),
            },
            _ => {
                let text = match self.has_fault(id) {
                    true => format!("{name} {}: it has a fault", verb(status)),
                    false => format!("{name} {}", verb(status)),
                };
                self.about(id, text)
            }
        }
    }

    /// Whether something in a node goes on after the tick.
    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        self.open.binary_search(&id).is_ok()
    }

    /// A leaf that goes on, since when, and whether the tick came to it.
    pub(crate) fn goes_on(&self, id: NodeId) -> Reason {
        let name = self.name(id);
        let since = match self.node(id).kind {
            Kind::Action { .. } | Kind::Own { .. } => self.since(self.history.runs_since(id)),
            _ => (self.history.since(id)).map_or(String::new(), |since| self.since_when(since)),
        };
        let mut text = match &self.node(id).kind {
            Kind::Wait { .. } => format!("{name} is not over{since}"),
            Kind::Received { awaited, .. } => {
                let event = self.awaited(awaited);
                format!("{name} waits for the {event}{since}")
            }
            _ => format!("{name} is running{since}"),
        };
        match self.events.status(id) {
            Some(Status::Skipped) => text += "; it asked to be skipped in this tick",
            None if self.events.touched(self.behaviour.root()) => {
                text += "; it was not ticked in this tick";
            }
            _ => {}
        }
        self.about(id, text)
    }

    /// A test with its values: `` `weak` holds: 18.0 < 20.0 ``.
    pub(crate) fn test(
        &self,
        id: NodeId,
        name: &str,
        expr: &Expr,
        values: Option<Evaluated>,
        holds: bool,
    ) -> Reason {
        let plain = format!("`{}`", expression_text(self.behaviour, expr, &|_| None));
        let mut text = name.to_owned();
        if plain != name {
            text += &format!(", {plain},");
        }
        text += match holds {
            true => " holds",
            false => " does not hold",
        };
        let values = values.unwrap_or_default();
        if let Some(valued) = values.text(self.behaviour, expr) {
            // Of a single key the value says the same.
            if !matches!(valued.as_str(), "true" | "false") {
                text += &format!(": {valued}");
            }
        } else if self.has_fault(id) {
            text += ": it has a fault";
        }
        let reads = values.reads.into_iter();
        let reads = reads.map(|(key, value)| (key, Some(value)));
        self.about(id, text).because(self.writers(reads))
    }

    /// When keys changed last, and who wrote them. A change after the key was read, with this value, decided nothing.
    pub(crate) fn writers(
        &self,
        keys: impl IntoIterator<Item = (KeyId, Option<Value>)>,
    ) -> Vec<Reason> {
        let mut told: Vec<KeyId> = Vec::new();
        let mut found = Vec::new();
        for (key, read) in keys {
            let is_list = matches!(self.behaviour.key(key).form, Form::List { .. });
            let read = read.filter(|_| !is_list);
            let read = read.map(|read| self.behaviour.display_held(Held::One(read)));
            let written = self.history.written(key, self.tick, read.as_deref());
            let Some(written) = written.filter(|_| !told.contains(&key)) else {
                continue;
            };
            told.push(key);
            let name = treemind_doc::key_text(self.behaviour, key);
            let by = self.writer(key, &written.by);
            let when = match written.tick {
                tick if tick == self.tick => "in this tick".to_owned(),
                tick => format!("in tick {tick}"),
            };
            if let Some((event, _)) = treemind_doc::event_part(self.behaviour, key) {
                let event = &self.behaviour.leaf(event).name;
                let text = format!("`{name}` came with the event `{event}` {when}");
                found.push(Reason::new(text));
                continue;
            }
            let (from, to) = (&written.from, &written.to);
            found.push(Reason::new(format!(
                "`{name}` changed from {from} to {to} {when}: {by}"
            )));
        }
        found
    }

    /// Who wrote a key, in a sentence.
    fn writer(&self, key: KeyId, by: &Writer) -> String {
        match by {
            Writer::Game => "the game wrote it".to_owned(),
            Writer::Called(node) => format!("the game wrote it in {}", self.name(*node)),
            Writer::Sensor => match sensor(self.behaviour, key) {
                Some(sensor) => format!("the sensor `{sensor}` computed it"),
                None => "it was computed".to_owned(),
            },
            Writer::Node(node) => format!("{} wrote it", self.name(*node)),
            Writer::Other {
                agent,
                node,
                by_game,
            } => {
                let (node, agent) = (self.name(*node), self.agent_name(*agent));
                match by_game {
                    true => format!("the game wrote it in {node} of {agent}"),
                    false => format!("{node} of {agent} wrote it"),
                }
            }
            Writer::Together(agents) => {
                let named = agents.iter().take(MOST_AGENTS);
                let mut named: Vec<String> = named.map(|agent| self.agent_name(*agent)).collect();
                let last = match agents.len().checked_sub(MOST_AGENTS) {
                    Some(more) if more > 0 => format!("{more} more"),
                    _ => named.pop().unwrap_or_default(),
                };
                let named = named.join(", ");
                format!("{named} and {last} wrote it, and their changes were added up")
            }
            Writer::Group(group) => format!("the agent came to group {group}, where it is so"),
            Writer::Program => "the game or an agent of another program wrote it".to_owned(),
            Writer::Anybody => "the game or another agent wrote it".to_owned(),
        }
    }

    /// What sentences call an agent of the population.
    pub(crate) fn agent_name(&self, agent: usize) -> String {
        match agent {
            agent if agent == self.agent => "this agent itself".to_owned(),
            agent => self.fellows.name(agent),
        }
    }

    /// The guard that answered in place of a node, as a sentence.
    pub(crate) fn guard(&self, id: NodeId, at: usize) -> Reason {
        let Some(asked) = self.guard_asked(self.events, id, at) else {
            return self.about(id, format!("a guard of {} answered", self.name(id)));
        };
        let GuardAsked {
            word, expr, values, ..
        } = asked;
        let holds = values.holds();
        let name = format!("the guard `{word}` of {}", self.name(id));
        match (expr, word) {
            (Expr::Not(inner), "when") => self.test(id, &name, inner, Some(values), !holds),
            _ => self.test(id, &name, expr, Some(values), holds),
        }
    }

    /// The guard that answered in place of a node with the event at `at`.
    pub(crate) fn guard_asked(
        &self,
        events: &TickEvents,
        id: NodeId,
        at: usize,
    ) -> Option<GuardAsked<'a>> {
        let PlacedNode {
            guards, written, ..
        } = self.node(id);
        let mut evaluated = evaluated(events, id, at);
        let nth = evaluated.len().saturating_sub(1);
        let values = evaluated.pop().unwrap_or_default();
        // A guard that does not hold, and answers, is a `while`. The others answer when they hold.
        let (word, expr) = match &guards.while_holds {
            Some(expr) if values.result.is_some() && !values.holds() => ("while", expr),
            _ => nth_guard(guards, written, nth)?,
        };
        Some(GuardAsked {
            word,
            expr,
            nth,
            values,
        })
    }

    pub(crate) fn has_fault(&self, id: NodeId) -> bool {
        self.events
            .of(id)
            .any(|(_, event, _)| event == Event::Fault)
    }
}

/// Whether a leaf does something, and asks nothing: its success is no reason for anything.
fn is_deed(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Succeed
            | Kind::Set { .. }
            | Kind::Unset { .. }
            | Kind::Log { .. }
            | Kind::Emit { .. }
            | Kind::Send { .. }
            | Kind::Cancel { .. }
    )
}

/// Which children decide the answer of a node with several.
enum Deciding {
    /// The last that gave this answer.
    Last,
    /// All that gave this answer.
    Same,
    /// All that were asked.
    All,
}

fn deciding(kind: &Kind, status: Status) -> Deciding {
    use Status::{Failure, Success};
    match (kind, status) {
        (
            Kind::Sequence { .. }
            | Kind::StickySequence { .. }
            | Kind::ReactiveSequence
            | Kind::RandomSequence { .. }
            | Kind::TryCatch { .. },
            Failure,
        )
        | (
            Kind::Selector { .. }
            | Kind::ReactiveSelector
            | Kind::RandomSelector { .. }
            | Kind::WeightedSelector { .. }
            | Kind::UtilitySelector { .. },
            Success | Status::Running,
        ) => Deciding::Last,
        (Kind::Parallel { .. } | Kind::ParallelAll { .. } | Kind::Monitor, Success | Failure) => {
            Deciding::Same
        }
        _ => Deciding::All,
    }
}

/// A guard by its number among those that are read when the node is about to start: its word and its expression.
fn nth_guard<'g>(
    guards: &'g Guards,
    written: &Written,
    nth: usize,
) -> Option<(&'static str, &'g Expr)> {
    let Guards {
        fail_if,
        succeed_if,
        skip_if,
        while_holds,
        aborts_lower: _,
        while_else: _,
    } = guards;
    let first = match when_and_fail_if(guards, written) {
        (Some(_), None) => "when",
        (None, _) => "fail-if",
        // They are read together, as one expression.
        (Some(_), Some(_)) => "fail-if` or `when",
    };
    let all = [
        (first, fail_if),
        ("succeed-if", succeed_if),
        ("skip-if", skip_if),
        ("while", while_holds),
    ];
    let mut present = all
        .into_iter()
        .filter_map(|(word, expr)| Some((word, expr.as_ref()?)));
    present.nth(nth)
}
