//! What the XML of py_trees has beside that of BehaviorTree.CPP: composites with `memory` and `policy`, and some names.

use super::nodes::Nodes;
use crate::code::Code;
use crate::syntax::{Entry, Value, shortened};
use roxmltree::Attribute;

/// The name in BehaviorTree.CPP of a node that has another one in py_trees.
fn current(name: &str) -> Option<&'static str> {
    Some(match name {
        "Selector" => "Fallback",
        "FailureIsSuccess" => "ForceSuccess",
        "SuccessIsFailure" => "ForceFailure",
        _ => return None,
    })
}

impl Nodes<'_> {
    /// The node that py_trees means, by the name in BehaviorTree.CPP, and what its attributes say beside that; they are
    /// taken out. Nodes that the file declares are those of the host.
    pub(super) fn of_py_trees<'n>(
        &mut self,
        name: &'n str,
        others: &mut Vec<Attribute<'_, '_>>,
    ) -> (&'n str, Vec<Entry>) {
        let name = match current(name) {
            Some(now) if self.models.get(name).is_none() => now,
            _ => name,
        };
        let mut take = |wanted: &str| {
            let at = others.iter().position(|one| one.name() == wanted)?;
            Some(others.remove(at))
        };
        match name {
            "Sequence" | "Fallback" => {
                let memory = take("memory");
                let keeps = memory.is_none_or(|one| one.value().eq_ignore_ascii_case("true"));
                let reactive = match name {
                    "Sequence" => "ReactiveSequence",
                    _ => "ReactiveFallback",
                };
                (if keeps { name } else { reactive }, Vec::new())
            }
            "Parallel" => match take("policy") {
                Some(policy) => (name, self.policy(policy)),
                None => (name, Vec::new()),
            },
            _ => (name, Vec::new()),
        }
    }

    /// The properties of a parallel with this policy: all children are ticked before the answers count.
    fn policy(&mut self, policy: Attribute<'_, '_>) -> Vec<Entry> {
        let at = policy.range_value();
        let word = |word: &str, name: &str| Entry::word(word, at.clone()).named(name);
        let end = word("end", "check");
        match policy.value().trim() {
            "success_on_all" => vec![word("all", "success"), word("one", "failure"), end],
            "success_on_one" => vec![
                word("one", "success"),
                word("one", "failure"),
                end,
                Entry::value(Value::Bool(true), at.clone()).named("repeat-finished"),
            ],
            other => {
                let message = format!(
                    "expected `success_on_all` or `success_on_one` for `policy`, found `{}`",
                    shortened(other)
                );
                self.sink.error(Code::BadChoice, at, message);
                Vec::new()
            }
        }
    }
}
