//! `treemind new`: the project that it makes is built, played and tested.

use crate::{assert_ran, treemind_in};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Cargo in a project, without a network, using what the workspace has already built.
fn cargo(project: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("a target folder");
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(project)
        .args(arguments)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true")
        // The same settings as for the workspace's dependencies, so that they are not built again.
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .expect("cargo starts")
}

#[track_caller]
fn well(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    let told = text(&output.stderr);
    assert!(!told.contains("warning"), "{told}");
    text(&output.stdout)
}

const FILES: &str = "\
my-guard/Cargo.toml
my-guard/.gitignore
my-guard/README.md
my-guard/guard.kdl
my-guard/src/lib.rs
my-guard/src/main.rs
my-guard/tests/guard.rs
";

/// A project made in a folder, with the versions that the workspace has locked.
fn made(folder: &Path) -> PathBuf {
    let ran = treemind_in(folder, "new my-guard", b"");
    assert_ran(
        &ran,
        0,
        FILES,
        "a new project in my-guard; next: cd my-guard && cargo run\n",
    );
    let project = folder.join("my-guard");
    std::fs::copy(workspace().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    project
}

/// What a project prints when it plays.
fn played(project: &Path) -> String {
    well(&cargo(project, &["run", "--quiet"]))
}

/// What a project prints when it cannot play.
fn refused(project: &Path) -> String {
    let ran = cargo(project, &["run", "--quiet"]);
    assert!(!ran.status.success());
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

fn replace(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

/// A test for the project, which is built without the features that read other formats.
const OTHER_FORMATS: &str = r#"
use treemind::Document;

#[test]
fn a_format_that_is_switched_off_names_its_feature() {
    for (name, text, what) in [
        ("guard.xml", "<root BTCPP_format='4'/>", "`btcpp`, which reads trees of BehaviorTree.CPP"),
        ("door.scxml", "<scxml/>", "`scxml`, which reads state machines in SCXML"),
        ("pet.csv", "id,parent,type", "`table`, which reads trees that are flat tables"),
        ("pet.json", "[]", "`table`, which reads trees that are flat tables"),
    ] {
        let document = Document::parse(text, name);
        assert!(document.behaviour(None).is_err(), "{name}");
        let [only] = document.diagnostics() else {
            panic!("{:?}", document.diagnostics());
        };
        assert_eq!(only.code().as_str(), "T0012");
        let message = format!("this program was built without {what}");
        assert_eq!(only.message(), message);
        assert!(only.help().is_some_and(|help| help.contains("Cargo.toml")));
    }
}
"#;

const LAST: &str = "The intruder is beaten. Now change guard.kdl and see what happens.";

#[test]
fn a_new_project_builds_plays_and_keeps_what_its_readme_promises() {
    let folder = tempfile::tempdir().unwrap();
    let project = made(folder.path());
    well(&cargo(&project, &["fmt", "--check"]));
    std::fs::write(project.join("tests/formats.rs"), OTHER_FORMATS).unwrap();
    well(&cargo(&project, &["test"]));
    let first = played(&project);
    let lines: Vec<&str> = first.lines().collect();
    assert_eq!(lines[2], "  1  .....G......................I.  patrols");
    assert_eq!(lines.last(), Some(&LAST), "{first}");
    let runs = |played: &str| played.matches("runs at the intruder").count();
    assert!(runs(&first) > 3, "{first}");

    let readme = std::fs::read_to_string(project.join("README.md")).unwrap();
    let document = project.join("guard.kdl");
    let original = std::fs::read_to_string(&document).unwrap();
    // Each change that the README suggests, tried alone.
    let attempt = |from: &str, to: &str| {
        assert!(readme.contains(&format!("`{to}`")), "{to}");
        std::fs::write(&document, &original).unwrap();
        replace(
            &document,
            &format!("        {from}\n"),
            &format!("        {to}\n"),
        );
    };

    attempt("action patrol", "actoin patrol");
    let told = refused(&project);
    for part in [
        "guard.kdl:18:9",
        "actoin patrol\n",
        "──────",
        "did you mean `action`?",
    ] {
        assert!(told.contains(part), "{part} is missing:\n{told}");
    }

    attempt("action attack", "chance 0.3 { action attack; }");
    let hesitant = played(&project);
    let patrols = |played: &str| played.matches("patrols").count();
    assert!(patrols(&hesitant) > patrols(&first), "{hesitant}");
    assert_eq!(hesitant.lines().last(), Some(LAST));

    attempt("action attack", "timeout 2.0 { action attack; }");
    let impatient = played(&project);
    let after = impatient.split_once("runs at the intruder").unwrap().1;
    assert!(after.contains("patrols"), "{impatient}");
    assert_eq!(impatient.lines().last(), Some(LAST));

    attempt("action attack", "action attack range=6.0");
    let far = played(&project);
    assert!(runs(&far) < runs(&first), "{far}");
    assert_eq!(far.lines().last(), Some(LAST));

    std::fs::write(&document, &original).unwrap();
    replace(
        &document,
        "    action patrol",
        "    action shout\n    action patrol",
    );
    replace(
        &document,
        "    action attack\n",
        "    action shout\n            action attack\n",
    );
    let told = refused(&project);
    assert!(
        told.contains("the action `shout` is not registered"),
        "{told}"
    );
    let closure = r#".action("shout", |_, _| { println!("halt!"); Status::Success })"#;
    assert!(readme.contains(closure));
    let library = project.join("src/lib.rs");
    replace(
        &library,
        "        .action(\"patrol\"",
        &format!("        {closure}\n        .action(\"patrol\""),
    );
    assert!(played(&project).contains("halt!\n"));
}

#[test]
fn the_guard_of_a_new_project_plays_in_the_arena() {
    let folder = tempfile::tempdir().unwrap();
    let project = made(folder.path());
    let ran = treemind_in(&project, "run guard.kdl --no-ui", b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "the guard walks its round",
        "the guard sees the intruder",
        "the guard attacks",
    ] {
        assert!(ran.out.contains(part), "{part} is missing:\n{}", ran.out);
    }
    assert!(ran.err.contains("no faults"), "{}", ran.err);
}

#[test]
fn a_new_project_depends_on_the_library_of_the_program_or_on_another() {
    let folder = tempfile::tempdir().unwrap();
    let project = made(folder.path());
    let library = std::fs::canonicalize(workspace().join("crates/treemind")).unwrap();
    let wanted = format!("treemind = {{ path = \"{}\"", library.display());
    let read = |name: &str| std::fs::read_to_string(project.join(name)).unwrap();
    assert!(
        read("Cargo.toml").contains(&wanted),
        "{}",
        read("Cargo.toml")
    );
    for name in FILES
        .lines()
        .filter_map(|line| line.strip_prefix("my-guard/"))
    {
        assert!(!read(name).contains("{{"), "{name} is filled in");
    }
    let ran = treemind_in(folder.path(), "check my-guard/guard.kdl", b"");
    assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    // A copy of the library elsewhere.
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(library.join("Cargo.toml"), other.join("Cargo.toml")).unwrap();
    let ran = treemind_in(folder.path(), "new second --path other", b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let manifest = std::fs::read_to_string(folder.path().join("second/Cargo.toml")).unwrap();
    assert!(manifest.contains("/other\""), "{manifest}");
}

#[test]
fn nothing_is_overwritten_and_names_must_fit() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("taken"), "mine").unwrap();
    let ran = treemind_in(folder.path(), "new taken", b"");
    assert_ran(
        &ran,
        1,
        "",
        "error: taken already exists, and nothing is overwritten\n",
    );
    let ran = treemind_in(folder.path(), "new 1st", b"");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err
            .contains("`1st` cannot be the name of a project: it must begin with a letter"),
        "{}",
        ran.err
    );
    let ran = treemind_in(folder.path(), "new guard --path .", b"");
    let expected =
        "error: the crate `treemind` is not in .; in a checkout it is in `crates/treemind`\n";
    assert_ran(&ran, 1, "", expected);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing was made");
}
