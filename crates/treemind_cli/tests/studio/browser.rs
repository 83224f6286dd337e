//! A real Chromium, spoken to through its debugging protocol.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long to wait for something to be seen; a slow machine takes a part of it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The one Chromium of all tests of this process. To start it takes longer than most tests.
struct Chromium {
    /// It ends when this pipe is closed: when the process of the tests ends, however that happens.
    child: Child,
    /// Somebody has to hear what it says.
    _errors: BufReader<ChildStderr>,
    /// Where it is spoken to.
    address: String,
}

/// Removes the profile when Chromium has ended. Chromium lives as long as the pipe that it reads from as number 3.
const UNTIL_THE_PIPE_ENDS: &str = r#"profile=$1; shift; "$@" "--user-data-dir=$profile" 3<&0 4>&1 </dev/null >/dev/null; rm -rf "$profile""#;

impl Chromium {
    fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder").keep();
        let program = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let mut child = Command::new("sh")
            .args(["-c", UNTIL_THE_PIPE_ENDS, "sh"])
            .arg(profile)
            .arg(program)
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
                "--disable-extensions",
                "--disable-sync",
            ])
            // Every tab is one that somebody looks at.
            .args([
                "--disable-background-timer-throttling",
                "--disable-backgrounding-occluded-windows",
                "--disable-renderer-backgrounding",
            ])
            .args([
                "--remote-debugging-pipe",
                "--remote-debugging-port=0",
                "--window-size=1440,900",
                "--lang=en",
                "--hide-scrollbars",
            ])
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
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
        Self {
            child,
            _errors: errors,
            address,
        }
    }

    /// Where the one that runs is spoken to.
    fn address() -> String {
        static RUNS: Mutex<Option<Chromium>> = Mutex::new(None);
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        let has_ended = |one: &mut Self| one.child.try_wait().is_ok_and(|end| end.is_some());
        if runs.as_mut().is_none_or(has_ended) {
            *runs = Some(Self::start());
        }
        runs.as_ref().expect("it runs").address.clone()
    }
}

/// A tab of its own, which shares nothing with others: neither what is stored nor the focus.
pub(crate) struct Browser {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    tab: String,
    /// What tabs that share what is stored have in common.
    context: Value,
    asked: u64,
}

impl Browser {
    /// Opens an address.
    pub(crate) fn open(url: &str) -> Self {
        Self::open_in(None, url)
    }

    /// Opens an address in another tab, which shares what is stored with this one.
    pub(crate) fn beside(&self, url: &str) -> Self {
        Self::open_in(Some(self.context.clone()), url)
    }

    fn open_in(context: Option<Value>, url: &str) -> Self {
        let (socket, _) = tungstenite::connect(Chromium::address()).expect("a web socket");
        let mut browser = Self {
            socket,
            tab: String::new(),
            context: Value::Null,
            asked: 0,
        };
        // It goes with the socket of its first tab, and so do all of them.
        let own = json!({"disposeOnDetach": true});
        let made = || browser.ask("Target.createBrowserContext", own)["browserContextId"].clone();
        browser.context = context.unwrap_or_else(made);
        let tab = json!({"url": "about:blank", "browserContextId": browser.context});
        let tab = browser.ask("Target.createTarget", tab);
        let id = tab["targetId"].clone();
        let tab = browser.ask(
            "Target.attachToTarget",
            json!({"targetId": id, "flatten": true}),
        );
        browser.tab = tab["sessionId"].as_str().expect("a session").to_owned();
        browser.ask(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
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

    /// Waits until an expression of the page is true. The page itself looks again and again, which costs less than to ask it.
    pub(crate) fn until(&mut self, expression: &str) {
        self.until_within(expression, PATIENCE);
    }

    /// The same for what may take longer, or has to be there sooner.
    pub(crate) fn until_within(&mut self, expression: &str, patience: Duration) {
        if !self.becomes_true(expression, patience) {
            let text = self.value("document.body.innerText.replaceAll('\\n', ' | ')");
            let text = text.as_str().unwrap_or_default();
            // Whoever reads this in the output of a long run sees no more of a line.
            let shown: String = text.chars().take(600).collect();
            panic!("`{expression}` has not become true\nthe page says: {shown}");
        }
    }

    /// Whether an expression of the page becomes true within a time.
    pub(crate) fn becomes_true(&mut self, expression: &str, patience: Duration) -> bool {
        let begun = Instant::now();
        let watched = format!(
            "(async () => {{
                const isTrue = () => {{ try {{ return !!({expression}) }} catch {{ return false }} }};
                for (const end = performance.now() + 1000; performance.now() < end; ) {{
                    if (isTrue()) return true;
                    await new Promise((done) => setTimeout(done, 10));
                }}
                return false;
            }})()"
        );
        let params = json!({"expression": watched, "returnByValue": true, "awaitPromise": true});
        loop {
            let answer = self.answer("Runtime.evaluate", params.clone());
            // A page that is just being opened answers with an error: it is not true yet.
            if answer["result"]["result"]["value"] == true {
                return true;
            }
            if begun.elapsed() > patience {
                return false;
            }
            if answer["result"]["result"]["value"].is_null() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    /// Presses a key, with its name as a page sees it.
    pub(crate) fn press(&mut self, key: &str) {
        self.press_with(key, 0);
    }

    /// The same while others are held: 1 is Alt, 2 is Ctrl, 8 is Shift.
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
            "Home" => 36,
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

    /// The same as soon as the element has not moved for a while.
    pub(crate) fn still_middle_of(&mut self, selector: &str) -> (f64, f64) {
        self.until(&format!("document.querySelector({selector:?})"));
        self.value(&format!(
            "new Promise((done) => {{
                let [last, since] = ['', 0];
                const look = (now) => {{
                    const place = JSON.stringify(document.querySelector({selector:?})?.getBoundingClientRect());
                    if (place !== last) [last, since] = [place, now];
                    if (place && now - since > 150) done();
                    else requestAnimationFrame(look);
                }};
                requestAnimationFrame(look);
            }})"
        ));
        self.middle_of(selector)
    }

    /// A place in the window that an expression yields.
    pub(crate) fn place(&mut self, expression: &str) -> (f64, f64) {
        let place = self.value(expression);
        (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
    }

    /// The place in the window that is `at` on the canvas of the graph, as soon as statements know it and the graph
    /// stands still: what a key has asked for is drawn with the next frame.
    pub(crate) fn on_canvas(&mut self, statements: &str) -> (f64, f64) {
        let begun = Instant::now();
        let place = format!(
            "(async () => {{
                const frame = () => new Promise((done) => requestAnimationFrame(done));
                const place = () => {{
                    try {{
                        {statements}
                        const box = document.querySelector('.graph canvas').getBoundingClientRect();
                        return at && [at.x + box.x, at.y + box.y];
                    }} catch {{
                        return null;
                    }}
                }};
                await frame();
                const before = place();
                await frame();
                await frame();
                const now = place();
                return now && String(now) === String(before) ? now : null;
            }})()"
        );
        loop {
            let at = self.value(&place);
            if let (Some(x), Some(y)) = (at[0].as_f64(), at[1].as_f64()) {
                return (x, y);
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "nothing stands still at {statements}"
            );
        }
    }

    /// Opens the window of what can be added with a key, types there, and takes the first offer.
    pub(crate) fn type_to_add(&mut self, key: &str, words: &str) {
        self.press(key);
        self.until("document.activeElement.matches('.search input')");
        self.type_text(words);
        self.press("Enter");
    }

    /// Clicks on the middle of an element, as soon as it stands still and nothing lies on it. If the page moves just then
    /// and the click goes elsewhere, it clicks again.
    pub(crate) fn click_on(&mut self, selector: &str) {
        let begun = Instant::now();
        let place = format!(
            "(async () => {{
                const frame = () => new Promise((done) => requestAnimationFrame(done));
                const box = () => {{ const r = document.querySelector({selector:?})?.getBoundingClientRect(); return r && [r.x + r.width / 2, r.y + r.height / 2]; }};
                const before = box();
                await frame();
                const now = box();
                const one = document.querySelector({selector:?});
                if (!now || String(now) !== String(before)) return null;
                if (!one.contains(document.elementFromPoint(...now))) {{
                    // What the page has scrolled away meanwhile is brought back.
                    one.scrollIntoView({{ block: 'nearest', inline: 'nearest' }});
                    return null;
                }}
                window.hit = {{}};
                for (const kind of ['mousedown', 'click'])
                    addEventListener(kind, (event) => (window.hit[kind] = one.contains(event.target)), {{ capture: true, once: true }});
                // What moves between down and up was not clicked.
                window.hit.isDone = () => window.hit.mousedown && (window.hit.click || !one.matches('button'));
                return now;
            }})()"
        );
        loop {
            let at = self.value(&place);
            if let (Some(x), Some(y)) = (at[0].as_f64(), at[1].as_f64()) {
                self.click(x, y);
                if self.value("!window.hit?.isDone || window.hit.isDone()") == true {
                    return;
                }
            }
            assert!(begun.elapsed() < PATIENCE, "there is no way to {selector}");
        }
    }

    /// The page as a picture, in base 64.
    pub(crate) fn picture(&mut self) -> String {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        answer["data"].as_str().expect("a picture").to_owned()
    }
}
