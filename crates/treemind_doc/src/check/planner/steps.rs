//! What a node has on its line as a step of a planner: `gives=` and `cost=`.

use super::super::Checker;
use super::super::line::Line;
use super::super::tree::Lowered;
use super::{Draft, PLANNER};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Foresight;
use crate::language::{self, COST, GIVES};
use crate::said;
use crate::symbols::step_name;
use treemind_core::behaviour::{self, Never, PlanStep};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Value};

/// What a planner knows of a step, beside its guards and hooks.
#[derive(Debug, Default)]
pub(crate) struct PlannedStep {
    gives: Vec<Assign>,
    cost: Option<Expr>,
}

impl<'s> Checker<'s> {
    /// Reads the steps: what the planner knows of each, and the nodes that are carried out.
    pub(super) fn plan_steps(
        &mut self,
        draft: &mut Draft<'s>,
    ) -> (Vec<PlanStep>, Vec<behaviour::Node>) {
        let (mut steps, mut children) = (Vec::new(), Vec::new());
        let depth = draft.depth + 1;
        for part in draft.steps.clone() {
            if self.sink.is_full() {
                draft.is_broken = true;
                break;
            }
            let is_of_each = draft.placed[part.of].each.is_some();
            self.item_guards.step = match is_of_each {
                true => part.node.extent(),
                false => 0..0,
            };
            self.item_guards.line = part.node.span.clone();
            self.item_guards
                .item
                .clone_from(&draft.placed[part.of].item);
            self.item_guards.never = None;
            let Lowered { node, about } = self.quietly(draft, part.of, |checker| {
                checker.node_under(Some(PLANNER), part.node, depth)
            });
            let (Some(node), Some(planned), Some((name, _))) =
                (node, about.planned, step_name(part.node))
            else {
                draft.is_broken = true;
                continue;
            };
            let name = draft.full_name(part, &name.value);
            children.push(match is_of_each {
                true => {
                    let value = draft.placed[part.of].value;
                    self.of_item(node.named(&name), value)
                }
                false => node,
            });
            steps.push(PlanStep {
                name,
                gives: planned.gives,
                cost: planned.cost,
            });
        }
        self.item_guards.step = 0..0;
        self.judge_item_guards();
        (steps, children)
    }

    /// A step of an `each`, with what keeps it out, if its value does.
    fn of_item(&mut self, mut node: behaviour::Node, value: Option<Value>) -> behaviour::Node {
        if let (Some(condition), Some(value)) = (self.item_guards.never.take(), value) {
            node.written.parts_mut().never = Some(Box::new(Never {
                condition,
                item: self.item_guards.item.clone(),
                value: self.scope.text_of(value),
            }));
        }
        node
    }

    /// Reads `gives=` and `cost=` of a node whose parent is of the kind `above`; nothing where that is no planner.
    pub(in super::super) fn planned_under(
        &mut self,
        above: Option<&str>,
        line: &mut Line<'_>,
    ) -> Option<Box<PlannedStep>> {
        if above != Some(PLANNER) {
            return None;
        }
        self.words_of_steps_elsewhere(line);
        let gives = match line.property(GIVES.name) {
            Some(entry) => self.foreseeing(Foresight::Gives, |checker| checker.statements(entry)),
            None => Ok(Vec::new()),
        };
        let cost = match line.property(COST.name) {
            Some(entry) => self
                .foreseeing(Foresight::Asked, |checker| {
                    checker.not_negative(entry, &said!("`cost`"))
                })
                .map(Some),
            None => Some(None),
        };
        Some(Box::new(PlannedStep {
            gives: gives.ok()?,
            cost: cost?,
        }))
    }

    /// Reports properties by which other planners, or a slip, say what a step achieves, needs or costs, unless the leaf
    /// of the step has a parameter of that name.
    fn words_of_steps_elsewhere(&mut self, line: &mut Line<'_>) {
        let leaf = line.node.first_text();
        let leaf = leaf.and_then(|leaf| self.leaves.named(&leaf.value));
        for (name, _) in line.unread() {
            let word = name.value.as_str();
            let is_param = leaf.is_some_and(|leaf| leaf.params.iter().any(|one| one.name == word));
            let mut ours = language::foreign_property(word);
            let ours = ours.find(|ours| [GIVES.name, "when", COST.name].contains(ours));
            let Some(ours) = ours.filter(|_| !is_param) else {
                continue;
            };
            line.take(word);
            let message = said!("a step of a planner has no property `{}`", word);
            self.sink
                .error(Code::UnknownProperty, name.span.clone(), message)
                .with_help(said!("use `{}` instead", ours));
        }
    }

    /// Reads something that a planner has to foresee.
    pub(in super::super) fn foreseeing<T>(
        &mut self,
        foresight: Foresight,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.scope.foresight, foresight);
        let read = read(self);
        self.scope.foresight = outer;
        read
    }
}

/// Reports `gives=` and `cost=` where the parent is no planner.
pub(in super::super) fn no_step(line: &mut Line<'_>, sink: &mut Sink) {
    for property in [&GIVES, &COST] {
        let unread = line.unread();
        let Some((_, entry)) = unread.iter().find(|(name, _)| name.value == property.name) else {
            continue;
        };
        let span = entry.span.clone();
        line.property(property.name);
        let message = said!(
            "`{}=` is only allowed on the steps of a planner",
            property.name
        );
        sink.error(Code::UnknownProperty, span, message).with_help(
            said!("put the node into the block of a `planner`; a parameter of this name is given in the block: `param NAME VALUE`"),
        );
    }
}
