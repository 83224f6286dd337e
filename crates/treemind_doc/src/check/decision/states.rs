//! Decision trees that lead to states; transitions use them.

use super::super::definition_graph::DefinitionGraph;
use super::super::machine::tasks::too_long;
use super::super::reading::finish_in;
use super::{Draft, Goal, Item};
use crate::check::Checker;
use crate::check::line::Line;
use crate::check::tree::present;
use crate::check::undecided::tasks_of;
use crate::language::Spot;
use crate::said;
use crate::syntax::{Node, Text};
use std::collections::{HashMap, HashSet};
use treemind_core::Kind;
use treemind_core::behaviour::{self, Decision, DecisionStep};

/// `state NAME { TASKS }`: the target of a transition that uses the decision tree.
pub(in crate::check) struct StateLeaf<'n> {
    pub(in crate::check) name: &'n Text,
    /// The tasks that the transition carries out.
    pub(in crate::check) tasks: Vec<behaviour::Node>,
}

/// The decision tree of a transition.
pub(in crate::check) struct Decider<'n> {
    /// Its leaves are the states, in the order of [`states`](Self::states).
    pub(in crate::check) decision: Decision,
    /// The conditions that its tests ask, in the order of their numbers.
    pub(in crate::check) asked: Vec<behaviour::Node>,
    pub(in crate::check) states: Vec<StateLeaf<'n>>,
}

/// Whether a definition leads to a state.
pub(in crate::check) fn leads_to_states(definition: &Node) -> bool {
    let mut tasks = tasks_of(definition).into_iter();
    tasks.any(|task| task.name.value == "state")
}

impl<'s> Checker<'s> {
    /// `state NAME { TASKS }`
    pub(super) fn state_item(&mut self, draft: &mut Draft<'s>, node: &'s Node) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the state"), self.sink);
        line.only_name(self.sink);
        line.flag("disabled", self.sink);
        finish_in(line, Spot::DecidedState, self.sink);
        let mut tasks = Vec::new();
        let mut is_broken = false;
        for task in present(node.children()) {
            let lowered = self.node(task, draft.depth + 1);
            if let Some(span) = lowered.about.takes_time {
                too_long(span, &said!("a transition"), self.sink);
            }
            is_broken |= lowered.node.is_none();
            tasks.extend(lowered.node);
        }
        let name = name.filter(|_| !is_broken)?;
        let states = draft.states.get_or_insert_default();
        states.push(StateLeaf { name, tasks });
        let number = states.len() - 1;
        let leaf = behaviour::Node::leaf(Kind::Succeed).named(number.to_string());
        draft
            .child(Some(leaf), &node.span)
            .map(|leaf| Item::end(Goal::Leaf(leaf)))
    }

    /// The decision tree of a transition, put into its place.
    pub(in crate::check) fn decider(&mut self, held: usize, depth: usize) -> Option<Decider<'s>> {
        let mut draft = Draft::new(depth, true);
        let prefix = self.key_names.prefix(&self.graph[held].name.clone());
        let frame = self.frame(held, &prefix, &HashMap::new(), false);
        let first = self.place_decision(&mut draft, held, Some(frame));
        self.read_parts(&mut draft);
        if draft.is_broken {
            return None;
        }
        let mut states: Vec<Option<StateLeaf<'s>>> = draft
            .states
            .take()
            .unwrap_or_default()
            .into_iter()
            .map(Some)
            .collect();
        let (first, order) = draft.settle(first);
        let names = self.graph.test_names(&draft, &order);
        let (mut decision, children, _) = draft.finish(first, &order, names);
        let is_asked = decision.asked(children.len());
        // The index of a child among the asked children, or among the others.
        let number = |child: usize| {
            let before = is_asked[..child].iter();
            before.filter(|asked| **asked == is_asked[child]).count()
        };
        decision.for_all_ways(&mut |way| {
            if let behaviour::Way::Leaf(child) = way {
                *child = number(*child);
            }
        });
        for step in &mut decision.steps {
            if let DecisionStep::Ask { child, .. } = step {
                *child = number(*child);
            }
        }
        let (mut asked, mut reached) = (Vec::new(), Vec::new());
        for (child, is_asked) in children.into_iter().zip(is_asked) {
            if is_asked {
                asked.push(child);
                continue;
            }
            let number = child.name.as_deref().and_then(|name| name.parse().ok());
            let state = number.and_then(|number: usize| states.get_mut(number)?.take());
            reached.extend(state);
        }
        Some(Decider {
            decision,
            asked,
            states: reached,
        })
    }
}

impl<'s> DefinitionGraph<'s> {
    /// The names of all states that a definition leads to, including those of decision trees inside it.
    pub(in crate::check) fn states_led_to(&self, held: usize) -> Vec<&'s Text> {
        let mut names = Vec::new();
        let mut pending = vec![held];
        let mut seen = HashSet::new();
        while let Some(held) = pending.pop() {
            if seen.insert(held) {
                for task in tasks_of(self[held].node) {
                    match task.name.value.as_str() {
                        "state" => names.extend(task.first_text()),
                        "decide" => pending.extend(self.stands_for(task)),
                        _ => {}
                    }
                }
            }
        }
        names.sort_by_key(|name| name.span.start);
        names
    }
}
