//! The events of a document of ours: their names, what they carry, and those that are timers.

use super::super::chart::{
    Action, Block, Chart, Delay, KindOf, Load, Said, StateOf, TransitionOf, for_all_actions,
};
use super::super::events::{ANY, Events, done, for_all_blocks};
use super::super::script::{ExprKind, Script};
use crate::names::is_meant;
use crate::syntax::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use treemind_core::behaviour::StateIndex;

/// What is known of the events that stay events.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// The parts of each event that something reads, with the names of the parameters.
    params: BTreeMap<String, BTreeMap<String, String>>,
    /// The parameters that somebody in the machine does not give, by event and part.
    pub(super) left_out: BTreeSet<(String, String)>,
}

impl Declared {
    pub(super) fn of(chart: &Chart, events: &Events) -> Self {
        let mut declared = Declared::default();
        for transition in &chart.transitions {
            let Some(event) = the_only(transition, events) else {
                continue;
            };
            let mut fields = BTreeSet::new();
            if let Some(cond) = &transition.cond {
                fields_in(cond, &mut fields);
            }
            in_block(&transition.way.block, &mut fields);
            let params = declared.params.entry(event.to_owned()).or_default();
            for field in fields {
                if let Some(param) = param(field) {
                    params.insert(field.to_owned(), param);
                }
            }
        }
        for_all_told(chart, &mut |told| {
            let Said::Plainly(event) = told.event else {
                return;
            };
            for field in declared
                .params
                .get(event)
                .into_iter()
                .flat_map(BTreeMap::keys)
            {
                if !told.load.iter().any(|(given, _)| given == field) {
                    let left_out = (event.clone(), field.clone());
                    declared.left_out.insert(left_out);
                }
            }
        });
        declared
    }

    /// Its name in a document of ours.
    pub(super) fn name(&self, event: &str) -> String {
        event.replace([':', ';', '|', ','], "-")
    }

    /// The parts that something reads, and the names of their parameters.
    pub(super) fn params(&self, event: &str) -> Vec<(String, String)> {
        let params = self.params.get(event).into_iter().flatten();
        params
            .map(|(field, param)| (field.clone(), param.clone()))
            .collect()
    }
}

/// The name of the parameter for a part of an event; only its data become parameters.
fn param(field: &str) -> Option<String> {
    match field.strip_prefix("data") {
        Some("") => Some("data".to_owned()),
        Some(path) => Some(path.strip_prefix('.')?.replace(['.', '$'], "_")),
        None => None,
    }
}

/// The event that a transition waits for, if it waits for no other.
pub(super) fn the_only<'e>(transition: &TransitionOf, events: &'e Events) -> Option<&'e str> {
    let meant = events.meant_by(transition.events.as_ref()?);
    let names = meant
        .iter()
        .map(|event| events.leaves[event.index()].name.as_str());
    let mut names = names.filter(|name| *name != ANY);
    names.next().filter(|_| names.next().is_none())
}

fn in_block<'c>(block: &'c Block, fields: &mut BTreeSet<&'c str>) {
    for_all_actions(block, &mut |action| match action {
        Action::Raise { load, .. } | Action::Send { load, .. } => {
            load.iter()
                .for_each(|(_, script)| fields_in(script, fields));
        }
        Action::Log(logged) => {
            let value = logged.value.iter();
            value.for_each(|value| fields_in(value, fields));
        }
        Action::Assign { value, .. } => fields_in(value, fields),
        Action::If { branches, .. } => {
            branches
                .iter()
                .for_each(|(test, _)| fields_in(test, fields));
        }
        Action::Cancel { .. } | Action::Fail { .. } => {}
    });
}

fn fields_in<'c>(script: &'c Script, fields: &mut BTreeSet<&'c str>) {
    match &script.what {
        ExprKind::Event(field) => {
            fields.insert(field);
        }
        ExprKind::Typeof(inner)
        | ExprKind::IsThere(inner)
        | ExprKind::Not(inner)
        | ExprKind::Neg(inner) => fields_in(inner, fields),
        ExprKind::Binary(_, left, right) => {
            fields_in(left, fields);
            fields_in(right, fields);
        }
        ExprKind::Choice(test, then, other) => {
            for part in [test, then, other] {
                fields_in(part, fields);
            }
        }
        ExprKind::Math(_, args) => args.iter().for_each(|arg| fields_in(arg, fields)),
        _ => {}
    }
}

/// An event that the machine raises or sends.
struct Told<'c> {
    event: &'c Said,
    load: &'c Load,
}

fn for_all_told<'c>(chart: &'c Chart, each: &mut impl FnMut(Told<'c>)) {
    for_all_blocks(chart, &mut |block| {
        for_all_actions(block, &mut |action| {
            if let Action::Raise { event, load } | Action::Send { event, load, .. } = action {
                each(Told { event, load });
            }
        });
    });
}

/// Delayed events that are the timer of a state: it sends the event when it is entered, nothing else does, and only
/// its own transitions wait for it.
#[derive(Debug, Default)]
pub(super) struct Timers {
    /// The seconds, by event.
    secs: HashMap<String, f64>,
    /// Where the `<send>`s begin.
    made_by: BTreeSet<usize>,
}

impl Timers {
    pub(super) fn of(chart: &Chart) -> Self {
        let mut told: HashMap<&str, usize> = HashMap::new();
        let mut is_known = true;
        for_all_told(chart, &mut |one| match one.event {
            Said::Plainly(event) => *told.entry(event).or_default() += 1,
            Said::By(_) => is_known = false,
        });
        let mut timers = Timers::default();
        if !is_known {
            return timers;
        }
        for (index, state) in chart.states.iter().enumerate() {
            for action in state.entry.iter().flatten() {
                let Action::Send {
                    event: Said::Plainly(event),
                    delay: Delay::Secs(secs),
                    id,
                    span,
                    ..
                } = action
                else {
                    continue;
                };
                let is_timer = *secs > 0.0
                    && told[event.as_str()] == 1
                    && ends_with(state, id.as_ref(), chart)
                    && chart
                        .transitions
                        .iter()
                        .all(|one| !waits(one, event) || is_of(one, index, event));
                if is_timer {
                    timers.secs.insert(event.clone(), *secs);
                    timers.made_by.insert(span.start);
                }
            }
        }
        timers
    }

    /// The seconds that a transition waits, if it waits for a timer.
    pub(super) fn secs(&self, transition: &TransitionOf) -> Option<f64> {
        match transition.events.as_deref()? {
            [event] => self.secs.get(event).copied(),
            _ => None,
        }
    }

    pub(super) fn is_timer(&self, event: &str) -> bool {
        self.secs.contains_key(event)
    }

    pub(super) fn is_made_by(&self, send: &Span) -> bool {
        self.made_by.contains(&send.start)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.secs.is_empty()
    }
}

/// Whether an event that a state sends is cancelled when this state is left, or never.
fn ends_with(state: &StateOf, id: Option<&Script>, chart: &Chart) -> bool {
    let cancels = |action: &Action| match action {
        Action::Cancel { id: cancelled } => match (&cancelled.what, id.map(|id| &id.what)) {
            (ExprKind::Text(one), Some(ExprKind::Text(other))) => one == other,
            (ExprKind::Text(_), None) => false,
            _ => true,
        },
        _ => false,
    };
    let mut everywhere = 0;
    for_all_blocks(chart, &mut |block| {
        for_all_actions(block, &mut |action| {
            everywhere += usize::from(cancels(action))
        });
    });
    let here = state
        .exit
        .iter()
        .flatten()
        .filter(|one| cancels(one))
        .count();
    everywhere == here
}

/// Whether a transition waits for an event of this name.
pub(super) fn waits(transition: &TransitionOf, event: &str) -> bool {
    let mut names = transition.events.iter().flatten();
    names.any(|name| name.is_empty() || is_meant(name, event))
}

/// Whether a transition does what one with `after=` or `done=` does: it is of that state, and leaves it.
fn is_of(transition: &TransitionOf, state: StateIndex, event: &str) -> bool {
    transition.source == state
        && transition.events.as_deref() == Some(&[event.to_owned()])
        && transition.cond.is_none()
        && !transition.way.targets.is_empty()
        && !transition.is_internal
}

/// Which states are done is told in two ways: `done=any` at their own transitions, and events for all others.
pub(super) struct Done {
    /// The transitions with `done=any`, by number.
    pub(super) own: BTreeSet<usize>,
    /// The states whose final states emit the event.
    pub(super) told: BTreeSet<StateIndex>,
}

impl Done {
    pub(super) fn of(chart: &Chart) -> Self {
        let mut found = Done {
            own: BTreeSet::new(),
            told: BTreeSet::new(),
        };
        for (index, state) in chart.states.iter().enumerate() {
            let Some(id) = state.id.as_ref().filter(|_| state.kind != KindOf::Final) else {
                continue;
            };
            let event = done(id);
            let waiting = chart.transitions.iter().enumerate();
            let waiting = waiting.filter(|(_, one)| waits(one, &event));
            // Those that wait in two ways would lose their order.
            match waiting.clone().all(|(_, one)| is_of(one, index, &event)) {
                true => found.own.extend(waiting.map(|(number, _)| number)),
                false => {
                    found.told.insert(index);
                }
            }
        }
        found
    }
}
