//! How the states of runs are saved.

use super::super::bulk::panic_text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a state becomes bytes, and comes back.
pub(in super::super) struct Keep<S> {
    save: fn(&S) -> Result<Vec<u8>, String>,
    restore: fn(&[u8]) -> Result<S, String>,
}

impl<S> Clone for Keep<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Keep<S> {}

impl<S: Default + Serialize + DeserializeOwned> Keep<S> {
    /// By serde. Tries it with the first state of every run; the error names the type.
    pub(in super::super) fn by_serde() -> (Self, Result<(), String>) {
        let keep = Self {
            save: |state| postcard::to_stdvec(state).map_err(|error| error.to_string()),
            restore: |bytes| match postcard::take_from_bytes(bytes) {
                Ok((state, [])) => Ok(state),
                Ok(_) => Err("there is more than belongs to it".to_owned()),
                Err(error) => Err(error.to_string()),
            },
        };
        // A type can have its own way of writing and reading, which may panic.
        let trial = catch_unwind(AssertUnwindSafe(|| {
            let bytes = (keep.save)(&S::default())?;
            (keep.restore)(&bytes).map(|_| ())
        }));
        let trial = trial.unwrap_or_else(|panic| Err(panic_text(&*panic)));
        let named = |why| format!("the type `{}` cannot be saved: {why}", type_name::<S>());
        (keep, trial.map_err(named))
    }
}

impl<S> Keep<S> {
    /// A state as bytes; `None` if this one cannot be written.
    pub(super) fn save(&self, state: &S) -> Option<Vec<u8>> {
        catch_unwind(AssertUnwindSafe(|| (self.save)(state).ok()))
            .ok()
            .flatten()
    }

    pub(super) fn restore(&self, bytes: &[u8]) -> Result<S, String> {
        let restored = catch_unwind(AssertUnwindSafe(|| (self.restore)(bytes)));
        restored.unwrap_or_else(|panic| Err(panic_text(&*panic)))
    }
}
