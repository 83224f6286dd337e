//! Waiting for what comes from the terminal, until it is gone.
//!
//! When a terminal is closed, it can be read at any time, and never has anything: whoever reads on does nothing else. So it
//! is looked at before it is read.

use std::time::Duration;

/// What became of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// Perhaps there is something to read.
    Perhaps,
    /// The terminal is gone: nothing will come any more.
    Gone,
}

#[cfg(unix)]
pub(crate) use unix::Keyboard;

#[cfg(unix)]
mod unix {
    use super::{Duration, Waited};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fd::{AsFd as _, BorrowedFd};
    use std::fs::File;

    /// The terminal that keys come from: standard input or, if that is something else, the one of the process.
    #[derive(Debug)]
    pub(crate) struct Keyboard {
        own: Option<File>,
    }

    impl Keyboard {
        pub(crate) fn open() -> Self {
            let is_stdin = rustix::termios::isatty(rustix::stdio::stdin());
            let own = || File::options().read(true).open("/dev/tty").ok();
            Self {
                own: (!is_stdin).then(own).flatten(),
            }
        }

        fn terminal(&self) -> BorrowedFd<'_> {
            match &self.own {
                Some(own) => own.as_fd(),
                None => rustix::stdio::stdin(),
            }
        }

        /// Waits until there may be something to read, or so long.
        pub(crate) fn wait(&self, longest: Duration) -> Waited {
            let mut all = [PollFd::from_borrowed_fd(self.terminal(), PollFlags::IN)];
            let longest = Timespec::try_from(longest).ok();
            // A signal ends the wait, such as that of another size: its event is read then, too.
            let Ok(_) = poll(&mut all, longest.as_ref()) else {
                return Waited::Perhaps;
            };
            match all[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
                true => Waited::Gone,
                false => Waited::Perhaps,
            }
        }

        /// Whether the terminal is gone.
        pub(crate) fn is_gone(&self) -> bool {
            self.wait(Duration::ZERO) == Waited::Gone
        }
    }
}

/// Other systems say so when a terminal is read.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Keyboard;

#[cfg(not(unix))]
impl Keyboard {
    pub(crate) fn open() -> Self {
        Self
    }

    pub(crate) fn wait(&self, longest: Duration) -> Waited {
        // An error comes again when it is read.
        let _ = crossterm::event::poll(longest);
        Waited::Perhaps
    }

    pub(crate) fn is_gone(&self) -> bool {
        false
    }
}
