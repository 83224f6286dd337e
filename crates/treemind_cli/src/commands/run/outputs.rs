//! The files that a run writes.

use super::Args;
use crate::io::{self, Failure, Output};
use std::path::{Path, PathBuf};

/// The files that a run writes. None of them is one that it reads.
pub(super) struct Outputs {
    pub(super) record: Option<Output>,
    pub(super) save: Option<Output>,
    pub(super) keys: Option<Output>,
    pub(super) picture: Option<Output>,
    /// Where the live view saves the game, or why it cannot.
    pub(super) saves: Saves,
}

/// Where the live view saves the game, or why it cannot.
pub(super) type Saves = Result<Output, String>;

impl Outputs {
    /// Claims them, when all inputs have been read.
    pub(super) fn claim(args: &Args, file: &Path) -> Result<Self, Failure> {
        let claim = |what, path: Option<&PathBuf>, replaced: Option<&PathBuf>| {
            let output = path.map(|path| Output::claim_over(what, path, replaced));
            output.transpose().map_err(io::refused)
        };
        let picture = args.svg.as_ref().filter(|path| !io::is_stdin(path));
        let picture = claim("--svg", picture, None)?;
        let record = claim("--record", args.record.as_ref(), None)?;
        // A game that goes on is saved again, and keys are added to.
        let save = claim("--save", args.save.as_ref(), args.load.as_ref())?;
        let keys = claim("--write-keys", args.write_keys.as_ref(), args.keys.as_ref())?;
        let saves = match (&save, &args.load) {
            (Some(save), _) => Ok(save.clone()),
            (None, Some(load)) => Output::claim_over("F5", load, [load]),
            (None, None) => Output::claim_over("F5", &file.with_extension("save"), None),
        };
        Ok(Self {
            record,
            save,
            keys,
            picture,
            saves: saves.map_err(|clash| io::sentence(&clash)),
        })
    }

    /// Whether the run writes something besides its log.
    pub(super) fn are_there(&self) -> bool {
        self.record.is_some() || self.are_more_than_recording()
    }

    fn are_more_than_recording(&self) -> bool {
        self.save.is_some() || self.keys.is_some()
    }

    /// Begins a recording, if there is one. When that fails, and there is more to be written at the end, it is told, the run
    /// goes on without it, and the failure is that of the recording at the end.
    pub(super) fn begin_recording<R>(
        &self,
        begin: impl FnOnce(&Output) -> Result<R, Failure>,
    ) -> Result<(Option<R>, Result<(), Failure>), Failure> {
        let begun = self.record.as_ref().map(begin).transpose();
        match begun {
            Ok(recording) => Ok((recording, Ok(()))),
            Err(failure) if self.are_more_than_recording() => {
                failure.report();
                Ok((None, Err(Failure::Reported)))
            }
            Err(failure) => Err(failure),
        }
    }
}
