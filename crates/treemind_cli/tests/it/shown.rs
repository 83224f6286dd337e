//! Every command that a help text, README.md or a page in docs/ or examples/ shows is run exactly as written.
//!
//! Commands are found in these places: in help texts below `Examples:` and `Begin with:`, one per line, with a
//! remark after three spaces; in pages in blocks of `sh`, one per line; and in blocks of `console`, each after `$ `
//! with its output below it, where a line `…` stands for any lines. A command must end with status 0 and, in
//! `console`, print the output shown. Commands in the running text are run too, unless they are only mentioned: see
//! [`mentioned`].
//!
//! Bash runs the commands of one text, one after the other, in a folder made for them: a project made by `treemind
//! new`, with a copy of examples/ in it. So `guard.kdl` is the guard of a new project, and `examples/…` is the same
//! as in the repository. `cargo run --release -- …` runs the program of this test; `jq` and `dot`, which may not be
//! installed, only pass on their input. Standard output is not a terminal, so `treemind run` without `--no-ui`
//! prints a log and ends without a key press; the live view has its own tests. If a page has a table of ticks, one
//! of its commands must play at least as far as the table goes.

mod find;

use crate::treemind_in;
use find::{Command, Text};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Why a command is not run here.
const CROWDED: &str =
    "it takes minutes in a debug build; tests/it/run.rs plays the village with fewer";
const SERVES: &str = "it serves until a signal ends it; tests/studio starts such servers";
const IN_REAL_TIME: &str = "it takes half a minute; tests/it/btcpp.rs plays a shorter one";
const HAMLET: &str = "tests/it/hamlet.rs of treemind_studio plays it";

/// Why a command is not run.
const OF_A_ROBOT: &str = "the files are those of a robot; tests/it/btcpp.rs has its own";

const OF_PY_TREES: &str = "py_trees writes such a file; tests of treemind_doc read some";

/// The commands that are not run here, each with the reason.
const ELSEWHERE: [(&str, &str); 49] = [
    (
        "treemind check navigate.xml --manifest nav2_tree_nodes.xml --include behavior_trees/",
        OF_A_ROBOT,
    ),
    (
        "treemind trace navigate.xml --script answers.txt --ticks 20",
        OF_A_ROBOT,
    ),
    ("treemind studio navigate.xml", OF_A_ROBOT),
    ("treemind convert navigate.xml navigate.kdl", OF_A_ROBOT),
    ("treemind convert navigate.kdl navigate.xml", OF_A_ROBOT),
    (
        "treemind convert tree.xml tree.kdl --mocks mocks.json",
        OF_A_ROBOT,
    ),
    (
        "treemind convert brain.onnx mood.weights",
        "a network of one's own; the tests of treemind_learn convert one",
    ),
    ("treemind check tree.xml", OF_PY_TREES),
    ("treemind convert tree.xml tree.kdl", OF_PY_TREES),
    (
        "treemind lsp",
        "an editor talks to it; tests/it/lsp.rs does",
    ),
    ("treemind run examples/12-village --agents 100000", CROWDED),
    (
        "treemind run examples/12-village --agents 100000 --no-ui --ticks 200",
        CROWDED,
    ),
    ("treemind run guard.kdl --groot", IN_REAL_TIME),
    (
        "treemind run navigate.kdl --script answers.txt --groot",
        OF_A_ROBOT,
    ),
    ("treemind studio", SERVES),
    ("treemind studio guard.kdl", SERVES),
    ("treemind studio minds", SERVES),
    ("treemind studio guard.kdl --open", SERVES),
    ("treemind run guard.kdl --studio --watch", SERVES),
    (
        "treemind run examples/12-village --studio --agents 500 --agent 7",
        SERVES,
    ),
    ("treemind studio guard.mcap", SERVES),
    ("treemind studio examples/12-village", SERVES),
    (
        "treemind studio examples/04-cleaning-robot --port 7700",
        SERVES,
    ),
    (
        "cargo run -p treemind_view --example museum",
        "the tests of treemind_view play it",
    ),
    ("cargo xtask ci", "it runs this test"),
    ("cargo xtask ci --install", "it runs this test"),
    (
        "cargo xtask quick",
        "it checks what has changed, for minutes",
    ),
    (
        "cargo xtask tidy",
        "it builds a program of the repository, and CI runs it",
    ),
    ("cargo xtask bench", "it measures for minutes"),
    ("cargo xtask fuzz", "it searches for minutes"),
    (
        "cargo xtask dist",
        "it needs Node; CI builds the page in a step of its own",
    ),
    (
        "cargo run --profile dist -p treemind_bench -- ablation",
        "it measures for minutes",
    ),
    (
        "cargo run --profile dist -p treemind_bench -- one guard --agents 100000 --by columns",
        "it builds a program that users do not; tests/program.rs of treemind_bench runs that",
    ),
    (
        "cargo xtask site",
        "it builds for minutes; tests/studio/alone.rs tries what it builds",
    ),
    (
        "cargo xtask --help",
        "it builds a program of the repository",
    ),
    (
        "cargo run --example cast",
        "tests/it/host.rs of the crate treemind plays it",
    ),
    (
        "cargo run --example host",
        "tests/it/host.rs of the crate treemind plays it",
    ),
    (
        "cargo run -p treemind_bevy --example guard",
        "tests/it/examples.rs of treemind_bevy plays it",
    ),
    ("cargo run -p treemind_studio --example hamlet", HAMLET),
    (
        "cargo run -p treemind_studio --example hamlet -- hamlet.mcap --studio",
        HAMLET,
    ),
    (
        "treemind explain hamlet.mcap --tick 62 --agent villager-50",
        "the command before it makes the recording",
    ),
    (
        "cargo run --release -p treemind_bevy --example village -- 10000",
        "tests/it/examples.rs of treemind_bevy plays it",
    ),
    (
        "cargo run --ignore-rust-version --profile dist -p treemind_bench --features bevy --bin frames",
        "it builds half an engine, and measures",
    ),
    ("cargo test -p treemind_learn", "CI runs it"),
    (
        "cargo install --path crates/treemind_cli --profile dist",
        "it installs a program",
    ),
    ("cargo doc --open", "it opens a browser"),
    (
        "cargo new yard && cd yard",
        "a program outside of the repository; it was built by hand from the page",
    ),
    ("cargo run", "of a new project: tests/it/new.rs runs it"),
    ("cargo test", "of a new project: tests/it/new.rs runs it"),
];

/// A command whose output is drawn for a terminal; a test in io.rs compares it.
const DRAWN: &str = "treemind check guard.kdl";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for the commands of a text, and one with the programs that they call.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let made = treemind_in(folder.path(), "new my-guard", b"");
        assert_eq!(made.code, 0, "{}", made.err);
        let place = Self { folder };
        copy(
            &repository().join("examples"),
            &place.work().join("examples"),
        );
        fs::create_dir(place.work().join("docs")).expect("a folder");
        fs::create_dir_all(place.home().join(".config/fish/completions")).expect("a folder");
        let programs = place.programs();
        fs::create_dir(&programs).expect("a folder");
        let cargo = "#!/bin/sh\n[ \"$1 $2 $3\" = 'run --release --' ] || exit 99\nshift 3\nexec treemind \"$@\"\n";
        for (name, script) in [
            ("cargo", cargo.to_owned()),
            ("jq", "#!/bin/sh\nexec cat\n".to_owned()),
            ("dot", "#!/bin/sh\nexec cat\n".to_owned()),
            (
                "treemind",
                format!(
                    "#!/bin/sh\nexec '{}' \"$@\"\n",
                    env!("CARGO_BIN_EXE_treemind")
                ),
            ),
        ] {
            let path = programs.join(name);
            fs::write(&path, script).expect("a script");
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&path, mode).expect("a script can be run");
        }
        place
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("my-guard")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn programs(&self) -> PathBuf {
        self.folder.path().join("programs")
    }

    /// What each command printed (both outputs together, as on a terminal), and its exit status.
    fn run(&self, commands: &[&Command]) -> Vec<(String, i32)> {
        const END: &str = "\u{1}end of a command\u{1}";
        let mut script = "set -o pipefail\nexec 2>&1\n".to_owned();
        for command in commands {
            let line = &command.line;
            let _ = writeln!(script, "{line}\nprintf '{END}%d{END}' $?");
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(self.work())
            .env("PATH", format!("{}:{path}", self.programs().display()))
            .env("HOME", self.home())
            .env("COLUMNS", "100")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .output()
            .expect("bash starts");
        let printed = String::from_utf8(output.stdout).expect("output is UTF-8");
        let parts: Vec<&str> = printed.split(END).collect();
        let ran = parts.chunks_exact(2);
        let ran = ran.map(|part| (part[0].to_owned(), part[1].parse().expect("a status")));
        ran.collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file");
        }
    }
}

/// Runs the commands of a text; returns what went wrong, one paragraph each.
fn wrong(text: &Text) -> Vec<String> {
    let is_here = |command: &&Command| {
        let is_drawn = command.line == DRAWN && text.name == "README.md";
        !is_drawn && ELSEWHERE.iter().all(|(line, _)| *line != command.line)
    };
    let commands: Vec<&Command> = text.commands.iter().filter(is_here).collect();
    if commands.is_empty() {
        return Vec::new();
    }
    let ran = Place::new().run(&commands);
    let mut wrong = Vec::new();
    let lines = ran.iter().flat_map(|(printed, _)| printed.lines());
    if lines.filter_map(ticks_played).max().unwrap_or(0) < text.last_tick {
        wrong.push(format!(
            "{}: no command plays to tick {}",
            text.name, text.last_tick
        ));
    }
    if ran.len() < commands.len() {
        let last = commands.get(ran.len()).map_or("", |command| &command.line);
        wrong.push(format!("{}: bash gave up at `{last}`", text.name));
    }
    for (command, (printed, status)) in commands.iter().zip(&ran) {
        let Command {
            line,
            shows,
            is_mention,
        } = command;
        let place = format!("{}: `{line}`", text.name);
        if *is_mention && *status == 2 && printed.contains("required arguments were not provided") {
            continue;
        }
        if *status != 0 {
            wrong.push(format!("{place} ends with status {status}:\n{printed}"));
        } else if let Some(shown) = shows
            && !is_like(shown, printed)
        {
            wrong.push(format!("{place} prints\n{printed}\nand not\n{shown}"));
        }
    }
    wrong
}

/// The number of ticks in the summary that ends a log: `600 ticks, 30.00 s, no faults; …`.
fn ticks_played(line: &str) -> Option<u64> {
    let (ticks, rest) = line.split_once(" ticks, ")?;
    ticks.parse().ok().filter(|_| rest.contains("fault"))
}

/// Whether an output is as shown; a line `…` stands for any number of lines, including none.
fn is_like(shown: &str, printed: &str) -> bool {
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    fn fits(shown: &[&str], printed: &[&str]) -> bool {
        match shown {
            [] => printed.is_empty(),
            ["…", rest @ ..] => (0..=printed.len()).any(|from| fits(rest, &printed[from..])),
            [line, rest @ ..] => printed.first() == Some(line) && fits(rest, &printed[1..]),
        }
    }
    fits(&shown, &printed)
}

#[track_caller]
fn assert_right(texts: &[Text]) {
    let wrong: Vec<String> = texts.iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The subcommands, as `--help` lists them.
fn subcommands() -> Vec<String> {
    let help = crate::treemind("--help").out;
    let list = help.split_once("Commands:\n").expect("a list").1;
    let lines = list.lines().take_while(|line| !line.is_empty());
    let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let words = words.filter_map(|line| line.split_whitespace().next());
    words
        .filter(|word| *word != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn commands_in_help_texts_do_as_they_say() {
    let subcommands = subcommands();
    assert!(subcommands.len() >= 13, "{subcommands:?}");
    let arguments = subcommands.iter().map(|word| format!("{word} --help"));
    let texts = std::iter::once("--help".to_owned()).chain(arguments);
    let texts: Vec<Text> = texts
        .map(|arguments| find::in_help(&arguments, &crate::treemind(&arguments).out))
        .collect();
    for text in &texts {
        assert!(!text.commands.is_empty(), "{} has no example", text.name);
    }
    assert_right(&texts);
}

#[test]
fn commands_in_pages_do_as_they_say() {
    let mut files = vec![PathBuf::from("README.md"), PathBuf::from("ARCHITECTURE.md")];
    for folder in ["docs", "examples"] {
        pages(Path::new(folder), &mut files);
    }
    let texts: Vec<Text> = files
        .iter()
        .map(|file| {
            let text = fs::read_to_string(repository().join(file)).expect("a page");
            find::in_page(&file.display().to_string(), &text)
        })
        .collect();
    let all = texts.iter().flat_map(|text| &text.commands).count();
    assert!(all > 80, "only {all} commands were found");
    let stray: Vec<&str> = texts
        .iter()
        .flat_map(|text| &text.stray)
        .map(|line| &**line)
        .collect();
    assert!(
        stray.is_empty(),
        "commands belong into blocks of `sh` or `console`: {stray:#?}"
    );
    let lines: Vec<&str> = texts
        .iter()
        .flat_map(|text| &text.commands)
        .map(|command| &*command.line)
        .collect();
    for (line, reason) in ELSEWHERE {
        let is_shown = reason.starts_with("of a new project") || lines.contains(&line);
        assert!(is_shown, "`{line}` is not shown any more");
    }
    let unknown: Vec<String> = texts.iter().flat_map(unknown).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_right(&texts);
}

#[test]
fn commands_in_the_readme_of_a_new_project_do_as_they_say() {
    let place = Place::new();
    let text = fs::read_to_string(place.work().join("README.md")).expect("a README");
    let text = find::in_page("the README of a new project", &text);
    assert!(text.commands.len() >= 6 && text.stray.is_empty());
    assert_right(&[text]);
}

/// The pages below a folder of the repository.
fn pages(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(repository().join(folder)).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    for name in names {
        let path = folder.join(name);
        if repository().join(&path).is_dir() {
            pages(&path, files);
        } else if path.extension().is_some_and(|end| end == "md") {
            files.push(path);
        }
    }
}

/// The words of commands with placeholders, `treemind trace FILE --why`, that the program does not know.
fn unknown(text: &Text) -> Vec<String> {
    let mut unknown = Vec::new();
    for pattern in &text.patterns {
        let mut words = pattern.split_whitespace().skip(1);
        let subcommand = words.next().unwrap_or_default();
        let is_pattern = !subcommand.chars().any(char::is_lowercase);
        let help = if is_pattern {
            "--help".to_owned()
        } else {
            format!("{subcommand} --help")
        };
        let help = crate::treemind(&help);
        let mut is_known = help.code == 0;
        for option in words.filter(|word| word.starts_with("--")) {
            is_known &= help.out.contains(option);
        }
        if !is_known {
            unknown.push(format!("{}: `{pattern}`", text.name));
        }
    }
    unknown
}

#[test]
fn what_is_shown_is_held_against_what_is_printed() {
    assert!(is_like("a\nb", "a\nb\n"));
    assert!(is_like("a\n…\nd", "a\nb\nc\nd\n"));
    assert!(is_like("…\nb\n…", "a\nb\n"));
    assert!(!is_like("a", "a\nb\n"));
    assert!(!is_like("a\n…\nc", "a\nb\n"));
    let page =
        "```console\n$ treemind check gone.kdl\n1 file checked: no errors, no warnings\n```\n";
    assert_eq!(wrong(&find::in_page("page", page)).len(), 1);
    let page = "```console\n$ treemind check guard.kdl\n2 files checked\n```\n";
    assert_eq!(wrong(&find::in_page("page", page)).len(), 1);
    let page =
        "```sh\ntreemind check guard.kdl   # all is well\ntreemind fmt guard.kdl --chekc\n```\n";
    assert_eq!(wrong(&find::in_page("page", page)).len(), 1);
    let table = "| tick | |\n|---|---|\n| 40, 51 | late |\n";
    let page = format!("```sh\ntreemind run guard.kdl --ticks 50\n```\n{table}");
    assert_eq!(wrong(&find::in_page("page", &page)).len(), 1);
    let page = "Say `treemind print --stas`, or `treemind print`.\n";
    assert_eq!(wrong(&find::in_page("page", page)).len(), 1);
    let page = find::in_page(
        "page",
        "```text\ntreemind run x.kdl\n```\n`treemind trace FILE --wy`\n",
    );
    assert_eq!((page.stray.len(), unknown(&page).len()), (1, 1));
}
