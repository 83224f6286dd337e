//! The checks that a change must pass.

pub(crate) mod binaries;
mod python;
mod side;
mod site;

use crate::{counts, dist, machine, tidy};
use anyhow::{Context as _, Result, ensure};
use side::Side;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How a run of all checks is meant.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Try all random documents and programs instead of a small part of them.
    pub(crate) is_thorough: bool,
    /// Install missing programs with the package manager of the system.
    pub(crate) may_install: bool,
}

/// Runs every step, the quick ones first, and stops at the first that fails.
///
/// Steps that use one core, and a target folder of their own, run beside the others.
pub(crate) fn run(root: &Path, options: Options) -> Result<()> {
    let begun = Instant::now();
    step("programs", || machine::need_all(options.may_install))?;
    step("formatting", || {
        cargo(
            root,
            &["fmt", "--all", "--check"],
            "`cargo fmt` puts it right",
        )
    })?;
    step("tidiness", || tidy::run(root))?;
    let aside = Side::begin(&["page", "Miri"])?;
    step("lints", || lints(root))?;
    let binaries = step("build of tests", || binaries::build(root))?;
    // What is built after this keeps one core busy, if at all, so it runs beside the tests, after callgrind.
    counts::keep(root)?;
    let counting = Side::begin(&["counts", "site", "features", "documentation", "Python"])?;
    step("tests", || {
        binaries::test(root, &binaries, options.is_thorough)
    })?;
    // Pages are clicked on by the clock, so nothing else is built meanwhile.
    counting.finish()?;
    step("browser", || binaries::in_browser(root, &binaries))?;
    step("site in the browser", || site::test(root, &binaries))?;
    aside.finish()?;
    println!("ci: everything passed, {}", seconds(begun.elapsed()));
    Ok(())
}

/// Runs one of the steps that run beside the others. `Side` starts this program again for each of them.
pub(crate) fn run_step(root: &Path, name: &str) -> Result<()> {
    step(name, || match name {
        "page" => dist::check(root),
        "Miri" => miri(root),
        "counts" => counts::compare(root),
        "site" => site::build(root),
        "features" => features(root),
        "documentation" => documentation(root),
        "Python" => python::check(root),
        _ => anyhow::bail!("there is no such step"),
    })
}

/// The features of `treemind` that a game may use. `rayon` and `fancy` are not in the list: the rest of the workspace
/// is built with `rayon`, and new projects with `fancy`.
const FEATURES: [&str; 8] = [
    "btcpp", "convert", "diagram", "edit", "miette", "schema", "scxml", "table",
];

/// Those of `treemind_bevy`, but for `window`: it takes minutes to build, and a crate that asks for a newer compiler.
/// The whole workspace is linted and tested with them, so that nothing is built twice.
pub(crate) const BEVY_FEATURES: &str = "treemind_bevy/btcpp,treemind_bevy/detail,treemind_bevy/gizmos,treemind_bevy/scxml,treemind_bevy/studio,treemind_bevy/table";

fn lints(root: &Path) -> Result<()> {
    let args = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        BEVY_FEATURES,
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    cargo(root, &args, "warnings are errors here")
}

/// The features of `treemind_doc` that are checked together, apart from all others. Those of a group have nothing to do
/// with one another, so none hides that another cannot stand alone.
const GROUPS: [&str; 2] = [
    "btcpp,schema,edit,files,miette",
    "convert,diagram,scxml,table",
];

/// Checks the library without features, with its features in groups, and with all of them; and the one for Bevy without.
fn features(root: &Path) -> Result<()> {
    let all = FEATURES.join(",");
    // `treemind` re-exports the same items with each feature, so `treemind_doc` alone is checked with each.
    let both: &[&str] = &["--package=treemind_doc", "--package=treemind"];
    let whole = [(both, ""), (both, &all)];
    let groups = GROUPS.iter().map(|group| (&both[..1], *group));
    for (packages, features) in whole.into_iter().chain(groups) {
        let more = ["--no-default-features", "--features", features, "--quiet"];
        let args = [&["clippy"], packages, &more, &["--", "-D", "warnings"]].concat();
        cargo(root, &args, "warnings are errors here")?;
    }
    let args = ["clippy", "--package=treemind_bevy", "--quiet", "--"];
    let args = [&args[..], &["-D", "warnings"]].concat();
    cargo(root, &args, "warnings are errors here")?;
    Ok(())
}

/// Tools of this repository, whose documentation nobody builds: they are read in an editor.
const INTERNAL: [&str; 5] = [
    "treemind_bench",
    "treemind_fuzz",
    "treemind_page",
    "treemind_testkit",
    "xtask",
];

fn documentation(root: &Path) -> Result<()> {
    // The features, so that what the lints have checked serves here, too.
    let mut args = vec!["doc", "--workspace", "--no-deps", "--quiet"];
    args.extend(["--features", BEVY_FEATURES]);
    args.extend(INTERNAL.iter().flat_map(|name| ["--exclude", name]));
    cargo(root, &args, "warnings are errors here")
}

/// Runs the unit tests of core under Miri, which finds undefined behaviour, in the form with wide vectors. Then has it
/// simulate a machine with the other order of bytes, which restores a snapshot. Miri comes with a nightly toolchain only.
/// Where there is one, a machine for CI adds Miri to it.
fn miri(root: &Path) -> Result<()> {
    let has_miri = || machine::works("cargo", &["+nightly", "miri", "--version"]);
    if !has_miri() && std::env::var_os("CI").is_some() {
        let args = ["+nightly", "component", "add", "miri", "rust-src"];
        machine::works("rustup", &args);
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
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    let status = command.status().context("cargo does not start")?;
    ensure!(status.success(), "Miri found something, or a test failed");
    Ok(())
}

/// Runs one step and says how long it took, and how long all its programs computed.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("ci: {name} …");
    let begun = Instant::now();
    let before = machine::computed();
    let done = work().with_context(|| format!("{name}, after {}", seconds(begun.elapsed())))?;
    let computed = before.zip(machine::computed());
    let computed = computed.map(|(before, now)| format!(", {} of CPU", seconds(now - before)));
    let took = seconds(begun.elapsed());
    println!("ci: {name} passed, {took}{}", computed.unwrap_or_default());
    Ok(done)
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

pub(crate) fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = crate::cargo(root);
    command
        .args(args)
        .env("RUSTDOCFLAGS", "-D warnings")
        // These builds run once, so incremental data would be wasted.
        .env("CARGO_INCREMENTAL", "0");
    if std::env::var_os("CI").is_some() {
        // Nobody debugs there. On other machines, this would build everything a second time.
        command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.split(',')).collect();
        grouped.sort_unstable();
        let manifest = include_str!("../../crates/treemind_doc/Cargo.toml");
        // The tests build `ts`, which gives the page its types.
        assert_eq!(of(manifest, &["fancy", "internals", "ts"]), grouped);
        let manifest = include_str!("../../crates/treemind_bevy/Cargo.toml");
        let of_bevy = of(manifest, &["window"]);
        let of_bevy = of_bevy.iter().map(|name| format!("treemind_bevy/{name}"));
        assert_eq!(of_bevy.collect::<Vec<_>>().join(","), BEVY_FEATURES);
    }

    #[test]
    fn a_step_that_fails_says_which() {
        let error = step("lints", || -> Result<()> { anyhow::bail!("no") }).unwrap_err();
        assert!(
            format!("{error:#}").starts_with("lints, after "),
            "{error:#}"
        );
    }
}
