//! Every node has an id with a place, before and after any edit, and the outline has every node.

use super::sequences::{Edit, Maker, Random, some_edit};
use super::{editor, marked};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::Document;
use treemind_doc::edit::{At, Editor, History, SourceNode, SourceOutline, SourceRole, Utf16};

/// Every id leads to a place and back, by every way.
fn check(editor: &Editor, case: &str) -> SourceOutline {
    let outline = editor.outline();
    let mut seen = BTreeSet::new();
    let mut top = vec![0; editor.file_count()];
    for node in outline.nodes() {
        assert!(node.id != 0 && seen.insert(node.id), "{}: {case}", node.id);
        assert_eq!(outline.node(node.id), Some(node));
        let at = At::from((node.file, node.span.start));
        assert_eq!(editor.id_at(at), Some(node.id), "{case}");
        assert_eq!(editor.place_of(node.id), Some(at), "{case}");
        assert_eq!(outline.at(at).map(|node| node.id), Some(node.id), "{case}");
        let end = At::from((node.file, node.line.end - 1));
        assert_eq!(outline.at(end).map(|node| node.id), Some(node.id), "{case}");
        let text = editor.text(node.file);
        assert!(text.get(node.span.clone()).is_some(), "{case}");
        for entry in node.values.iter().chain(&node.properties) {
            assert!(text[entry.span.clone()].ends_with(&text[entry.value_span.clone()]));
        }
        match node
            .parent
            .map(|parent| outline.node(parent).expect("a node"))
        {
            Some(parent) => assert!(parent.children.contains(&node.id), "{case}"),
            None => top[node.file] += 1,
        }
    }
    for (file, count) in top.into_iter().enumerate() {
        assert_eq!(editor.top(file).len(), count, "{case}");
    }
    outline
}

pub(super) fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(kind) if kind == "kdl" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn every_node_of_the_examples_has_an_id_and_a_place() {
    let mut count = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("text");
        // As they are, and as another system writes them.
        for text in [
            text.clone(),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
        ] {
            let editor = editor(&text);
            let outline = check(&editor, &path.display().to_string());
            count += outline.nodes().len();
            for offset in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
                let by_editor = editor.id_at(offset);
                assert_eq!(
                    outline.at(offset).map(|node| node.id),
                    by_editor,
                    "{offset}"
                );
            }
            let unknown = |node: &&SourceNode| node.role == SourceRole::Unknown;
            let unknown = outline.nodes().iter().filter(unknown).count();
            let is_well = !editor.document().has_errors();
            assert!(unknown == 0 || !is_well, "{}", path.display());
        }
    }
    assert!(count > 2_000, "{count}");
}

/// The ids of a node and of all nodes in it.
fn inside(outline: &SourceOutline, id: u64) -> BTreeSet<u64> {
    let mut all = BTreeSet::new();
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        all.insert(id);
        pending.extend(&outline.node(id).expect("a node").children);
    }
    all
}

/// What an edit may do to ids: those that must stay, with their lines where these stay, and whether there may be new ones.
fn judge(edit: &Edit, before: &SourceOutline, after: &SourceOutline, label: &str, case: &str) {
    let ids = |outline: &SourceOutline| -> BTreeSet<u64> {
        outline.nodes().iter().map(|node| node.id).collect()
    };
    let (old, new) = (ids(before), ids(after));
    let own = |at: &At| before.at(*at).expect("a node").id;
    let gone: BTreeSet<u64> = old.difference(&new).copied().collect();
    let fresh: Vec<u64> = new.difference(&old).copied().collect();
    assert!(fresh.iter().all(|id| Some(id) > old.last()), "{case}");
    match edit {
        Edit::Remove(at) => {
            assert_eq!(gone, inside(before, own(at)), "{case}");
            assert!(fresh.is_empty(), "{case}");
        }
        Edit::Insert(..) => assert!(gone.is_empty() && !fresh.is_empty(), "{case}"),
        Edit::Move(at, _) => {
            assert!(
                gone.is_empty() && fresh.is_empty(),
                "{label} {gone:?} {fresh:?} {case}"
            );
            assert_eq!(inside(before, own(at)), inside(after, own(at)), "{case}");
        }
        Edit::Wrap(at, _) => {
            let inner = after.node(own(at)).expect("it stays");
            assert!(gone.is_empty(), "{case}");
            assert_eq!(fresh, [inner.parent.expect("the new one")], "{case}");
        }
        Edit::Unwrap(at) => {
            // Parameters in the block of the node go with it.
            assert!(gone.contains(&own(at)), "{gone:?} {case}");
            assert!(fresh.is_empty(), "{case}");
        }
        Edit::Set(_) | Edit::Unset(_) | Edit::Value(_) => {
            assert!(gone.is_empty() && fresh.is_empty(), "{case}");
        }
        Edit::Param(_) => assert!(gone.is_empty() && fresh.len() <= 1, "{case}"),
    }
}

#[test]
fn ids_stay_over_ten_thousand_edits_and_come_back() {
    let mut done: BTreeMap<&str, usize> = BTreeMap::new();
    let mut edits = 0;
    let mut seed = 0;
    while edits < 10_000 {
        seed += 1;
        let mut maker = Maker::new(seed);
        let root = maker.lines(1, 0);
        let mut text = format!("tree 守卫 {{{}{root}}}", maker.line_end);
        if seed % 3 == 0 {
            text.insert(0, '\u{feff}');
        }
        let mut random = Random::new(seed + 3_000_000);
        let mut history = History::new(editor(&text));
        let first = check(history.editor(), "the first text");
        for step in 0..120 {
            let editor = history.editor();
            let before = editor.outline();
            if before.nodes().len() > 60 {
                break;
            }
            let (edit, ..) = some_edit(editor, &mut random);
            let Ok(change) = edit.plan(editor) else {
                continue;
            };
            let label = change.label().to_string();
            let old = editor.text(0).to_owned();
            history.apply(change).expect("made for it");
            let case = format!(
                "{seed}, {step}, {label}\n{old}\n---\n{}",
                history.editor().text(0)
            );
            let after = check(history.editor(), &case);
            judge(&edit, &before, &after, &label, &case);
            edits += 1;
            *done.entry(label_word(&label)).or_default() += 1;
            if random.percent(10) && history.editor().text(0) != old {
                history.undo();
                assert_eq!(history.editor().outline(), before, "{case}");
                history.redo();
                assert_eq!(history.editor().outline(), after, "{case}");
            }
        }
        let last = history.editor().outline();
        while history.undo().is_some() {}
        assert_eq!(history.editor().outline(), first, "{seed}");
        while history.redo().is_some() {}
        assert_eq!(history.editor().outline(), last, "{seed}");
    }
    assert!(done.values().all(|count| *count > 50), "{done:?}");
}

fn label_word(label: &str) -> &'static str {
    let words = [
        "remove", "insert", "move", "wrap", "unwrap", "set", "unset", "change",
    ];
    let found = words.into_iter().find(|word| label.starts_with(word));
    found.unwrap_or("other")
}

fn id(editor: &Editor, what: &str) -> u64 {
    let at = editor
        .text(0)
        .find(what)
        .unwrap_or_else(|| panic!("{what}"));
    editor.id_at(at).expect("a node")
}

#[test]
fn a_node_that_becomes_another_kind_or_goes_elsewhere_keeps_its_id() {
    let text = "leaves { action go; }\nmain tree=t\ntree t {\n    sequence name=s {\n        action go when=\"true\" // here\n        weighted-selector {\n            run name=r weight=2\n            fail weight=1\n        }\n    }\n}\ntree u { run name=u; }\n";
    let mut editor = editor(text);
    let names = [
        "sequence",
        "weighted-selector",
        "run name=r",
        "fail",
        "action go when",
        "run name=u",
    ];
    let ids = names.map(|name| id(&editor, name));
    let mut apply = |edit: &dyn Fn(&Editor) -> treemind_doc::edit::Change| {
        let change = edit(&editor);
        editor.apply(&change).expect("made for it");
        check(&editor, editor.text(0));
        editor.clone()
    };
    let find = |editor: &Editor, what: &str| editor.text(0).find(what).expect("it is there");
    let after = apply(&|editor| {
        editor
            .change_kind(find(editor, "sequence"), "reactive-selector")
            .expect("ok")
    });
    assert_eq!(id(&after, "reactive-selector"), ids[0]);
    // Its weight stays outside.
    let after = apply(&|editor| {
        editor
            .wrap(find(editor, "run name=r"), "invert")
            .expect("ok")
    });
    assert!(after.text(0).contains("invert weight=2 {"));
    assert_eq!(id(&after, "run name=r"), ids[2]);
    let after = apply(&|editor| {
        editor
            .extract(find(editor, "weighted-selector"), "part")
            .expect("ok")
    });
    assert_eq!(id(&after, "weighted-selector"), ids[1]);
    assert_eq!(
        [id(&after, "run name=r"), id(&after, "fail")],
        [ids[2], ids[3]]
    );
    let after = apply(&|editor| {
        editor
            .inline(find(editor, "subtree part"), true)
            .expect("ok")
    });
    assert_eq!(
        [
            id(&after, "weighted-selector"),
            id(&after, "run name=r"),
            id(&after, "fail")
        ],
        [ids[1], ids[2], ids[3]]
    );
    let after = apply(&|editor| editor.rename(find(editor, "go;"), "walk").expect("ok"));
    assert_eq!(id(&after, "action walk when"), ids[4]);
    let after = apply(&|editor| {
        editor
            .duplicate(find(editor, "action walk when"))
            .expect("ok")
    });
    assert_eq!(id(&after, "action walk when"), ids[4]);
    assert_eq!(id(&after, "run name=u"), ids[5]);
}

#[test]
fn typing_keeps_ids() {
    let (text, marks) = marked(
        "tree t {\n    sequence §{\n        run\n        fail // 失败\n    }\n}\ntree u { run; }\n",
    );
    let mut editor = editor(&text);
    let first = editor.outline();
    // The brace is gone, and comes back.
    let change = editor
        .replace(0, marks[0]..marks[0] + 1, "")
        .expect("in the text");
    editor.apply(&change).expect("made for it");
    assert!(editor.wrap(0, "invert").is_err());
    let broken = check(&editor, "broken");
    assert!(broken.nodes().iter().any(|node| node.word == "sequence"));
    let change = editor
        .replace(0, marks[0]..marks[0], "{")
        .expect("in the text");
    editor.apply(&change).expect("made for it");
    assert_eq!(editor.outline(), first);
    // A text from elsewhere.
    let new = text.replace("fail // 失败", "fail // 成功\n        succeed");
    editor
        .apply(&editor.rewrite(0, &new).expect("a file"))
        .expect("made for it");
    assert_eq!(editor.text(0), new);
    let after = check(&editor, "another text");
    assert_eq!(after.nodes().len(), first.nodes().len() + 1);
    assert!(
        first
            .nodes()
            .iter()
            .all(|node| after.node(node.id).is_some_and(|now| now.word == node.word))
    );
    // A line cut here and put there.
    let change = editor.rewrite(
        0,
        "tree u { run; }\ntree t {\n    sequence {\n        fail\n        run\n    }\n}\n",
    );
    editor.apply(&change.expect("a file")).expect("made for it");
    let moved = check(&editor, "in another order");
    assert!(
        first
            .nodes()
            .iter()
            .all(|node| moved.node(node.id).is_some_and(|now| now.word == node.word))
    );
    for (range, why) in [
        (998..999, "this place does not exist in the text"),
        (0..999, "this place does not exist in the text"),
    ] {
        assert_eq!(editor.replace(0, range, "").unwrap_err().message(), why);
    }
    assert_eq!(
        editor.replace(7, 0..0, "").unwrap_err().message(),
        "there is no file 7"
    );
}

/// A document that is opened while something is not closed has rows already, and they stay the same when it is closed.
#[test]
fn a_document_with_an_open_block_keeps_its_ids_when_it_is_closed() {
    let mut closed = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).expect("text");
        let braces = text.match_indices(['{', '}']);
        for (at, brace) in braces.step_by(7).take(12) {
            let open = [&text[..at], &text[at + 1..]].concat();
            let mut editor = Editor::of_texts(&[("test.kdl", open.as_str())]);
            if editor.is_whole(0) {
                continue;
            }
            let case = format!("{} without {brace} at {at}", path.display());
            let before = check(&editor, &case);
            let change = editor.replace(0, at..at, brace).expect("in the text");
            editor.apply(&change).expect("made for it");
            assert!(editor.is_whole(0), "{case}");
            let after = check(&editor, &case);
            let of_before = |node: &&SourceNode| after.node(node.id).is_none();
            let gone: Vec<_> = before.nodes().iter().filter(of_before).collect();
            assert!(gone.is_empty(), "{case}: {gone:?}");
            let fresh = after.nodes().len() - before.nodes().len();
            assert!(fresh * 2 <= after.nodes().len(), "{case}: {fresh}");
            closed += 1;
        }
    }
    assert!(closed > 150, "{closed}");
}

#[test]
fn documents_with_mistakes_are_outlined() {
    let text = "decide d {\n  test \"a\" { yes { goto b; }; no { action x; }; }\n  branch b { run; }\n}\nmachine m { initial a; state a disabled=#true { do { sequnce { run; }; }; transition to=a; }; }\nnonsense 1\n";
    let editor = editor(text);
    assert!(editor.document().has_errors());
    let outline = check(&editor, text);
    let of = |what: &str| {
        outline
            .at(text.find(what).expect("it is there"))
            .expect("a node")
    };
    assert_eq!(of("test").role, SourceRole::Question);
    assert_eq!(of("yes").role, SourceRole::Answer);
    assert_eq!(of("branch").role, SourceRole::Branch);
    assert_eq!(of("branch").name.as_deref(), Some("b"));
    assert_eq!(of("action").role, SourceRole::Task);
    assert_eq!(of("state a").role, SourceRole::State);
    assert_eq!(of("transition").role, SourceRole::Transition);
    assert_eq!(of("transition").properties[0].value, "a");
    assert!(of("transition").is_out && !of("transition").is_disabled);
    assert_eq!(of("sequnce").role, SourceRole::Unknown);
    assert_eq!(of("initial").role, SourceRole::StatePart);
    assert_eq!(of("nonsense").role, SourceRole::Unknown);
    assert_eq!(of("nonsense").values[0].value, "1");
}

#[test]
fn places_are_counted_in_utf16_and_back() {
    for text in [
        "",
        "\u{feff}tree 守卫 {\r\n  log \"🗡 守卫\"\r\n}",
        "a\rb\n\rc\r\n\r\nd\r",
        &"树🌳x\r\n".repeat(900),
    ] {
        let places = Utf16::new(text);
        let mut units = 0;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(places.of_byte(at), units, "{at}");
            assert_eq!(places.to_byte(units), at);
            let (line, column) = places.line_column(at);
            let is_in_end = text[..at].ends_with('\r') && text[at..].starts_with('\n');
            assert!(is_in_end || places.at_line(line, column) == at, "{at}");
            let before = &text[..at];
            let ends = before.matches("\r\n").count()
                + before.replace("\r\n", "").matches(['\r', '\n']).count();
            assert!(is_in_end || line == ends, "{at} {line} {ends}");
            units += c.len_utf16();
        }
        assert_eq!(places.to_byte(units + 9), text.len());
        assert_eq!(places.at_line(99_999, 0), text.len());
        assert_eq!(
            places.at_line(0, 99_999),
            text.find(['\r', '\n']).unwrap_or(text.len())
        );
    }
}

#[test]
fn a_node_that_goes_to_another_file_keeps_its_id() {
    let text = "import \"b.kdl\"\ntree t { sequence { run; fail; }; }\n";
    let document = Document::read_with(text.as_bytes(), "a.kdl", |_| {
        Ok::<_, &str>(b"tree u { sequence { run; }; }\n".to_vec())
    });
    let mut editor = Editor::new(document).expect("KDL");
    let fail = id(&editor, "fail");
    let sequence = editor.text(1).find("sequence").expect("it is there");
    let to = treemind_doc::edit::Spot::Into(At::from((1, sequence)), 9);
    let undo = editor
        .apply(
            &editor
                .move_node(text.find("fail").expect("it is there"), to)
                .expect("a place"),
        )
        .expect("made for it");
    assert_eq!(editor.place_of(fail).map(|at| at.file), Some(1));
    check(&editor, "moved");
    editor.apply(&undo).expect("undone");
    assert_eq!(id(&editor, "fail"), fail);
}
