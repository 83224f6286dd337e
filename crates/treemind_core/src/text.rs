//! Interned text: every string is stored once, and a value of type `string` is the index of its place.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A text as a small handle, so that values stay plain data and ticking never allocates.
///
/// Equal texts have equal handles, so comparing two of them does not compare letters. Each text is kept until the
/// process ends, so use `Text` for words that occur again: names, or lines to be spoken. A handle is meaningless in
/// another process; store or send [`as_str`](Self::as_str) instead.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Text(u32);

struct Interner {
    places: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

/// The empty text has the place 0, so that zeroed memory reads as the empty text.
static INTERNER: LazyLock<RwLock<Interner>> = LazyLock::new(|| {
    RwLock::new(Interner {
        places: HashMap::from([("", 0)]),
        texts: vec![""],
    })
});

impl Text {
    /// The handle of a text. Allocates when the text is new to the process.
    ///
    /// # Panics
    /// When the process has made four thousand million different texts.
    pub fn new(text: &str) -> Self {
        let known = INTERNER.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = known.places.get(text) {
            return Self(*place);
        }
        drop(known);
        let mut interner = INTERNER.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = interner.places.get(text) {
            // Another thread was faster.
            return Self(*place);
        }
        let place = u32::try_from(interner.texts.len()).expect("a place fits 32 bits");
        let kept: &'static str = Box::leak(text.into());
        interner.texts.push(kept);
        interner.places.insert(kept, place);
        Self(place)
    }

    /// The text. Does not allocate.
    pub fn as_str(self) -> &'static str {
        let interner = INTERNER.read().unwrap_or_else(PoisonError::into_inner);
        interner.texts.get(self.0 as usize).copied().unwrap_or("")
    }

    /// The number that distinguishes it from other texts of this process.
    pub fn number(self) -> u32 {
        self.0
    }

    /// How many texts this process knows: their [numbers](Self::number) are below this.
    pub(crate) fn known() -> u32 {
        let interner = INTERNER.read().unwrap_or_else(PoisonError::into_inner);
        interner.texts.len() as u32
    }

    /// The text with the bits from a column.
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    /// The text in quotes.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), out)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn equal_texts_are_one_handle_on_every_thread() {
        let made: Vec<Text> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| Text::new("a text of this test")))
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|made| made.expect("no panic")).collect()
        });
        assert!(made.iter().all(|text| *text == made[0]));
        assert_eq!(made[0].as_str(), "a text of this test");
        assert_ne!(made[0], Text::new("another"));
        assert_eq!(Text::new(""), Text::default());
    }
}
