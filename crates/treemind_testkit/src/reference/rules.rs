//! Rules.

use super::{Leaves, Reference};
use treemind_core::behaviour::Rule;
use treemind_core::{Event, NodeId, Status, Value};

/// What an agent remembers of a rule for its life.
#[derive(Clone, Debug, Default)]
pub(super) struct Watched {
    /// Whether its `when` held at the last look.
    held: bool,
    /// The clock until which it cools.
    cooled_ns: u128,
}

impl<'b> Reference<'b> {
    /// One pass over the rules, the most urgent first.
    pub(super) fn visit_rules(
        &mut self,
        node: NodeId,
        rules: &'b [Rule],
        first: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|number| -i128::from(rules[*number].priority));
        let mut answer = Status::Failure;
        for number in order {
            if self.fires(node, number, &rules[number]) {
                self.fire(node, rules, number, leaves);
                answer = Status::Success;
                if first {
                    break;
                }
            }
        }
        answer
    }

    /// Looks at a rule.
    fn fires(&mut self, node: NodeId, number: usize, rule: &Rule) -> bool {
        let holds = self.eval_at(node, &rule.when) == Some(Value::Bool(true));
        let now = self.now();
        let watched = self.lasting(node).rules.entry(number).or_default();
        let held_before = std::mem::replace(&mut watched.held, holds);
        holds && (rule.again || !held_before) && now >= watched.cooled_ns
    }

    /// Ticks the tasks of a rule.
    fn fire(&mut self, node: NodeId, rules: &'b [Rule], number: usize, leaves: &mut dyn Leaves) {
        self.report(node, Event::Fire(number as u32));
        let before: usize = rules[..number].iter().map(|rule| rule.tasks).sum();
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children[before..before + rules[number].tasks];
        for child in children {
            self.visit(*child, leaves);
            self.abort_node(*child, leaves);
        }
        if let Some(secs) = &rules[number].cooldown {
            let until = self.duration_at(node, secs).map(|nanos| self.now() + nanos);
            let watched = self.lasting(node).rules.entry(number).or_default();
            watched.cooled_ns = until.unwrap_or(0);
        }
    }
}
