//! Planners and rules in diagrams: boxes for goals, tasks, methods and rules, which are no nodes.

use crate::outline::{brief, considerations, considered, expression, goal_text, method_text};
use crate::outline::{quoted, rule_text};
use std::cmp::Ordering;
use treemind_core::behaviour::{Aim, Doing, Hooks, Planner, effects};
use treemind_core::expr::{Assign, Change, Compare};
use treemind_core::{Behaviour, Expr, Kind, NodeId, Value};

/// What is drawn of a node in addition to its children.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) boxes: Vec<PartBox>,
    pub(super) links: Vec<Link>,
}

/// A box that is no node.
pub(super) struct PartBox {
    pub(super) id: String,
    /// What it says, line by line.
    pub(super) lines: Vec<String>,
    pub(super) is_goal: bool,
}

/// An edge from or to such a box.
pub(super) struct Link {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) label: Option<String>,
    /// It says what a part uses; others say what it belongs to.
    pub(super) is_use: bool,
}

impl Parts {
    fn part(&mut self, id: &str, lines: Vec<String>, is_goal: bool) {
        self.boxes.push(PartBox {
            id: id.to_owned(),
            lines,
            is_goal,
        });
    }

    fn link(&mut self, from: &str, to: String, label: Option<String>, is_use: bool) {
        self.links.push(Link {
            from: from.to_owned(),
            to,
            label,
            is_use,
        });
    }

    fn planner(&mut self, behaviour: &Behaviour, node: NodeId, planner: &Planner) {
        let own = id_of(node);
        let children = &behaviour.node(node).children;
        let hooks: Vec<&Hooks> = children
            .iter()
            .map(|child| &behaviour.node(*child).hooks)
            .collect();
        for (at, goal) in planner.goals.iter().enumerate() {
            let id = format!("{own}g{at}");
            let mut lines = vec![goal_text(behaviour, planner, goal)];
            lines.extend(considered(behaviour, &goal.score));
            self.part(&id, lines, true);
            self.link(&own, id.clone(), None, false);
            if let Aim::Does(task) = goal.aim {
                self.link(&id, format!("{own}k{task}"), Some("does".to_owned()), true);
            }
            for wanted in planner.wanted(at, &hooks) {
                let gives = |step: &usize| {
                    let effects = effects(&planner.steps[*step], hooks[*step]).collect::<Vec<_>>();
                    holds_after(wanted.expr, &effects) != Some(false)
                };
                for step in wanted.given_by.into_iter().filter(gives) {
                    let label = expression(behaviour, wanted.expr);
                    self.link(&id, id_of(children[step]), Some(label), true);
                }
            }
        }
        for (of, task) in planner.tasks.iter().enumerate() {
            let id = format!("{own}k{of}");
            self.part(&id, vec![format!("task {}", quoted(&task.name))], false);
            self.link(&own, id.clone(), None, false);
            for (at, method) in task.methods.iter().enumerate() {
                let way = format!("{id}m{at}");
                self.part(&way, vec![method_text(behaviour, planner, method)], false);
                self.link(&id, way.clone(), Some((at + 1).to_string()), false);
                for (place, doing) in method.does.iter().enumerate() {
                    let to = match *doing {
                        Doing::Step(step) => id_of(children[step]),
                        Doing::Task(task) => format!("{own}k{task}"),
                    };
                    self.link(&way, to, Some((place + 1).to_string()), true);
                }
            }
        }
    }
}

/// Whether a test holds after these statements; `None` where that depends on more than literals.
fn holds_after(test: &Expr, effects: &[&Assign]) -> Option<bool> {
    let literal = |expr| literal_after(expr, effects);
    match test {
        Expr::Not(inner) => holds_after(inner, effects).map(|holds| !holds),
        Expr::And(left, right) => match (holds_after(left, effects), holds_after(right, effects)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (left, right) => left.and(right),
        },
        Expr::Or(left, right) => match (holds_after(left, effects), holds_after(right, effects)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (left, right) => left.and(right),
        },
        Expr::Compare(compare, left, right) => {
            let (left, right) = (literal(left)?, literal(right)?);
            if left.ty() != right.ty() {
                return None;
            }
            let order = ordered(left, right);
            Some(match compare {
                Compare::Eq => left == right,
                Compare::Ne => left != right,
                Compare::Lt => order?.is_lt(),
                Compare::Le => order?.is_le(),
                Compare::Gt => order?.is_gt(),
                Compare::Ge => order?.is_ge(),
            })
        }
        Expr::Between(value, low, high) => {
            let value = literal(value)?;
            let above = ordered(literal(low)?, value)?.is_le();
            Some(above && ordered(value, literal(high)?)?.is_le())
        }
        _ => match literal(test)? {
            Value::Bool(holds) => Some(holds),
            _ => None,
        },
    }
}

/// A literal, or that of a key which is set to one.
fn literal_after(expr: &Expr, effects: &[&Assign]) -> Option<Value> {
    match expr {
        Expr::Value(value) => Some(*value),
        Expr::Widen(to, inner) => literal_after(inner, effects)?.widened(*to),
        Expr::Key(key, _) => {
            let last = effects.iter().rfind(|effect| effect.key == *key)?;
            match (last.change, &last.value) {
                (Change::Set, Expr::Value(value)) => Some(*value),
                _ => None,
            }
        }
        _ => None,
    }
}

fn ordered(left: Value, right: Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(&right),
        _ => None,
    }
}

fn id_of(node: NodeId) -> String {
    format!("n{}", node.index())
}

/// Goals, tasks and methods of a planner, and the rules of `rules`; nothing of other nodes.
pub(super) fn parts(behaviour: &Behaviour, node: NodeId) -> Parts {
    let mut parts = Parts::default();
    match &behaviour.node(node).kind {
        Kind::Planner(planner) => parts.planner(behaviour, node, planner),
        Kind::Rules { rules, .. } => {
            let own = id_of(node);
            for (at, rule) in rules.iter().enumerate() {
                let id = format!("{own}r{at}");
                parts.part(&id, vec![rule_text(behaviour, rule)], false);
                parts.link(&own, id, None, false);
            }
        }
        _ => {}
    }
    parts
}

/// The box from which an edge leads to a child: its parent, or the rule to which it belongs.
pub(super) fn above(behaviour: &Behaviour, parent: NodeId, index: usize) -> String {
    let own = id_of(parent);
    let Kind::Rules { rules, .. } = &behaviour.node(parent).kind else {
        return own;
    };
    let mut end = 0;
    let rule = rules.iter().position(|rule| {
        end += rule.tasks;
        index < end
    });
    rule.map_or(own.clone(), |rule| format!("{own}r{rule}"))
}

/// What the box of a node says, line by line: the node, and below it what its block considers and keeps.
pub(super) fn lines(behaviour: &Behaviour, node: NodeId) -> Vec<String> {
    let mut lines = vec![brief(behaviour, node)];
    let block = considerations(behaviour, node).into_iter();
    lines.extend(block.map(|(deeper, line)| format!("{}{line}", "· ".repeat(deeper / 2))));
    lines
}
