//! Shows running agents in Groot2, `btview` and the other monitors of BehaviorTree.CPP.
//!
//! ```no_run
//! use std::time::Duration;
//! use treemind::prelude::*;
//! use treemind_groot::Groot;
//!
//! let text = b"tree guard { sequence { wait 1.0; wait 2.0; } }";
//! let mut mind = Mind::read(text, "guard.kdl", &Registry::<()>::new())?;
//! let groot = Groot::open(1667)?;
//! groot.watch(&mut mind, "guard");
//! loop {
//!     if groot.wants_tick() {
//!         mind.tick(&mut (), Duration::from_millis(50));
//!     }
//! #   break;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any number of trees are shown at one address; if there are several, a tree above them holds them all. Monitors see
//! the nodes with what they answered last, the keys of the blackboard, and changes while they record. A breakpoint
//! never stops a thread of the game: after the tick in which its node was reached, [`Groot::wants_tick`] is `false`
//! until the monitor goes on, or has been silent for five seconds. Answers of nodes are replaced where the game calls
//! [`Groot::replace_answers`].
//!
//! [`LogWriter`] writes the files that Groot2 plays (`.btlog`), and [`Log`] reads them, as well as the databases of
//! BehaviorTree.CPP (`.db3`), which it also writes.
//!
//! [`Mocks`] are the rules by which Groot2 and BehaviorTree.CPP replace nodes, read as a test of a document.
//!
//! The connection is not encrypted, and whoever reaches the address may ask. So it is the loopback address, unless
//! [`Groot::open_at`] is told otherwise.

mod board;
mod btlog;
mod db3;
mod hooks;
mod layout;
mod mocks;
mod pack;
mod server;
mod tape;
mod tree;
mod xml;
mod zmtp;

pub use btlog::{Log, LogError, LogRow, LogWriter};
pub use mocks::{Mocks, MocksError};
use server::Shared;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tape::Reel;
use treemind_core::host::Host;
use treemind_core::observer::Observed;
use treemind_core::{Population, Trace};
use treemind_replay::observe::Observing;

/// The port at which Groot2 looks.
pub const PORT: u16 = 1667;

/// An address at which monitors look at agents. When it is dropped, they lose the connection.
#[derive(Debug)]
pub struct Groot {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Groot {
    /// Opens a port of the loopback address, and the next one, where breakpoints are told; [`PORT`] is where monitors look.
    ///
    /// # Errors
    /// When a port is taken, or the system allows no server.
    pub fn open(port: u16) -> io::Result<Self> {
        Self::open_at((Ipv4Addr::LOCALHOST, port).into())
    }

    /// Opens a port of any address of this machine, so that other machines can reach it; 0 means any two free ports.
    ///
    /// # Errors
    /// When the address is not one of this machine, a port is taken, or the system allows no server.
    pub fn open_at(address: SocketAddr) -> io::Result<Self> {
        let listeners = match address.port() {
            0 => any_ports(address)?,
            _ => ports(address)?,
        };
        let address = listeners.0.local_addr()?;
        let shared = Arc::new(Shared::new());
        server::serve(&shared, listeners)?;
        Ok(Self { address, shared })
    }

    /// The address that monitors connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Shows agents under a name, from their next tick on: the first of each population. Nothing else has to be called.
    pub fn watch(&self, agents: &mut impl Observed, name: &str) {
        let (reel, tap) = Reel::new(name, &self.shared.is_over);
        let mut board = self.shared.board();
        board.reels.retain(|known| known.name != name);
        board.reels.push(reel);
        drop(board);
        agents.observe(Box::new(Observing::new(tap)));
    }

    /// Shows a tick of an agent under a name, for a game that ticks a population itself: what
    /// [`Population::tick_traced`] has recorded.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn show(&self, name: &str, population: &Population, agent: usize, trace: &Trace) {
        let mut board = self.shared.board();
        board.show(name, agent, population, trace);
        self.shared.tell(&mut board);
    }

    /// Before a tick, gives the nodes of agents that are shown under this name the answers by which monitors replace
    /// theirs: such a node is not ticked, and aborted if it is running. `host` is the one that serves the population; it
    /// serves it from then on, too, because leaves and nodes stay as they are. Of a game that never calls this, monitors
    /// cannot replace answers, and are told so. Nothing is replaced while monitors are silent for five seconds.
    ///
    /// # Panics
    /// When the population is in a society.
    pub fn replace_answers(&self, name: &str, population: &mut Population, host: &mut dyn Host) {
        let mut board = self.shared.board();
        tape::catch_up(&mut board);
        board.listen();
        let program = board.replaced(name, population.program());
        self.shared.tell(&mut board);
        drop(board);
        if let Some(program) = program {
            population.change_program(program, host);
        }
    }

    /// Whether the game should make its next tick now. A game that asks this before each tick, and makes none if it is
    /// `false`, stands still at breakpoints. This never waits for a monitor.
    pub fn wants_tick(&self) -> bool {
        if !self.shared.is_armed.load(Ordering::Acquire) {
            return true;
        }
        let mut board = self.shared.board();
        tape::catch_up(&mut board);
        board.listen();
        let is_standing = board.hooks.is_standing();
        self.shared.tell(&mut board);
        !is_standing
    }
}

impl Drop for Groot {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}

/// A port, and the next one.
fn ports(address: SocketAddr) -> io::Result<(TcpListener, TcpListener)> {
    let next = address.port().checked_add(1);
    let next = next.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let first = TcpListener::bind(address)?;
    let second = TcpListener::bind((address.ip(), next))?;
    Ok((first, second))
}

/// Two ports side by side that are free.
fn any_ports(address: SocketAddr) -> io::Result<(TcpListener, TcpListener)> {
    let mut tries = 0;
    loop {
        let first = TcpListener::bind(address)?;
        let next = first.local_addr()?.port().checked_add(1);
        let second = next.map(|next| TcpListener::bind((address.ip(), next)));
        tries += 1;
        match second {
            Some(Ok(second)) => return Ok((first, second)),
            Some(Err(error)) if tries >= 16 => return Err(error),
            _ => {}
        }
    }
}
