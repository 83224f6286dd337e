//! What the game changes between two ticks, for a recording.

use crate::population::Population;

impl Population {
    /// Everything that changes agents between ticks calls this first.
    #[inline]
    pub(in crate::population) fn touch(&mut self) {
        if self.before.is_waiting() {
            self.keep_before();
        }
    }

    #[cold]
    fn keep_before(&mut self) {
        let mut state = self.before.writer();
        self.write(&mut state);
        self.before.keep(state);
    }
}
