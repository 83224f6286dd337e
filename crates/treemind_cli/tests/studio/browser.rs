//! A real Chromium, spoken to through its debugging protocol.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long to wait for something to be seen; a slow machine takes a part of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one tab.
pub(crate) struct Browser {
    child: Child,
    _errors: BufReader<ChildStderr>,
    _profile: TempDir,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    tab: String,
    asked: u64,
}

impl Browser {
    /// Starts it with a profile of its own and opens an address.
    pub(crate) fn open(url: &str) -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        let program = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let mut child = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--remote-debugging-port=0",
                "--window-size=1440,900",
                "--lang=en",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium is installed: `cargo xtask ci` installs it");
        let mut errors = BufReader::new(child.stderr.take().expect("an output"));
        let address = loop {
            let mut line = String::new();
            let read = errors.read_line(&mut line).expect("a line");
            assert!(read > 0, "Chromium has ended");
            if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                break address.to_owned();
            }
        };
        let (socket, _) = tungstenite::connect(address).expect("a web socket");
        let mut browser = Self {
            child,
            _errors: errors,
            _profile: profile,
            socket,
            tab: String::new(),
            asked: 0,
        };
        let tab = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let id = tab["targetId"].clone();
        let tab = browser.ask(
            "Target.attachToTarget",
            json!({"targetId": id, "flatten": true}),
        );
        browser.tab = tab["sessionId"].as_str().expect("a session").to_owned();
        browser.resize(1440, 900);
        browser.ask("Page.navigate", json!({"url": url}));
        browser
    }

    /// Gives the window another size.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer to a question, or the error.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut message = json!({"id": self.asked, "method": method, "params": params});
        if !self.tab.is_empty() {
            message["sessionId"] = json!(self.tab);
        }
        self.socket
            .send(Message::text(message.to_string()))
            .expect("it is open");
        loop {
            let Message::Text(text) = self.socket.read().expect("a message") else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            if answer["id"] == self.asked {
                return answer;
            }
        }
    }

    /// What an expression of the page yields.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.ask("Runtime.evaluate", params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Waits until an expression of the page is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        let safe =
            format!("(() => {{ try {{ return !!({expression}) }} catch {{ return false }} }})()");
        let params = json!({"expression": safe, "returnByValue": true});
        loop {
            let answer = self.answer("Runtime.evaluate", params.clone());
            // A page that is just being opened answers with an error: it is not true yet.
            if answer["result"]["result"]["value"] == true {
                return;
            }
            if begun.elapsed() > PATIENCE {
                let text = self.value("document.body.innerText");
                panic!("`{expression}` has not become true; the page says: {text}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key, with its name as a page sees it.
    pub(crate) fn press(&mut self, key: &str) {
        self.press_with(key, 0);
    }

    /// The same while others are held: 2 is Ctrl, 8 is Shift.
    pub(crate) fn press_with(&mut self, key: &str, modifiers: u8) {
        let text = match key {
            _ if modifiers != 0 => "",
            "Enter" => "\r",
            key if key.chars().count() == 1 && modifiers == 0 => key,
            _ => "",
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            // Shortcuts are known by their keys.
            _ if modifiers != 0 => key.bytes().next().map_or(0, |key| key.to_ascii_uppercase()),
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text into whatever has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.ask("Input.insertText", json!({"text": text}));
    }

    /// Turns the wheel at a point of the window.
    pub(crate) fn wheel(&mut self, x: f64, y: f64, by: f64) {
        let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by});
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Moves the mouse to a point of the window.
    pub(crate) fn point_at(&mut self, x: f64, y: f64) {
        let event = json!({"type": "mouseMoved", "x": x, "y": y});
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Clicks with the mouse on a point of the window.
    pub(crate) fn click(&mut self, x: f64, y: f64) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let buttons = u8::from(kind == "mousePressed");
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses the mouse at a point of the window, moves it to another, and releases it there.
    pub(crate) fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        let steps = [
            ("mousePressed", from, 1),
            ("mouseMoved", to, 1),
            ("mouseReleased", to, 0),
        ];
        for (kind, (x, y), buttons) in steps {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// The middle of an element, in the window.
    pub(crate) fn middle_of(&mut self, selector: &str) -> (f64, f64) {
        self.place(&format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ))
    }

    /// A place in the window that an expression yields.
    fn place(&mut self, expression: &str) -> (f64, f64) {
        let place = self.value(expression);
        (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
    }

    /// The place in the window that is `at` on the canvas of the graph, as soon as statements know it.
    pub(crate) fn on_canvas(&mut self, statements: &str) -> (f64, f64) {
        let place = format!(
            "(() => {{
                {statements}
                const box = document.querySelector('.graph canvas').getBoundingClientRect();
                return at && [at.x + box.x, at.y + box.y];
            }})()"
        );
        self.until(&place);
        self.place(&place)
    }

    /// Opens the window of what can be added with a key, types there, and takes the first offer.
    pub(crate) fn type_to_add(&mut self, key: &str, words: &str) {
        self.press(key);
        self.until("document.activeElement.matches('.search input')");
        self.type_text(words);
        self.press("Enter");
    }

    /// Clicks on the middle of an element.
    pub(crate) fn click_on(&mut self, selector: &str) {
        let (x, y) = self.middle_of(selector);
        self.click(x, y);
    }

    /// The page as a picture, in base 64.
    pub(crate) fn picture(&mut self) -> String {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        answer["data"].as_str().expect("a picture").to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
