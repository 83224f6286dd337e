//! Numbers, texts and values as bytes of a tape, and back from bytes that cannot be trusted.

use super::TapeError;
use crate::ids::EnumId;
use crate::text::Text;
use crate::value::Value;

/// Writes a number: seven bits a byte, the lowest first.
#[inline]
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes bytes, and how many there are.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Writes a value. A text is its number in this process.
pub(super) fn put_value(out: &mut Vec<u8>, value: Value) {
    let floats = |out: &mut Vec<u8>, parts: &[f32]| {
        for part in parts {
            out.extend(part.to_bits().to_le_bytes());
        }
    };
    match value {
        Value::Bool(value) => out.push(u8::from(value)),
        Value::Int(value) => {
            out.push(2);
            put(out, (value << 1 ^ value >> 63) as u64);
        }
        Value::Float(value) => {
            out.push(3);
            floats(out, &[value]);
        }
        Value::Double(value) => {
            out.push(4);
            out.extend(value.to_bits().to_le_bytes());
        }
        Value::Enum(list, value) => {
            out.push(5);
            put(out, u64::from(list.0));
            put(out, u64::from(value));
        }
        Value::Entity(value) => {
            out.push(6);
            put(out, value);
        }
        Value::Vec2(parts) => {
            out.push(7);
            floats(out, &parts);
        }
        Value::Vec3(parts) => {
            out.push(8);
            floats(out, &parts);
        }
        Value::Text(text) => {
            out.push(9);
            put(out, u64::from(text.number()));
        }
    }
}

/// Bytes of a tape that are read from the front.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

type Read<T> = Result<T, TapeError>;

impl<'b> Bytes<'b> {
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> Read<u8> {
        let (first, rest) = self.0.split_first().ok_or(TapeError::CUT)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(super) fn take(&mut self, count: usize) -> Read<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(TapeError::CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn number(&mut self) -> Read<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(TapeError::Impossible("a number has too many digits"))
    }

    /// A number that counts something in memory.
    pub(super) fn size(&mut self) -> Read<usize> {
        usize::try_from(self.number()?).map_err(|_| TapeError::CUT)
    }

    pub(super) fn narrow(&mut self) -> Read<u32> {
        let narrow = u32::try_from(self.number()?);
        narrow.map_err(|_| TapeError::Impossible("a number is too large"))
    }

    /// Bytes behind their number.
    pub(super) fn bytes(&mut self) -> Read<Bytes<'b>> {
        let count = self.size()?;
        self.take(count).map(Bytes)
    }

    pub(super) fn str(&mut self) -> Read<&'b str> {
        let text = std::str::from_utf8(self.bytes()?.0);
        text.map_err(|_| TapeError::Impossible("a text is not UTF-8"))
    }

    /// A text, given the texts by the numbers of the recording process.
    pub(super) fn text(&mut self, texts: &[Text]) -> Read<Text> {
        let text = texts.get(self.size()?);
        text.copied()
            .ok_or(TapeError::Impossible("a text is missing"))
    }

    fn float(&mut self) -> Read<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A value; those of enumerations are not checked.
    pub(super) fn value(&mut self, texts: &[Text]) -> Read<Value> {
        Ok(match self.byte()? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            2 => {
                let number = self.number()?;
                Value::Int((number >> 1) as i64 ^ -((number & 1) as i64))
            }
            3 => Value::Float(self.float()?),
            4 => Value::Double(self.array().map(f64::from_le_bytes)?),
            5 => Value::Enum(EnumId(self.narrow()?), self.narrow()?),
            6 => Value::Entity(self.number()?),
            7 => Value::Vec2([self.float()?, self.float()?]),
            8 => Value::Vec3([self.float()?, self.float()?, self.float()?]),
            9 => Value::Text(self.text(texts)?),
            _ => return Err(TapeError::Impossible("a value is of no known type")),
        })
    }
}
