//! Small neural networks, as `policy` runs them: layers in which each unit is joined to all units before it.
//!
//! The sum of a unit is its bias, then plus weight times input, input after input, as `f32` and never fused. What the
//! layers make of their sums uses the exponential of [curves](crate::Curve). So the outputs are the same to the last
//! bit on every machine, for one agent and for many.

mod run;

pub(crate) use run::{Desk, DeskSizes};

use crate::snapshot;
use std::fmt;

/// A network whose weights are fixed.
#[derive(Clone)]
pub struct Network {
    /// What a document calls it; for people only.
    name: String,
    inputs: usize,
    outputs: Vec<String>,
    layers: Vec<Layer>,
    /// Of everything that its outputs depend on.
    hash: u64,
}

/// A layer of a [`Network`].
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// How many units it has, which are the inputs of the next layer.
    pub width: usize,
    /// What it makes of its sums.
    pub activation: Activation,
    /// For each unit: its bias, then a weight for each input of the layer.
    pub weights: Vec<f32>,
}

/// What a layer makes of its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Activation {
    /// The sum itself.
    Identity,
    /// The sum, or 0 if it is negative.
    Relu,
    /// Between -1 and 1: (e²ˣ − 1) / (e²ˣ + 1).
    Tanh,
    /// Between 0 and 1: 1 / (1 + e⁻ˣ).
    Sigmoid,
    /// Shares of 1: each eˣ, divided by those of the whole layer.
    Softmax,
}

impl Activation {
    /// All of them.
    pub const ALL: [Activation; 5] = [
        Activation::Identity,
        Activation::Relu,
        Activation::Tanh,
        Activation::Sigmoid,
        Activation::Softmax,
    ];

    /// The word in files of weights.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Identity => "identity",
            Activation::Relu => "relu",
            Activation::Tanh => "tanh",
            Activation::Sigmoid => "sigmoid",
            Activation::Softmax => "softmax",
        }
    }

    /// What a layer makes of its sums.
    pub fn apply(self, sums: &[f32]) -> Vec<f32> {
        let mut units: Vec<[f32; 1]> = sums.iter().map(|sum| [*sum]).collect();
        run::activate(self, &mut units);
        units.into_iter().map(|[unit]| unit).collect()
    }
}

impl Network {
    /// The largest number of inputs.
    pub const MAX_INPUTS: usize = 64;

    /// The largest number of outputs.
    pub const MAX_OUTPUTS: usize = 64;

    /// The largest number of layers.
    pub const MAX_LAYERS: usize = 4;

    /// The largest number of units of a layer.
    pub const MAX_WIDTH: usize = 256;

    /// A network that reads `inputs` numbers; the units of its last layer have names. `name` is for people only.
    ///
    /// # Errors
    /// What does not fit: a number beyond one of the limits, a layer with too few or too many weights, a weight that is
    /// not finite, or more or fewer names than the last layer has units.
    pub fn new(
        name: impl Into<String>,
        inputs: usize,
        outputs: Vec<String>,
        layers: Vec<Layer>,
    ) -> Result<Self, String> {
        let within = |what: &str, number: usize, most: usize| match (1..=most).contains(&number) {
            true => Ok(()),
            false => Err(format!("a network has 1 to {most} {what}, not {number}")),
        };
        within("inputs", inputs, Self::MAX_INPUTS)?;
        within("outputs", outputs.len(), Self::MAX_OUTPUTS)?;
        within("layers", layers.len(), Self::MAX_LAYERS)?;
        let mut before = inputs;
        for layer in &layers {
            within("units in a layer", layer.width, Self::MAX_WIDTH)?;
            if layer.weights.len() != layer.width * (before + 1) {
                return Err("a layer with more or fewer weights than it needs".to_owned());
            }
            if layer.weights.iter().any(|weight| !weight.is_finite()) {
                return Err("a weight that is not finite".to_owned());
            }
            before = layer.width;
        }
        if before != outputs.len() {
            let names = outputs.len();
            return Err(format!("{names} names for {before} outputs"));
        }
        let mut bytes = (inputs as u32).to_le_bytes().to_vec();
        for layer in &layers {
            bytes.extend((layer.width as u32).to_le_bytes());
            bytes.extend(layer.activation.name().as_bytes());
            let weights = layer.weights.iter();
            bytes.extend(weights.flat_map(|weight| weight.to_bits().to_le_bytes()));
        }
        let hash = snapshot::hash(&bytes);
        Ok(Self {
            name: name.into(),
            inputs,
            outputs,
            layers,
            hash,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many numbers it reads.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The names of its outputs.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The layers, the first of which reads the inputs.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The outputs for these inputs, one for each [input](Self::inputs); further ones are ignored, and missing ones
    /// are 0.
    pub fn run(&self, inputs: &[f32]) -> Vec<f32> {
        let mut desk = Desk::new(self.needs(), 1);
        for nth in 0..self.inputs {
            let value = inputs.get(nth).copied().unwrap_or(0.0);
            desk.input(nth)[0] = value;
        }
        desk.run(self, 1);
        (0..self.outputs.len())
            .map(|nth| desk.output(nth, 0))
            .collect()
    }

    /// What each unit of each layer gives for these inputs, layer by layer: those of the last one are the outputs.
    pub fn units(&self, inputs: &[f32]) -> Vec<Vec<f32>> {
        let input = |nth| [inputs.get(nth).copied().unwrap_or(0.0)];
        let mut before: Vec<[f32; 1]> = (0..self.inputs).map(input).collect();
        let layers = self.layers.iter().map(|layer| {
            let mut units = vec![[0.0]; layer.width];
            run::run_layer(layer, &before, &mut units);
            before = units;
            before.iter().map(|[unit]| *unit).collect()
        });
        layers.collect()
    }

    /// How much room its units need.
    pub(crate) fn needs(&self) -> DeskSizes {
        let widest = self.layers.iter().map(|layer| layer.width);
        DeskSizes {
            inputs: self.inputs as u32,
            widest: widest.fold(self.inputs, usize::max) as u32,
        }
    }
}

impl PartialEq for Network {
    /// Names of networks change nothing, so they do not count.
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.inputs == other.inputs
            && self.outputs == other.outputs
            && self.layers == other.layers
    }
}

impl fmt::Debug for Network {
    /// What its outputs depend on, the weights as one number: there may be 200 000 of them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Network({}", self.inputs)?;
        for layer in &self.layers {
            write!(out, " {} {}", layer.width, layer.activation.name())?;
        }
        write!(out, " #{:016x})", self.hash)
    }
}

#[cfg(test)]
mod tests;
