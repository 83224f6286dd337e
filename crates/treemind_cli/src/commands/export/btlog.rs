//! Logs of BehaviorTree.CPP: written of a recording, for Groot2, and read.

use super::{Args, Stop, populations, print, scenes};
use crate::io::{self, Failure, Output};
use serde_json::json;
use std::path::Path;
use treemind_groot::{Log, LogWriter};
use treemind_recording::Recording;

/// Whether a file is such a log, by its name.
pub(super) fn is_log(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("btlog"))
}

/// Writes what an agent did. Times are those of its ticks, from the beginning of 1970 on, because a recording does not know
/// the date.
pub(super) fn write(args: &Args, recording: &Recording, output: &Output) -> Result<(), Failure> {
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
    output.write(&writer.finish(0))
}

/// Prints a log of BehaviorTree.CPP, a line for each change.
pub(super) fn read(args: &Args) -> Result<(), Failure> {
    let name = io::display_name(&args.file);
    if !args.json {
        let text = format!("{name} is a log of BehaviorTree.CPP, which is printed with `--json`");
        return Err(Failure::Usage(text));
    }
    let log = Log::read(&io::read(&args.file)?);
    let log = log.map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
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
