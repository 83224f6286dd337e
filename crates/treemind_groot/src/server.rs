//! The two sockets, and their threads.

use crate::board::Board;
use crate::tape;
use crate::zmtp::{Connection, Incoming, LOOK_AGAIN, Socket};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many monitors may be connected to a socket at once.
const MAX_CLIENTS: usize = 16;
/// How often somebody who connects is looked for.
const LOOK_FOR_CLIENTS: Duration = Duration::from_millis(10);

/// What the game and the threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    board: Mutex<Board>,
    pub(crate) is_over: Arc<AtomicBool>,
    /// Whether a breakpoint is set, so that the game has to look.
    pub(crate) is_armed: AtomicBool,
    /// The number of each breakpoint that was reached, in order: all that were ever reached.
    reached: Mutex<Vec<u16>>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            board: Mutex::new(Board::new()),
            is_over: Arc::default(),
            is_armed: AtomicBool::new(false),
            reached: Mutex::default(),
        }
    }

    /// Nobody who holds it panics in the middle of a change.
    pub(crate) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reached(&self) -> MutexGuard<'_, Vec<u16>> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who listen which breakpoints were reached.
    pub(crate) fn tell(&self, board: &mut Board) {
        self.is_armed
            .store(board.hooks.are_armed(), Ordering::Release);
        if !board.reached.is_empty() {
            self.reached().append(&mut board.reached);
        }
    }
}

/// Serves both sockets until it is over.
pub(crate) fn serve(
    shared: &Arc<Shared>,
    (requests, notes): (TcpListener, TcpListener),
) -> io::Result<()> {
    for (listener, socket, name) in [
        (requests, Socket::Rep, "groot requests"),
        (notes, Socket::Pub, "groot notes"),
    ] {
        listener.set_nonblocking(true)?;
        let shared = Arc::clone(shared);
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || accept(&shared, &listener, socket))?;
    }
    Ok(())
}

/// Accepts who connects, each on a thread of its own.
fn accept(shared: &Arc<Shared>, listener: &TcpListener, socket: Socket) {
    let clients = Arc::new(AtomicUsize::new(0));
    while !shared.is_over.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(LOOK_FOR_CLIENTS);
            continue;
        };
        if clients.fetch_add(1, Ordering::AcqRel) >= MAX_CLIENTS {
            clients.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (theirs, count) = (Arc::clone(shared), Arc::clone(&clients));
        let begun = thread::Builder::new()
            .name("groot monitor".to_owned())
            .spawn(move || {
                // Who goes away, or does not speak the protocol, is forgotten.
                let _ = attend(&theirs, stream, socket);
                count.fetch_sub(1, Ordering::AcqRel);
            });
        if begun.is_err() {
            clients.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn attend(shared: &Shared, stream: TcpStream, socket: Socket) -> io::Result<()> {
    let connection = Connection::greet(stream, socket, &shared.is_over)?;
    match socket {
        Socket::Rep => answer(shared, connection),
        Socket::Pub => publish(shared, connection),
    }
}

/// Answers requests. Each has an envelope, which ends with an empty frame and is sent back.
fn answer(shared: &Shared, mut connection: Connection<'_>) -> io::Result<()> {
    loop {
        let Incoming::Message(mut frames) = connection.receive(None)? else {
            continue;
        };
        let Some(end) = frames.iter().position(Vec::is_empty) else {
            continue;
        };
        let request = frames.split_off(end + 1);
        let answer = {
            let mut board = shared.board();
            tape::catch_up(&mut board);
            let answer = board.answer(&request);
            shared.tell(&mut board);
            answer
        };
        frames.extend(answer);
        connection.send(&frames)?;
    }
}

/// Tells somebody which breakpoints are reached.
fn publish(shared: &Shared, mut connection: Connection<'_>) -> io::Result<()> {
    let mut told = shared.reached().len();
    let mut topics: Vec<Vec<u8>> = Vec::new();
    loop {
        while connection.has_bytes()? {
            let said = match connection.receive(None)? {
                Incoming::Message(frames) => frames.into_iter().next().unwrap_or_default(),
                // Newer clients send their subscriptions as commands.
                Incoming::Command(command) => subscription(&command),
            };
            match said.split_first() {
                Some((1, topic)) => topics.push(topic.to_vec()),
                Some((0, topic)) => {
                    let known = topics.iter().position(|one| one == topic);
                    known.map(|nth| topics.swap_remove(nth));
                }
                _ => {}
            }
        }
        if shared.is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let fresh: Vec<u16> = {
            let reached = shared.reached();
            let fresh = reached.get(told..).unwrap_or_default().to_vec();
            told = reached.len();
            fresh
        };
        for (nth, uid) in fresh.iter().enumerate() {
            let mut head = vec![2, b'N'];
            head.extend((nth as u32).to_le_bytes());
            if topics.iter().any(|topic| head.starts_with(topic)) {
                connection.send(&[head, uid.to_string().into_bytes()])?;
            }
        }
        thread::sleep(LOOK_AGAIN / 5);
    }
}

/// The message that a command means: 1 or 0, and the topic.
fn subscription(command: &[u8]) -> Vec<u8> {
    let topic = |name: &[u8]| command.strip_prefix(name);
    match (topic(b"\x09SUBSCRIBE"), topic(b"\x06CANCEL")) {
        (Some(topic), _) => [&[1], topic].concat(),
        (_, Some(topic)) => [&[0], topic].concat(),
        _ => Vec::new(),
    }
}
