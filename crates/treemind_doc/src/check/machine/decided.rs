//! `transition decide=NAME`: a decision tree chooses the target.

use super::super::decision::hold;
use super::super::definition_graph::DefinitionGraph;
use super::super::{Checker, DefinitionKind};
use super::Draft;
use super::state_names::states_named;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::syntax::{Entry, Node, Value as Written, shortened};
use treemind_core::Expr;
use treemind_core::behaviour::{Decided, DecisionStep, Stack, StateIndex, Target, Transition};

impl Checker<'_> {
    /// Adds one transition for each state that a decision tree leads to; `common` holds what these transitions share.
    pub(super) fn decided(
        &mut self,
        draft: &mut Draft<'_>,
        node: &Node,
        entry: &Entry,
        common: Transition,
    ) {
        let found = self.graph.decider_of(entry, &common, self.sink);
        let is_good = found.is_some_and(|held| match self.places {
            // Until all definitions are known, the names of the states are enough.
            None => self.perhaps_decided(draft, node, held, &common),
            Some(_) => self.surely_decided(draft, node, held, &common),
        });
        draft.is_broken |= !is_good;
    }

    fn perhaps_decided(
        &mut self,
        draft: &mut Draft<'_>,
        node: &Node,
        held: usize,
        common: &Transition,
    ) -> bool {
        self.note_uses(&[held], &node.span);
        self.graph.deciders.push(held);
        let mut is_good = !self.graph[held].is_broken;
        let all = draft.machine.states.len();
        for (leaf, name) in self.graph.states_led_to(held).into_iter().enumerate() {
            let Some(states) = states_named(draft, name, common.source, self.sink) else {
                is_good = false;
                continue;
            };
            // Whether this transition is taken is not known here. A condition on active states is the placeholder. Each
            // leaf of the decision tree gets different states, so that no transition seems to repeat another one.
            let [one, other] =
                [leaf % all, leaf / all % all].map(|state| Box::new(Expr::Active(state)));
            let unknown = Expr::And(one, other);
            let when = match &common.when {
                Some(when) => Expr::And(Box::new(when.clone()), Box::new(unknown)),
                None => unknown,
            };
            draft.machine.transitions.push(Transition {
                targets: states.into_iter().map(Target::State).collect(),
                when: Some(when),
                ..common.clone()
            });
            draft.transition_spans.push(node.span.clone());
        }
        is_good
    }

    fn surely_decided(
        &mut self,
        draft: &mut Draft<'_>,
        node: &Node,
        held: usize,
        common: &Transition,
    ) -> bool {
        let Some(mut decider) = self.decider(held, draft.depth) else {
            return false;
        };
        let targets: Option<Vec<Vec<StateIndex>>> = decider
            .states
            .iter()
            .map(|state| states_named(draft, state.name, common.source, self.sink))
            .collect();
        let Some(targets) = targets.filter(|targets| !targets.is_empty()) else {
            return false;
        };
        let first_asked = draft.children.len();
        draft.children.append(&mut decider.asked);
        for step in &mut decider.decision.steps {
            if let DecisionStep::Ask { child, .. } = step {
                *child += first_asked;
            }
        }
        hold(&mut decider.decision, &targets);
        let by = draft.machine.deciders.len();
        draft.machine.deciders.push(decider.decision);
        for (leaf, (state, targets)) in decider.states.into_iter().zip(targets).enumerate() {
            let first_task = draft.children.len();
            draft.children.extend(state.tasks);
            let tasks = common.tasks.iter().copied();
            let tasks = tasks.chain(first_task..draft.children.len()).collect();
            draft.machine.transitions.push(Transition {
                targets: targets.into_iter().map(Target::State).collect(),
                tasks,
                decided: Some(Decided { by, leaf }),
                ..common.clone()
            });
            draft.transition_spans.push(node.span.clone());
        }
        true
    }
}

impl DefinitionGraph<'_> {
    fn decider_of(&self, entry: &Entry, common: &Transition, sink: &mut Sink) -> Option<usize> {
        let Written::Text(text) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("`decide` must be the name of a decision tree");
                sink.error(Code::WrongType, entry.value_span.clone(), message);
            }
            return None;
        };
        if !common.targets.is_empty() || common.stack != Stack::Keep {
            let message = said!("a transition with `decide=` cannot also have a target");
            sink.error(Code::Contradiction, entry.span.clone(), message)
                .with_help(said!(
                    "remove either `decide=`, or `to=`, `push=` and `pop=`"
                ));
            return None;
        }
        let held = self.find_held(DefinitionKind::Decision, text, sink)?;
        if !self[held].states {
            let word = shortened(&text.value);
            let message = said!(
                "`{}` does not lead to states, so a transition cannot use it",
                word
            );
            sink.error(Code::MisplacedNode, text.span.clone(), message)
                .with_help(said!(
                    "let its leaves be states: `state NAME` or `state NAME { TASKS }`"
                ));
            return None;
        }
        Some(held)
    }
}
