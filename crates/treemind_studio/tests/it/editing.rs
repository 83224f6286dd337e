//! Documents that pages edit: one history, and files that are never lost.

use std::collections::BTreeMap;
use std::time::Duration;
use treemind::Document;
use treemind::doc::Said;
use treemind_replay::view::protocol::{Beside, Edit, Remedy, Sheet, SheetNode, Where, Whose};
use treemind_studio::{Author, Editing, Shelf};

pub(crate) const GUARD: &str =
    "\u{feff}blackboard { key health type=float default=100.0; } // 健康\r
leaves { action patrol; action flee; }\r
tree guard {\r
    selector {\r
        // it hurts\r
        action flee when=\"health < 20\" // 逃跑\r
        action patrol\r
    }\r
}\r
";

/// Somebody who has chosen nothing.
const ME: Author<'_> = Author {
    name: "me",
    chosen: &[],
};

/// Files in memory.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) is_full: bool,
    pub(crate) is_scrambled: bool,
    /// What another program has written into a file that was replaced.
    pub(crate) late: Option<[String; 2]>,
}

impl Shelf for Memory {
    fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
        match self.is_scrambled {
            true => Err(String::from("it is not text").into()),
            false => Ok(self.files.get(name).cloned()),
        }
    }

    fn late(&mut self, _: &str) -> Option<[String; 2]> {
        self.late.take()
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
        if self.is_full {
            return Err(String::from("the disk is full").into());
        }
        self.files.insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}

fn opened(text: &str) -> (Editing, Memory) {
    let mut memory = Memory::default();
    let name = "guard.kdl".to_owned();
    memory.files.insert(name, text.to_owned());
    let document = Document::read(text.as_bytes(), "guard.kdl");
    (Editing::new(document).expect("it is KDL"), memory)
}

#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) editing: Editing,
    pub(crate) memory: Memory,
    pub(crate) now: Duration,
    /// The nodes that are chosen.
    pub(crate) chosen: Vec<u64>,
}

impl Desk {
    pub(crate) fn new(text: &str) -> Self {
        let (editing, memory) = opened(text);
        let now = Duration::from_secs(10);
        Self {
            editing,
            memory,
            now,
            chosen: Vec::new(),
        }
    }

    pub(crate) fn say(&mut self, edit: &str) -> Result<(), String> {
        let edit: Edit = serde_json::from_str(edit).expect("an edit");
        self.edit(&edit)
    }

    pub(crate) fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        self.edit_as("anna", edit)
    }

    pub(crate) fn edit_as(&mut self, name: &str, edit: &Edit) -> Result<(), String> {
        self.now += Duration::from_secs(1);
        let by = Author {
            name,
            chosen: &self.chosen,
        };
        let done = self.editing.edit(edit, by, self.now, &mut self.memory);
        done.map_err(|why| why.to_string())
    }

    pub(crate) fn text(&self) -> &str {
        self.editing.editor().text(0)
    }

    pub(crate) fn on_disk(&self) -> &str {
        &self.memory.files["guard.kdl"]
    }

    pub(crate) fn sheet(&self) -> Sheet {
        self.editing.sheet()
    }

    pub(crate) fn node(&self, line: &str) -> SheetNode {
        let sheet = self.sheet();
        let said = |node: &&SheetNode| {
            let properties = node.properties.iter();
            let properties = properties.map(|one| format!("{}={}", one.name, one.value));
            let words = std::iter::once(node.word.clone()).chain(node.values.clone());
            words.chain(properties).collect::<Vec<String>>().join(" ") == line
        };
        // A leaf is declared before it is used.
        let found = sheet.nodes.iter().rfind(said);
        found
            .unwrap_or_else(|| panic!("{line} is not there"))
            .clone()
    }
}

#[test]
fn nodes_keep_their_numbers_and_every_edit_is_undone() {
    let mut desk = Desk::new(GUARD);
    let (flee, patrol) = (
        desk.node("action flee when=health < 20"),
        desk.node("action patrol"),
    );
    assert_eq!(
        (flee.depth, flee.at, flee.is_disabled),
        (2, [6, 8, 6, 38], false)
    );
    let [flee, patrol] = [flee.id, patrol.id];
    let edits = [
        format!(
            r#"{{"do": "add", "text": "wait 0.5", "spot": {{"id": {patrol}, "side": "before"}}}}"#
        ),
        format!(
            r#"{{"do": "move", "ids": [{patrol}], "spot": {{"id": {flee}, "side": "before"}}}}"#
        ),
        format!(
            r#"{{"do": "add", "text": "repeat forever", "spot": {{"id": {flee}, "side": "around"}}}}"#
        ),
        format!(r#"{{"do": "set", "id": {flee}, "name": "when", "value": "health < 30"}}"#),
        format!(r#"{{"do": "set", "id": {patrol}, "name": "disabled", "value": "true"}}"#),
        format!(r#"{{"do": "remove", "ids": [{flee}]}}"#),
    ];
    let mut texts = vec![GUARD.to_owned()];
    for edit in &edits[..5] {
        desk.say(edit).expect("it can be done");
        assert_ne!(texts.last().map(String::as_str), Some(desk.text()));
        assert_eq!(desk.text(), desk.on_disk());
        texts.push(desk.text().to_owned());
        assert_eq!(
            desk.node("action patrol").id == patrol,
            !edit.contains("disabled")
        );
    }
    assert!(desk.node("action patrol disabled=true").is_disabled);
    assert_eq!(desk.node("action flee when=health < 30").id, flee);
    // The parent of the only child that is left.
    desk.say(&edits[5]).expect("it can be done");
    assert_eq!(
        desk.sheet().undo.map(|done| done.by),
        Some("anna".to_owned())
    );
    texts.push(desk.text().to_owned());
    for text in texts.iter().rev().skip(1) {
        desk.edit(&Edit::Undo).expect("there is something to undo");
        assert_eq!(desk.text(), text);
    }
    assert_eq!(desk.text(), GUARD);
    assert_eq!(desk.node("action flee when=health < 20").id, flee);
    assert!(desk.edit(&Edit::Undo).is_err());
    for text in texts.iter().skip(1) {
        desk.edit(&Edit::Redo).expect("there is something to redo");
        assert_eq!(desk.text(), text);
    }
    assert_eq!(desk.text(), desk.on_disk());
}

#[test]
fn what_is_typed_is_undone_at_once_and_counted_as_a_browser_counts() {
    let mut desk = Desk::new(GUARD);
    let at = GUARD
        .encode_utf16()
        .position(|unit| unit == u16::from(b'\r'))
        .expect("a line");
    for (nth, letter) in ["是", "!", "𝄞"].into_iter().enumerate() {
        let edit = Edit::Type {
            file: 0,
            from: at + nth,
            to: at + nth,
            text: letter.to_owned(),
            since: None,
        };
        desk.now -= Duration::from_millis(900);
        desk.edit(&edit).expect("it can be typed");
    }
    assert!(desk.text().contains("// 健康是!𝄞\r\n"));
    desk.edit(&Edit::Undo).expect("there is something to undo");
    assert_eq!(desk.text(), GUARD);
    // A place that the text does not have, and one whose end is before its beginning: nothing is changed.
    for (from, to) in [(0, usize::MAX), (5, 4), (GUARD.len() + 1, GUARD.len() + 1)] {
        let edit = Edit::Type {
            file: 0,
            from,
            to,
            text: "lost".to_owned(),
            since: None,
        };
        let why = desk.edit(&edit).expect_err("there is no such place");
        assert_eq!(why.to_string(), "this place is gone");
        assert_eq!(desk.text(), GUARD);
    }
    // A block that is open: only the text can be changed, and nothing typed is lost.
    let edit = Edit::Type {
        file: 0,
        from: 0,
        to: GUARD.encode_utf16().count(),
        text: "tree guard {".to_owned(),
        since: None,
    };
    desk.edit(&edit).expect("it can be typed");
    assert!(!desk.sheet().files[0].is_whole);
    assert!(!desk.sheet().problems.is_empty());
    let spot = Beside {
        id: 1,
        side: Where::Into,
    };
    let text = "wait 0.5".to_owned();
    let others = Vec::new();
    desk.edit(&Edit::Add { text, spot, others })
        .expect_err("a block is open");
    let edit = Edit::Type {
        file: 0,
        from: 12,
        to: 12,
        text: " wait 0.5; }\n".to_owned(),
        since: None,
    };
    desk.edit(&edit).expect("it can be typed");
    assert!(desk.sheet().files[0].is_whole);
    assert_eq!(
        (desk.text(), desk.node("wait 0.5").depth),
        ("tree guard { wait 0.5; }\n", 1)
    );
}

#[test]
fn a_name_in_a_text_is_changed_everywhere_and_a_text_is_laid_out() {
    let text = GUARD.replace("        action patrol", "  action patrol");
    let mut desk = Desk::new(&text);
    let at = |column: usize, name: &str| Edit::RenameAt {
        file: 0,
        line: 6,
        column,
        name: name.to_owned(),
    };
    // In the expression of `flee`.
    desk.edit(&at(28, "life")).expect("a key is there");
    let renamed = text.replace("health", "life");
    assert_eq!(desk.text(), renamed);
    desk.edit(&at(28, "two words")).expect_err("it is no name");
    desk.edit(&at(9_999, "x")).expect_err("nothing is there");
    let format = Edit::Format { file: 0 };
    desk.edit(&format).expect("it is KDL");
    assert_eq!(desk.text(), GUARD.replace("health", "life"));
    desk.edit(&Edit::Undo).expect("there is something to undo");
    assert_eq!(desk.text(), renamed);
}

#[test]
fn an_edit_of_several_nodes_is_done_as_a_whole_or_not_at_all() {
    let mut desk = Desk::new(GUARD);
    let [flee, patrol, root] = ["action flee when=health < 20", "action patrol", "selector"]
        .map(|line| desk.node(line).id);
    let refused = desk.edit(&Edit::Remove {
        ids: vec![flee, root],
    });
    assert!(refused.is_err());
    assert_eq!((desk.text(), desk.on_disk()), (GUARD, GUARD));
    let spot = Beside {
        id: patrol,
        side: Where::After,
    };
    let ids = vec![patrol, flee];
    desk.edit(&Edit::Remove {
        ids: vec![flee, 999],
    })
    .expect_err("there is no such node");
    assert_eq!((desk.text(), desk.sheet().undo), (GUARD, None));
    // What was taken back before can still be done again.
    desk.edit(&Edit::Remove { ids: vec![flee] })
        .expect("it can be removed");
    let removed = desk.text().to_owned();
    desk.edit(&Edit::Undo).expect("there is something to undo");
    desk.edit(&Edit::Remove {
        ids: vec![flee, root],
    })
    .expect_err("a tree needs a root");
    desk.edit(&Edit::Redo).expect("there is something to redo");
    assert_eq!(desk.text(), removed);
    desk.edit(&Edit::Undo).expect("there is something to undo");
    desk.edit(&Edit::Move { ids, spot })
        .expect("they change places");
    assert!(desk.text().find("action patrol") < desk.text().find("action flee when"));
    desk.edit(&Edit::Undo).expect("there is something to undo");
    assert_eq!((desk.text(), desk.sheet().undo), (GUARD, None));
}

#[test]
fn a_file_that_cannot_be_read_is_told_at_once_and_saved_as_soon_as_it_can() {
    let mut desk = Desk::new(GUARD);
    desk.memory.is_scrambled = true;
    desk.editing.look_and_save(&mut desk.memory);
    let why = |desk: &Desk| desk.sheet().unsaved.map(|one| one.why.to_string());
    assert_eq!(why(&desk).as_deref(), Some("it is not text"));
    let patrol = desk.node("action patrol").id;
    desk.edit(&Edit::Set {
        id: patrol,
        name: "doc".to_owned(),
        value: "all day".to_owned(),
    })
    .expect("it is done here");
    assert_eq!(why(&desk).as_deref(), Some("it is not text"));
    desk.memory.is_scrambled = false;
    desk.editing.look_and_save(&mut desk.memory);
    assert_eq!(why(&desk), None);
    assert_eq!(desk.on_disk(), desk.text());
    assert!(desk.text().contains("all day"));
}

#[test]
fn other_programs_change_files_and_nothing_is_lost() {
    let mut desk = Desk::new(GUARD);
    let theirs = GUARD.replace("health < 20", "health < 50");
    desk.memory
        .files
        .insert("guard.kdl".to_owned(), theirs.clone());
    desk.editing.look(&mut desk.memory);
    assert_eq!(desk.text(), theirs);
    assert_eq!(desk.sheet().undo.map(|done| done.by), Some(String::new()));
    // A full disk: what was done is kept, and written the next time.
    let patrol = desk.node("action patrol").id;
    desk.memory.is_full = true;
    let set = |value: &str| Edit::Set {
        id: patrol,
        name: "doc".to_owned(),
        value: value.to_owned(),
    };
    desk.edit(&set("all day")).expect("it is done here");
    let unsaved = desk.sheet().unsaved.expect("a reason");
    assert_eq!(
        (unsaved.why.to_string().as_str(), unsaved.remedy),
        ("the disk is full", Remedy::Retry)
    );
    assert_eq!(
        (desk.on_disk(), desk.sheet().files[0].is_saved),
        (&*theirs, false)
    );
    // As soon as there is room, it is written when somebody tries again.
    let mut later = desk.clone();
    later.memory.is_full = false;
    later
        .edit(&Edit::Save { whose: None })
        .expect("it is tried");
    assert_eq!(later.sheet().unsaved, None);
    assert_eq!(later.on_disk(), later.text());
    // By itself, it is tried only if edits are saved at once.
    let mut later = desk.clone();
    assert!(!later.editing.try_again(&mut later.memory));
    later.memory.is_full = false;
    let mut waits = later.clone();
    waits
        .say(r#"{"do": "save-at-once", "is_on": false}"#)
        .expect("it is switched");
    assert!(!waits.editing.try_again(&mut waits.memory));
    assert_eq!(waits.on_disk(), theirs);
    assert!(later.editing.try_again(&mut later.memory));
    assert_eq!(later.on_disk(), later.text());
    // Meanwhile, another program changes the file so that nobody can read all of it.
    desk.memory.is_full = false;
    let open = format!("{GUARD}tree {{");
    desk.memory
        .files
        .insert("guard.kdl".to_owned(), open.clone());
    desk.edit(&set("all night")).expect("it is done here");
    assert_eq!(desk.on_disk(), open);
    let unsaved = desk.sheet().unsaved.expect("a reason");
    assert_eq!(unsaved.remedy, Remedy::Choose);
    let why = unsaved.why.to_string();
    assert!(why.contains("changed by another program"), "{why}");
    let mine = desk.text().to_owned();
    let mut other = desk.clone();
    desk.edit(&Edit::Save {
        whose: Some(Whose::Mine),
    })
    .expect("it is settled");
    assert_eq!(
        (desk.on_disk(), desk.text(), desk.sheet().unsaved),
        (&*mine, &*mine, None)
    );
    other
        .edit(&Edit::Save {
            whose: Some(Whose::Theirs),
        })
        .expect("it is settled");
    assert_eq!((other.on_disk(), other.text()), (&*open, &*open));
    assert_eq!(
        other.sheet().undo.map(|done| done.label.to_string()),
        Some("change on disk".to_owned())
    );
    other.edit(&Edit::Undo).expect("there is something to undo");
    assert_eq!((other.on_disk(), other.text()), (&*mine, &*mine));
    // A file that is gone is not written again unless somebody says so.
    desk.memory.files.clear();
    desk.edit(&set("for ever")).expect("it is done here");
    let unsaved = desk.sheet().unsaved.expect("a reason");
    assert_eq!(unsaved.remedy, Remedy::WriteAgain);
    let why = unsaved.why.to_string();
    assert!(
        why.contains("is gone") && desk.memory.files.is_empty(),
        "{why}"
    );
    desk.edit(&Edit::Save {
        whose: Some(Whose::Mine),
    })
    .expect("it is settled");
    assert_eq!((desk.on_disk(), desk.sheet().unsaved), (desk.text(), None));
}

/// An edit of a document by chance, as somebody might want it who knows nothing of it.
fn by_chance(random: &mut fastrand::Rng, desk: &Desk) -> Edit {
    let sheet = desk.sheet();
    let id = |random: &mut fastrand::Rng| sheet.nodes[random.usize(..sheet.nodes.len())].id;
    let (one, other) = (id(random), id(random));
    let side = [Where::Before, Where::After, Where::Into, Where::Around][random.usize(..4)];
    let spot = Beside { id: other, side };
    let name = format!("name-{}", random.u32(..1_000));
    match random.usize(..14) {
        0 | 1 => {
            let fits = desk.editing.fits(spot).map_or(Vec::new(), |fits| fits.fits);
            let text = fits.get(random.usize(..fits.len().max(1)));
            let text = text.map_or("wait 1".to_owned(), |fit| fit.text.clone());
            let others = Vec::new();
            Edit::Add { text, spot, others }
        }
        2 => Edit::Remove { ids: vec![one] },
        3 => Edit::Move {
            ids: vec![one],
            spot,
        },
        4 => Edit::Unwrap { id: one },
        5 => Edit::Duplicate { ids: vec![one] },
        6 => {
            let word = ["sequence", "selector", "reactive-sequence", "parallel"][random.usize(..4)];
            Edit::ChangeKind {
                id: one,
                word: word.to_owned(),
            }
        }
        7 => Edit::Reorder {
            id: one,
            by: random.i32(-2..3),
        },
        8 => Edit::Set {
            id: one,
            name: "doc".to_owned(),
            value: format!("\"{name}\" \u{5b88}"),
        },
        9 => Edit::Set {
            id: one,
            name: "disabled".to_owned(),
            value: "true".to_owned(),
        },
        10 => Edit::Rename { id: one, name },
        11 => Edit::Extract { id: one, name },
        12 => Edit::AddState { id: one, name },
        _ => {
            let units = sheet.files[0].text.encode_utf16().count();
            let from = random.usize(..=units);
            let text =
                ["", "x", "{", "}", "\n", "\u{5b88}", "\u{1d11e}"][random.usize(..7)].to_owned();
            Edit::Type {
                file: 0,
                from,
                to: (from + random.usize(..2)).min(units),
                text,
                since: None,
            }
        }
    }
}

/// Whatever is done to any of the examples is undone to the first byte, and done again.
#[test]
fn edits_by_chance_are_undone_to_the_first_byte() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut done = 0;
    for (nth, name) in [
        "01-guard/guard.kdl",
        "03-boss/boss.kdl",
        "04-cleaning-robot/robot.kdl",
        "10-soldier/soldier.kdl",
        "15-layers/boss.kdl",
    ]
    .into_iter()
    .enumerate()
    {
        let text = std::fs::read_to_string(examples.join(name)).expect("an example");
        let mut desk = Desk::new(&text);
        let mut random = fastrand::Rng::with_seed(nth as u64);
        let mut texts = vec![text.clone()];
        for _ in 0..120 {
            let edit = by_chance(&mut random, &desk);
            let before = desk.text().to_owned();
            let is_done = desk.edit(&edit).is_ok();
            assert!(
                is_done || desk.text() == before,
                "{edit:?} did something and was refused"
            );
            assert_eq!(desk.text(), desk.on_disk(), "{edit:?}");
            if desk.text() != before {
                texts.push(desk.text().to_owned());
            }
            // What is left open keeps nodes from being edited, so it is taken back.
            if !desk.sheet().files[0].is_whole {
                desk.edit(&Edit::Undo).expect("there is something to undo");
                texts.pop();
                assert!(desk.text() == texts[texts.len() - 1], "{edit:?}");
            }
            // Each node has an id of its own.
            let ids = desk
                .sheet()
                .nodes
                .iter()
                .map(|node| node.id)
                .collect::<Vec<_>>();
            let unique = ids.iter().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(unique.len(), ids.len(), "{edit:?}");
        }
        done += texts.len() - 1;
        for text in texts.iter().rev().skip(1) {
            desk.edit(&Edit::Undo).expect("there is something to undo");
            assert!(desk.text() == text, "{name}");
        }
        assert!(desk.edit(&Edit::Undo).is_err());
        for text in &texts[1..] {
            desk.edit(&Edit::Redo).expect("there is something to redo");
            assert!(desk.text() == text, "{name}");
        }
    }
    assert!(done >= 300, "{done}");
}

#[test]
fn a_test_is_written_behind_everything_else() {
    let test = "test \"x\" tree=guard {\n    tick\n}\n";
    for (before, gap) in [
        (GUARD.to_owned(), "\r\n"),
        ("leaves { action a; }".to_owned(), "\n\n"),
        ("leaves { action a; }\n".to_owned(), "\n"),
        ("leaves { action a; }\n\n".to_owned(), ""),
        (String::new(), ""),
    ] {
        let (mut editing, mut memory) = opened(&before);
        let done = editing.append(test, ("add a test".to_owned().into(), ME), &mut memory);
        done.unwrap_or_else(|why| panic!("{why}"));
        let line_end = if gap == "\r\n" { gap } else { "\n" };
        let after = format!("{before}{gap}{}", test.replace('\n', line_end));
        assert_eq!(memory.files["guard.kdl"], after);
        assert_eq!(editing.sheet().undo.expect("an entry").label, "add a test");
        let done = editing.edit(&Edit::Undo, ME, Duration::ZERO, &mut memory);
        done.unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(memory.files["guard.kdl"], before);
    }
    let (mut editing, mut memory) = opened("tree t {");
    assert!(
        editing
            .append(test, ("x".to_owned().into(), ME), &mut memory)
            .is_err()
    );
}
