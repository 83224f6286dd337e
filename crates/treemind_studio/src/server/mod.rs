//! The page of Treemind's studio, and the server that serves it.
//!
//! The server knows nothing of games. It serves one page, the same for everybody, and a web socket, through which pages
//! [ask](Ask); whoever opened the [`Server`] answers. `docs/studio-protocol.md` has what is asked and answered.
//!
//! Unless it is told otherwise, it listens on the loopback address only. It refuses what another site could have sent:
//! requests with the name of another host, and web sockets that a page from elsewhere opens. On any other address it talks
//! only to those who have its token. Who wants to edit needs the token everywhere. It reads no files: what it serves is part of the program.
//!
//! Nobody can keep it from the others: the number of connections, the time of a request, and what waits for each page are
//! bounded, and pages are heard in turn.

mod accept;
mod guard;
mod inbox;
mod line;
#[cfg(test)]
mod sources;
mod talk;

use accept::Door;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::header::{CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
pub use guard::Access;
use guard::{Guard, MayEdit};
pub use inbox::Ask;
use inbox::Inbox;
use line::Line;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use talk::{LONGEST_ASK, LONGEST_EDIT};
use tokio::sync::mpsc;

/// The page with its scripts and styles, as `cargo xtask dist` has built it from `studio/`.
pub const PAGE: &str = include_str!("../../page/index.html");

/// The editor of texts, for which the page asks when somebody begins to type.
const EDITOR: &str = include_str!("../../page/editor.js");

/// What the words of the language are for, in Chinese: for each English sentence of the table of the language, a Chinese one.
/// The page asks for it when somebody reads Chinese.
const WORDS: &str = include_str!("../../page/words.zh.json");

/// The page takes nothing from elsewhere, and nobody puts it into a frame but VS Code, beside the text.
const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors vscode-webview: vscode-file:";

/// A server that runs on a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: Option<String>,
    /// Closed when it is dropped, which ends the thread.
    _open: mpsc::Sender<()>,
    inbox: Arc<Inbox>,
}

impl Server {
    /// Listens on a port of the loopback address; 0 means any port that is free.
    ///
    /// # Errors
    /// When the port is taken, or the system allows no server.
    pub fn open(port: u16) -> io::Result<Self> {
        Self::open_at((Ipv4Addr::LOCALHOST, port).into(), Access::default())
    }

    /// Listens on any address of this machine; port 0 means any that is free. Beyond the loopback address, it always asks
    /// for a token: a random one, which is part of the [`url`](Self::url). What is said is not encrypted.
    ///
    /// # Errors
    /// When the address is not one of this machine, the port is taken, or the system allows no server or has no random
    /// numbers.
    pub fn open_at(address: SocketAddr, mut access: Access) -> io::Result<Self> {
        access.asks_token |= !address.ip().to_canonical().is_loopback();
        let token = match access.asks_token || access.edits {
            true => Some(guard::token()?),
            false => None,
        };
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let guard = Guard {
            port: address.port(),
            token: token.clone(),
            access,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let door = {
            let _within = runtime.enter();
            Door::new(listener)?
        };
        let inbox = Arc::new(Inbox::default());
        let guard = axum::middleware::from_fn_with_state(Arc::new(guard), guard::check);
        let router = Router::new()
            .route("/", get(page))
            .route("/editor.js", get(editor))
            .route("/words.zh.json", get(words))
            .route("/socket", get(socket))
            .layer(guard)
            .layer(axum::middleware::map_response(last))
            .with_state(Arc::clone(&inbox));
        let (open, mut is_open) = mpsc::channel(1);
        let serve = async move {
            tokio::select! {
                () = door.open(router) => {}
                _ = is_open.recv() => {}
            }
        };
        thread::Builder::new()
            .name("studio".to_owned())
            .spawn(move || runtime.block_on(serve))?;
        Ok(Self {
            address,
            token,
            _open: open,
            inbox,
        })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
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

    /// The next question; waits for one at most as long as this. Pages are heard in turn, whoever asks how much.
    pub fn next(&self, wait: Duration) -> Option<Ask> {
        self.inbox.next(wait)
    }
}

/// The page consists of a few files, and nobody asks for one twice: a connection that is no web socket ends with its answer.
async fn last(mut answer: Response) -> Response {
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        let close = HeaderValue::from_static("close");
        answer.headers_mut().insert(CONNECTION, close);
    }
    answer
}

async fn page() -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, PAGE)
}

async fn editor() -> impl IntoResponse {
    file("text/javascript; charset=utf-8", EDITOR)
}

async fn words() -> impl IntoResponse {
    file("application/json", WORDS)
}

/// A file for which the page asks later.
fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store")];
    (headers, text)
}

async fn socket(
    State(inbox): State<Arc<Inbox>>,
    Extension(line): Extension<Line>,
    Extension(MayEdit(may_edit)): Extension<MayEdit>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let most = if may_edit { LONGEST_EDIT } else { LONGEST_ASK };
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    upgrade.on_upgrade(move |socket| async move {
        talk::converse(socket, line, &inbox, may_edit).await;
    })
}
