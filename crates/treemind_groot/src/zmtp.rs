//! As much of ZeroMQ's wire protocol (ZMTP 3.0, without security) as the two sockets of a publisher need.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many bytes a message of a client may have, in all its frames.
const MAX_MESSAGE: u64 = 1 << 20;
/// How many frames it may have.
const MAX_FRAMES: usize = 64;
/// How long a client may take to say who it is.
const GREETING_TIME: Duration = Duration::from_secs(5);
/// How often a connection looks whether it should end.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// How long a client may take to accept bytes.
const WRITE_TIME: Duration = Duration::from_secs(2);

const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

/// What a socket of ours is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Socket {
    Rep,
    Pub,
}

/// A connection whose two ends have greeted each other.
pub(crate) struct Connection<'o> {
    stream: TcpStream,
    is_over: &'o AtomicBool,
}

/// What a client sends.
pub(crate) enum Incoming {
    Message(Vec<Vec<u8>>),
    Command(Vec<u8>),
}

impl<'o> Connection<'o> {
    /// Greets a client.
    pub(crate) fn greet(
        stream: TcpStream,
        socket: Socket,
        is_over: &'o AtomicBool,
    ) -> io::Result<Self> {
        // Some systems give the stream what was set for the listener.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(LOOK_AGAIN))?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        let mut connection = Self { stream, is_over };
        let mut ours = [0; 64];
        (ours[0], ours[9], ours[10]) = (0xff, 0x7f, 3);
        ours[12..16].copy_from_slice(b"NULL");
        connection.stream.write_all(&ours)?;
        let until = Instant::now() + GREETING_TIME;
        let mut theirs = [0; 64];
        connection.read(&mut theirs, Some(until))?;
        if theirs[0] != 0xff || theirs[10] < 3 || &theirs[12..17] != b"NULL\0" {
            return Err(ErrorKind::InvalidData.into());
        }
        let name: &[u8] = match socket {
            Socket::Rep => b"REP",
            Socket::Pub => b"PUB",
        };
        let mut ready = b"\x05READY\x0bSocket-Type\0\0\0\x03".to_vec();
        ready.extend(name);
        connection.send_frame(COMMAND, &ready)?;
        match connection.receive(Some(until))? {
            Incoming::Command(command) if command.starts_with(b"\x05READY") => Ok(connection),
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }

    /// Waits for a message or a command, until then at the longest.
    pub(crate) fn receive(&mut self, until: Option<Instant>) -> io::Result<Incoming> {
        let (mut frames, mut size) = (Vec::new(), 0);
        loop {
            let mut head = [0; 2];
            self.read(&mut head, until)?;
            let [flags, short] = head;
            let length = match flags & LONG {
                0 => u64::from(short),
                _ => {
                    let mut long = [short, 0, 0, 0, 0, 0, 0, 0];
                    self.read(&mut long[1..], until)?;
                    u64::from_be_bytes(long)
                }
            };
            size += length.min(MAX_MESSAGE + 1);
            if size > MAX_MESSAGE || frames.len() == MAX_FRAMES {
                return Err(ErrorKind::InvalidData.into());
            }
            let mut frame = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
            self.read(&mut frame, until)?;
            if flags & COMMAND != 0 {
                return Ok(Incoming::Command(frame));
            }
            frames.push(frame);
            if flags & MORE == 0 {
                return Ok(Incoming::Message(frames));
            }
        }
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, frames: &[impl AsRef<[u8]>]) -> io::Result<()> {
        for (nth, frame) in frames.iter().enumerate() {
            let more = if nth + 1 < frames.len() { MORE } else { 0 };
            self.send_frame(more, frame.as_ref())?;
        }
        Ok(())
    }

    fn send_frame(&mut self, flags: u8, frame: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(frame.len() + 9);
        match u8::try_from(frame.len()) {
            Ok(length) => bytes.extend([flags, length]),
            Err(_) => {
                bytes.push(flags | LONG);
                bytes.extend((frame.len() as u64).to_be_bytes());
            }
        }
        bytes.extend(frame);
        self.stream.write_all(&bytes)
    }

    /// Reads so many bytes; an error when the time or everything is over.
    fn read(&mut self, bytes: &mut [u8], until: Option<Instant>) -> io::Result<()> {
        let mut filled = 0;
        while filled < bytes.len() {
            let is_late = until.is_some_and(|until| Instant::now() > until);
            if is_late || self.is_over.load(Ordering::Relaxed) {
                return Err(ErrorKind::TimedOut.into());
            }
            match self.stream.read(&mut bytes[filled..]) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => filled += read,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// Whether something has arrived.
    pub(crate) fn has_bytes(&self) -> io::Result<bool> {
        let mut byte = [0];
        match self.stream.peek(&mut byte) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(false),
                _ => Err(error),
            },
        }
    }
}
