//! Tables, and the types of their columns.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use treemind_doc::{Said, said};

/// The largest number of columns of a table.
const MAX_COLUMNS: usize = 1_000;

/// The largest number of rows of a table.
const MAX_ROWS: usize = 10_000_000;

/// Words that mean a missing value, besides an empty cell.
const MISSING: [&str; 5] = ["?", "NA", "N/A", "null", "nan"];

/// Columns of the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// In the order of the file.
    pub columns: Vec<Column>,
    /// How many rows there are.
    pub rows: usize,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name in the first line.
    pub name: String,
    /// What it holds.
    pub cells: Cells,
}

/// What a column holds; `None` is a missing value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// `true` or `false`.
    Bool(Vec<Option<bool>>),
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Numbers; some may be infinite.
    Double(Vec<Option<f64>>),
    /// One of several words.
    Category {
        /// The words, in alphabetical order.
        values: Vec<String>,
        /// The position of each row's word among them.
        cells: Vec<Option<u32>>,
    },
}

impl Cells {
    /// Whether the value in a row is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Cells::Bool(cells) => cells[row].is_none(),
            Cells::Int(cells) => cells[row].is_none(),
            Cells::Double(cells) => cells[row].is_none(),
            Cells::Category { cells, .. } => cells[row].is_none(),
        }
    }
}

/// Why a table cannot be read.
#[derive(Debug)]
pub enum TableError {
    /// The input is not a table: a row is longer or shorter than the first, or is not text.
    Csv(csv::Error),
    /// There is no row below the column names.
    Empty,
    /// Two columns have the same name.
    SameName(String),
    /// A column has no name; its number, from 1.
    NoName(usize),
    /// There are more columns or rows than this crate can handle.
    TooLarge,
}

impl TableError {
    /// Why, as a sentence that can be said in other languages, too.
    pub fn said(&self) -> Said {
        match self {
            TableError::Csv(error) => said!("this is not a table: {}", error.to_string()),
            TableError::Empty => said!("the table has no rows after the names of its columns"),
            TableError::SameName(name) => said!("two columns are named `{}`", name),
            TableError::NoName(number) => said!("column {} has no name", *number),
            TableError::TooLarge => said!(
                "the table is too large; the limit is {} columns and {} rows",
                MAX_COLUMNS,
                MAX_ROWS
            ),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(out)
    }
}

impl std::error::Error for TableError {}

impl Table {
    /// Reads comma-separated values; the first line names the columns. A value is missing if its cell is empty,
    /// `?`, `NA`, `N/A`, `null` or `nan`.
    ///
    /// # Errors
    /// When the input is not a table, has no rows or is too large.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(bytes);
        let names: Vec<String> = reader
            .headers()
            .map_err(TableError::Csv)?
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}').to_owned())
            .collect();
        check_names(&names)?;
        let mut texts: Vec<Vec<Option<String>>> = vec![Vec::new(); names.len()];
        let mut rows = 0;
        for record in reader.records() {
            let record = record.map_err(TableError::Csv)?;
            rows += 1;
            if rows > MAX_ROWS {
                return Err(TableError::TooLarge);
            }
            for (column, text) in texts.iter_mut().zip(&record) {
                column.push(present(text));
            }
        }
        if rows == 0 {
            return Err(TableError::Empty);
        }
        let columns = names.into_iter().zip(texts).map(|(name, texts)| Column {
            name,
            cells: cells(texts),
        });
        Ok(Self {
            columns: columns.collect(),
            rows,
        })
    }
}

fn check_names(names: &[String]) -> Result<(), TableError> {
    if names.len() > MAX_COLUMNS {
        return Err(TableError::TooLarge);
    }
    let mut known = BTreeSet::new();
    for (number, name) in (1..).zip(names) {
        if name.is_empty() {
            return Err(TableError::NoName(number));
        }
        if !known.insert(name) {
            return Err(TableError::SameName(name.clone()));
        }
    }
    Ok(())
}

fn present(text: &str) -> Option<String> {
    let is_missing = text.is_empty() || MISSING.iter().any(|word| word.eq_ignore_ascii_case(text));
    (!is_missing).then(|| text.to_owned())
}

/// The narrowest kind of cells that fits all texts.
fn cells(texts: Vec<Option<String>>) -> Cells {
    fn all<T>(
        texts: &[Option<String>],
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<Vec<Option<T>>> {
        let read = |text: &Option<String>| match text {
            Some(text) => read(text).map(Some),
            None => Some(None),
        };
        texts.iter().map(read).collect()
    }
    let truth = |text: &str| match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    let number = |text: &str| text.parse().ok().filter(|number: &f64| !number.is_nan());
    if let Some(cells) = all(&texts, truth) {
        return Cells::Bool(cells);
    }
    if let Some(cells) = all(&texts, |text| text.parse().ok()) {
        return Cells::Int(cells);
    }
    if let Some(cells) = all(&texts, number) {
        return Cells::Double(cells);
    }
    let values: BTreeSet<&String> = texts.iter().flatten().collect();
    let values: Vec<String> = values.into_iter().cloned().collect();
    let places: HashMap<&str, u32> = values.iter().map(String::as_str).zip(0..).collect();
    let cells = texts
        .iter()
        .map(|text| text.as_ref().map(|text| places[text.as_str()]))
        .collect();
    Cells::Category { values, cells }
}
