//! Messages on a stream: headers, an empty line, and JSON.

use lsp_server::Message;
use std::io::{self, BufRead, Read, Write};

/// The largest message that is read.
const MOST_BYTES: u64 = 64 << 20;

/// The longest line of a header.
const MOST_HEADER: u64 = 4096;

/// What came in.
#[derive(Debug)]
pub(crate) enum Incoming {
    Message(Message),
    /// Something that is no message, and why.
    Bad(String),
}

/// Reads the next message; `None` when the stream has ended.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = header(input)? else {
        return Ok(None);
    };
    if length > MOST_BYTES {
        let skipped = io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        let why =
            format!("a message of {skipped} bytes is too long; at most {MOST_BYTES} are read");
        return Ok(Some(Incoming::Bad(why)));
    }
    let mut body = Vec::new();
    input.by_ref().take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Bad(format!("a message is not JSON-RPC: {error}")),
    }))
}

/// The length that the next header tells. Lines that belong to no header are passed over.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input
            .by_ref()
            .take(MOST_HEADER)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if let (true, Some(length)) = (line.is_empty(), length) {
            return Ok(Some(length));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

/// Writes a message.
pub(crate) fn write(message: &Message, output: &mut impl Write) -> io::Result<()> {
    message.write(output)
}
