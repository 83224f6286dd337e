//! Files are written as a whole or not at all, and reading always ends.
#![cfg(unix)]

use crate::{Ran, assert_ran, command, data, kills, ran, treemind_in};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const LOOSE: &str = "tree t {sequence{ // all\nsucceed;fail /* no */}}\n\n\n";

/// A folder with the data of the tests, and everything that the commands that write need.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["guard.kdl", "day.txt", "watchman.kdl", "watchman.txt"] {
        fs::copy(data().join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("loose.kdl"), LOOSE).unwrap();
    let table = "hungry,tired,does\nyes,no,eat\nyes,yes,eat\nno,yes,sleep\nno,no,play\n";
    fs::write(folder.path().join("table.csv"), table.repeat(5)).unwrap();
    let line = "trace watchman.kdl --script watchman.txt --ticks 200 --profile night.json";
    let profiled = treemind_in(folder.path(), line, b"");
    assert_eq!(profiled.code, 0, "{}", profiled.err);
    folder
}

/// All files of a folder, by their names.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap_or_default())
        })
        .collect();
    files.sort();
    files
}

/// Every command that writes a file that may already exist, and that file.
const WRITING: [(&str, &str); 7] = [
    ("fmt loose.kdl", "loose.kdl"),
    ("convert guard.kdl out.json", "out.json"),
    ("convert guard.kdl out.dot", "out.dot"),
    ("learn table.csv --target does -o out.kdl", "out.kdl"),
    (
        "trace watchman.kdl --script watchman.txt --ticks 20 --profile night.json",
        "night.json",
    ),
    (
        "run guard.kdl --script day.txt --svg out.svg --size 20x5",
        "out.svg",
    ),
    (
        "run guard.kdl --no-ui --quiet --ticks 20 --save game",
        "game",
    ),
];

/// Runs the program from a shell, after the shell command `first`.
fn limited(folder: &Path, first: &str, line: &str) -> Ran {
    let script = format!("{first}; exec {} {line}", env!("CARGO_BIN_EXE_treemind"));
    let output = Command::new("sh")
        .current_dir(folder)
        .args(["-c", &script])
        .output();
    ran(&output.expect("a shell"))
}

#[test]
fn a_limit_on_files_leaves_the_old_one() {
    let folder = folder();
    let balance = "balance watchman.kdl --profile night.json -o out.kdl";
    for (line, name) in WRITING.into_iter().chain([(balance, "out.kdl")]) {
        let path = folder.path().join(name);
        if !path.exists() {
            fs::write(&path, "old").unwrap();
        }
        let before = files(folder.path());
        let ran = limited(folder.path(), "ulimit -f 0", line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        let sentence = format!("error: cannot write {name}: the file would be too large\n");
        assert!(ran.err.contains(&sentence), "{line}: {}", ran.err);
        assert_eq!(files(folder.path()), before, "{line}");
        // Without the limit, the file changes.
        let well = treemind_in(folder.path(), line, b"");
        assert_eq!(well.code, 0, "{line}: {}", well.err);
        let now = files(folder.path());
        let names = |all: &[(String, Vec<u8>)]| -> Vec<String> {
            all.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&now), names(&before), "{line}");
        let changed: Vec<_> = now.iter().filter(|file| !before.contains(file)).collect();
        assert_eq!(changed.len(), 1, "{line}");
        assert_eq!(changed[0].0, name, "{line}");
        fs::remove_file(&path).unwrap();
        if name == "loose.kdl" {
            fs::write(&path, LOOSE).unwrap();
        }
        if name == "night.json" {
            fs::write(&path, &now.iter().find(|file| file.0 == name).unwrap().1).unwrap();
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder();
    // A separate disk, full except for one page, if the system lets us mount one.
    let script =
        "mkdir disk && mount -t tmpfs -o size=16k none disk && cd disk && cp ../loose.kdl . \
        && { cat /dev/zero > filler 2> /dev/null; true; } || exit 77
        \"$0\" fmt loose.kdl; status=$?
        cmp loose.kdl ../loose.kdl && ls -A && exit $status";
    let output = Command::new("unshare")
        .current_dir(folder.path())
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_treemind"))
        .output();
    let Ok(output) = output else {
        return eprintln!("not tested: there is no `unshare` here");
    };
    let ran = ran(&output);
    if ran.code == 77 || ran.err.starts_with("unshare:") {
        return eprintln!("not tested: no disk can be mounted here: {}", ran.err);
    }
    let sentence = "error: cannot write loose.kdl: there is no room left on the disk\n";
    assert!(ran.err.starts_with(sentence), "{ran:?}");
    assert_eq!((ran.code, ran.out.as_str()), (1, "filler\nloose.kdl\n"));
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let tree = |word: &str| {
        let mut text = String::from("tree t {\n    sequence {\n");
        text.push_str(&format!("        {word}\n").repeat(5_000));
        text + "    }\n}\n"
    };
    let loose = tree("succeed ;");
    let neat = tree("succeed");
    let path = folder.path().join("big.kdl");
    let run = || command(folder.path(), "fmt big.kdl");
    fs::write(&path, &loose).unwrap();
    assert!(run().output().unwrap().status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), neat);
    const ROUNDS: u32 = 60;
    let (old, new) = kills(ROUNDS, run(), &path, loose.as_bytes(), neat.as_bytes());
    assert!(old > 0 && new > 0, "{old} old, {new} new");
    // A file has no name until it is complete, so only a kill between two system calls leaves anything behind: seldom,
    // but more often on a busy machine, which stops a program just there.
    let left = files(folder.path());
    println!("{} files are left", left.len());
    if cfg!(target_os = "linux") {
        let most = ROUNDS as usize / 4;
        assert!(left.len() <= most, "{} files are left", left.len());
    }
    for (name, bytes) in left {
        assert!(
            bytes == loose.as_bytes() || bytes == neat.as_bytes(),
            "{name}"
        );
    }
}

#[test]
fn links_and_modes_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("real")).unwrap();
    fs::rename(path("loose.kdl"), path("real/loose.kdl")).unwrap();
    symlink("real/loose.kdl", path("link.kdl")).unwrap();
    fs::set_permissions(path("real/loose.kdl"), fs::Permissions::from_mode(0o604)).unwrap();
    let done = treemind_in(folder.path(), "fmt link.kdl", b"");
    assert_ran(&done, 0, "link.kdl\n", "1 file formatted\n");
    assert!(path("link.kdl").is_symlink());
    let known = fs::metadata(path("real/loose.kdl")).unwrap();
    assert_eq!(known.permissions().mode() & 0o7777, 0o604);
    assert!(
        fs::read_to_string(path("real/loose.kdl"))
            .unwrap()
            .contains("    sequence {")
    );
}

#[test]
fn streams_are_written_to() {
    let folder = folder();
    let printed = treemind_in(folder.path(), "convert guard.kdl --to json", b"");
    let direct = treemind_in(
        folder.path(),
        "convert guard.kdl /dev/stdout --to json",
        b"",
    );
    assert_eq!(
        (&direct.out, direct.code),
        (&printed.out, 0),
        "{}",
        direct.err
    );
    // A shell keeps writing to the file that it opened.
    let line = "convert guard.kdl /dev/stdout --to json";
    let ran = limited(folder.path(), "exec > out; echo first", line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let both = fs::read_to_string(folder.path().join("out")).unwrap();
    assert_eq!(both, format!("first\n{}", printed.out));
}

/// Runs the program, which must end soon.
#[track_caller]
fn in_little_time(folder: &Path, line: &str) -> Ran {
    let mut child = command(folder, line).spawn().expect("the program starts");
    drop(child.stdin.take());
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("treemind {line} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    ran(&child.wait_with_output().unwrap())
}

#[test]
fn inputs_end() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for line in [
        "check pipe",
        "fmt pipe",
        "print pipe",
        "run pipe --no-ui",
        "trace guard.kdl --ticks 1 --script pipe",
        "run guard.kdl --map pipe --no-ui",
        "learn pipe --target x",
        "machine --scxml pipe",
        "convert pipe --to json",
        "balance pipe --profile pipe",
        "print watchman.kdl --profile pipe",
    ] {
        let ran = in_little_time(folder.path(), line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        let sentence = "error: cannot read pipe: it is a pipe without a writer\n";
        assert!(ran.err.starts_with(sentence), "{line}: {}", ran.err);
    }
    let table = in_little_time(folder.path(), "check table.csv --manifest pipe");
    assert!(
        table.err.contains("it is a pipe, not a file"),
        "{}",
        table.err
    );
    let zero = in_little_time(folder.path(), "check /dev/zero");
    let sentence =
        "error: cannot read /dev/zero: it is larger than 256 MiB; `--max-bytes` allows more\n";
    assert!(zero.err.starts_with(sentence), "{}", zero.err);
}

#[test]
fn pipes_that_somebody_writes_to_are_files() {
    let folder = folder();
    let line = "check /dev/stdin";
    let script = format!(
        "cat guard.kdl | (sleep 0.1; cat) | {} {line}",
        env!("CARGO_BIN_EXE_treemind")
    );
    let output = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", &script])
        .output();
    let ran = ran(&output.unwrap());
    assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
}

#[test]
fn standard_input_is_one_file_at_most() {
    for line in [
        "check - -",
        "check guard.kdl - - typos.kdl",
        "check - --manifest -",
        "fmt --check - -",
        "print - --profile -",
        "trace - --ticks 1 --script -",
        "run - --map -",
        "balance - --profile -",
    ] {
        let ran = treemind_in(&data(), line, b"tree t { succeed; }");
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
    }
    let twice = treemind_in(&data(), "check - -", b"tree t { succeed; }");
    let sentence = "error: only one of the files can be standard input\n\nFor more information, try '--help'.\n";
    assert_ran(&twice, 2, "", sentence);
}

#[test]
fn what_is_not_text_has_a_line() {
    let folder = folder();
    fs::write(
        folder.path().join("bad.txt"),
        b"see-enemy: S\nattack: \xff\n",
    )
    .unwrap();
    fs::write(folder.path().join("bad.map"), b"one\ntwo\nthree \xff").unwrap();
    let said = |line: &str| treemind_in(folder.path(), line, b"").err;
    let script = said("trace guard.kdl --ticks 1 --script bad.txt");
    let text = "bad.txt:2:9: error[T0001]: this is not valid UTF-8 from here on\n";
    assert!(script.starts_with(text), "{script}");
    let map = said("run guard.kdl --no-ui --map bad.map");
    assert!(map.starts_with("bad.map:3:7: error[T0001]"), "{map}");
}

#[test]
fn reasons_are_for_people() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").unwrap();
    for line in [
        "new file/x",
        "run guard.kdl --script day.txt --svg gone/out.svg",
        "run guard.kdl --script day.txt --svg file/out.svg",
        "convert guard.kdl gone/out.json",
        "convert guard.kdl .  --to json",
        "learn table.csv --target does -o gone/out.kdl",
        "check gone.kdl",
        "check file/gone.kdl",
        "machine --scxml gone.scxml",
    ] {
        let ran = treemind_in(folder.path(), line, b"");
        assert_ne!(ran.code, 0, "{line}");
        assert!(!ran.err.contains("os error"), "{line}: {}", ran.err);
    }
    fs::copy(data().join("door.scxml"), folder.path().join("door.scxml")).unwrap();
    let ran = treemind_in(folder.path(), "machine --scxml door.scxml", b"open\n\xff\n");
    let sentence = "error: standard input, line 2: it is not UTF-8 text\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, sentence));
}
