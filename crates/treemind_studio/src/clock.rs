//! The time, from the system or from whoever runs a session where the system has none.
//!
//! In a page without a server there is no clock that the standard library knows: there, `set` says which one counts.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

/// How long ago 1970 began; nothing if the clock of the machine is set to a time before that.
#[cfg(not(target_family = "wasm"))]
pub fn since_1970() -> std::time::Duration {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default()
}

#[cfg(target_family = "wasm")]
pub use given::{Instant, set, since_1970};

#[cfg(target_family = "wasm")]
mod given {
    use std::ops::{Add, AddAssign, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Says once where the time comes from: from a clock that tells how long ago 1970 began, and never goes back.
    pub fn set(clock: fn() -> Duration) {
        CLOCK.get_or_init(|| clock);
    }

    /// How long ago 1970 began; nothing without a clock.
    pub fn since_1970() -> Duration {
        CLOCK.get().map(|clock| clock()).unwrap_or_default()
    }

    /// A moment, with what is used of the one in the standard library.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            Self(since_1970())
        }

        /// How much time has passed since.
        pub fn elapsed(&self) -> Duration {
            since_1970().saturating_sub(self.0)
        }

        /// How much later it is than another moment; nothing if it is earlier.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// How much later it is than another moment; nothing if it is earlier.
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }

        /// The moment so much earlier, if there is one.
        pub fn checked_sub(&self, time: Duration) -> Option<Self> {
            self.0.checked_sub(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    impl AddAssign<Duration> for Instant {
        fn add_assign(&mut self, time: Duration) {
            *self = *self + time;
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
