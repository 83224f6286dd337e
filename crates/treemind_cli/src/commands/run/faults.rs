//! The distinct faults of a run: each once, with how often it occurred.

use crate::io::{Line, tell};
use treemind_core::{FaultSum, Faults};

/// How many distinct faults are kept.
const MOST: usize = 256;
/// How many of them are told after a run that tells none of them when they happen.
const TOLD: usize = 5;

/// The faults of all behaviours so far.
#[derive(Clone, Debug, Default)]
pub(super) struct FaultTable {
    rows: Vec<Row>,
    /// How many there were beside these.
    others: u64,
}

#[derive(Clone, Debug)]
struct Row {
    behaviour: String,
    /// Who had it first.
    agent: String,
    sum: FaultSum,
}

impl FaultTable {
    /// Adds the faults of a behaviour; `agent` gives the name of an agent.
    pub(super) fn add(
        &mut self,
        behaviour: &str,
        faults: &Faults,
        agent: impl Fn(usize) -> String,
    ) {
        self.others += faults.others();
        for sum in faults.sums() {
            let row = || Row {
                behaviour: behaviour.to_owned(),
                agent: agent(sum.first.agent),
                sum: sum.clone(),
            };
            self.take_in(row());
        }
    }

    /// Adds the faults of a later part of the run.
    pub(super) fn append(&mut self, later: FaultTable) {
        self.others += later.others;
        later.rows.into_iter().for_each(|row| self.take_in(row));
    }

    fn take_in(&mut self, new: Row) {
        // Nodes have other numbers once a document was reloaded.
        let place = |row: &Row| (row.behaviour.clone(), row.sum.first.label);
        let is_same =
            |row: &Row| row.sum.first.kind == new.sum.first.kind && place(row) == place(&new);
        match self.rows.iter().position(is_same) {
            Some(known) => self.rows[known].sum.count += new.sum.count,
            None if self.rows.len() < MOST => self.rows.push(new),
            None => self.others += new.sum.count,
        }
    }

    /// A line for each, and one behind it with what to do about it.
    pub(super) fn text(&self) -> String {
        if self.rows.is_empty() && self.others == 0 {
            return "no faults\n".to_owned();
        }
        let mut lines = vec![["count", "first tick", "agent", "node"].map(str::to_owned)];
        lines.extend(self.rows.iter().map(|row| {
            let Row {
                behaviour,
                agent,
                sum: FaultSum { first, count },
            } = row;
            let label = first.label.as_str();
            let node = match label == behaviour {
                true => label.to_owned(),
                false => format!("{behaviour}: {label}"),
            };
            [
                count.to_string(),
                first.tick.to_string(),
                agent.clone(),
                node,
            ]
        }));
        let width = |column: usize| {
            let widths = lines.iter().map(|line| line[column].chars().count());
            widths.max().unwrap_or(0)
        };
        let [count, tick, agent, node] = [0, 1, 2, 3].map(width);
        let mut out = String::new();
        let mut rows = self.rows.iter();
        for (nth, line) in lines.iter().enumerate() {
            let row = if nth == 0 { None } else { rows.next() };
            let fault = row.map_or("fault".to_owned(), |row| row.sum.first.kind.what());
            let [a, b, c, d] = line;
            out += &format!("{a:>count$}  {b:>tick$}  {c:<agent$}  {d:<node$}  {fault}\n");
            if let Some(remedy) = row.and_then(|row| row.sum.first.kind.remedy()) {
                let indent = count + tick + agent + node + 8;
                out += &format!("{:indent$}{remedy}\n", "");
            }
        }
        if self.others > 0 {
            out += &format!("{:>count$}  others\n", self.others);
        }
        out
    }

    /// Says on standard error which faults there were.
    pub(super) fn tell(&self) {
        for row in self.rows.iter().take(TOLD) {
            let FaultSum { first, count } = &row.sum;
            let times = match count {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            };
            let sentence = format!(
                "{}, at first in tick {}, {}: {}: {}",
                times, first.tick, row.agent, first.label, first.kind
            );
            tell(Line::fault(&sentence));
        }
        let more = self.rows.len().saturating_sub(TOLD);
        if more > 0 {
            tell(Line::fault(&format!(
                "{more} other distinct faults: `--faults` lists them"
            )));
        }
    }
}
