//! Licences of all dependencies.

use super::Finding;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::Path;

/// Licences that require only attribution.
const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
];

/// The same, for unchanged sources: Zlib requires that changed sources be marked.
const ALLOWED_UNCHANGED: [&str; 1] = ["Zlib"];

/// Packages that are used although their licence is not in the lists, each with the reason.
const EXCEPTIONS: [Exception; 0] = [];

struct Exception {
    package: &'static str,
    /// The licence that was checked; another one needs a new check.
    licence: &'static str,
    reason: &'static str,
}

/// A package from outside the workspace.
#[derive(Debug)]
pub(super) struct Outside {
    name: String,
    version: String,
    licence: Option<String>,
}

/// The packages to which cargo resolves the dependencies of the workspace, for all platforms, including tests.
pub(super) fn resolved_packages(root: &Path) -> Result<Vec<Outside>> {
    let output = crate::cargo(root)
        .args(["metadata", "--format-version", "1"])
        .output()
        .context("cargo does not start")?;
    if !output.status.success() {
        bail!(
            "`cargo metadata` failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    outside_packages(&output.stdout)
}

/// The packages in the output of `cargo metadata` that come from outside the workspace.
fn outside_packages(metadata: &[u8]) -> Result<Vec<Outside>> {
    let metadata: Value =
        serde_json::from_slice(metadata).context("`cargo metadata` printed no JSON")?;
    let packages = metadata["packages"]
        .as_array()
        .context("`cargo metadata` printed no packages")?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let outside = packages
        .iter()
        .filter(|package| !package["source"].is_null());
    Ok(outside
        .map(|package| Outside {
            name: text(&package["name"]).unwrap_or_default(),
            version: text(&package["version"]).unwrap_or_default(),
            licence: text(&package["license"]),
        })
        .collect())
}

/// Checks that every package may be used, by its licence or as an exception, and that every exception is needed.
pub(super) fn check(packages: &[Outside]) -> Vec<Finding> {
    check_against(packages, &EXCEPTIONS)
}

fn check_against(packages: &[Outside], exceptions: &[Exception]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Outside {
        name,
        version,
        licence,
    } in packages
    {
        let excepted = exceptions.iter().any(|exception| {
            exception.package == name && licence.as_deref() == Some(exception.licence)
        });
        let problem = match licence {
            _ if excepted => continue,
            None => "names no licence".to_owned(),
            Some(licence) => match is_allowed(licence) {
                Some(true) => continue,
                Some(false) => format!(
                    "is licensed as {licence}, which is not in the list of xtask/src/tidy/licences.rs"
                ),
                None => format!("has a licence that is not SPDX: {licence}"),
            },
        };
        let sentence = format!("the package {name} {version} {problem}");
        findings.push(Finding::new("Cargo.lock", 1, sentence));
    }
    for exception in exceptions {
        if !packages
            .iter()
            .any(|package| package.name == exception.package)
        {
            let sentence = format!(
                "the exception for {} ({}) is not needed any more",
                exception.package, exception.reason
            );
            findings.push(Finding::new("xtask/src/tidy/licences.rs", 1, sentence));
        }
    }
    findings
}

/// Whether allowed licences satisfy an SPDX expression; `None` if it is not such an expression.
fn is_allowed(expression: &str) -> Option<bool> {
    // Before SPDX, cargo used `/` for OR.
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (answer, rest) = any_of(&words)?;
    rest.is_empty().then_some(answer)
}

/// `A OR B …`, which binds weakest.
fn any_of<'a>(words: &'a [&'a str]) -> Option<(bool, &'a [&'a str])> {
    let (mut answer, mut rest) = all_of(words)?;
    while let ["OR", after @ ..] = rest {
        let (next, left) = all_of(after)?;
        (answer, rest) = (answer || next, left);
    }
    Some((answer, rest))
}

/// `A AND B …`.
fn all_of<'a>(words: &'a [&'a str]) -> Option<(bool, &'a [&'a str])> {
    let (mut answer, mut rest) = single(words)?;
    while let ["AND", after @ ..] = rest {
        let (next, left) = single(after)?;
        (answer, rest) = (answer && next, left);
    }
    Some((answer, rest))
}

/// A licence, perhaps with an SPDX exception, or an expression in parentheses.
fn single<'a>(words: &'a [&'a str]) -> Option<(bool, &'a [&'a str])> {
    match words {
        ["(", inner @ ..] => match any_of(inner)? {
            (answer, [")", rest @ ..]) => Some((answer, rest)),
            _ => None,
        },
        [")" | "OR" | "AND" | "WITH", ..] | [] => None,
        [licence, "WITH", exception, rest @ ..] => {
            Some((is_listed(&format!("{licence} WITH {exception}")), rest))
        }
        [licence, rest @ ..] => Some((is_listed(licence), rest)),
    }
}

fn is_listed(licence: &str) -> bool {
    ALLOWED.contains(&licence) || ALLOWED_UNCHANGED.contains(&licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, licence: &str) -> Outside {
        Outside {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: Some(licence.to_owned()),
        }
    }

    fn sentences(packages: &[Outside], exceptions: &[Exception]) -> Vec<String> {
        check_against(packages, exceptions)
            .iter()
            .map(Finding::to_string)
            .collect()
    }

    #[test]
    fn expressions_are_understood() {
        let cases = [
            ("MIT", Some(true)),
            ("GPL-3.0-only", Some(false)),
            ("MIT OR GPL-3.0-only", Some(true)),
            ("MIT AND GPL-3.0-only", Some(false)),
            ("Apache-2.0/MIT", Some(true)),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", Some(true)),
            ("(MIT OR Apache-2.0) AND NCSA", Some(false)),
            ("GPL-2.0-only OR MIT AND ISC", Some(true)),
            ("MIT OR ISC AND GPL-2.0-only", Some(true)),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", Some(true)),
            ("GPL-2.0-only WITH Classpath-exception-2.0", Some(false)),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Apache-2.0", None),
            ("", None),
        ];
        for (expression, expected) in cases {
            assert_eq!(is_allowed(expression), expected, "{expression}");
        }
    }

    #[test]
    fn packages_that_may_not_be_used_are_found() {
        let nameless = Outside {
            licence: None,
            ..package("nameless", "")
        };
        let packages = [
            package("good", "MIT OR Apache-2.0"),
            package("bad", "GPL-3.0-only"),
            nameless,
            package("odd", "MIT,"),
        ];
        assert_eq!(
            sentences(&packages, &[]),
            [
                "Cargo.lock:1: the package bad 1.0.0 is licensed as GPL-3.0-only, which is not in the list of xtask/src/tidy/licences.rs",
                "Cargo.lock:1: the package nameless 1.0.0 names no licence",
                "Cargo.lock:1: the package odd 1.0.0 is licensed as MIT,, which is not in the list of xtask/src/tidy/licences.rs",
            ]
        );
    }

    #[test]
    fn an_exception_holds_for_one_licence_and_only_while_it_is_needed() {
        let exception = || Exception {
            package: "odd",
            licence: "NCSA",
            reason: "for tests",
        };
        assert_eq!(
            sentences(&[package("odd", "NCSA")], &[exception()]),
            [""; 0]
        );
        assert_eq!(
            sentences(&[package("odd", "GPL-3.0-only")], &[exception()]).len(),
            1
        );
        assert_eq!(
            sentences(&[], &[exception()]),
            [
                "xtask/src/tidy/licences.rs:1: the exception for odd (for tests) is not needed any more"
            ]
        );
    }

    #[test]
    fn members_of_the_workspace_are_passed_over() {
        let metadata = r#"{ "packages": [
            { "name": "ours", "version": "0.1.0", "license": null, "source": null },
            { "name": "theirs", "version": "2.0.0", "license": "GPL-3.0-only", "source": "registry" }
        ] }"#;
        let packages = outside_packages(metadata.as_bytes()).unwrap();
        assert_eq!(sentences(&packages, &[]).len(), 1);
        assert!(outside_packages(b"{}").is_err());
    }
}
