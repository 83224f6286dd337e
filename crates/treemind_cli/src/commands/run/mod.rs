//! `treemind run`: plays a tree, live in the terminal or as a log.

mod live;
mod log;
mod marks;
mod player;
mod view;

use crate::args::{positive, whole};
use crate::commands::trace;
use crate::io::{self, Failure, What};
use player::Player;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use treemind_arena::{Rules, Session, SessionError, World, YARD};
use treemind_core::Behaviour;
use treemind_doc::Document;

/// Play a tree or a machine, live in the terminal.
///
/// It lives in the built-in arena, on the map that lies beside the document: the one of the same name, or the only one in
/// its folder, or else a small yard with a guard and an intruder. Documents with leaves that the arena does not have are
/// played with answers from a script, as in `treemind trace`.
///
/// Where standard output is not a terminal, or with `--no-ui`, what happens is printed as a log, a line per event.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: What,
    /// The map of the arena; without it, the one that lies beside the document, or a small yard.
    #[arg(long, value_name = "MAP", conflicts_with = "script")]
    map: Option<PathBuf>,
    /// Leaves answer from this script instead of living in the arena.
    #[arg(long, value_name = "SCRIPT")]
    script: Option<PathBuf>,
    /// Print a log instead of the live view.
    #[arg(long)]
    no_ui: bool,
    /// Print no log either, but faults and a sentence at the end.
    #[arg(long, requires = "no_ui")]
    quiet: bool,
    /// How many ticks of a twentieth of a second: the live view pauses after them, the log ends.
    ///
    /// Without it the log ends when the scenario is over, at the latest after 600 ticks.
    #[arg(long, value_name = "N", value_parser = positive)]
    ticks: Option<u64>,
    /// Where chance begins: the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    seed: u64,
    /// How many times faster than real time the live view begins.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: f64,
}

const AFTER: &str = "\
Keys of the live view:
  space  pause and go on       .      one tick
  + -    faster, slower        Tab    the next actor
  q Esc  quit

Examples:
  treemind run guard.kdl
  treemind run guard.kdl --speed 4 --seed 7
  treemind run guard.kdl --map yard.map --no-ui --ticks 1000
  treemind run boss.kdl --machine boss --no-ui --quiet --ticks 1000000
  treemind run robot.kdl --script day.txt";

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (live::SLOWEST..=live::FASTEST).contains(&factor) => Ok(factor),
        _ => Err(format!(
            "not a number from {} to {}",
            live::SLOWEST,
            live::FASTEST
        )),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let inputs = [Some(&args.file), args.map.as_ref(), args.script.as_ref()];
    if inputs
        .into_iter()
        .flatten()
        .filter(|path| io::is_stdin(path))
        .count()
        > 1
    {
        let sentence = "only one of the files can be standard input";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let document = io::sound_document(&args.file, args.what.known())?;
    let behaviour = io::behaviour_of(&document, &args.what)?;
    let is_live = !args.no_ui && std::io::stdout().is_terminal();
    let player = player(args, &document, behaviour, is_live)?;
    if !is_live {
        return io::print_result(|out| log::run(player, args.ticks, args.quiet, out));
    }
    let has_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let player = live::run(player, args.speed, args.ticks, view::Theme { has_colours })
        .map_err(|error| Failure::Failed(format!("the terminal cannot be used: {error}")))?;
    io::tell(&player.summary());
    Ok(())
}

fn player(
    args: &Args,
    document: &Document,
    behaviour: Behaviour,
    is_live: bool,
) -> Result<Player, Failure> {
    if let Some(script) = &args.script {
        let host = trace::host(&behaviour, Some(script))?;
        return Ok(Player::scripted(behaviour, host, args.seed));
    }
    let rules = Rules {
        seed: args.seed,
        rounds: is_live || args.ticks.is_some(),
    };
    let beside = || map_beside(&args.file);
    let world = match args.map.clone().or_else(beside) {
        None => World::load(YARD, rules).expect("the built-in yard is a map"),
        Some(path) => {
            let name = io::display_name(&path);
            let bytes = io::read(&path)?;
            let text = str::from_utf8(&bytes)
                .map_err(|_| Failure::Failed(format!("{name} is not UTF-8 text")))?;
            World::load(text, rules).map_err(|error| Failure::Failed(format!("{name}: {error}")))?
        }
    };
    let session = Session::new(behaviour, Some(document), world).map_err(|error| {
        let SessionError::Bind(error) = error else {
            return Failure::Failed(error.to_string());
        };
        let problems = error.to_string().replace('\n', "\n  ");
        let help = "give the leaves answers of your own with `--script FILE`";
        Failure::Failed(format!(
            "the arena does not have what this document needs:\n  {problems}\n  help: {help}"
        ))
    })?;
    Ok(Player::arena(session))
}

/// The map that lies beside a document: the one of the same name, else the only one in its folder.
fn map_beside(file: &Path) -> Option<PathBuf> {
    if io::is_stdin(file) {
        return None;
    }
    let same = file.with_extension("map");
    if same.is_file() {
        return Some(same);
    }
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let is_map = |path: &PathBuf| path.extension().is_some_and(|end| end == "map");
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut maps = entries.map(|entry| entry.path()).filter(is_map);
    let first = maps.next()?;
    maps.next().is_none().then_some(first)
}
