//! `policy`: a small neural network.

use super::Reference;
use treemind_core::behaviour::PolicyRun;
use treemind_core::{Event, FaultKind, Layer, NodeId, Type, Value};

impl Reference<'_> {
    /// Writes outputs of a network to keys; returns whether they could be computed.
    pub(super) fn policy(&mut self, node: NodeId, policy: &PolicyRun) -> bool {
        let mut inputs = Vec::new();
        for input in &policy.inputs {
            match self.eval_at(node, input) {
                Some(Value::Double(value)) => inputs.push(value as f32),
                Some(other) => unreachable!("{other} is no double"),
                None => return false,
            }
        }
        let mut units = inputs.clone();
        for layer in policy.network.layers() {
            units = after(layer, &units);
        }
        if inputs.iter().chain(&units).any(|value| !value.is_finite()) {
            self.fault(node, FaultKind::BadOutput);
            return false;
        }
        for (output, key) in &policy.outputs {
            let found = units[*output];
            let value = match self.behaviour.key(*key).ty {
                Type::Float => Value::Float(found),
                _ => Value::Double(f64::from(found)),
            };
            self.set(node, *key, value);
        }
        self.report(node, Event::Write);
        true
    }
}

/// The units of a layer, given those before it.
fn after(layer: &Layer, before: &[f32]) -> Vec<f32> {
    let mut sums = Vec::new();
    for unit in 0..layer.width {
        let row = &layer.weights[unit * (before.len() + 1)..];
        let mut sum = row[0];
        for (input, value) in before.iter().enumerate() {
            let product = row[input + 1] * value;
            sum += product;
        }
        sums.push(sum);
    }
    layer.activation.apply(&sums)
}
