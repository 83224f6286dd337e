//! `treemind new`: a project to start from.

use crate::io::{self, Failure, Line, Output, print_exact};
use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::visible_line;

/// Make a Rust project with a guard in it: a document, a game that plays it, and tests.
///
/// The project is a new folder NAME. In it, `cargo run` plays the guard in the terminal, `cargo test` checks what it
/// does, and the README says what to try first. Existing files and folders are never overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The name of the project and its folder: letters, digits, `-` and `_`, beginning with a letter.
    #[arg(value_name = "NAME")]
    name: String,
    /// The folder of the crate `treemind` that the project depends on. Default: the one that this program was built
    /// with, if it is still there, else the published version.
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
}

const AFTER: &str = "\
Examples:
  treemind new my-guard
  cd my-guard
  cargo run";

/// The crate `treemind` that this program was built with, as long as it has not been moved.
const BUILT_WITH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../treemind");

/// Whether this version of the crate `treemind` is published. To be changed with the first release.
const IS_PUBLISHED: bool = false;

/// The files of the project: their paths, and their texts with `{{…}}` as placeholders.
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

/// Keywords of Rust.
const KEYWORDS: &str = "\
    Self abstract as async await become box break const continue crate do dyn else enum \
    extern false final fn for gen if impl in let loop macro match mod move mut override \
    priv pub ref return self static struct super trait true try type typeof unsafe unsized \
    use virtual where while yield macro_rules";

/// Crates that come with Rust.
const OF_RUST: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// Folders of Cargo beside the program that it builds.
const OF_CARGO: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// Crates that the project depends on.
const OF_TREEMIND: [&str; 3] = ["treemind", "treemind_core", "treemind_doc"];

/// Devices of Windows, which has no files and folders of such names, in capitals or not.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    fits(&args.name).map_err(|reason| {
        Failure::Usage(format!(
            "`{}` cannot be the name of a project: {reason}\n  help: for instance `{}`",
            visible_line(&args.name),
            suggestion(&args.name)
        ))
    })?;
    let dependency = dependency(args.path.as_deref(), Path::new(BUILT_WITH))?;
    let folder = Path::new(&args.name);
    if folder.exists() {
        return Err(Failure::failed(format!(
            "{} already exists, and nothing is overwritten",
            folder.display()
        )));
    }
    if let Some(warning) = &dependency.warning {
        io::tell(Line::warning(warning));
    }
    for inner in ["src", "tests"] {
        let inner = folder.join(inner);
        fs::create_dir_all(&inner).map_err(|error| {
            Failure::failed(format!(
                "cannot make the folder {}: {}",
                io::display_name(&inner),
                io::reason(&error)
            ))
        })?;
    }
    for (path, template) in FILES {
        let text = filled(template, &args.name, &dependency);
        Output::in_place(&folder.join(path)).write(text.as_bytes())?;
    }
    io::tell(format!(
        "a new project in {0}; next: cd {0} && cargo run",
        folder.display()
    ));
    print_exact(|out| {
        for (path, _) in FILES {
            writeln!(out, "{}", folder.join(path).display())?;
        }
        Ok(())
    })
}

/// How many characters a name can have.
const LONGEST: usize = 64;
/// What makes another name of one that is taken.
const MORE: &str = "-guard";

/// Whether Cargo, Rust and all systems accept a name.
fn fits(name: &str) -> Result<(), &'static str> {
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err("it must begin with a letter");
    }
    if !name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    {
        return Err("it can only contain letters from a to z, digits, `-` and `_`");
    }
    if name.len() > LONGEST {
        return Err("it can have at most 64 characters");
    }
    let of_crate = name.replace('-', "_");
    let is_one = |all: &[&str]| all.contains(&of_crate.as_str());
    if KEYWORDS.split(' ').any(|word| word == of_crate) {
        return Err("it is a keyword of Rust");
    }
    if is_one(&OF_RUST) {
        return Err("it is a crate that comes with Rust");
    }
    if is_one(&OF_CARGO) {
        return Err("Cargo has a folder of that name beside the program");
    }
    if is_one(&OF_TREEMIND) {
        return Err("it is a crate that the project depends on");
    }
    if is_device(name) {
        return Err("it is a device of Windows, where there can be no such folder");
    }
    Ok(())
}

fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let has_number = |rest: &str| matches!(rest.as_bytes(), [b'0'..=b'9']);
    let numbered = ["com", "lpt"].iter();
    let mut numbered = numbered.filter_map(|device| name.strip_prefix(device));
    DEVICES.contains(&name.as_str()) || numbered.any(has_number)
}

/// A name like this one that can be that of a project.
fn suggestion(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let plain = words.join("-");
    let plain = plain.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let short = plain.get(..LONGEST - MORE.len()).unwrap_or(plain);
    let tries = [short.to_owned(), format!("{short}{MORE}")];
    let fitting = tries.into_iter().find(|one| fits(one).is_ok());
    fitting.unwrap_or_else(|| "my-guard".to_owned())
}

/// What the project depends on.
struct Dependency {
    /// The text after `treemind =` in its manifest.
    written: String,
    /// The README's sentence about it.
    about: String,
    /// A warning to show before anything is written.
    warning: Option<String>,
}

/// The crate in the requested folder, else the one that the program was built with, else the published one.
fn dependency(asked: Option<&Path>, built_with: &Path) -> Result<Dependency, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let found = match asked {
        Some(path) => Some(library(path).ok_or_else(|| {
            Failure::failed(format!(
                "the crate `treemind` is not in {}; in a checkout it is in `crates/treemind`",
                io::display_name(path)
            ))
        })?),
        None => library(built_with),
    };
    let Some(path) = found else {
        return Ok(Dependency {
            written: format!("{{ version = \"{version}\", features = [\"fancy\"] }}"),
            about: format!(
                "`Cargo.toml` asks for the published Treemind {version}. To build with a checkout instead, write\n\
                 `treemind = {{ path = \"…/crates/treemind\" }}`; `treemind new {{{{name}}}} --path …/crates/treemind` does so."
            ),
            warning: (!IS_PUBLISHED).then(|| {
                format!(
                    "Treemind {version} is not published yet, so the project does not build until `--path` or its \
                     Cargo.toml names a checkout of the crate `treemind`"
                )
            }),
        });
    };
    let written = path.to_string_lossy().replace('\\', "\\\\");
    let written = written.replace('"', "\\\"");
    Ok(Dependency {
        written: format!("{{ path = \"{written}\", features = [\"fancy\"] }}"),
        about: format!(
            "`Cargo.toml` names a checkout of Treemind on this machine. To use the published crate instead, write\n\
             `treemind = \"{version}\"`."
        ),
        warning: None,
    })
}

/// The full path of a folder, if it contains the crate `treemind`.
fn library(folder: &Path) -> Option<PathBuf> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let is_it = manifest
        .lines()
        .any(|line| line.trim() == "name = \"treemind\"");
    fs::canonicalize(folder).ok().filter(|_| is_it)
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
        for name in ["guard", "my-guard", "a1_b", "com10", "console", "auxiliary"] {
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
            "Self",
            "self",
            "std",
            "aux",
            "CON",
            "nul",
            "com7",
            "Lpt0",
            &long,
        ] {
            assert!(fits(name).is_err(), "{name}");
            assert_eq!(fits(&suggestion(name)), Ok(()), "{name}");
        }
        for (name, wanted) in [
            ("Self", "self-guard"),
            ("aux", "aux-guard"),
            ("1st", "st"),
            ("my guard", "my-guard"),
            ("..", "my-guard"),
        ] {
            assert_eq!(suggestion(name), wanted);
        }
    }

    #[test]
    fn without_its_library_the_program_asks_for_the_published_one_and_warns() {
        let nowhere = Path::new("no/such/folder");
        let published = dependency(None, nowhere).expect("a dependency");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            published.written,
            format!("{{ version = \"{version}\", features = [\"fancy\"] }}")
        );
        assert!(published.about.contains("--path"), "{}", published.about);
        let warning = published.warning.expect("it does not build");
        assert!(warning.contains("is not published yet"), "{warning}");
        let built_with = dependency(None, Path::new(BUILT_WITH)).expect("a dependency");
        assert!(built_with.written.contains("path = "));
        assert_eq!(built_with.warning, None);
        assert!(dependency(Some(nowhere), Path::new(BUILT_WITH)).is_err());
    }

    #[test]
    fn the_document_of_a_new_project_has_no_errors_and_is_formatted() {
        let text = include_str!("../../templates/new/tree.kdl").replace("\r\n", "\n");
        let document = treemind_doc::Document::parse(&text, "guard.kdl");
        assert_eq!(document.diagnostics(), []);
        assert_eq!(
            treemind_doc::format(&text, "guard.kdl").as_deref(),
            Ok(text.as_str())
        );
    }
}
