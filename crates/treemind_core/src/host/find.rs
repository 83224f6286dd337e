//! What a host says about the candidates of a `find`: which there are, and what is measured of them.

use crate::value::{Type, Value};

/// The candidates that a host [lists](super::Host::candidates), for many agents in one call.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// In the order in which they were listed, each with the position of its agent in the chunk.
    pub(crate) items: Vec<(u32, Value)>,
    /// How many each agent of the chunk has.
    counts: Vec<u32>,
    first: usize,
    max: u32,
    ty: Type,
    /// An agent that was given a value of another type.
    pub(crate) misfit: Option<usize>,
}

impl Default for Candidates {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            counts: Vec::new(),
            first: 0,
            max: 0,
            ty: Type::Vec2,
            misfit: None,
        }
    }
}

impl Candidates {
    pub(crate) fn reserve(&mut self, items: usize, lanes: usize) {
        self.items.reserve(items);
        self.counts.resize(lanes, 0);
    }

    /// Begins a list for agents from `first` on.
    pub(crate) fn begin(&mut self, first: usize, max: u32, ty: Type) {
        self.items.clear();
        self.counts.fill(0);
        self.misfit = None;
        (self.first, self.max, self.ty) = (first, max, ty);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<(u32, Value)>() + self.counts.capacity() * 4
    }

    /// Adds a candidate of an agent of this call. Returns whether there is room for more: what comes after the first
    /// [`max`](Self::max) of an agent does not count. A value of another type than [`ty`](Self::ty) does not count
    /// either, and is a fault.
    ///
    /// # Panics
    /// When the agent is not in this call's chunk.
    pub fn push(&mut self, agent: usize, candidate: impl Into<Value>) -> bool {
        let candidate: Value = candidate.into();
        let lane = agent - self.first;
        let count = &mut self.counts[lane];
        if *count == self.max {
            return false;
        }
        if candidate.ty() != self.ty {
            self.misfit.get_or_insert(agent);
            return true;
        }
        *count += 1;
        self.items.push((lane as u32, candidate));
        *count < self.max
    }

    /// How many candidates of each agent count.
    pub fn max(&self) -> usize {
        self.max as usize
    }

    /// The type of the candidates.
    pub fn ty(&self) -> Type {
        self.ty
    }
}

/// Pairs of an agent and a candidate, for each of which a host [measures](super::Host::measure) a number. Those of an
/// agent follow one another, in the order of its candidates. A number that the host does not set is NaN.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    agents: Vec<u32>,
    /// The places of the candidates among those of their agents.
    places: Vec<u32>,
    /// The arguments of the first pair, then those of the second.
    args: Vec<Value>,
    params: usize,
    pub(crate) values: Vec<f32>,
}

impl Pairs {
    pub(crate) fn reserve(&mut self, pairs: usize, params: usize) {
        self.agents.reserve(pairs);
        self.places.reserve(pairs);
        self.args.reserve(pairs * params);
        self.values.reserve(pairs);
    }

    pub(crate) fn begin(&mut self, params: usize) {
        self.agents.clear();
        self.places.clear();
        self.args.clear();
        self.values.clear();
        self.params = params;
    }

    /// Adds a pair; its arguments follow, with as many calls of [`add_arg`](Self::add_arg) as there are parameters.
    pub(crate) fn add(&mut self, agent: usize, place: u32) {
        self.agents.push(agent as u32);
        self.places.push(place);
        self.values.push(f32::NAN);
    }

    pub(crate) fn add_arg(&mut self, value: Value) {
        self.args.push(value);
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.agents.capacity() + self.places.capacity()) * 4
            + self.args.capacity() * size_of::<Value>()
            + self.values.capacity() * 4
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there are none; a host is never called with none.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// The agent of a pair.
    ///
    /// # Panics
    /// When there is no such pair. The same holds for the other methods that take a pair.
    pub fn agent(&self, pair: usize) -> usize {
        self.agents[pair] as usize
    }

    /// The candidate of a pair: the value of the measure's first parameter.
    pub fn candidate(&self, pair: usize) -> Value {
        self.arg(pair, 0)
    }

    /// The place of a pair's candidate among all candidates of its agent, from 0.
    pub fn place(&self, pair: usize) -> usize {
        self.places[pair] as usize
    }

    /// The value of a parameter of the measure for a pair; parameter 0 is the candidate.
    ///
    /// # Panics
    /// Also when there is no such parameter.
    pub fn arg(&self, pair: usize, index: usize) -> Value {
        self.args_of(pair)[index]
    }

    /// The values of all parameters of the measure for a pair, the candidate first.
    pub fn args_of(&self, pair: usize) -> &[Value] {
        &self.args[pair * self.params..][..self.params]
    }

    /// Sets the number of a pair.
    pub fn set(&mut self, pair: usize, measured: f32) {
        self.values[pair] = measured;
    }

    /// Sets the number of each pair to what `measure` says, given the agent and the values of all parameters.
    pub fn fill(&mut self, mut measure: impl FnMut(usize, &[Value]) -> f32) {
        for pair in 0..self.len() {
            self.values[pair] = measure(self.agent(pair), self.args_of(pair));
        }
    }

    /// The numbers, in the order of the pairs.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }
}
