//! The test that separates classes best.

use crate::examples::Examples;
use crate::grow::Criterion;
use crate::table::Cells;

/// A question about one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is true.
    Holds(usize),
    /// A whole number is at most this.
    AtMostInt(usize, i64),
    /// A number is at most this.
    AtMost(usize, f64),
    /// A category has this value.
    Is(usize, u32),
}

impl Test {
    /// The column that it asks about.
    pub fn column(&self) -> usize {
        match self {
            Test::Holds(column)
            | Test::AtMostInt(column, _)
            | Test::AtMost(column, _)
            | Test::Is(column, _) => *column,
        }
    }

    /// Its answer for a row; `None` if the value is missing.
    pub fn ask(&self, examples: &Examples, row: usize) -> Option<bool> {
        match (self, &examples.columns[self.column()].cells) {
            (Test::Holds(_), Cells::Bool(cells)) => cells[row],
            (Test::AtMostInt(_, most), Cells::Int(cells)) => cells[row].map(|cell| cell <= *most),
            (Test::AtMost(_, most), Cells::Double(cells)) => cells[row].map(|cell| cell <= *most),
            (Test::Is(_, value), Cells::Category { cells, .. }) => {
                cells[row].map(|cell| cell == *value)
            }
            _ => None,
        }
    }
}

/// A test, and where missing values go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) test: Test,
    pub(crate) missing_is_yes: bool,
    /// How much more is known about the classes after the split.
    gain: f64,
}

/// The search for the best split of the rows of a node.
struct Search<'e> {
    criterion: Criterion,
    min_leaf: usize,
    all: &'e [u32],
    /// The best split so far.
    best: Option<Split>,
}

/// The best test for some rows, if any separates the classes; both sides have at least `min_leaf` rows.
pub(crate) fn best_split(
    examples: &Examples,
    rows: &[usize],
    counts: &[u32],
    (criterion, min_leaf): (Criterion, usize),
) -> Option<Split> {
    let mut search = Search {
        criterion,
        min_leaf,
        all: counts,
        best: None,
    };
    for (column, of) in examples.columns.iter().enumerate() {
        match &of.cells {
            Cells::Bool(cells) => {
                let keyed = keyed(examples, rows, |row| cells[row]);
                search.each_value(keyed, 2, |value| match value {
                    1 => Some(Test::Holds(column)),
                    _ => None,
                });
            }
            Cells::Category { values, cells } => {
                let keyed = keyed(examples, rows, |row| cells[row]);
                search.each_value(keyed, values.len(), |value| {
                    Some(Test::Is(column, value as u32))
                });
            }
            Cells::Int(cells) => {
                let keyed = keyed(examples, rows, |row| cells[row]);
                search.thresholds(keyed, i64::cmp, |low, high| {
                    // The middle, rounded towards the lower one; the two may be far apart.
                    let middle = ((i128::from(*low) + i128::from(*high)).div_euclid(2)) as i64;
                    Test::AtMostInt(column, middle)
                });
            }
            Cells::Double(cells) => {
                let keyed = keyed(examples, rows, |row| cells[row]);
                search.thresholds(keyed, f64::total_cmp, |low, high| {
                    Test::AtMost(column, between(*low, *high))
                });
            }
        }
    }
    search.best
}

/// The values of the rows with their classes, and the classes of those without a value.
struct Keyed<T> {
    values: Vec<(T, usize)>,
    missing: Vec<u32>,
}

fn keyed<T>(examples: &Examples, rows: &[usize], value: impl Fn(usize) -> Option<T>) -> Keyed<T> {
    let mut keyed = Keyed {
        values: Vec::with_capacity(rows.len()),
        missing: vec![0; examples.classes.len()],
    };
    for &row in rows {
        let class = examples.class_of[row];
        match value(row) {
            Some(value) => keyed.values.push((value, class)),
            None => keyed.missing[class] += 1,
        }
    }
    keyed
}

impl Search<'_> {
    /// Tries each value against all others.
    fn each_value<T: Into<u64>>(
        &mut self,
        keyed: Keyed<T>,
        values: usize,
        test: impl Fn(usize) -> Option<Test>,
    ) {
        let classes = self.all.len();
        let mut counts = vec![vec![0; classes]; values];
        for (value, class) in keyed.values {
            let value: u64 = value.into();
            counts[value as usize][class] += 1;
        }
        for (value, yes) in counts.iter().enumerate() {
            if let Some(test) = test(value) {
                self.consider(yes, &keyed.missing, || test.clone());
            }
        }
    }

    /// Tries each threshold: values up to it against values above it.
    fn thresholds<T: PartialEq>(
        &mut self,
        mut keyed: Keyed<T>,
        order: fn(&T, &T) -> std::cmp::Ordering,
        test: impl Fn(&T, &T) -> Test,
    ) {
        keyed.values.sort_by(|(a, _), (b, _)| order(a, b));
        let mut yes = vec![0; self.all.len()];
        for pair in keyed.values.windows(2) {
            let [(low, class), (high, _)] = pair else {
                continue;
            };
            yes[*class] += 1;
            if low != high {
                self.consider(&yes, &keyed.missing, || test(low, high));
            }
        }
    }

    fn consider(&mut self, known_yes: &[u32], missing: &[u32], test: impl Fn() -> Test) {
        let is_whole = missing.iter().all(|count| *count == 0);
        for missing_is_yes in [false, true] {
            if missing_is_yes && is_whole {
                return;
            }
            let yes: Vec<u32> = known_yes
                .iter()
                .zip(missing)
                .map(|(known, missing)| known + if missing_is_yes { *missing } else { 0 })
                .collect();
            let no: Vec<u32> = self
                .all
                .iter()
                .zip(&yes)
                .map(|(all, yes)| all - yes)
                .collect();
            let sizes = [sum(&yes), sum(&no)];
            if sizes
                .iter()
                .any(|size| (*size as usize) < self.min_leaf.max(1))
            {
                continue;
            }
            let total = (sizes[0] + sizes[1]) as f64;
            let left = [(&yes, sizes[0]), (&no, sizes[1])]
                .into_iter()
                .map(|(counts, size)| size as f64 / total * self.criterion.impurity(counts))
                .sum::<f64>();
            let gain = self.criterion.impurity(self.all) - left;
            let best = self.best.as_ref().map_or(1e-9, |best| best.gain + 1e-12);
            if gain > best {
                self.best = Some(Split {
                    test: test(),
                    missing_is_yes,
                    gain,
                });
            }
        }
    }
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().map(|count| u64::from(*count)).sum()
}

/// A finite number with few digits that is at least `low` and below `high`, near the middle.
fn between(low: f64, high: f64) -> f64 {
    let (low, high) = (low.max(f64::MIN), high.min(f64::MAX));
    let middle = low / 2.0 + high / 2.0;
    for digits in 0..17 {
        let rounded: f64 = format!("{middle:.digits$}").parse().unwrap_or(middle);
        if low <= rounded && rounded < high {
            return rounded;
        }
    }
    if low <= middle && middle < high {
        middle
    } else {
        low
    }
}
