//! Random neural networks.

use super::trees::TreeMaker;
use std::sync::Arc;
use treemind_core::behaviour::PolicyRun;
use treemind_core::{Activation, Kind, Layer, Network, Type};

impl TreeMaker<'_> {
    /// A network whose outputs are written to keys, if there is one that can hold an output.
    pub(super) fn policy(&mut self) -> Kind {
        let inputs = 1 + self.below(3);
        let mut layers: Vec<Layer> = Vec::new();
        for _ in 0..1 + self.below(3) {
            let before = layers.last().map_or(inputs, |layer| layer.width);
            layers.push(self.layer(before));
        }
        let width = layers.last().map_or(0, |layer| layer.width);
        let mut outputs = Vec::new();
        for output in 0..width {
            let ty = *self.exprs.random.pick(&[Type::Float, Type::Double]);
            let can_hold = |key: &treemind_core::behaviour::Key| {
                key.ty == ty && !key.form.is_list() && !key.is_computed()
            };
            let key = self.exprs.some_key(can_hold);
            outputs.extend(key.filter(|_| self.percent(70)).map(|key| (output, key)));
        }
        if outputs.is_empty() {
            return Kind::Fail;
        }
        let names = (0..width).map(|output| format!("o{output}")).collect();
        let network = Network::new("net", inputs, names, layers);
        let inputs = (0..inputs)
            .map(|_| self.without_draws(|exprs| exprs.any_double()))
            .collect();
        Kind::Policy(Box::new(PolicyRun {
            network: Arc::new(network.expect("it is small")),
            inputs,
            outputs,
        }))
    }

    fn layer(&mut self, before: usize) -> Layer {
        let width = 1 + self.below(6);
        let large = self.exprs.profile.faults && self.percent(20);
        let weights = (0..width * (before + 1)).map(|_| {
            let weight = *self
                .exprs
                .random
                .pick(&[0.0, 1.0, -1.0, 0.1, -0.3, 2.5, -7.0]);
            if large { weight * 4e37 } else { weight }
        });
        let weights = weights.collect();
        Layer {
            width,
            activation: *self.exprs.random.pick(&Activation::ALL),
            weights,
        }
    }
}
