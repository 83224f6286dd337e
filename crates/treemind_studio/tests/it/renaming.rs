//! What is renamed in a document is renamed in others that import the same file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use treemind::Document;
use treemind::doc::Said;
use treemind_replay::view::protocol::Edit;
use treemind_studio::{Author, Editing, Ledger, Shelf};

const COMMON: &str = "leaves { action go }\n";
const ONE: &str = "import \"lib/common.kdl\"\ntree one { action go }\n";
const TWO: &str = "import \"lib/common.kdl\"\n// goes\ntree two { repeat forever { action go } }\n";
const ALONE: &str = "leaves { action go }\ntree alone { action go }\n";

/// A folder that all documents share.
#[derive(Clone)]
struct Folder {
    own: String,
    files: Rc<RefCell<BTreeMap<String, String>>>,
    ledger: Rc<RefCell<Ledger>>,
}

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        let files = files.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Self {
            own: String::new(),
            files: Rc::new(RefCell::new(files.collect())),
            ledger: Rc::default(),
        }
    }

    fn text(&self, name: &str) -> String {
        self.files.borrow()[name].clone()
    }

    fn put(&self, name: &str, text: &str) {
        let mut files = self.files.borrow_mut();
        files.insert(name.to_owned(), text.to_owned());
    }

    fn document(&self, name: &str) -> Document {
        Document::read_with(self.text(name).as_bytes(), name, |path| {
            let found = self.files.borrow().get(path).cloned();
            found.map(String::into_bytes).ok_or("it is gone")
        })
    }

    fn open(&self, name: &str) -> Desk {
        let mut editing = Editing::new(self.document(name)).expect("it is KDL");
        let mut folder = self.clone();
        folder.own = name.to_owned();
        editing.follow_others(&mut folder);
        Desk { editing, folder }
    }
}

impl Shelf for Folder {
    fn read(&mut self, name: &str) -> Result<Option<String>, Said> {
        Ok(self.files.borrow().get(name).cloned())
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Said> {
        self.put(name, text);
        Ok(())
    }

    fn ledger(&mut self, see: &mut dyn FnMut(&mut Ledger)) {
        see(&mut self.ledger.borrow_mut());
    }

    fn others(&mut self) -> Vec<(String, Box<dyn Shelf>)> {
        let names: Vec<String> = self.files.borrow().keys().cloned().collect();
        let others = names.into_iter().filter(|name| *name != self.own);
        let shelved = others.map(|name| -> (String, Box<dyn Shelf>) {
            let mut folder = self.clone();
            folder.own.clone_from(&name);
            (name, Box::new(folder))
        });
        shelved.collect()
    }
}

struct Desk {
    editing: Editing,
    folder: Folder,
}

impl Desk {
    fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        self.edit_as("anna", edit)
    }

    fn edit_as(&mut self, name: &str, edit: &Edit) -> Result<(), String> {
        let by = Author { name, chosen: &[] };
        let done = self
            .editing
            .edit(edit, by, Duration::from_secs(1), &mut self.folder);
        done.map_err(|why| why.to_string())
    }

    /// Renames what the first node with this word and name defines.
    fn rename(&mut self, word: &str, name: &str, new: &str) -> Result<(), String> {
        let sheet = self.editing.sheet();
        let mut nodes = sheet.nodes.iter();
        let is_it = |node: &&treemind_replay::view::protocol::SheetNode| {
            node.word == word && node.values.first().is_some_and(|first| first == name)
        };
        // What an imported file declares comes last.
        let id = nodes.rfind(is_it).expect("it is there").id;
        let name = new.to_owned();
        self.edit(&Edit::Rename { id, name })
    }

    /// What was done last, and by whom.
    fn last(&self) -> (String, String) {
        let undo = self.editing.sheet().undo.expect("something was done");
        (undo.label.to_string(), undo.by)
    }

    fn told(&self) -> Vec<String> {
        let told = self.editing.sheet().told;
        told.iter().map(ToString::to_string).collect()
    }
}

fn folder() -> Folder {
    Folder::new(&[
        ("alone.kdl", ALONE),
        ("lib/common.kdl", COMMON),
        ("one.kdl", ONE),
        ("two.kdl", TWO),
    ])
}

fn errors(folder: &Folder) -> Vec<String> {
    let names: Vec<String> = folder.files.borrow().keys().cloned().collect();
    let wrong = names
        .into_iter()
        .filter(|name| folder.document(name).has_errors());
    wrong.collect()
}

#[test]
fn a_leaf_is_renamed_in_all_documents_that_import_it_and_back() {
    let folder = folder();
    let mut one = folder.open("one.kdl");
    one.rename("action", "go", "walk").expect("it is renamed");
    let renamed = |text: &str| text.replace("action go", "action walk");
    for _ in 0..2 {
        for (name, text) in [
            ("lib/common.kdl", COMMON),
            ("one.kdl", ONE),
            ("two.kdl", TWO),
        ] {
            assert_eq!(folder.text(name), renamed(text), "{name}");
        }
        assert_eq!(folder.text("alone.kdl"), ALONE);
        assert_eq!(one.told(), ["renamed in other documents, too: two.kdl"]);

        one.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(folder.text("two.kdl"), TWO);
        assert_eq!(one.told(), ["renamed in other documents, too: two.kdl"]);
        assert!(errors(&folder).is_empty());

        one.edit(&Edit::Redo).expect("it is done again");
    }
    // The manifest as a document of its own does the same.
    let mut common = folder.open("lib/common.kdl");
    common
        .rename("action", "walk", "run")
        .expect("it is renamed");
    assert_eq!(
        common.told(),
        ["renamed in other documents, too: one.kdl, two.kdl"]
    );
    assert!(errors(&folder).is_empty());
}

/// Somebody else who has the other document open sees the change as one on disk, beside what was done there.
#[test]
fn whoever_edits_the_other_document_keeps_what_was_done_there() {
    let folder = folder();
    let [mut one, mut two] = ["one.kdl", "two.kdl"].map(|name| folder.open(name));
    two.edit(&Edit::SaveAtOnce { is_on: false })
        .expect("a switch");
    two.rename("tree", "two", "second").expect("it is renamed");
    one.rename("action", "go", "walk").expect("it is renamed");
    two.edit(&Edit::Save { whose: None }).expect("it is saved");
    let wanted = TWO
        .replace("tree two", "tree second")
        .replace("action go", "action walk");
    assert_eq!(folder.text("two.kdl"), wanted);
    assert!(errors(&folder).is_empty());
}

#[test]
fn where_the_name_is_taken_elsewhere_nothing_is_renamed() {
    let folder = folder();
    folder.put("two.kdl", &format!("leaves {{ action walk }}\n{TWO}"));
    let mut one = folder.open("one.kdl");
    let refused = one.rename("action", "go", "walk");
    assert_eq!(
        refused,
        Err("two.kdl: another leaf is named `walk`".to_owned())
    );
    assert_eq!(folder.text("one.kdl"), ONE);
    assert_eq!(folder.text("lib/common.kdl"), COMMON);

    // What is taken when it is undone is said.
    folder.put("two.kdl", TWO);
    one.rename("action", "go", "walk").expect("it is renamed");
    let now = format!("leaves {{ action go }}\n{}", folder.text("two.kdl"));
    folder.put("two.kdl", &now);
    one.edit(&Edit::Undo).expect("it is undone");
    assert_eq!(
        one.told(),
        ["two.kdl still has the old name: another leaf is named `go`"]
    );
    assert_eq!(folder.text("two.kdl"), now);
}

#[test]
fn what_is_not_saved_is_not_renamed_elsewhere_before_it_is() {
    let folder = folder();
    let mut one = folder.open("one.kdl");
    one.edit(&Edit::SaveAtOnce { is_on: false })
        .expect("a switch");
    one.rename("action", "go", "walk").expect("it is renamed");
    assert_eq!(
        one.told(),
        ["when this is saved, it is renamed in other documents, too: two.kdl"]
    );
    assert!(errors(&folder).is_empty());
    // What was undone before is not written.
    one.edit(&Edit::Undo).expect("it is undone");
    one.edit(&Edit::Save { whose: None }).expect("it is saved");
    assert_eq!(folder.text("two.kdl"), TWO);

    one.edit(&Edit::Redo).expect("it is done again");
    let changed = TWO.replace("// goes", "// goes there");
    folder.put("two.kdl", &changed);
    one.edit(&Edit::Save { whose: None }).expect("it is saved");
    assert_eq!(
        folder.text("two.kdl"),
        changed.replace("action go", "action walk")
    );
    assert!(errors(&folder).is_empty());
}

/// A key, and a tree of a file between them, that only other documents import.
#[test]
fn keys_and_what_uses_them_in_files_between_are_renamed_too() {
    let between = "import \"common.kdl\"\ntree rest { succeed when=\"food > 1\" }\n";
    let folder = Folder::new(&[
        ("lib/common.kdl", "blackboard { key food type=int }\n"),
        ("lib/rest.kdl", between),
        (
            "one.kdl",
            "import \"lib/common.kdl\"\ntree one { check \"food > 2\" }\n",
        ),
        (
            "two.kdl",
            "import \"lib/rest.kdl\"\ntree two { subtree rest }\nmain tree=two\n",
        ),
    ]);
    assert!(errors(&folder).is_empty(), "{:?}", errors(&folder));
    let mut one = folder.open("one.kdl");
    one.rename("key", "food", "meat").expect("it is renamed");
    assert!(errors(&folder).is_empty(), "{:?}", errors(&folder));
    assert!(folder.text("lib/rest.kdl").contains("meat > 1"));
    assert_eq!(
        one.told(),
        ["renamed in other documents, too: lib/rest.kdl"]
    );
    one.edit(&Edit::Undo).expect("it is undone");
    assert_eq!(folder.text("lib/rest.kdl"), between);
}

/// What is done through one document to a file that another one has open is the designer's there, too.
#[test]
fn what_is_done_through_another_document_is_by_who_has_done_it() {
    let folder = folder();
    let [mut one, mut common] = ["one.kdl", "lib/common.kdl"].map(|name| folder.open(name));
    let text = folder.text("lib/common.kdl");
    let edit = Edit::Type {
        file: 1,
        from: 0,
        to: 0,
        text: "// first\n".to_owned(),
        since: None,
    };
    one.edit(&edit).expect("it is typed");
    common.editing.look_and_save(&mut common.folder);
    let (label, by) = common.last();
    assert_eq!((&*by, label != "change on disk"), ("anna", true));
    assert_eq!(common.editing.sheet().done.len(), 1);
    // Who undoes it there is the one who has done that here.
    common.edit_as("bert", &Edit::Undo).expect("it is undone");
    assert_eq!(folder.text("lib/common.kdl"), text);
    one.editing.look_and_save(&mut one.folder);
    assert_eq!(
        one.last(),
        (format!("take back: {label}"), "bert".to_owned())
    );
    // Another program is another program.
    folder.put("lib/common.kdl", &format!("// theirs\n{text}"));
    common.editing.look_and_save(&mut common.folder);
    assert_eq!(common.last(), ("change on disk".to_owned(), String::new()));
}

/// An edit over several files is undone in all of them, from whichever document.
#[test]
fn a_rename_is_undone_everywhere_from_each_document() {
    for from in ["one.kdl", "two.kdl", "lib/common.kdl"] {
        let folder = folder();
        let before = folder.files.borrow().clone();
        let mut one = folder.open("one.kdl");
        let mut other = folder.open(from);
        one.rename("action", "go", "walk").expect("it is renamed");
        let after = folder.files.borrow().clone();
        assert_ne!(before, after);
        other.editing.look_and_save(&mut other.folder);
        assert_eq!(other.last().1, "anna", "{from}");
        for _ in 0..2 {
            other.edit_as("bert", &Edit::Undo).expect("it is undone");
            assert_eq!(*folder.files.borrow(), before, "{from}");
            one.editing.look_and_save(&mut one.folder);
            assert_eq!(one.last().1, "bert");
            other.edit_as("bert", &Edit::Redo).expect("it is redone");
            assert_eq!(*folder.files.borrow(), after, "{from}");
            one.editing.look_and_save(&mut one.folder);
        }
        // And by who has renamed it, from where that was done.
        one.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(*folder.files.borrow(), before, "{from}");
    }
}

/// Where a file cannot be taken back, that is said.
#[test]
fn what_cannot_be_taken_back_elsewhere_is_said() {
    let folder = folder();
    let [mut one, mut two] = ["one.kdl", "two.kdl"].map(|name| folder.open(name));
    one.rename("action", "go", "walk").expect("it is renamed");
    two.editing.look_and_save(&mut two.folder);
    let changed = folder
        .text("one.kdl")
        .replace("action walk", "action walk doc=\"x\"");
    folder.put("one.kdl", &changed.replace("action walk", "action run"));
    two.edit(&Edit::Undo).expect("it is undone here");
    let told = two.told();
    assert!(
        told.iter().any(|told| told.starts_with("one.kdl")),
        "{told:?}"
    );
}
