//! What closures may return.

use std::fmt;
use treemind_core::Status;

/// Why an action could not be carried out. It is made from anything that can be displayed, so `?` works.
///
/// The run fails, and the text is kept as a fault. `TaskError` does not implement `Error` itself, as that would
/// forbid the conversion from every other error.
pub struct TaskError(String);

impl TaskError {
    /// The text of the fault.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl fmt::Debug for TaskError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl<E: fmt::Display> From<E> for TaskError {
    #[cold]
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// What the closure of a condition, or the update of an action, may return: [`Status`], `bool` (`true` is success),
/// or a `Result` of one of these with any error that can be displayed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer of a condition or an action",
    label = "a closure here returns a `Status`, a `bool`, or a `Result` of one of them",
    note = "an action that goes on answers `Status::Running`"
)]
pub trait Answer {
    /// The status, or why there is none.
    ///
    /// # Errors
    /// When the closure returned an error.
    fn into_status(self) -> Result<Status, TaskError>;
}

impl Answer for Status {
    #[inline]
    fn into_status(self) -> Result<Status, TaskError> {
        Ok(self)
    }
}

impl Answer for bool {
    #[inline]
    fn into_status(self) -> Result<Status, TaskError> {
        Ok(Status::from(self))
    }
}

impl<S: Into<Status>, E: Into<TaskError>> Answer for Result<S, E> {
    #[inline]
    fn into_status(self) -> Result<Status, TaskError> {
        match self {
            Ok(status) => Ok(status.into()),
            Err(error) => Err(error.into()),
        }
    }
}

/// What closures for the start and the end of a run may return: nothing, or a `Result` of nothing.
#[diagnostic::on_unimplemented(
    message = "a service, a start or a stop returns nothing, but this closure returns `{Self}`",
    label = "it may return `()`, or a `Result<(), E>` for anything that can go wrong",
    note = "a `;` after the last expression drops its value"
)]
pub trait Done {
    /// Nothing, or why it went wrong.
    ///
    /// # Errors
    /// When the closure returned an error.
    fn into_done(self) -> Result<(), TaskError>;
}

impl Done for () {
    #[inline]
    fn into_done(self) -> Result<(), TaskError> {
        Ok(())
    }
}

impl<E: Into<TaskError>> Done for Result<(), E> {
    #[inline]
    fn into_done(self) -> Result<(), TaskError> {
        self.map_err(Into::into)
    }
}
