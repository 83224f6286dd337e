//! Names in what texts say.

/// The words of a text with where they stand in what it says.
pub(crate) fn words(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_whitespace() {
        let from = at + text[at..].find(word).unwrap_or(0);
        at = from + word.len();
        found.push((word, from));
    }
    found
}

/// The name in `{name}` with where it stands.
pub(crate) fn braced(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let from = inner.len() - inner.trim_start().len();
    Some((inner.trim(), 1 + from))
}

/// Whether an event is meant by a pattern: its name, what stands before a point in that, or `*` for all.
pub(crate) fn is_meant(pattern: &str, name: &str) -> bool {
    let stem = pattern.strip_suffix('*').unwrap_or(pattern);
    let stem = stem.strip_suffix('.').unwrap_or(stem);
    if stem.is_empty() {
        return pattern == "*";
    }
    // `fi*` is no pattern: it ends at a point.
    let is_whole = !pattern.ends_with('*') || pattern.ends_with(".*");
    let rest = name.strip_prefix(stem);
    is_whole && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
