//! Rename: definitions with all their uses, and renames that are refused.

use super::{edited, editor, marked};
use std::collections::BTreeSet;
use treemind_doc::Document;
use treemind_doc::edit::{At, Editor, SymbolKind};

/// A document in which everything that can have a name has one.
pub(super) const EVERYTHING: &str = include_str!("../../fixtures/names/everything.kdl");

#[test]
fn the_document_of_these_tests_is_well() {
    let document = Document::parse(EVERYTHING, "everything.kdl");
    let errors: Vec<String> = document
        .diagnostics()
        .iter()
        .map(treemind_doc::Diagnostic::to_plain)
        .collect();
    assert!(!document.has_errors(), "{}", errors.join("\n"));
}

/// What a leaf of a test answers by keys is renamed with them, and a name with spaces as a whole.
#[test]
fn tests_are_renamed_with_what_they_name() {
    let text = "blackboard { key ammo type=int; }\nleaves { action shoot; }\n\
        tree main { key misses type=int; action shoot name=\"shoot once\" when=\"misses < 9\"; }\n\
        test \"by keys\" tree=main { leaf \"shoot once\" answers=\"S\" fail-if=\"ammo == 0\" on-end=\"ammo -= 1\" on-failure=\"misses += 1\"; tick; expect failure ran=\"shoot once\"; }\n";
    for (mark, new, expected) in [
        ("ammo type", "shots", text.replace("ammo", "shots")),
        ("misses type", "missed", text.replace("misses", "missed")),
        ("misses +=", "missed", text.replace("misses", "missed")),
        (
            "shoot once",
            "shoot twice",
            text.replace("shoot once", "shoot twice"),
        ),
    ] {
        let mut editor = editor(text);
        let change = editor.rename(text.find(mark).expect(mark), new);
        let change = change.unwrap_or_else(|error| panic!("{mark}: {error}"));
        editor.apply(&change).expect("made for this text");
        assert_eq!(editor.text(0), expected, "{mark}");
    }
}

/// How often each thing is named.
#[test]
fn every_use_is_found() {
    for (mark, kind, name, count) in [
        ("health type", SymbolKind::Key, "health", 31),
        ("mood type", SymbolKind::Key, "mood", 4),
        ("guard\nblackboard", SymbolKind::Tree, "guard", 3),
        ("see {", SymbolKind::Leaf, "see", 5),
        ("far type", SymbolKind::Param, "far", 4),
        ("look range", SymbolKind::Leaf, "look", 2),
        ("type 1", SymbolKind::Param, "type", 2),
        ("range=3", SymbolKind::Param, "range", 2),
        ("volume type", SymbolKind::Param, "volume", 3),
        ("noise {", SymbolKind::Leaf, "noise", 3),
        ("alarm.loud\n", SymbolKind::Leaf, "alarm.loud", 3),
        ("alarm\n", SymbolKind::Leaf, "alarm", 2),
        ("tries type=int\n    seq", SymbolKind::Key, "tries", 5),
        ("tries type=int default=1", SymbolKind::Key, "tries", 3),
        ("target=", SymbolKind::Port, "target", 3),
        ("name \"{health}\"", SymbolKind::Port, "name", 4),
        ("reach target", SymbolKind::Tree, "reach", 2),
        ("it in=", SymbolKind::Item, "it", 2),
        ("stop {", SymbolKind::Label, "stop", 2),
        ("the-door", SymbolKind::Semaphore, "the-door", 2),
        ("twice {", SymbolKind::Leaf, "twice", 2),
        ("choose;", SymbolKind::Decision, "choose", 2),
        ("over-there;", SymbolKind::Branch, "over-there", 3),
        ("life {", SymbolKind::Machine, "life", 2),
        ("work enter", SymbolKind::State, "work", 4),
        ("dig\n        state", SymbolKind::State, "dig", 4),
        ("rest {", SymbolKind::State, "rest", 3),
        ("where-to after", SymbolKind::Decision, "where-to", 2),
        ("goon", SymbolKind::Archetype, "goon", 1),
        ("deep", SymbolKind::NodeName, "deep", 1),
        ("all {", SymbolKind::NodeName, "all", 1),
    ] {
        let editor = editor(EVERYTHING);
        let at = EVERYTHING.find(mark).expect(mark);
        assert_eq!(
            editor.symbol_at(at),
            Some((kind, name.to_owned())),
            "{mark}"
        );
        let found = editor.occurrences(at);
        assert_eq!(found.len(), count, "{mark}: {found:#?}");
    }
}

/// A parameter of an event and the keys of an expression also stand in braces.
#[test]
fn names_in_braces_are_followed() {
    let text = r#"leaves { event noise { param volume type=float; }; action go instant=#true { param far type=float; }; }
        blackboard { key secs type=float; }
        machine m { initial a; state a {
            do { wait "{secs + 1.0}"; }
            transition to=a on=noise { log "{event.volume}"; action go far="{event.volume}"; }
        }; }"#;
    assert!(!Document::parse(text, "test.kdl").has_errors());
    for (name, count) in [("volume", 3), ("secs", 2)] {
        let all = editor(text).occurrences(text.find(name).expect(name));
        let found: Vec<&str> = all.iter().map(|one| &text[one.span.clone()]).collect();
        assert_eq!(found, vec![name; count]);
    }
}

/// Everything that has a name is renamed, from every place where the name stands.
#[test]
fn a_rename_changes_names_and_nothing_else() {
    let editor = editor(EVERYTHING);
    let plain = Document::parse(EVERYTHING, "test.kdl");
    let before = meaning(&plain);
    let mut seen: BTreeSet<Vec<(usize, usize)>> = BTreeSet::new();
    for at in 0..EVERYTHING.len() {
        let spans: Vec<(usize, usize)> = editor
            .occurrences(at)
            .iter()
            .map(|one| (one.span.start, one.span.end))
            .collect();
        if spans.is_empty() || !seen.insert(spans.clone()) {
            continue;
        }
        let (kind, old) = editor.symbol_at(at).expect("it occurs");
        let mut edited = editor.clone();
        if old.starts_with("alarm") {
            // The pattern `alarm.*` would no longer match it.
            editor.rename(at, "zqx").expect_err("a pattern fits it");
            continue;
        }
        let change = editor.rename(at, "zqx").expect("a free name");
        assert_eq!(change.splices().len(), spans.len(), "{kind:?} {old}");
        let undo = edited.apply(&change).expect("made for it");
        let after = edited.document();
        assert!(!after.has_errors(), "{kind:?} {old}:\n{}", edited.text(0));
        assert_eq!(
            after.diagnostics().len(),
            plain.diagnostics().len(),
            "{kind:?} {old}"
        );
        assert_eq!(
            meaning(after).replace("zqx", &old),
            before,
            "{kind:?} {old}"
        );
        // A rename back, from any of the new places, gives the same text, except for spellings that are longer than
        // needed.
        for one in edited.occurrences(change.moved(0, spans[0].0)) {
            let back = edited
                .rename(one.span.start, &old)
                .expect("it was free before");
            let text = back.apply_to(0, edited.text(0)).expect("made for it");
            assert_eq!(letters(&text), letters(EVERYTHING), "{kind:?} {old}");
        }
        edited.apply(&undo).expect("undone");
        assert_eq!(edited.text(0), EVERYTHING);
    }
    assert!(seen.len() > 35, "{} things have names", seen.len());
}

/// A text without differences that are only spelling.
pub(super) fn letters(text: &str) -> String {
    let text = text.replace("\\u{61}", "a");
    text.chars().filter(|c| !matches!(c, '"' | '#')).collect()
}

/// The meaning of everything in a document, with names.
pub(super) fn meaning(document: &Document) -> String {
    let mut out = String::new();
    for tree in document.trees() {
        out.push_str(&format!("{:#?}", document.behaviour(Some(tree.name()))));
    }
    for machine in document.machines() {
        out.push_str(&format!("{:#?}", document.machine(machine.name())));
    }
    for decision in document.decisions() {
        out.push_str(&format!("{:#?}", document.decision(decision.name()).ok()));
    }
    for archetype in document.archetypes() {
        out.push_str(&format!("{:?}", archetype.name()));
    }
    out
}

#[test]
fn spellings_are_kept_where_that_can_be() {
    for (text, new, expected) in [
        ("tree §a { subtree \"a\"; }", "b c", "refused"),
        (
            "tree §a { fail; }\ntree t { subtree \"a\"; }",
            "b",
            "tree b { fail; }\ntree t { subtree \"b\"; }",
        ),
        (
            "tree §a { fail; }\ntree t { subtree #\"a\"#; }",
            "b",
            "tree b { fail; }\ntree t { subtree \"b\"; }",
        ),
        ("tree §a { fail; }", "true", "tree \"true\" { fail; }"),
        ("tree §a { fail; }", "9", "tree \"9\" { fail; }"),
        ("tree §a { fail; } // a", "b#", "tree \"b#\" { fail; } // a"),
        (
            "machine m { initial x.§y; state x { initial y; state y { transition to=x.y; }; }; }",
            "z=",
            "machine m { initial \"x.z=\"; state x { initial \"z=\"; state \"z=\" { transition to=\"x.z=\"; }; }; }",
        ),
        (
            "tree t { semaphore §a-b max=1 { check \"free(a_b) > 0\"; }; }",
            "c-d",
            "tree t { semaphore c-d max=1 { check \"free(c_d) > 0\"; }; }",
        ),
        (
            "blackboard { key §a type=int; }\r\ntree t { check \"\"\"\r\n\ta > \\\r\n\t  a\r\n\t\"\"\"; }",
            "long_name",
            "blackboard { key long_name type=int; }\r\ntree t { check \"\"\"\r\n\tlong_name > \\\r\n\t  long_name\r\n\t\"\"\"; }",
        ),
        // Inner names hide outer ones.
        (
            "blackboard { key §a type=int; }\ntree t { key a type=int; check \"a > 1\"; }\ntree u { check \"a > 1\"; }",
            "b",
            "blackboard { key b type=int; }\ntree t { key a type=int; check \"a > 1\"; }\ntree u { check \"b > 1\"; }",
        ),
        (
            "blackboard { key a type=int; }\ntree t { key §a type=int; scope { key a type=int; check \"a > 1\"; }; }",
            "b",
            "blackboard { key a type=int; }\ntree t { key b type=int; scope { key a type=int; check \"a > 1\"; }; }",
        ),
        // Names that fall through to the tree that uses this one.
        (
            "tree t { key §a type=int; subtree u inherit=#true; }\ntree u { scope { key c type=int; set \"c = a\"; }; }",
            "b",
            "tree t { key b type=int; subtree u inherit=#true; }\ntree u { scope { key c type=int; set \"c = b\"; }; }",
        ),
        // In documents with mistakes.
        (
            "blackboard { key §a type=intt; }\ntree t { chek \"a\" when=\"a >\"; check \"a > nothing\"; )\n}",
            "b",
            "blackboard { key b type=intt; }\ntree t { chek \"a\" when=\"a >\"; check \"b > nothing\"; )\n}",
        ),
    ] {
        let after = edited(text, |editor, marks| editor.rename(marks[0], new));
        match after {
            Ok(after) => assert_eq!(after, expected, "{text:?}"),
            Err(_) => assert_eq!(expected, "refused", "{text:?} {after:?}"),
        }
    }
}

#[test]
fn what_cannot_be_renamed() {
    for (text, new, reason) in [
        ("tree t { §fail; }", "x", "there is no defined name here"),
        (
            "tree t { action §go; }",
            "x",
            "there is no defined name here",
        ),
        (
            "tree §t { fail; }\ntree u { fail; }",
            "u",
            "another tree is named `u`",
        ),
        (
            "tree §t { fail; }\ntree t { fail; }",
            "u",
            "`t` is defined twice, so the name is ambiguous",
        ),
        (
            "tree §t { fail; }",
            "",
            "`` is not a valid name for a tree: it is empty",
        ),
        (
            "tree §t { fail; }",
            "a b",
            "`a b` is not a valid name for a tree: use letters, digits and `-`",
        ),
        (
            "machine m { initial §s; state s; }",
            "a.b",
            "`a.b` is not a valid name for a state: dots separate the names in a path of states",
        ),
        (
            "machine m { initial §s; state s; state u; }",
            "u",
            "another state beside it is named `u`",
        ),
        (
            "blackboard { key §a type=int; }",
            "a-b",
            "`a-b` is not a valid name for a key: expressions use it, so it can only have letters, digits and `_`",
        ),
        (
            "blackboard { key §a type=int; }",
            "if",
            "`if` is not a valid name for a key: it is a keyword of expressions",
        ),
        (
            "tree t { key §a type=int; in b type=int; check \"a > b\"; }",
            "b",
            "another port is named `b`",
        ),
        (
            "leaves { action §a; condition b; }",
            "b",
            "another leaf is named `b`",
        ),
        (
            "tree t { sequence { fail name=§a; run name=b; }; }",
            "b",
            "another node beside it is named `b`",
        ),
        (
            "tree t { fail name=§a; }",
            " ",
            "` ` is not a valid name for a node: it is empty",
        ),
        (
            "blackboard { key §a type=int; }\ntree t { key b type=int; check \"a > b\"; }",
            "b",
            "the name `b` would change the meaning of something in line 2",
        ),
        (
            "blackboard { key §a type=int; key m type=enum { value calm; }; }\ntree t { check \"m == calm && a > 1\"; }",
            "calm",
            "the name `calm` would change the meaning of something in line 2",
        ),
        (
            "tree u { in §a type=int; check \"a > 1\"; }\ntree t {\n subtree u a=1\n}",
            "when",
            "the name `when` would change the meaning of something in line 3",
        ),
        (
            "machine m {\n initial x.§a\n state x { initial a; state a; }\n state y { initial b; state b { transition to=a; }; }\n}",
            "b",
            "the name `b` would change the meaning of something in line 4",
        ),
        (
            "leaves { event §a.b; event a.c; }\nmachine m { initial s; state s { transition to=s on=a; }; }",
            "c",
            "the name `c` would change the meaning of something in line 2",
        ),
        (
            "tree t { key a type=int; subtree u inherit=#true; }\ntree t2 { key a type=int; subtree u inherit=#true; }\ntree u { check \"§a > 1\"; }",
            "b",
            "`a` means different things here, depending on where the tree is used; rename it where it is defined",
        ),
        (
            "tree t { key §a type=int; subtree u inherit=#true; }\ntree t2 { key a type=int; subtree u inherit=#true; }\ntree u { check \"a > 1\"; }",
            "b",
            "the name `b` would change the meaning of something in line 3",
        ),
        (
            "blackboard { key next type=enum { value go_on; }; }\ntree §go-on { fail; }\ntree t { subtree-by \"{next}\"; }",
            "on",
            "`subtree-by` may select `go-on` by a key, and the values of the key would keep the old name",
        ),
    ] {
        let refusal = edited(text, |editor, marks| editor.rename(marks[0], new));
        assert_eq!(refusal, Err(reason.to_owned()), "{text:?}");
    }
}

#[test]
fn names_are_renamed_in_all_files() {
    let files = [
        (
            "main.kdl",
            "import \"parts/leaves.kdl\"\nimport \"parts/reach.kdl\"\ntree guard { sequence { action go far=1.0; subtree reach; check \"alarm\"; }; }\n",
        ),
        (
            "parts/leaves.kdl",
            "leaves { action go { param far type=float; }; } // go\n",
        ),
        (
            "parts/reach.kdl",
            "import \"leaves.kdl\"\r\nblackboard { key alarm type=bool; }\r\ntree reach { action go far=2.0 when=\"alarm\"; }\r\n",
        ),
    ];
    let load = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or("no such file")
    };
    let document = Document::read_with(files[0].1.as_bytes(), files[0].0, load);
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    let mut editor = Editor::new(document).expect("KDL");
    assert_eq!(editor.file_count(), 3);
    let reach = editor.file_named("parts/reach.kdl").expect("imported");
    let leaves = editor.file_named("parts/leaves.kdl").expect("imported");
    assert_eq!(
        (editor.name(reach), editor.text(9)),
        ("parts/reach.kdl", "")
    );
    let go = At {
        file: reach,
        offset: editor.text(reach).find("go far").expect("there"),
    };
    let change = editor.rename(go, "walk").expect("free");
    assert_eq!(change.files(), [0, leaves, reach]);
    assert_eq!(change.label(), "rename leaf go to walk");
    let undo = editor.apply(&change).expect("made for it");
    assert_eq!(
        editor.text(leaves),
        "leaves { action walk { param far type=float; }; } // go\n"
    );
    assert!(!editor.document().has_errors());
    assert_eq!(editor.document().sources().count(), 3);
    editor.apply(&undo).expect("undone");
    for (name, text) in files {
        assert_eq!(editor.text(editor.file_named(name).expect("there")), text);
    }
    // A change for other texts is refused as a whole.
    editor
        .apply(&editor.rename(go, "run").expect("free"))
        .expect("made for it");
    let before: Vec<String> = (0..3).map(|file| editor.text(file).to_owned()).collect();
    let refusal = editor.apply(&change).expect_err("another text");
    assert_eq!(
        refusal.to_string(),
        "the text has changed since this edit was made for it"
    );
    for (file, text) in before.iter().enumerate() {
        assert_eq!(editor.text(file), text);
    }
    // A file that is imported from now on is found among the files.
    let more = editor.add_file("parts/more.kdl", "tree more { action run far=1.0; }");
    assert_eq!(editor.add_file("parts/./more.kdl", ""), more);
    let spot = treemind_doc::edit::Spot::Top(0, 0);
    editor
        .apply(
            &editor
                .insert(spot, "import \"parts/more.kdl\"")
                .expect("put in"),
        )
        .expect("made for it");
    assert!(
        editor
            .document()
            .trees()
            .iter()
            .any(|tree| tree.name() == "more")
    );
    assert_eq!(editor.occurrences(go).len(), 4);
}

#[test]
fn a_name_is_found_behind_the_first_word_too() {
    let (text, marks) = marked("§tree guard { fail; }\n§machine m { initial s; §state s; }");
    let editor = editor(&text);
    let called = |at: usize| editor.symbol_at(at).map(|(_, name)| name);
    assert_eq!(called(marks[0]).as_deref(), Some("guard"));
    assert_eq!(called(marks[1]).as_deref(), Some("m"));
    assert_eq!(called(marks[2]).as_deref(), Some("s"));
    assert_eq!(called(text.len()), Some("m".to_owned()));
}

/// Tests follow what they name.
#[test]
fn tests_follow_a_rename() {
    let text = r#"blackboard { key health type=float default=100.0; key alarm type=bool; }
leaves { condition see-enemy; action attack; action run-away; action walk-to reports=#true; event noise { param volume type=int; }; event help; }
tree guard {
    key shots type=int
    selector name=all {
        reactive-sequence name=fight { condition see-enemy; emit help; action attack when="health > shots"; }
        action walk-to
        action run-away
    }
}
machine door { initial shut; state shut { transition to=open on=noise when="alarm || event.volume > 1"; }; state open { initial half; state half { transition to=shut after=1.0; }; }; }
archetype veteran tree=guard { given health=10.0; }
test "one" tree=guard {
    given health=20.0 shots=3
    leaf see-enemy run-away answers="S"
    tick
    report walk-to result=failure
    expect running active="fight attack" started=attack inactive=run-away emitted=help that="health > 5 && active(fight) && !ran(run-away) && shots == 3"
    never run-away
    always "health > 1 || active(attack)"
    table health see-enemy expect { row 20.0 S attack; row 30.0 S fight; }
}
test "two" machine=door {
    send noise volume=3
    tick
    expect active="open.half half" inactive=shut
    random { key health min=0 max=1; leaf attack answers="S"; send noise volume=1 chance=0.5; }
    never shut
}
test "three" archetype=veteran { tick; expect running; }
"#;
    // The machine has no `attack`.
    let text = text.replace(" leaf attack answers=\"S\"; send", " send");
    let document = Document::parse(&text, "test.kdl");
    let errors: Vec<String> = document
        .diagnostics()
        .iter()
        .map(treemind_doc::Diagnostic::to_plain)
        .collect();
    assert!(!document.has_errors(), "{}", errors.join("\n"));
    for (at, old) in [
        ("health type", "health"),
        ("see-enemy;", "see-enemy"),
        ("attack;", "attack"),
        ("run-away;", "run-away"),
        ("walk-to reports", "walk-to"),
        ("noise {", "noise"),
        ("volume type", "volume"),
        ("help;", "help"),
        ("guard {", "guard"),
        ("shots type", "shots"),
        ("fight {", "fight"),
        ("shut {", "shut"),
        ("open {", "open"),
        ("half {", "half"),
        ("door {", "door"),
        ("veteran tree", "veteran"),
    ] {
        let mut editor = editor(&text);
        let place = text.find(at).expect(at);
        let change = editor.rename(place, "gamma").expect(old);
        editor.apply(&change).expect("made for this text");
        let words = |text: &str| -> Vec<String> {
            let is_end = |c: char| !c.is_alphanumeric() && c != '-';
            text.split(is_end).map(str::to_owned).collect()
        };
        let left = words(editor.text(0));
        assert!(!left.contains(&old.to_owned()), "{old}: {}", editor.text(0));
        assert!(!editor.document().has_errors(), "{old}");
        assert_eq!(editor.document().tests().len(), 3, "{old}");
    }
}

/// A rule is renamed with the tests that expect it to fire. Rules of one name in several `rules` all count there, so that
/// none is renamed alone.
#[test]
fn rules_are_renamed() {
    let text = "blackboard { key hp type=int default=9; }
tree t { rules { rule §hurt when=\"hp < 4\" { log \"ouch\"; }; rule calm when=\"hp > 8\" { log \"fine\"; }; }; }
test \"one\" tree=t { given hp=2; tick; expect fired=§hurt; given hp=9; tick; expect fired=\"calm\"; }
";
    let (text, marks) = marked(text);
    assert!(!Document::parse(&text, "t.kdl").has_errors());
    for at in &marks {
        let mut editor = editor(&text);
        let named = editor.symbol_at(*at);
        assert_eq!(named, Some((SymbolKind::Rule, "hurt".to_owned())));
        let places = editor.occurrences(*at);
        let defined: Vec<bool> = places.iter().map(|one| one.is_definition).collect();
        assert_eq!(defined, [true, false]);
        let change = editor.rename(*at, "wounded").expect("it may");
        editor.apply(&change).expect("made for this text");
        assert_eq!(editor.text(0), text.replace("hurt", "wounded"));
        assert!(!editor.document().has_errors());
    }
    let taken = editor(&text)
        .rename(marks[0], "calm")
        .expect_err("it is taken");
    assert_eq!(taken.message(), "another rule beside it is named `calm`");

    let twice = format!("{text}tree u {{ rules {{ rule hurt when=\"hp < 2\" {{ fail; }}; }}; }}\n");
    let twice = editor(&twice);
    assert_eq!(twice.occurrences(marks[0]).len(), 2);
    let both = twice
        .rename(marks[0], "wounded")
        .expect_err("there are two");
    assert_eq!(
        both.message(),
        "the name `wounded` would change the meaning of something in line 3"
    );
}

/// Of an expression with a mistake nobody knows what it means: it stays, and the change says so.
#[test]
fn expressions_with_mistakes_are_told() {
    let text = "blackboard { key ammo type=int; }\nleaves { action go; }\ntree t {\n    sequence {\n        \
        action go when=\"ammo > 1\"\n        action go when=\"ammo > > 1\"\n        \
        action go when=\"1 + + ammo_2\"\n    }\n}\n";
    let editor = editor(text);
    let change = editor.rename(text.find("ammo").expect("it is there"), "shots");
    let change = change.expect("it can be renamed");
    assert_eq!(
        change.notes(),
        ["the expression in line 6 has a mistake, so `ammo` was not renamed in it"]
    );
    let after = change.apply_to(0, text).expect("made for this text");
    assert!(
        after.contains("\"shots > 1\"") && after.contains("\"ammo > > 1\""),
        "{after}"
    );
}
