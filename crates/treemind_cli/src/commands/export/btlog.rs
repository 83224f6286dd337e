//! Logs of BehaviorTree.CPP: written of a recording, for Groot2, and read.

use super::{Args, Stop, populations, print, scenes};
use crate::io::{self, Failure, Output};
use serde_json::json;
use std::path::Path;
use treemind_groot::{Log, LogWriter};
use treemind_recording::Recording;

/// Whether the name of a file ends like this.
fn ends(path: &Path, ends: &[&str]) -> bool {
    let end = path.extension();
    end.is_some_and(|end| ends.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Whether a file is such a log, by its name.
pub(super) fn is_log(path: &Path) -> bool {
    ends(path, &["btlog"]) || is_database(path)
}

/// Whether it is the database of their SQLite logger.
fn is_database(path: &Path) -> bool {
    ends(path, &["db3", "btdb"])
}

/// Writes what an agent did. Times are those of its ticks, from the beginning of 1970 on, because a recording does not know
/// the date.
pub(super) fn write(args: &Args, recording: &Recording, output: &Output) -> Result<(), Failure> {
    output.write(&written(args, recording)?.finish(0))
}

/// Writes what an agent did as a database.
pub(super) fn write_db3(
    args: &Args,
    recording: &Recording,
    output: &Output,
) -> Result<(), Failure> {
    output.write(&written(args, recording)?.log(0).to_db3())
}

/// What an agent did.
fn written(args: &Args, recording: &Recording) -> Result<LogWriter, Failure> {
    let names = populations(recording)?;
    let name = args.population.as_ref().or(names.first());
    let name = name.map_or("tree", String::as_str);
    let agent = args.agent.unwrap_or(0);
    let mut writer = LogWriter::new(name);
    let place = usize::try_from(agent).unwrap_or(usize::MAX);
    let written = scenes(args, recording, |scene| {
        let is_there = scene.name == name && place < scene.population.len();
        if is_there && !writer.tick(scene.population, place, scene.trace) {
            let text = format!(
                "from tick {} on, the document is another one, and a log has one tree: end before it with `--to`",
                scene.tick
            );
            return Err(Stop::Failed(text));
        }
        Ok(())
    });
    written.map_err(Stop::failure)?;
    Ok(writer)
}

/// The log in a file: of a database, that of its last session, or of another one.
fn log(args: &Args) -> Result<Log, Failure> {
    let name = io::display_name(&args.file);
    let bytes = io::read(&args.file)?;
    let failed = |error: treemind_groot::LogError| Failure::failed(format!("{name}: {error}"));
    if !is_database(&args.file) {
        return Log::read(&bytes).map_err(failed);
    }
    let mut logs = Log::read_db3(&bytes).map_err(failed)?;
    let count = logs.len();
    let wanted = args.run.unwrap_or(count as u64);
    let nth = usize::try_from(wanted)
        .unwrap_or(usize::MAX)
        .wrapping_sub(1);
    if nth >= count {
        let text = format!("{name} has no session {wanted}: it has {count}");
        return Err(Failure::failed(text));
    }
    Ok(logs.swap_remove(nth))
}

/// Prints a log of BehaviorTree.CPP, a line for each change.
pub(super) fn read(args: &Args) -> Result<(), Failure> {
    let name = io::display_name(&args.file);
    if !args.json {
        let text = format!("{name} is a log of BehaviorTree.CPP, which is printed with `--json`");
        return Err(Failure::Usage(text));
    }
    let log = log(args)?;
    if log.cut_off > 0 {
        io::tell(format!(
            "note: {name}: the log is cut off: its last {} bytes are not a whole row",
            log.cut_off
        ));
    }
    let names = log.names();
    print(|out| {
        for row in &log.rows {
            let line = json!({
                "secs": row.micros as f64 / 1e6,
                "uid": row.uid,
                "node": names.get(&row.uid),
                "status": row.status_name(),
            });
            writeln!(out, "{line}")?;
        }
        Ok(())
    })
}
