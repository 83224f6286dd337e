//! `treemind new`: a project to begin with.

use crate::io::{self, Failure, print_result};
use std::fs;
use std::path::{Path, PathBuf};

/// Make a Rust project with a guard in it: a document, a game that plays it, and tests.
///
/// The project is a folder NAME. `cargo run` in it plays the guard in the terminal, `cargo test` looks whether it does
/// what it must, and its README says what to try first. Nothing that is there already is overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The name of the project, and of its folder: letters, digits, `-` and `_`, a letter first.
    #[arg(value_name = "NAME")]
    name: String,
    /// Where the crate `treemind` lies, in a checkout of it; without it, the published one is used.
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
}

const AFTER: &str = "\
Examples:
  treemind new my-guard
  treemind new my-guard --path ../treemind/crates/treemind
  cd my-guard && cargo run";

/// What the project consists of: paths, and texts in which `{{…}}` is filled in.
const FILES: [(&str, &str); 7] = [
    (
        "Cargo.toml",
        include_str!("../../templates/new/Cargo.toml.txt"),
    ),
    (
        ".gitignore",
        include_str!("../../templates/new/gitignore.txt"),
    ),
    (
        "README.md",
        include_str!("../../templates/new/README.md.txt"),
    ),
    ("guard.kdl", include_str!("../../templates/new/tree.kdl")),
    ("src/lib.rs", include_str!("../../templates/new/lib.rs.txt")),
    (
        "src/main.rs",
        include_str!("../../templates/new/main.rs.txt"),
    ),
    (
        "tests/guard.rs",
        include_str!("../../templates/new/test.rs.txt"),
    ),
];

/// Words that Rust keeps for itself, and names that would stand for something else.
const TAKEN: [&str; 60] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "alloc",
    "core",
    "std",
    "proc_macro",
    "test",
    "build",
    "deps",
    "examples",
    "treemind",
];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    fits(&args.name).map_err(|reason| {
        Failure::Usage(format!(
            "`{}` cannot be the name of a project: {reason}",
            args.name
        ))
    })?;
    let dependency = dependency(args.path.as_deref())?;
    let folder = Path::new(&args.name);
    if folder.exists() {
        return Err(Failure::Failed(format!(
            "{} is there already, and nothing is overwritten",
            folder.display()
        )));
    }
    for inner in ["src", "tests"] {
        let inner = folder.join(inner);
        fs::create_dir_all(&inner).map_err(|error| {
            Failure::Failed(format!(
                "cannot make the folder {}: {error}",
                inner.display()
            ))
        })?;
    }
    for (path, template) in FILES {
        let text = filled(template, &args.name, &dependency);
        io::write(&folder.join(path), text.as_bytes())?;
    }
    io::tell(&format!(
        "a new project in {0}; next: cd {0} && cargo run",
        folder.display()
    ));
    print_result(|out| {
        for (path, _) in FILES {
            writeln!(out, "{}", folder.join(path).display())?;
        }
        Ok(())
    })
}

/// Whether Cargo takes a name, and Rust the crate that is called so.
fn fits(name: &str) -> Result<(), &'static str> {
    const LONGEST: usize = 64;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err("it begins with a letter");
    }
    if !name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    {
        return Err("it has letters from a to z, digits, `-` and `_` only");
    }
    if name.len() > LONGEST {
        return Err("it has at most 64 letters");
    }
    if TAKEN.contains(&name.replace('-', "_").as_str()) {
        return Err("that word means something else in Rust");
    }
    Ok(())
}

/// What stands behind `treemind =`, and what the project says about that.
struct Dependency {
    written: String,
    about: String,
}

fn dependency(path: Option<&Path>) -> Result<Dependency, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let Some(path) = path else {
        return Ok(Dependency {
            written: format!("\"{version}\""),
            about: format!(
                "`Cargo.toml` asks for Treemind {version} as it is published. To build on a checkout of it instead, write\n\
                 `treemind = {{ path = \"…/crates/treemind\" }}`; `treemind new {{{{name}}}} --path …/crates/treemind` does so."
            ),
        });
    };
    let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
    let found = manifest
        .lines()
        .any(|line| line.trim() == "name = \"treemind\"");
    let whole = fs::canonicalize(path).ok().filter(|_| found);
    let Some(whole) = whole else {
        return Err(Failure::Failed(format!(
            "the crate `treemind` is not in {}; in a checkout it is in `crates/treemind`",
            path.display()
        )));
    };
    let whole = whole.to_string_lossy().replace('\\', "\\\\");
    Ok(Dependency {
        written: format!("{{ path = \"{}\" }}", whole.replace('"', "\\\"")),
        about: format!(
            "`Cargo.toml` builds on a checkout of Treemind on this machine. For the published crate, write `treemind = \"{version}\"` there."
        ),
    })
}

fn filled(template: &str, name: &str, dependency: &Dependency) -> String {
    template
        .replace("\r\n", "\n")
        .replace("{{about-dependency}}", &dependency.about)
        .replace("{{dependency}}", &dependency.written)
        .replace("{{crate}}", &name.replace('-', "_"))
        .replace("{{name}}", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_cargo_takes() {
        for name in ["guard", "my-guard", "a1_b"] {
            assert_eq!(fits(name), Ok(()), "{name}");
        }
        let long = "a".repeat(65);
        for name in [
            "",
            "1st",
            "-x",
            "my guard",
            "wächter",
            "a/b",
            "..",
            "match",
            "proc-macro",
            "treemind",
            &long,
        ] {
            assert!(fits(name).is_err(), "{name}");
        }
    }

    #[test]
    fn the_document_of_a_new_project_is_well_and_formatted() {
        let text = include_str!("../../templates/new/tree.kdl").replace("\r\n", "\n");
        let document = treemind_doc::Document::parse(&text, "guard.kdl");
        assert_eq!(document.diagnostics(), []);
        assert_eq!(
            treemind_doc::format(&text, "guard.kdl").as_deref(),
            Ok(text.as_str())
        );
    }
}
