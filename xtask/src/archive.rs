//! An archive of the program for Linux, with the licences of all that it contains.

use crate::cargo;
use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names of files with licences begin with these.
const LICENCES: [&str; 6] = ["licen", "copying", "copyright", "notice", "unlicen", "ofl"];

/// Something from elsewhere that is part of the program.
struct Part {
    name: String,
    licence: String,
    texts: Vec<String>,
}

/// Builds the program, and packs it with its licences into target/archives.
pub(crate) fn make(root: &Path) -> Result<()> {
    let commit = said(root, "git", &["rev-parse", "--short=12", "HEAD"])?;
    let status = cargo(root)
        .args([
            "build",
            "--quiet",
            "--profile=dist",
            "--package=treemind_cli",
        ])
        .env("TREEMIND_COMMIT", &commit)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "the program does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), |folder| root.join(folder));
    let program = target.join("dist/treemind");
    let version = said(root, &program.to_string_lossy(), &["--version"])?;
    ensure!(
        version.contains(&commit),
        "`treemind --version` does not say the commit"
    );
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    let host = said(root, "rustc", &["-vV"])?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let name = format!("treemind-{number}-{}", host.context("rustc names no host")?);
    let archives = target.join("archives");
    let folder = archives.join(&name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root.join(file), folder.join(file)).context(file)?;
    }
    std::fs::copy(&program, folder.join("treemind"))?;
    let mut parts = crates(root)?;
    parts.extend(packages(&root.join("studio"))?);
    std::fs::write(folder.join("THIRD-PARTY.txt"), listed(&parts))?;
    let archive = format!("{name}.tar.gz");
    let owner = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    let args = [&owner[..], &["-czf", &archive, &name]].concat();
    said(&archives, "tar", &args)?;
    let sum = said(&archives, "sha256sum", &[&archive])?;
    std::fs::write(
        archives.join(format!("{archive}.sha256")),
        format!("{sum}\n"),
    )?;
    println!("{}", archives.join(&archive).display());
    println!("{} parts from elsewhere, with their licences", parts.len());
    Ok(())
}

/// What a program prints.
fn said(folder: &Path, program: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .current_dir(folder)
        .args(args)
        .output()
        .with_context(|| format!("{program} does not start"))?;
    ensure!(
        output.status.success(),
        "{program} failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The crates that the program is linked from, but for our own.
fn crates(root: &Path) -> Result<Vec<Part>> {
    let output = cargo(root)
        .args(["metadata", "--format-version=1"])
        .output()
        .context("cargo does not start")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("no JSON")?;
    let tree = cargo(root)
        .args([
            "tree",
            "--package=treemind_cli",
            "--edges=normal",
            "--prefix=none",
        ])
        .args(["--format={p}", "--no-dedupe"])
        .output()
        .context("cargo does not start")?;
    ensure!(tree.status.success(), "cargo cannot list the crates");
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    let mut linked: Vec<&str> = tree.lines().collect();
    linked.sort_unstable();
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut parts = Vec::new();
    for package in packages
        .iter()
        .filter(|package| !package["source"].is_null())
    {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} v{}", text("name"), text("version"));
        let is_linked = |line: &&&str| {
            line.strip_prefix(&*name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if linked.iter().any(|line| is_linked(&line)) {
            let manifest = PathBuf::from(text("manifest_path"));
            let mut texts = texts(manifest.parent().context("a folder")?)?;
            if texts.is_empty() {
                let authors = package["authors"].as_array().into_iter().flatten();
                let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
                texts.push(usual(root, (&name, text("license")), &authors)?);
            }
            parts.push(Part {
                texts,
                licence: text("license").to_owned(),
                name,
            });
        }
    }
    Ok(parts)
}

/// The usual text of a licence, for a package that names it and brings no text along.
fn usual(root: &Path, (name, licence): (&str, &str), authors: &[&str]) -> Result<String> {
    let ours = |file: &str| std::fs::read_to_string(root.join(file)).context(file.to_owned());
    let is = |one: &str| licence.split([' ', '/', '(', ')']).any(|word| word == one);
    if is("Apache-2.0") {
        return ours("LICENSE-APACHE");
    }
    ensure!(
        is("MIT"),
        "{name} has no text of its licence in its package: {licence}"
    );
    let holders = match authors {
        [] => format!("the authors of {name}"),
        some => some.join(", "),
    };
    let text = ours("LICENSE-MIT")?;
    let owner = text.lines().find(|line| line.starts_with("Copyright"));
    let owner = owner.context("LICENSE-MIT names nobody")?;
    Ok(text.replacen(owner, &format!("Copyright (c) {holders}"), 1))
}

/// The packages of npm that are in the page of the studio.
fn packages(studio: &Path) -> Result<Vec<Part>> {
    let lock = std::fs::read(studio.join("package-lock.json"))?;
    let lock: Value = serde_json::from_slice(&lock).context("package-lock.json")?;
    let all = lock["packages"].as_object().context("no packages")?;
    let mut parts = Vec::new();
    for (place, package) in all {
        let (false, false) = (place.is_empty(), package["dev"] == true) else {
            continue;
        };
        let folder = studio.join(place);
        ensure!(folder.is_dir(), "`npm ci` in studio/ installs {place}");
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        parts.push(Part {
            name: format!(
                "{} v{}",
                place.trim_start_matches("node_modules/"),
                text("version")
            ),
            licence: text("license"),
            texts: texts(&folder)?,
        });
    }
    Ok(parts)
}

/// The licences in a folder.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_file() && LICENCES.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    let read = |path: &PathBuf| Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned());
    files.iter().map(read).collect()
}

/// All parts with their licences; each text once, with a number.
fn listed(parts: &[Part]) -> String {
    let mut numbers = BTreeMap::new();
    let mut order = Vec::new();
    let mut out = "The program `treemind` contains parts of these works, besides the standard library of Rust\n\
                   (MIT OR Apache-2.0). The numbers are those of the texts below.\n\n"
        .to_owned();
    for part in parts {
        let mut own = Vec::new();
        for text in part.texts.iter().map(|text| text.trim()) {
            let next = numbers.len() + 1;
            let number = *numbers.entry(text).or_insert_with(|| {
                order.push(text);
                next
            });
            own.push(number.to_string());
        }
        let own = match own.is_empty() {
            true => "the package has no text of it".to_owned(),
            false => own.join(", "),
        };
        let _ = writeln!(out, "{}: {} ({own})", part.name, part.licence);
    }
    for (number, text) in (1..).zip(order) {
        let _ = write!(out, "\n\n──── {number} ────\n\n{text}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_a_text_gets_the_usual_one() {
        let root = crate::workspace_root().expect("a workspace");
        let of = |licence: &str, authors: &[&str]| usual(&root, ("a v1", licence), authors);
        let mit = of("MIT", &["Ann", "Bob"]).expect("a text");
        assert!(mit.contains("Copyright (c) Ann, Bob\n"), "{mit}");
        assert!(mit.contains("WITHOUT WARRANTY"), "{mit}");
        let nobody = of("MIT", &[]).expect("a text");
        assert!(nobody.contains("Copyright (c) the authors of a v1\n"));
        for both in ["MIT/Apache-2.0", "Apache-2.0 OR MIT"] {
            let text = of(both, &[]).expect("a text");
            assert!(text.contains("Apache License"), "{text}");
        }
        assert!(of("MPL-2.0", &[]).is_err());
    }

    #[test]
    fn each_licence_is_there_once() {
        let part = |name: &str, texts: &[&str]| Part {
            name: name.to_owned(),
            licence: "MIT".to_owned(),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        let out = listed(&[
            part("a v1", &["One\n"]),
            part("b v2", &["Two", "One"]),
            part("c v3", &[]),
        ]);
        assert!(out.contains(
            "a v1: MIT (1)\nb v2: MIT (2, 1)\nc v3: MIT (the package has no text of it)\n"
        ));
        assert_eq!(out.matches("One").count(), 1);
    }
}
