//! `treemind sweep`: a scenario played many times, and what came out.

mod told;

use super::run::map_beside;
use crate::io::{self, Failure, Output, print_exact, print_shown};
use crate::numbers::{positive, some_ticks, whole};
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use treemind_arena::YARD;
use treemind_arena::sweep::{Row, Sweep, SweepError, Wanted};

/// Play a scenario many times, with other seeds and other start values of keys, and print what came out.
///
/// Expressions are those of documents, over the keys of the first actor whose mind is `main`. A measure that is a
/// condition counts 1 or 0, so its mean is a share. If the actor dies, the measures are those of its last tick.
///
/// The rows depend on the settings and seeds only, not on the number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: io::Selection,
    /// The map of the arena. Default: the map beside the document, else a small yard.
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,
    /// How many seeds are played for each setting.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = positive)]
    seeds: u64,
    /// The first seed; the others follow it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    seed: u64,
    /// Let a key of the document start with each of these values. Several keys make all combinations.
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = varied)]
    vary: Vec<(String, Vec<String>)>,
    /// A number or a condition, taken at the end of each run. Can be repeated.
    #[arg(long, value_name = "[NAME:]EXPRESSION")]
    measure: Vec<String>,
    /// A condition that must hold after each tick. Can be repeated.
    #[arg(long, value_name = "EXPRESSION")]
    always: Vec<String>,
    /// A condition that ends a run.
    #[arg(long, value_name = "EXPRESSION")]
    until: Option<String>,
    /// The most ticks of a run, of a twentieth of a second. It ends earlier when the scenario does.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = some_ticks)]
    ticks: u64,
    /// The number of threads. Default: all that the machine has.
    #[arg(long, value_name = "N", value_parser = positive)]
    threads: Option<u64>,
    /// Record the first run that broke what must always hold, for `treemind replay` and the studio.
    #[arg(long, value_name = "FILE", requires = "always")]
    record: Option<PathBuf>,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    /// With `--json`, also list each run.
    #[arg(long, requires = "json")]
    rows: bool,
}

const AFTER: &str = "\
Examples:
  treemind sweep examples/01-guard/guard.kdl
  treemind sweep examples/01-guard/guard.kdl --measure health --measure 'hurt: health < 60'
  treemind sweep examples/01-guard/guard-tuned.kdl --vary flee_below=20,60 --measure health
  treemind sweep examples/01-guard/guard.kdl --always 'health > 0' --record broken.mcap
  treemind sweep examples/01-guard/guard.kdl --measure health --seeds 20 --json --rows

Exit status: 0 when everything was played and every promise held; 1 when a
promise of `--always` was broken, or a run failed.";

/// The most runs of a sweep.
const MOST_RUNS: u64 = 10_000_000;
/// How long a sweep says nothing before it says how far it is, and then again.
const SILENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([
        Some(&args.file),
        args.map.as_ref(),
        args.what.manifest.as_ref(),
    ])?;
    let document = io::sound_document(&args.file, args.what.known())?;
    let name = args.map.clone().or_else(|| map_beside(&args.file));
    let map = match &name {
        Some(path) => io::read_text(path)?,
        None => YARD.to_owned(),
    };
    let record = args.record.as_deref();
    let record = record.map(|path| Output::claim("--record", path));
    let record = record.transpose()?;
    let (measures, texts): (Vec<_>, Vec<_>) = args.measure.iter().map(|text| named(text)).unzip();
    let wanted = Wanted {
        ticks: args.ticks,
        measures: texts,
        always: args.always.clone(),
        until: args.until.clone(),
    };
    let fail = |error| failed(error, name.as_deref());
    let sweep = Sweep::new(document, main_of(&args.what), &map, &wanted);
    let mut sweep = sweep.map_err(fail)?;
    for (key, values) in &args.vary {
        sweep.vary(key, values).map_err(fail)?;
    }
    let runs = runs_of(&sweep, args)?;
    let rows = play(&sweep, &runs, args).map_err(fail)?;
    let told = told::Told {
        measures: &measures,
        always: &args.always,
        vary: &args.vary,
        settings: sweep.settings(),
        rows: &rows,
    };
    if args.json {
        let json = told.json(args.rows);
        print_exact(|out| writeln!(out, "{json}"))?;
    } else {
        let table = told.table();
        print_shown(|out| out.write_all(table.as_bytes()))?;
    }
    io::tell(told.summary());
    let Some(broken) = told.violation() else {
        return Ok(());
    };
    io::tell(io::Line::error(&told.sentence(broken)));
    if let Some(record) = record {
        let recorded = sweep.record(broken.setting, broken.seed, record.path());
        recorded.map_err(fail)?;
        let path = io::display_name(record.path());
        io::tell(format!("recorded: `treemind replay {path}` shows it"));
    }
    Err(Failure::Reported)
}

/// What is played: the part of the document that the command line names.
fn main_of(what: &io::Selection) -> Option<&str> {
    let named = [
        &what.tree,
        &what.machine,
        &what.decide,
        &what.planner,
        &what.archetype,
    ];
    named.into_iter().find_map(|name| name.as_deref())
}

fn failed(error: SweepError, map: Option<&Path>) -> Failure {
    match error {
        SweepError::Document(diagnostics) => {
            io::show(&diagnostics);
            Failure::Reported
        }
        SweepError::Map(text) => {
            let name = map.map_or_else(|| "the map".to_owned(), io::display_name);
            Failure::failed(format!("{name}: {text}"))
        }
        error => Failure::failed(error.to_string()),
    }
}

/// All runs: each setting with each seed.
fn runs_of(sweep: &Sweep, args: &Args) -> Result<Vec<(usize, u64)>, Failure> {
    let count = args.seeds.checked_mul(sweep.settings() as u64);
    let last = args.seed.checked_add(args.seeds);
    let (Some(..=MOST_RUNS), Some(last)) = (count, last) else {
        return Err(Failure::Usage(format!(
            "a sweep has at most {MOST_RUNS} runs, with seeds up to {}",
            u64::MAX
        )));
    };
    let settings = 0..sweep.settings();
    let runs = settings.flat_map(|setting| (args.seed..last).map(move |seed| (setting, seed)));
    Ok(runs.collect())
}

fn play(sweep: &Sweep, runs: &[(usize, u64)], args: &Args) -> Result<Vec<Row>, SweepError> {
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    let threads = threads
        .and_then(NonZeroUsize::new)
        .unwrap_or(all)
        .min(MOST_THREADS);
    let is_watched = std::io::stderr().is_terminal();
    let spoken = Mutex::new(Instant::now());
    let tell = |done: usize| {
        let Ok(mut spoken) = spoken.try_lock() else {
            return;
        };
        if is_watched && spoken.elapsed() >= SILENCE {
            *spoken = Instant::now();
            io::tell(format!("{done} of {} runs", runs.len()));
        }
    };
    sweep.run_all(runs, threads, &AtomicBool::new(false), &tell)
}

/// More threads than any machine has cores are of no use.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::new(1_024).expect("it is not 0");

/// Parses `KEY=VALUE,VALUE`.
fn varied(text: &str) -> Result<(String, Vec<String>), String> {
    let (key, values) = text
        .split_once('=')
        .ok_or("not of the form `KEY=VALUE,VALUE`")?;
    let values: Vec<String> = values
        .split(',')
        .map(|value| value.trim().to_owned())
        .collect();
    match key.trim() {
        "" => Err("there is no key before the `=`".to_owned()),
        _ if values.iter().any(String::is_empty) => Err("a value is empty".to_owned()),
        key => Ok((key.to_owned(), values)),
    }
}

/// A measure with its name: the one before a colon, else its text.
fn named(text: &str) -> (String, String) {
    let is_name = |name: &str| {
        let name = name.trim();
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_- ".contains(c))
    };
    match text.split_once(':') {
        // In an expression a colon stands only after `?`, or doubled.
        Some((name, rest)) if is_name(name) => (name.trim().to_owned(), rest.trim().to_owned()),
        _ => (text.to_owned(), text.to_owned()),
    }
}
