//! Takes connections, as many as are allowed, and speaks HTTP with each for a limited time.

use super::line::Line;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// How many connections there may be at the same time. A page has one, and a second one while it is loaded.
pub(crate) const MOST_CONNECTIONS: usize = 64;
/// How many of those beyond them are told so at the same time; of more, each is closed without a word.
const MOST_REFUSALS: usize = 16;
/// How long a request may take to arrive, and how long until it is answered.
const REQUEST: Duration = Duration::from_secs(10);
const EXCHANGE: Duration = Duration::from_secs(60);
/// How long somebody who is refused has for asking and for reading the answer.
const FAREWELL: Duration = Duration::from_secs(2);
/// The same while the process has no descriptors left, and nobody else is heard meanwhile.
const SHORT_FAREWELL: Duration = Duration::from_millis(250);
/// How long to wait when no connection can be taken.
const PAUSE: Duration = Duration::from_millis(100);

const EXHAUSTED: &str = "the program has no file descriptors left for another connection: close a page, and try again\n";

fn full() -> String {
    format!(
        "the studio has {MOST_CONNECTIONS} connections, and takes no more: close a page, and try again\n"
    )
}

/// A listener, with what it needs when the process has no file descriptors left.
#[derive(Debug)]
pub(crate) struct Door {
    listener: TcpListener,
    /// The same listener, for making the spare one.
    own: std::net::TcpListener,
    /// Given up when there is no other descriptor, so that whoever knocks then is told why nobody opens.
    spare: Option<std::net::TcpListener>,
}

impl Door {
    /// Has to be called within a runtime.
    pub(crate) fn new(own: std::net::TcpListener) -> io::Result<Self> {
        own.set_nonblocking(true)?;
        Ok(Self {
            listener: TcpListener::from_std(own.try_clone()?)?,
            spare: Some(own.try_clone()?),
            own,
        })
    }

    /// Takes connections for ever.
    pub(crate) async fn open(mut self, router: Router) {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let refusals = Arc::new(Semaphore::new(MOST_REFUSALS));
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => match Arc::clone(&places).try_acquire_owned() {
                    Ok(place) => {
                        let line = Line::new(stream, place);
                        tokio::spawn(exchange(line, router.clone()));
                    }
                    Err(_) => {
                        if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
                            let line = Line::new(stream, place);
                            tokio::spawn(timeout(FAREWELL, exchange(line, full_router())));
                        }
                    }
                },
                Err(error) if is_of_other_side(&error) => {}
                Err(_) => self.refuse_with_spare().await,
            }
        }
    }

    /// The process has no descriptors left, or the system no memory: that passes when connections are closed, here or
    /// elsewhere in the process.
    async fn refuse_with_spare(&mut self) {
        match self.spare.take() {
            Some(spare) => {
                drop(spare);
                if let Ok(Ok((stream, _))) = timeout(PAUSE, self.listener.accept()).await {
                    refuse(stream, EXHAUSTED).await;
                }
            }
            None => sleep(PAUSE).await,
        }
        self.spare = self.own.try_clone().ok();
    }
}

/// Whether a connection was gone before it was taken; the next one may be fine.
fn is_of_other_side(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers the request of a connection. One that becomes a web socket is not limited by this any more.
async fn exchange(line: Line, router: Router) {
    let service = TowerToHyperService::new(router.layer(Extension(line.clone())));
    let speaking = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST)
        .serve_connection(TokioIo::new(line.clone()), service)
        .with_upgrades();
    // What is wrong with a request is the matter of whoever sent it.
    let _ = timeout(EXCHANGE, speaking).await;
}

/// Answers everything with the reason why there is no place: a browser has to ask before it hears that.
fn full_router() -> Router {
    Router::new().fallback(say_full)
}

async fn say_full(
    Extension(line): Extension<Line>,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    match upgrade {
        // A page is told nothing of an answer that is no web socket, so it gets one, which is closed at once.
        Ok(upgrade) if uri.path() == "/socket" => {
            upgrade.on_upgrade(|socket| close_full(socket, line))
        }
        _ => {
            let headers = [(CONNECTION, "close"), (RETRY_AFTER, "5")];
            (StatusCode::SERVICE_UNAVAILABLE, headers, full()).into_response()
        }
    }
}

async fn close_full(mut socket: WebSocket, line: Line) {
    let (code, reason) = (close_code::AGAIN, full().trim_end().into());
    let last = socket.send(Message::Close(Some(CloseFrame { code, reason })));
    if timeout(FAREWELL, last).await.is_ok() {
        line.drain(FAREWELL).await;
    }
}

/// Says why a connection is not taken, to whom is ready to read it.
async fn refuse(mut stream: TcpStream, why: &str) {
    let length = why.len();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Retry-After: 5\r\nConnection: close\r\n\r\n{why}"
    );
    let telling = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // What is closed with something unread is reset, and the answer may never arrive.
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // It is refused whether it listens or not.
    let _ = timeout(SHORT_FAREWELL, telling).await;
}
