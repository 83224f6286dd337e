//! The program as a child that ends with the test.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
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

    /// Starts `treemind studio` in a process that may have so many files open.
    #[cfg(unix)]
    pub(crate) fn with_few_files(most: u32, args: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -n {most}; exec \"$0\" studio \"$@\"");
        shell
            .args(["-c", &script, env!("CARGO_BIN_EXE_treemind")])
            .args(args);
        Self::by(shell)
    }

    /// Starts `treemind studio` by a script of the shell that gets the command.
    #[cfg(unix)]
    pub(crate) fn by_script(script: &str, args: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, env!("CARGO_BIN_EXE_treemind"), "studio"])
            .args(args);
        Self::by(shell)
    }

    fn of(command: &str, args: &[&str]) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_treemind"));
        program.arg(command).args(args);
        Self::by(program)
    }

    fn by(mut program: Command) -> Self {
        let mut child = program
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        let mut url = String::new();
        out.read_line(&mut url).expect("a line");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://"), "{url}");
        Self {
            child,
            _out: out,
            url,
        }
    }

    /// The address of the page that wants to see something.
    pub(crate) fn at(&self, wish: &str) -> String {
        let sign = if self.url.contains('#') { '&' } else { '#' };
        format!("{}{sign}{wish}", self.url)
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it ends by itself, at most as long as this; returns whether it did.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time {
            if self.child.try_wait().expect("a child").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// The host and the port.
    pub(crate) fn host(&self) -> &str {
        let host = &self.url["http://".len()..];
        host.split_once('/').map_or(host, |(host, _)| host)
    }

    /// A conversation as a page has it.
    pub(crate) fn talk(&self) -> Talk {
        let token = self.url.split_once("/#token=");
        self.talk_by(&token.map_or(String::new(), |(_, token)| format!("?token={token}")))
    }

    /// The same, of somebody who does not know the token.
    pub(crate) fn talk_without_token(&self) -> Talk {
        self.talk_by("")
    }

    fn talk_by(&self, query: &str) -> Talk {
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

    /// Sends bytes instead of a text.
    pub(crate) fn say_bytes(&mut self, bytes: Vec<u8>) {
        self.0.send(Message::binary(bytes)).expect("it is open");
    }

    /// Sends a text, and whether it was taken.
    pub(crate) fn try_say(&mut self, text: String) -> bool {
        self.0.send(Message::text(text)).is_ok()
    }

    /// Hears something, whatever it is; returns whether there was something.
    pub(crate) fn try_hear(&mut self) -> bool {
        self.0.read().is_ok()
    }

    /// From now on, sends and reads for so long at most.
    pub(crate) fn patience(&self, time: Duration) {
        if let MaybeTlsStream::Plain(stream) = self.0.get_ref() {
            stream.set_read_timeout(Some(time)).expect("a limit");
            stream.set_write_timeout(Some(time)).expect("a limit");
        }
    }

    /// The code and the reason with which it is closed.
    pub(crate) fn farewell(&mut self) -> (u16, String) {
        loop {
            if let Message::Close(close) = self.0.read().expect("a last message") {
                let close = close.expect("a reason");
                return (close.code.into(), close.reason.to_string());
            }
        }
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
