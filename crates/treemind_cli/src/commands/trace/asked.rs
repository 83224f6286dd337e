//! What is asked, and in which order.

use treemind_core::behaviour::{Rule, in_order};
use treemind_core::{Expr, KeyId};

/// The keys that expressions name, as often as they do.
pub(super) fn named<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<KeyId> {
    let mut keys = Vec::new();
    let exprs = exprs.into_iter();
    exprs.for_each(|expr| expr.for_each_key(&mut |key| keys.push(key)));
    keys
}

/// Whether an expression that names the others can have read these keys: it may leave some out.
pub(super) fn is_part(read: &[KeyId], named: &[KeyId]) -> bool {
    let count = |keys: &[KeyId], key| keys.iter().filter(|one| **one == key).count();
    read.iter()
        .all(|key| count(read, *key) <= count(named, *key))
}

/// The rule that is asked next, with its place in the order in which they are looked at: a constant is not asked.
pub(super) fn next_rule(rules: &[Rule], next: usize) -> Option<(usize, usize)> {
    let order = in_order(rules).into_iter().map(|(number, _)| number);
    let mut asked = order.enumerate().skip(next);
    asked.find(|(_, rule)| !matches!(rules[*rule].when, Expr::Value(_)))
}
