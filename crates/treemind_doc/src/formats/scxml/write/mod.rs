//! Machines in SCXML as documents of ours.
//!
//! The nodes do what the machine does. What a document of ours has no form for is reported with its place; nothing is
//! left out without a word.

mod blocks;
mod events;
mod exprs;
mod kinds;
mod names;

use super::Trouble;
use super::chart::{Chart, HistoryOf, Id, KindOf, StateOf, TransitionOf, Way};
use super::events::{ANY, done};
use super::script::ExprKind;
use super::tasks::Tasks;
use crate::syntax::{Entry, Node, Span, Text, Value, shortened};
use crate::text::Notes;
use crate::{Said, said};
use events::{Declared, Done, Timers};
use exprs::no_form;
use kinds::Kinds;
use names::{keys, names_of_states, notes, plainer};
use std::collections::{HashMap, HashSet};
use treemind_core::Type;
use treemind_core::behaviour::StateIndex;

/// The note on delayed events that become times of states.
const TIMERS: Said = Said::plain(
    "a delayed event that only its own state waits for becomes `after=`: it ends when the state is left, and nobody \
     can send it from outside",
);

/// The note on steps in one tick.
const STEPS: Said =
    Said::plain("a machine takes at most 64 steps for one event, and in SCXML 1000");

/// The note on names.
const NAMES: Said = Said::plain(
    "in names of states, dots and blanks become `-`; states without an id get a number",
);

/// A machine as a document.
pub(crate) struct Own {
    pub(crate) nodes: Vec<Node>,
    pub(crate) notes: Notes,
    /// What differs in meaning, one sentence each.
    pub(crate) differences: Vec<Said>,
}

/// Writes a chart without mistakes; answers what cannot be written, too.
pub(super) fn own(tasks: &Tasks<'_>, root: roxmltree::Node<'_, '_>) -> (Own, Vec<Trouble>) {
    let chart = tasks.chart;
    let names = names_of_states(chart);
    let mut writer = Writer {
        tasks,
        machine: plainer(&chart.name),
        keys: keys(chart, tasks.scope),
        kinds: Kinds::of(chart),
        events: Declared::of(chart, tasks.events),
        timers: Timers::of(chart),
        done: Done::of(chart),
        names,
        heard: None,
        troubles: Vec::new(),
    };
    let mut nodes = vec![writer.machine_node()];
    nodes.extend(writer.leaves());
    let mut differences = Vec::new();
    let mut states = chart.states.iter().zip(&writer.names).skip(1);
    if states.any(|(state, name)| state.id.as_ref() != Some(name)) {
        differences.push(NAMES);
    }
    if !writer.timers.is_empty() {
        differences.push(TIMERS);
    }
    // Only steps that wait for nothing can follow each other for long.
    let is_free = |one: &TransitionOf| one.events.is_none() && one.cond.is_some();
    if chart.transitions.iter().any(is_free) {
        differences.push(STEPS);
    }
    let own = Own {
        nodes,
        notes: notes(root),
        differences,
    };
    (own, writer.troubles)
}

struct Writer<'c> {
    tasks: &'c Tasks<'c>,
    machine: String,
    /// The keys of variables, and whether they may be unset.
    keys: HashMap<&'c str, (String, bool)>,
    kinds: Kinds<'c>,
    events: Declared,
    timers: Timers,
    done: Done,
    /// The names of all states.
    names: Vec<String>,
    /// The event whose data can be read.
    heard: Option<String>,
    troubles: Vec<Trouble>,
}

fn made(name: &str, span: &Span, entries: Vec<Entry>) -> Node {
    Node::made(Text::made(name, span.clone()), span.clone(), entries)
}

fn word(text: &str, span: &Span) -> Entry {
    Entry::word(text, span.clone())
}

fn flag(span: &Span) -> Entry {
    Entry::value(Value::Bool(true), span.clone())
}

impl<'c> Writer<'c> {
    fn machine_node(&mut self) -> Node {
        let chart = self.tasks.chart;
        let span = &chart.states[0].span;
        let mut inside = self.variables();
        inside.extend(self.inside(0));
        let mode = word("statechart", span).named("mode");
        made("machine", span, vec![word(&self.machine, span), mode]).block(inside)
    }

    /// The variables, as keys of the machine.
    fn variables(&mut self) -> Vec<Node> {
        let chart = self.tasks.chart;
        let span = &chart.states[0].span;
        let mut nodes = Vec::new();
        for data in &chart.data {
            let Some((key, is_optional)) = self.keys.get(data.name.as_str()).cloned() else {
                continue;
            };
            if data.of > 0 {
                let what = said!("a variable that begins with its state, `{}`,", data.name);
                let help = said!("remove `binding=\"late\"`");
                self.troubles
                    .push(no_form(&chart.states[data.of].span, what, help));
            }
            let ty = self.kinds.variable(&data.name);
            let mut entries = vec![word(&key, span), word(&ty.to_string(), span).named("type")];
            if is_optional {
                entries.push(flag(span).named("optional"));
            }
            let literal = data.value.as_ref().and_then(blocks::literal);
            let literal = literal.filter(|literal| fits(literal, ty));
            entries.extend(
                literal.map(|literal| Entry::value(literal, span.clone()).named("default")),
            );
            nodes.push(made("key", span, entries));
        }
        nodes
    }

    /// The values of variables that are not plain values.
    fn first_values(&mut self) -> Vec<Node> {
        let chart = self.tasks.chart;
        let span = &chart.states[0].span;
        let mut nodes = Vec::new();
        for data in &chart.data {
            let Some(value) = &data.value else { continue };
            let is_said = blocks::literal(value)
                .is_some_and(|literal| fits(&literal, self.kinds.variable(&data.name)));
            if is_said || value.what == ExprKind::Nothing {
                continue;
            }
            let key = self.keys[data.name.as_str()].0.clone();
            match self.expr(value) {
                Ok(value) => {
                    nodes.push(made(
                        "set",
                        span,
                        vec![word(&format!("{key} = {value}"), span)],
                    ));
                }
                Err(trouble) => self.troubles.push(trouble),
            }
        }
        nodes
    }

    /// Everything in a state.
    fn inside(&mut self, index: StateIndex) -> Vec<Node> {
        let chart: &'c Chart = self.tasks.chart;
        let state = &chart.states[index];
        let span = &state.span;
        let mut nodes = Vec::new();
        let mut inner: Vec<(usize, Part)> = Vec::new();
        for (child, one) in chart.states.iter().enumerate() {
            if one.parent == Some(index) {
                inner.push((one.span.start, Part::State(child)));
            }
        }
        if state.kind != KindOf::Parallel
            && let Some((_, Part::State(first))) = inner.first()
        {
            nodes.extend(self.initial(index, *first));
        }
        let mut entry = match index {
            0 => self.first_values(),
            _ => Vec::new(),
        };
        entry.extend(self.tasks(&state.entry, span));
        entry.extend(self.end_of_parent(state));
        if !entry.is_empty() {
            nodes.push(made("entry", span, Vec::new()).block(entry));
        }
        let exit = self.tasks(&state.exit, span);
        if !exit.is_empty() {
            nodes.push(made("exit", span, Vec::new()).block(exit));
        }
        for (number, one) in chart.transitions.iter().enumerate() {
            if one.source == index {
                inner.push((one.span.start, Part::Transition(number)));
            }
        }
        // Transitions and states keep their order, which decides between them.
        inner.sort_by_key(|(start, _)| *start);
        for (_, part) in inner {
            match part {
                Part::State(child) => nodes.push(self.state(child)),
                Part::Transition(number) => nodes.extend(self.transition(number)),
            }
        }
        nodes
    }

    fn state(&mut self, index: StateIndex) -> Node {
        let state = &self.tasks.chart.states[index];
        let span = &state.span;
        let has_states = self
            .tasks
            .chart
            .states
            .iter()
            .any(|one| one.parent == Some(index));
        let kind = match state.kind {
            KindOf::Parallel if has_states => "parallel",
            _ => "state",
        };
        let mut entries = vec![word(&self.names[index], span)];
        if state.kind == KindOf::Final {
            entries.push(flag(span).named("final"));
        }
        let inside = self.inside(index);
        let node = made(kind, span, entries);
        match inside.is_empty() {
            true => node,
            false => node.block(inside),
        }
    }

    /// `initial NAME`
    fn initial(&mut self, index: StateIndex, first: StateIndex) -> Option<Node> {
        let chart: &'c Chart = self.tasks.chart;
        let state = &chart.states[index];
        let span = &state.span;
        let Some(way) = &state.initial else {
            let entries = vec![word(&self.names[first], span)];
            return Some(made("initial", span, entries));
        };
        if !way.block.is_empty() {
            let what = said!("what an `<initial>` carries out");
            let help = said!("put it into the `<onentry>` of the state that it leads to");
            self.troubles.push(no_form(&way.span, what, help));
        }
        // A history of the state itself: it begins where it was.
        if let [(id, at)] = &way.targets[..]
            && let Some(Id::History(number)) = chart.ids.get(id)
            && let history = &chart.histories[*number]
            && history.of == index
            && index > 0
        {
            let targets = self.plain_default(history, at)?;
            let mut entries = vec![word(&self.joined(&targets), span)];
            entries.push(word(depth(history), span).named("history"));
            return Some(made("initial", span, entries));
        }
        let (targets, history) = self.targets(way)?;
        if history.is_some() {
            let what = said!("an `<initial>` that leads to the history of another state");
            let help = said!("lead to the state, and let it begin with its history");
            self.troubles.push(no_form(&way.span, what, help));
            return None;
        }
        let entries = vec![word(&self.joined(&targets), span)];
        Some(made("initial", span, entries))
    }

    /// The states that a history of the state itself begins with.
    fn plain_default(&mut self, history: &HistoryOf, at: &Span) -> Option<Vec<StateIndex>> {
        let default = history.default.as_ref();
        let plain = default.filter(|way| way.block.is_empty());
        let states = plain.and_then(|way| states_of(self.tasks.chart, way));
        if states.is_none() {
            self.no_default(at);
        }
        states
    }

    fn no_default(&mut self, at: &Span) {
        let what = said!("the default of this history");
        let help = said!(
            "lead it to the state that `initial` names, and carry nothing out: a history that is empty begins there"
        );
        self.troubles.push(no_form(at, what, help));
    }

    fn joined(&self, states: &[StateIndex]) -> String {
        let names: Vec<&str> = states.iter().map(|state| &*self.names[*state]).collect();
        names.join(" ")
    }

    /// The targets of a way, and the history that they have in common.
    fn targets(&mut self, way: &'c Way) -> Option<(Vec<StateIndex>, Option<&'static str>)> {
        let chart: &'c Chart = self.tasks.chart;
        let mut states = Vec::new();
        let mut histories: HashSet<Option<&'static str>> = HashSet::new();
        for (id, at) in &way.targets {
            match chart.ids.get(id)? {
                Id::State(state) => {
                    states.push(*state);
                    histories.insert(None);
                }
                Id::History(number) => {
                    let history = &chart.histories[*number];
                    if !begins_like_its_state(chart, history) {
                        self.no_default(at);
                        return None;
                    }
                    states.push(history.of);
                    histories.insert(Some(depth(history)));
                }
            }
        }
        if histories.len() > 1 {
            let what = said!("a way to a history and to another state at once");
            let help = said!("lead to histories of one type, or to states only");
            self.troubles.push(no_form(&way.span, what, help));
            return None;
        }
        Some((states, histories.into_iter().next().flatten()))
    }

    /// `transition to=… on=…`; nothing for one whose event never happens in a document of ours.
    fn transition(&mut self, number: usize) -> Option<Node> {
        let chart: &'c Chart = self.tasks.chart;
        let transition = &chart.transitions[number];
        let span = &transition.span;
        let source = transition.source;
        let mut entries = Vec::new();
        if !transition.way.targets.is_empty() {
            let (targets, history) = self.targets(&transition.way)?;
            entries.push(word(&self.joined(&targets), span).named("to"));
            entries.extend(history.map(|depth| word(depth, span).named("history")));
        }
        entries.extend(self.trigger(number));
        self.heard = events::the_only(transition, self.tasks.events).map(str::to_owned);
        if let Some(cond) = &transition.cond {
            match self.test(cond) {
                Ok(test) => entries.push(word(&test, span).named("when")),
                Err(trouble) => self.troubles.push(trouble),
            }
        }
        let is_composite = chart.states[source].kind == KindOf::State
            && chart.states.iter().any(|one| one.parent == Some(source));
        if transition.is_internal && is_composite && !transition.way.targets.is_empty() {
            entries.push(word("local", span).named("kind"));
        }
        let tasks = self.block(&transition.way.block, span);
        self.heard = None;
        let node = made("transition", span, entries);
        Some(match tasks.is_empty() {
            true => node,
            false => node.block(tasks),
        })
    }

    /// `on=`, `after=` or `done=`
    fn trigger(&self, number: usize) -> Option<Entry> {
        let transition = &self.tasks.chart.transitions[number];
        let span = &transition.span;
        let names = transition.events.as_ref()?;
        if self.done.own.contains(&number) {
            return Some(word("any", span).named("done"));
        }
        if let Some(secs) = self.timers.secs(transition) {
            let value = Value::Decimal(secs, format!("{secs:?}"));
            return Some(Entry::value(value, span.clone()).named("after"));
        }
        let names: Vec<String> = names
            .iter()
            .map(|name| match name.as_str() {
                "" => ANY.to_owned(),
                name => self.events.name(name),
            })
            .collect();
        Some(word(&names.join(" "), span).named("on"))
    }

    /// Emits the event of the state around a final one, if others than its own transitions wait for it.
    fn end_of_parent(&mut self, state: &StateOf) -> Option<Node> {
        let chart = self.tasks.chart;
        let parent = state.parent.filter(|_| state.kind == KindOf::Final)?;
        // A parallel around it may be done with it.
        let mut above = chart.states[parent].parent;
        while let Some(index) = above {
            if chart.states[index].kind == KindOf::Parallel && self.done.told.contains(&index) {
                let what = said!("an event for a `<parallel>` that is done");
                let help = said!(
                    "wait for it in a transition of the `<parallel>` with a target and without `cond`: then it becomes `done=any`"
                );
                self.troubles
                    .push(no_form(&chart.states[index].span, what, help));
            }
            above = chart.states[index].parent;
        }
        let id = chart.states[parent].id.as_ref()?;
        if !self.done.told.contains(&parent) {
            return None;
        }
        let event = super::chart::Said::Plainly(done(id));
        let nothing = Vec::new();
        let load = state.done.as_ref().unwrap_or(&nothing);
        match self.emit(&event, load, false, &state.span) {
            Ok(node) => Some(node),
            Err(trouble) => {
                self.troubles.push(trouble);
                None
            }
        }
    }

    /// What the machine and others tell it.
    fn leaves(&self) -> Option<Node> {
        let span = &self.tasks.chart.states[0].span;
        let mut declared = Vec::new();
        for leaf in &self.tasks.events.leaves {
            let name = leaf.name.as_str();
            if name == ANY || self.timers.is_timer(name) || self.is_only_done(name) {
                continue;
            }
            let node = made("event", span, vec![word(&self.events.name(name), span)]);
            let params = self.events.params(name).into_iter().map(|(field, param)| {
                let ty = self.kinds.field(&field);
                let mut entries = vec![
                    word(&param, span),
                    word(&ty.to_string(), span).named("type"),
                ];
                if self.events.left_out.contains(&(name.to_owned(), field)) {
                    let zero = Entry::value(zero(ty, span), span.clone());
                    entries.push(zero.named("default"));
                }
                made("param", span, entries)
            });
            let params: Vec<Node> = params.collect();
            declared.push(match params.is_empty() {
                true => node,
                false => node.block(params),
            });
        }
        (!declared.is_empty()).then(|| made("leaves", span, Vec::new()).block(declared))
    }

    /// Whether an event only says that a state is done, to transitions with `done=`.
    fn is_only_done(&self, event: &str) -> bool {
        let Some(id) = event.strip_prefix("done.state.") else {
            return false;
        };
        match self.tasks.chart.ids.get(id) {
            Some(Id::State(state)) => !self.done.told.contains(state),
            _ => false,
        }
    }

    /// The parameter for a part of the event that a transition waits for.
    fn param(&self, field: &str, span: &Span) -> Result<String, Trouble> {
        let params = self.heard.as_ref().map(|event| self.events.params(event));
        let mut params = params.into_iter().flatten();
        let found = params.find(|(known, _)| known == field);
        found.map(|(_, param)| param).ok_or_else(|| {
            let what = said!("`_event.{}` here", shortened(field));
            let help = said!(
                "read the data of an event in the `cond` and the content of a transition that waits for this event only, and keep it in a variable"
            );
            no_form(span, what, help)
        })
    }
}

/// A part of a state whose place matters.
enum Part {
    State(StateIndex),
    Transition(usize),
}

fn depth(history: &HistoryOf) -> &'static str {
    match history.is_deep {
        true => "deep",
        false => "shallow",
    }
}

/// Whether a history that is empty leads where its state begins anyway.
fn begins_like_its_state(chart: &Chart, history: &HistoryOf) -> bool {
    let Some(default) = &history.default else {
        return true;
    };
    let state = &chart.states[history.of];
    let mut inner = chart.states.iter().enumerate();
    let is_inner = |(_, one): &(usize, &StateOf)| one.parent == Some(history.of);
    let mut begins: Vec<StateIndex> = match (&state.initial, state.kind) {
        (_, KindOf::Parallel) => inner.filter(is_inner).map(|(index, _)| index).collect(),
        (Some(way), _) if !way.block.is_empty() => return false,
        (Some(way), _) => match states_of(chart, way) {
            Some(states) => states,
            None => return false,
        },
        (None, _) => inner
            .find(is_inner)
            .into_iter()
            .map(|(index, _)| index)
            .collect(),
    };
    let Some(mut leads) = states_of(chart, default) else {
        return false;
    };
    begins.sort_unstable();
    leads.sort_unstable();
    default.block.is_empty() && begins == leads
}

/// The states that a way leads to; nothing if it leads to a history.
fn states_of(chart: &Chart, way: &Way) -> Option<Vec<StateIndex>> {
    let states = way.targets.iter().map(|(id, _)| match chart.ids.get(id) {
        Some(Id::State(state)) => Some(*state),
        _ => None,
    });
    states.collect()
}

/// Whether a value can be the default of a key of this type.
fn fits(value: &Value, ty: Type) -> bool {
    match value {
        Value::Int(_) => matches!(ty, Type::Int | Type::Double | Type::Any),
        Value::Decimal(..) => matches!(ty, Type::Double | Type::Any),
        Value::Bool(_) => matches!(ty, Type::Bool | Type::Any),
        Value::Text(_) => matches!(ty, Type::Text | Type::Any),
        _ => false,
    }
}

fn zero(ty: Type, span: &Span) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Double => Value::Decimal(0.0, "0.0".to_owned()),
        Type::Text => blocks::text("", span),
        _ => Value::Int(0),
    }
}
