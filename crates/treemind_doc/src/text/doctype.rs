//! The declaration of the type of a document in XML.

/// The length of a declaration of the document's type. `None` if it declares entities, which could make a document of
/// any size of a few bytes, or if it has no end.
pub(crate) fn harmless_doctype(text: &str) -> Option<usize> {
    let (mut quote, mut depth) = (None, 0_usize);
    let end = text.bytes().position(|byte| {
        match (quote, byte) {
            (Some(open), byte) => {
                if byte == open {
                    quote = None;
                }
                return false;
            }
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => depth += 1,
            (None, b']') => depth = depth.saturating_sub(1),
            (None, b'>') => return depth == 0,
            (None, _) => {}
        }
        false
    });
    let declaration = &text[..end? + 1];
    let is_harmless = declaration.starts_with("<!DOCTYPE")
        && !declaration.contains("<!ENTITY")
        && !declaration.contains('%');
    is_harmless.then_some(declaration.len())
}
