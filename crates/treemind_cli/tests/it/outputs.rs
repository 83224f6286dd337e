//! No output destroys an input or another output, and each output is finished by itself.
#![cfg(unix)]

use crate::{Ran, command, data, examples, ran, treemind, treemind_in};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

const GUARD: &str = "import \"leaves.kdl\"\n\
    tree guard { action patrol; }\n\
    test patrols tree=guard { tick; expect running; }\n";
const LEAVES: &str = "leaves { action patrol; }\n";

/// A folder with an input of every sort.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("g.kdl"), GUARD).unwrap();
    fs::write(path("leaves.kdl"), LEAVES).unwrap();
    fs::write(path("day.txt"), "patrol: R\n").unwrap();
    for name in ["watchman.kdl", "watchman.txt"] {
        fs::copy(data().join(name), path(name)).unwrap();
    }
    for name in [
        "01-guard/yard.map",
        "12-village/village.kdl",
        "12-village/village.map",
        "13-hero/castle.kdl",
        "13-hero/castle.map",
        "13-hero/won.keys",
    ] {
        let (_, file) = name.split_once('/').unwrap();
        fs::copy(examples().join(name), path(file)).unwrap();
    }
    let table = "hungry,tired,does\nyes,no,eat\nyes,yes,eat\nno,yes,sleep\nno,no,play\n";
    fs::write(path("table.csv"), table.repeat(5)).unwrap();
    for line in [
        "run g.kdl --map yard.map --no-ui --quiet --ticks 5 --save old.save --record old.mcap",
        "trace watchman.kdl --script watchman.txt --ticks 200 --profile night.json",
    ] {
        let made = treemind_in(folder.path(), line, b"");
        assert_eq!(made.code, 0, "{line}: {}", made.err);
    }
    folder
}

/// All files of a folder, with what is in them.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap_or_default())
        })
        .collect();
    files.sort();
    files
}

/// Every option and argument of every command that names a file to write, with OUT for that file, and the inputs that it
/// could destroy.
const WRITING: [(&str, &[&str]); 19] = [
    (
        "run g.kdl --map yard.map --no-ui --quiet --ticks 5 --record OUT",
        &["g.kdl", "leaves.kdl", "yard.map"],
    ),
    (
        "run g.kdl --map yard.map --no-ui --ticks 9 --load old.save --record OUT",
        &["old.save"],
    ),
    (
        "run g.kdl --map yard.map --no-ui --quiet --ticks 5 --save OUT",
        &["g.kdl", "leaves.kdl", "yard.map"],
    ),
    (
        "run g.kdl --map yard.map --svg OUT --size 20x5",
        &["g.kdl", "leaves.kdl", "yard.map"],
    ),
    (
        "run g.kdl --script day.txt --no-ui --ticks 5 --record OUT",
        &["g.kdl", "leaves.kdl", "day.txt"],
    ),
    (
        "run castle.kdl --keys won.keys --ticks 5 --write-keys OUT",
        &["castle.kdl", "castle.map"],
    ),
    (
        "run castle.kdl --keys won.keys --no-ui --ticks 5 --record OUT",
        &["castle.map", "won.keys"],
    ),
    (
        "run village.kdl --map village.map --agents 20 --no-ui --ticks 5 --record OUT",
        &["village.kdl", "village.map"],
    ),
    (
        "run village.kdl --map village.map --agents 20 --no-ui --ticks 5 --save OUT",
        &["village.kdl", "village.map"],
    ),
    (
        "run village.kdl --map village.map --agents 20 --svg OUT --size 20x5",
        &["village.kdl", "village.map"],
    ),
    (
        "trace watchman.kdl --script watchman.txt --ticks 5 --profile OUT",
        &["watchman.kdl", "watchman.txt"],
    ),
    (
        "test watchman.kdl g.kdl --junit OUT",
        &["g.kdl", "leaves.kdl", "watchman.kdl"],
    ),
    (
        "sweep g.kdl --map yard.map --seeds 2 --ticks 5 --always true --record OUT",
        &["g.kdl", "leaves.kdl", "yard.map"],
    ),
    ("convert g.kdl OUT --to json", &["g.kdl", "leaves.kdl"]),
    ("export old.mcap --table OUT", &["old.mcap"]),
    ("export old.mcap --btlog OUT", &["old.mcap"]),
    ("export old.mcap --db3 OUT", &["old.mcap"]),
    ("learn table.csv --target does --output OUT", &["table.csv"]),
    (
        "balance watchman.kdl --profile night.json --output OUT",
        &["night.json"],
    ),
];

/// The commands that write no file, but for those that change a document in place or make a new folder.
const NOT_WRITING: [&str; 17] = [
    "lsp",
    "plan",
    "balance",
    "check",
    "completions",
    "diff",
    "explain",
    "explain-code",
    "fmt",
    "help",
    "machine",
    "new",
    "print",
    "replay",
    "saved",
    "schema",
    "words",
];

#[test]
fn no_output_destroys_an_input() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (line, inputs) in WRITING {
        for input in inputs {
            symlink(input, path("link")).unwrap();
            fs::hard_link(path(input), path("twin")).unwrap();
            let here = format!("./{input}");
            for out in [input, here.as_str(), "link", "twin"] {
                let before = files(folder.path());
                let line = line.replace("OUT", out);
                let ran = treemind_in(folder.path(), &line, b"");
                assert_eq!(ran.code, 2, "{line}: {}", ran.err);
                let told = ran.err.contains("would overwrite") && ran.err.contains(input);
                assert!(told, "{line}: {}", ran.err);
                assert!(files(folder.path()) == before, "{line}");
            }
            fs::remove_file(path("link")).unwrap();
            fs::remove_file(path("twin")).unwrap();
        }
        // With another file it works, so the line is right.
        let line = line.replace("OUT", "other");
        let ran = treemind_in(folder.path(), &line, b"");
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        // These write only what there is: keys that somebody pressed, a run that broke a promise.
        let may_be_nothing = ["--write-keys", "--always"].map(|option| line.contains(option));
        assert!(
            path("other").exists() || may_be_nothing.contains(&true),
            "{line}"
        );
        let _ = fs::remove_file(path("other"));
    }
}

#[test]
fn every_command_that_writes_is_tried() {
    let help = treemind("--help").out;
    let commands = help.split_once("Commands:\n").unwrap().1;
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: BTreeSet<&str> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let writing = WRITING
        .iter()
        .map(|(line, _)| line.split(' ').next().unwrap());
    // The studio writes nothing, and never ends.
    let known: BTreeSet<&str> = writing.chain(NOT_WRITING).chain(["studio"]).collect();
    assert_eq!(commands, known);
    // An option that names a file to write says so.
    for name in commands {
        let help = treemind(&format!("{name} --help")).out;
        let options = help
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('-'));
        let mut last = "";
        let mut about = Vec::new();
        for line in help.lines().map(str::trim) {
            if options.clone().any(|option| option == line) {
                last = line;
            } else if !last.is_empty() && !line.is_empty() {
                about.push((std::mem::take(&mut last), line));
            }
        }
        for (option, text) in about {
            let writes = ["Write ", "Also write ", "Save ", "Record "];
            if writes.iter().any(|word| text.starts_with(word)) && option.contains('<') {
                let long = option.split(' ').find(|part| part.starts_with("--"));
                let long = long.unwrap().trim_end_matches(',');
                let is_tried = WRITING
                    .iter()
                    .any(|(line, _)| line.starts_with(name) && line.contains(long));
                assert!(is_tried, "{name} {long}");
            }
        }
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    symlink("same", folder.path().join("link")).unwrap();
    let before = files(folder.path());
    let game = "run g.kdl --map yard.map --no-ui --quiet --ticks 5";
    for outputs in [
        "--record same --save same",
        "--record same --save ./same",
        "--record link --save same",
        "--save link --record same",
    ] {
        let ran = treemind_in(folder.path(), &format!("{game} {outputs}"), b"");
        assert_eq!(ran.code, 2, "{outputs}: {}", ran.err);
        assert!(ran.err.contains("would both write"), "{}", ran.err);
        assert!(files(folder.path()) == before, "{outputs}");
    }
    // What stores nothing can be both.
    let nowhere = format!("{game} --record /dev/null --save /dev/null");
    let ran = treemind_in(folder.path(), &nowhere, b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn what_is_meant_to_change_its_input_does() {
    let folder = folder();
    for line in [
        "fmt watchman.kdl",
        "balance watchman.kdl --profile night.json",
        "balance watchman.kdl --profile night.json -o ./watchman.kdl",
        "run g.kdl --map yard.map --no-ui --quiet --ticks 9 --load old.save --save old.save",
        "run castle.kdl --keys won.keys --ticks 5 --write-keys won.keys",
    ] {
        let ran = treemind_in(folder.path(), line, b"");
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
    let saved = treemind_in(folder.path(), "saved old.save", b"");
    assert_eq!(saved.code, 0, "{}", saved.err);
    assert!(saved.out.contains("\n  tick: 9\n"), "{}", saved.out);
}

#[test]
fn standard_input_may_be_a_file_too() {
    let folder = folder();
    let mut child = command(folder.path(), "convert - leaves.kdl --from kdl --to json");
    child.stdin(File::open(folder.path().join("leaves.kdl")).unwrap());
    let ran = ran(&child.output().unwrap());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("would overwrite"), "{}", ran.err);
    assert_eq!(
        fs::read_to_string(folder.path().join("leaves.kdl")).unwrap(),
        LEAVES
    );
}

/// Whether a recording and a saved game are whole.
#[track_caller]
fn are_whole(folder: &Path, ticks: u64) {
    let replayed = treemind_in(folder, "replay new.mcap --no-ui", b"");
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(
        replayed.err.starts_with(&format!("{ticks} ticks")),
        "{}",
        replayed.err
    );
    let saved = treemind_in(folder, "saved new.save", b"");
    assert_eq!(saved.code, 0, "{}", saved.err);
}

#[test]
#[cfg(target_os = "linux")]
fn each_output_is_finished_by_itself() {
    let folder = folder();
    for game in [
        "g.kdl --map yard.map",
        "village.kdl --map village.map --agents 20",
    ] {
        let play = |outputs: &str| -> Ran {
            let line = format!("run {game} --no-ui --ticks 50 {outputs}");
            treemind_in(folder.path(), &line, b"")
        };
        let whole = play("--record new.mcap --save new.save");
        assert_eq!(whole.code, 0, "{}", whole.err);
        let good = fs::read(folder.path().join("new.save")).unwrap();
        fs::remove_file(folder.path().join("new.save")).unwrap();

        let ran = play("--record /dev/full --save new.save");
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(
            ran.err
                .contains("cannot record into /dev/full: there is no room left on the disk"),
            "{}",
            ran.err
        );
        assert!(fs::read(folder.path().join("new.save")).unwrap() == good);

        fs::remove_file(folder.path().join("new.mcap")).unwrap();
        let ran = play("--record new.mcap --save no/such/folder");
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(
            ran.err
                .contains("cannot write no/such/folder: there is no such folder")
        );
        are_whole(folder.path(), 50);

        let ran = play("--record /dev/full --save no/such/folder");
        assert_eq!(ran.code, 1, "{}", ran.err);
        for told in [
            "cannot record into /dev/full",
            "cannot write no/such/folder",
        ] {
            assert!(ran.err.contains(told), "{}", ran.err);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_nobody_reads_keeps_nothing_from_being_saved() {
    let folder = folder();
    let line = "run g.kdl --map yard.map --no-ui --ticks 300 --record new.mcap --save new.save";
    // A full disk is a failure.
    let full = File::options().write(true).open("/dev/full").unwrap();
    let full = command(folder.path(), line).stdout(full).output().unwrap();
    let full = ran(&full);
    assert_eq!(full.code, 1, "{}", full.err);
    assert!(
        full.err.contains("cannot write to standard output"),
        "{}",
        full.err
    );
    are_whole(folder.path(), 300);
    fs::remove_file(folder.path().join("new.save")).unwrap();
    // Somebody who has read enough is none.
    let mut child = command(folder.path(), line)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let closed = ran(&child.wait_with_output().unwrap());
    assert_eq!(closed.code, 0, "{}", closed.err);
    are_whole(folder.path(), 300);
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_a_log_in_order() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::process::ExitStatusExt as _;
    let folder = folder();
    let games = [
        "g.kdl --map yard.map",
        "village.kdl --map village.map --agents 20",
    ];
    for game in games {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            let line = format!(
                "run {game} --no-ui --watch --ticks 100000 --record new.mcap --save new.save"
            );
            let mut child = command(folder.path(), &line).spawn().unwrap();
            let mut log = BufReader::new(child.stdout.take().unwrap());
            let mut first = String::new();
            log.read_line(&mut first).unwrap();
            // The first lines of both games come before the second second.
            std::thread::sleep(std::time::Duration::from_millis(300));
            let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
            kill_process(pid, signal).unwrap();
            let rest = std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
            let ended = child.wait_with_output().unwrap();
            rest.join().unwrap().unwrap();
            assert_eq!(ended.status.signal(), Some(signal.as_raw()));
            let told = String::from_utf8(ended.stderr).unwrap();
            let ticks: u64 = told.split(' ').next().unwrap().parse().expect(&told);
            assert!(ticks > 0, "{told}");
            are_whole(folder.path(), ticks);
        }
    }
}
