//! The checks that a change must pass.

use crate::{counts, tidy};
use anyhow::{Context as _, Result, bail, ensure};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs every step, the quick ones first, and stops at the first that fails.
pub(crate) fn run(root: &Path, thorough: bool) -> Result<()> {
    let begun = Instant::now();
    step("formatting", || {
        cargo(
            root,
            &["fmt", "--all", "--check"],
            "`cargo fmt` puts it right",
        )
    })?;
    step("tidiness", || tidy::run(root))?;
    step("lints", || {
        let args = [
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ];
        cargo(root, &args, "warnings are errors here")
    })?;
    step("features", || features(root))?;
    step("tests", || tests(root, thorough))?;
    step("studio", || studio(root))?;
    step("Miri", || miri(root))?;
    step("counts", || counts::run(root, false))?;
    step("documentation", || {
        let args = ["doc", "--workspace", "--no-deps", "--quiet"];
        cargo(root, &args, "warnings are errors here")
    })?;
    println!("ci: everything passed, {}", seconds(begun.elapsed()));
    Ok(())
}

/// The features of `treemind` that a game may use. `rayon` and `fancy` are not in the list: the rest of the workspace
/// is built with `rayon`, and new projects with `fancy`.
const FEATURES: [&str; 8] = [
    "btcpp", "convert", "diagram", "edit", "miette", "schema", "scxml", "table",
];

/// Those of `treemind_bevy`, but for `window`: it takes minutes to build, and a crate that asks for a newer compiler.
const BEVY_FEATURES: &str = "btcpp,detail,gizmos,scxml,studio,table";

/// Checks the library without features, with each feature, and with all of them; and the one for Bevy with all.
fn features(root: &Path) -> Result<()> {
    let all = FEATURES.join(",");
    // `treemind` re-exports the same items with each feature, so `treemind_doc` alone is checked with each.
    let both: &[&str] = &["--package=treemind_doc", "--package=treemind"];
    let whole = [(both, ""), (both, &all)];
    let each = FEATURES.iter().map(|feature| (&both[..1], *feature));
    for (packages, features) in whole.into_iter().chain(each) {
        let more = ["--no-default-features", "--features", features, "--quiet"];
        let args = [&["clippy"], packages, &more, &["--", "-D", "warnings"]].concat();
        cargo(root, &args, "warnings are errors here")?;
    }
    let package = "--package=treemind_bevy";
    let bevy = ["--all-targets", "--features", BEVY_FEATURES, "--quiet"];
    let args = [&["clippy", package], &bevy[..], &["--", "-D", "warnings"]].concat();
    cargo(root, &args, "warnings are errors here")?;
    let tests = ["test", package, "--test=it", "--features", BEVY_FEATURES];
    cargo(root, &[&tests[..], &["--quiet"]].concat(), "a test failed")
}

/// Whether a program runs with these arguments and succeeds.
fn works(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs the unit tests of core under Miri, which finds undefined behaviour, in the form with wide vectors. Then has it
/// simulate a machine with the other order of bytes, which restores a snapshot. Miri comes with a nightly toolchain only.
/// Where there is one, a machine for CI adds Miri to it.
fn miri(root: &Path) -> Result<()> {
    let has_miri = || works("cargo", &["+nightly", "miri", "--version"]);
    if !has_miri() && std::env::var_os("CI").is_some() {
        works(
            "rustup",
            &["+nightly", "component", "add", "miri", "rust-src"],
        );
    }
    if !has_miri() {
        println!(
            "ci: no Miri on this machine, so it is left out; `rustup +nightly component add miri rust-src` adds it"
        );
        return Ok(());
    }
    under_miri(root, &["--lib"], "-C target-feature=+avx2")?;
    let other_order = ["--target=s390x-unknown-linux-gnu", "--test=it"];
    under_miri(root, &[&other_order[..], &["byte_order"]].concat(), "")
}

fn under_miri(root: &Path, args: &[&str], flags: &str) -> Result<()> {
    let mut command = Command::new("cargo");
    command
        .current_dir(root)
        .args([
            "+nightly",
            "miri",
            "test",
            "--package=treemind_core",
            "--quiet",
        ])
        .args(args)
        .env("CARGO_TARGET_DIR", root.join("target/miri"))
        .env("RUSTFLAGS", flags)
        .env_remove("RUSTC")
        .env_remove("CARGO");
    let status = command.status().context("cargo does not start")?;
    ensure!(status.success(), "Miri found something, or a test failed");
    Ok(())
}

/// Installs packages of the system.
fn install(packages: &[&str], help: &str) -> Result<()> {
    let update = ["update", "--quiet"];
    let more = ["install", "--quiet", "--yes", "--no-install-recommends"];
    for args in [&update[..], &[&more[..], packages].concat()] {
        let status = Command::new("apt-get").args(args).status();
        let is_done = status.is_ok_and(|status| status.success());
        ensure!(is_done, "`apt-get {}` failed: {help}", args.join(" "));
    }
    Ok(())
}

/// Proves that the committed page of the studio is the one that its sources make, and tries it in a real browser. Installs
/// what is missing for that.
fn studio(root: &Path) -> Result<()> {
    if !works("npm", &["--version"]) {
        install(&["nodejs", "npm"], "install Node and npm")?;
    }
    crate::dist::prove(root)?;
    if std::env::var_os("CHROMIUM").is_none() && !works("chromium", &["--version"]) {
        let help = "install Chromium, or name its program in CHROMIUM";
        install(&["chromium"], help)?;
    }
    let args = [
        "test",
        "--package=treemind_cli",
        "--test=studio",
        "--",
        "--ignored",
    ];
    cargo(
        root,
        &args,
        "the page of the studio does not do what it should",
    )
}

/// Runs one step and says how long it took.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("ci: {name} …");
    let begun = Instant::now();
    work().with_context(|| format!("{name}, after {}", seconds(begun.elapsed())))?;
    println!("ci: {name} passed, {}", seconds(begun.elapsed()));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = crate::cargo(root);
    command
        .args(args)
        .env("RUSTDOCFLAGS", "-D warnings")
        // These builds run once, so incremental data would be wasted.
        .env("CARGO_INCREMENTAL", "0");
    command
}

fn cargo(root: &Path, args: &[&str], hint: &str) -> Result<()> {
    let status = command(root, args)
        .status()
        .context("cargo does not start")?;
    ensure!(
        status.success(),
        "`cargo {}` failed: {hint}",
        args.join(" ")
    );
    Ok(())
}

/// Runs all tests, prints their output, and adds up their closing lines.
fn tests(root: &Path, thorough: bool) -> Result<()> {
    let mut command = command(root, &["test", "--workspace"]);
    if thorough {
        command.env("TREEMIND_THOROUGH", "1");
    }
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo does not start")?;
    let mut sum = Sum::default();
    let output = child.stdout.take().context("cargo has no output")?;
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("the output of cargo cannot be read")?;
        let mut out = std::io::stdout().lock();
        out.write_all(&line).and_then(|()| out.write_all(b"\n"))?;
        sum.add(&String::from_utf8_lossy(&line));
    }
    let status = child.wait().context("cargo cannot be waited for")?;
    println!("{sum}");
    if !status.success() {
        bail!("`cargo test --workspace` failed: see the first `FAILED` above");
    }
    ensure!(sum.passed > 0, "not a single test ran");
    Ok(())
}

/// The sum of the closing lines of test binaries.
#[derive(Debug, Default, PartialEq)]
struct Sum {
    binaries: u64,
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Sum {
    /// Adds a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`; ignores all others.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        self.binaries += 1;
        for count in counts.split("; ") {
            let Some((number, word)) = count.split_once(' ') else {
                continue;
            };
            let number: u64 = number.parse().unwrap_or(0);
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "tests: {} passed; {} failed; {} ignored; {} binaries",
            self.passed, self.failed, self.ignored, self.binaries
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_add_up() {
        let mut sum = Sum::default();
        sum.add("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s");
        sum.add("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        sum.add("test tidy::works ... ok");
        assert_eq!(
            sum.to_string(),
            "tests: 15 passed; 2 failed; 1 ignored; 2 binaries"
        );
    }

    #[test]
    fn all_features_are_looked_at() {
        let of = |manifest: &str, but_for: &[&str]| -> Vec<String> {
            let manifest: toml::Table = manifest.parse().expect("a manifest");
            let features = manifest["features"].as_table().expect("features");
            let names = features.keys().cloned();
            names.filter(|name| !but_for.contains(&&**name)).collect()
        };
        let manifest = include_str!("../../crates/treemind/Cargo.toml");
        assert_eq!(of(manifest, &["default", "fancy", "rayon"]), FEATURES);
        let manifest = include_str!("../../crates/treemind_bevy/Cargo.toml");
        assert_eq!(of(manifest, &["window"]).join(","), BEVY_FEATURES);
    }

    #[test]
    fn a_step_that_fails_says_which() {
        let error = step("lints", || bail!("no")).unwrap_err();
        assert!(
            format!("{error:#}").starts_with("lints, after "),
            "{error:#}"
        );
    }
}
