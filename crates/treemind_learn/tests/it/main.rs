//! Trees are learned from tables that follow a rule, and find that rule.

mod documents;
mod known_rules;
mod missing_values;
mod tables;
