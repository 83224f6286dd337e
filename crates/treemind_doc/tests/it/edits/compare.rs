//! Two versions of a text, node by node.

use super::editor;
use super::sequences::{Edit, Maker, Random, some_edit};
use treemind_doc::edit::{Differs, Version, compare, compare_all, compare_versions};

fn said(old: &str, new: &str) -> Vec<String> {
    let found = compare(old, new).expect("KDL");
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn nodes_are_compared() {
    let old = "// a guard\ntree t {\n    selector name=top {\n        action flee when=\"hp < 2\"\n        sequence { action go; wait 0.5; }\n        run\n    }\n}\nmachine m { initial a; state a; }\n";
    assert_eq!(
        said(
            old,
            &format!(
                "\u{feff}{}",
                old.replace('\n', "\r\n")
                    .replace("// a guard", "// ein Wächter")
            )
        ),
        [""; 0]
    );
    let new = "machine m { initial a; state a { transition to=b after=1; }; state b; }\ntree t {\n    reactive-selector name=top {\n        action flee when=\"hp < 3\"\n        run\n        invert { sequence { action go; wait 0.5; }; }\n    }\n}\n";
    assert_eq!(
        said(old, new),
        [
            "moved 9 → 1: machine m",
            "added 1: machine m › state a: transition to=b after=1",
            "added 1: machine m: state b",
            "changed 3 → 3: tree t: reactive-selector top: selector → reactive-selector",
            "changed 4 → 4: tree t › reactive-selector top: action flee: when: \"hp < 2\" → \"hp < 3\"",
            "added 6: tree t › reactive-selector top: invert",
            "moved 5 → 6: tree t › reactive-selector top › invert: sequence",
        ]
    );
    let why = compare("tree t {", "tree t { run; }").unwrap_err();
    assert_eq!(
        why.message(),
        "the older version has an open block, string or comment"
    );
}

/// Values are compared, not how they are spelled. A text is none but a text.
#[test]
fn other_spellings_of_the_same_values_do_not_count() {
    let old = "leaves { action eat; }\ntree t { sequence name=meal { action \"eat\"; wait 1.50; repeat 0x10 { action #\"eat\"#; }; run disabled=#true; }; }\n";
    let new = "leaves { action \"eat\"; }\ntree \"t\" { sequence \"name\"=\"meal\" { action eat; wait 1.5; repeat 1_6 { action eat; }; run disabled=#true; }; }\n";
    assert_eq!(said(old, new), [""; 0]);
    let all = compare_all(&Version::text(old), &Version::text(new)).unwrap();
    assert!(all.iter().all(|one| one.how.is_none()), "{all:?}");
    let texts = "tree t { log 1; log \"1\"; wait 1; log eat; }\n";
    let others = "tree t { log \"1\"; log \"1.0\"; wait 1.0; log Eat; }\n";
    let found = said(texts, others);
    assert_eq!(found.len(), 4, "{found:?}");
}

/// What stands beside something new is not taken for new because its value is another one.
#[test]
fn a_changed_value_beside_an_insertion_is_changed() {
    let old = "tree t {\n    sequence {\n        wait 1.0\n    }\n}\n";
    let new = "tree t {\n    sequence {\n        log \"hello\"\n        wait 2.0\n    }\n}\n";
    assert_eq!(
        said(old, new),
        [
            "added 3: tree t › sequence: log \"hello\"",
            "changed 3 → 4: tree t › sequence: wait 1.0 → 2.0",
        ]
    );
}

/// Of a node that has changed, its line says what differs, by name, and what it is still called.
#[test]
fn what_differs_in_a_node_is_told_by_name() {
    for (old, new, told) in [
        ("wait 1.0", "wait 2.0", "wait 1.0 → 2.0"),
        (
            "timeout 0.5 name=hit doc=\"lands, once\"",
            "timeout 0.6 name=hit doc=\"lands, once\"",
            "timeout hit: 0.5 → 0.6",
        ),
        (
            "action walk",
            "action walk doc=\"on, and on\"",
            "action walk: doc added: \"on, and on\"",
        ),
        (
            "action walk when=\"hp < 3\"",
            "action walk",
            "action walk: when removed: \"hp < 3\"",
        ),
        (
            "sequence name=a",
            "selector name=a",
            "selector a: sequence → selector",
        ),
        ("action walk", "action", "action removed: walk"),
        ("goto a b", "goto b a", "goto b: a b → b a"),
        (
            "wait 1.0",
            "wait 2.0 name=rest",
            "wait 1.0 → 2.0, name added: rest",
        ),
        (
            "action patrol place=hut",
            "action patrol place=\"mill\" name=walk",
            "action patrol: place: hut → \"mill\", name added: walk",
        ),
    ] {
        let tree = |line: &str| format!("tree t {{ sequence {{ {line}; }}; }}\n");
        let found = compare(&tree(old), &tree(new)).expect("KDL");
        let [one] = &found[..] else {
            panic!("{old}, {new}: {found:?}")
        };
        assert_eq!(one.told.to_string(), told);
        assert_eq!(
            one.to_string(),
            format!("changed 1 → 1: tree t › sequence: {told}")
        );
        // The drawing of both has the same line, and says where it is.
        let all = compare_all(&Version::text(tree(old)), &Version::text(tree(new)));
        let all = all.expect("KDL");
        let drawn = all
            .iter()
            .find(|one| one.how.is_some())
            .expect("it differs");
        assert_eq!(drawn.told, one.told);
        assert_eq!(drawn.path, ["tree t", "sequence"]);
    }
}

/// The files of a version, the document first; those that are not there cannot be read.
fn version(files: &[(&str, &str)]) -> Version {
    let (name, text) = files[0];
    Version::read(text.as_bytes(), name, |path| {
        let mut known = files.iter();
        let found = known.find(|(known, _)| *known == path);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or("gone")
    })
}

#[test]
fn files_that_are_imported_are_compared() {
    let guard =
        "import \"parts/common.kdl\"\ntree guard { subtree flee; }\ntree rest { wait 1.0; }\n";
    let old = version(&[
        ("old/guard.kdl", guard),
        ("old/parts/common.kdl", "tree flee { wait 0.5; }"),
    ]);
    let new = version(&[
        (
            "new/guard.kdl",
            "import \"parts/common.kdl\"\ntree guard { subtree flee; }\n",
        ),
        (
            "new/parts/common.kdl",
            "\u{feff}// what it shares\ntree flee { wait 0.7; }\ntree rest { wait 1.0; }\n",
        ),
    ]);
    let found = compare_versions(&old, &new).expect("KDL");
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "changed parts/common.kdl 1 → 2: tree flee: wait 0.5 → 0.7",
            "moved 3 → parts/common.kdl 3: tree rest",
        ]
    );
    let all = compare_all(&old, &new).expect("KDL");
    let tops = all.iter().filter(|node| node.depth == 0);
    let tops: Vec<_> = tops
        .map(|node| (node.text.as_str(), node.file.as_deref()))
        .collect();
    assert_eq!(
        tops,
        [
            ("import \"parts/common.kdl\"", None),
            ("tree guard", None),
            ("tree flee", Some("parts/common.kdl")),
            ("tree rest", Some("parts/common.kdl")),
        ]
    );
    // What is not there beside one of them is not taken for removed.
    let alone = version(&[("elsewhere/guard.kdl", guard)]);
    assert_eq!(alone.missing(), ["parts/common.kdl"]);
    assert_eq!(compare_versions(&old, &alone).expect("KDL"), []);
}

#[test]
fn one_edit_is_one_difference() {
    let mut done = 0;
    for seed in 0..120 {
        let mut maker = Maker::new(seed);
        let text = format!("tree t {{{}{}}}", "\n", maker.lines(1, 0));
        let editor = editor(&text);
        let mut random = Random::new(seed + 9);
        for _ in 0..10 {
            let (edit, ..) = some_edit(&editor, &mut random);
            let Ok(change) = edit.plan(&editor) else {
                continue;
            };
            let after = change.apply_to(0, &text).expect("made for it");
            let found = compare(&text, &after).expect("KDL");
            let how: Vec<Differs> = found.iter().map(|one| one.how).collect();
            let expected: &[Differs] = match edit {
                _ if after == text => &[],
                Edit::Remove(_) => &[Differs::Removed],
                Edit::Insert(..) => &[Differs::Added],
                Edit::Set(_) | Edit::Unset(_) | Edit::Value(_) => &[Differs::Changed],
                Edit::Move(..) => &[Differs::Moved],
                Edit::Wrap(..) => &[Differs::Added, Differs::Moved],
                _ => continue,
            };
            // Beside a node that is moved past one other node, the other one is moved as well as it.
            assert_eq!(how, expected, "{}\n{text}\n---\n{after}", change.label());
            done += 1;
        }
    }
    assert!(done > 300, "{done}");
}

/// What is told of two versions of the examples, in a list and in a drawing, after random edits.
#[test]
fn the_list_and_the_drawing_tell_the_same() {
    let mut told = 0;
    for (nth, path) in super::ids::documents().into_iter().enumerate() {
        let old = std::fs::read_to_string(&path).expect("text");
        let mut random = Random::new(nth as u64 + 3);
        let mut editor = editor(&old);
        for _ in 0..6 {
            let (edit, ..) = some_edit(&editor, &mut random);
            let Ok(change) = edit.plan(&editor) else {
                continue;
            };
            editor.apply(&change).expect("made for it");
            let versions = [old.as_str(), editor.text(0)].map(Version::text);
            let [old, new] = &versions;
            let list = compare_versions(old, new).expect("KDL");
            let drawing = compare_all(old, new).expect("KDL");
            let drawn = drawing.iter().filter(|one| one.is_told);
            let drawn: Vec<_> = drawn.map(|one| (one.how, &one.told, &one.path)).collect();
            let listed = list.iter().map(|one| (Some(one.how), &one.told, &one.path));
            assert_eq!(drawn, listed.collect::<Vec<_>>(), "{}", path.display());
            // What differs and is not told is in something that was added or removed as a whole.
            for (at, node) in drawing.iter().enumerate() {
                let mut before = drawing[..at].iter();
                let around = before.rfind(|one| one.depth < node.depth);
                let is_in = around.is_some_and(|around| around.how == node.how);
                match node.how {
                    Some(Differs::Added | Differs::Removed) => assert_eq!(node.is_told, !is_in),
                    how => assert_eq!(node.is_told, how.is_some()),
                }
            }
            told += list.len();
        }
    }
    assert!(told > 200, "{told}");
}
