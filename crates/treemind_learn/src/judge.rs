//! How good a tree is.

use crate::examples::Examples;
use crate::grow::LearnedTree;
use std::fmt;

/// The predictions of a tree for some rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The classes.
    pub classes: Vec<String>,
    /// How many rows of a class (first index) are predicted as each class (second index).
    pub confusion: Vec<Vec<u32>>,
}

impl Judgement {
    /// Lets a tree classify rows whose class is known.
    pub fn of(tree: &LearnedTree, examples: &Examples, rows: &[usize]) -> Self {
        let classes = examples.classes.len();
        let mut confusion = vec![vec![0; classes]; classes];
        for &row in rows {
            confusion[examples.class_of[row]][tree.classify(examples, row)] += 1;
        }
        Self {
            classes: examples.classes.clone(),
            confusion,
        }
    }

    /// How many rows there were.
    pub fn rows(&self) -> u32 {
        self.confusion.iter().flatten().sum()
    }

    /// How many rows it predicted correctly.
    pub fn right(&self) -> u32 {
        (0..self.classes.len())
            .map(|class| self.confusion[class][class])
            .sum()
    }

    /// The share of rows that it predicted correctly, 0 to 1; `None` without rows.
    pub fn accuracy(&self) -> Option<f64> {
        let rows = self.rows();
        (rows > 0).then(|| f64::from(self.right()) / f64::from(rows))
    }
}

/// The confusion matrix: a line per true class, a column per predicted class.
impl fmt::Display for Judgement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: &str| text.chars().count();
        let first = self.classes.iter().map(|name| width(name)).max();
        let first = first.unwrap_or(0).max(width("is \\ taken for"));
        write!(out, "{:<first$}", "is \\ taken for")?;
        let widths: Vec<usize> = self.classes.iter().map(|name| width(name).max(6)).collect();
        for (name, width) in self.classes.iter().zip(&widths) {
            write!(out, "  {name:>width$}")?;
        }
        for (name, line) in self.classes.iter().zip(&self.confusion) {
            write!(out, "\n{name:<first$}")?;
            for (count, width) in line.iter().zip(&widths) {
                write!(out, "  {count:>width$}")?;
            }
        }
        Ok(())
    }
}
