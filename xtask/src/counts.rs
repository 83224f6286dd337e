//! Instructions and allocations of ticks, counted under callgrind and compared with recorded figures. Unlike times,
//! they hardly depend on the machine, so CI can check them.
//!
//! The development profile is counted: it builds quickly, and the cost of a tick is mostly in `treemind_core`, which is
//! optimised in that profile too. `cargo xtask bench` measures the profile `dist`.

use crate::{ci, machine};
use anyhow::{Context as _, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The recorded figures: a line for each item, with its instructions and allocations.
const RECORDED: &str = "crates/treemind_bench/counts.tsv";

/// The function to count: `counted` in crates/treemind_bench/src/count.rs.
const FUNCTION: &str = "treemind_bench::count::counted";

/// How much instructions may differ, because of another compiler or C library.
const MARGIN: f64 = 0.05;

/// Instructions per agent and tick, or per node of a document, and calls of the allocator.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    instructions: f64,
    allocations: u64,
}

type Counts = BTreeMap<String, Count>;

/// Builds the program to count, and compares its figures with the recorded ones, or records them.
pub(crate) fn run(root: &Path, is_recorded: bool) -> Result<()> {
    machine::need_one("valgrind", false)?;
    build(root)?;
    if !is_recorded {
        return compare(root);
    }
    let mut text = String::new();
    for (name, count) in counted(root)? {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name}\t{:.3}\t{}",
            count.instructions, count.allocations
        );
    }
    std::fs::write(root.join(RECORDED), text).with_context(|| format!("cannot write {RECORDED}"))
}

/// Builds the program to count just as the build of all tests does: with other features, other code would be counted.
fn build(root: &Path) -> Result<()> {
    // `program` is the test of treemind_bench that starts the program; no other test is built.
    let args = ["test", "--workspace", "--features", ci::BEVY_FEATURES];
    let status = ci::command(root, &args)
        .args(["--no-run", "--quiet", "--test", "program"])
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "treemind_bench does not build");
    keep(root)
}

/// Keeps a copy of the program that the build of all tests has made, to be counted while other builds replace it.
pub(crate) fn keep(root: &Path) -> Result<()> {
    let copy = program(root);
    let folder = copy.parent().context("a copy lies in a folder")?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(target(root).join("debug/treemind_bench"), &copy))
        .with_context(|| format!("cannot write {}", copy.display()))?;
    Ok(())
}

fn target(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root.join(target)
}

/// The copy of the program that is counted.
fn program(root: &Path) -> PathBuf {
    target(root).join("counts/treemind_bench")
}

/// Compares the figures of the built program with the recorded ones.
pub(crate) fn compare(root: &Path) -> Result<()> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("counts: recorded on Linux on x86-64, and held there only");
        return Ok(());
    }
    let text = std::fs::read_to_string(root.join(RECORDED))
        .with_context(|| format!("cannot read {RECORDED}"))?;
    let differences = differences(&recorded(&text)?, &counted(root)?);
    for difference in &differences {
        println!("counts: {difference}");
    }
    ensure!(
        differences.is_empty(),
        "the counts differ from the recorded ones: mend the change, or record them with `cargo xtask counts --record` and say why in the commit"
    );
    Ok(())
}

/// The items that differ by more than the margin, and those that are missing on one side.
fn differences(recorded: &Counts, counted: &Counts) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, now) in counted {
        let Some(before) = recorded.get(name) else {
            differences.push(format!("{name}: was not recorded"));
            continue;
        };
        let (more, less) = (1.0 + MARGIN, 1.0 - MARGIN);
        let ratio = now.instructions / before.instructions;
        if !(less..=more).contains(&ratio) {
            differences.push(format!(
                "{name}: {:.1} instructions, recorded were {:.1} ({:+.0} %)",
                now.instructions,
                before.instructions,
                (ratio - 1.0) * 100.0
            ));
        }
        // Reading a document allocates; a few allocations more or less do not matter there.
        let allocations = now.allocations as f64;
        let allowed = before.allocations as f64 * less..=before.allocations as f64 * more;
        if !allowed.contains(&allocations) {
            differences.push(format!(
                "{name}: {} allocations, recorded were {}",
                now.allocations, before.allocations
            ));
        }
    }
    for name in recorded.keys() {
        if !counted.contains_key(name) {
            differences.push(format!("{name}: is recorded and was not counted"));
        }
    }
    differences
}

fn recorded(text: &str) -> Result<Counts> {
    let line = |line: &str| {
        let mut cells = line.split('\t');
        let name = cells.next()?.to_owned();
        let instructions = cells.next()?.parse().ok()?;
        let allocations = cells.next()?.parse().ok()?;
        Some((
            name,
            Count {
                instructions,
                allocations,
            },
        ))
    };
    text.lines()
        .map(|text| line(text).with_context(|| format!("{RECORDED} has a line `{text}`")))
        .collect()
}

/// Runs the built program under callgrind.
fn counted(root: &Path) -> Result<Counts> {
    let program = program(root);
    let folder = std::env::temp_dir().join(format!("treemind-counts-{}", std::process::id()));
    std::fs::create_dir(&folder).context("there is no room for temporary files")?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--toggle-collect={FUNCTION}"))
        .arg(format!("--dump-after={FUNCTION}"))
        .arg(format!(
            "--callgrind-out-file={}",
            folder.join("out").display()
        ))
        .arg(&program)
        .arg("counts")
        .output();
    let counts = output
        .context("valgrind does not start")
        .and_then(|output| {
            let errors = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "{}: {errors}", program.display());
            together(&String::from_utf8_lossy(&output.stdout), |nth| {
                let path = folder.join(format!("out.{nth}"));
                std::fs::read_to_string(&path).context("callgrind wrote too few files")
            })
        });
    std::fs::remove_dir_all(&folder).context("temporary files cannot be removed")?;
    counts
}

/// The items that were run, joined with the results of callgrind: one file for each, from 1.
fn together(played: &str, file: impl Fn(usize) -> Result<String>) -> Result<Counts> {
    let mut counts = Counts::new();
    for (nth, line) in (1..).zip(played.lines()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, divisor, allocations] = cells.as_slice() else {
            bail!("treemind_bench has printed `{line}`");
        };
        let dump = file(nth)?;
        let total = dump
            .lines()
            .find_map(|line| line.strip_prefix("totals: ")?.trim().parse::<u64>().ok())
            .with_context(|| format!("callgrind has counted nothing of {name}"))?;
        ensure!(total > 0, "callgrind has counted nothing of {name}");
        let divisor: f64 = divisor.parse()?;
        let count = Count {
            instructions: total as f64 / divisor,
            allocations: allocations.parse()?,
        };
        counts.insert((*name).to_owned(), count);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told() {
        let before = recorded("a\t100.0\t0\nb\t10.0\t0\nc\t1.0\t1000\nd\t1.0\t0\n").unwrap();
        assert_eq!(differences(&before, &before), [""; 0]);
        let now = recorded("a\t104.0\t0\nb\t10.6\t1\nc\t0.9\t1040\ne\t1.0\t0\n").unwrap();
        assert_eq!(
            differences(&before, &now),
            [
                "b: 10.6 instructions, recorded were 10.0 (+6 %)",
                "b: 1 allocations, recorded were 0",
                "c: 0.9 instructions, recorded were 1.0 (-10 %)",
                "e: was not recorded",
                "d: is recorded and was not counted",
            ]
        );
        assert!(recorded("a\tx\t0\n").is_err());
    }

    #[test]
    fn what_was_played_is_put_together_with_what_was_counted() {
        let played = "a\t10\t0\nb\t4\t3\n";
        let file = |nth| Ok(format!("events: Ir\n\ntotals: {}\n", nth * 100));
        let counts = together(played, file).unwrap();
        let expected = recorded("a\t10.0\t0\nb\t50.0\t3\n").unwrap();
        assert_eq!(counts, expected);
        assert!(together(played, |_| Ok("totals: 0\n".to_owned())).is_err());
        assert!(together("a\t1\n", |_| Ok("totals: 1\n".to_owned())).is_err());
    }
}
