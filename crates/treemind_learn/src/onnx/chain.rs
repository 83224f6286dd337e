//! From the operators of a model to layers.

use super::model::{Graph, Operator, Tensor};
use super::{OnnxError, refused};
use std::collections::HashMap;
use treemind_core::{Activation, Layer, Network};
use treemind_doc::Weights;

pub(super) fn weights(graph: &Graph) -> Result<Weights, OnnxError> {
    let mut read = graph.inputs.iter();
    let input = read.find(|name| !graph.tensors.contains_key(*name));
    let Some(input) = input else {
        return refused("the model reads nothing");
    };
    let mut chain = Chain {
        tensors: graph.tensors.clone(),
        current: input.clone(),
        inputs: 0,
        layers: Vec::new(),
        may_add: false,
        may_activate: false,
    };
    for one in &graph.nodes {
        chain.follow(one)?;
    }
    if graph.outputs.len() != 1 || graph.outputs[0] != chain.current {
        return refused("the model gives something other than the units of its last layer");
    }
    let Chain { inputs, layers, .. } = chain;
    let outputs = layers.last().map_or(0, |layer| layer.width);
    let names = vec![String::new(); outputs];
    // Its limits are those of networks in documents.
    if let Err(why) = Network::new("", inputs, names, layers.clone()) {
        return refused(why);
    }
    Ok(Weights { inputs, layers })
}

/// The layers so far.
struct Chain {
    tensors: HashMap<String, Tensor>,
    /// The name of what the last operator gave.
    current: String,
    inputs: usize,
    layers: Vec<Layer>,
    /// Whether the last operator was a `MatMul`, which has no bias yet.
    may_add: bool,
    /// Whether the last layer has no function yet.
    may_activate: bool,
}

impl Chain {
    fn follow(&mut self, one: &Operator) -> Result<(), OnnxError> {
        if !matches!(one.domain.as_str(), "" | "ai.onnx") {
            return refused(format!("it has the operator {}", called(one)));
        }
        match one.kind.as_str() {
            "Constant" => return self.constant(one),
            "Gemm" => self.gemm(one)?,
            "MatMul" => self.product(one)?,
            "Add" => self.sum(one)?,
            "Relu" => self.activate(one, Activation::Relu)?,
            "Tanh" => self.activate(one, Activation::Tanh)?,
            "Sigmoid" => self.activate(one, Activation::Sigmoid)?,
            "Softmax" => {
                let axis = one.attributes.iter().find(|known| known.name == "axis");
                if axis.is_some_and(|axis| !matches!(axis.int, -1 | 1)) {
                    return refused(format!("{} goes over another axis", called(one)));
                }
                self.activate(one, Activation::Softmax)?;
            }
            "Identity" => self.reads(one, 0)?,
            _ => return refused(format!("it has the operator {}", called(one))),
        }
        match &one.outputs[..] {
            [output] => self.current.clone_from(output),
            _ => return refused(format!("{} has several outputs", called(one))),
        }
        Ok(())
    }

    fn constant(&mut self, one: &Operator) -> Result<(), OnnxError> {
        let value = one.attributes.iter().find(|known| known.name == "value");
        match (
            value.and_then(|value| value.tensor.clone()),
            one.outputs.first(),
        ) {
            (Some(tensor), Some(name)) => {
                self.tensors.insert(name.clone(), tensor);
                Ok(())
            }
            _ => refused(format!("{} holds no numbers", called(one))),
        }
    }

    /// Whether an operator reads what the one before it gave.
    fn reads(&self, one: &Operator, nth: usize) -> Result<(), OnnxError> {
        match one.inputs.get(nth) {
            Some(name) if *name == self.current => Ok(()),
            _ => refused(format!(
                "{} does not follow the operator before it: the model is no chain of layers",
                called(one)
            )),
        }
    }

    /// Numbers that the model contains.
    fn tensor(&self, one: &Operator, nth: usize) -> Result<&Tensor, OnnxError> {
        let name = one.inputs.get(nth).map_or("", String::as_str);
        let Some(tensor) = self.tensors.get(name) else {
            return refused(format!(
                "the weights of {} are not in the model",
                called(one)
            ));
        };
        match &tensor.trouble {
            Some(trouble) => refused(format!("the weights of {}: {trouble}", called(one))),
            None => Ok(tensor),
        }
    }

    fn gemm(&mut self, one: &Operator) -> Result<(), OnnxError> {
        self.reads(one, 0)?;
        let (mut alpha, mut beta, mut is_turned) = (1.0, 1.0, false);
        for attribute in &one.attributes {
            match attribute.name.as_str() {
                "alpha" => alpha = attribute.float,
                "beta" => beta = attribute.float,
                "transB" => is_turned = attribute.int != 0,
                "transA" if attribute.int != 0 => {
                    return refused(format!("{} turns its inputs", called(one)));
                }
                _ => {}
            }
        }
        self.layer(one, is_turned, alpha)?;
        if one.inputs.get(2).is_some_and(|name| !name.is_empty()) {
            self.bias(one, 2, beta)?;
        }
        self.may_add = false;
        Ok(())
    }

    fn product(&mut self, one: &Operator) -> Result<(), OnnxError> {
        self.reads(one, 0)?;
        self.layer(one, false, 1.0)?;
        self.may_add = true;
        Ok(())
    }

    fn sum(&mut self, one: &Operator) -> Result<(), OnnxError> {
        let is_first = one.inputs.first() == Some(&self.current);
        self.reads(one, usize::from(!is_first))?;
        if !self.may_add {
            return refused(format!("{} adds to what is no `MatMul`", called(one)));
        }
        self.bias(one, usize::from(is_first), 1.0)?;
        self.may_add = false;
        Ok(())
    }

    /// A layer whose weights are the second input of an operator: a column for each unit, or a row if it is turned.
    fn layer(&mut self, one: &Operator, is_turned: bool, factor: f32) -> Result<(), OnnxError> {
        let tensor = self.tensor(one, 1)?;
        let size = |dim: i64| {
            usize::try_from(dim)
                .ok()
                .filter(|size| (1..=Network::MAX_WIDTH).contains(size))
        };
        let (rows, columns) = match tensor.dims[..] {
            [rows, columns] => (size(rows), size(columns)),
            _ => (None, None),
        };
        let (Some(rows), Some(columns)) = (rows, columns) else {
            let most = Network::MAX_WIDTH;
            return refused(format!(
                "the weights of {} are not rows and columns, at most {most} of each",
                called(one)
            ));
        };
        let (inputs, width) = if is_turned {
            (columns, rows)
        } else {
            (rows, columns)
        };
        let before = self.layers.last().map_or(inputs, |layer| layer.width);
        if tensor.values.len() != rows * columns || inputs != before {
            return refused(format!(
                "{} has more or fewer weights than it needs",
                called(one)
            ));
        }
        let mut weights = Vec::with_capacity(width * (inputs + 1));
        for unit in 0..width {
            weights.push(0.0);
            weights.extend((0..inputs).map(|input| {
                let place = match is_turned {
                    true => unit * inputs + input,
                    false => input * width + unit,
                };
                tensor.values[place] * factor
            }));
        }
        if self.layers.is_empty() {
            self.inputs = inputs;
        }
        self.layers.push(Layer {
            width,
            activation: Activation::Identity,
            weights,
        });
        self.may_activate = true;
        Ok(())
    }

    /// The biases of the last layer.
    fn bias(&mut self, one: &Operator, nth: usize, factor: f32) -> Result<(), OnnxError> {
        let values = self.tensor(one, nth)?.values.clone();
        let Some(layer) = self.layers.last_mut() else {
            return refused(format!("{} comes before all layers", called(one)));
        };
        let row = layer.weights.len() / layer.width;
        for (unit, weights) in layer.weights.chunks_mut(row).enumerate() {
            let bias = match values.len() {
                1 => values[0],
                count if count == layer.width => values[unit],
                _ => {
                    return refused(format!(
                        "{} has more or fewer biases than units",
                        called(one)
                    ));
                }
            };
            weights[0] = bias * factor;
        }
        Ok(())
    }

    fn activate(&mut self, one: &Operator, activation: Activation) -> Result<(), OnnxError> {
        self.reads(one, 0)?;
        match self.layers.last_mut() {
            Some(layer) if self.may_activate => layer.activation = activation,
            _ => return refused(format!("{} does not follow a layer", called(one))),
        }
        (self.may_activate, self.may_add) = (false, false);
        Ok(())
    }
}

/// An operator as messages call it.
fn called(one: &Operator) -> String {
    let kind = &one.kind;
    match one.name.as_str() {
        "" => format!("`{kind}`"),
        name => format!("`{kind}` (`{name}`)"),
    }
}
