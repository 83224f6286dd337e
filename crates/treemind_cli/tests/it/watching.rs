//! Hot reload: a game goes on with what its document says now.

use crate::{command, treemind_in};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a loaded machine may take until the program has noticed a change.
const PATIENCE: Duration = Duration::from_secs(60);

const HEAD: &str = "import \"leaves.kdl\"\n";
const LEAVES: &str =
    "leaves { action patrol; }\ntree wait-first { sequence { wait 0.1; action patrol; }; }\n";

/// Reads the lines of a stream as they come.
fn read(stream: impl std::io::Read + Send + 'static) -> (JoinHandle<()>, Receiver<String>) {
    let (send, lines) = channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // A test that has seen enough drops the receiver; the program is read to its end all the same.
            let _ = send.send(line);
        }
    });
    (reader, lines)
}

/// The lines up to one that has a text in it.
fn until(lines: &Receiver<String>, text: &str) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let end = Instant::now() + PATIENCE;
    loop {
        let Ok(line) = lines.recv_timeout(end.saturating_duration_since(Instant::now())) else {
            panic!("nothing says `{text}`: {seen:?}");
        };
        let is_it = line.contains(text);
        seen.push(line);
        if is_it {
            return seen;
        }
    }
}

#[test]
fn a_changed_document_or_import_is_reloaded_under_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let tree = |inner: &str| format!("{HEAD}tree guard {{ sequence {{ {inner}; }}; }}\n");
    write("leaves.kdl", LEAVES);
    write("guard.kdl", &tree("action patrol"));
    let arguments = "run guard.kdl --tree guard --no-ui --watch --ticks 100000 --speed 2";
    watched(folder.path(), arguments, |log, lines| {
        // It is watched before it plays; a change before that would be the beginning.
        until(log, "the guard walks its round");

        // The action that runs goes on.
        write("guard.kdl", &tree("wait 0.2; action patrol"));
        let told = until(lines, "sequence/wait: added");
        assert!(told[0].contains("reloaded guard.kdl: nothing was aborted"));
        assert!(told[1].contains("read and checked in"), "{}", told[1]);
        // An error changes nothing, and says where it is.
        write("guard.kdl", &tree("action fly"));
        let told = until(lines, "guard.kdl:2:");
        assert!(
            told[0]
                .contains("not reloaded: guard.kdl has errors, and the game continues unchanged")
        );
        // An imported file is watched, too; what is gone is aborted.
        write("guard.kdl", &tree("subtree wait-first"));
        until(lines, "reloaded guard.kdl: what has changed was aborted");
        until(lines, "aborted for 1 agent");
        write("leaves.kdl", &LEAVES.replace("wait 0.1", "wait 0.3"));
        until(lines, "reloaded guard.kdl: everything continues");
    });
}

#[test]
#[cfg(unix)]
fn a_document_that_becomes_something_else_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("guard.kdl");
    let tree = |inner: &str| {
        format!(
            "leaves {{ action patrol; }}\n\
             tree guard {{ repeat forever {{ sequence {{ {inner}; wait 0.2; }}; }}; }}\n\
             test patrols tree=guard {{ tick; expect running; }}\n"
        )
    };
    let become_pipe = || {
        fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
    };
    let become_zeros = || {
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    };
    let become_file = |inner: &str| {
        fs::remove_file(&file).unwrap();
        fs::write(&file, tree(inner)).unwrap();
    };
    fs::write(&file, tree("log first")).unwrap();
    let arguments = "run guard.kdl --tree guard --no-ui --watch --ticks 100000 --speed 2";
    watched(folder.path(), arguments, |log, lines| {
        let goes_on = || {
            while log.try_recv().is_ok() {}
            until(log, "first");
        };
        goes_on();
        become_pipe();
        let told = until(lines, "not reloaded");
        let wanted = "cannot read guard.kdl: it is a pipe, not a file, and the game continues";
        assert!(told.last().unwrap().contains(wanted), "{told:?}");
        goes_on();
        // Also with somebody who writes and never closes it.
        let writer = fs::File::options()
            .read(true)
            .write(true)
            .open(&file)
            .unwrap();
        goes_on();
        drop(writer);
        become_zeros();
        let told = until(lines, "not reloaded");
        let wanted = "cannot read guard.kdl: it is a device, not a file, and the game continues";
        assert!(told.last().unwrap().contains(wanted), "{told:?}");
        goes_on();
        become_file("log second");
        until(lines, "reloaded guard.kdl");
        until(log, "second");
    });
    watched(folder.path(), "test guard.kdl --watch", |log, lines| {
        until(log, "patrols");
        until(lines, "waiting for changes");
        for (becomes, what) in [
            (&become_pipe as &dyn Fn(), "it is a pipe, not a file"),
            (&become_zeros, "it is a device, not a file"),
        ] {
            becomes();
            until(lines, &format!("cannot read guard.kdl: {what}"));
            until(lines, "waiting for changes");
        }
        become_file("log third");
        until(lines, "1 passed, 0 failed");
    });
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let ran = treemind_in(Path::new("."), "run - --watch --no-ui", b"");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        ran.err.contains("standard input cannot be watched"),
        "{}",
        ran.err
    );
    let ran = treemind_in(Path::new("."), "test - --watch", b"");
    assert_eq!(ran.code, 2, "{}", ran.err);
    let ran = treemind_in(Path::new("."), "run /dev/null --watch --no-ui", b"");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let wanted = "cannot read /dev/null: it is a device, not a file";
    assert!(ran.err.contains(wanted), "{}", ran.err);
}

/// Plays with these arguments and a watched document, and calls `work` with the lines of the log and of the errors.
fn watched(
    folder: &Path,
    arguments: &str,
    work: impl FnOnce(&Receiver<String>, &Receiver<String>),
) {
    let mut child = command(folder, arguments).spawn().unwrap();
    let (output, log) = read(child.stdout.take().unwrap());
    let (errors, lines) = read(child.stderr.take().unwrap());
    work(&log, &lines);
    child.kill().unwrap();
    child.wait().unwrap();
    drop((log, lines));
    output.join().unwrap();
    errors.join().unwrap();
}

#[test]
fn a_crowd_goes_on_with_a_changed_document() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/12-village");
    for name in ["village.kdl", "village.map"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let file = folder.path().join("village.kdl");
    let text = fs::read_to_string(&file).unwrap();
    let arguments = "run village.kdl --agents 300 --no-ui --watch --ticks 100000 --speed 2";
    watched(folder.path(), arguments, |log, lines| {
        until(log, "    20  ");
        // Other numbers change nothing that runs.
        let other = text.replace("hide secs=20.0", "hide secs=25.0");
        assert_ne!(other, text);
        fs::write(&file, &other).unwrap();
        until(lines, "reloaded village.kdl: nothing was aborted");
        until(lines, "read and checked in");
        fs::write(&file, text.replace("subtree day;", "fly;")).unwrap();
        until(
            lines,
            "not reloaded: village.kdl has errors, and the game continues unchanged",
        );
        until(lines, "unknown node `fly`");
        // Everybody begins anew.
        let again = text.replace("do { subtree day; }", "do { invert { subtree day; }; }");
        assert_ne!(again, text);
        fs::write(&file, again).unwrap();
        until(lines, "reloaded village.kdl: what has changed was aborted");
        until(lines, "aborted for 2");
        until(log, "0  ");
    });
}

#[test]
fn a_script_goes_on_with_a_changed_document_where_its_answers_are() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let tree = |rest: &str| {
        format!(
            "leaves {{ condition near; action patrol; action rest; }}\n\
             tree guard {{ reactive-selector {{ sequence {{ condition near; {rest}; }}; action patrol; }}; }}\n"
        )
    };
    write("guard.kdl", &tree("action rest"));
    write("day.txt", "near: F\npatrol: R\nrest: S\n");
    let arguments = "run guard.kdl --script day.txt --no-ui --watch --ticks 100000 --speed 2";
    watched(folder.path(), arguments, |log, lines| {
        until(log, "patrol starts");
        write("guard.kdl", &tree("wait 0.1; action rest"));
        until(lines, "reloaded guard.kdl: nothing was aborted");
        until(lines, "read and checked in");
        // The script is watched, too: now somebody is near, and patrol is cut off.
        write("day.txt", "near: S\npatrol: R\nrest: R\n");
        until(lines, "reloaded guard.kdl: everything continues");
        until(log, "patrol");
        until(log, "rest starts");
        write("day.txt", "near: S\npatrol: R\nflee: R\n");
        until(lines, "has no condition or action `flee`");
    });
}

/// Plays and records with a document that changes twice, and kills the game. What is replayed is what the log said, up to
/// the last second, with both changes.
fn recorded(folder: &Path, document: &str, arguments: &str, changes: [(&str, &str); 2]) {
    let file = folder.join(document);
    let mut seen: Vec<String> = Vec::new();
    let line = format!("run {document} {arguments} --no-ui --watch --record game.mcap");
    let mut begun = 0;
    watched(folder, &line, |log, lines| {
        let mut after = |tick: u64| {
            while seen.last().is_none_or(|line| tick_of(line) <= tick) {
                seen.push(log.recv_timeout(PATIENCE).expect("the game goes on"));
            }
        };
        after(0);
        for (old, new) in changes {
            let text = fs::read_to_string(&file).unwrap();
            let changed = text.replace(old, new);
            assert_ne!(changed, text);
            fs::write(&file, changed).unwrap();
            let told = until(lines, "reloaded ");
            let tick = told.last().unwrap().split([' ', ':']).nth(1).unwrap();
            begun = tick.parse::<u64>().expect(tick);
            after(begun + 1);
            // The last second may be lost. On a busy machine, many ticks may fall into one second.
            let logged = Instant::now();
            let mut tick = begun + 1;
            while tick < begun + 40 || logged.elapsed() < Duration::from_secs(2) {
                tick += 1;
                after(tick);
            }
        }
    });
    let replayed = treemind_in(folder, "replay game.mcap --no-ui", b"");
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    // A state that is not as it was would be a fault.
    assert!(replayed.err.contains(", no faults; "), "{}", replayed.err);
    let replayed: Vec<&str> = replayed.out.lines().collect();
    let same = replayed.iter().zip(&seen).filter(|(new, old)| *new == old);
    assert_eq!(
        same.count(),
        replayed.len().min(seen.len()),
        "{seen:#?}\n{replayed:#?}"
    );
    let last = tick_of(replayed.last().unwrap());
    assert!(last > begun, "{last} {begun}");
}

/// The tick of a line of the log; 0 for the head of a table.
fn tick_of(line: &str) -> u64 {
    line[..6].trim().parse().unwrap_or(0)
}

#[test]
fn a_recording_goes_on_where_a_document_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/01-guard");
    for name in ["guard.kdl", "yard.map"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let changes = [
        ("health < 20", "health < 90"),
        ("health < 90", "health < 95"),
    ];
    recorded(
        folder.path(),
        "guard.kdl",
        "--ticks 100000 --speed 8",
        changes,
    );
    // Without the arena, too.
    fs::write(folder.path().join("day.txt"), "see-enemy: F F S S F S\n").unwrap();
    let looks = "selector { condition see-enemy; log \"nobody\"; }; log \"looked\"; wait 0.1;";
    let tree = format!(
        "leaves {{ condition see-enemy; }}\ntree guard {{ repeat forever {{ sequence {{ {looks} }}; }}; }}\n"
    );
    fs::write(folder.path().join("looks.kdl"), tree).unwrap();
    recorded(
        folder.path(),
        "looks.kdl",
        "--tree guard --script day.txt --ticks 100000 --speed 8",
        [("wait 0.1", "wait 0.2"), ("looked", "peered")],
    );
    // And a crowd.
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/12-village");
    for name in ["village.kdl", "village.map"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    recorded(
        folder.path(),
        "village.kdl",
        "--map village.map --agents 300 --ticks 100000 --speed 8",
        [
            ("do { subtree day; }", "do { invert { subtree day; }; }"),
            ("hide secs=20.0", "hide secs=5.0"),
        ],
    );
}
