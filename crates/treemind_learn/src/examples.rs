//! Rows, with the class to be predicted for each.

use crate::table::{Cells, Column, Table};
use std::fmt;
use treemind_doc::{Said, said};

/// The largest number of classes.
const MAX_CLASSES: usize = 256;

/// The largest number of values of a category that tests may ask about.
const MAX_VALUES: usize = 64;

/// A table in which one column gives the class of each row.
#[derive(Clone, Debug)]
pub struct Examples {
    /// The columns that tests may ask about.
    pub columns: Vec<Column>,
    /// The name of the column to predict.
    pub target: String,
    /// The classes, in alphabetical order; numbers in numerical order.
    pub classes: Vec<String>,
    /// The class of each row that has one.
    pub class_of: Vec<usize>,
    /// The rows that have a class.
    pub rows: Vec<usize>,
    /// How many rows have no class, and are left out.
    pub without_class: usize,
    /// The names of categories with too many values to ask about.
    pub too_many_values: Vec<String>,
}

/// Why nothing can be predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExamplesError {
    /// There is no such column; the names of the existing columns.
    NoColumn(String, Vec<String>),
    /// A column of numbers with a fraction is not a class.
    Numbers(String),
    /// More classes than a tree may have.
    TooManyClasses(String, usize),
    /// Every row has the same class, or none.
    OneClass(String),
    /// There is no other column to ask about.
    NothingToAsk,
}

impl ExamplesError {
    /// Why, as a sentence that can be said in other languages, too.
    pub fn said(&self) -> Said {
        match self {
            ExamplesError::NoColumn(name, names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                said!(
                    "unknown column `{}`; the columns are {}",
                    name,
                    names.join(", ")
                )
            }
            ExamplesError::Numbers(name) => said!(
                "`{}` has numbers with fractions, but a decision tree leads to one of several tasks; divide the numbers into classes first",
                name
            ),
            ExamplesError::TooManyClasses(name, count) => said!(
                "`{}` has {} different values, and the limit is {} classes",
                name,
                *count,
                MAX_CLASSES
            ),
            ExamplesError::OneClass(name) => {
                said!(
                    "`{}` is the same in all rows: there is nothing to learn",
                    name
                )
            }
            ExamplesError::NothingToAsk => said!("no other column is left for tests"),
        }
    }
}

impl fmt::Display for ExamplesError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(out)
    }
}

impl std::error::Error for ExamplesError {}

impl Examples {
    /// The rows of a table, with `target` as the column to predict; tests do not ask about the columns in `ignored`.
    ///
    /// # Errors
    /// When a column does not exist, when the target cannot be used as classes, or when there is nothing to ask about.
    pub fn of(table: Table, target: &str, ignored: &[String]) -> Result<Self, ExamplesError> {
        let names = || {
            let names = table.columns.iter().map(|column| column.name.clone());
            names.collect::<Vec<String>>()
        };
        for name in ignored.iter().map(String::as_str).chain([target]) {
            if !table.columns.iter().any(|column| column.name == name) {
                return Err(ExamplesError::NoColumn(name.to_owned(), names()));
            }
        }
        let (mut targets, others): (Vec<Column>, Vec<Column>) = table
            .columns
            .into_iter()
            .partition(|column| column.name == target);
        let of = targets.remove(0);
        let (classes, cells) = classes(&of)?;
        let rows: Vec<usize> = (0..table.rows)
            .filter(|row| cells[*row].is_some())
            .collect();
        let class_of: Vec<usize> = cells.iter().map(|class| class.unwrap_or(0)).collect();
        let mut counts = vec![0; classes.len()];
        rows.iter().for_each(|row| counts[class_of[*row]] += 1);
        if counts.iter().filter(|count| **count > 0).count() < 2 {
            return Err(ExamplesError::OneClass(of.name));
        }
        let mut too_many_values = Vec::new();
        let mut columns = Vec::new();
        for column in others {
            let too_many = matches!(
                &column.cells,
                Cells::Category { values, .. } if values.len() > MAX_VALUES
            );
            if ignored.contains(&column.name) {
                continue;
            }
            if too_many {
                too_many_values.push(column.name);
            } else {
                columns.push(column);
            }
        }
        if columns.is_empty() {
            return Err(ExamplesError::NothingToAsk);
        }
        Ok(Self {
            columns,
            target: of.name,
            classes,
            without_class: table.rows - rows.len(),
            class_of,
            rows,
            too_many_values,
        })
    }

    /// The rows in random order, divided into two parts: at most `share` of them are in the second. Rows are drawn in
    /// blocks of this many consecutive rows of the table.
    ///
    /// # Panics
    /// When a stretch has no rows.
    pub fn divided(&self, share: f64, seed: u64, stretch: usize) -> [Vec<usize>; 2] {
        let mut stretches: Vec<&[usize]> = self.rows.chunks(stretch).collect();
        let mut state = seed;
        for place in (1..stretches.len()).rev() {
            let other = (next(&mut state) % (place as u64 + 1)) as usize;
            stretches.swap(place, other);
        }
        let most = (self.rows.len() as f64 * share.clamp(0.0, 1.0)) as usize;
        let (mut kept, mut held_out) = (Vec::new(), Vec::new());
        for stretch in stretches {
            let has_room = held_out.len() + stretch.len() <= most;
            let part = if has_room { &mut held_out } else { &mut kept };
            part.extend_from_slice(stretch);
        }
        [kept, held_out]
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn classes(column: &Column) -> Result<(Vec<String>, Vec<Option<usize>>), ExamplesError> {
    let too_many = |count: usize| {
        if count > MAX_CLASSES {
            return Err(ExamplesError::TooManyClasses(column.name.clone(), count));
        }
        Ok(())
    };
    match &column.cells {
        Cells::Double(_) => Err(ExamplesError::Numbers(column.name.clone())),
        Cells::Bool(cells) => {
            let classes = vec!["false".to_owned(), "true".to_owned()];
            let cells = cells.iter().map(|cell| cell.map(usize::from)).collect();
            Ok((classes, cells))
        }
        Cells::Category { values, cells } => {
            too_many(values.len())?;
            let cells = cells.iter().map(|cell| cell.map(|cell| cell as usize));
            Ok((values.clone(), cells.collect()))
        }
        Cells::Int(cells) => {
            let mut values: Vec<i64> = cells.iter().copied().flatten().collect();
            values.sort_unstable();
            values.dedup();
            too_many(values.len())?;
            let place = |value: i64| values.binary_search(&value).ok();
            let cells = cells.iter().map(|cell| cell.and_then(place)).collect();
            Ok((values.iter().map(i64::to_string).collect(), cells))
        }
    }
}
