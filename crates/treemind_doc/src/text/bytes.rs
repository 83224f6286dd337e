//! Bytes that should be text.

use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::source::Source;
use std::sync::Arc;

/// The bytes of a file as text, which must be UTF-8. `name` is the file's name in the diagnostic.
///
/// ```
/// let refused = treemind_doc::text_of(b"one\ntwo \xff", "day.txt").unwrap_err();
/// assert!(refused.to_plain().starts_with("day.txt:2:5: error[T0001]"));
/// ```
///
/// # Errors
/// A `T0001` at the place where the valid text ends.
pub fn text_of<'b>(bytes: &'b [u8], name: &str) -> Result<&'b str, Diagnostics> {
    std::str::from_utf8(bytes).map_err(|error| refused(bytes, error.valid_up_to(), name).1)
}

/// The diagnostics for bytes that are valid text only up to `valid`, and that text.
pub(crate) fn refused(bytes: &[u8], valid: usize, name: &str) -> (Arc<Source>, Diagnostics) {
    let text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    let source = Arc::new(Source::new(name, text));
    let mut sink = Sink::new(Arc::clone(&source));
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let (message, help) = if utf16 {
        (
            "this file is UTF-16 text, and Treemind reads UTF-8",
            "save the file as UTF-8 in your editor",
        )
    } else if bytes.contains(&0) {
        (
            "this file is binary, not text",
            "check whether this is the intended file",
        )
    } else {
        (
            "this is not valid UTF-8 from here on",
            "save the file as UTF-8 in your editor",
        )
    };
    sink.error(Code::NotText, valid..valid, message)
        .with_help(help);
    (source, Diagnostics(sink.finish()))
}
