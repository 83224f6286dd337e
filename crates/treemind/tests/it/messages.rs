//! What the compiler says to those who give a registry something that it does not take.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The library that was compiled last for tests like this one.
fn library(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("a folder of libraries");
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    let named = files.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libtreemind-") && name.ends_with(".rlib")
    });
    let age = |path: &PathBuf| {
        let changed = path.metadata().and_then(|metadata| metadata.modified());
        changed.unwrap_or(SystemTime::UNIX_EPOCH)
    };
    named.max_by_key(age).expect("the library under test")
}

/// The errors in a program, as the compiler prints them, without what it says about other code.
fn errors(program: &Path) -> String {
    let this = std::env::current_exe().expect("this test");
    let folder = this.parent().expect("its folder");
    let out = tempfile::tempdir().expect("a folder");
    let ran = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata"])
        .args(["--cap-lints=allow", "--color=never", "--error-format=human"])
        .arg("--out-dir")
        .arg(out.path())
        .arg("-L")
        .arg(format!("dependency={}", folder.display()))
        .arg("--extern")
        .arg(format!("treemind={}", library(folder).display()))
        .arg(program)
        .output()
        .expect("a compiler");
    assert!(!ran.status.success());
    let text = String::from_utf8(ran.stderr).expect("text");
    println!("{text}");
    let errors = text
        .split("\n\n")
        .filter(|error| error.starts_with("error[E"));
    errors.map(|error| own_words(error) + "\n").collect()
}

/// The message, the line of the program with the label, and the notes of an error; not what the compiler adds itself. The
/// space before a line depends on the numbers of lines elsewhere, so it is left out.
fn own_words(error: &str) -> String {
    let mut is_begin = true;
    let mut kept = String::new();
    for line in error.lines().map(str::trim) {
        is_begin &= !["help:", "note:", "= "]
            .iter()
            .any(|word| line.starts_with(word));
        let of_program = is_begin && !line.starts_with("--> ");
        let note = line.strip_prefix("= note: ").unwrap_or("`");
        let of_compiler = [
            "`",
            "in this macro",
            "required for",
            "this error originates",
        ];
        if of_program || !of_compiler.iter().any(|words| note.starts_with(words)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
#[cfg_attr(miri, ignore)]
fn what_a_registry_does_not_take_is_told_in_plain_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let found = errors(&folder.join("bounds.rs"));
    let path = folder.join("bounds.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &found).expect("it is written");
    }
    let expected = std::fs::read_to_string(&path).expect("what is expected");
    assert_eq!(found, expected, "`UPDATE_EXPECTED=1` writes it down");
}
