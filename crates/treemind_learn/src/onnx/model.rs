//! What a model in ONNX says: its operators, and the numbers that it contains.

use super::wire::{Field, fields, number};
use super::{OnnxError, refused};
use std::collections::HashMap;

/// The graph of a model.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Operator>,
    /// The numbers that it contains, by their names.
    pub(super) tensors: HashMap<String, Tensor>,
    /// The names of what it reads, numbers that it contains among them, and of what it gives.
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
}

/// An operator of the graph.
#[derive(Debug, Default)]
pub(super) struct Operator {
    pub(super) kind: String,
    pub(super) name: String,
    /// Empty for those of ONNX itself.
    pub(super) domain: String,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
}

#[derive(Debug, Default)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) float: f32,
    pub(super) int: i64,
    pub(super) tensor: Option<Tensor>,
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Tensor {
    name: String,
    pub(super) dims: Vec<i64>,
    pub(super) values: Vec<f32>,
    /// Why it cannot be used, if so.
    pub(super) trouble: Option<String>,
}

impl Graph {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, OnnxError> {
        let mut graph = None;
        fields(bytes, |field, value| {
            if let (7, Field::Bytes(bytes)) = (field, value) {
                graph = Some(Self::of(bytes)?);
            }
            Ok(())
        })?;
        match graph {
            Some(graph) => Ok(graph),
            None => refused("this is no model in ONNX: it has no graph"),
        }
    }

    fn of(bytes: &[u8]) -> Result<Self, OnnxError> {
        let mut graph = Self::default();
        fields(bytes, |field, value| {
            let Field::Bytes(bytes) = value else {
                return Ok(());
            };
            match field {
                1 => graph.nodes.push(Operator::of(bytes)?),
                5 => {
                    let tensor = Tensor::of(bytes)?;
                    graph.tensors.insert(tensor.name.clone(), tensor);
                }
                11 => graph.inputs.push(name_of(bytes)?),
                12 => graph.outputs.push(name_of(bytes)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(graph)
    }
}

/// The name of an input or output.
fn name_of(bytes: &[u8]) -> Result<String, OnnxError> {
    let mut name = String::new();
    fields(bytes, |field, value| {
        if let (1, Field::Bytes(bytes)) = (field, value) {
            name = text(bytes);
        }
        Ok(())
    })?;
    Ok(name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Operator {
    fn of(bytes: &[u8]) -> Result<Self, OnnxError> {
        let mut one = Self::default();
        fields(bytes, |field, value| {
            let Field::Bytes(bytes) = value else {
                return Ok(());
            };
            match field {
                1 => one.inputs.push(text(bytes)),
                2 => one.outputs.push(text(bytes)),
                3 => one.name = text(bytes),
                4 => one.kind = text(bytes),
                5 => one.attributes.push(Attribute::of(bytes)?),
                7 => one.domain = text(bytes),
                _ => {}
            }
            Ok(())
        })?;
        Ok(one)
    }
}

impl Attribute {
    fn of(bytes: &[u8]) -> Result<Self, OnnxError> {
        let mut one = Self::default();
        fields(bytes, |field, value| {
            match (field, value) {
                (1, Field::Bytes(bytes)) => one.name = text(bytes),
                (2, Field::Fixed32(bits)) => one.float = f32::from_bits(bits),
                (3, Field::Number(int)) => one.int = int as i64,
                (5, Field::Bytes(bytes)) => one.tensor = Some(Tensor::of(bytes)?),
                _ => {}
            }
            Ok(())
        })?;
        Ok(one)
    }
}

const FLOAT: u64 = 1;
const DOUBLE: u64 = 11;

impl Tensor {
    fn of(bytes: &[u8]) -> Result<Self, OnnxError> {
        let mut one = Self::default();
        let (mut kind, mut raw, mut is_elsewhere) = (0, None, false);
        fields(bytes, |field, value| {
            match (field, value) {
                (1, Field::Number(dim)) => one.dims.push(dim as i64),
                (1, Field::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        one.dims.push(number(&mut packed)? as i64);
                    }
                }
                (2, Field::Number(number)) => kind = number,
                (4, Field::Fixed32(bits)) => one.values.push(f32::from_bits(bits)),
                (4, Field::Bytes(packed)) => one.values.extend(singles(packed)),
                (8, Field::Bytes(bytes)) => one.name = text(bytes),
                (9, Field::Bytes(bytes)) => raw = Some(bytes),
                (10, Field::Fixed64(bits)) => one.values.push(f64::from_bits(bits) as f32),
                (10, Field::Bytes(packed)) => one.values.extend(doubles(packed)),
                (13, _) => is_elsewhere = true,
                (14, Field::Number(place)) => is_elsewhere = place != 0,
                _ => {}
            }
            Ok(())
        })?;
        match (kind, raw) {
            (FLOAT, Some(raw)) => one.values = singles(raw).collect(),
            (DOUBLE, Some(raw)) => one.values = doubles(raw).collect(),
            (FLOAT | DOUBLE, None) => {}
            _ => one.trouble = Some("its numbers are of a type other than float".to_owned()),
        }
        if is_elsewhere {
            one.trouble = Some("its numbers are in another file".to_owned());
        }
        Ok(one)
    }
}

fn singles(bytes: &[u8]) -> impl Iterator<Item = f32> {
    let (chunks, _) = bytes.as_chunks();
    chunks.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

fn doubles(bytes: &[u8]) -> impl Iterator<Item = f32> {
    let (chunks, _) = bytes.as_chunks();
    chunks.iter().map(|bytes| f64::from_le_bytes(*bytes) as f32)
}
