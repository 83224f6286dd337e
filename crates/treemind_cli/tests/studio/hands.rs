//! Documents that are edited in the page, with the keyboard and with the mouse; the files are compared byte by byte.

use crate::browser::{Browser, PATIENCE};
use crate::program::Studio;
use crate::writing::write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const GUARD: &str = "blackboard { key health type=float default=100.0; }
leaves { action patrol; action run-away; }
tree guard {
    selector {
        action run-away when=\"health < 20\" // it hurts
        action patrol
    }
}
";

pub(crate) struct Desk {
    _folder: TempDir,
    pub(crate) studio: Studio,
    pub(crate) path: PathBuf,
    pub(crate) page: Browser,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::of(GUARD)
    }

    pub(crate) fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        std::fs::write(&path, text).expect("it is written");
        let studio = Studio::start(&[path.to_str().expect("a path")]);
        let page = edited(&studio);
        Self {
            _folder: folder,
            studio,
            path,
            page,
        }
    }

    /// Clicks on the row of a node.
    pub(crate) fn choose(&mut self, word: &str, name: &str) {
        let rows = format!(
            "[...document.querySelectorAll('.sheet [data-word=\"{word}\"][data-name=\"{name}\"]')]"
        );
        self.page.until(&format!("{rows}.length > 0"));
        self.page.value(&format!(
            "{rows}.at(-1).click(); document.querySelector('.sheet').focus()"
        ));
    }

    /// What the file says.
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.path).expect("a text")
    }

    /// Waits until the file says so.
    pub(crate) fn until(&self, text: &str) {
        until_file(&self.path, text);
    }
}

/// The page of a document, in the editor.
pub(crate) fn edited(studio: &Studio) -> Browser {
    let mut page = Browser::open(&studio.url);
    page.until("window.treemind?.model.view.value");
    page.press("E");
    page.until("document.querySelectorAll('.sheet .row').length > 2");
    page
}

/// Makes an empty tree in a page without one, in a file of this name, by the mouse.
pub(crate) fn begin_tree(page: &mut Browser, name: &str) {
    let field = page.still_middle_of(".begin input");
    page.click_times(field, 3);
    page.type_text(name);
    page.click_on(".begin button");
    page.until("document.querySelectorAll('.sheet .row').length > 2");
}

/// Lets the game stand still: a page that shows one that plays is at work all the time.
pub(crate) fn pause(page: &mut Browser) {
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
}

pub(crate) fn until_file(path: &Path, text: &str) {
    if !file_becomes(path, text, PATIENCE) {
        panic!("{}", std::fs::read_to_string(path).expect("a text"));
    }
}

/// Whether a file has this text within a time.
pub(crate) fn file_becomes(path: &Path, text: &str, patience: Duration) -> bool {
    let begun = Instant::now();
    loop {
        let now = std::fs::read_to_string(path).expect("a text");
        if now == text || begun.elapsed() >= patience {
            return now == text;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_tree_is_changed_with_the_keyboard() {
    let mut desk = Desk::new();
    desk.choose("action", "patrol");
    // Type to add: after it, around it.
    desk.page.type_to_add("a", "wait 2.5");
    let with_wait = GUARD.replace("action patrol\n", "action patrol\n        wait 2.5\n");
    desk.until(&with_wait);
    desk.page
        .until("document.querySelector('.sheet [aria-selected=true]')?.dataset.name === '2.5'");
    desk.page.type_to_add("w", "force-suc");
    let wrapped = GUARD.replace(
        "action patrol\n",
        "action patrol\n        force-success {\n            wait 2.5\n        }\n",
    );
    desk.until(&wrapped);
    desk.page.until("document.querySelector('.editing .bar button').textContent.includes('wrap in force-success')");
    // Switched off and on again, unwrapped, removed.
    desk.choose("wait", "2.5");
    desk.page.press("d");
    desk.until(&wrapped.replace("wait 2.5", "wait 2.5 disabled=#true"));
    desk.page
        .until("document.querySelector('.sheet .row.disabled')");
    desk.page.press("d");
    desk.until(&wrapped);
    desk.choose("force-success", "");
    desk.page.press("u");
    desk.until(&with_wait);
    desk.choose("wait", "2.5");
    desk.page.press("Delete");
    desk.until(GUARD);
    // All of it is taken back to the first byte.
    for _ in 0..6 {
        desk.page
            .value("document.querySelector('.editing .bar button').click()");
        std::thread::sleep(Duration::from_millis(60));
    }
    desk.page
        .until("document.querySelector('.editing .bar button').disabled");
    desk.until(GUARD);
}

#[test]
#[ignore = "needs Chromium"]
fn a_tree_is_changed_with_the_mouse() {
    let mut desk = Desk::new();
    // A node is dragged before another one: its comment goes with it.
    desk.page.value(
        "(() => {
            const row = (name) => [...document.querySelectorAll(`.sheet [data-name=\"${name}\"]`)].at(-1);
            const [from, to] = [row('patrol'), row('run-away')];
            const data = new DataTransfer();
            const box = to.getBoundingClientRect();
            const at = { bubbles: true, cancelable: true, dataTransfer: data, clientX: box.x + 40, clientY: box.y + 2 };
            from.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer: data }));
            to.dispatchEvent(new DragEvent('dragover', at));
            window.shownBefore = to.classList.contains('to-before');
            requestAnimationFrame(() => { window.shownBefore = to.classList.contains('to-before'); to.dispatchEvent(new DragEvent('drop', at)); });
        })()",
    );
    let moved = "    selector {
        action patrol
        action run-away when=\"health < 20\" // it hurts
    }
";
    let (before, after) = GUARD.split_at(GUARD.find("    selector").expect("it is there"));
    let after = &after[after.find("    }\n").expect("its end") + 6..];
    desk.until(&format!("{before}{moved}{after}"));
    assert_eq!(desk.page.value("window.shownBefore"), true);
    // The page may hear of it after the file was written.
    desk.page
        .until("!document.querySelector('.editing .bar button').disabled");
    desk.page.click_on(".editing .bar button");
    desk.until(GUARD);
    // The page chooses what was chosen before, as soon as it hears that this is undone.
    desk.page
        .until("document.querySelectorAll('.editing .bar button')[1].textContent.includes('move')");
    // A property by its field, another kind by the list.
    desk.choose("action", "run-away");
    let when = "document.querySelector('.inspector input[aria-label=when]')";
    desk.page.until(when);
    desk.page.value(&format!("{when}.select(); {when}.focus()"));
    desk.page.type_text("health < 35");
    desk.page.press("Enter");
    desk.until(&GUARD.replace("health < 20", "health < 35"));
    desk.choose("selector", "");
    let kind = "document.querySelector('.inspector .acts select')";
    desk.page.until(&format!("{kind}?.value === 'selector'"));
    desk.page.value(&format!(
        "{kind}.value = 'reactive-selector'; {kind}.dispatchEvent(new Event('change'))"
    ));
    desk.until(
        &GUARD
            .replace("health < 20", "health < 35")
            .replace("    selector", "    reactive-selector"),
    );
    // What may not be done is said, and does nothing.
    desk.choose("reactive-selector", "");
    desk.page.press("Delete");
    desk.page
        .until("document.querySelector('.told.bad')?.textContent.includes('the root of a tree')");
}

#[test]
#[ignore = "needs Chromium"]
fn two_pages_see_what_the_other_does() {
    let mut desk = Desk::new();
    let mut other = edited(&desk.studio);
    desk.choose("action", "patrol");
    desk.page.press("d");
    other.until("document.querySelector('.sheet .row.disabled')?.dataset.name === 'patrol'");
    let said = other.value("document.querySelector('.editing .bar button').textContent");
    assert!(said.to_string().contains("(page "), "{said}");
    other.until("!document.querySelector('.editing .bar button').disabled");
    // The line about the reload moves what is below it.
    other.until("document.querySelector('.told.ok')");
    other.click_on(".editing .bar button");
    desk.until(GUARD);
    desk.page
        .until("!document.querySelector('.sheet .row.disabled')");
}

/// Chooses a line of a list in the inspector by its text.
fn pick(page: &mut Browser, list: &str, line: &str) {
    page.until(&format!(
        "document.querySelector('.inspector select[aria-label^=\"{list}\"]')"
    ));
    page.value(&format!(
        "(() => {{
            const list = document.querySelector('.inspector select[aria-label^=\"{list}\"]');
            list.value = [...list.options].find((one) => one.textContent === '{line}').value;
            list.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn a_machine_is_made_in_the_page() {
    let mut desk = Desk::of(
        "leaves { action patrol; action run-away; }
machine guard {
    initial calm
    state calm
}
",
    );
    desk.choose("machine", "guard");
    desk.page
        .until("document.querySelector('.inspector .acts')?.textContent.includes('Add a state')");
    desk.page.value("[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent.startsWith('Add a state')).click()");
    desk.page
        .until("document.activeElement.matches('.inspector .acts input')");
    desk.page.type_text("alarm");
    desk.page.press("Enter");
    // What was added is chosen.
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('alarm')");
    desk.choose("state", "calm");
    pick(&mut desk.page, "Add a transition", "alarm");
    // The form is the one beside an arrow of the drawing.
    desk.page
        .until("document.activeElement.matches('.inspector .popup [name=on]')");
    desk.page.press("Tab");
    desk.page.type_text("2");
    desk.page.press("Enter");
    let made = "leaves { action patrol; action run-away; }
machine guard {
    initial calm
    state calm {
        transition to=alarm after=2
    }
    state alarm
}
";
    desk.until(made);
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('transition')");
    desk.choose("state", "alarm");
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('alarm')");
    desk.page.value("[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent === 'Begin with it').click()");
    desk.until(&made.replace("initial calm", "initial alarm"));
    // The transition leads back instead.
    desk.choose("transition", "");
    desk.page
        .until("document.querySelector('.inspector h2')?.textContent.includes('transition')");
    pick(&mut desk.page, "Let it lead", "calm");
    desk.until(
        &made
            .replace("initial calm", "initial alarm")
            .replace("to=alarm", "to=calm"),
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_text_is_typed_also_while_a_block_is_open() {
    // Line ends of two letters stay, and a byte order mark.
    let text = format!("\u{feff}{}", GUARD.replace('\n', "\r\n"));
    let mut desk = Desk::of(&text);
    let mut other = edited(&desk.studio);
    write(&mut desk.page);
    desk.page.press_with("End", 2);
    desk.page.type_text("tree \u{5b88} {");
    desk.until(&format!("{text}tree \u{5b88} {{"));
    // The rows say that only the text can be changed, and the game continues with the last good document.
    other.until("document.querySelector('.editing .told.bad')");
    desk.page.type_text(" wait 0.5; }\n");
    let closed = format!("{text}tree \u{5b88} {{ wait 0.5; }}\r\n");
    desk.until(&closed);
    other.until("!document.querySelector('.editing .told.bad') && document.querySelector('.sheet [data-word=wait]')");
    // What the other page does appears in the text, and what is typed next goes where it belongs.
    other.value("document.querySelector('.sheet').focus(); [...document.querySelectorAll('.sheet [data-name=patrol]')].at(-1).click()");
    other.press("d");
    desk.page
        .until("document.querySelector('.cm-content').textContent.includes('disabled=#true')");
    desk.page.type_text("// end");
    let both = closed.replace(
        "        action patrol",
        "        action patrol disabled=#true",
    );
    desk.until(&format!("{both}// end"));
}
