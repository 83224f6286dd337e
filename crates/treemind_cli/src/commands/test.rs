//! `treemind test`: runs the tests that documents contain.

use crate::io::{self, Failure, Known, Line, Output};
use crate::watch::Files;
use std::io::Write;
use std::path::PathBuf;
use treemind_doc::visible_line;
use treemind_test::{Coverage, Outcome, Report, junit};

/// Run the tests that documents contain.
///
/// A `test` in a document plays the game's part: how conditions and actions answer, which values keys have, which
/// events arrive. It lets ticks pass, and says what it expects. `docs/testing.md` describes how to write tests.
///
/// Coverage is the share of nodes, of branches of decision trees and of transitions of machines that some test
/// reached.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The documents; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Run only tests whose names contain this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    name: String,
    /// List what no test reached.
    #[arg(long)]
    coverage: bool,
    /// Fail if the coverage of a document is lower than this percentage.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    min_coverage: Option<f64>,
    /// Also write the results to this file, as XML that build servers read.
    #[arg(long, value_name = "XML")]
    junit: Option<PathBuf>,
    /// Run the tests again whenever a document or a file that it imports changes, until Ctrl+C.
    #[arg(long, conflicts_with = "junit")]
    watch: bool,
    #[command(flatten)]
    allowed: io::Allowed,
}

const AFTER: &str = "\
Examples:
  treemind test guard.kdl
  treemind test examples/*/*.kdl --min-coverage 95
  treemind test guard.kdl --coverage         what no test reached
  treemind test guard.kdl --name health      only some tests
  treemind test guard.kdl --junit out.xml    for build servers

Exit status: 0 when all tests passed, 1 when a document has errors, a test
failed, no test ran, or coverage is too low.";

fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=100.0).contains(&number) {
        true => Ok(number),
        false => Err("not a percentage from 0 to 100".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin(args.files.iter().map(Some))?;
    if !args.watch {
        return run_once(args, &mut Vec::new());
    }
    if args.files.iter().any(|file| io::is_stdin(file)) {
        let text = "standard input cannot be watched";
        return Err(Failure::Usage(text.to_owned()));
    }
    let mut watch = Files::new(args.files.clone());
    loop {
        let mut read = args.files.clone();
        // What failed is on the screen; the next change may mend it.
        if let Err(failure) = run_once(args, &mut read) {
            failure.report();
        }
        watch.turn_to(read);
        io::tell("waiting for changes; stop with Ctrl+C");
        watch.wait();
    }
}

/// Runs all tests once; adds the files that were read.
fn run_once(args: &Args, read: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let known = Known {
        allowed: &args.allowed.folders,
        is_watched: args.watch,
        ..Known::default()
    };
    let mut documents = Vec::new();
    let mut is_good = true;
    for file in &args.files {
        let document = match io::document(file, known) {
            Ok(document) => document,
            Err(failure) => {
                failure.report();
                is_good = false;
                continue;
            }
        };
        read.extend(
            document
                .sources()
                .map(|source| PathBuf::from(source.name())),
        );
        documents.push((file, document));
    }
    let output = args.junit.as_deref();
    let output = output.map(|path| Output::claim("--junit", path));
    let output = output.transpose()?;
    let mut reports = Vec::new();
    for (file, document) in &documents {
        match treemind_test::run(document, &args.name) {
            Ok(report) => reports.push((io::display_name(file), report)),
            Err(errors) => {
                io::show(&errors);
                io::tell_if_foreign(file);
                is_good = false;
            }
        }
    }
    let printed = io::print_shown(|out| {
        for (name, report) in &reports {
            print(name, report, args, out)?;
        }
        Ok(())
    });
    let written = match &output {
        Some(output) => junit(&reports)
            .map_err(io::unwritten)
            .and_then(|xml| output.write(xml.as_bytes())),
        None => Ok(()),
    };
    is_good = conclude(args, &reports, is_good) && is_good;
    let judged = match is_good {
        true => Ok(()),
        false => Err(Failure::Reported),
    };
    io::finish_all([printed, written, judged])
}

/// How many failures of a document are shown with what was expected and the tree.
const MOST_EXPLAINED: usize = 100;

fn print(name: &str, report: &Report, args: &Args, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}", visible_line(name))?;
    let mut failed: usize = 0;
    for outcome in &report.outcomes {
        let word = if outcome.passed() { "ok  " } else { "FAIL" };
        writeln!(out, "  {word}  {}", visible_line(&outcome.name))?;
        let Some(failure) = &outcome.failure else {
            continue;
        };
        failed += 1;
        if failed <= MOST_EXPLAINED {
            for line in failure.to_string().lines() {
                writeln!(out, "      {}", visible_line(line))?;
            }
        }
    }
    let more = failed.saturating_sub(MOST_EXPLAINED);
    if more > 0 {
        writeln!(
            out,
            "  … of {more} more that failed, only the names are shown; `--name TEXT` shows some in full"
        )?;
    }
    let Coverage { total, reached, .. } = report.coverage;
    let percent = report.coverage.percent();
    writeln!(out, "  coverage {percent:.1} %: {reached} of {total}")?;
    if args.coverage {
        for missing in &report.coverage.uncovered {
            let (subject, text) = (missing.subject.name(), &missing.text);
            writeln!(
                out,
                "    no test reached, in {subject}: {}",
                visible_line(text)
            )?;
        }
    }
    Ok(())
}

/// Says how it went as a whole, and whether it went well. Where not all documents could be read, nobody knows how many
/// tests there are.
fn conclude(args: &Args, reports: &[(String, Report)], are_all_read: bool) -> bool {
    let outcomes = || reports.iter().flat_map(|(_, report)| &report.outcomes);
    let all = outcomes().count();
    let failed = outcomes().filter(|one: &&Outcome| !one.passed()).count();
    let mut is_good = failed == 0 && all > 0;
    match (all, args.name.is_empty()) {
        (0, _) if !are_all_read => {}
        (0, true) => io::tell(Line::error("these documents have no tests")),
        (0, false) => {
            let sentence = format!("no test has `{}` in its name", args.name);
            io::tell(Line::error(&sentence));
        }
        _ => io::tell(format!("{} passed, {failed} failed", all - failed)),
    }
    for (name, report) in reports {
        let percent = report.coverage.percent();
        if let Some(least) = args.min_coverage.filter(|least| percent < *least) {
            let sentence = format!("{name}: coverage is {percent:.1} %, less than {least} %");
            io::tell(Line::error(&sentence));
            is_good = false;
        }
    }
    is_good
}
