//! Takes texts out of the data of a module of WebAssembly, for the module that is loaded later.

use super::split::{many, signed, sized};
use super::wasm::Reader;
use anyhow::{Result, ensure};

/// Pieces that are shorter are not worth their place.
const LEAST: usize = 64;

/// The data of a module with zeros in place of these texts, and data that puts them there again.
pub(super) fn taken(data: &[u8], texts: &[Vec<u8>]) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut reader = Reader::new(data);
    let (mut rest, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..reader.number()? {
        ensure!(reader.number()? == 0, "data is put to no place of its own");
        ensure!(reader.byte()? == 0x41, "the place of data is computed");
        let place = reader.number()?;
        ensure!(reader.byte()? == 0x0b, "the place of data is computed");
        let length = reader.number()?;
        let mut bytes = reader.piece(length)?.to_vec();
        for text in texts.iter().filter(|text| text.len() >= LEAST) {
            let found = bytes.windows(text.len()).position(|piece| piece == text);
            if let Some(at) = found {
                bytes[at..at + text.len()].fill(0);
                taken.push(segment(place + at as u32, text));
            }
        }
        rest.push(segment(place, &bytes));
    }
    Ok((many(rest.into_iter()), many(taken.into_iter())))
}

fn segment(place: u32, bytes: &[u8]) -> Vec<u8> {
    [&[0, 0x41], &*signed(place), &[0x0b], &sized(bytes)].concat()
}

#[cfg(test)]
mod tests {
    use super::super::split::number;
    use super::*;

    #[test]
    fn texts_are_put_where_they_were() {
        let text = vec![7; LEAST];
        let all = [&[1, 2], &*text, &[3]].concat();
        let data = [number(1), segment(1000, &all)].concat();
        let (rest, back) = taken(&data, &[text.clone(), vec![1; 2]]).expect("data");
        let zeros = [&[1, 2], &[0; LEAST][..], &[3]].concat();
        assert_eq!(rest, [number(1), segment(1000, &zeros)].concat());
        assert_eq!(back, [number(1), segment(1002, &text)].concat());
        assert!(taken(&[1, 1, 0], &[]).is_err());
    }
}
