//! Signals of the system.

#[cfg(unix)]
pub(crate) use unix::{Ending, survive_limits};

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::{flag, low_level};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Makes a limit on the size of files an error of the write that reaches it, and not the end of the program.
    pub(crate) fn survive_limits() {
        let signal = rustix::process::Signal::XFSZ.as_raw();
        // Where it cannot be had, the program ends as it always would.
        let _ = flag::register(signal, Arc::default());
    }

    /// Notices when somebody asks the program to end, so that there is time to tidy up.
    pub(crate) struct Ending(Arc<AtomicUsize>);

    impl Ending {
        /// From now on the first such signal is only noticed. A second one ends the program at once.
        pub(crate) fn watch() -> io::Result<Self> {
            let noticed = Arc::new(AtomicUsize::new(0));
            let is_second = Arc::new(AtomicBool::new(false));
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
                flag::register_conditional_default(signal, Arc::clone(&is_second))?;
                flag::register(signal, Arc::clone(&is_second))?;
                flag::register_usize(signal, Arc::clone(&noticed), signal as usize)?;
            }
            Ok(Self(noticed))
        }

        /// Whether there was one.
        pub(crate) fn is_near(&self) -> bool {
            self.0.load(Ordering::Relaxed) != 0
        }

        /// Ends the program as the signal would have done, if there was one.
        pub(crate) fn come(&self) -> io::Result<()> {
            match self.0.load(Ordering::Relaxed) {
                0 => Ok(()),
                signal => low_level::emulate_default_handler(signal as i32),
            }
        }
    }
}

/// Elsewhere the system ends programs without asking.
#[cfg(not(unix))]
pub(crate) struct Ending;

#[cfg(not(unix))]
impl Ending {
    pub(crate) fn watch() -> std::io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn is_near(&self) -> bool {
        false
    }

    pub(crate) fn come(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) fn survive_limits() {}
