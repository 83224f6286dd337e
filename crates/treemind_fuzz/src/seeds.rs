//! Bytes to begin with.

use crate::Target;
use crate::targets::{recordings, snapshots, tapes};
use std::collections::BTreeSet;
use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};
use treemind_doc::{Format, convert};

/// Folders with files of all formats.
const FOLDERS: [&str; 3] = [
    "examples",
    "crates/treemind_doc/tests/fixtures",
    "crates/treemind_cli/tests/data",
];

/// Longer files make slow seeds.
const LONGEST: u64 = 16_000;

/// Expressions of the reference page, to begin with.
const EXPRESSIONS: [&str; 14] = [
    "yes && !no || i < 3",
    "i = j + 2 * (i - 1) % 5",
    "abs(f) >= 0.5 && d != 2.25",
    "min(i, j, 7) + max(i, 2)",
    "m == angry",
    "t == \\\"a b\\\"",
    "has(opt) && opt > 3",
    "if(yes, i, j)",
    "clamp(f, 0.0, 1.0)",
    "len(l) > 2 && l[0] == 1",
    "distance(v, v) < 3.5",
    "free(door) > 0",
    "event(heard) && event(heard, volume) > 3",
    "w += 1",
];

/// The seeds of a target: files of this project, what was found before, and a few made for it.
///
/// # Errors
/// When a file cannot be read.
pub fn seeds(target: &Target) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let mut paths = Vec::new();
        files(&root().join(folder), &mut paths)?;
        for path in paths {
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.is_some_and(|ending| target.endings.contains(&ending))
                && fs::metadata(&path)?.len() <= LONGEST
            {
                all.push(fs::read(path)?);
            }
        }
    }
    match target.name {
        "snapshot" => all.extend(snapshots()),
        "recording" => all.extend(recordings()),
        "tape" => all.extend(tapes()),
        "json" => all.extend(in_json()?),
        "expression" => all.extend(EXPRESSIONS.map(|text| text.as_bytes().to_vec())),
        "editor" => {
            // A whole server for each is slow, and a few of them reach what all do.
            all = all.into_iter().step_by(12).collect();
            for (number, seed) in all.iter_mut().enumerate() {
                seed.push(0);
                seed.extend((0..64).map(|place| (number * 31 + place * 7) as u8));
            }
        }
        "edits" => {
            for (number, seed) in all.iter_mut().enumerate() {
                seed.push(0);
                seed.extend((0..60).map(|place| (number * 31 + place * 7) as u8));
            }
        }
        "executor" => {
            all.extend((0..40_u8).map(|seed| {
                (0..200)
                    .map(|at| seed.wrapping_mul(at) ^ at.rotate_left(3))
                    .collect()
            }));
        }
        _ => {}
    }
    let mut paths = Vec::new();
    let finds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("finds")
        .join(target.name);
    if finds.is_dir() {
        files(&finds, &mut paths)?;
    }
    for path in paths {
        all.push(fs::read(path)?);
    }
    Ok(all)
}

/// The documents in KDL that have no errors, in JSON.
fn in_json() -> Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        files(&root().join(folder), &mut paths)?;
    }
    let mut all = Vec::new();
    for path in paths {
        let text = fs::read(&path)?;
        let is_kdl = path.extension().is_some_and(|ending| ending == "kdl");
        if let (true, Ok(text)) = (is_kdl, std::str::from_utf8(&text)) {
            let converted = convert(text, "seed.kdl", Format::Kdl, Format::Json).ok();
            all.extend(converted.map(|one| one.text.into_bytes()));
        }
    }
    Ok(all)
}

/// Words that documents are made of: all of the JSON Schema.
pub fn words() -> BTreeSet<String> {
    let schema = treemind_doc::json_schema();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words = schema.split(|c| !is_part(c));
    words
        .filter(|word| (2..30).contains(&word.len()))
        .map(str::to_owned)
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
