//! The wire format of protobuf: fields with numbers.

use super::{OnnxError, refused};

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'b> {
    Number(u64),
    /// A text, a message, or numbers one after the other.
    Bytes(&'b [u8]),
    Fixed32(u32),
    Fixed64(u64),
}

/// Calls `see` with each field of a message, in order.
pub(super) fn fields<'b>(
    mut bytes: &'b [u8],
    mut see: impl FnMut(u64, Field<'b>) -> Result<(), OnnxError>,
) -> Result<(), OnnxError> {
    while !bytes.is_empty() {
        let key = number(&mut bytes)?;
        let field = match key & 7 {
            0 => Field::Number(number(&mut bytes)?),
            1 => Field::Fixed64(u64::from_le_bytes(fixed(&mut bytes)?)),
            2 => {
                let length = usize::try_from(number(&mut bytes)?).unwrap_or(usize::MAX);
                Field::Bytes(take(&mut bytes, length)?)
            }
            5 => Field::Fixed32(u32::from_le_bytes(fixed(&mut bytes)?)),
            _ => return refused("this is no model in ONNX"),
        };
        see(key >> 3, field)?;
    }
    Ok(())
}

/// A number of one to ten bytes, of which each holds seven bits.
pub(super) fn number(bytes: &mut &[u8]) -> Result<u64, OnnxError> {
    let mut found = 0;
    for place in 0..10 {
        let [byte] = fixed(bytes)?;
        found |= u64::from(byte & 0x7F) << (7 * place);
        if byte < 0x80 {
            return Ok(found);
        }
    }
    refused("this is no model in ONNX")
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], OnnxError> {
    let mut all = [0; N];
    all.copy_from_slice(take(bytes, N)?);
    Ok(all)
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], OnnxError> {
    match bytes.split_at_checked(length) {
        Some((taken, rest)) => {
            *bytes = rest;
            Ok(taken)
        }
        None => refused("this is no model in ONNX, or it was cut off"),
    }
}
