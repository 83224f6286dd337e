//! Writes the pages of a database of SQLite.

const PAGE: usize = 4_096;
/// Where the pages of the first table begin: the first page holds the header, and the names of all tables.
const HEADER: usize = 100;
/// How many bytes of a row stand in its leaf at most, and how many at least if it goes on in other pages.
const MOST_LOCAL: usize = PAGE - 35;
const LEAST_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;
/// How many pages an inner page names at most: each takes at most 15 bytes.
const MOST_CHILDREN: usize = 250;

/// A value in a row.
pub(super) enum Field {
    Null,
    Int(i64),
    Text(String),
}

/// A database that is being written.
pub(super) struct Writer {
    pages: Vec<Vec<u8>>,
    /// The rows of the table of tables.
    tables: Vec<(i64, Vec<Field>)>,
}

/// A page and the largest row number in it.
type Child = (usize, i64);

impl Writer {
    pub(super) fn new() -> Self {
        Self {
            pages: vec![Vec::new()],
            tables: Vec::new(),
        }
    }

    /// Adds a table with its rows, whose numbers rise.
    pub(super) fn table(&mut self, name: &str, sql: &str, rows: Vec<(i64, Vec<Field>)>) {
        let root = self.tree(rows);
        let fields = vec![
            Field::Text("table".to_owned()),
            Field::Text(name.to_owned()),
            Field::Text(name.to_owned()),
            Field::Int(i64::try_from(root).unwrap_or(0)),
            Field::Text(sql.to_owned()),
        ];
        self.tables.push((self.tables.len() as i64 + 1, fields));
    }

    /// The bytes of the file.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let tables = std::mem::take(&mut self.tables);
        let cells = tables.iter().map(|(row, fields)| self.cell(*row, fields));
        let cells: Vec<Vec<u8>> = cells.collect();
        let mut first = leaf(&cells, HEADER);
        first[..HEADER].copy_from_slice(&header(self.pages.len()));
        self.pages[0] = first;
        self.pages.concat()
    }

    /// Adds a page. Returns its number, counted from 1.
    fn page(&mut self, page: Vec<u8>) -> usize {
        self.pages.push(page);
        self.pages.len()
    }

    /// The pages of a table. Returns the number of the root.
    fn tree(&mut self, rows: Vec<(i64, Vec<Field>)>) -> usize {
        let mut level: Vec<Child> = Vec::new();
        let (mut cells, mut bytes, mut last) = (Vec::new(), 8, 0);
        for (row, fields) in rows {
            let cell = self.cell(row, &fields);
            if bytes + cell.len() + 2 > PAGE {
                let page = leaf(&cells, 0);
                level.push((self.page(page), last));
                cells.clear();
                bytes = 8;
            }
            bytes += cell.len() + 2;
            cells.push(cell);
            last = row;
        }
        let page = leaf(&cells, 0);
        level.push((self.page(page), last));
        while level.len() > 1 {
            let inner = level.chunks(MOST_CHILDREN).map(<[Child]>::to_vec);
            let inner: Vec<Vec<Child>> = inner.collect();
            level = inner
                .iter()
                .map(|children| {
                    let last = children.last().map_or(0, |(_, last)| *last);
                    (self.page(inner_page(children)), last)
                })
                .collect();
        }
        level.first().map_or(0, |(root, _)| *root)
    }

    /// A row as a cell of a leaf. What is too long goes on in pages of its own.
    fn cell(&mut self, row: i64, fields: &[Field]) -> Vec<u8> {
        let record = record(fields);
        let mut cell = Vec::new();
        varint(&mut cell, record.len() as u64);
        varint(&mut cell, row as u64);
        if record.len() <= MOST_LOCAL {
            cell.extend(record);
            return cell;
        }
        let local = LEAST_LOCAL + (record.len() - LEAST_LOCAL) % (PAGE - 4);
        let local = if local <= MOST_LOCAL {
            local
        } else {
            LEAST_LOCAL
        };
        let (here, rest) = record.split_at(local);
        cell.extend(here);
        // From the last page to the first, because each names the next one.
        let mut next = 0;
        for part in rest.chunks(PAGE - 4).rev() {
            let mut page = big(next).to_vec();
            page.extend(part);
            page.resize(PAGE, 0);
            next = self.page(page);
        }
        cell.extend(big(next));
        cell
    }
}

fn big(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(0).to_be_bytes()
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(0).to_be_bytes()
}

/// The header of the file.
fn header(pages: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..16].copy_from_slice(b"SQLite format 3\0");
    header[16..18].copy_from_slice(&short(PAGE));
    // Written and read without a journal beside it; the fractions are fixed.
    header[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
    header[24..28].copy_from_slice(&big(1));
    header[28..32].copy_from_slice(&big(pages));
    header[40..44].copy_from_slice(&big(1));
    header[44..48].copy_from_slice(&big(4));
    // UTF-8.
    header[56..60].copy_from_slice(&big(1));
    header[92..96].copy_from_slice(&big(1));
    header[96..100].copy_from_slice(&big(3_040_000));
    header
}

/// A page with cells from its end on, and the list of their places after its head.
fn filled(cells: &[Vec<u8>], begin: usize, head: &[u8]) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    let mut end = PAGE;
    let mut list = begin + head.len();
    page[begin..list].copy_from_slice(head);
    for cell in cells {
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(cell);
        page[list..list + 2].copy_from_slice(&short(end));
        list += 2;
    }
    page[begin + 5..begin + 7].copy_from_slice(&short(end));
    page
}

fn leaf(cells: &[Vec<u8>], begin: usize) -> Vec<u8> {
    let [high, low] = short(cells.len());
    filled(cells, begin, &[13, 0, 0, high, low, 0, 0, 0])
}

fn inner_page(children: &[Child]) -> Vec<u8> {
    let Some(((right, _), others)) = children.split_last() else {
        return leaf(&[], 0);
    };
    let cells = others.iter().map(|(page, last)| {
        let mut cell = big(*page).to_vec();
        varint(&mut cell, *last as u64);
        cell
    });
    let cells: Vec<Vec<u8>> = cells.collect();
    let [high, low] = short(cells.len());
    let mut head = vec![5, 0, 0, high, low, 0, 0, 0];
    head.extend(big(*right));
    filled(&cells, 0, &head)
}

/// A row: the types of its fields, then the fields.
fn record(fields: &[Field]) -> Vec<u8> {
    let (mut types, mut body) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Null => types.push(0),
            Field::Int(number) => {
                types.push(6);
                body.extend(number.to_be_bytes());
            }
            Field::Text(text) => {
                varint(&mut types, text.len() as u64 * 2 + 13);
                body.extend(text.as_bytes());
            }
        }
    }
    // The length of the head counts itself.
    let mut length = types.len() + 1;
    if length > 127 {
        length += 1;
    }
    let mut record = Vec::new();
    varint(&mut record, length as u64);
    record.extend(types);
    record.extend(body);
    record
}

/// A number in 1 to 9 bytes, the highest bits first.
fn varint(out: &mut Vec<u8>, number: u64) {
    if number >> 56 != 0 {
        // Eight groups of 7 bits, and the last 8 bits.
        out.extend((0..8).map(|nth| (number >> (57 - 7 * nth)) as u8 | 0x80));
        out.push(number as u8);
        return;
    }
    let mut bytes = [0; 9];
    let (mut at, mut rest) = (8, number);
    bytes[at] = (rest & 0x7f) as u8;
    rest >>= 7;
    while rest != 0 {
        at -= 1;
        bytes[at] = (rest & 0x7f) as u8 | 0x80;
        rest >>= 7;
    }
    out.extend(&bytes[at..]);
}
