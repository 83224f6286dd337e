//! Reads the tables of a database of SQLite, whatever its bytes are.

use crate::btlog::LogError;

/// How deep the pages of a table may be nested, and how many pages are looked at.
const MOST_DEPTH: usize = 20;

/// A value in a row. Fractions and bytes are of no use here.
pub(super) enum Cell<'c> {
    Null,
    Int(i64),
    Text(&'c [u8]),
    Other,
}

/// A database.
pub(super) struct Database<'b> {
    bytes: &'b [u8],
    page: usize,
    /// How many bytes of a page are used.
    usable: usize,
    /// The tables: name, columns in order, and first page.
    tables: Vec<(String, Vec<String>, usize)>,
}

/// What is done with a row: its number, and its values.
type Each<'e> = dyn FnMut(i64, &[Cell<'_>]) + 'e;

const DAMAGED: LogError = LogError("the database is damaged");

impl<'b> Database<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, LogError> {
        let header = bytes
            .get(..100)
            .filter(|_| bytes.starts_with(b"SQLite format 3\0"));
        let header = header.ok_or(LogError("this is not a database of SQLite"))?;
        let page = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65_536,
            size => usize::from(size),
        };
        if !page.is_power_of_two() || page < 512 {
            return Err(DAMAGED);
        }
        if !matches!(header[56..60], [0, 0, 0, 0 | 1]) {
            return Err(LogError("the texts of the database are not UTF-8"));
        }
        let mut database = Self {
            bytes,
            page,
            usable: page - usize::from(header[20]),
            tables: Vec::new(),
        };
        let mut tables = Vec::new();
        database.visit(1, &mut |_, cells| {
            if let [_, Cell::Text(name), _, Cell::Int(root), Cell::Text(sql)] = cells {
                let name = String::from_utf8_lossy(name).into_owned();
                let root = usize::try_from(*root).unwrap_or(0);
                tables.push((name, columns(&String::from_utf8_lossy(sql)), root));
            }
        })?;
        database.tables = tables;
        Ok(database)
    }

    fn table(&self, name: &str) -> Option<&(String, Vec<String>, usize)> {
        let mut tables = self.tables.iter();
        tables.find(|(known, ..)| known.eq_ignore_ascii_case(name))
    }

    /// The places of columns of a table.
    pub(super) fn columns<const N: usize>(
        &self,
        table: &str,
        names: [&str; N],
    ) -> Option<[usize; N]> {
        let (_, columns, _) = self.table(table)?;
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(names) {
            let is_it = |column: &String| column.eq_ignore_ascii_case(name);
            *place = columns.iter().position(is_it)?;
        }
        Some(places)
    }

    /// Calls `each` for all rows of a table, in order.
    pub(super) fn rows(&self, table: &str, each: &mut Each<'_>) -> Result<(), LogError> {
        match self.table(table) {
            Some((.., root)) => self.visit(*root, each),
            None => Ok(()),
        }
    }

    fn page(&self, number: usize) -> Result<&'b [u8], LogError> {
        let begin = number
            .checked_sub(1)
            .and_then(|nth| nth.checked_mul(self.page));
        let begin = begin.ok_or(DAMAGED)?;
        let end = begin.saturating_add(self.usable);
        self.bytes.get(begin..end).ok_or(DAMAGED)
    }

    fn visit(&self, root: usize, each: &mut Each<'_>) -> Result<(), LogError> {
        let mut pages = self.bytes.len() / self.page;
        let mut pending = vec![(root, 0)];
        while let Some((number, depth)) = pending.pop() {
            // A page that is named twice would be visited for ever.
            pages = pages.checked_sub(1).ok_or(DAMAGED)?;
            let page = self.page(number)?;
            let begin = if number == 1 { 100 } else { 0 };
            let head = page.get(begin..).ok_or(DAMAGED)?;
            let count = usize::from(u16_at(head, 3)?);
            match head.first() {
                Some(13) => {
                    for nth in 0..count {
                        self.leaf_cell(page, usize::from(u16_at(head, 8 + 2 * nth)?), each)?;
                    }
                }
                Some(5) if depth < MOST_DEPTH => {
                    pending.push((u32_at(head, 8)?, depth + 1));
                    for nth in (0..count).rev() {
                        let cell = usize::from(u16_at(head, 12 + 2 * nth)?);
                        pending.push((u32_at(page, cell)?, depth + 1));
                    }
                }
                _ => return Err(DAMAGED),
            }
        }
        Ok(())
    }

    fn leaf_cell(&self, page: &[u8], at: usize, each: &mut Each<'_>) -> Result<(), LogError> {
        let rest = page.get(at..).ok_or(DAMAGED)?;
        let (length, rest) = varint(rest).ok_or(DAMAGED)?;
        let (row, rest) = varint(rest).ok_or(DAMAGED)?;
        let length = usize::try_from(length).map_err(|_| DAMAGED)?;
        if length > self.bytes.len() {
            return Err(DAMAGED);
        }
        if length <= self.usable - 35 {
            return cells(rest.get(..length).ok_or(DAMAGED)?, row as i64, each);
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let local = least + (length - least) % (self.usable - 4);
        let local = if local <= self.usable - 35 {
            local
        } else {
            least
        };
        let mut record = rest.get(..local).ok_or(DAMAGED)?.to_vec();
        let mut next = u32_at(rest, local)?;
        while record.len() < length {
            let page = self.page(next)?;
            let part = page.get(4..).ok_or(DAMAGED)?;
            let part = &part[..part.len().min(length - record.len())];
            if part.is_empty() {
                return Err(DAMAGED);
            }
            record.extend(part);
            next = u32_at(page, 0)?;
        }
        cells(&record, row as i64, each)
    }
}

/// The names of the columns in `CREATE TABLE … (a …, b …)`.
fn columns(sql: &str) -> Vec<String> {
    let Some((_, inside)) = sql.split_once('(') else {
        return Vec::new();
    };
    let parts = inside.split(',');
    let names = parts.filter_map(|part| part.split_whitespace().next());
    names
        .map(|name| name.trim_matches(['"', '`', '[', ']']).to_owned())
        .collect()
}

/// Takes a row apart.
fn cells(record: &[u8], row: i64, each: &mut Each<'_>) -> Result<(), LogError> {
    let (head, _) = varint(record).ok_or(DAMAGED)?;
    let head = usize::try_from(head).map_err(|_| DAMAGED)?;
    let (mut types, mut body) = record.split_at_checked(head).ok_or(DAMAGED)?;
    types = varint(types).ok_or(DAMAGED)?.1;
    let mut cells = Vec::new();
    while !types.is_empty() {
        let (ty, rest) = varint(types).ok_or(DAMAGED)?;
        types = rest;
        let length = match ty {
            0 | 8 | 9 => 0,
            1..=4 => ty,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return Err(DAMAGED),
            _ => (ty - 12) / 2,
        };
        let length = usize::try_from(length).map_err(|_| DAMAGED)?;
        let (bytes, rest) = body.split_at_checked(length).ok_or(DAMAGED)?;
        body = rest;
        cells.push(match ty {
            0 => Cell::Null,
            8 => Cell::Int(0),
            9 => Cell::Int(1),
            1..=6 => Cell::Int(int(bytes)),
            13.. if ty % 2 == 1 => Cell::Text(bytes),
            _ => Cell::Other,
        });
    }
    each(row, &cells);
    Ok(())
}

/// A whole number with a sign, the highest byte first.
fn int(bytes: &[u8]) -> i64 {
    let is_negative = bytes.first().is_some_and(|first| *first > 127);
    let begin = if is_negative { -1 } else { 0 };
    bytes
        .iter()
        .fold(begin, |sum, byte| sum << 8 | i64::from(*byte))
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, LogError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map(|bytes| u16::from_be_bytes(*bytes)).ok_or(DAMAGED)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<usize, LogError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    let found = found
        .map(|bytes| u32::from_be_bytes(*bytes))
        .ok_or(DAMAGED)?;
    usize::try_from(found).map_err(|_| DAMAGED)
}

/// A number in 1 to 9 bytes, and what follows it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number: u64 = 0;
    for (nth, byte) in bytes.iter().take(9).enumerate() {
        if nth == 8 {
            return Some((number << 8 | u64::from(*byte), &bytes[9..]));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[nth + 1..]));
        }
    }
    None
}
