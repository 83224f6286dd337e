//! The program as a child that ends with the test.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A studio that runs.
pub(crate) struct Studio {
    child: Child,
    _out: BufReader<ChildStdout>,
    /// The address of its page.
    pub(crate) url: String,
}

impl Studio {
    /// Starts `treemind studio`, and waits until it has said its address.
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::of("studio", args)
    }

    /// Starts `treemind run --studio`.
    pub(crate) fn run(args: &[&str]) -> Self {
        Self::of("run", &[args, &["--studio"]].concat())
    }

    fn of(command: &str, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_treemind"))
            .arg(command)
            .args(args)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        let mut url = String::new();
        out.read_line(&mut url).expect("a line");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Self {
            child,
            _out: out,
            url,
        }
    }

    /// The host and the port.
    pub(crate) fn host(&self) -> &str {
        let host = &self.url["http://".len()..];
        host.split_once('/').map_or(host, |(host, _)| host)
    }

    /// A conversation as a page has it.
    pub(crate) fn talk(&self) -> Talk {
        let token = self.url.split_once("/#token=");
        let query = token.map_or(String::new(), |(_, token)| format!("?token={token}"));
        let url = format!("ws://{}/socket{query}", self.host());
        let (socket, _) = tungstenite::connect(url).expect("a web socket");
        // What never comes fails a test, and does not hold it up.
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            let patience = Some(Duration::from_secs(120));
            stream.set_read_timeout(patience).expect("a limit");
        }
        Talk(socket)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A web socket.
pub(crate) struct Talk(WebSocket<MaybeTlsStream<TcpStream>>);

impl Talk {
    pub(crate) fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("it is open");
    }

    /// The next message.
    pub(crate) fn hear(&mut self) -> serde_json::Value {
        loop {
            if let Message::Text(text) = self.0.read().expect("a message") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }
}

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..").canonicalize().expect("the project")
}
