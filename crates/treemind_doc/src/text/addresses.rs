//! What is known of parts of texts.

/// One value for each of some parts of the texts of a document. A part is found by the address of its first byte: nodes
/// stay where they are while they are checked, and each text in them has bytes of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByAddress<T>(Vec<(usize, T)>);

impl<T> ByAddress<T> {
    pub(crate) fn new(parts: Vec<(&str, T)>) -> Self {
        // Nothing keeps the bytes behind an empty text from being those of another one.
        let parts = parts.into_iter().filter(|(part, _)| !part.is_empty());
        let mut sorted: Vec<_> = parts.map(|(part, value)| (address(part), value)).collect();
        sorted.sort_unstable_by_key(|(address, _)| *address);
        Self(sorted)
    }

    pub(crate) fn get(&self, part: &str) -> Option<&T> {
        if part.is_empty() {
            return None;
        }
        let part = address(part);
        let at = self.0.binary_search_by_key(&part, |(address, _)| *address);
        at.ok().map(|at| &self.0[at].1)
    }
}

fn address(part: &str) -> usize {
    part.as_ptr().addr()
}
