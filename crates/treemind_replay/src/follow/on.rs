//! What has to happen at a line so that a breakpoint counts it.

/// What has to happen at the line of a breakpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum On {
    /// It begins: it did not run in the tick before.
    #[default]
    Enter,
    /// It answers success or failure; a state is left.
    End,
    Success,
    Failure,
    /// It is cut off.
    Abort,
}

impl On {
    pub(super) const ALL: [(&'static str, On); 5] = [
        ("enter", On::Enter),
        ("end", On::End),
        ("success", On::Success),
        ("failure", On::Failure),
        ("abort", On::Abort),
    ];

    pub(super) fn of(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(name, _)| *name == word).map(|(_, on)| on)
    }

    pub(super) fn word(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, on)| *on == self).map_or("", |(name, _)| name)
    }
}
