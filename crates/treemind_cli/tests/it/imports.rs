//! What a document may import from the disk.
#![cfg(unix)]

use crate::{Ran, assert_ran, treemind_in};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const SECRET: &str = "swordfish";

/// `game/` with a document that imports `import`, and beside it files that it must not read.
fn folder(import: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for inner in ["game", "game/parts", "common"] {
        fs::create_dir(path(inner)).unwrap();
    }
    fs::write(path("secret.txt"), format!("{SECRET} = {{\n")).unwrap();
    let leaves = "leaves { action go; }";
    fs::write(path("common/leaves.kdl"), leaves).unwrap();
    fs::write(path("game/parts/leaves.kdl"), leaves).unwrap();
    let guard = format!("import \"{import}\"\ntree t {{ action go; }}\n");
    fs::write(path("game/guard.kdl"), guard).unwrap();
    folder
}

fn check(folder: &Path, line: &str) -> Ran {
    let ran = treemind_in(folder, line, b"");
    assert!(
        !ran.err.contains(SECRET) && !ran.err.contains("root:"),
        "{}",
        ran.err
    );
    ran
}

#[test]
fn files_below_the_document_are_imported() {
    for import in [
        "parts/leaves.kdl",
        "./parts/../parts/leaves.kdl",
        "../game/parts/leaves.kdl",
    ] {
        let folder = folder(import);
        let ran = check(folder.path(), "check game/guard.kdl");
        assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
        let ran = check(&folder.path().join("game"), "check guard.kdl");
        assert_ran(&ran, 0, "", "1 file checked: no errors, no warnings\n");
    }
}

#[test]
fn other_files_are_imported_when_they_are_allowed() {
    let outside = |written: &str, found: &str| {
        format!(
            "game/guard.kdl:1:8: error[T0120]: cannot import `{written}`: it is not in the folder of the document or below it; \
         `--allow-imports FOLDER` allows another folder\n"
        ) + &format!(
            "  help: write the path relative to the folder of this file; this one leads to `{found}`\n"
        )
    };
    let folder = folder("../common/leaves.kdl");
    let ran = check(folder.path(), "check game/guard.kdl");
    let begin = outside("../common/leaves.kdl", "common/leaves.kdl");
    assert!(ran.err.starts_with(&begin), "{}", ran.err);
    for line in [
        "check game/guard.kdl --allow-imports common",
        "check game/guard.kdl --allow-imports gone --allow-imports ./common/",
        "check game/guard.kdl --allow-imports .",
        "print game/guard.kdl --allow-imports common",
        "trace game/guard.kdl --ticks 1 --allow-imports common",
        "convert game/guard.kdl --to dot --allow-imports common",
    ] {
        let ran = check(folder.path(), line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let refused = line.split(" --allow").next().unwrap();
        assert_eq!(check(folder.path(), refused).code, 1, "{refused}");
    }
    // The folders come from the command line, wherever the option is given.
    let ran = check(
        &folder.path().join("game"),
        "check guard.kdl --allow-imports ../common",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn nothing_else_is_touched_or_quoted() {
    for import in [
        "/etc/passwd",
        "../secret.txt",
        "../../../../../../../../etc/passwd",
        "../gone.txt",
        "/dev/zero",
    ] {
        let folder = folder(import);
        let ran = check(folder.path(), "check game/guard.kdl");
        assert_eq!(ran.code, 1);
        // The message does not even reveal whether the file exists.
        assert!(
            ran.err.contains("it is not in the folder of the document"),
            "{import}: {}",
            ran.err
        );
    }
}

#[test]
fn links_are_what_they_lead_to() {
    for (target, reason) in [
        (
            "../secret.txt",
            "a link there leads out of the folder of the document; `--allow-imports",
        ),
        (
            "/dev/zero",
            "a link there leads out of the folder of the document",
        ),
        ("gone.kdl", "there is no such file"),
        ("parts", "it is a folder"),
        ("link.kdl", ""),
    ] {
        let folder = folder("link.kdl");
        symlink(target, folder.path().join("game/link.kdl")).unwrap();
        let ran = check(folder.path(), "check game/guard.kdl");
        assert_eq!(ran.code, 1, "{target}");
        assert!(ran.err.contains(reason), "{target}: {}", ran.err);
        assert!(!ran.err.contains("os error"), "{target}: {}", ran.err);
    }
    let folder = folder("link.kdl");
    symlink("parts/leaves.kdl", folder.path().join("game/link.kdl")).unwrap();
    assert_eq!(check(folder.path(), "check game/guard.kdl").code, 0);
}

#[test]
fn only_files_of_a_size_are_imported() {
    let folder = folder("pipe.kdl");
    let pipe = folder.path().join("game/pipe.kdl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let ran = check(folder.path(), "check game/guard.kdl");
    assert!(ran.err.contains("it is a pipe, not a file"), "{}", ran.err);
    fs::remove_file(&pipe).unwrap();
    fs::File::create(&pipe)
        .unwrap()
        .set_len((16 << 20) + 1)
        .unwrap();
    let ran = check(folder.path(), "check game/guard.kdl");
    assert!(ran.err.contains("it is larger than 16 MiB"), "{}", ran.err);
    // Devices are refused even in folders that are allowed.
    let zero = self::folder("/dev/zero");
    let ran = check(zero.path(), "check game/guard.kdl --allow-imports /dev");
    assert!(
        ran.err.contains("it is a device, not a file"),
        "{}",
        ran.err
    );
}

#[test]
fn a_manifest_may_lie_anywhere() {
    let folder = folder("parts/leaves.kdl");
    fs::write(
        folder.path().join("game/pet.csv"),
        "id,parent,type,description\n1,0,go,\n",
    )
    .unwrap();
    let line = "check game/pet.csv --manifest common/leaves.kdl";
    let ran = check(folder.path(), line);
    assert_eq!(ran.code, 0, "{}", ran.err);
}
