//! From a chart to a machine.

use super::Trouble;
use super::chart::{Block, Id, KindOf, TransitionOf, Way};
use super::events::done;
use super::script::ExprKind;
use super::tasks::Tasks;
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::behaviour::{
    ChildIndex, Depth, Initial, Machine, Mode, Stack, State, StateIndex, StateKind, Target,
    Transition, Trigger, Yields,
};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Kind, LeafId, Node, Value};

/// How many microsteps a machine may take for one event. SCXML has no limit, and documents write counting loops this
/// way.
const MAX_MICROSTEPS: u32 = 1_000;

/// Builds a machine.
pub(super) struct Builder<'c> {
    tasks: Tasks<'c>,
    children: Vec<Node>,
    /// The histories that something leads to, as targets.
    histories: HashMap<usize, Option<Target>>,
    /// Per state, whether a final state in it sends data when it ends the state.
    says_more: Vec<bool>,
    pub(super) troubles: Vec<Trouble>,
    machine: Machine,
}

impl<'c> Builder<'c> {
    pub(super) fn new(tasks: Tasks<'c>) -> Self {
        let chart = tasks.chart;
        Self {
            tasks,
            children: Vec::new(),
            histories: HashMap::new(),
            says_more: vec![false; chart.states.len()],
            troubles: Vec::new(),
            machine: Machine {
                mode: Mode::Statechart,
                states: Vec::new(),
                transitions: Vec::new(),
                deciders: Vec::new(),
                max_microsteps: MAX_MICROSTEPS,
            },
        }
    }

    /// Builds the node of the machine. The node must not be used if there are troubles.
    pub(super) fn build(mut self) -> (Node, Vec<Trouble>) {
        let chart = self.tasks.chart;
        self.outline();
        for index in 0..chart.states.len() {
            self.state(index);
        }
        for transition in &chart.transitions {
            let transition = self.transition(transition);
            self.machine.transitions.push(transition);
        }
        let machine = Box::new(self.machine);
        (
            Node::with(Kind::Machine(machine), self.children),
            self.troubles,
        )
    }

    fn trouble(&mut self, code: Code, span: &Span, message: Said) -> &mut Trouble {
        self.troubles
            .push(Trouble::new(code, span.clone(), message));
        self.troubles.last_mut().expect("it was pushed")
    }

    /// Adds the states with only their places, which is enough to judge targets.
    fn outline(&mut self) {
        let chart = self.tasks.chart;
        let mut has_states = vec![false; chart.states.len()];
        for state in &chart.states {
            if let Some(parent) = state.parent {
                has_states[parent] = true;
                self.says_more[parent] |= state.done.is_some();
            }
        }
        for (index, state) in chart.states.iter().enumerate() {
            let kind = match state.kind {
                KindOf::Final => StateKind::Final { success: true },
                _ if !has_states[index] => StateKind::Atomic,
                KindOf::Parallel => StateKind::Parallel,
                KindOf::State => StateKind::Composite {
                    initial: Initial {
                        targets: Vec::new(),
                        tasks: Vec::new(),
                    },
                },
            };
            let name = match (&state.id, index) {
                (Some(id), _) => id.clone(),
                (None, 0) => chart.name.clone(),
                // No id can look like this.
                (None, index) => format!("({index})"),
            };
            let done_event = state
                .id
                .as_ref()
                .and_then(|id| self.tasks.events.id(&done(id)));
            self.machine.states.push(State {
                name,
                parent: state.parent,
                kind,
                entry: Vec::new(),
                exit: Vec::new(),
                activity: None,
                enter_if: None,
                defers: Vec::new(),
                // Otherwise the tasks of its final states emit the event.
                done_event: done_event
                    .filter(|_| state.kind != KindOf::Final && !self.says_more[index]),
            });
        }
        if !has_states.first().is_some_and(|has| *has) {
            let span = chart.states[0].span.clone();
            self.trouble(
                Code::MissingChildren,
                &span,
                said!("there are no states in this machine"),
            );
        }
    }

    fn state(&mut self, index: StateIndex) {
        let chart = self.tasks.chart;
        let state = &chart.states[index];
        let mut entry = Vec::new();
        if index == 0 {
            entry.extend(self.variables());
        }
        entry.extend(self.late_variables(index));
        entry.extend(state.entry.iter().filter_map(|block| self.task(block)));
        entry.extend(self.done(index));
        let exit = state.exit.iter().filter_map(|block| self.task(block));
        let exit: Vec<ChildIndex> = exit.collect();
        (
            self.machine.states[index].entry,
            self.machine.states[index].exit,
        ) = (entry, exit);
        let is_composite = matches!(self.machine.states[index].kind, StateKind::Composite { .. });
        if !is_composite {
            if let Some(initial) = &state.initial {
                let message = said!("there is no state here to begin in");
                self.trouble(Code::BadTarget, &initial.span, message);
            }
            return;
        }
        let initial = match &state.initial {
            Some(way) => Initial {
                targets: self.inner_targets(way, index),
                tasks: self.task(&way.block).into_iter().collect(),
            },
            None => Initial {
                targets: self
                    .machine
                    .children(index)
                    .take(1)
                    .map(Target::State)
                    .collect(),
                tasks: Vec::new(),
            },
        };
        self.machine.states[index].kind = StateKind::Composite { initial };
    }

    /// Emits the event of the state around a final one, if the event carries more than its name.
    fn done(&mut self, index: StateIndex) -> Option<ChildIndex> {
        let chart = self.tasks.chart;
        let state = &chart.states[index];
        let parent = state.parent.filter(|_| state.kind == KindOf::Final)?;
        if !self.says_more[parent] {
            return None;
        }
        let id = chart.states[parent].id.as_ref()?;
        let event = self.tasks.events.id(&done(id))?;
        let load = state.done.as_ref();
        let node = self.tasks.done(event, load, &mut self.troubles);
        Some(self.add(node))
    }

    /// Gives the variables of a state their values when the state is first entered.
    fn late_variables(&mut self, index: StateIndex) -> Option<ChildIndex> {
        let chart = self.tasks.chart;
        let mut nodes = Vec::new();
        for data in chart
            .data
            .iter()
            .filter(|data| data.of == index && index > 0)
        {
            let (Ok((key, ty, _)), Some(value)) =
                (self.tasks.scope.variable(&data.name, &(0..0)), &data.value)
            else {
                continue;
            };
            match self.tasks.scope.lower_as(value, ty) {
                Ok(value) => {
                    let is_unset = Expr::Not(Expr::Has(key).into());
                    let assigns = vec![Assign::set(key, value)];
                    let kind = Kind::Switch {
                        cases: vec![is_unset],
                        once: true,
                        leaves_open: false,
                    };
                    let children = vec![Kind::Set { assigns }, Kind::Succeed];
                    nodes.push(Node::with(
                        kind,
                        children.into_iter().map(Node::leaf).collect(),
                    ));
                }
                Err(trouble) => self.troubles.push(trouble),
            }
        }
        self.in_a_row(nodes)
    }

    fn in_a_row(&mut self, nodes: Vec<Node>) -> Option<ChildIndex> {
        let yields = Yields::Never;
        (!nodes.is_empty()).then(|| self.add(Node::with(Kind::Sequence { yields }, nodes)))
    }

    /// Gives the variables their values at the start.
    fn variables(&mut self) -> Option<ChildIndex> {
        let chart = self.tasks.chart;
        let mut nodes = Vec::new();
        for data in &chart.data {
            let nowhere = 0..0;
            let Ok((key, ty, is_optional)) = self.tasks.scope.variable(&data.name, &nowhere) else {
                continue;
            };
            let value = data
                .value
                .as_ref()
                .filter(|value| value.what != ExprKind::Nothing && data.of == 0);
            match value.map(|value| self.tasks.scope.lower_as(value, ty)) {
                Some(Ok(value)) => {
                    let assigns = vec![Assign::set(key, value)];
                    nodes.push(Node::leaf(Kind::Set { assigns }));
                }
                Some(Err(trouble)) => self.troubles.push(trouble),
                None if is_optional => nodes.push(Node::leaf(Kind::Unset {
                    key,
                    forgets: false,
                })),
                None => {}
            }
        }
        self.in_a_row(nodes)
    }

    fn task(&mut self, block: &Block) -> Option<ChildIndex> {
        let node = self.tasks.block(block, &mut self.troubles)?;
        Some(self.add(node))
    }

    fn add(&mut self, node: Node) -> ChildIndex {
        self.children.push(node);
        self.children.len() - 1
    }

    fn transition(&mut self, transition: &TransitionOf) -> Transition {
        let TransitionOf {
            source,
            events,
            cond,
            way,
            is_internal,
            ..
        } = transition;
        let scope = self.tasks.scope;
        let when = cond.as_ref().and_then(|cond| match scope.test(cond) {
            Ok(test) => Some(test),
            Err(trouble) => {
                self.troubles.push(trouble);
                None
            }
        });
        // A transition that waits for nothing and leads nowhere is taken again and again until another one, which
        // comes before it, is taken.
        let is_free = when.is_none() && events.is_none() && way.targets.is_empty();
        let when = if is_free {
            Some(Expr::Value(Value::Bool(true)))
        } else {
            when
        };
        let (trigger, payload) = match events {
            Some(names) => {
                let meant: Vec<LeafId> = self.tasks.events.meant_by(names);
                (Trigger::Event(meant), scope.field_keys())
            }
            None => (Trigger::Polled, Vec::new()),
        };
        // Only composite states are not left by internal transitions into them.
        let is_composite = matches!(
            self.machine.states[*source].kind,
            StateKind::Composite { .. }
        );
        Transition {
            source: *source,
            targets: self.targets(way),
            trigger,
            when,
            conditions: None,
            priority: 0,
            local: *is_internal && is_composite,
            reenter: true,
            tasks: self.task(&way.block).into_iter().collect(),
            stack: Stack::Keep,
            payload,
            decided: None,
        }
    }

    /// The targets of a way that leads into a state.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn inner_targets(&mut self, way: &Way, of: StateIndex) -> Vec<Target> {
        let targets = self.targets(way);
        let mut inside = Vec::new();
        for (target, (id, span)) in targets.into_iter().zip(&way.targets) {
            let lies_inside = match &target {
                Target::State(state) => self.machine.is_inside(*state, of),
                Target::History {
                    of: state,
                    fallback,
                    ..
                } => {
                    if *state == of && fallback.is_empty() {
                        let message = said!("the history `{}` has no default", shortened(id));
                        let help = said!("add a `<transition target=\"…\"/>`");
                        self.trouble(Code::NoInitial, span, message)
                            .with_perhaps(Some(help));
                    }
                    *state == of || self.machine.is_inside(*state, of)
                }
                _ => treemind_core::unlisted(&target),
            };
            if lies_inside {
                inside.push(target);
            } else {
                let message = said!(
                    "`{}` is not inside the state whose initial state it would be",
                    shortened(id)
                );
                self.trouble(Code::BadTarget, span, message);
            }
        }
        inside
    }

    fn targets(&mut self, way: &Way) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for (id, span) in &way.targets {
            let Some(target) = self.target(id, span) else {
                continue;
            };
            let state = Machine::target_state(&target);
            let is_alone = |other: &Target| {
                let other = Machine::target_state(other);
                other == state || !self.machine.are_orthogonal(other, state)
            };
            if targets.iter().any(is_alone) {
                let message = said!(
                    "`{}` cannot be active together with the targets before it",
                    shortened(id)
                );
                let help = said!("several targets must be in different states of one `<parallel>`");
                self.trouble(Code::BadTarget, span, message)
                    .with_perhaps(Some(help));
                continue;
            }
            targets.push(target);
        }
        targets
    }

    fn target(&mut self, id: &str, span: &Span) -> Option<Target> {
        let chart = self.tasks.chart;
        match chart.ids.get(id) {
            Some(Id::State(state)) => Some(Target::State(*state)),
            Some(Id::History(number)) => {
                if let Some(known) = self.histories.get(number) {
                    return known.clone();
                }
                let history = self.history(*number);
                self.histories.insert(*number, history.clone());
                history
            }
            None => {
                let known = chart.ids.keys().map(String::as_str);
                let help = suggest::did_you_mean(id, known, || None);
                let message = said!("unknown state `{}`", shortened(id));
                self.trouble(Code::UnknownState, span, message)
                    .with_perhaps(help);
                None
            }
        }
    }

    fn history(&mut self, number: usize) -> Option<Target> {
        let chart = self.tasks.chart;
        let history = &chart.histories[number];
        if self.machine.is_atomic(history.of) {
            let message = said!("this history has no sibling states to remember");
            self.trouble(Code::BadTarget, &history.span, message);
            return None;
        }
        let (mut fallback, mut tasks) = (Vec::new(), Vec::new());
        if let Some(way) = &history.default {
            for (id, span) in &way.targets {
                match chart.ids.get(id) {
                    Some(Id::History(_)) => {
                        let message =
                            said!("the default of a history must be a state, not a history");
                        self.trouble(Code::BadTarget, span, message);
                    }
                    Some(Id::State(state)) if self.machine.is_inside(*state, history.of) => {
                        fallback.push(Target::State(*state));
                    }
                    Some(Id::State(_)) => {
                        let message = said!(
                            "`{}` is not inside the state of this history",
                            shortened(id)
                        );
                        self.trouble(Code::BadTarget, span, message);
                    }
                    None => {
                        self.target(id, span);
                    }
                }
            }
            tasks.extend(self.task(&way.block));
        }
        Some(Target::History {
            of: history.of,
            depth: match history.is_deep {
                true => Depth::Deep,
                false => Depth::Shallow,
            },
            fallback,
            tasks,
        })
    }
}
