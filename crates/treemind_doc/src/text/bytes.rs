//! Bytes that should be text.

use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::said;
use crate::source::Source;
use std::borrow::Cow;
use std::str::Utf8Error;
use std::sync::Arc;

/// How far into a file of XML its declaration may reach.
const DECLARED_IN: usize = 200;

/// The bytes of a file as text: UTF-8, or XML that declares `encoding="ISO-8859-1"`. `name` is the file's name in the
/// diagnostic.
///
/// ```
/// let refused = treemind_doc::text_of(b"one\ntwo \xff", "day.txt").unwrap_err();
/// assert!(refused.to_plain().starts_with("day.txt:2:5: error[T0001]"));
/// ```
///
/// # Errors
/// A `T0001` at the place where the valid text ends.
pub fn text_of<'b>(bytes: &'b [u8], name: &str) -> Result<Cow<'b, str>, Diagnostics> {
    decoded(bytes).map_err(|error| refused(bytes, error.valid_up_to(), name).1)
}

/// As [`text_of`], without a diagnostic.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, Utf8Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) if declares_latin(bytes) => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Err(error) => Err(error),
    }
}

/// Whether a file is XML that says that it is in ISO-8859-1.
fn declares_latin(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(DECLARED_IN)];
    let beginning: String = beginning.iter().map(|byte| char::from(*byte)).collect();
    let declared = beginning
        .trim_start()
        .strip_prefix("<?xml")
        .and_then(|rest| {
            let (declaration, _) = rest.split_once("?>")?;
            let (_, encoding) = declaration.split_once("encoding")?;
            let encoding = encoding.trim_start().strip_prefix('=')?.trim_start();
            let quote = encoding
                .chars()
                .next()
                .filter(|c| matches!(c, '"' | '\''))?;
            let (name, _) = encoding[1..].split_once(quote)?;
            Some(name.trim().to_ascii_lowercase())
        });
    let names = [
        "iso-8859-1",
        "iso8859-1",
        "iso_8859-1",
        "latin1",
        "latin-1",
        "l1",
    ];
    declared.is_some_and(|declared| names.contains(&&declared[..]))
}

/// The diagnostics for bytes that are valid text only up to `valid`, and that text.
pub(crate) fn refused(bytes: &[u8], valid: usize, name: &str) -> (Arc<Source>, Diagnostics) {
    let text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    let source = Arc::new(Source::new(name, text));
    let mut sink = Sink::new(Arc::clone(&source));
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let (message, help) = if utf16 {
        (
            said!("this file is UTF-16 text, and Treemind reads UTF-8"),
            said!("save the file as UTF-8 in your editor"),
        )
    } else if bytes.contains(&0) {
        (
            said!("this file is binary, not text"),
            said!("check whether this is the intended file"),
        )
    } else {
        (
            said!("this is not valid UTF-8 from here on"),
            said!("save the file as UTF-8 in your editor"),
        )
    };
    sink.error(Code::NotText, valid..valid, message)
        .with_help(help);
    (source, Diagnostics(sink.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_may_be_in_latin_1_if_it_says_so() {
        let file = |declared: &str| {
            let mut bytes = declared.as_bytes().to_vec();
            bytes.extend(b"<root a=\"gr\xfc\xdf\"/>");
            bytes
        };
        for declared in [
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
            "<?xml version='1.0' encoding = 'latin1' standalone='yes' ?>\n",
        ] {
            let bytes = file(declared);
            let text = text_of(&bytes, "t.xml").expect("text");
            assert_eq!(text, format!("{declared}<root a=\"grüß\"/>"));
        }
        for declared in [
            "",
            "<?xml version=\"1.0\"?>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<?xml encoding",
            "<?xml encoding=",
            "<?xml encoding=\"",
            "<?xml encoding=ISO-8859-1?>",
        ] {
            let refusal = text_of(&file(declared), "t.xml").unwrap_err();
            assert!(refusal.to_plain().contains("not valid UTF-8"), "{declared}");
        }
        // What is UTF-8 is read as such, whatever it says.
        let said = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><root a=\"ü\"/>";
        assert_eq!(text_of(said.as_bytes(), "t.xml").expect("text"), said);
    }
}
