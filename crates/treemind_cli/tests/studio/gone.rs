//! What is typed while the program is gone: it is kept, offered by the next page, and lands where it was meant.

use crate::browser::Browser;
use crate::hands::{GUARD, edited, until_file};
use crate::program::Studio;
use crate::writing::{caret_behind, write};
use std::path::PathBuf;
use tempfile::TempDir;

/// What the next page offers.
const OFFERED: &str = "document.querySelector('.left pre')";

/// The lines that what the next page offers would add, whole.
const ADDED: &str = "document.querySelector('.left pre ins')?.textContent";

/// What the browser keeps for the next page.
const STORED: &str = "localStorage.getItem('treemind-typed')";

/// Whether the browser warns of leaving the page.
pub(crate) const WARNS: &str = "(() => { const leaves = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaves); return leaves.defaultPrevented })()";

/// A document whose text is typed, and the program behind it.
struct Typed {
    _folder: TempDir,
    path: PathBuf,
    studio: Option<Studio>,
    port: String,
    page: Browser,
}

impl Typed {
    fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        std::fs::write(&path, text).expect("it is written");
        let studio = Studio::start(&[path.to_str().expect("a path")]);
        let port = studio.host().rsplit_once(':').expect("a port").1.to_owned();
        let mut page = edited(&studio);
        write(&mut page);
        Self {
            _folder: folder,
            path,
            studio: Some(studio),
            port,
            page,
        }
    }

    /// The program is killed, whatever it does just then, and the page says so.
    fn kill(&mut self) {
        self.studio = None;
        self.page
            .until("!window.treemind.model.isConnected.value && document.querySelector('.lost[role=alert]')");
        let said = self
            .page
            .value("document.querySelector('.lost').textContent");
        let said = said.as_str().expect("a text");
        assert!(
            said.contains("What you type in the text meanwhile is kept"),
            "{said}"
        );
    }

    /// Starts the program again, at the same port; returns its address.
    fn start(&mut self) -> String {
        let file = self.path.to_str().expect("a path");
        let studio = Studio::start(&[file, "--port", &self.port]);
        let url = studio.url.clone();
        self.studio = Some(studio);
        url
    }

    /// The next page, with the editor of texts.
    fn next(&mut self) -> Browser {
        let url = self.start();
        opened(&self.page, &url)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.path).expect("a text")
    }
}

fn opened(page: &Browser, url: &str) -> Browser {
    let mut page = page.beside(url);
    page.until("window.treemind?.model.view.value && window.treemind.sheet.mayEdit.value");
    page.press("E");
    write(&mut page);
    page
}

/// Whether the editor shows this text.
fn shows(text: &str) -> String {
    let text = serde_json::to_string(text).expect("a text");
    format!(
        "[...document.querySelectorAll('.cm-line')].map((one) => one.textContent).join('\\n') === {text}"
    )
}

/// A page that is opened after all has nothing to offer.
fn nothing_is_left(typed: &Typed) {
    let url = typed.studio.as_ref().expect("it runs").url.clone();
    let mut page = opened(&typed.page, &url);
    page.until(&shows(&typed.text().replace("\r\n", "\n")));
    assert_eq!(page.value(OFFERED), serde_json::Value::Null);
    assert_eq!(page.value(STORED), serde_json::Value::Null);
    assert_eq!(page.value(WARNS), false);
}

#[test]
#[ignore = "needs Chromium"]
fn the_next_page_offers_what_was_typed_and_it_lands_in_the_file() {
    // A byte order mark, line ends of two letters, and letters of more than one unit.
    let text = format!("\u{feff}{}", GUARD.replace('\n', "\r\n"));
    let mut typed = Typed::of(&text);
    caret_behind(&mut typed.page, "        action patrol");
    typed.page.type_text(" // one");
    let first = text.replace("action patrol\r\n", "action patrol // one\r\n");
    until_file(&typed.path, &first);
    typed
        .page
        .until("window.treemind.sheet.sheet.value.files[0].text.includes('// one')");
    assert_eq!(typed.page.value(WARNS), false);
    typed.kill();
    typed.page.type_text(" and \u{5b88}");
    typed.page.type_text(" \u{1f6e1}\n// last");
    assert_eq!(typed.page.value(WARNS), true);
    assert_eq!(typed.text(), first);
    // The next page offers just that, and has written nothing by itself.
    let mut page = typed.next();
    let offered = "        action patrol // one and \u{5b88} \u{1f6e1}\n// last\n";
    page.until(&format!(
        "{ADDED} === {}",
        serde_json::to_string(offered).expect("a text")
    ));
    page.until(&shows(&first.replace("\r\n", "\n")));
    assert_eq!(typed.text(), first);
    page.click_on(".left button:first-of-type");
    let both = first.replace("// one\r\n", "// one and \u{5b88} \u{1f6e1}\r\n// last\r\n");
    until_file(&typed.path, &both);
    page.until(&format!("!{OFFERED} && {STORED} === null"));
    page.until(&shows(&both.replace("\r\n", "\n")));
    nothing_is_left(&typed);
    // It is one step of the history.
    page.value("document.querySelector('.cm-content').focus()");
    page.press_with("z", 2);
    until_file(&typed.path, &first);
}

#[test]
#[ignore = "needs Chromium"]
fn what_was_typed_and_is_not_wanted_is_dropped() {
    let mut typed = Typed::of(GUARD);
    typed.kill();
    // What is removed is offered, too.
    caret_behind(&mut typed.page, "// it hurts");
    for _ in 0.."hurts".len() {
        typed.page.press_with("Backspace", 0);
    }
    typed.page.type_text("burnt");
    let mut page = typed.next();
    page.until(&format!(
        "{OFFERED}?.querySelector('del').textContent.endsWith('// it hurts\\n') && {ADDED}.endsWith('// it burnt\\n')"
    ));
    page.click_on(".left button:last-of-type");
    page.until(&format!("!{OFFERED} && {STORED} === null"));
    page.until(&shows(GUARD));
    nothing_is_left(&typed);
    assert_eq!(typed.text(), GUARD);
}

#[test]
#[ignore = "needs Chromium"]
fn it_lands_where_it_was_meant_although_the_file_has_changed() {
    let mut typed = Typed::of(GUARD);
    typed.kill();
    caret_behind(&mut typed.page, "        action patrol");
    typed.page.type_text(" name=round");
    let changed = format!(
        "// above\n{}",
        GUARD.replace("default=100.0", "default=50.0")
    );
    std::fs::write(&typed.path, &changed).expect("it is written");
    let mut page = typed.next();
    page.until(&format!(
        "{ADDED} === '        action patrol name=round\\n'"
    ));
    page.click_on(".left button:first-of-type");
    until_file(
        &typed.path,
        &changed.replace("action patrol\n", "action patrol name=round\n"),
    );
    nothing_is_left(&typed);
}

/// Another value at the same place is never woven into what was typed: it is asked which of them counts.
#[test]
#[ignore = "needs Chromium"]
fn what_others_have_written_at_the_same_place_is_asked_about() {
    let of = |value: &str| GUARD.replace("default=100.0", &format!("default={value}.0"));
    for in_the_same_tab in [false, true] {
        let mut typed = Typed::of(GUARD);
        typed.kill();
        caret_behind(&mut typed.page, "default=100");
        for _ in 0.."100".len() {
            typed.page.press_with("Backspace", 0);
        }
        typed.page.type_text("44");
        std::fs::write(&typed.path, of("62")).expect("it is written");
        let url = typed.start();
        let mut next = match in_the_same_tab {
            true => {
                typed.page.value(&format!("void (location.href = {url:?})"));
                typed.page.until("window.treemind.sheet.mayEdit.value");
                None
            }
            false => Some(opened(&typed.page, &url)),
        };
        let page = next.as_mut().unwrap_or(&mut typed.page);
        page.until(&format!(
            "{OFFERED}?.querySelector('del').textContent.includes('default=100.0') && {ADDED}.includes('default=44.0')"
        ));
        page.until(&shows(&of("62")));
        assert_eq!(
            std::fs::read_to_string(&typed.path).expect("a text"),
            of("62")
        );
        page.click_on(".left button:first-of-type");
        // It waits beside what is on disk, until somebody has chosen.
        page.until("document.querySelector('.clash .theirs pre')?.textContent.includes('62')");
        let on_disk = std::fs::read_to_string(&typed.path).expect("a text");
        assert_eq!(on_disk, of("62"));
        page.click_on(".clash .mine button");
        until_file(&typed.path, &of("44"));
        nothing_is_left(&typed);
    }
}

/// Two pages of one browser keep what was typed in each of them.
#[test]
#[ignore = "needs Chromium"]
fn two_pages_keep_what_is_typed_in_each() {
    let mut typed = Typed::of(GUARD);
    let url = typed.studio.as_ref().expect("it runs").url.clone();
    let mut other = opened(&typed.page, &url);
    typed.kill();
    other.until("!window.treemind.model.isConnected.value");
    typed.page.press_with("Home", 2);
    typed.page.type_text("// one\n");
    typed.page.until(&format!("{STORED}?.includes('// one')"));
    other.value("document.querySelector('.cm-content').focus()");
    other.press_with("End", 2);
    other.type_text("// two");
    other.until(&format!("{STORED}?.includes('// two')"));
    assert_eq!(other.value(&format!("{STORED}.includes('// one')")), true);
    // Each goes on by itself, and both are in the file.
    let url = typed.start();
    for page in [&mut typed.page, &mut other] {
        page.value(&format!("void (location.href = {url:?})"));
        page.until("window.treemind.sheet.mayEdit.value");
        page.until("document.querySelector('.write')");
    }
    until_file(&typed.path, &format!("// one\n{GUARD}// two"));
    nothing_is_left(&typed);
}

/// Killed while something is on its way, nobody knows whether that has arrived: it is in the file once, whatever was.
#[test]
#[ignore = "needs Chromium"]
fn what_was_on_its_way_is_in_the_file_once() {
    let mut arrived = 0;
    for pause in [0, 2, 5, 10, 20, 40, 80] {
        let mut typed = Typed::of(GUARD);
        typed.page.press_with("End", 2);
        typed.page.type_text("// one");
        std::thread::sleep(std::time::Duration::from_millis(pause));
        typed.kill();
        arrived += usize::from(typed.text() != GUARD);
        typed.page.type_text(" two");
        let now = typed.text();
        assert!(now == GUARD || now == format!("{GUARD}// one"), "{now}");
        let mut page = typed.next();
        page.until(&format!("{ADDED} === '// one two'"));
        page.click_on(".left button:first-of-type");
        until_file(&typed.path, &format!("{GUARD}// one two"));
        nothing_is_left(&typed);
    }
    println!("of seven, {arrived} had arrived");
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_of_a_program_that_has_ended_says_so_and_goes_on_under_the_new_address() {
    let mut typed = Typed::of(GUARD);
    typed.kill();
    typed.page.press_with("End", 2);
    typed.page.type_text("// kept");
    let url = typed.start();
    // It says what is the matter, shows what was typed, and lets nobody edit.
    typed.page.until(
        "window.treemind.model.isConnected.value && document.querySelector('.lost[role=alert]')?.textContent.includes('open the address that it has printed')",
    );
    typed
        .page
        .until("document.querySelector('.lost .typed')?.textContent === '// kept'");
    typed.page.until(
        "!document.querySelector('.write') && document.querySelector('.text:not([hidden])')",
    );
    assert_eq!(typed.page.value(WARNS), true);
    typed.page.value("document.activeElement.blur()");
    typed.page.press("E");
    typed
        .page
        .until("document.querySelector('.editing.none')?.textContent.includes('token')");
    typed.page.press("t");
    assert_eq!(typed.text(), GUARD);
    // The new address in the same tab: the browser does not load the page for that, and the page goes on by itself.
    typed.page.value(&format!("void (location.href = {url:?})"));
    typed
        .page
        .until("window.treemind.sheet.mayEdit.value && !document.querySelector('.lost')");
    until_file(&typed.path, &format!("{GUARD}// kept"));
    typed.page.until(&shows(&format!("{GUARD}// kept")));
    typed.page.until(&format!("{STORED} === null"));
    assert_eq!(typed.page.value(WARNS), false);
    nothing_is_left(&typed);
}

/// Who only watches need not know of the new address.
#[test]
#[ignore = "needs Chromium"]
fn who_only_watches_goes_on_by_itself() {
    let mut typed = Typed::of(GUARD);
    typed.page.click_on(".document .type");
    typed.page.press("g");
    typed
        .page
        .until("window.treemind.model.panel.value === 'graph'");
    typed.kill();
    typed.start();
    typed
        .page
        .until("window.treemind.model.isConnected.value && window.treemind.sheet.hasEnded.value && !document.querySelector('[role=alert]')");
}
