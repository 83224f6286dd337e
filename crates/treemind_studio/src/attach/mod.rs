//! Games that run, and show their agents.

mod shared;
mod show;
mod watch;

use crate::server::{Access, Server};
use crate::session::Session;
use shared::{Shared, Watched};
use show::Games;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use treemind_core::observer::Observed;
pub use watch::Watch;

/// How many bytes of tape are kept for each game that is watched, unless the studio is told otherwise.
pub const TAPE_BYTES: usize = 64 << 20;

/// The studio of a running game: a page that only this machine can reach. When it is dropped, its page stands still,
/// and nothing more is recorded.
#[derive(Debug)]
pub struct Studio {
    url: String,
    shared: Arc<Shared>,
    tape_bytes: usize,
}

impl Studio {
    /// Opens the page at a port of the loopback address; 0 means any free port.
    ///
    /// # Errors
    /// When the port is taken, or the system allows no server.
    pub fn open(port: u16) -> io::Result<Self> {
        Self::open_at((Ipv4Addr::LOCALHOST, port).into(), false)
    }

    /// Opens the page at any address of this machine, so that other machines can reach it; port 0 means any free port.
    /// Beyond the loopback address, or with `asks_token`, only those who know the [`url`](Self::url) get an answer; it
    /// then has a random token. The connection is not encrypted.
    ///
    /// # Errors
    /// When the address is not one of this machine, the port is taken, or the system allows no server or has no random
    /// numbers.
    pub fn open_at(address: SocketAddr, asks_token: bool) -> io::Result<Self> {
        let server = Server::open_at(
            address,
            Access {
                asks_token,
                edits: false,
            },
        )?;
        let url = server.url();
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        thread::Builder::new()
            .name("studio session".to_owned())
            .spawn(move || {
                let mut session = Session::new(Games::new(Arc::clone(&theirs)));
                let is_over = || theirs.is_over.load(Ordering::Relaxed);
                crate::session::serve(&server, &mut session, is_over);
            })?;
        Ok(Self {
            url,
            shared,
            tape_bytes: TAPE_BYTES,
        })
    }

    /// The same, with this many bytes of tape for each game that is watched from now on: as far as they reach, pages
    /// can go back. The default is [`TAPE_BYTES`].
    #[must_use]
    pub fn with_tape_bytes(mut self, bytes: usize) -> Self {
        self.tape_bytes = bytes;
        self
    }

    /// The address of the page.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether the game should make its next tick now. A game that asks this before each tick, and makes none if it is
    /// `false`, is controlled by the pages: it stands still while they stand still or look at the past, makes a tick
    /// for each step, and stops in the tick of a breakpoint. Each `true` allows one tick. This never waits and never
    /// allocates.
    ///
    /// As long as the game has not asked, only the pages stand still, and say that the game continues.
    pub fn wants_tick(&self) -> bool {
        self.shared.reins.take_tick()
    }

    /// How fast pages want the game to be, as a multiple of real time from 0.1 to 64; 1 at the beginning. A game
    /// divides the time between two ticks by it.
    pub fn speed(&self) -> f64 {
        self.shared.reins.speed()
    }

    /// Shows agents under a name, from their next tick on. Nothing else has to be called. What was shown under the same
    /// name before is no longer shown.
    pub fn watch(&self, agents: &mut impl Observed, name: &str) {
        let mut watch = self.watch_as(name);
        watch.reloaded(&agents.documents());
        agents.observe(watch.into_observer());
    }

    /// Shows a population or a society that the game ticks itself: see [`Watch`].
    pub fn watch_as(&self, name: &str) -> Watch {
        let watched = Arc::new(Watched::new(name, self.tape_bytes));
        self.shared.add(Arc::clone(&watched));
        Watch::new(watched, Arc::clone(&self.shared))
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
