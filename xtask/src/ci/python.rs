//! The wheel for Python: packed, installed into an environment of its own, and tested there.
//!
//! `maturin build` would build every crate again, because cargo joins the features of the packages that it is asked for.
//! So the library is built together with all others and with their tests, which join the features of what only tests
//! need: of that, the build of tests has left nearly everything behind. maturin only says what else is in a wheel.
//!
//! Monitors in Python that others wrote look at a guard who plays, in the same environment.

use super::{BEVY_FEATURES, cargo};
use crate::machine;
use anyhow::{Context as _, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need beside the wheel, and what it is packed by.
const PACKAGES: [&str; 10] = [
    "btview>=0.2,<0.3",
    "gymnasium>=1.1",
    "maturin>=1.16,<2",
    "mypy",
    "nanoarrow",
    "numpy",
    "pettingzoo>=1.25",
    "pytest",
    "pyzmq",
    "wheel",
];

pub(super) fn check(root: &Path) -> Result<()> {
    machine::need_one("python3", std::env::var_os("CI").is_some())?;
    let args = [
        "build",
        "--workspace",
        "--lib",
        "--tests",
        "--quiet",
        "--features",
        BEVY_FEATURES,
    ];
    cargo(root, &args, "the wheel does not build")?;
    let place = Place::new(root)?;
    let wheel = place.pack()?;
    let wheel = wheel.as_os_str();
    place.python(
        root,
        [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--force-reinstall",
            "--no-deps",
        ]
        .map(OsStr::new),
        &[wheel],
    )?;
    // From this folder no test finds the sources of the package instead of what was installed.
    let crate_of = root.join("crates/treemind_python");
    let pytest = [
        "-m",
        "pytest",
        "-m",
        "not by_hand",
        "-p",
        "no:cacheprovider",
    ];
    place.python(&crate_of, pytest.map(OsStr::new), &[])?;
    let mypy = [
        "-m",
        "mypy",
        "--strict",
        "--cache-dir=/dev/null",
        "python",
        "tests",
    ];
    place.python(&crate_of, mypy.map(OsStr::new), &[])?;
    let monitors = root.join("crates/treemind_groot/tests/monitors");
    place.python(&monitors, pytest.map(OsStr::new), &[])
}

/// The folder of everything that this makes.
struct Place<'r> {
    root: &'r Path,
    folder: PathBuf,
}

impl<'r> Place<'r> {
    /// A clean environment, with the packages that the tests need.
    fn new(root: &'r Path) -> Result<Self> {
        let folder = root.join("target/python");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let made = Self { root, folder };
        let venv = made.folder.join("venv");
        let mut command = Command::new("python3");
        succeed(command.arg("-m").arg("venv").arg(venv))?;
        let install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ];
        made.python(root, install.map(OsStr::new), &PACKAGES.map(OsStr::new))?;
        Ok(made)
    }

    /// Runs the interpreter of the environment.
    fn python<const N: usize>(
        &self,
        folder: &Path,
        args: [&OsStr; N],
        more: &[&OsStr],
    ) -> Result<()> {
        let mut command = Command::new(self.folder.join("venv/bin/python"));
        // The tests of the command line have built it.
        let program = self.root.join("target/debug/treemind");
        command
            .current_dir(folder)
            .env_remove("PYTHONPATH")
            .env("TREEMIND_PROGRAM", program);
        succeed(command.args(args).args(more))
    }

    /// The wheel, from the built library.
    fn pack(&self) -> Result<PathBuf> {
        let crate_of = self.root.join("crates/treemind_python");
        let content = self.folder.join("content");
        let mut command = Command::new(self.folder.join("venv/bin/maturin"));
        command
            .current_dir(&crate_of)
            .args(["pep517", "write-dist-info"]);
        command.arg("--metadata-directory").arg(&content);
        succeed(
            command
                .arg("--interpreter")
                .arg(self.folder.join("venv/bin/python")),
        )?;
        let package = content.join("treemind");
        fs::create_dir_all(&package)?;
        for file in fs::read_dir(crate_of.join("python/treemind"))? {
            let file = file?.path();
            let is_source = ["py", "pyi", "typed"]
                .map(OsStr::new)
                .map(Some)
                .contains(&file.extension());
            if let Some(name) = file.file_name().filter(|_| is_source) {
                fs::copy(&file, package.join(name))?;
            }
        }
        let built = self.root.join("target/debug/lib_native.so");
        fs::copy(&built, package.join("_native.abi3.so"))
            .with_context(|| format!("there is no {}", built.display()))?;
        let wheels = self.folder.join("wheels");
        fs::create_dir_all(&wheels)?;
        let pack = ["-m", "wheel", "pack", "--dest-dir"].map(OsStr::new);
        self.python(self.root, pack, &[wheels.as_os_str(), content.as_os_str()])?;
        let wheel = fs::read_dir(&wheels)?
            .next()
            .context("there is no wheel")??;
        Ok(wheel.path())
    }
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status();
    let status = status.with_context(|| format!("{command:?} does not start"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
