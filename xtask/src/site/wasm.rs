//! A WebAssembly module, as far as it has to be known to divide it: <https://webassembly.github.io/spec/core/binary.>

use anyhow::{Context as _, Result, bail, ensure};
use std::ops::Range;

pub(super) const TYPES: u8 = 1;
pub(super) const IMPORTS: u8 = 2;
pub(super) const FUNCTIONS: u8 = 3;
pub(super) const TABLES: u8 = 4;
pub(super) const GLOBALS: u8 = 6;
pub(super) const EXPORTS: u8 = 7;
pub(super) const START: u8 = 8;
pub(super) const ELEMENTS: u8 = 9;
pub(super) const CODE: u8 = 10;
pub(super) const DATA: u8 = 11;

/// What a module consists of.
pub(super) struct Module<'a> {
    /// The sections with their numbers, in order; without names and other notes.
    pub(super) sections: Vec<(u8, &'a [u8])>,
    /// For each type of a function, how many parameters it has.
    pub(super) parameters: Vec<u32>,
    /// How many functions come from outside, and the place of the one that loads the other module.
    pub(super) imported: u32,
    pub(super) loader: u32,
    /// The type of each function from outside, and of each within.
    pub(super) outside: Vec<u32>,
    pub(super) functions: Vec<u32>,
    /// The table of functions: how many there are.
    pub(super) table: u32,
    /// The functions that are in it at first, and those that have a name outside, or are called at the begin.
    pub(super) tabled: Vec<u32>,
    pub(super) exported: Vec<u32>,
    /// The type of each global, and whether it changes.
    pub(super) globals: Vec<[u8; 2]>,
    /// The code of each function within, with its locals.
    pub(super) bodies: Vec<&'a [u8]>,
}

/// Reads numbers and pieces one after the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        let byte = *self.bytes.get(self.at).context("it ends too early")?;
        self.at += 1;
        Ok(byte)
    }

    /// A number of any width, of which the lowest 32 bits count.
    pub(super) fn number(&mut self) -> Result<u32> {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = self.byte()?;
            if shift < 64 {
                value |= u64::from(byte & 0x7f) << shift;
            }
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value as u32);
            }
        }
    }

    fn numbers(&mut self, count: u32) -> Result<()> {
        (0..count).try_for_each(|_| self.number().map(drop))
    }

    pub(super) fn piece(&mut self, length: u32) -> Result<&'a [u8]> {
        let end = self.at + length as usize;
        let piece = self.bytes.get(self.at..end).context("it ends too early")?;
        self.at = end;
        Ok(piece)
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }
}

impl<'a> Module<'a> {
    /// Reads a module that has one table and no globals from outside, as compilers write them.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self> {
        ensure!(bytes.starts_with(b"\0asm\x01\0\0\0"), "it is no module");
        let mut reader = Reader::new(&bytes[8..]);
        let mut module = Self {
            sections: Vec::new(),
            parameters: Vec::new(),
            imported: 0,
            loader: u32::MAX,
            outside: Vec::new(),
            functions: Vec::new(),
            table: 0,
            tabled: Vec::new(),
            exported: Vec::new(),
            globals: Vec::new(),
            bodies: Vec::new(),
        };
        while !reader.is_done() {
            let (section, length) = (reader.byte()?, reader.number()?);
            let content = reader.piece(length)?;
            if section != 0 {
                module.section(section, &mut Reader::new(content))?;
                module.sections.push((section, content));
            }
        }
        ensure!(module.loader != u32::MAX, "it does not import `more`");
        ensure!(module.table > 0, "it has no table");
        Ok(module)
    }

    /// What is in a section.
    pub(super) fn section_of(&self, section: u8) -> Option<&'a [u8]> {
        let found = self.sections.iter().find(|(of, _)| *of == section);
        found.map(|(_, content)| *content)
    }

    fn section(&mut self, section: u8, reader: &mut Reader<'a>) -> Result<()> {
        let known = [
            TYPES, IMPORTS, FUNCTIONS, TABLES, GLOBALS, EXPORTS, START, ELEMENTS, CODE,
        ];
        if !known.contains(&section) {
            return Ok(());
        }
        if section == START {
            self.exported.push(reader.number()?);
            return Ok(());
        }
        for nth in 0..reader.number()? {
            match section {
                TYPES => {
                    ensure!(reader.byte()? == 0x60, "a type is not that of a function");
                    let count = reader.number()?;
                    reader.piece(count)?;
                    let results = reader.number()?;
                    reader.piece(results)?;
                    self.parameters.push(count);
                }
                IMPORTS => {
                    let length = reader.number()?;
                    reader.piece(length)?;
                    let length = reader.number()?;
                    let name = reader.piece(length)?;
                    ensure!(reader.byte()? == 0, "it imports more than functions");
                    self.outside.push(reader.number()?);
                    self.imported += 1;
                    if name == b"more" {
                        self.loader = nth;
                    }
                }
                FUNCTIONS => self.functions.push(reader.number()?),
                TABLES => {
                    ensure!(nth == 0, "it has two tables");
                    ensure!(reader.byte()? == 0x70, "the table is not one of functions");
                    reader.byte()?;
                    self.table = reader.number()?;
                }
                GLOBALS => {
                    self.globals.push([reader.byte()?, reader.byte()?]);
                    walk(reader, &mut |_, _| {})?;
                }
                EXPORTS => {
                    let length = reader.number()?;
                    reader.piece(length)?;
                    let (kind, what) = (reader.byte()?, reader.number()?);
                    self.exported.extend((kind == 0).then_some(what));
                }
                ELEMENTS => {
                    ensure!(reader.number()? == 0, "functions are put into no table");
                    walk(reader, &mut |_, _| {})?;
                    for _ in 0..reader.number()? {
                        self.tabled.push(reader.number()?);
                    }
                }
                _ => {
                    let length = reader.number()?;
                    self.bodies.push(reader.piece(length)?);
                }
            }
            if section == TABLES {
                break;
            }
        }
        Ok(())
    }
}

/// What is said of a function in its code.
pub(super) struct Calls {
    /// Where it names functions, and which.
    pub(super) named: Vec<(Range<usize>, u32)>,
    /// Whether it uses pieces of data or tables, which only its own module has.
    pub(super) has_segments: bool,
    /// Where its code begins, behind its locals.
    pub(super) begin: usize,
}

/// Finds the functions that the code of a function names.
pub(super) fn calls(body: &[u8]) -> Result<Calls> {
    let mut reader = Reader::new(body);
    for _ in 0..reader.number()? {
        reader.number()?;
        reader.byte()?;
    }
    let mut calls = Calls {
        named: Vec::new(),
        has_segments: false,
        begin: reader.at,
    };
    walk(&mut reader, &mut |place, what| match what {
        Some(function) => calls.named.push((place, function)),
        None => calls.has_segments = true,
    })?;
    ensure!(reader.is_done(), "a function does not end with its code");
    Ok(calls)
}

/// Reads instructions to the end of a block; tells the places of functions, and, with `None`, those of segments.
fn walk(reader: &mut Reader<'_>, tell: &mut impl FnMut(Range<usize>, Option<u32>)) -> Result<()> {
    let mut depth = 1;
    while depth > 0 {
        match reader.byte()? {
            0x02..=0x04 => {
                reader.number()?;
                depth += 1;
            }
            0x0b => depth -= 1,
            0x10 | 0x12 | 0xd2 => {
                let begin = reader.at;
                let function = reader.number()?;
                tell(begin..reader.at, Some(function));
            }
            0x0e => {
                let count = reader.number()?;
                reader.numbers(count + 1)?;
            }
            0x1c => {
                let count = reader.number()?;
                reader.piece(count)?;
            }
            0x28..=0x3e => {
                ensure!(reader.number()? < 64, "it has two memories");
                reader.number()?;
            }
            0x0c | 0x0d | 0x20..=0x26 | 0x3f..=0x42 | 0xd0 => drop(reader.number()?),
            0x11 | 0x13 => reader.numbers(2)?,
            0x43 => drop(reader.piece(4)?),
            0x44 => drop(reader.piece(8)?),
            0xfc => match reader.number()? {
                0..=7 => {}
                8 | 12 => {
                    reader.numbers(2)?;
                    tell(0..0, None);
                }
                9 | 13 => {
                    reader.number()?;
                    tell(0..0, None);
                }
                10 | 14 => reader.numbers(2)?,
                11 | 15..=17 => drop(reader.number()?),
                code => bail!("the instruction 0xfc {code} is not known"),
            },
            0x00 | 0x01 | 0x05 | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
            code => bail!("the instruction {code:#x} is not known"),
        }
    }
    Ok(())
}
