//! Rules in an outline.

use super::lines::About;
use super::{expression, number_text, quoted};
use std::fmt::Write;
use treemind_core::behaviour::Rule;
use treemind_core::{Behaviour, Kind, NodeId};

/// For a task of a rule: the line of the rule if it is its first task, with what it is about, else nothing.
pub(super) fn rule(behaviour: &Behaviour, id: NodeId) -> Option<Option<(About, String)>> {
    let rules_node = behaviour.node(id).parent?;
    let parent = behaviour.node(rules_node);
    let Kind::Rules { rules, .. } = &parent.kind else {
        return None;
    };
    let mut place = parent
        .children
        .partition_point(|child| child.index() < id.index());
    let mut numbered = rules.iter().enumerate();
    let (number, rule) = numbered.find(|(_, rule)| match place < rule.tasks {
        true => true,
        false => {
            place -= rule.tasks;
            false
        }
    })?;
    if place > 0 {
        return Some(None);
    }
    let text = rule_text(behaviour, rule);
    Some(Some((About::Rule(rules_node, number), text)))
}

/// The line of a rule, without its tasks.
pub(crate) fn rule_text(behaviour: &Behaviour, rule: &Rule) -> String {
    let when = expression(behaviour, &rule.when);
    let mut out = format!("rule {} when=\"{when}\"", quoted(&rule.name));
    if rule.priority != 0 {
        let _ = write!(out, " priority={}", rule.priority);
    }
    if let Some(secs) = &rule.cooldown {
        let _ = write!(out, " cooldown={}", number_text(behaviour, secs));
    }
    if rule.again {
        out.push_str(" again=#true");
    }
    out
}
