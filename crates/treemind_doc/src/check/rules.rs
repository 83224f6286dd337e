//! `rules` and their rules.

use super::line::Line;
use super::reading::finish_in;
use super::tree::{Below, present};
use super::{Checker, sibling_name, stranger};
use crate::code::Code;
use crate::language::{self, Spot};
use crate::said;
use crate::syntax::{Node, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::behaviour::{self, Access, KindPart, MAX_RULES, Rule};
use treemind_core::{KeyId, Kind};

/// What is known of a rule, for the comparison with others.
struct Seen<'n> {
    node: &'n Node,
    priority: i64,
    reads: Vec<KeyId>,
    writes: Vec<KeyId>,
}

impl Checker<'_> {
    /// `rules fire=all { rule NAME when="EXPR" { TASK … }; … }`
    pub(super) fn rules(&mut self, line: &mut Line<'_>, depth: usize) -> (Below, Option<Kind>) {
        line.no_values(self.sink);
        let first = self.read(line, &language::FIRE);
        let mut children = Below::with_capacity(0);
        let (mut rules, mut all_seen, mut names) = (Vec::new(), Vec::new(), HashMap::new());
        let mut is_sound = true;
        for node in present(line.node.children()) {
            if self.sink.is_full() {
                return (children, None);
            }
            if Spot::Score.has(&node.name.value) {
                continue;
            }
            if !Spot::Rule.has(&node.name.value) {
                is_sound = false;
                self.no_rule(node, depth);
                continue;
            }
            if rules.len() == MAX_RULES {
                let message = said!("`rules` can have at most {} rules", MAX_RULES);
                self.sink
                    .error(Code::ExtraChildren, node.span.clone(), message);
                return (children, None);
            }
            match self.rule(node, &mut children, &mut names, depth) {
                Some((rule, seen)) => {
                    rules.push(rule);
                    all_seen.push(seen);
                }
                None => is_sound = false,
            }
        }
        if is_sound && rules.is_empty() {
            let message = said!("`rules` needs at least one rule");
            self.sink
                .error(Code::MissingChildren, line.node.span.clone(), message)
                .with_help(said!("add one: `rule NAME when=\"health < 40\" { … }`"));
            is_sound = false;
        }
        self.warn_of_late_effects(&all_seen);
        let kind = first.filter(|_| is_sound);
        (children, kind.map(|first| Kind::Rules { rules, first }))
    }

    fn no_rule(&mut self, node: &Node, depth: usize) {
        let word = node.name.value.as_str();
        if !Spot::Task.has(word) {
            stranger(node, &said!("in `rules`"), &Spot::Rule.list(), self.sink);
            return;
        }
        let message = said!("`{}` is not allowed in `rules` outside of a rule", word);
        self.sink
            .error(Code::MisplacedNode, node.name.span.clone(), message)
            .with_help(said!(
                "put it into one: `rule NAME when=\"…\" { {} … }`",
                word
            ));
        self.node(node, depth + 1);
    }

    fn rule<'n>(
        &mut self,
        node: &'n Node,
        children: &mut Below,
        names: &mut HashMap<String, ()>,
        depth: usize,
    ) -> Option<(Rule, Seen<'n>)> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the rule"), self.sink);
        line.only_name(self.sink);
        line.flag("disabled", self.sink);
        if let Some(name) = name {
            self.rule_names.insert(name.value.clone());
        }
        if let Some(name) = name
            && names.insert(name.value.clone(), ()).is_some()
        {
            let message = said!("there is a rule `{}` already", shortened(&name.value));
            self.sink.error(Code::Duplicate, name.span.clone(), message);
        }
        if !line.has("when") {
            let message = said!("this rule has no `when`");
            self.sink
                .error(Code::MissingValue, node.name.span.clone(), message)
                .with_help(said!("add what it waits for: `when=\"health < 40\"`"));
        }
        let when = self.guard(&mut line, "when").ok().flatten();
        let priority = match line.property("priority") {
            None => Some(0),
            Some(entry) => match entry.value {
                Written::Int(number) => i64::try_from(number).ok(),
                _ => None,
            },
        };
        if priority.is_none() {
            let message = said!("`priority` must be a whole number");
            self.sink
                .error(Code::WrongType, node.name.span.clone(), message);
        }
        let cooldown = self.read(&mut line, &language::COOLDOWN);
        let again = self.read(&mut line, &language::AGAIN);
        finish_in(line, Spot::Rule, self.sink);
        let nodes = present(node.children());
        if nodes.is_empty() {
            let message = said!("this rule does nothing");
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("write what it does into its block"));
        }
        let mut siblings = HashMap::new();
        let mut writes = Vec::new();
        for task in &nodes {
            sibling_name(task, &mut siblings, self.sink);
            let lowered = self.node_under(Some("rules"), task, depth + 1);
            if let Some(span) = lowered.about.takes_time.clone() {
                let message = said!("this may take time, but the tasks of rules must end at once");
                self.sink
                    .error(Code::TakesTime, span, message)
                    .with_help(said!("for work that lasts, use `selector` or `decide`; if the action always ends at once, declare it with `instant={}`", "#true"));
            }
            if let Some(node) = &lowered.node {
                note_writes(node, &mut writes);
            }
            children.push(lowered);
        }
        let (name, when) = (name?, when?);
        let mut reads = Vec::new();
        when.for_each_key(&mut |key| reads.push(key));
        let seen = Seen {
            node,
            priority: priority?,
            reads,
            writes,
        };
        let rule = Rule {
            name: name.value.clone(),
            when,
            priority: priority?,
            cooldown: cooldown?,
            again: again?,
            tasks: nodes.len(),
        };
        (rule.tasks > 0).then_some((rule, seen))
    }

    /// Warns of a rule that writes what an earlier rule looks at.
    fn warn_of_late_effects(&mut self, rules: &[Seen<'_>]) {
        let mut order: Vec<&Seen<'_>> = rules.iter().collect();
        order.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
        for (place, rule) in order.iter().enumerate() {
            let earlier = &order[..place];
            let late = rule
                .writes
                .iter()
                .find(|key| earlier.iter().any(|one| one.reads.contains(key)));
            if let Some(key) = late {
                let key = &self.scope.key(*key).name;
                let message = said!(
                    "an earlier rule looks at `{}`, so this write takes effect in the next tick",
                    shortened(key)
                );
                self.sink
                    .warning(Code::LateEffect, rule.node.name.span.clone(), message)
                    .with_help(said!(
                        "move this rule before it, or give it a higher `priority`"
                    ));
            }
        }
    }
}

/// Notes the keys that a node writes, and those below it.
fn note_writes(node: &behaviour::Node, writes: &mut Vec<KeyId>) {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        node.kind.parts(&mut |part| match part {
            KindPart::Assign(assign) => writes.push(assign.key),
            KindPart::Key(key, Access::Write) => writes.push(key),
            _ => {}
        });
        writes.extend(node.hooks.assigns().map(|assign| assign.key));
        pending.extend(&node.children);
    }
}
