//! Networks from other tools: chains of layers in ONNX become files of weights.
//!
//! A model may have `Gemm`, or `MatMul` and `Add`, with weights that it contains, and `Relu`, `Tanh`, `Sigmoid`,
//! `Softmax` and `Identity` after them. Games read no ONNX: their documents name the file of weights.
//!
//! ONNX is protobuf. The few messages that matter here are read by a small reader (`wire.rs`): a library would need
//! as much code to declare them, and its derive macros at each build.

mod chain;
mod model;
mod wire;

use std::fmt;
use treemind_doc::Weights;

/// Why a model cannot become a file of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxError(String);

impl fmt::Display for OnnxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for OnnxError {}

fn refused<T>(why: impl Into<String>) -> Result<T, OnnxError> {
    Err(OnnxError(why.into()))
}

/// The weights of a model in ONNX that is a chain of layers: `Gemm`, or `MatMul` and `Add`, with the functions that files
/// of weights have after them.
///
/// # Errors
/// When the bytes are no model, when it is no chain of such layers (the first operator that does not fit
/// is named), or when it is larger than a [network](treemind_core::Network) may be.
pub fn onnx_weights(bytes: &[u8]) -> Result<Weights, OnnxError> {
    chain::weights(&model::Graph::read(bytes)?)
}
