//! `treemind new`: what it makes is built, played and tested.

use crate::{assert_ran, treemind_in};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Cargo in a project, without a network, with what the workspace has built already.
fn cargo(project: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("a target folder");
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(project)
        .args(arguments)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
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

#[test]
fn a_new_project_plays_and_passes_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    let library = workspace().join("crates/treemind");
    let ran = treemind_in(
        folder.path(),
        &format!("new my-guard --path {}", library.display()),
        b"",
    );
    assert_ran(
        &ran,
        0,
        FILES,
        "a new project in my-guard; next: cd my-guard && cargo run\n",
    );
    let project = folder.path().join("my-guard");
    std::fs::copy(workspace().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    well(&cargo(&project, &["fmt", "--check"]));
    well(&cargo(&project, &["test"]));
    let played = well(&cargo(&project, &["run", "--quiet"]));
    let lines: Vec<&str> = played.lines().collect();
    assert_eq!(lines[2], "  1  .....G......................I.  patrols");
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("chases the intruder")),
        "{played}"
    );
    let end = "The intruder is caught. Now change guard.kdl, and see what happens.";
    assert_eq!(lines.last(), Some(&end), "{played}");

    // A mistake in the document is told where it is, as its README says.
    let text = std::fs::read_to_string(project.join("guard.kdl")).unwrap();
    let text = text.replace("        action patrol", "        actoin patrol");
    std::fs::write(project.join("guard.kdl"), text).unwrap();
    let ran = cargo(&project, &["run", "--quiet"]);
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(
        !ran.status.success() && told.contains("guard.kdl:16:9"),
        "{told}"
    );
    assert!(told.contains("did you mean `action`?"), "{told}");
}

#[test]
fn a_new_project_asks_for_the_published_crate() {
    let folder = tempfile::tempdir().unwrap();
    let ran = treemind_in(folder.path(), "new my-guard", b"");
    assert_eq!((ran.code, ran.out.as_str()), (0, FILES));
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join("my-guard").join(name)).unwrap();
    let wanted = format!("treemind = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(
        read("Cargo.toml").contains(&wanted),
        "{}",
        read("Cargo.toml")
    );
    assert!(
        read("README.md").contains("treemind new my-guard --path"),
        "{}",
        read("README.md")
    );
    for name in [
        "Cargo.toml",
        "README.md",
        "src/lib.rs",
        "src/main.rs",
        "tests/guard.rs",
    ] {
        assert!(!read(name).contains("{{"), "{name} is filled in");
    }
    let ran = treemind_in(folder.path(), "check my-guard/guard.kdl", b"");
    assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
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
        "error: taken is there already, and nothing is overwritten\n",
    );
    let ran = treemind_in(folder.path(), "new 1st", b"");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err
            .contains("`1st` cannot be the name of a project: it begins with a letter"),
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
