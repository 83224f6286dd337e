//! A client of the studio.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::Duration;
use treemind_studio::Studio;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long a loaded machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A web socket.
pub(crate) struct Talk {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    seen: u64,
}

impl Talk {
    pub(crate) fn to(studio: &Studio) -> Self {
        let url = studio.url().replace("http://", "ws://") + "socket";
        let (socket, _) = tungstenite::connect(url).expect("a web socket");
        // A view that never comes fails the test.
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        }
        Self { socket, seen: 0 }
    }

    pub(crate) fn say(&mut self, what: &Value) {
        let text = what.to_string();
        self.socket.send(Message::text(text)).expect("it is open");
    }

    pub(crate) fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("a message") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// The next view of an agent that is another than the last.
    pub(crate) fn look(&mut self, mind: usize) -> Value {
        self.look_with(&json!({"mind": mind}))
    }

    pub(crate) fn look_with(&mut self, wish: &Value) -> Value {
        let mut look = json!({"say": "look", "nth": 1, "seen": self.seen});
        for (name, value) in wish.as_object().expect("members") {
            look[name] = value.clone();
        }
        self.say(&look);
        let view = self.hear();
        assert_eq!(view["kind"], "view", "{view}");
        self.seen = view["state"].as_u64().expect("a number");
        view
    }

    /// The first view in which something holds.
    pub(crate) fn until(&mut self, mind: usize, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let view = self.look(mind);
            if holds(&view) {
                return view;
            }
        }
    }

    /// The view of a tick.
    pub(crate) fn at(&mut self, mind: usize, tick: u64) -> Value {
        self.say(&json!({"say": "go", "tick": tick}));
        self.until(mind, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        })
    }
}
