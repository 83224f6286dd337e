//! Trees learned from tables that follow a rule find that rule.

mod balance;
mod balanced;
mod decision_size;
mod documents;
mod known_rules;
mod missing_values;
mod onnx;
mod present;
mod tables;
