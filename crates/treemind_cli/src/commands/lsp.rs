//! `treemind lsp`: documents in editors.

use crate::io::{self, Failure};
use std::io::BufReader;

/// Serve editors: mistakes while you type, completion, renaming, and more, by the language server protocol.
///
/// An editor starts this command itself, and talks to it over standard input and output. `docs/editors.md` says how to
/// set up VS Code, Neovim, Helix, Zed and Emacs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Nothing but what it does anyway: some editors add this.
    #[arg(long, hide = true)]
    stdio: bool,
}

const AFTER: &str = "\
Examples:
  treemind lsp                               what an editor starts

Exit status: 0 when the editor has shut it down, 1 when the editor went away.";

pub(crate) fn run(_: &Args) -> Result<(), Failure> {
    treemind_lsp::note_panics();
    let served = treemind_lsp::serve(BufReader::new(std::io::stdin()), std::io::stdout());
    match served {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::failed(
            "the editor went away without ending the server".to_owned(),
        )),
        Err(error) => Err(io::unwritten(error)),
    }
}
