//! What came out of a sweep, as a table and as JSON.

use serde_json::{Map, Value, json};
use treemind_arena::sweep::Row;

/// The rows of a sweep, with what they are called.
pub(super) struct Told<'a> {
    pub(super) measures: &'a [String],
    pub(super) always: &'a [String],
    pub(super) vary: &'a [(String, Vec<String>)],
    pub(super) settings: usize,
    /// In the order of their settings.
    pub(super) rows: &'a [Row],
}

/// A number over many runs.
struct Spread {
    mean: f64,
    low: f64,
    middle: f64,
    high: f64,
}

impl Spread {
    /// Of the runs that have the number; `None` if none has.
    fn of(numbers: impl Iterator<Item = f64>) -> Option<Self> {
        let mut known: Vec<f64> = numbers.filter(|number| !number.is_nan()).collect();
        known.sort_by(f64::total_cmp);
        if known.is_empty() {
            return None;
        }
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        Some(Self {
            mean,
            low: quantile(&known, 0.05),
            middle: quantile(&known, 0.5),
            high: quantile(&known, 0.95),
        })
    }

    fn json(self) -> Value {
        json!({ "mean": self.mean, "q05": self.low, "q50": self.middle, "q95": self.high })
    }
}

/// Between two numbers, a share of their distance, as NumPy has it.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * share;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

impl<'a> Told<'a> {
    /// The values of what varies in a setting; the last key changes fastest.
    fn setting(&self, number: usize) -> Vec<(&'a str, &'a str)> {
        let mut rest = number;
        let mut found: Vec<_> = self
            .vary
            .iter()
            .rev()
            .map(|(key, values)| {
                let value = &values[rest % values.len()];
                rest /= values.len();
                (key.as_str(), value.as_str())
            })
            .collect();
        found.reverse();
        found
    }

    fn rows_of(&self, setting: usize) -> &'a [Row] {
        let each = self.rows.len() / self.settings.max(1);
        &self.rows[setting * each..(setting + 1) * each]
    }

    /// A line for each setting.
    pub(super) fn table(&self) -> String {
        let keys = self.vary.iter().map(|(key, _)| key.clone());
        let mut head: Vec<String> = keys.collect();
        head.extend(["runs", "alive", "ticks"].map(str::to_owned));
        if !self.always.is_empty() {
            head.push("held".to_owned());
        }
        for measure in self.measures {
            head.extend([
                measure.clone(),
                "5%".to_owned(),
                "50%".to_owned(),
                "95%".to_owned(),
            ]);
        }
        let mut lines = vec![head];
        lines.extend((0..self.settings).map(|setting| self.line(setting)));
        aligned(&lines)
    }

    fn line(&self, setting: usize) -> Vec<String> {
        let rows = self.rows_of(setting);
        let values = self.setting(setting).into_iter();
        let mut line: Vec<String> = values.map(|(_, value)| value.to_owned()).collect();
        line.push(rows.len().to_string());
        line.push(percent(rows, |row| row.alive));
        let ticks = Spread::of(rows.iter().map(|row| row.ticks as f64));
        line.push(ticks.map_or_else(String::new, |ticks| short(ticks.mean)));
        if !self.always.is_empty() {
            line.push(percent(rows, |row| row.broken.is_none()));
        }
        for nth in 0..self.measures.len() {
            match Spread::of(rows.iter().map(|row| row.measures[nth])) {
                Some(of) => line.extend([of.mean, of.low, of.middle, of.high].map(short)),
                None => line.extend(["-"; 4].map(str::to_owned)),
            }
        }
        line
    }

    /// Everything as one object; with the runs if they are wanted.
    pub(super) fn json(&self, has_rows: bool) -> Value {
        let settings = (0..self.settings).map(|setting| self.setting_json(setting));
        let mut json = json!({
            "runs": self.rows.len(),
            "faults": self.faults(),
            "settings": settings.collect::<Value>(),
            "violation": self.violation().map(|row| self.row_json(row)),
        });
        if has_rows {
            json["rows"] = self.rows.iter().map(|row| self.row_json(row)).collect();
        }
        json
    }

    fn setting_json(&self, setting: usize) -> Value {
        let rows = self.rows_of(setting);
        let part = |count: usize| count as f64 / rows.len().max(1) as f64;
        let measures = self.measures.iter().enumerate().map(|(nth, name)| {
            let spread = Spread::of(rows.iter().map(|row| row.measures[nth]));
            (name.clone(), spread.map_or(Value::Null, Spread::json))
        });
        let ticks = Spread::of(rows.iter().map(|row| row.ticks as f64));
        json!({
            "keys": self.keys_json(setting),
            "runs": rows.len(),
            "alive": part(rows.iter().filter(|row| row.alive).count()),
            "held": part(rows.iter().filter(|row| row.broken.is_none()).count()),
            "ticks": ticks.map(Spread::json),
            "measures": measures.collect::<Map<_, _>>(),
        })
    }

    fn row_json(&self, row: &Row) -> Value {
        let numbers = self.measures.iter().zip(&row.measures);
        // A number that there is not, or that JSON does not have, is null.
        let numbers = numbers.map(|(name, number)| (name.clone(), Value::from(*number)));
        json!({
            "keys": self.keys_json(row.setting),
            "seed": row.seed,
            "ticks": row.ticks,
            "alive": row.alive,
            "faults": row.faults,
            "measures": numbers.collect::<Map<_, _>>(),
            "broken": row.broken.map(|(promise, tick)| json!({ "promise": self.always[promise], "tick": tick })),
        })
    }

    fn keys_json(&self, setting: usize) -> Map<String, Value> {
        let values = self.setting(setting).into_iter();
        let value = |text: &str| match serde_json::from_str(text) {
            Ok(known @ (Value::Number(_) | Value::Bool(_))) => known,
            _ => text.into(),
        };
        values
            .map(|(key, text)| (key.to_owned(), value(text)))
            .collect()
    }

    fn faults(&self) -> u64 {
        self.rows.iter().map(|row| row.faults).sum()
    }

    /// The first run that broke a promise.
    pub(super) fn violation(&self) -> Option<&'a Row> {
        self.rows.iter().find(|row| row.broken.is_some())
    }

    /// What a run has broken.
    pub(super) fn sentence(&self, row: &Row) -> String {
        let count = self.rows.iter().filter(|row| row.broken.is_some()).count();
        let (promise, tick) = row.broken.unwrap_or_default();
        let keys = self.setting(row.setting).into_iter();
        let keys: String = keys
            .map(|(key, value)| format!(", {key}={value}"))
            .collect();
        format!(
            "{count} of {} runs broke what must always hold; the first: `{}`, in tick {tick} with seed {}{keys}",
            self.rows.len(),
            self.always[promise],
            row.seed,
        )
    }

    /// How much was played.
    pub(super) fn summary(&self) -> String {
        let faults = match self.faults() {
            0 => String::new(),
            1 => ", 1 fault".to_owned(),
            faults => format!(", {faults} faults"),
        };
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let (runs, settings) = (self.rows.len(), self.settings);
        format!(
            "{runs} run{} of {settings} setting{}{faults}",
            s(runs),
            s(settings)
        )
    }
}

fn percent(rows: &[Row], is: impl Fn(&Row) -> bool) -> String {
    let count = rows.iter().filter(|row| is(row)).count();
    format!("{:.1}%", 100.0 * count as f64 / rows.len().max(1) as f64)
}

/// A number with up to three decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// Columns as wide as their widest cell, to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        out.push_str(&cells.join("  "));
        out.push('\n');
    }
    out
}
