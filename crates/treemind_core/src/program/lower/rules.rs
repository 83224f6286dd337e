//! The code of rules: looks, one after the other, with the tasks of each rule behind its look.

use super::{Context, Lowering};
use crate::behaviour::{self, Rule};
use crate::blackboard::Part;
use crate::ids::NodeId;
use crate::program::op::{Op, Out, Reg, RuleOp, RuleTaskOp, SkipTo};

impl Lowering<'_> {
    pub(super) fn rules(
        &mut self,
        node: NodeId,
        (rules, first): (&[Rule], bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let [helds, untils] = self.lasting(node, |run| {
            // The columns of each sort are side by side.
            let helds = rules.iter().zip(0..);
            let helds = helds.map(|(_, number)| run.add_bits(("held", Part::Rule(number))));
            let helds: Vec<u32> = helds.collect();
            let untils = rules.iter().zip(0..);
            let untils: Vec<u32> = untils
                .map(|(_, number)| run.add_moment(("ready_in_secs", Part::Rule(number))))
                .collect();
            [helds[0], untils[0]]
        });
        let mut unfired = input;
        // Nobody comes here at first.
        let mut fired = self.register();
        let order = behaviour::in_order(rules);
        let mut before: Option<u32> = None;
        for (place, (number, first_child)) in order.iter().enumerate() {
            let rule = &rules[*number];
            let is_last = place + 1 == order.len();
            let [next_unfired, next_fired] = match is_last {
                true => [out.failure, out.success],
                false => [self.register(), self.register()],
            };
            let [task, firing] = [self.register(), self.register()];
            let until = rule.cooldown.as_ref().map(|_| untils + *number as u32);
            let look = RuleOp {
                node,
                number: *number as u32,
                when: self.expr(node, &rule.when),
                again: rule.again,
                held: helds + *number as u32,
                until,
                unfired,
                fired,
                next_unfired,
                next_fired,
                task,
                firing,
                end: 0,
                next: None,
            };
            let here = self.code.rules.len() as u32;
            if let Some(before) = before.replace(here) {
                self.code.rules[before as usize].next = Some(here);
            }
            self.code.ops.push(Op::Rule(here));
            self.code.rules.push(look);
            let after = if first { out.success } else { next_fired };
            let children = *first_child..*first_child + rule.tasks;
            self.tasks_of_rule(
                node,
                (rule, children),
                (task, firing),
                (until, after),
                context,
            );
            (unfired, fired) = (next_unfired, next_fired);
        }
    }

    fn tasks_of_rule(
        &mut self,
        node: NodeId,
        (rule, children): (&Rule, std::ops::Range<usize>),
        (mut task, mut firing): (Reg, Reg),
        (until, after): (Option<u32>, Reg),
        context: Context,
    ) {
        let inner = Context {
            observed: true,
            drop: false,
            ..context
        };
        let last = children.end - 1;
        // A task may contain other rules, so the look is found by its place.
        let look = self.code.rules.len() - 1;
        let mut before: Option<usize> = None;
        for child in children {
            let answered = self.register();
            let answers = Out {
                success: answered,
                failure: answered,
                skipped: SkipTo::plain(answered),
            };
            let id = self.behaviour.node(node).children[child];
            let range = self.node(id, task, answers, inner);
            let (next, next_firing) = match child == last {
                true => (after, None),
                false => (self.register(), Some(self.register())),
            };
            let cooling = rule.cooldown.as_ref().zip(until).filter(|_| child == last);
            let cooling = cooling.map(|(secs, until)| (self.secs(node, secs, &None), until));
            let end = RuleTaskOp {
                node,
                firing,
                answered,
                range,
                next,
                next_firing,
                next_end: 0,
                cooling,
            };
            let place = self.code.ops.len() as u32;
            match before {
                None => self.code.rules[look].end = place,
                Some(before) => self.code.rule_tasks[before].next_end = place,
            }
            before = Some(self.code.rule_tasks.len());
            self.code
                .ops
                .push(Op::RuleTask(self.code.rule_tasks.len() as u32));
            self.code.rule_tasks.push(end);
            (task, firing) = (next, next_firing.unwrap_or(firing));
        }
    }
}
