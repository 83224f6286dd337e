//! The page of Treemind's studio, and the server that serves it.
//!
//! The server knows nothing of games. It serves one page, the same for everybody, and a web socket, through which pages
//! [ask](Ask); whoever opened the [`Server`] answers. `docs/studio-protocol.md` has what is asked and answered.
//!
//! Unless it is told otherwise, it listens on the loopback address only. It refuses what another site could have sent:
//! requests with the name of another host, and web sockets that a page from elsewhere opens. On any other address it talks
//! only to those who have its token. It reads no files: what it serves is part of the program.

mod guard;
#[cfg(test)]
mod sources;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use guard::Guard;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc as later;

/// The page with its scripts and styles, as `cargo xtask dist` has built it from `studio/`.
pub const PAGE: &str = include_str!("../page/index.html");

/// The page takes nothing from elsewhere, and nobody puts it into a frame.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// How long a question may be, in bytes.
const LONGEST_ASK: usize = 64 * 1024;

/// What a page asks, and the way back to it.
#[derive(Debug)]
pub struct Ask {
    /// What it asks.
    pub text: String,
    /// Where the answer goes.
    pub page: Page,
}

/// A page that is open somewhere.
#[derive(Clone, Debug)]
pub struct Page(later::UnboundedSender<String>);

impl Page {
    /// Sends it something; returns whether it is still open.
    pub fn send(&self, text: String) -> bool {
        self.0.send(text).is_ok()
    }

    /// Whether it is the same page.
    pub fn is_same(&self, other: &Page) -> bool {
        self.0.same_channel(&other.0)
    }

    /// Whether it is still open.
    pub fn is_open(&self) -> bool {
        !self.0.is_closed()
    }
}

/// A server that runs on a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: Option<String>,
    /// Closed when it is dropped, which ends the thread.
    _open: later::Sender<()>,
    asks: mpsc::Receiver<Ask>,
}

impl Server {
    /// Listens on a port of the loopback address; 0 means any port that is free.
    ///
    /// # Errors
    /// When the port is taken, or the system allows no server.
    pub fn open(port: u16) -> io::Result<Self> {
        Self::open_at((Ipv4Addr::LOCALHOST, port).into(), false)
    }

    /// Listens on any address of this machine; port 0 means any that is free. Beyond the loopback address, or where
    /// `asks_token`, only those get an answer who know a token: a random one, which is part of the [`url`](Self::url). What
    /// is said is not encrypted.
    ///
    /// # Errors
    /// When the address is not one of this machine, the port is taken, or the system allows no server or has no random
    /// numbers.
    pub fn open_at(address: SocketAddr, asks_token: bool) -> io::Result<Self> {
        let token = match asks_token || !address.ip().is_loopback() {
            true => Some(guard::token()?),
            false => None,
        };
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Guard {
            port: address.port(),
            token: token.clone(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let (sender, asks) = mpsc::channel();
        let router = Router::new()
            .route("/", get(page))
            .route("/socket", get(socket))
            .layer(axum::middleware::from_fn_with_state(
                Arc::new(guard),
                guard::check,
            ))
            .with_state(sender);
        let (open, mut is_open) = later::channel(1);
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                ended = async { axum::serve(listener, router).await } => ended,
                _ = is_open.recv() => Ok(()),
            }
        };
        thread::Builder::new()
            .name("studio".to_owned())
            .spawn(move || runtime.block_on(serve))?;
        Ok(Self {
            address,
            token,
            _open: open,
            asks,
        })
    }

    /// The address of the page, with the token. A server that listens on all addresses has the one for this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        match &self.token {
            None => format!("http://{address}/"),
            Some(token) => format!("http://{address}/#token={token}"),
        }
    }

    /// The next question; waits for one at most as long as this.
    pub fn next(&self, wait: Duration) -> Option<Ask> {
        self.asks.recv_timeout(wait).ok()
    }
}

async fn page() -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, PAGE)
}

async fn socket(State(asks): State<mpsc::Sender<Ask>>, upgrade: WebSocketUpgrade) -> Response {
    let upgrade = upgrade.max_message_size(LONGEST_ASK);
    upgrade.on_upgrade(move |socket| converse(socket, asks))
}

/// Passes on what a page asks and what it is answered, until it is closed.
async fn converse(mut socket: WebSocket, asks: mpsc::Sender<Ask>) {
    let (sender, mut answers) = later::unbounded_channel();
    let page = Page(sender);
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let ask = Ask { text: text.to_string(), page: page.clone() };
                    if asks.send(ask).is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            answer = answers.recv() => {
                let Some(answer) = answer else { return };
                if socket.send(Message::Text(answer.into())).await.is_err() {
                    return;
                }
            }
        }
    }
}
