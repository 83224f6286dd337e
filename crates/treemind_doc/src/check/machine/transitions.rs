//! Transitions: what triggers them, where they lead, how they change the stack.

use super::super::Checker;
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::never_taken::always_holds;
use super::state_names::states_named;
use super::{Draft, MAX_TRANSITIONS};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{self, Spot};
use crate::said;
use crate::syntax::{Entry, Node, Text, Value as Written};
use treemind_core::behaviour::{ChildIndex, Depth, Stack, StateIndex, Target, Transition, Trigger};

/// The triggers that a transition can wait for.
const TRIGGERS: [&str; 3] = ["on", "after", "done"];

impl Checker<'_> {
    /// `transition to=NAME …` in a state.
    pub(super) fn transition(&mut self, draft: &mut Draft<'_>, node: &Node, source: StateIndex) {
        if self.sink.is_full() || !self.fits(node, draft.depth) {
            draft.is_broken = true;
            return;
        }
        if draft.machine.transitions.len() >= MAX_TRANSITIONS {
            if !draft.is_broken {
                let message = said!("a machine can have at most {} transitions", MAX_TRANSITIONS);
                self.sink.error(Code::TooLarge, node.span.clone(), message);
            }
            draft.is_broken = true;
            return;
        }
        let mut line = Line::new(node, self.sink);
        no_target_as_value(&line, self.sink);
        line.doc(self.sink);
        line.flag("disabled", self.sink);
        let trigger = self.trigger(&mut line);
        let heard = self.hear_trigger(draft, trigger.as_ref(), line.has("on"), node);
        let when = self.guard(&mut line, "when");
        let decider = line.property("decide");
        let priority = priority(&mut line, self.sink);
        let local = self.read(&mut line, &language::KIND);
        let reenter = line.flag("reenter", self.sink);
        let (targets, stack) = self.destination(draft, &mut line, source);
        finish_in(line, Spot::State, self.sink);
        let (conditions, tasks) = self.block(draft, node);
        let payload = self.scope.unhear(heard);
        let (Some(trigger), Ok(when), Some(priority), Some(local), Some(targets)) =
            (trigger, when, priority, local, targets)
        else {
            draft.is_broken = true;
            return;
        };
        let transition = Transition {
            source,
            targets,
            trigger,
            when,
            conditions,
            priority,
            local,
            reenter,
            tasks,
            stack,
            payload,
            decided: None,
        };
        if let Some(entry) = decider {
            self.decided(draft, node, entry, transition);
            return;
        }
        if is_free(&transition) {
            leads_nowhere(node, self.sink);
            return;
        }
        draft.machine.transitions.push(transition);
        draft.transition_spans.push(node.span.clone());
    }

    /// `on=`, `after=` or `done=`; `None` when there is a mistake in it.
    fn trigger(&mut self, line: &mut Line<'_>) -> Option<Trigger> {
        let [on, after, done] = TRIGGERS.map(|name| line.property(name));
        let done_with = self.read(line, &language::DONE);
        let mut given = [on, after, done].into_iter().flatten();
        if let (Some(_), Some(second)) = (given.next(), given.next()) {
            let message = said!("a transition takes only one of `on=`, `after=` and `done=`");
            self.sink
                .error(Code::Contradiction, second.span.clone(), message)
                .with_help(said!(
                    "write a transition for each; any of them can also have a `when=`"
                ));
            return None;
        }
        if let Some(entry) = on {
            return self.heard(entry).map(Trigger::Event);
        }
        if let Some(entry) = after {
            return self.time(entry, &said!("`after`")).map(Trigger::After);
        }
        match done {
            Some(_) => done_with.map(Trigger::Done),
            None => Some(Trigger::Polled),
        }
    }

    /// Reads `to=`, `push=` and `pop=`: the targets; `None` when there is a mistake in them.
    fn destination(
        &mut self,
        draft: &mut Draft<'_>,
        line: &mut Line<'_>,
        source: StateIndex,
    ) -> (Option<Vec<Target>>, Stack) {
        let depth = self.read(line, &language::HISTORY);
        let history = line.property("history");
        let pops = line.flag("pop", self.sink);
        let [to, push, pop] = ["to", "push", "pop"].map(|name| line.property(name));
        let pop = pop.filter(|_| pops);
        let mut given = [to, push, pop].into_iter().flatten();
        if let (Some(_), Some(second)) = (given.next(), given.next()) {
            let message = said!("a transition takes only one of `to=`, `push=` and `pop=`");
            self.sink
                .error(Code::BadStack, second.span.clone(), message)
                .with_help(if pops {
                    said!("remove the other one: `pop={}` goes back to where the machine was at the last `push`", "#true")
                } else {
                    said!("use only `push=NAME`: it goes to that state and remembers where it was")
                });
            return (None, Stack::Keep);
        }
        let stack = match (push, pop) {
            (Some(_), _) => Stack::Push,
            (None, Some(_)) => Stack::Pop,
            (None, None) => Stack::Keep,
        };
        let Some(entry) = to.or(push) else {
            if let Some(entry) = history {
                let message = said!("`history=` needs a target state");
                self.sink
                    .error(Code::MissingValue, entry.span.clone(), message)
                    .with_help(said!("add `to=`, as in `to=NAME history=deep`"));
                return (None, stack);
            }
            return (Some(Vec::new()), stack);
        };
        let Some(text) = path_of(entry, self.sink) else {
            return (None, stack);
        };
        let Some(states) = states_named(draft, text, source, self.sink) else {
            return (None, stack);
        };
        if stack == Stack::Push && states.len() > 1 {
            let message = said!("`push` takes only one state");
            self.sink
                .error(Code::BadStack, text.span.clone(), message)
                .with_help(said!(
                    "name one state: the others in a `parallel` begin automatically"
                ));
            return (None, stack);
        }
        let targets = match (history, depth) {
            (None, _) => Some(states.into_iter().map(Target::State).collect()),
            (Some(entry), Some(depth)) => histories(draft, states, entry, depth, self.sink),
            (Some(_), None) => None,
        };
        (targets, stack)
    }

    /// Reads the block of a transition: its conditions and its tasks.
    fn block(
        &mut self,
        draft: &mut Draft<'_>,
        node: &Node,
    ) -> (Option<ChildIndex>, Vec<ChildIndex>) {
        let mut tasks = Vec::new();
        let mut conditions = None;
        let mut has_conditions = false;
        for child in present(node.children()) {
            if child.name.value != "when" {
                tasks.push(child);
                continue;
            }
            if has_conditions {
                let message = said!("this transition already has a `when`");
                self.sink
                    .error(Code::Duplicate, child.span.clone(), message)
                    .with_help(said!("combine the conditions: `when { all { …; …; } }`"));
            }
            has_conditions = true;
            conditions = self.conditions(draft, child);
        }
        let tasks = self.tasks(draft, &tasks, &said!("a transition"));
        (conditions, tasks)
    }
}

/// Reports `transition charge`, which is an easy slip.
fn no_target_as_value(line: &Line<'_>, sink: &mut Sink) {
    let Some(entry) = line.values().first() else {
        return;
    };
    let message = said!("a transition takes no value without a name");
    let diagnostic = sink.error(Code::ExtraValue, entry.span.clone(), message);
    if let Written::Text(text) = &entry.value {
        let name = super::super::line::quoted(&text.value);
        diagnostic.with_help(said!("write `transition to={}`", name));
    }
}

fn priority(line: &mut Line<'_>, sink: &mut Sink) -> Option<i32> {
    let Some(entry) = line.property("priority") else {
        return Some(0);
    };
    let span = entry.value_span.clone();
    let (code, message) = match &entry.value {
        Written::Bad => return None,
        Written::Int(value) => match i32::try_from(*value) {
            Ok(value) => return Some(value),
            Err(_) => (
                Code::BadNumber,
                said!("`priority` must be between {} and {}", i32::MIN, i32::MAX),
            ),
        },
        _ => (Code::WrongType, said!("`priority` must be a whole number")),
    };
    sink.error(code, span, message).with_help(said!(
        "use a higher number for a transition that is checked first; the default is 0"
    ));
    None
}

/// The text of `to=` or `push=`.
fn path_of<'n>(entry: &'n Entry, sink: &mut Sink) -> Option<&'n Text> {
    match &entry.value {
        Written::Text(text) => Some(text),
        Written::Bad => None,
        _ => {
            let message = said!("expected the name of a state");
            sink.error(Code::WrongType, entry.value_span.clone(), message);
            None
        }
    }
}

fn histories(
    draft: &Draft<'_>,
    states: Vec<StateIndex>,
    entry: &Entry,
    depth: Depth,
    sink: &mut Sink,
) -> Option<Vec<Target>> {
    let atomic = states.iter().find(|state| draft.machine.is_atomic(**state));
    if let Some(state) = atomic {
        let message = said!(
            "`{}` has no states inside, so it has no history",
            draft.called(*state)
        );
        sink.error(Code::BadTarget, entry.span.clone(), message)
            .with_help(said!("remove `history=`"));
        return None;
    }
    let history = |of| Target::History {
        of,
        depth,
        fallback: Vec::new(),
        tasks: Vec::new(),
    };
    Some(states.into_iter().map(history).collect())
}

fn leads_nowhere(node: &Node, sink: &mut Sink) {
    let message =
        said!("this transition has no target and no trigger, so it would be taken forever");
    sink
        .error(Code::FreeTransition, node.span.clone(), message)
        .with_help(
            said!("add a target, `to=NAME`, or a trigger, such as `when=\"…\"`; put tasks for entering the state into its `entry`"),
        );
}

/// Whether a transition neither waits for anything nor changes anything.
fn is_free(transition: &Transition) -> bool {
    transition.targets.is_empty()
        && transition.trigger == Trigger::Polled
        && always_holds(transition)
        && transition.conditions.is_none()
        && transition.stack == Stack::Keep
}
