//! Fuzzing with libFuzzer, guided by the code that is reached, with stable Rust: the flags that count code are flags of
//! LLVM, and nothing here is `unsafe`, so no sanitizer is needed.

use anyhow::{Context as _, Result, bail, ensure};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the compiler adds for libFuzzer, and what it checks.
const FLAGS: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
];

/// Where the fuzzer, what it has learnt and what it has found are.
const FOLDER: &str = "target/fuzz";

/// The longest time and the most memory that one input may take.
const LIMITS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=3000", "-max_len=20000"];

/// Fuzzes some targets, or all of them, one after the other, and prints a line for each.
pub(crate) fn run(root: &Path, minutes: f64, wanted: &[String]) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "fuzzing has been tried on Linux only"
    );
    let targets = prepare(root)?;
    for name in wanted {
        ensure!(
            targets.contains(name),
            "there is no target `{name}`; the targets are: {}",
            targets.join(", ")
        );
    }
    build(root)?;
    let chosen = targets
        .iter()
        .filter(|name| wanted.is_empty() || wanted.contains(name));
    let time = Duration::from_secs_f64((minutes * 60.0).max(1.0));
    println!(
        "{:<12} {:>12} {:>10} {:>8}",
        "target", "inputs", "edges", "seconds"
    );
    let mut found = Vec::new();
    for name in chosen {
        let run = fuzz(root, name, time)?;
        println!(
            "{name:<12} {:>12} {:>10} {:>8}",
            run.inputs, run.edges, run.secs
        );
        found.extend(run.find);
    }
    if found.is_empty() {
        println!("nothing was found");
        return Ok(());
    }
    for find in &found {
        println!("{find}");
    }
    bail!(
        "something was found: copy the input to crates/treemind_fuzz/finds/TARGET, where the tests play it, and mend what is wrong"
    )
}

/// Writes the seeds and the dictionary; returns the names of the targets.
fn prepare(root: &Path) -> Result<Vec<String>> {
    let output = crate::cargo(root)
        .args([
            "run",
            "--quiet",
            "--package",
            "treemind_fuzz",
            "--bin",
            "fuzz-seeds",
            "--",
            FOLDER,
        ])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "the seeds could not be written");
    let text = String::from_utf8(output.stdout).context("the names of the targets")?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn build(root: &Path) -> Result<()> {
    let status = crate::cargo(root)
        .args([
            "build",
            "--quiet",
            "--package",
            "treemind_fuzz",
            "--features",
            "libfuzzer",
            "--bin",
            "fuzz",
        ])
        // A target is named so that the flags do not apply to what runs while building.
        .args([
            "--profile",
            "dist",
            "--target",
            &host()?,
            "--target-dir",
            FOLDER,
        ])
        .env("RUSTFLAGS", FLAGS.join(" "))
        .status()
        .context("cargo does not start")?;
    ensure!(
        status.success(),
        "the fuzzer does not build; it needs a compiler for C++"
    );
    Ok(())
}

/// The name of this kind of machine, as the compiler calls it.
fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc does not start")?;
    let text = String::from_utf8(output.stdout).context("what rustc says of itself")?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host
        .context("rustc does not say what it runs on")?
        .to_owned())
}

/// What came of fuzzing one target.
#[derive(Debug, Default, PartialEq)]
struct Run {
    inputs: u64,
    edges: u64,
    secs: u64,
    /// What was found, in a sentence.
    find: Option<String>,
}

fn fuzz(root: &Path, name: &str, time: Duration) -> Result<Run> {
    let folder = root.join(FOLDER);
    let finds = folder.join("finds").join(name);
    std::fs::create_dir_all(&finds).context("the folder for finds")?;
    let output = Command::new(folder.join(host()?).join("dist/fuzz"))
        .arg(folder.join("corpus").join(name))
        .arg(format!("-dict={}", folder.join("words.dict").display()))
        .arg(format!("-max_total_time={}", time.as_secs()))
        .arg(format!("-artifact_prefix={}/", finds.display()))
        .arg("-print_final_stats=1")
        .args(LIMITS)
        .env("TREEMIND_FUZZ_TARGET", name)
        .stdin(Stdio::null())
        .output()
        .context("the fuzzer does not start")?;
    let text = String::from_utf8_lossy(&output.stderr);
    let mut run = read(&text);
    if !output.status.success() {
        let of_interest =
            |line: &&str| line.starts_with("panicked: ") || line.contains("ERROR: libFuzzer");
        let why = text
            .lines()
            .find(of_interest)
            .unwrap_or("it ended without a word");
        let file = text
            .lines()
            .find_map(|line| {
                line.split_once("Test unit written to ")
                    .map(|(_, path)| path)
            })
            .unwrap_or("nowhere");
        run.find = Some(format!("{name}: {why}\n  input: {file}"));
    }
    Ok(run)
}

/// The figures in what libFuzzer writes.
fn read(text: &str) -> Run {
    let mut run = Run::default();
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            run.inputs = number.trim().parse().unwrap_or(0);
        }
        if let Some((_, rest)) = line.split_once(" cov: ") {
            let number = rest.split(' ').next().unwrap_or("");
            run.edges = number.parse().unwrap_or(run.edges);
        }
        if let Some((_, rest)) = line
            .strip_prefix("Done ")
            .and_then(|rest| rest.split_once(" in "))
        {
            run.secs = rest.split(' ').next().unwrap_or("").parse().unwrap_or(0);
        }
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let text = "#2\tINITED cov: 100 ft: 20 corp: 1/1b\n#900\tDONE   cov: 1234 ft: 9 corp: 5/1Kb\nDone 900 runs in 61 second(s)\nstat::number_of_executed_units: 900\n";
        let run = Run {
            inputs: 900,
            edges: 1234,
            secs: 61,
            find: None,
        };
        assert_eq!(read(text), run);
    }
}
