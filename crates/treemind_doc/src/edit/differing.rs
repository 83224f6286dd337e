//! Where two texts differ.

use std::ops::Range;

/// The bytes of a text between what it has in common with another one at its beginning and at its end, and what the other one
/// has there; `None` if they are equal.
///
/// ```
/// use treemind_doc::edit::differing;
///
/// assert_eq!(differing("wait 0.5 // a", "wait 1.25 // a"), Some((5..7, "1.2")));
/// assert_eq!(differing("wait", "wait"), None);
/// ```
pub fn differing<'t>(old: &str, new: &'t str) -> Option<(Range<usize>, &'t str)> {
    if old == new {
        return None;
    }
    let pairs = old.bytes().zip(new.bytes());
    let mut start = pairs.take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let ends = old[start..].bytes().rev().zip(new[start..].bytes().rev());
    let mut same = ends.take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(old.len() - same) || !new.is_char_boundary(new.len() - same) {
        same -= 1;
    }
    Some((start..old.len() - same, &new[start..new.len() - same]))
}
