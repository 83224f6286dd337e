//! All tests: built once, then two test programs at a time, since many of them keep one core busy for a while.

use super::{BEVY_FEATURES, cargo, command};
use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, mpsc};

/// A built test program, and the folder of its package, in which cargo would run it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binary {
    program: PathBuf,
    folder: PathBuf,
    name: String,
}

/// The test program that needs a browser. Its tests are ignored until they are asked for.
const BROWSER: &str = "studio";

/// Its tests of the built site, which run when that has been built.
pub(crate) const ALONE: &str = "alone::";

/// Runs all tests but those in a browser, prints their output, and adds up their closing lines.
pub(super) fn test(root: &Path, binaries: &[Binary], is_thorough: bool) -> Result<()> {
    let mut sum = Sum::default();
    let mut failed = Vec::new();
    side_by_side(binaries, is_thorough, |binary, output| {
        println!("ci: tests of {}", binary.name);
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            print!("{text}");
            text.lines().for_each(|line| sum.add(line));
        }
        if !output.status.success() {
            failed.push(binary.name.clone());
        }
    })?;
    println!("{sum}");
    if !failed.is_empty() {
        bail!("tests of {} failed: see above", failed.join(", "));
    }
    ensure!(sum.passed > 0, "not a single test ran");
    let mut args = vec!["test", "--workspace", "--doc", "--features", BEVY_FEATURES];
    args.push("--quiet");
    cargo(root, &args, "a program in the documentation failed")
}

/// Runs the tests of the studio's page in a real browser.
pub(super) fn in_browser(root: &Path, binaries: &[Binary]) -> Result<()> {
    let binary = browser(binaries)?;
    // A test waits a good part of its time: for the next frame, for a file, for a clock.
    let args = ["--ignored", "--test-threads=3", "--skip", ALONE];
    on_pages(|| binary.command(), &args).with_context(|| {
        let root = root.display();
        format!("the page of the studio does not do what it should, in {root}")
    })
}

/// Runs the tests of the built site in the same browser.
pub(super) fn on_the_site(site: &Path, binaries: &[Binary]) -> Result<()> {
    let binary = browser(binaries)?;
    let command = || {
        let mut command = binary.command();
        command.env("TREEMIND_SITE", site);
        command
    };
    on_pages(command, &["--ignored", "--test-threads=3", ALONE])
        .context("the site does not do what it should")
}

fn browser(binaries: &[Binary]) -> Result<&Binary> {
    let binary = binaries.iter().find(|one| one.program_name() == BROWSER);
    binary.with_context(|| format!("there is no test program `{BROWSER}`"))
}

/// As many tests of pages may fail beside one another and still be run again by themselves.
const RUN_AGAIN: usize = 3;

/// Runs tests of pages. They share the browser and its cores with others, and on a busy machine one may wait in vain for
/// what it has clicked on. So those that fail, if they are few, run once more by themselves, and it is said.
fn on_pages(command: impl Fn() -> Command, args: &[&str]) -> Result<()> {
    let mut running = command();
    let mut running = running
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .context("the tests do not start")?;
    let output = running.stdout.take().context("an output")?;
    let mut failed = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        failed.extend(failed_test(&line).map(str::to_owned));
        println!("{line}");
    }
    if running.wait()?.success() {
        return Ok(());
    }
    ensure!(!failed.is_empty(), "the tests ended without a result");
    ensure!(
        failed.len() <= RUN_AGAIN,
        "{} tests of pages failed",
        failed.len()
    );
    for name in failed {
        println!("ci: {name} failed beside others, and runs again by itself");
        let again = command().args(["--ignored", "--exact", &name]).status()?;
        ensure!(again.success(), "{name} failed twice");
    }
    Ok(())
}

/// The name in a line such as `test home::opens ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// Builds all test programs.
pub(super) fn build(root: &Path) -> Result<Vec<Binary>> {
    let args = ["test", "--workspace", "--features", BEVY_FEATURES];
    let output = command(root, &args)
        .args([
            "--no-run",
            "--quiet",
            "--message-format=json-render-diagnostics",
        ])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "the tests do not build");
    built(&String::from_utf8_lossy(&output.stdout))
}

/// The test programs among the messages of cargo.
fn built(messages: &str) -> Result<Vec<Binary>> {
    let mut binaries = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo says what is not JSON")?;
        let is_test = message["profile"]["test"] == true;
        let (Some(program), true) = (message["executable"].as_str(), is_test) else {
            continue;
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let manifest = text(&message["manifest_path"]).context("a program without a package")?;
        let folder = Path::new(&manifest).parent().context("no folder")?;
        let package = folder.file_name().context("no folder")?.to_string_lossy();
        let target = text(&message["target"]["name"]).context("a program without a name")?;
        binaries.push(Binary {
            program: program.into(),
            folder: folder.to_owned(),
            name: format!("{package}/{target}"),
        });
    }
    Ok(binaries)
}

impl Binary {
    fn program_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// The test programs that take longest. They begin first, so that at the end nobody waits for one of them.
const LONG: [&str; 3] = ["treemind_testkit/it", "treemind_cli/it", "treemind_doc/it"];

/// Runs the programs, as many at a time as there are cores, and hands on what each has printed as soon as it has ended.
fn side_by_side(
    binaries: &[Binary],
    is_thorough: bool,
    mut done: impl FnMut(&Binary, Output),
) -> Result<()> {
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    let (long, others): (Vec<&Binary>, Vec<&Binary>) = binaries
        .iter()
        .partition(|binary| LONG.contains(&&*binary.name));
    let waiting = Mutex::new(long.into_iter().chain(others));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..lanes {
            let (sender, waiting) = (sender.clone(), &waiting);
            scope.spawn(move || {
                let next = || waiting.lock().ok()?.next();
                while let Some(binary) = next() {
                    let mut command = binary.command();
                    if is_thorough {
                        command.env("TREEMIND_THOROUGH", "1");
                    }
                    let output = command.stdin(Stdio::null()).output();
                    if sender.send((binary, output)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (binary, output) in receiver {
            let output = output.with_context(|| format!("{} does not start", binary.name))?;
            done(binary, output);
        }
        Ok(())
    })
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
    fn tests_of_pages_that_fail_run_again_by_themselves() {
        let script = |text: &'static str| {
            move || {
                let mut command = Command::new("sh");
                command.args(["-c", text, "sh"]);
                command
            }
        };
        on_pages(script("echo 'test a ... ok'"), &["--ignored"]).unwrap();
        // As if it had only been slow: it fails beside others, and passes by itself.
        let flaky =
            r#"case "$*" in *--exact*) exit 0;; esac; echo 'test a::b ... FAILED'; exit 101"#;
        on_pages(script(flaky), &["--ignored"]).unwrap();
        let broken =
            r#"case "$*" in *--exact*) exit 101;; esac; echo 'test a::b ... FAILED'; exit 101"#;
        let error = on_pages(script(broken), &["--ignored"]).unwrap_err();
        assert_eq!(error.to_string(), "a::b failed twice");
        let all = r#"case "$*" in *--exact*) exit 0;; esac; for n in 1 2 3 4; do echo "test a::$n ... FAILED"; done; exit 101"#;
        let error = on_pages(script(all), &["--ignored"]).unwrap_err();
        assert_eq!(error.to_string(), "4 tests of pages failed");
        let error = on_pages(script("exit 1"), &["--ignored"]).unwrap_err();
        assert_eq!(error.to_string(), "the tests ended without a result");
    }

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
    fn test_programs_are_found_among_the_messages_of_cargo() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/a/crates/x/Cargo.toml","target":{"name":"it"},"profile":{"test":true},"executable":"/t/it-1"}
{"reason":"compiler-artifact","manifest_path":"/a/crates/x/Cargo.toml","target":{"name":"x"},"profile":{"test":false},"executable":"/t/x"}
{"reason":"compiler-artifact","manifest_path":"/a/crates/x/Cargo.toml","target":{"name":"x"},"profile":{"test":true},"executable":null}
{"reason":"build-finished","success":true}"#;
        let expected = Binary {
            program: "/t/it-1".into(),
            folder: "/a/crates/x".into(),
            name: "x/it".to_owned(),
        };
        assert_eq!(built(messages).unwrap(), [expected]);
        assert!(built("no").is_err());
    }
}
