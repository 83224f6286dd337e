//! What the checks need beyond Rust.

use anyhow::{Result, ensure};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A program that a check runs, and the packages of Debian and its derivatives that bring it.
struct Program {
    name: &'static str,
    packages: &'static [&'static str],
    /// The variable that may name another program instead.
    instead: Option<&'static str>,
    /// What it is called with to see whether it works.
    proof: &'static [&'static str],
}

const PROGRAMS: [Program; 5] = [
    Program {
        name: "npm",
        packages: &["nodejs", "npm"],
        instead: None,
        proof: &["--version"],
    },
    Program {
        name: "chromium",
        packages: &["chromium"],
        instead: Some("CHROMIUM"),
        proof: &["--version"],
    },
    Program {
        name: "nvim",
        packages: &["neovim"],
        instead: None,
        proof: &["--version"],
    },
    Program {
        name: "valgrind",
        packages: &["valgrind"],
        instead: None,
        proof: &["--version"],
    },
    Program {
        name: "python3",
        packages: &["python3", "python3-venv"],
        instead: None,
        // Debian has the interpreter without what makes an environment.
        proof: &["-c", "import ensurepip, venv"],
    },
];

/// How long all programs have computed that this one has started and that have ended, where the system tells.
pub(crate) fn computed() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may have blanks in it.
    let (_, fields) = stat.rsplit_once(')')?;
    // In user and in system mode: the 16th and the 17th field, of which the first two are cut off.
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.map(str::parse::<u64>).sum::<Result<u64, _>>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// Makes sure that every program is there. Installs what is missing with the package manager of the system, if that is
/// allowed.
pub(crate) fn need_all(may_install: bool) -> Result<()> {
    need(PROGRAMS.iter(), may_install)
}

/// The same for one of them.
pub(crate) fn need_one(name: &str, may_install: bool) -> Result<()> {
    let of_name = PROGRAMS.iter().filter(|program| program.name == name);
    need(of_name, may_install)
}

fn need(programs: impl Iterator<Item = &'static Program>, may_install: bool) -> Result<()> {
    let missing: Vec<&Program> = programs.filter(|program| !program.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.iter().map(|program| program.name);
    let names = names.collect::<Vec<_>>().join(", ");
    ensure!(
        may_install,
        "this machine lacks {names}: `cargo xtask ci --install` installs it with apt-get"
    );
    println!("ci: this machine lacks {names}; apt-get installs it");
    let packages = missing.iter().flat_map(|program| program.packages);
    install(&packages.copied().collect::<Vec<_>>())?;
    let still = missing.iter().find(|program| !program.is_there());
    ensure!(
        still.is_none(),
        "{} does not start after its installation",
        still.map_or("", |program| program.name)
    );
    Ok(())
}

impl Program {
    fn is_there(&self) -> bool {
        let is_named = self
            .instead
            .is_some_and(|variable| std::env::var_os(variable).is_some());
        is_named || works(self.name, self.proof)
    }
}

/// Installs packages of the system.
fn install(packages: &[&str]) -> Result<()> {
    let update = ["update", "--quiet"];
    let more = ["install", "--quiet", "--yes", "--no-install-recommends"];
    for args in [&update[..], &[&more[..], packages].concat()] {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        let is_done = command.status().is_ok_and(|status| status.success());
        ensure!(
            is_done,
            "`apt-get {}` failed: install {} by hand",
            args.join(" "),
            packages.join(", ")
        );
    }
    Ok(())
}

/// Whether a program runs with these arguments and succeeds.
pub(crate) fn works(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_programs_compute_is_counted() {
        let before = computed().unwrap();
        let busy = "n=0; while [ $n -lt 60000 ]; do n=$((n + 1)); done";
        let mut command = Command::new("sh");
        assert!(command.args(["-c", busy]).status().unwrap().success());
        assert!(computed().unwrap() > before);
    }

    #[test]
    fn nothing_is_installed_unasked() {
        static MISSING: Program = Program {
            name: "treemind-no-such-program",
            packages: &["treemind-no-such-package"],
            instead: None,
            proof: &["--version"],
        };
        let error = need([&MISSING].into_iter(), false).unwrap_err().to_string();
        assert!(error.contains("lacks treemind-no-such-program"), "{error}");
        assert!(error.contains("cargo xtask ci --install"), "{error}");
    }
}
