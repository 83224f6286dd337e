//! Trees are learned from tables that follow a rule, and find that rule.

mod known_rules;
mod tables;
