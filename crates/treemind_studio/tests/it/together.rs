//! Several nodes, several people: what is chosen, what is done to it, and what clashes.

use crate::editing::{Desk, GUARD, Memory};
use treemind_replay::view::protocol::{Beside, Edit, Selection, Where, Whose};

/// What was chosen comes back with what is undone and done again, also for nodes that have gone meanwhile.
#[test]
fn what_was_chosen_comes_back() {
    let mut desk = Desk::new(GUARD);
    let flee = desk.node("action flee when=health < 20").id;
    let said = |desk: &Desk| {
        let sheet = desk.sheet();
        let Some(Selection { by, ids }) = sheet.selection else {
            return Vec::new();
        };
        assert_eq!(by, "anna");
        let nodes = ids.iter().map(|id| {
            let mut all = sheet.nodes.iter();
            let node = all.find(|node| node.id == *id).expect("it is there");
            format!("{} {}", node.word, node.values.join(" "))
        });
        nodes.collect()
    };
    desk.chosen = vec![flee];
    desk.edit(&Edit::Remove { ids: vec![flee] })
        .expect("it is removed");
    assert!(said(&desk).is_empty());
    let patrol = desk.node("action patrol").id;
    desk.chosen = vec![patrol];
    desk.edit(&Edit::Undo).expect("it is undone");
    assert_eq!(said(&desk), ["action flee"]);
    desk.edit(&Edit::Redo).expect("it is done again");
    assert_eq!(said(&desk), ["action patrol"]);
    let set = Edit::Set {
        id: patrol,
        name: "doc".to_owned(),
        value: "all day".to_owned(),
    };
    desk.edit(&set).expect("it is set");
    assert!(said(&desk).is_empty());
    // Whatever is chosen by then, what is done again chooses what it was done to, or what it has added.
    let guard = desk.node("tree guard").id;
    for (edit, before, after) in [
        (
            Edit::Disable {
                ids: vec![patrol],
                is_on: false,
            },
            "action patrol",
            "action patrol",
        ),
        (
            Edit::Add {
                text: "wait 0.5".to_owned(),
                spot: Beside {
                    id: patrol,
                    side: Where::After,
                },
                others: Vec::new(),
            },
            "action patrol",
            "wait 0.5",
        ),
    ] {
        desk.chosen = vec![patrol];
        desk.edit(&edit).expect("it is done");
        desk.chosen = vec![guard];
        desk.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(said(&desk), [before]);
        desk.edit(&Edit::Redo).expect("it is done again");
        assert_eq!(said(&desk), [after]);
    }
}

/// Of a tree that is put where it is called, the root is chosen, and what was chosen stays so: with ports, with keys for values, and
/// also where the tree goes on being called elsewhere.
#[test]
fn the_root_of_what_was_put_somewhere_is_chosen() {
    let text = "main tree=t\nblackboard { key ammo type=int default=3; }\nleaves { action walk; action shoot; }\ntree t {\n    sequence {\n        action walk\n        subtree fire shots=\"{ammo}\" most=2\n    }\n}\ntree fire {\n    inout shots type=int\n    in most type=int\n    selector while=\"shots > most\" {\n        action shoot\n        wait 0.5\n    }\n}\n";
    let call = "subtree fire shots={ammo} most=2";
    let more = text.replace(
        "        action walk\n",
        "        subtree fire shots=\"{ammo}\" most=1\n",
    );
    for text in [text, &more] {
        let mut desk = Desk::new(text);
        let chosen = |desk: &Desk| {
            let sheet = desk.sheet();
            let ids = sheet.selection.map_or(Vec::new(), |one| one.ids);
            let word = |id| sheet.nodes.iter().find(|node| node.id == id);
            let words = ids
                .into_iter()
                .filter_map(word)
                .map(|node| node.word.clone());
            words.collect::<Vec<_>>()
        };
        let id = desk.node(call).id;
        desk.chosen = vec![desk.node("wait 0.5").id, id];
        desk.edit(&Edit::Inline { id }).expect("it is put there");
        let left = ["wait", "selector"];
        assert_eq!(chosen(&desk), left, "{}", desk.text());
        let sheet = desk.sheet();
        let ids = sheet.selection.expect("a selection").ids;
        let root = sheet.nodes.iter().find(|node| Some(&node.id) == ids.last());
        let [line, ..] = root.expect("it is there").at;
        let tree = desk.text().find("\ntree fire").unwrap_or(usize::MAX);
        let before = desk.text().lines().take(line).map(str::len).sum::<usize>();
        assert!(before < tree, "the one that was put: {}", desk.text());
        desk.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(chosen(&desk), ["wait", "subtree"]);
        desk.edit(&Edit::Redo).expect("it is done again");
        assert_eq!(chosen(&desk), left);
    }
}

/// What is done to several nodes is one step.
#[test]
fn several_nodes_are_changed_together() {
    let mut desk = Desk::new(
        "tree t {\n    sequence {\n        wait 1\n        wait 2\n        wait 3\n    }\n}\n",
    );
    let [one, two, three] = ["wait 1", "wait 2", "wait 3"].map(|line| desk.node(line).id);
    let mut done = |edit: Edit, wanted: &str| {
        let before = desk.text().to_owned();
        desk.edit(&edit).expect("it is done");
        let text = desk.text().replace("    ", "").replace('\n', " ");
        assert_eq!(text, format!("tree t {{ sequence {{ {wanted} }} }} "));
        desk.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(desk.text(), before);
    };
    let around = |others: &[u64]| Edit::Add {
        text: "selector".to_owned(),
        spot: Beside {
            id: one,
            side: Where::Around,
        },
        others: others.to_vec(),
    };
    done(around(&[two]), "selector { wait 1 wait 2 } wait 3");
    done(around(&[two, three]), "selector { wait 1 wait 2 wait 3 }");
    let twice = |ids: &[u64]| Edit::Duplicate { ids: ids.to_vec() };
    done(twice(&[one, two]), "wait 1 wait 2 wait 1 wait 2 wait 3");
    done(twice(&[one, three]), "wait 1 wait 1 wait 2 wait 3 wait 3");
    let disable = |ids: &[u64], is_on| Edit::Disable {
        ids: ids.to_vec(),
        is_on,
    };
    done(
        disable(&[one, three], true),
        "wait 1 disabled=#true wait 2 wait 3 disabled=#true",
    );
    desk.edit(&disable(&[one, three], true))
        .expect("it is done");
    assert_eq!(undo_label(&mut desk), "switch off 2 nodes");
    desk.edit(&Edit::Undo).expect("it is undone");
    desk.edit(&disable(&[one], true)).expect("it is done");
    assert_eq!(undo_label(&mut desk), "switch off wait");
    desk.edit(&Edit::Undo).expect("it is undone");
    desk.edit(&disable(&[one], true)).expect("it is done");
    desk.edit(&disable(&[one, two], true)).expect("it is done");
    desk.edit(&disable(&[one, two], false)).expect("it is done");
    assert!(!desk.text().contains("disabled"));
    // What takes one child does not get two, and nothing has changed then.
    let before = desk.text().to_owned();
    let mut invert = around(&[two]);
    if let Edit::Add { text, .. } = &mut invert {
        *text = "invert".to_owned();
    }
    desk.edit(&invert).expect_err("it takes one");
    assert_eq!(desk.text(), before);
}

/// A state that goes alone is one node, whatever has to follow it.
#[test]
fn a_state_that_moves_is_one_node() {
    let text = "machine m {\n    initial a\n    state a {\n        transition to=b\n    }\n    state b\n}\n";
    let mut desk = Desk::new(text);
    let [a, b] = ["state a", "state b"].map(|line| desk.node(line).id);
    let into = Edit::Move {
        ids: vec![a],
        spot: Beside {
            id: b,
            side: Where::Into,
        },
    };
    desk.edit(&into).expect("it is done");
    assert!(desk.text().starts_with("machine m {\n    initial b\n"));
    assert_eq!(undo_label(&mut desk), "move state");
    desk.edit(&Edit::Undo).expect("it is undone");
    assert_eq!(desk.text(), text);
}

/// As long as something clashes, a save writes nothing; and what does not count is in the history.
#[test]
fn a_save_does_not_settle_what_clashes() {
    let mut desk = Desk::new(GUARD);
    desk.edit(&Edit::SaveAtOnce { is_on: false })
        .expect("it is a switch");
    let flee = desk.node("action flee when=health < 20").id;
    let mine = Edit::Set {
        id: flee,
        name: "when".to_owned(),
        value: "health < 60".to_owned(),
    };
    desk.edit(&mine).expect("it is done");
    let theirs = GUARD.replace("health < 20", "health < 70");
    let name = "guard.kdl".to_owned();
    desk.memory.files.insert(name, theirs.clone());
    desk.editing.look_and_save(&mut desk.memory);
    let sheet = desk.sheet();
    assert_eq!(sheet.conflicts.len(), 1);
    desk.edit(&Edit::Save { whose: None }).expect("it is heard");
    assert_eq!(desk.on_disk(), theirs);
    assert!(desk.sheet().unsaved.is_some());
    let settle = Edit::Settle {
        file: 0,
        key: sheet.conflicts[0].key,
        whose: Whose::Mine,
    };
    let mut other = Desk {
        editing: desk.editing.clone(),
        memory: Memory::default(),
        now: desk.now,
        chosen: Vec::new(),
    };
    other.memory.files.clone_from(&desk.memory.files);
    let both = Edit::Save {
        whose: Some(Whose::Mine),
    };
    for (desk, edit) in [(&mut desk, settle), (&mut other, both)] {
        desk.edit(&edit).expect("it is settled");
        let text = desk.text().to_owned();
        assert!(text.contains("health < 60"));
        // Who has settled it did that, not the other program.
        let undo = desk.sheet().undo.expect("something was done");
        assert_eq!(undo.label.to_string(), "keep what was changed here");
        assert!(!undo.by.is_empty());
        desk.edit(&Edit::Save { whose: None }).expect("it is saved");
        assert_eq!(desk.on_disk(), text);
        let before = desk.sheet().done.len();
        while desk.text() != theirs {
            desk.edit(&Edit::Undo)
                .expect("their text is in the history");
        }
        assert!(before - desk.sheet().done.len() <= 2);
    }
}

/// What another program has changed is put together with what was changed here; what clashes is settled one by one.
#[test]
fn changes_of_both_sides_are_merged() {
    let mut desk = Desk::new(GUARD);
    desk.edit(&Edit::SaveAtOnce { is_on: false })
        .expect("it is a switch");
    let patrol = desk.node("action patrol").id;
    let flee = desk.node("action flee when=health < 20").id;
    let set = |id, name: &str, value: &str| Edit::Set {
        id,
        name: name.to_owned(),
        value: value.to_owned(),
    };
    desk.edit(&set(patrol, "doc", "all day"))
        .expect("it is done");
    let sheet = desk.sheet();
    assert!(!sheet.saves_at_once && !sheet.files[0].is_saved);
    assert_eq!((desk.on_disk(), sheet.unsaved), (GUARD, None));
    let write = |desk: &mut Desk, text: String| {
        desk.memory.files.insert("guard.kdl".to_owned(), text);
        desk.editing.look_and_save(&mut desk.memory);
    };
    let theirs = GUARD.replace("health < 20", "health < 50");
    write(&mut desk, theirs.clone());
    let wanted = theirs.replace(
        "action patrol\r\n    }",
        "action patrol doc=\"all day\"\r\n    }",
    );
    assert_eq!((desk.text(), desk.on_disk()), (&*wanted, &*theirs));
    let done: Vec<(String, String)> = desk
        .sheet()
        .done
        .into_iter()
        .map(|done| (done.by, done.label.to_string()))
        .collect();
    assert_eq!(done[0].0, "anna");
    assert_eq!(
        done[1],
        (String::new(), "merge with the change on disk".to_owned())
    );
    // Both change the same: the pages keep theirs, and see the other.
    desk.edit(&set(flee, "when", "health < 60"))
        .expect("it is done");
    write(&mut desk, theirs.replace("health < 50", "health < 70"));
    let sheet = desk.sheet();
    let [clash] = &sheet.conflicts[..] else {
        panic!("{sheet:?}")
    };
    assert!(clash.mine.contains("< 60") && clash.theirs.contains("< 70"));
    assert!(
        sheet
            .unsaved
            .expect("why")
            .why
            .to_string()
            .contains("another program")
    );
    let on_disk = desk.on_disk().to_owned();
    desk.edit(&Edit::SaveAtOnce { is_on: true })
        .expect("it is a switch");
    assert_eq!(desk.on_disk(), on_disk);
    let key = clash.key;
    let settle = |whose| Edit::Settle {
        file: 0,
        key,
        whose,
    };
    desk.edit(&settle(Whose::Theirs)).expect("it is settled");
    let wanted = wanted.replace("health < 50", "health < 70");
    assert_eq!((desk.text(), desk.on_disk()), (&*wanted, &*wanted));
    let sheet = desk.sheet();
    assert_eq!((sheet.conflicts.len(), sheet.unsaved), (0, None));
    desk.edit(&settle(Whose::Mine))
        .expect_err("it is settled already");
}

/// The first field of a definition is its name, which others use.
#[test]
fn another_name_of_a_definition_is_another_name_everywhere() {
    let text = "leaves { action go; }\nmain machine=m\nmachine m {\n    initial a\n    state a { transition to=b after=1.0; }\n    state b { do { subtree t; }; }\n}\ntree t { action go; }\n";
    let mut desk = Desk::new(text);
    for (node, name, expected) in [
        (
            "state b",
            "c",
            text.replace("to=b", "to=c").replace("state b", "state c"),
        ),
        (
            "tree t",
            "walk",
            text.replace("subtree t", "subtree walk")
                .replace("tree t {", "tree walk {"),
        ),
        (
            "machine m",
            "door",
            text.replace("machine=m", "machine=door")
                .replace("machine m", "machine door"),
        ),
    ] {
        let edit = Edit::Set {
            id: desk.node(node).id,
            name: "0".to_owned(),
            value: name.to_owned(),
        };
        desk.edit(&edit).expect("it is renamed");
        assert_eq!(desk.text(), expected);
        desk.edit(&Edit::Undo).expect("it is undone");
        assert_eq!(desk.text(), text);
    }
    // What only names something else is written there alone.
    let edit = Edit::Set {
        id: desk.node("subtree t").id,
        name: "0".to_owned(),
        value: "other".to_owned(),
    };
    desk.edit(&edit).expect("it is written");
    assert_eq!(desk.text(), text.replace("subtree t", "subtree other"));
}

/// What would be undone.
fn undo_label(desk: &mut Desk) -> String {
    let undo = desk.sheet().undo.expect("something was done");
    undo.label.to_string()
}

/// Of two who write the same value at once, the later one counts, and both hear what it was that is replaced.
#[test]
fn who_writes_over_what_was_just_written_says_so() {
    let mut desk = Desk::new(GUARD);
    let flee = desk.node("action flee when=health < 20").id;
    let set = |value: &str| Edit::Set {
        id: flee,
        name: "when".to_owned(),
        value: value.to_owned(),
    };
    let told = |desk: &Desk| {
        let sheet = desk.sheet();
        let told: Vec<String> = sheet.told.iter().map(ToString::to_string).collect();
        told.join("; ")
    };
    desk.edit_as("anna", &set("health < 30"))
        .expect("it is set");
    desk.edit_as("anna", &set("health < 31"))
        .expect("it is set");
    assert_eq!(told(&desk), "");
    desk.edit_as("ben", &set("health < 40")).expect("it is set");
    assert_eq!(
        told(&desk),
        "`health < 40` replaces `health < 31`, which page anna wrote a moment ago"
    );
    // Another property is another value, and what has long been there is known to everybody.
    let doc = Edit::Set {
        id: flee,
        name: "doc".to_owned(),
        value: "away".to_owned(),
    };
    desk.edit_as("anna", &doc).expect("it is set");
    assert_eq!(told(&desk), "");
    desk.now += std::time::Duration::from_secs(11);
    desk.edit_as("anna", &set("health < 50"))
        .expect("it is set");
    assert_eq!(told(&desk), "");
}
