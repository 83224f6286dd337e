//! Steps that run beside the others. Each keeps what it prints until it has ended, so that no lines are mixed.

use anyhow::{Context as _, Result, ensure};
use std::io::{Read as _, Seek as _, Write as _};
use std::process::{Child, Command, Stdio};

/// Steps that run one after the other, beside whatever this thread does.
pub(super) struct Side {
    running: Option<Child>,
    output: std::fs::File,
    names: String,
}

impl Side {
    /// Starts this program again, for these steps.
    pub(super) fn begin(names: &[&str]) -> Result<Side> {
        let program = std::env::current_exe().context("this program cannot be found")?;
        let output = tempfile::tempfile().context("there is no room for temporary files")?;
        let child = Command::new(program)
            .arg("step")
            .args(names)
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?)
            .spawn()
            .context("this program does not start again")?;
        Ok(Side {
            running: Some(child),
            output,
            names: names.join(" and "),
        })
    }

    /// Waits until the steps have ended, and prints what they have printed.
    pub(super) fn finish(mut self) -> Result<()> {
        let Some(mut child) = self.running.take() else {
            return Ok(());
        };
        let status = child.wait().context("a step cannot be waited for")?;
        self.print()?;
        ensure!(status.success(), "{} failed: see above", self.names);
        Ok(())
    }

    /// Prints what the steps have printed.
    fn print(&mut self) -> Result<()> {
        let mut printed = Vec::new();
        self.output.rewind()?;
        self.output.read_to_end(&mut printed)?;
        Ok(std::io::stdout().write_all(&printed)?)
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            // The run has failed already. To end this program would leave those that it has started behind; and what
            // they find saves another run.
            println!("ci: waits for {} to end", self.names);
            let _ = child.wait();
            let _ = self.print();
        }
    }
}
