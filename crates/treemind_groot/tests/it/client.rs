//! As much of a monitor as the tests need. It shares no code with the server.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A socket of a monitor.
pub(crate) struct Client(TcpStream);

impl Client {
    /// Connects as a socket of this kind.
    pub(crate) fn connect(address: SocketAddr, kind: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("a server");
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .expect("a timeout");
        let mut greeting = vec![0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1];
        greeting.extend(b"NULL");
        greeting.resize(64, 0);
        stream.write_all(&greeting).expect("a greeting");
        let mut theirs = [0; 64];
        stream.read_exact(&mut theirs).expect("a greeting");
        assert_eq!((theirs[0], theirs[9], theirs[10]), (0xff, 0x7f, 3));
        let mut ready = b"\x05READY\x0bSocket-Type".to_vec();
        ready.extend((kind.len() as u32).to_be_bytes());
        ready.extend(kind.as_bytes());
        let mut client = Self(stream);
        client.put(4, &ready);
        let (flags, ready) = client.take();
        assert!(flags == 4 && ready.starts_with(b"\x05READY"));
        client
    }

    fn put(&mut self, flags: u8, frame: &[u8]) {
        let mut bytes = Vec::new();
        // Long frames on purpose.
        bytes.push(flags | 2);
        bytes.extend((frame.len() as u64).to_be_bytes());
        bytes.extend(frame);
        self.0.write_all(&bytes).expect("a frame");
    }

    fn take(&mut self) -> (u8, Vec<u8>) {
        let mut flags = [0];
        self.0.read_exact(&mut flags).expect("a frame");
        let length = match flags[0] & 2 {
            0 => {
                let mut length = [0];
                self.0.read_exact(&mut length).expect("a length");
                u64::from(length[0])
            }
            _ => {
                let mut length = [0; 8];
                self.0.read_exact(&mut length).expect("a length");
                u64::from_be_bytes(length)
            }
        };
        let mut frame = vec![0; length as usize];
        self.0.read_exact(&mut frame).expect("a frame");
        (flags[0] & !2, frame)
    }

    /// Sends a message that the server does not accept. Returns once the server has
    /// closed the connection: before the last byte has left, or after it.
    pub(crate) fn send_and_be_sent_away(mut self, frame: &[u8]) {
        let mut bytes = vec![2];
        bytes.extend((frame.len() as u64).to_be_bytes());
        bytes.extend(frame);
        if self.0.write_all(&bytes).is_err() {
            return;
        }
        match self.0.read(&mut [0]) {
            Ok(0) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            other => panic!("not sent away: {other:?}"),
        }
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, frames: &[&[u8]]) {
        for (nth, frame) in frames.iter().enumerate() {
            let more = u8::from(nth + 1 < frames.len());
            self.put(more, frame);
        }
    }

    /// Waits for a message.
    pub(crate) fn receive(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        loop {
            let (flags, frame) = self.take();
            frames.push(frame);
            if flags & 1 == 0 {
                return frames;
            }
        }
    }

    /// Asks something of version 2; the answer without its envelope.
    pub(crate) fn ask_all(&mut self, kind: u8, more: Option<&str>) -> Vec<Vec<u8>> {
        let head = [2, kind, 7, 0, 0, 1];
        let mut frames: Vec<&[u8]> = vec![b"", &head];
        frames.extend(more.map(str::as_bytes));
        self.send(&frames);
        let mut answer = self.receive();
        assert_eq!(answer.remove(0), b"");
        answer
    }

    /// Asks something that is answered: the second part, if there is one.
    pub(crate) fn ask(&mut self, kind: u8, more: Option<&str>) -> Vec<u8> {
        let mut answer = self.ask_all(kind, more);
        assert_eq!(answer[0].len(), 22, "{answer:?}");
        assert_eq!(answer[0][..6], [2, kind, 7, 0, 0, 1]);
        answer.drain(1..).next().unwrap_or_default()
    }

    /// Asks something that is refused: why.
    pub(crate) fn refused(&mut self, kind: u8, more: Option<&str>) -> String {
        let answer = self.ask_all(kind, more);
        assert_eq!(answer[0], b"error");
        String::from_utf8_lossy(&answer[1]).into_owned()
    }

    /// The status of each node, by its uid.
    pub(crate) fn statuses(&mut self) -> Vec<(u16, u8)> {
        let bytes = self.ask(b'S', None);
        assert_eq!(bytes.len() % 3, 0);
        let rows = bytes.chunks(3);
        rows.map(|row| (u16::from_le_bytes([row[0], row[1]]), row[2]))
            .collect()
    }
}
