//! Documents that are edited in the drawing, with the mouse; the files are compared byte by byte, and undone to the first one.

use crate::browser::Browser;
use crate::hands::{edited, pause, until_file};
use crate::program::Studio;
use crate::testing::WATCH;
use std::path::PathBuf;
use tempfile::TempDir;

const GUARD: &str = "main tree=guard
blackboard { key health type=float default=100.0; }
leaves { action patrol; action run-away; }
tree guard {
    selector {
        action run-away when=\"health < 20\" // it hurts
        sequence {
            action patrol
            wait 2.5
        }
    }
}

tree rest {
    sequence {
        wait 4
    }
}
";

const MACHINE: &str = "leaves { action patrol; action run-away; event bell; }
machine guard {
    initial calm
    state calm {
        do { action patrol; }
        transition to=alarm on=bell
        transition to=rest after=5
    }
    state alarm {
        do { action run-away; }
        transition to=calm after=3
    }
    state rest
}
";

/// A document that is drawn while it is edited.
struct Board {
    _folder: TempDir,
    _studio: Studio,
    path: PathBuf,
    page: Browser,
    text: String,
}

type Place = (f64, f64);

/// Waits until the drawing has not moved for a while.
const STANDS_STILL: &str = "new Promise((done) => {
    let [last, since] = ['', 0];
    const look = (now) => {
        const box = document.querySelector('.graph canvas').getBoundingClientRect();
        const place = JSON.stringify([window.treemind.onCanvas(0, 0), window.treemind.onCanvas(100, 100), box]);
        if (place !== last) [last, since] = [place, now];
        if (now - since > 150) done();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})";

impl Board {
    fn of(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guard.kdl");
        std::fs::write(&path, text).expect("it is written");
        let studio = Studio::start(&[path.to_str().expect("a path")]);
        let mut page = edited(&studio);
        pause(&mut page);
        // Nothing stands at the border, where the drawing moves.
        page.resize(1440, 1100);
        page.until("window.treemind.layout()?.cards.length > 1");
        page.value(STANDS_STILL);
        Self {
            _folder: folder,
            _studio: studio,
            path,
            page,
            text: text.to_owned(),
        }
    }

    /// A place on a node of the drawing: a part of its width, and of its height.
    fn at(&mut self, word: &str, name: &str, across: f64, down: f64) -> Place {
        self.page.on_canvas(&format!(
            "const {{ sheet, place }} = window.treemind;
            const one = sheet.sheet.value.nodes.find((one) => one.role !== 'other' && one.word === '{word}' && one.values.join(' ') === '{name}');
            const at = one && place('#' + one.id, {across}, {down});"
        ))
    }

    /// Drags something, and says what the page knows of the place before it lets go: nothing, or why it cannot be dropped.
    fn drag(&mut self, from: Place, to: Place) -> Option<String> {
        self.page.grab(from, to);
        self.page
            .until("window.treemind.hands().goal && window.treemind.hands().verdict !== undefined");
        let why = self.page.value("window.treemind.hands().verdict");
        let said = self
            .page
            .value("document.querySelector('.dragged.why')?.textContent ?? null");
        // Names of the text are drawn as such, without the signs around them.
        let shown = why.as_str().map(|why| why.replace('`', ""));
        let message = "the page says why, beside the pointer";
        assert_eq!(said.as_str(), shown.as_deref(), "{message}");
        self.page.let_go(to);
        why.as_str().map(str::to_owned)
    }

    /// Drags the node, and compares the file.
    fn moves(&mut self, from: Place, to: Place, text: &str) {
        assert_eq!(self.drag(from, to), None);
        self.becomes(text);
    }

    /// Waits until the file says so, the page, and the game; then until everything is in view again, and stands still.
    fn becomes(&mut self, text: &str) {
        until_file(&self.path, text);
        let text = serde_json::to_string(text).expect("a text");
        self.page.until(&format!(
            "window.treemind.sheet.sheet.value.files[0].text === {text}"
        ));
        self.page.until(&format!(
            "(({{ draft, texts }}) => [draft?.texts ?? [], texts].flat().some((one) => one.text === {text}))(window.treemind.model.definition.value)"
        ));
        self.page.press("f");
        self.page.value(STANDS_STILL);
    }

    /// Takes everything back, to the first byte.
    fn undone(&mut self) {
        let button = "document.querySelector('.editing .bar button')";
        while self.page.value(&format!("{button}.disabled")) == false {
            let revision = self
                .page
                .value("window.treemind.sheet.sheet.value.revision");
            self.page.value(&format!("{button}.click()"));
            self.page.until(&format!(
                "window.treemind.sheet.sheet.value.revision > {revision}"
            ));
        }
        let text = self.text.clone();
        self.becomes(&text);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_node_is_dragged_within_a_tree_and_into_another_one() {
    let mut board = Board::of(GUARD);
    let wait = board.at("wait", "2.5", 0.5, 0.5);
    let before = board.at("action", "run-away", 0.1, 0.5);
    let within = GUARD.replace("            wait 2.5\n", "").replace(
        "        action run-away",
        "        wait 2.5\n        action run-away",
    );
    board.moves(wait, before, &within);
    // Into another tree, behind what is there.
    let away = board.at("action", "run-away", 0.5, 0.4);
    let behind = board.at("wait", "4", 0.9, 0.5);
    let between = within
        .replace(
            "        action run-away when=\"health < 20\" // it hurts\n",
            "",
        )
        .replace(
            "        wait 4\n",
            "        wait 4\n        action run-away when=\"health < 20\" // it hurts\n",
        );
    board.moves(away, behind, &between);
    board.undone();
}

#[test]
#[ignore = "needs Chromium"]
fn what_may_not_stand_somewhere_cannot_be_dropped_there() {
    let mut board = Board::of(GUARD);
    let patrol = board.at("action", "patrol", 0.5, 0.5);
    let wait = board.at("wait", "4", 0.5, 0.5);
    let why = board.drag(patrol, wait);
    assert_eq!(why.as_deref(), Some("`wait` takes no children"));
    board
        .page
        .until("document.querySelector('.told.bad')?.textContent.includes('takes no children')");
    board.becomes(GUARD);
    // Escape ends a drag, and changes nothing.
    let patrol = board.at("action", "patrol", 0.5, 0.5);
    let before = board.at("action", "run-away", 0.1, 0.5);
    board.page.grab(patrol, before);
    board.page.until("window.treemind.hands().isDragging");
    board.page.press("Escape");
    board.page.until("!window.treemind.hands().isDragging");
    board.page.let_go(before);
    board.becomes(GUARD);
}

#[test]
#[ignore = "needs Chromium"]
fn the_drawing_does_what_the_rows_do() {
    let mut board = Board::of(GUARD);
    // Type to add at what is chosen in the drawing.
    let (x, y) = board.at("action", "patrol", 0.5, 0.5);
    board.page.click(x, y);
    board.page.type_to_add("a", "wait 1");
    let added = GUARD.replace("action patrol\n", "action patrol\n            wait 1\n");
    board.becomes(&added);
    // The list of what can be done, by the right button.
    let place = board.at("wait", "1", 0.5, 0.5);
    board.page.right_click(place);
    let item = "[...document.querySelectorAll('.menu [role=menuitem]')]";
    board.page.until(&format!("{item}.length > 5"));
    board.page.value(&format!(
        "{item}.find((one) => one.textContent.startsWith('Duplicate')).click()"
    ));
    let twice = added.replace(
        "            wait 1\n",
        "            wait 1\n            wait 1\n",
    );
    board.becomes(&twice);
    // A frame chooses several; they are removed together.
    let (left, top) = board.at("wait", "1", 0.0, 0.0);
    let (right, bottom) = board.at("wait", "2.5", 1.0, 1.0);
    board
        .page
        .drag_with_shift((left - 8.0, top - 6.0), (right + 8.0, bottom + 8.0));
    board
        .page
        .until("window.treemind.sheet.chosen.value.length === 3");
    board.page.press("Delete");
    board.becomes(&GUARD.replace("            wait 2.5\n", ""));
    board.undone();
}

/// Types into the form of a transition, beginning in its first field.
fn fill(page: &mut Browser, fields: &[(&str, &str)]) {
    page.until("document.activeElement.matches('.popup input')");
    for (name, text) in fields {
        page.value(&format!(
            "(() => {{ const field = document.querySelector('.popup [name={name}]'); field.focus(); field.select(); }})()"
        ));
        page.type_text(text);
    }
    page.value("document.querySelector('.popup input').focus()");
    page.press("Enter");
}

#[test]
#[ignore = "needs Chromium"]
fn transitions_are_drawn_changed_led_elsewhere_and_put_in_order() {
    let mut board = Board::of(MACHINE);
    // From the handle of a state to another one.
    let (x, y) = board.at("state", "rest", 0.4, 0.5);
    board.page.click(x, y);
    let handle = board.handle("rest", "card.x + card.w - 14, card.y");
    let alarm = board.at("state", "alarm", 0.4, 0.3);
    assert_eq!(board.drag(handle, alarm), None);
    fill(&mut board.page, &[("after", "4")]);
    let drawn = MACHINE.replace(
        "    state rest\n",
        "    state rest {\n        transition to=alarm after=4\n    }\n",
    );
    board.becomes(&drawn);
    // Event, delay and condition on the arrow, by a double click on its row.
    let row = board.row("to=rest");
    board.page.double_click(row);
    fill(&mut board.page, &[("after", "6"), ("when", "1 < 2")]);
    let changed = drawn.replace("to=rest after=5", "to=rest after=6 when=\"1 < 2\"");
    board.becomes(&changed);
    // The first one that can be taken is taken: their order is their priority.
    let (lower, upper) = (board.row("to=rest"), board.row("to=alarm on"));
    assert_eq!(board.drag(lower, (upper.0, upper.1 - 7.0)), None);
    let ordered = changed.replace(
        "        transition to=alarm on=bell\n        transition to=rest after=6 when=\"1 < 2\"\n",
        "        transition to=rest after=6 when=\"1 < 2\"\n        transition to=alarm on=bell\n",
    );
    board.becomes(&ordered);
    // The head of an arrow leads to another state.
    let head = board.head("to=calm");
    let rest = board.at("state", "rest", 0.4, 0.3);
    assert_eq!(board.drag(head, rest), None);
    board.becomes(&ordered.replace("to=calm after=3", "to=rest after=3"));
    board.undone();
}

impl Board {
    /// The middle of the row of a transition whose line contains a text.
    fn row(&mut self, text: &str) -> Place {
        self.seen(text, "(of) => place(of.id, 0.5, 0.5)")
    }

    /// The head of the arrow of a transition.
    fn head(&mut self, text: &str) -> Place {
        self.seen(
            text,
            "(of) => { const way = window.treemind.layout().arrows.find((one) => one.nth === lines.indexOf(of)); const [x, y] = way.points.at(-1); return window.treemind.onCanvas(x, y); }",
        )
    }

    fn seen(&mut self, text: &str, place: &str) -> Place {
        self.page.on_canvas(&format!(
            "const {{ place, drawnLines }} = window.treemind;
            const lines = drawnLines();
            const of = lines.find((one) => one.is === 'transition' && one.text.includes('{text}'));
            const at = of && ({place})(of);"
        ))
    }
}

#[test]
#[ignore = "needs Chromium"]
fn states_go_into_one_another_and_what_begins_is_said() {
    let mut board = Board::of(MACHINE);
    let (rest, alarm) = (
        board.at("state", "rest", 0.3, 0.4),
        board.at("state", "alarm", 0.4, 0.3),
    );
    let nested = MACHINE.replace("    state rest\n", "").replace(
        "        transition to=calm after=3\n",
        "        transition to=calm after=3\n        state rest\n",
    );
    let nested = nested.replace(
        "    state alarm {\n",
        "    state alarm {\n        initial rest\n",
    );
    board.moves(rest, alarm, &nested);
    // The state with which the machine began goes there, too: the machine begins with the one that is left.
    let (calm, alarm) = (
        board.at("state", "calm", 0.3, 0.1),
        board.at("state", "alarm", 0.4, 0.1),
    );
    assert_eq!(board.drag(calm, alarm), None);
    board
        .page
        .until("window.treemind.sheet.sheet.value.files[0].text.includes('initial alarm')");
    board.undone();
    // Another state is made the initial one from the list.
    let alarm = board.at("state", "alarm", 0.4, 0.2);
    board.page.right_click(alarm);
    let item = "[...document.querySelectorAll('.menu [role=menuitem]')].find((one) => one.textContent.startsWith('Begin with it'))";
    board.page.until(item);
    board.page.value(&format!("{item}.click()"));
    board.becomes(&MACHINE.replace("initial calm", "initial alarm"));
    board.undone();
}

const DECISION: &str = "main decide=watch
blackboard { key alarm type=bool; key far type=float default=9.0; }
leaves { action ring; action strike; action hide; action rest; }
decide watch {
    switch \"far < 3\" {
        case #true { action strike; }
    }
    test \"alarm\" {
        yes {
            test \"far < 5\" {
                yes { action ring; }
                no { action hide; }
            }
        }
        no { action rest; }
    }
}
";

#[test]
#[ignore = "needs Chromium"]
fn an_answer_leads_to_a_question_that_another_one_leads_to() {
    let text = DECISION
        .replace(
            "    switch \"far < 3\" {\n        case #true { action strike; }\n    }\n",
            "",
        )
        .replace("no { action rest; }", "no { none; }");
    let mut board = Board::of(&text);
    let (x, y) = board.at("test", "alarm", 0.4, 0.5);
    board.page.click(x, y);
    // The handle at its foot is the answer no.
    let no = board.handle("alarm", "card.x + 26, card.y + card.h");
    let goal = board.at("action", "hide", 0.5, 0.5);
    assert_eq!(board.drag(no, goal), None);
    board
        .page
        .until("document.activeElement.matches('dialog.ask input')");
    board.page.value("document.activeElement.select()");
    board.page.type_text("shelter");
    board.page.press("Enter");
    let led = text
        .replace("no { action hide; }", "no { goto shelter; }")
        .replace("no { none; }", "no { goto shelter; }");
    let led = led
        .trim_end()
        .strip_suffix('}')
        .expect("its end")
        .to_owned();
    board.becomes(&format!(
        "{led}    branch shelter {{\n        action hide\n    }}\n}}\n"
    ));
    // The branch is what one goes on with.
    board
        .page
        .until("window.treemind.sheet.node.value?.word === 'branch'");
    board.undone();
}

impl Board {
    /// A handle of a card.
    fn handle(&mut self, title: &str, at: &str) -> Place {
        self.page.on_canvas(&format!(
            "const {{ layout, onCanvas }} = window.treemind;
            const card = layout().cards.find((one) => one.title === '{title}');
            const at = onCanvas({at});"
        ))
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_decision_tree_is_balanced_after_a_comparison() {
    // Its second question nearly always says where it goes.
    let text = WATCH;
    let mut board = Board::of(text);
    let (x, y) = board.at("decide", "watch", 0.5, 0.5);
    board.page.click(x, y);
    let button = "[...document.querySelectorAll('.inspector .acts button')].find((one) => one.textContent.startsWith('Balance'))";
    board.page.until(button);
    board.page.value(&format!("{button}.click()"));
    board.page.until("document.querySelector('dialog.advice')");
    let said = board
        .page
        .value("document.querySelector('dialog.advice').innerText");
    let said = said.as_str().expect("a text");
    assert!(
        said.contains("2.00 tests at a cost of 2.00 before, 1.00 tests"),
        "{said}"
    );
    // Nothing is changed before it is accepted.
    until_file(&board.path, text);
    let lines: Vec<&str> = text.lines().collect();
    let balanced = text.replace(
        &format!("{}\n{}\n", lines[4], lines[5]),
        &format!("{}\n{}\n", lines[5], lines[4]),
    );
    board.page.value("[...document.querySelectorAll('dialog.advice button')].find((one) => one.textContent === 'Accept').click()");
    board.becomes(&balanced);
    let name = board
        .page
        .value("document.querySelector('.editing .bar button').textContent");
    assert!(name.to_string().contains("balance watch"), "{name}");
    board.undone();
}
