//! A web socket: what a page asks and what it is answered, until one of both ends it.

use super::inbox::Inbox;
use super::line::Line;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, timeout};
use tungstenite::error::{CapacityError, Error};

/// How long a question may be, in bytes.
pub(crate) const LONGEST_ASK: usize = 64 * 1024;
/// The same of a page that may edit: somebody may paste a long text.
pub(crate) const LONGEST_EDIT: usize = 8 << 20;
/// How often a page is asked whether it is still there, and how long it may be silent. Browsers answer by themselves.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(90);
/// How long a page may take to read an answer.
const STALL: Duration = Duration::from_secs(30);
/// How long a page has for hearing why it is closed.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why a page is closed: a code of the protocol of web sockets, and a sentence.
type Reason = (u16, &'static str);

const TOO_LONG: Reason = (
    close_code::SIZE,
    "a message may have 64 KiB (65536 bytes) at most, and 8 MiB from a page that may edit",
);
const NO_TEXT: Reason = (
    close_code::UNSUPPORTED,
    "messages are JSON in text frames, not binary ones",
);
const NO_UTF8: Reason = (close_code::INVALID, "a text frame has to be UTF-8");
const UNREAD: Reason = (close_code::POLICY, "no answer was read for 30 seconds");
const SILENT: Reason = (
    close_code::POLICY,
    "nothing was heard for 90 seconds, not even an answer to a ping",
);
const NO_SOCKET: Reason = (
    close_code::PROTOCOL,
    "this does not follow the protocol of web sockets",
);

/// Passes on what a page asks and what it is answered, until it is closed.
pub(crate) async fn converse(mut socket: WebSocket, line: Line, inbox: &Inbox, may_edit: bool) {
    let ended = {
        let (asks, answers) = inbox.enter(may_edit);
        Talk {
            socket: &mut socket,
            asks,
            answers,
            inbox,
            waiting: None,
            heard: Instant::now(),
        }
        .run()
        .await
    };
    inbox.ring();
    let Err(Some((code, reason))) = ended else {
        return;
    };
    let reason = reason.into();
    let last = socket.send(Message::Close(Some(CloseFrame { code, reason })));
    if timeout(FAREWELL, last).await.is_ok() {
        line.drain(FAREWELL).await;
    }
}

/// What happens next in a talk.
enum Next {
    Heard(Option<Result<Message, axum::Error>>),
    /// There is room for what waits; or nobody listens any more.
    Room(bool),
    Answer(Option<String>),
    Ping,
}

struct Talk<'a> {
    socket: &'a mut WebSocket,
    asks: mpsc::Sender<String>,
    answers: mpsc::Receiver<String>,
    inbox: &'a Inbox,
    /// What the page asks, if there is no room for it yet: then nothing more is read.
    waiting: Option<String>,
    /// When something came last.
    heard: Instant,
}

impl Talk<'_> {
    /// Ends with the reason for closing it, if it is not closed already.
    async fn run(&mut self) -> Result<(), Option<Reason>> {
        let mut pings = interval(PING);
        loop {
            let next = tokio::select! {
                message = self.socket.recv(), if self.waiting.is_none() => Next::Heard(message),
                place = self.asks.reserve(), if self.waiting.is_some() => Next::Room(place.is_ok()),
                answer = self.answers.recv() => Next::Answer(answer),
                _ = pings.tick() => Next::Ping,
            };
            match next {
                Next::Heard(message) => {
                    self.heard = Instant::now();
                    self.hear(message)?;
                }
                Next::Room(is_open) => {
                    let text = self.waiting.take().filter(|_| is_open).ok_or(None)?;
                    // Nobody else takes the room of this page.
                    self.asks.try_send(text).map_err(|_| None)?;
                    self.heard = Instant::now();
                    self.inbox.ring();
                }
                Next::Answer(answer) => {
                    let answer = answer.ok_or(None)?;
                    self.inbox.ring();
                    self.say(Message::Text(answer.into())).await?;
                }
                Next::Ping => {
                    if self.waiting.is_none() && self.heard.elapsed() > SILENCE {
                        return Err(Some(SILENT));
                    }
                    self.say(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    fn hear(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<(), Option<Reason>> {
        match message {
            Some(Ok(Message::Text(text))) => {
                self.waiting = Some(text.to_string());
                Ok(())
            }
            Some(Ok(Message::Binary(_))) => Err(Some(NO_TEXT)),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
            Some(Ok(Message::Close(_))) | None => Err(None),
            Some(Err(error)) => Err(reason_of(error)),
        }
    }

    async fn say(&mut self, message: Message) -> Result<(), Option<Reason>> {
        match timeout(STALL, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(None),
            Err(_) => Err(Some(UNREAD)),
        }
    }
}

/// Why a page is closed whose message cannot be read; `None` if it is gone.
fn reason_of(error: axum::Error) -> Option<Reason> {
    match error.into_inner().downcast_ref::<Error>()? {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => Some(TOO_LONG),
        Error::Utf8(_) => Some(NO_UTF8),
        Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some(NO_SOCKET),
        _ => None,
    }
}
