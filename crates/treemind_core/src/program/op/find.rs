//! `find`.

use super::ports::{Port, See, slots};
use super::{Reach, Reg};
use crate::blackboard::Column;
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::value::{Type, Value};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FindOp {
    pub(crate) node: NodeId,
    pub(crate) from: FindSource,
    pub(crate) item: KeyId,
    /// The type of the candidates.
    pub(crate) ty: Type,
    pub(crate) measures: Vec<MeasureOp>,
    pub(crate) keeps: Vec<Asked>,
    pub(crate) score: Asked,
    pub(crate) into: KeyId,
    pub(crate) max: u32,
    pub(crate) per_tick: u32,
    /// Among how many of the best it draws; 1: it draws nothing.
    pub(crate) among: u32,
    /// Its counter of draws.
    pub(crate) draws: u32,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    /// If it may take several ticks.
    pub(crate) slot: Option<u32>,
    pub(crate) reach: Reach,
    pub(crate) memory: FindMemory,
}

/// Where candidates come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FindSource {
    Leaf(LeafId, ArgRange),
    List(KeyId),
}

/// An expression, and the positions of the measures that it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) expr: u32,
    pub(crate) needs: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeasureOp {
    pub(crate) leaf: LeafId,
    pub(crate) key: KeyId,
    pub(crate) args: Vec<MeasureArg>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MeasureArg {
    Value(Value),
    Expr(u32, Type),
}

/// The columns of a `find`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FindMemory {
    /// The first candidate.
    pub(crate) items: Column,
    /// How many there are.
    pub(crate) count: u32,
    /// How many it has looked at.
    pub(crate) place: u32,
    /// How many of them have a score above 0.
    pub(crate) kept: u32,
    /// The place of the best one so far, and its score, a `double`. It counts only if one is kept.
    pub(crate) best: u32,
    pub(crate) best_score: u32,
    /// The wide column with the score of the first candidate, if all scores are needed.
    pub(crate) scores: Option<u32>,
}

impl FindOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Out(self.success));
        see(Port::Out(self.failure));
        slots(self.slot, see);
    }
}
