//! What goes wrong in a page alone: it says so, keeps what was typed, and goes on.

use super::{Static, TICK, until_tick};
use crate::browser::Browser;
use crate::writing::{caret_behind, write};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A worker that dies or hangs as soon as it hears a word.
const FRAIL: &str = "addEventListener('message', ({ data }) => {
    if (String(data).includes('DIES')) postMessage({ died: 'it was told to' });
    if (String(data).includes('HANGS')) for (;;);
});\n";

const SAID: &str = "document.querySelector('.told.bad')?.textContent ?? ''";

/// What the storage of the page has of the guard.
const KEPT: &str = "(localStorage.getItem('treemind-files') ?? '')";

/// Types a word into the document that is open.
fn type_in(page: &mut Browser, word: &str) {
    write(page);
    caret_behind(page, "tree guard");
    page.type_text(word);
}

#[test]
#[ignore = "needs Chromium and the site"]
fn a_worker_that_dies_or_hangs_loses_nothing_that_was_typed() {
    let server = Static::with(|name, bytes| match name {
        "studio/worker.js" => [FRAIL.as_bytes(), &bytes].concat(),
        _ => bytes,
    });
    let mut page = Browser::open(&server.url("studio/#file=01-guard/guard.kdl&tick=5"));
    until_tick(&mut page, 5);
    type_in(&mut page, "DIES");
    page.until(&format!("{SAID}.includes('begins again: it was told to')"));
    page.until(&format!("{KEPT}.includes('tree guardDIES')"));
    // The session that has begun again has the text.
    page.until(
        "treemind.model.isConnected.value && document.body.innerText.includes('tree guardDIES')",
    );
    page.value("treemind.patience.secs = 1");
    page.until("document.querySelector('.document')");
    type_in(&mut page, "HANGS");
    page.until(&format!(
        "{SAID}.includes('it has not answered for a while')"
    ));
    // It has ended the session twice, so it is set aside, and the files are shown.
    page.until("document.querySelector('.aside')?.textContent.includes('01-guard/guard.kdl')");
    page.until(&format!(
        "{KEPT}.includes('guard.kdl.txt') && {KEPT}.includes('HANGS')"
    ));
    page.value("treemind.patience.secs = 20");
    page.until("treemind.model.isConnected.value && treemind.model.view.value");
}

#[test]
#[ignore = "needs Chromium and the site"]
fn a_browser_without_web_assembly_is_told_so() {
    let server = Static::with(|name, bytes| match name {
        "studio/studio.js" => [b"delete globalThis.WebAssembly;\n", &*bytes].concat(),
        _ => bytes,
    });
    let mut page = Browser::open(&server.url("studio/#file=01-guard/guard.kdl"));
    page.until("document.body.innerText.includes('this browser has no WebAssembly')");
}

#[test]
#[ignore = "needs Chromium and the site"]
fn links_that_are_too_long_or_random_are_refused_and_what_is_downloaded_plays() {
    let server = Static::begin();
    let mut page = Browser::open(&server.url("studio/"));
    // More than a browser takes for an address cannot even arrive.
    for (length, says) in [
        (1_900_000, "longer than a megabyte"),
        (50_000, "the link is damaged"),
    ] {
        page.value(&format!(
            "location.hash = '#share=' + Array.from({{length: {length}}}, () => 'abcXYZ019-_'[Math.random() * 11 | 0]).join(''), location.reload()"
        ));
        page.until(&format!("document.body.innerText.includes('{says}')"));
    }
    page.value("location.hash = '#file=01-guard/guard.kdl&tick=10&seed=7', location.reload()");
    page.until(&format!(
        "globalThis.treemind?.model.view.value?.file.startsWith('01') && {TICK} === 10"
    ));
    page.value(
        "URL.createObjectURL = (blob) => (blob.arrayBuffer().then((all) => (globalThis.zip = btoa(String.fromCharCode(...new Uint8Array(all))))), 'blob:a'), 1",
    );
    page.value("[...document.querySelectorAll('header button')].find((one) => one.textContent === 'Download').click(), 1");
    page.until("globalThis.zip");
    let zip = page.value("zip");
    let folder = tempfile::tempdir().expect("a folder");
    let script = "import sys,base64,io,zipfile; zipfile.ZipFile(io.BytesIO(base64.b64decode(sys.stdin.read()))).extractall(sys.argv[1])";
    let mut python = Command::new("python3")
        .args(["-c", script])
        .arg(folder.path())
        .stdin(Stdio::piped())
        .spawn()
        .expect("python");
    let mut input = python.stdin.take().expect("its input");
    input
        .write_all(zip.as_str().expect("a text").as_bytes())
        .expect("it reads");
    drop(input);
    assert!(python.wait().expect("python").success());
    let run = Command::new(env!("CARGO_BIN_EXE_treemind"))
        .current_dir(folder.path())
        .args(["run", "01-guard/guard.kdl", "--no-ui", "--ticks", "100"])
        .output()
        .expect("the program");
    let log = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && log.contains("attack"), "{log}");
}
