//! The databases of BehaviorTree.CPP (`SqliteLogger`, `.db3` or `.btdb`).
//!
//! Three small tables are all that such a file has, so its pages are written and read here, as
//! <https://www.sqlite.org/fileformat2.html> describes them. The crates for SQLite build its C sources, which takes
//! longer than this whole crate.

mod read;
mod write;

use crate::btlog::{Log, LogError, LogRow};
use read::{Cell, Database};
use write::{Field, Writer};

/// The tables as `SqliteLogger` makes them.
const TRANSITIONS: &str = "CREATE TABLE Transitions (timestamp  INTEGER PRIMARY KEY NOT NULL, session_id INTEGER NOT NULL, \
    uid        INTEGER NOT NULL, duration   INTEGER, state      INTEGER NOT NULL,metadata   VARCHAR )";
const NODES: &str = "CREATE TABLE Nodes (session_id INTEGER NOT NULL, fullpath   VARCHAR, uid        INTEGER NOT NULL )";
const DEFINITIONS: &str = "CREATE TABLE Definitions (session_id INTEGER PRIMARY KEY AUTOINCREMENT, \
    date       TEXT NOT NULL,xml_tree   TEXT NOT NULL)";

impl Log {
    /// The log as a database of BehaviorTree.CPP, with one session. Two changes never have the same microsecond there, so
    /// later ones are moved by one.
    pub fn to_db3(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.table("Transitions", TRANSITIONS, self.transitions());
        let mut nodes = self.paths();
        nodes.sort_unstable();
        let nodes = nodes.into_iter().zip(1..).map(|((uid, path), row)| {
            let path = Field::Text(path);
            let uid = Field::Int(i64::from(uid));
            (row, vec![Field::Int(1), path, uid])
        });
        writer.table("Nodes", NODES, nodes.collect());
        let date = Field::Text(date(self.begin_micros));
        let definition = vec![Field::Null, date, Field::Text(self.xml.clone())];
        writer.table("Definitions", DEFINITIONS, vec![(1, definition)]);
        let last = vec![Field::Text("Definitions".to_owned()), Field::Int(1)];
        let sequence = "CREATE TABLE sqlite_sequence(name,seq)";
        writer.table("sqlite_sequence", sequence, vec![(1, last)]);
        writer.finish()
    }

    fn transitions(&self) -> Vec<(i64, Vec<Field>)> {
        let mut last = i64::MIN;
        let mut begins = std::collections::HashMap::new();
        let mut rows = Vec::new();
        for row in &self.rows {
            let micros = i64::try_from(row.micros).unwrap_or(i64::MAX);
            let time = self.begin_micros.saturating_add(micros);
            let time = time.max(last.saturating_add(1));
            last = time;
            let began = match row.status {
                1 => {
                    begins.entry(row.uid).or_insert(time);
                    None
                }
                _ => begins.remove(&row.uid),
            };
            let duration = began.map_or(0, |began| time.saturating_sub(began));
            let fields = vec![
                Field::Null,
                Field::Int(1),
                Field::Int(i64::from(row.uid)),
                Field::Int(duration),
                Field::Int(i64::from(row.status)),
                Field::Text(String::new()),
            ];
            rows.push((time, fields));
        }
        rows
    }

    /// Reads a database of BehaviorTree.CPP 4: a log for each session that it holds, in order.
    ///
    /// # Errors
    /// When this is no such database, or it is damaged.
    pub fn read_db3(bytes: &[u8]) -> Result<Vec<Self>, LogError> {
        let database = Database::open(bytes)?;
        let missing = LogError("it has no tables of BehaviorTree.CPP 4 (SqliteLogger)");
        let [sessions, xml] = database
            .columns("Definitions", ["session_id", "xml_tree"])
            .ok_or(missing.clone())?;
        let mut logs: Vec<(i64, Log)> = Vec::new();
        database.rows("Definitions", &mut |row, cells| {
            let Some(Cell::Text(xml)) = cells.get(xml) else {
                return;
            };
            let session = number(cells.get(sessions), row);
            let log = Log {
                xml: String::from_utf8_lossy(xml).into_owned(),
                begin_micros: 0,
                rows: Vec::new(),
                cut_off: 0,
            };
            logs.push((session, log));
        })?;
        // The column of nodes was called `node_uid` before `uid`.
        let named =
            |uid| database.columns("Transitions", ["timestamp", "session_id", uid, "state"]);
        let [time, session, uid, state] =
            named("uid").or_else(|| named("node_uid")).ok_or(missing)?;
        database.rows("Transitions", &mut |row, cells| {
            let time = number(cells.get(time), row);
            let session = number(cells.get(session), 0);
            let Some((_, log)) = logs.iter_mut().find(|(known, _)| *known == session) else {
                return;
            };
            if log.rows.is_empty() {
                log.begin_micros = time;
            }
            log.rows.push(LogRow {
                micros: u64::try_from(time.saturating_sub(log.begin_micros)).unwrap_or(0),
                uid: u16::try_from(number(cells.get(uid), 0)).unwrap_or(0),
                status: u8::try_from(number(cells.get(state), 0)).unwrap_or(0),
            });
        })?;
        Ok(logs.into_iter().map(|(_, log)| log).collect())
    }
}

/// A whole number; the number of the row stands for the primary key, which rows do not hold.
fn number(cell: Option<&Cell<'_>>, row: i64) -> i64 {
    match cell {
        Some(Cell::Int(number)) => *number,
        Some(Cell::Null) => row,
        _ => 0,
    }
}

/// A time of Unix as SQLite writes it, of Greenwich.
fn date(micros: i64) -> String {
    let secs = micros.div_euclid(1_000_000);
    let (days, rest) = (secs.div_euclid(86_400), secs.rem_euclid(86_400));
    // Days since the first of March of the year 0, in eras of 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        for (secs, written) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_400, "2000-02-29 00:00:00"),
            (1_767_225_599, "2025-12-31 23:59:59"),
            (-1, "1969-12-31 23:59:59"),
        ] {
            assert_eq!(date(secs * 1_000_000), written);
        }
    }
}
