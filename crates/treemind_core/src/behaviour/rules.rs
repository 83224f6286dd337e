//! Rules: what a node says and notes when something comes to hold.

use super::KindPart;
use crate::expr::Expr;
use crate::value::Type;

/// The largest number of rules of a [`Kind::Rules`](super::Kind::Rules).
pub const MAX_RULES: usize = 128;

/// A rule of a [`Kind::Rules`](super::Kind::Rules).
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The `bool` expression that it waits for.
    pub when: Expr,
    /// Rules with a higher priority come first; of equals, those that are written first.
    pub priority: i64,
    /// For how many seconds it does not fire again, a `double` expression read when it has fired.
    pub cooldown: Option<Expr>,
    /// Whether it fires again while its `when` goes on to hold.
    pub again: bool,
    /// How many children it ticks; those of the rules before it come first.
    pub tasks: usize,
}

/// Calls `see` with the expressions of rules.
pub(super) fn parts<'k>(rules: &'k [Rule], see: &mut dyn FnMut(KindPart<'k>)) {
    for rule in rules {
        see(KindPart::test(&rule.when, Type::Bool));
        if let Some(secs) = &rule.cooldown {
            see(KindPart::drawing(secs, Type::Double));
        }
    }
}

/// How many children the node has.
pub(super) fn children(rules: &[Rule]) -> usize {
    rules.iter().map(|rule| rule.tasks).sum()
}

/// The rules in the order in which they are looked at, each with its number and its first child.
pub fn in_order(rules: &[Rule]) -> Vec<(usize, usize)> {
    let mut first = 0;
    let mut order = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        order.push((number, first));
        first += rule.tasks;
    }
    order.sort_by_key(|(number, _)| std::cmp::Reverse(rules[*number].priority));
    order
}

/// Checks how many there are, and that each does something.
pub(super) fn check(rules: &[Rule]) -> Result<(), String> {
    if !(1..=MAX_RULES).contains(&rules.len()) {
        return Err(format!("{} rules", rules.len()));
    }
    match rules.iter().find(|rule| rule.tasks == 0) {
        Some(rule) => Err(format!("the rule `{}` does nothing", rule.name)),
        None => Ok(()),
    }
}
