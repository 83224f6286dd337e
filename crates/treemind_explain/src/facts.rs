//! The facts behind the answer of a node in a tick: the tests, leaves, times and places that decided it.

use crate::causes::Begun;
use crate::evaluated::{Evaluated, evaluated};
use crate::explainer::Met;
use crate::explanation::Told;
use crate::fellows::Fellows;
use crate::find::Sought;
use crate::history::{History, Since, Writer, sensor};
use crate::plans::followed::Made;
use crate::plans::thoughts::Thoughts;
use crate::rules::Firings;
use crate::say;
use crate::tick::TickEvents;
use crate::transitions::Candidate;
use crate::words::{Join, Words};
use std::collections::BTreeMap;
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
    /// How it came to be followed, if this is the first tick that was seen of it.
    pub(crate) met: Option<Met>,
    pub(crate) begun: &'a BTreeMap<NodeId, Begun>,
    /// Why each transition was taken when it was taken last, by its machine and its position.
    pub(crate) took: &'a BTreeMap<(NodeId, usize), Begun>,
    pub(crate) history: &'a History,
    /// What its planners followed before the tick, and thought about in it.
    pub(crate) thoughts: &'a Thoughts,
    /// The plans that they follow, of those that were seen when they were made.
    pub(crate) made: &'a BTreeMap<NodeId, Made>,
    pub(crate) names: &'a [Words],
    pub(crate) fellows: &'a Fellows,
    /// The nodes that are open after the tick, in order.
    pub(crate) open: &'a [NodeId],
    pub(crate) candidates: &'a [Candidate],
    pub(crate) sought: &'a [Sought],
    pub(crate) firings: &'a Firings,
}

/// A guard that answered in place of its node.
pub(crate) struct GuardAsked<'a> {
    pub(crate) word: &'static str,
    pub(crate) expr: &'a Expr,
    /// Its position among the guards that are read when the node is about to start.
    pub(crate) nth: usize,
    pub(crate) values: Evaluated,
}

impl<'a> Case<'a> {
    pub(crate) fn node(&self, id: NodeId) -> &'a PlacedNode {
        self.behaviour.node(id)
    }

    /// A node as sentences name it.
    pub(crate) fn name(&self, id: NodeId) -> Words {
        self.names[id.index()].clone()
    }

    /// What a node did in this tick.
    pub(crate) fn did_now(&self, id: NodeId, status: Status) -> Words {
        Words::did(self.name(id), status, Words::Nothing)
    }

    /// `, since tick 60`, if something has been so for longer than this tick.
    pub(crate) fn since(&self, first: Option<u64>) -> Words {
        match first {
            Some(first) if first < self.tick => say!(Since, tick = Words::Tick(first)),
            _ => Words::Nothing,
        }
    }

    /// ` in tick 60`, or ` in this tick`.
    pub(crate) fn when(&self, tick: u64) -> Words {
        match tick {
            tick if tick == self.tick => say!(InThisTick),
            tick => say!(InTick, tick = Words::Tick(tick)),
        }
    }

    /// `, since tick 60`, for an answer; `, at least since tick 60` if it may have been so before the agent was followed.
    fn since_when(&self, since: Since) -> Words {
        match since.first {
            first if first >= self.tick => Words::Nothing,
            first if since.is_exact => say!(Since, tick = Words::Tick(first)),
            first => say!(AtLeastSince, tick = Words::Tick(first)),
        }
    }

    /// `, since tick 60`, or for an answer that is new `; in tick 59 it did not`. `holds` is the answer, if it is one of two.
    fn since_answer(&self, id: NodeId, holds: Option<bool>) -> Words {
        match self.history.since(id) {
            Some(since) if since.first < self.tick => self.since_when(since),
            Some(Since {
                before: Some((_, tick)),
                ..
            }) => {
                let tick = Words::Tick(tick);
                match holds {
                    Some(true) => say!(DidNotInTick, tick),
                    Some(false) => say!(DidInTick, tick),
                    None => say!(OtherwiseInTick, tick),
                }
            }
            _ => Words::Nothing,
        }
    }

    /// Whether a node gave another answer than the last time.
    fn is_new(&self, id: NodeId) -> bool {
        let since = self.history.since(id);
        since.is_some_and(|since| since.first == self.tick && since.before.is_some())
    }

    /// The facts that are new in this tick, of those behind the answer of a node; all if none is new. They are what
    /// changed its answer.
    pub(crate) fn new_facts(&self, id: NodeId) -> Vec<Told> {
        let facts = self.facts(id);
        let is_new = |fact: &&Told| {
            fact.node.is_some_and(|id| {
                !matches!(self.node(id).kind, Kind::Action { .. }) && self.is_new(id)
            })
        };
        let new: Vec<Told> = facts.iter().filter(is_new).cloned().collect();
        match new.is_empty() {
            true => facts,
            false => new,
        }
    }

    /// The facts behind the last answer of a node, the deciding ones only. Empty if it was not reached.
    pub(crate) fn facts(&self, id: NodeId) -> Vec<Told> {
        let mut found = Vec::new();
        self.collect(id, &mut found);
        if found.len() > MOST_FACTS {
            let more = found.len() - MOST_FACTS;
            found.truncate(MOST_FACTS);
            found.push(Told::new(say!(AndMore, more = Words::plain(more))));
        }
        found
    }

    fn collect(&self, id: NodeId, found: &mut Vec<Told>) {
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
            Family::Planner => {
                found.extend(self.planned(id));
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
            found.push(Told::about(id, self.did_now(id, answer.status)));
        }
    }

    /// The children that decided the answer of a node with several.
    fn of_children(&self, id: NodeId, status: Status, found: &mut Vec<Told>) {
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
    fn leaf(&self, id: NodeId, status: Status, at: usize) -> Told {
        let (node, name) = (self.node(id), self.name(id));
        match &node.kind {
            Kind::Condition { .. } => {
                let (words, holds) = match status {
                    Status::Success => (say!(Holds, name), Some(true)),
                    Status::Failure => (say!(HoldsNot, name), Some(false)),
                    other => (self.did_now(id, other), None),
                };
                Told::about(id, words.plus(self.since_answer(id, holds)))
            }
            Kind::Check { expr } => {
                let (last, holds) = (
                    evaluated(self.events, id, at).pop(),
                    status == Status::Success,
                );
                let mut told = self.test(id, name, expr, last, holds);
                if self.is_new(id) {
                    told.words = told.words.plus(self.since_answer(id, Some(holds)));
                }
                told
            }
            Kind::Changed { key } => {
                let key_name = Words::code(&self.behaviour.key(*key).name);
                let words = match status {
                    Status::Success => say!(WasWritten, key = key_name, when = Words::Nothing),
                    _ => say!(WasNotWritten, key = key_name),
                };
                Told::about(id, words).because(self.writers([(*key, None)]))
            }
            Kind::Received { awaited, .. } => {
                let event = self.awaited(awaited);
                let words = match status {
                    Status::Success => say!(EventCame, event),
                    Status::Running if self.is_open(id) => return self.goes_on(id),
                    Status::Running => say!(WasRunning, name),
                    _ => say!(NoEventCame, event),
                };
                Told::about(id, words)
            }
            Kind::Find(find) => self.found(id, find, status),
            Kind::Action { .. } | Kind::Wait { .. } => match (&node.kind, status) {
                (_, Status::Running | Status::Skipped) if self.is_open(id) => self.goes_on(id),
                // It was cut off later in the tick.
                (_, Status::Running) => Told::about(id, say!(WasRunning, name)),
                (Kind::Wait { .. }, _) => Told::about(id, say!(IsOver, name)),
                _ => Told::about(id, self.did_now(id, status)),
            },
            _ => {
                let what = self.did_now(id, status);
                let words = match self.has_fault(id) {
                    true => say!(HasFault, what),
                    false => what,
                };
                Told::about(id, words)
            }
        }
    }

    /// Whether something in a node goes on after the tick.
    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        self.open.binary_search(&id).is_ok()
    }

    /// A leaf that goes on, since when, and whether the tick came to it.
    pub(crate) fn goes_on(&self, id: NodeId) -> Told {
        let name = self.name(id);
        let since = match self.node(id).kind {
            Kind::Action { .. } | Kind::Own { .. } => self.since(self.history.runs_since(id)),
            _ => (self.history.since(id).map(|since| self.since_when(since))).into(),
        };
        let words = match &self.node(id).kind {
            Kind::Wait { .. } => say!(IsNotOver, name, since),
            Kind::Received { awaited, .. } => {
                let event = self.awaited(awaited);
                say!(WaitsFor, name, event, since)
            }
            _ => say!(IsRunning, name, since),
        };
        let more = match self.events.status(id) {
            Some(Status::Skipped) => say!(AskedSkip),
            None if self.events.touched(self.behaviour.root()) => say!(Unticked),
            _ => Words::Nothing,
        };
        Told::about(id, words.plus(more))
    }

    /// A test with its values: `` `weak` holds: 18.0 < 20.0 ``.
    pub(crate) fn test(
        &self,
        id: NodeId,
        name: Words,
        expr: &Expr,
        values: Option<Evaluated>,
        holds: bool,
    ) -> Told {
        let name = self.test_named(name, expr);
        let values = values.unwrap_or_default();
        let fault = values.fault.as_ref();
        let mut words = match (fault, holds) {
            (Some(fault), _) => say!(NameHasFault, name, fault = Words::wrong(fault)),
            (None, true) => say!(Holds, name),
            (None, false) => say!(HoldsNot, name),
        };
        if let Some(valued) = values.text(self.behaviour, expr) {
            // Of a single key the value says the same.
            if !matches!(valued.as_str(), "true" | "false") {
                words = words.plus(say!(More, more = Words::value(valued)));
            }
        } else if fault.is_none() && self.has_fault(id) {
            words = say!(HasFault, what = words);
        }
        let reads = values.reads.into_iter();
        let reads = reads.map(|(key, value)| (key, Some(value)));
        Told::about(id, words).because(self.writers(reads))
    }

    /// An expression, in backticks.
    pub(crate) fn expression(&self, expr: &Expr) -> Words {
        Words::code(expression_text(self.behaviour, expr, &|_| None))
    }

    /// A test by its name, and its expression if that is something else.
    fn test_named(&self, name: Words, expr: &Expr) -> Words {
        match self.expression(expr) {
            plain if plain == name => plain,
            test => say!(TheTest, name, test),
        }
    }

    /// When keys changed last, and who wrote them. A change after the key was read, with this value, decided nothing.
    pub(crate) fn writers(
        &self,
        keys: impl IntoIterator<Item = (KeyId, Option<Value>)>,
    ) -> Vec<Told> {
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
            let name = Words::code(treemind_doc::key_text(self.behaviour, key));
            let when = self.when(written.tick);
            let words = match treemind_doc::event_part(self.behaviour, key) {
                Some((event, _)) => {
                    let event = Words::code(&self.behaviour.leaf(event).name);
                    say!(CameWithEvent, key = name, event, when)
                }
                None => {
                    let (from, to) = (Words::value(&written.from), Words::value(&written.to));
                    let by = self.writer(key, &written.by);
                    say!(ChangedFrom, key = name, from, to, when, by)
                }
            };
            found.push(Told::new(words).because(match written.by {
                Writer::Node(node) if written.tick == self.tick => self.computed_by(node),
                _ => Vec::new(),
            }));
        }
        found
    }

    /// How a node computed what it wrote in this tick, if that is to be told.
    fn computed_by(&self, id: NodeId) -> Vec<Told> {
        match &self.node(id).kind {
            Kind::Policy(policy) => self.of_policy(id, policy),
            _ => Vec::new(),
        }
    }

    /// Who wrote a key, in a sentence.
    fn writer(&self, key: KeyId, by: &Writer) -> Words {
        match by {
            Writer::Game => say!(GameWrote),
            Writer::Test => say!(TestGave),
            Writer::Typed => say!(WasTyped),
            Writer::Kept => say!(WasKept),
            Writer::Called(node) => say!(GameWroteIn, name = self.name(*node)),
            Writer::Sensor => match sensor(self.behaviour, key) {
                Some(sensor) => say!(SensorComputed, sensor = Words::code(sensor)),
                None => say!(WasComputed),
            },
            Writer::Node(node) => say!(NodeWrote, node = self.name(*node)),
            Writer::OnFault(node) => say!(OnFaultWrote, node = self.name(*node)),
            Writer::Other {
                agent,
                node,
                by_game,
            } => {
                let (node, agent) = (self.name(*node), self.agent_name(*agent));
                match by_game {
                    true => say!(GameWroteInOf, node, agent),
                    false => say!(NodeOfWrote, node, agent),
                }
            }
            Writer::Together(agents) => {
                let named = agents.iter().take(MOST_AGENTS);
                let mut named: Vec<Words> = named.map(|agent| self.agent_name(*agent)).collect();
                if agents.len() > MOST_AGENTS {
                    let more = Words::plain(agents.len() - MOST_AGENTS);
                    named.push(say!(NumberMore, more));
                }
                say!(TogetherWrote, agents = Words::several(Join::And, named))
            }
            Writer::Group(group) => say!(CameToGroup, group = Words::plain(group)),
            Writer::Program => say!(OtherProgramWrote),
            Writer::Anybody => say!(SomebodyWrote),
        }
    }

    /// What sentences call an agent of the population.
    pub(crate) fn agent_name(&self, agent: usize) -> Words {
        match agent {
            agent if agent == self.agent => say!(Itself),
            agent => self.fellows.name(agent),
        }
    }

    /// The guard that answered in place of a node, as a sentence.
    pub(crate) fn guard(&self, id: NodeId, at: usize) -> Told {
        let Some(asked) = self.guard_asked(self.events, id, at) else {
            return Told::about(id, say!(GuardAnswered, name = self.name(id)));
        };
        let GuardAsked {
            word, expr, values, ..
        } = asked;
        let holds = values.holds();
        let name = self.guard_named(word, id);
        match (expr, word) {
            (Expr::Not(inner), "when") => self.test(id, name, inner, Some(values), !holds),
            _ => self.test(id, name, expr, Some(values), holds),
        }
    }

    /// What a guard is called.
    pub(crate) fn guard_named(&self, word: &str, id: NodeId) -> Words {
        let word = Words::several(Join::Or, word.split(" or ").map(Words::code));
        say!(TheGuard, word, name = self.name(id))
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
            | Kind::Rate { .. }
            | Kind::Policy(_)
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
        (Some(_), Some(_)) => "fail-if or when",
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
