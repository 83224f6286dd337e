//! The studio in a page alone: the built site behind nothing but a static server. `TREEMIND_SITE` is its folder;
//! `cargo xtask site --quick` builds it into target/site, where it is looked for.

mod bad;
mod same;

use crate::browser::Browser;
use crate::writing::{caret_behind, write};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn folder() -> PathBuf {
    let given = std::env::var_os("TREEMIND_SITE").map(PathBuf::from);
    let folder =
        given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/site"));
    let is_built = folder.join("studio/treemind.wasm").is_file();
    assert!(
        is_built,
        "there is no site: `cargo xtask site --quick --no-book` builds it"
    );
    folder
}

/// A server that knows files and nothing else, under a path of its own.
struct Static {
    port: u16,
    /// When it is set, nothing is answered any more.
    is_down: Arc<AtomicBool>,
}

impl Static {
    fn begin() -> Self {
        Self::with(|_, bytes| bytes)
    }

    /// A server that changes files on the way.
    fn with(change: fn(&str, Vec<u8>) -> Vec<u8>) -> Self {
        let folder = folder();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_down = Arc::new(AtomicBool::new(false));
        let down = Arc::clone(&is_down);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                if !down.load(Ordering::SeqCst) {
                    std::thread::spawn(move || answer(stream, &folder, change));
                }
            }
        });
        Self { port, is_down }
    }

    fn url(&self, rest: &str) -> String {
        format!("http://127.0.0.1:{}/below/{rest}", self.port)
    }
}

fn answer(
    mut stream: TcpStream,
    folder: &Path,
    change: fn(&str, Vec<u8>) -> Vec<u8>,
) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    while lines.next()?.ok().is_some_and(|line| !line.is_empty()) {}
    let name = first.split(' ').nth(1)?.strip_prefix("/below/")?;
    let name = name.split('?').next()?;
    let mut file = folder.join(name);
    if name.is_empty() || name.ends_with('/') {
        file.push("index.html");
    }
    let kind = match file.extension()?.to_str()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let (status, bytes) = match std::fs::read(&file) {
        Ok(bytes) => ("200 OK", change(name, bytes)),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&bytes).ok()
}

/// The tick that is shown.
const TICK: &str = "treemind.model.view.value.tick";

/// Waits until a tick is shown.
fn until_tick(page: &mut Browser, tick: u64) {
    page.until(&format!(
        "{TICK} === {tick} && treemind.model.view.value.is_paused"
    ));
}

/// What a page shows of the world and of the agent, as text.
fn shown(page: &mut Browser) -> String {
    let script = "(() => { const v = treemind.model.view.value; return JSON.stringify([v.tick, v.agents, v.scene, v.agent?.keys, v.agent?.states]); })()";
    page.value(script).as_str().expect("a text").to_owned()
}

#[test]
#[ignore = "needs Chromium and the site"]
fn a_page_alone_edits_what_plays_and_a_link_holds_it() {
    let server = Static::begin();
    let mut page = Browser::open(&server.url("studio/#file=01-guard/guard.kdl&tick=190"));
    until_tick(&mut page, 190);
    let flees = |page: &mut Browser| {
        let all = page.value("JSON.stringify(treemind.model.view.value.agents)");
        all.as_str().is_some_and(|all| all.contains("run-away"))
    };
    assert!(flees(&mut page), "the guard flees at tick 190");
    // With another number, it flees earlier.
    write(&mut page);
    caret_behind(&mut page, "health < 20");
    page.press("Backspace");
    page.press("Backspace");
    page.type_text("60");
    page.until("(localStorage.getItem('treemind-files') ?? '').includes('health < 60')");
    let mut page = Browser::open(&server.url("studio/#file=01-guard/guard.kdl&tick=150&seed=7"));
    until_tick(&mut page, 150);
    assert!(
        !flees(&mut page),
        "another profile has the text of the example"
    );
    // What is shared is seen elsewhere at the same tick.
    page.click_on("button.share");
    page.until("document.querySelector('dialog .link')?.value");
    let link = page.value("document.querySelector('dialog .link').value");
    let link = link.as_str().expect("a link");
    let mut other = Browser::open(link);
    until_tick(&mut other, 150);
    assert_eq!(shown(&mut other), shown(&mut page));
    other.until("location.hash.includes('seed=7')");
    let file = other.value("treemind.model.view.value.file");
    assert!(
        file.as_str()
            .is_some_and(|file| file.starts_with("shared-"))
    );
}

#[test]
#[ignore = "needs Chromium and the site"]
fn a_page_alone_goes_back_and_forth_and_works_without_a_network() {
    let server = Static::begin();
    let mut page = Browser::open(&server.url("studio/#file=01-guard/guard.kdl&tick=100"));
    until_tick(&mut page, 100);
    let before = shown(&mut page);
    page.value("treemind.say({say: 'go', tick: 600}), 1");
    until_tick(&mut page, 600);
    page.value("treemind.say({say: 'go', tick: 100}), 1");
    until_tick(&mut page, 100);
    assert_eq!(shown(&mut page), before);
    page.until("navigator.serviceWorker.controller !== null");
    server.is_down.store(true, Ordering::SeqCst);
    // What is loaded is another page than this one, which answers for a moment longer.
    page.value("globalThis.isOld = true, location.reload(), 1");
    page.until(&format!("!globalThis.isOld && document.readyState === 'complete' && globalThis.treemind?.model.view.value && {TICK} === 100"));
    assert_eq!(shown(&mut page), before);
}

#[test]
#[ignore = "needs Chromium and the site"]
fn a_page_alone_says_what_is_wrong_with_a_link_and_plays_a_village() {
    let server = Static::begin();
    let mut page = Browser::open(&server.url("studio/#share=abc"));
    page.until("document.body.innerText.includes('the link is damaged')");
    page.value("location.hash = '#file=12-village/village.kdl&tick=40', location.reload(), 1");
    page.until(&format!(
        "globalThis.treemind?.model.view.value?.file.startsWith('12') && {TICK} === 40"
    ));
    let people = page.value("treemind.model.view.value.scene.crowd.does.length");
    assert!(
        people.as_u64().is_some_and(|people| people > 500),
        "{people}"
    );
    // Twenty thousand, of whom four thousand are shown, after a few ticks: nothing is optimised here.
    page.value(
        "fetch('examples.json').then((all) => all.json()).then((files) => {
            const map = files.find(([name]) => name === '12-village/village.map')[1].replace(/crowd \\d+/, 'crowd 20000');
            localStorage.setItem('treemind-files', JSON.stringify([['12-village/village.map', map]]));
            location.hash = '#file=12-village/village.kdl&tick=2';
            location.reload();
        }), 1",
    );
    page.until(&format!(
        "globalThis.treemind?.model.view.value?.scene?.crowd?.does.length >= 4000 && {TICK} === 2"
    ));
    let every = page.value("treemind.model.view.value.scene.crowd.every");
    assert_eq!(every, 5, "one of five is drawn");
}

#[test]
#[ignore = "needs Chromium and the site"]
fn the_first_page_plays_a_guard_with_one_click() {
    if !folder().join("docs").is_dir() {
        println!("this site was built without the book");
        return;
    }
    let server = Static::begin();
    let mut page = Browser::open(&server.url(""));
    page.until(
        "document.querySelector('main .acts button.run')?.textContent === 'watch a guard here'",
    );
    page.click_on("main .acts button.run");
    page.until("document.querySelector('.alive iframe')?.title === 'a guard in the studio'");
    let view = "document.querySelector('.alive iframe').contentWindow.treemind?.model.view.value";
    // It plays by itself.
    page.until(&format!(
        "{view}?.file === '01-guard/guard.kdl' && {view}.tick > 5"
    ));
    let link = page.value("document.querySelector('.alive .acts a').href");
    assert_eq!(
        link,
        server
            .url("studio/index.html#file=01-guard/guard.kdl")
            .as_str()
    );
    // A second click does not open a second one.
    page.value("document.querySelector('main .acts button.run').click(), 1");
    assert_eq!(page.value("document.querySelectorAll('.alive').length"), 1);
    page.click_on(".alive .acts button");
    page.until("!document.querySelector('.alive')");
}
