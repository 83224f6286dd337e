//! The program `treemind` as its users see it: arguments in, output and exit status out.

mod archetypes;
mod balance;
mod btcpp;
mod check;
mod completions;
mod convert;
mod decisions;
mod diff;
mod faults;
mod files;
mod fmt;
mod hostile;
mod imports;
mod learn;
mod live;
mod lsp;
mod machines;
mod new;
mod outputs;
mod plan;
mod print;
mod recorded;
mod recordings;
mod run;
mod saved;
mod scxml;
mod scxml_suite;
#[cfg(unix)]
mod shown;
mod sweep;
mod test;
mod trace;
mod trace_plans;
mod visible;
mod watching;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The results of a run of the program.
#[derive(Debug, PartialEq)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

/// Runs the program in the folder of the tests' data; spaces separate the arguments.
fn treemind(arguments: &str) -> Ran {
    treemind_in(&data(), arguments, b"")
}

/// Like [`treemind`], in another folder and with standard input.
fn treemind_in(folder: &Path, arguments: &str, input: &[u8]) -> Ran {
    let mut child = command(folder, arguments)
        .spawn()
        .expect("the program starts");
    // The program may end before it has read everything, or anything.
    let _ = child.stdin.take().expect("standard input").write_all(input);
    ran(&child.wait_with_output().expect("the program ends"))
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Documents of the examples with maps, and what to play of them besides.
const GAMES: [(&str, &str); 10] = [
    ("01-guard/guard.kdl", ""),
    ("02-pet/pet.kdl", ""),
    ("03-boss/boss.kdl", "--machine boss"),
    ("04-cleaning-robot/robot.kdl", ""),
    ("05-intruder/intruder.kdl", ""),
    ("06-squad/squad.kdl", ""),
    ("07-stage/stage.kdl", ""),
    ("08-hunter/hunter.kdl", ""),
    ("11-child/child.kdl", ""),
    ("13-hero/castle.kdl", "--keys 13-hero/won.keys"),
];

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treemind"));
    command
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .env_remove("NO_COLOR")
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    Ran {
        code: output
            .status
            .code()
            .expect("the program was not killed by a signal"),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

/// Kills a program `rounds` times at moments around the one at which it replaces the file at `path`, and counts how
/// often there is the `old` file, and how often the `new` one. Anything else there is a failure.
///
/// Where that moment is depends on the machine and its load. So a kill that came too early makes the next one come
/// later, and the other way round.
#[track_caller]
fn kills(rounds: u32, mut program: Command, path: &Path, old: &[u8], new: &[u8]) -> (u32, u32) {
    use std::time::Duration;
    let mut delay = Duration::from_millis(1);
    let (mut olds, mut news) = (0, 0);
    for round in 0..rounds {
        std::fs::write(path, old).expect("the old file");
        let mut child = program.spawn().expect("the program starts");
        std::thread::sleep(delay);
        child.kill().expect("a signal");
        child.wait().expect("the program ends");
        let found = std::fs::read(path).expect("there is a file at all times");
        // The first steps are large, to come near from afar; the later ones are of many sizes, to hit many moments.
        let step = if olds == 0 || news == 0 {
            2
        } else {
            4 + round % 29
        };
        if found == old {
            olds += 1;
            delay += delay / step + Duration::from_micros(50);
        } else if found == new {
            news += 1;
            delay -= delay / step;
        } else {
            panic!("round {round}: {} bytes of neither", found.len());
        }
        assert!(delay < Duration::from_secs(60), "it never writes");
    }
    println!("{olds} times the old file, {news} times the new one");
    (olds, news)
}

/// Asserts exit status, standard output and standard error.
#[track_caller]
fn assert_ran(ran: &Ran, code: i32, out: &str, err: &str) {
    assert_eq!(ran.err, err, "standard error");
    assert_eq!(ran.out, out, "standard output");
    assert_eq!(ran.code, code, "exit status");
}

#[test]
fn wrong_usage_is_status_two_and_says_how() {
    for arguments in [
        "",
        "chekc guard.kdl",
        "check",
        "print",
        "trace guard.kdl",
        "trace guard.kdl --ticks many",
        "trace guard.kdl --ticks 3 --dt -1",
        "trace guard.kdl --ticks 3 --dt nan",
        "trace guard.kdl --ticks 3 --halt-at 0",
        "trace guard.kdl --ticks 3 --format xml",
        "trace - --script - --ticks 3",
        "completions nothing",
        "convert guard.kdl",
        "fmt",
        "fmt - guard.kdl",
        "check guard.kdl --deny T0102x",
        "check guard.kdl --deny T0103",
        "convert guard.kdl guard.svg",
        "convert guard.kdl --to svg",
        "print robot.kdl --machine robot --tree shift",
    ] {
        let ran = treemind(arguments);
        assert_eq!(ran.code, 2, "treemind {arguments}: {ran:?}");
        assert_eq!(ran.out, "", "treemind {arguments}");
        assert!(
            ran.err.contains("--help") || ran.err.contains("Usage"),
            "treemind {arguments}: {}",
            ran.err
        );
    }
}

#[test]
fn help_teaches_with_an_example_for_every_subcommand() {
    let help = treemind("--help");
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    assert!(
        help.out.contains("treemind check guard.kdl"),
        "{}",
        help.out
    );
    for subcommand in [
        "run",
        "check",
        "explain-code",
        "words",
        "diff",
        "fmt",
        "print",
        "trace",
        "convert",
        "completions",
    ] {
        let help = treemind(&format!("{subcommand} --help"));
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        assert!(help.out.contains("Examples:"), "{}", help.out);
        assert!(
            help.out.contains(&format!("treemind {subcommand} ")),
            "{}",
            help.out
        );
    }
}

#[test]
fn help_fits_a_terminal_of_eighty_columns() {
    for subcommand in [
        "",
        "run",
        "check",
        "print",
        "trace",
        "convert",
        "completions",
    ] {
        let mut child = command(&data(), &format!("{subcommand} --help"));
        let output = child.env("COLUMNS", "80").output().expect("the program");
        let text = ran(&output).out;
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{subcommand}: {line}");
        }
        // The end of the text is formatted by hand, and must not be wrapped automatically.
        let wide = ran(&command(&data(), &format!("{subcommand} --help"))
            .output()
            .expect("the program"))
        .out;
        let last = |text: &str| text.rsplit_once("Print help").map(|both| both.1.to_owned());
        assert_eq!(last(&text), last(&wide), "{subcommand}");
    }
}

#[test]
fn numbers_that_are_none_are_explained() {
    for (arguments, sentence) in [
        ("run guard.kdl --seed x", "not a whole number from 0 to"),
        (
            "run guard.kdl --ticks 0",
            "not a whole number of at least 1",
        ),
        (
            "trace guard.kdl --ticks 1.5",
            "not a whole number from 0 to",
        ),
    ] {
        let ran = treemind(arguments);
        assert_eq!((ran.code, ran.err.contains(sentence)), (2, true), "{ran:?}");
    }
}

#[test]
fn a_file_that_is_no_document_is_not_a_flood() {
    let ran = treemind("run ../../../../ARCHITECTURE.md");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    let lines: Vec<_> = ran.err.lines().collect();
    assert!(lines.len() <= 22, "{}", ran.err);
    let [.., more, note] = &lines[..] else {
        panic!("{}", ran.err)
    };
    assert!(
        more.starts_with("… and ")
            && more.ends_with(" more; `treemind check ../../../../ARCHITECTURE.md` shows all"),
        "{more}"
    );
    assert_eq!(
        *note,
        "note: is ../../../../ARCHITECTURE.md a document? Those end in `.kdl` or `.json`, or in `.xml` when they are BehaviorTree.CPP's"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_a_sentence() {
    for subcommand in ["run", "print", "trace --ticks 1"] {
        let gone = treemind(&format!("{subcommand} gone.kdl"));
        assert_ran(
            &gone,
            1,
            "",
            "error: cannot read gone.kdl: there is no such file\n",
        );
        let folder = treemind(&format!("{subcommand} ."));
        let expected = match subcommand {
            "run" => "error: there are 7 documents (.kdl) in the folder .: name one of them\n",
            _ => "error: cannot read .: it is a folder\n",
        };
        assert_ran(&folder, 1, "", expected);
    }
    let gone = treemind("trace guard.kdl --ticks 1 --script gone.txt");
    assert_ran(
        &gone,
        1,
        "",
        "error: cannot read gone.txt: there is no such file\n",
    );
}

#[test]
fn nothing_is_wrong_when_nobody_reads_on() {
    for arguments in [
        "trace guard.kdl --ticks 1000000000",
        "trace guard.kdl --ticks 1000000000 --format json",
    ] {
        let mut child = command(&data(), arguments)
            .spawn()
            .expect("the program starts");
        // Dropped at once, so the first write to the pipe fails.
        drop(child.stdout.take());
        let ran = ran(&child.wait_with_output().expect("the program ends"));
        assert_ran(&ran, 0, "", "");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_sentence() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    let child = command(&data(), "print guard.kdl")
        .stdout(full)
        .spawn()
        .expect("the program starts");
    let ran = ran(&child.wait_with_output().expect("the program ends"));
    assert_ran(
        &ran,
        1,
        "",
        "error: cannot write to standard output: there is no room left on the disk\n",
    );
}
