//! The sums of a network, for several agents at once.

use super::{Activation, Layer, Network};
use crate::curve::{exp, exp_m1};
use crate::vectors::{Kernel, vectorized};

/// How many agents are computed side by side where there are many.
const LANES: usize = 16;

/// How many units are summed side by side: a sum has to wait for itself, so one alone would take four times as long.
const UNITS: usize = 4;

/// How much room the units of networks need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeskSizes {
    pub(crate) inputs: u32,
    /// The most units of a layer, or inputs if they are more.
    pub(crate) widest: u32,
}

impl DeskSizes {
    pub(crate) fn cover(&mut self, other: DeskSizes) {
        self.inputs = self.inputs.max(other.inputs);
        self.widest = self.widest.max(other.widest);
    }
}

/// The working memory of networks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    /// The inputs of all agents of a word, input by input.
    inputs: Vec<f32>,
    /// The outputs of those agents, output by output.
    outputs: Vec<f32>,
    width: usize,
    /// The units of two layers that follow one another.
    many: [Vec<[f32; LANES]>; 2],
    one: [Vec<[f32; 1]>; 2],
}

impl Desk {
    /// Room for words of `width` agents.
    pub(crate) fn new(sizes: DeskSizes, width: usize) -> Self {
        let widest = sizes.widest as usize;
        let outputs = widest.min(Network::MAX_OUTPUTS);
        let many = if width > 1 { widest } else { 0 };
        let layer = || vec![[0.0; LANES]; many];
        Self {
            inputs: vec![0.0; sizes.inputs as usize * width],
            outputs: vec![0.0; outputs * width],
            width,
            many: [layer(), layer()],
            one: [vec![[0.0]; widest], vec![[0.0]; widest]],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let many = self.many.iter().map(|layer| layer.capacity() * LANES);
        let one = self.one.iter().map(|layer| layer.capacity());
        let units: usize = many.chain(one).sum();
        (self.inputs.capacity() + self.outputs.capacity() + units) * 4
    }

    /// An input of all agents.
    pub(crate) fn input(&mut self, nth: usize) -> &mut [f32] {
        let from = nth * self.width;
        &mut self.inputs[from..from + self.width]
    }

    /// An output of one agent, after a run.
    pub(crate) fn output(&self, nth: usize, lane: usize) -> f32 {
        self.outputs[nth * self.width + lane]
    }

    /// An output of all agents, after a run.
    pub(crate) fn outputs(&self, nth: usize) -> &[f32] {
        &self.outputs[nth * self.width..][..self.width]
    }

    /// Computes the outputs of some agents. Returns those for which all inputs and outputs are finite.
    pub(crate) fn run(&mut self, network: &Network, active: u64) -> u64 {
        let mut good = 0;
        let mut rest = active;
        while rest != 0 {
            if rest & (rest - 1) == 0 {
                let lanes = [rest.trailing_zeros() as u8];
                let layers = &mut self.one;
                let group = Group {
                    network,
                    lanes,
                    count: 1,
                    width: self.width,
                    inputs: &self.inputs,
                    outputs: &mut self.outputs,
                    layers,
                };
                return good | group.run();
            }
            let (mut lanes, mut count) = ([0; LANES], 0);
            while rest != 0 && count < LANES {
                lanes[count] = rest.trailing_zeros() as u8;
                count += 1;
                rest &= rest - 1;
            }
            let group = Group {
                network,
                lanes,
                count,
                width: self.width,
                inputs: &self.inputs,
                outputs: &mut self.outputs,
                layers: &mut self.many,
            };
            good |= vectorized(count, group);
        }
        good
    }
}

/// A few agents, side by side.
struct Group<'a, const G: usize> {
    network: &'a Network,
    /// Which agents of the word they are.
    lanes: [u8; G],
    /// How many there are; the others are computed, too, and ignored.
    count: usize,
    width: usize,
    inputs: &'a [f32],
    outputs: &'a mut [f32],
    layers: &'a mut [Vec<[f32; G]>; 2],
}

impl<const G: usize> Group<'_, G> {
    /// The first of the agents, if there are as many as have room and no other one is between them.
    #[inline(always)]
    fn row(&self) -> Option<usize> {
        let [first, last] = [self.lanes[0], self.lanes[G - 1]].map(usize::from);
        (self.count == G && last == first + G - 1).then_some(first)
    }
}

impl<const G: usize> Kernel for Group<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let lanes = &self.lanes[..self.count];
        let row = self.row();
        let [from, to] = self.layers;
        let (mut from, mut to) = (&mut from[..], &mut to[..]);
        // As wide as the units, so that the vectors of both have as many lanes.
        let mut bad = [0_u32; G];
        for (nth, units) in from[..self.network.inputs].iter_mut().enumerate() {
            let inputs = &self.inputs[nth * self.width..][..self.width];
            match row {
                Some(first) => units.copy_from_slice(&inputs[first..first + G]),
                None => {
                    for (unit, &lane) in units.iter_mut().zip(lanes) {
                        *unit = inputs[usize::from(lane)];
                    }
                }
            }
            note_bad(units, &mut bad);
        }
        let mut before = self.network.inputs;
        for layer in &self.network.layers {
            run_layer(layer, &from[..before], &mut to[..layer.width]);
            before = layer.width;
            std::mem::swap(&mut from, &mut to);
        }
        for (nth, units) in from[..before].iter().enumerate() {
            let outputs = &mut self.outputs[nth * self.width..][..self.width];
            match row {
                Some(first) => outputs[first..first + G].copy_from_slice(units),
                None => {
                    for (unit, &lane) in units.iter().zip(lanes) {
                        outputs[usize::from(lane)] = *unit;
                    }
                }
            }
            note_bad(units, &mut bad);
        }
        let good = lanes.iter().zip(bad).filter(|(_, bad)| *bad == 0);
        good.fold(0, |good, (lane, _)| good | 1 << lane)
    }
}

/// Notes which values are not finite.
#[inline(always)]
fn note_bad<const G: usize>(units: &[f32; G], bad: &mut [u32; G]) {
    for (bad, unit) in bad.iter_mut().zip(units) {
        *bad |= u32::from(!unit.is_finite());
    }
}

/// What the units of a layer give.
#[inline(always)]
pub(super) fn run_layer<const G: usize>(layer: &Layer, from: &[[f32; G]], to: &mut [[f32; G]]) {
    match layer.activation {
        // Before the sums are stored: changing in memory what is negative takes stores under a mask, and these are slow.
        Activation::Relu => sums(layer, from, to, relu),
        other => {
            sums(layer, from, to, |sum| sum);
            activate(other, to);
        }
    }
}

/// The sums of a layer: the bias of each unit, then plus weight times input, input after input; and `last` of that.
#[inline(always)]
fn sums<const G: usize>(
    layer: &Layer,
    from: &[[f32; G]],
    to: &mut [[f32; G]],
    last: impl Fn(f32) -> f32,
) {
    let row = from.len() + 1;
    let mut weights = layer.weights.chunks_exact(row * UNITS);
    let mut units = to.chunks_exact_mut(UNITS);
    for (weights, units) in weights.by_ref().zip(units.by_ref()) {
        let mut sums: [[f32; G]; UNITS] = std::array::from_fn(|unit| [weights[unit * row]; G]);
        let rows: [&[f32]; UNITS] =
            std::array::from_fn(|unit| &weights[unit * row + 1..][..from.len()]);
        for (nth, input) in from.iter().enumerate() {
            for (sum, row) in sums.iter_mut().zip(rows) {
                add(sum, row[nth], input);
            }
        }
        for (unit, sum) in units.iter_mut().zip(&sums) {
            store(unit, sum, &last);
        }
    }
    let weights = weights.remainder().chunks_exact(row);
    for (weights, unit) in weights.zip(units.into_remainder()) {
        let mut sum = [weights[0]; G];
        for (weight, input) in weights[1..].iter().zip(from) {
            add(&mut sum, *weight, input);
        }
        store(unit, &sum, &last);
    }
}

#[inline(always)]
fn store<const G: usize>(unit: &mut [f32; G], sum: &[f32; G], last: impl Fn(f32) -> f32) {
    for (unit, sum) in unit.iter_mut().zip(sum) {
        *unit = last(*sum);
    }
}

#[inline(always)]
fn add<const G: usize>(sum: &mut [f32; G], weight: f32, input: &[f32; G]) {
    for (sum, input) in sum.iter_mut().zip(input) {
        *sum += weight * input;
    }
}

/// What a layer makes of its sums. A number that is none stays one, so that it is noticed at the end.
#[inline(always)]
pub(super) fn activate<const G: usize>(activation: Activation, units: &mut [[f32; G]]) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => each(units, relu),
        Activation::Tanh => each(units, |x| {
            let grown = exp_m1(2.0 * f64::from(x));
            (grown / (grown + 2.0)) as f32
        }),
        Activation::Sigmoid => each(units, |x| (1.0 / (1.0 + exp(-f64::from(x)))) as f32),
        Activation::Softmax => softmax(units),
    }
}

#[inline(always)]
fn relu(x: f32) -> f32 {
    if x < 0.0 { 0.0 } else { x }
}

#[inline(always)]
fn each<const G: usize>(units: &mut [[f32; G]], change: impl Fn(f32) -> f32) {
    for unit in units {
        for value in unit {
            *value = change(*value);
        }
    }
}

/// The greatest sum is subtracted first, so that no exponential is too large.
#[inline(always)]
fn softmax<const G: usize>(units: &mut [[f32; G]]) {
    let Some(mut most) = units.first().copied() else {
        return;
    };
    for unit in &*units {
        for (most, value) in most.iter_mut().zip(unit) {
            *most = if *value > *most { *value } else { *most };
        }
    }
    let mut whole = [0.0_f64; G];
    for unit in &*units {
        for ((whole, value), most) in whole.iter_mut().zip(unit).zip(&most) {
            *whole += exp(f64::from(*value) - f64::from(*most));
        }
    }
    for unit in units {
        for ((value, whole), most) in unit.iter_mut().zip(&whole).zip(&most) {
            *value = (exp(f64::from(*value) - f64::from(*most)) / whole) as f32;
        }
    }
}
