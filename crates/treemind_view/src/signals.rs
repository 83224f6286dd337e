//! Signals of the system.

#[cfg(unix)]
pub use unix::Ending;

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::{flag, low_level};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Notices requests to end the program, so that there is time to clean up.
    #[derive(Debug)]
    pub struct Ending {
        noticed: Arc<AtomicUsize>,
        /// Whether the next signal ends the program at once.
        is_last: Arc<AtomicBool>,
        /// The same for SIGHUP, which comes more than once when a terminal is closed: from the system and from the shell.
        is_over: Arc<AtomicBool>,
    }

    impl Ending {
        /// From now on, the first such signal is only recorded. A second one ends the program at once, unless it is
        /// SIGHUP, and so does the first one after this value is dropped.
        ///
        /// # Errors
        /// When the system does not let signals be noticed.
        pub fn watch() -> io::Result<Self> {
            let noticed = Arc::new(AtomicUsize::new(0));
            let is_last = Arc::new(AtomicBool::new(false));
            let is_over = Arc::new(AtomicBool::new(false));
            for signal in [SIGINT, SIGQUIT, SIGTERM] {
                flag::register_conditional_default(signal, Arc::clone(&is_last))?;
                flag::register(signal, Arc::clone(&is_last))?;
            }
            flag::register_conditional_default(SIGHUP, Arc::clone(&is_over))?;
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
                flag::register_usize(signal, Arc::clone(&noticed), signal as usize)?;
            }
            Ok(Self {
                noticed,
                is_last,
                is_over,
            })
        }

        /// Whether there was a signal.
        pub fn is_near(&self) -> bool {
            self.noticed.load(Ordering::Relaxed) != 0
        }

        /// If there was a signal, ends the program as the signal would have done.
        ///
        /// # Errors
        /// When the system does not know the signal.
        pub fn come(&self) -> io::Result<()> {
            match self.noticed.load(Ordering::Relaxed) {
                0 => Ok(()),
                signal => low_level::emulate_default_handler(signal as i32),
            }
        }
    }

    impl Drop for Ending {
        fn drop(&mut self) {
            self.is_last.store(true, Ordering::Relaxed);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }
}

/// Other systems end programs without a signal.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Ending;

#[cfg(not(unix))]
impl Ending {
    /// Does nothing.
    ///
    /// # Errors
    /// Never.
    pub fn watch() -> std::io::Result<Self> {
        Ok(Self)
    }

    /// Whether there was a signal: never.
    pub fn is_near(&self) -> bool {
        false
    }

    /// Does nothing.
    ///
    /// # Errors
    /// Never.
    pub fn come(&self) -> std::io::Result<()> {
        Ok(())
    }
}
