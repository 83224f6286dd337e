//! `treemind diff`.

use crate::{treemind, treemind_in};
use std::fs;

const OLD: &str = "tree guard {
    selector {
        action flee when=\"health < 20\" // it hurts
        action patrol
    }
}
";

#[test]
fn nodes_are_compared_and_not_lines() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("old.kdl", OLD);
    // Layout and comments do not count.
    let same = OLD.replace("    ", "  ").replace(" // it hurts", "\n\n");
    write("same.kdl", &same);
    let ran = treemind_in(folder.path(), "diff old.kdl same.kdl", b"");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    write(
        "new.kdl",
        "tree guard {
    selector {
        action patrol
        action flee when=\"health < 35\"
        wait 0.5
    }
}
",
    );
    let ran = treemind_in(folder.path(), "diff old.kdl new.kdl", b"");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(ran.code, 1);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("added 5: tree guard › selector: wait 0.5")),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("changed") && line.contains("health < 35")),
        "{lines:?}"
    );
    // One of them may come from another program.
    let ran = treemind_in(folder.path(), "diff - old.kdl", OLD.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

#[test]
fn imports_are_followed_and_what_is_not_there_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let guard = "import \"common.kdl\"\ntree guard { subtree flee; }\n";
    for (version, wait) in [("old", "0.5"), ("new", "0.7")] {
        write(&format!("{version}/guard.kdl"), guard);
        let common = format!("tree flee {{ wait {wait}; }}\n");
        write(&format!("{version}/common.kdl"), &common);
    }
    write("alone/guard.kdl", guard);
    let ran = treemind_in(folder.path(), "diff old/guard.kdl new/guard.kdl", b"");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "changed common.kdl 1 → 1: tree flee: wait 0.5 → 0.7\n")
    );
    // As git gives an older version: a file without those that it imports.
    let ran = treemind_in(folder.path(), "diff alone/guard.kdl new/guard.kdl", b"");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("common.kdl is left out"), "{}", ran.err);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.kdl"), OLD).unwrap();
    fs::write(folder.path().join("open.kdl"), "tree guard {\n").unwrap();
    fs::write(folder.path().join("guard.json"), "{}").unwrap();
    for (line, said) in [
        (
            "diff old.kdl open.kdl",
            "the newer version has an open block",
        ),
        ("diff old.kdl guard.json", "is not in KDL"),
        ("diff old.kdl nothing.kdl", "nothing.kdl"),
    ] {
        let ran = treemind_in(folder.path(), line, b"");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {ran:?}");
        assert!(ran.err.contains(said), "{line}: {}", ran.err);
    }
    assert_eq!(treemind("diff - -").code, 2);
}
