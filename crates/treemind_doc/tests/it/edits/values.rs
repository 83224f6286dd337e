//! Renames of values of enumerations: their uses are found by type.

use super::renames::{letters, meaning};
use super::{edited, editor};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use treemind_doc::Document;
use treemind_doc::edit::{At, Editor, SymbolKind};

/// Values of two enumerations with the same names, in every place that can name one.
const ROOMS: &str = r#"main tree=walk
blackboard {
    key at type=enum default=home { value home mill; }
    key goal type=enum optional=#true { value home mill; }
    key seen type=enum list=4 { value home mill; default home mill; }
    key page type=enum default=home { value home help; }
    key text type=string default="home"
    key done type=bool
}
leaves {
    action go { param to type=enum default=home { value home mill; }; }
    action show { param page type=enum { value home help; }; }
    condition near
    action rest
    event moved { param room type=enum { value home mill; }; }
}
tree walk {
    in from type=enum default=home { value home mill; }
    sequence {
        check "at == home && page != home && from == home"
        check "at == home || page == home && text == 'home'"
        check "at == if done { home } else { mill }"
        check "contains(seen, home) && event(moved, room) == home"
        set "at = home; page = home; goal = if at == home { mill } else { home }"
        switch at { case home { action go to=home when="at == home" on-success="at = home; page = home"; }; default { action go to="=home"; }; }
        switch page { case home { action show page=home; }; default { action show page=help; }; }
        set "seen += home"
        action go to=home disabled=#true when="at == home"
        emit moved room=home
        decide choose
        subtree walked where=home name=home
    }
}
tree walked { in where type=enum { value home mill; }; check "where == home"; }
decide choose { test "at == home" { yes { action rest; }; no { fail; }; }; }
machine rooms {
    initial home
    state home { transition to=away on=moved when="event.room == home"; }
    state away { transition to=home when="at == home"; }
}
planner day {
    goal g wants="done && at == home"
    goal h does=round
    task round { method "go-mill go-home stop" when="at == home"; }
    each place of=at { action go to="{place}" when="at != place && place != home" on-success="at = place"; }
    action rest name=stop gives="done = true; at = home"
}
archetype walker tree=walk { given at=home page=home; }
test "walks" tree=walk {
    given at=home page=home
    tick
    expect that="at == home && page == home"
}
test "plans" planner=day { given at=home; tick; expect plan="go-mill go-home stop" active=go-mill; leaf go-home answers="S"; }
"#;

#[test]
fn values_are_renamed_by_their_type() {
    let text = ROOMS.to_owned();
    let document = Document::parse(&text, "rooms.kdl");
    let said: Vec<String> = document
        .diagnostics()
        .iter()
        .map(|one| one.to_plain())
        .collect();
    assert!(!document.has_errors(), "{}", said.join("\n"));
    let place = text.find("home mill").expect("it is there");
    let start = editor(&text);
    assert_eq!(
        start.symbol_at(place),
        Some((SymbolKind::EnumValue, "home".to_owned()))
    );
    let mut edited = start.clone();
    edited
        .apply(&start.rename(place, "house").expect("free"))
        .expect("made for it");
    let after = edited.text(0);
    assert!(!edited.document().has_errors(), "{after}");
    for line in [
        "key at type=enum default=house { value house mill; }",
        "key goal type=enum optional=#true { value house mill; }",
        "key seen type=enum list=4 { value house mill; default house mill; }",
        "key page type=enum default=home { value home help; }",
        "param to type=enum default=house",
        "check \"at == house && page != home && from == house\"",
        "check \"at == house || page == home && text == 'home'\"",
        "check \"at == if done { house } else { mill }\"",
        "contains(seen, house) && event(moved, room) == house",
        "set \"at = house; page = home; goal = if at == house { mill } else { house }\"",
        "switch at { case house { action go to=house when=\"at == house\" on-success=\"at = house; page = home\"; }; default { action go to=\"=house\"; }; }",
        "switch page { case home { action show page=home; }; default { action show page=help; }; }",
        "action go to=house disabled=#true when=\"at == house\"",
        "subtree walked where=house name=home",
        "state home { transition to=away on=moved when=\"event.room == house\"; }",
        "method \"go-mill go-house stop\" when=\"at == house\"",
        "place != house",
        "gives=\"done = true; at = house\"",
        "emit moved room=house",
        "set \"seen += house\"",
        "archetype walker tree=walk { given at=house page=home; }",
        "given at=house page=home",
        "expect that=\"at == house && page == home\"",
        "expect plan=\"go-mill go-house stop\" active=go-mill; leaf go-house answers=\"S\"",
    ] {
        assert!(after.contains(line), "{line}\n{after}");
    }
    // From each place, and back again.
    for one in start.occurrences(place) {
        let change = start.rename(one.span.start, "house").expect("free");
        assert_eq!(change.apply_to(0, &text).as_deref(), Ok(after));
    }
    for one in edited.occurrences(place) {
        let back = edited
            .rename(one.span.start, "home")
            .expect("it was free before");
        assert_eq!(back.apply_to(0, after).as_deref(), Ok(text.as_str()));
    }
}

/// All values of all examples and of the documents of tests.
#[test]
fn a_rename_and_back_gives_the_same_bytes_and_the_same_trees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pending = vec![
        folder.join("tests/fixtures/good"),
        folder.join("tests/fixtures/names"),
        folder.join("../../examples"),
    ];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => pending.push(path),
                false if path.extension().is_some_and(|kind| kind == "kdl") => files.push(path),
                false => {}
            }
        }
    }
    let mut renamed = 0;
    for path in files {
        let bytes = std::fs::read(&path).expect("a file");
        let around = path.parent().expect("a folder");
        let name = path.file_name().expect("a name").to_string_lossy();
        let document = Document::read_with(&bytes, &name, |path| std::fs::read(around.join(path)));
        if document.has_errors() || !String::from_utf8_lossy(&bytes).contains("type=enum") {
            continue;
        }
        let before = meaning(&document);
        let warnings = document.diagnostics().len();
        let Ok(editor) = Editor::new(document) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        for offset in 0..editor.text(0).len() {
            let at = At { file: 0, offset };
            let Some((SymbolKind::EnumValue, old)) = editor.symbol_at(at) else {
                continue;
            };
            let places = editor.occurrences(at);
            if !seen.insert(places[0].span.start) {
                continue;
            }
            renamed += 1;
            let change = match editor.rename(at, "zqx") {
                Ok(change) => change,
                // Such a value names a tree.
                Err(error) => {
                    assert!(
                        editor.text(0).contains("subtree-by"),
                        "{}: {old}: {error}",
                        path.display()
                    );
                    continue;
                }
            };
            let mut edited = editor.clone();
            edited.apply(&change).expect("made for it");
            assert_eq!(
                edited.document().diagnostics().len(),
                warnings,
                "{}: {old}",
                path.display()
            );
            assert_eq!(
                meaning(edited.document()).replace("zqx", &old),
                before,
                "{}: {old}",
                path.display()
            );
            let at = change.moved(0, places[0].span.start);
            let back = edited.rename(at, &old).expect("it was free before");
            edited.apply(&back).expect("made for it");
            for file in 0..editor.file_count() {
                assert_eq!(
                    letters(edited.text(file)),
                    letters(editor.text(file)),
                    "{}: {old}",
                    path.display()
                );
            }
        }
    }
    assert!(renamed > 20, "{renamed} values");
}

#[test]
fn what_a_value_cannot_be_called() {
    let of = "blackboard { key a type=enum default=x { value §x y; }; key b type=enum default=z { value z y; }; key k type=bool; }\n\
        tree t { sequence { check \"a == x\"; check \"b == z\"; check \"k\"; }; }";
    for (new, expected) in [
        ("y", "another value of this enumeration is named `y`"),
        (
            "z",
            "with the name `z`, another enumeration would have the same values and be the same type",
        ),
        (
            "k",
            "the name `k` would change the meaning of something in line 2",
        ),
        (
            "x-y",
            "`x-y` is not a valid name for a value: expressions use it, so it can only have letters, digits and `_`",
        ),
    ] {
        let refused = edited(of, |editor, at| editor.rename(at[0], new));
        assert_eq!(refused.unwrap_err(), expected);
    }
    let chosen = "blackboard { key a type=enum default=x { value §x y; }; }\n\
        tree t { subtree-by \"{a}\"; }\ntree x { fail; }\ntree y { fail; }";
    let refused = edited(chosen, |editor, at| editor.rename(at[0], "z")).unwrap_err();
    assert!(
        refused.starts_with("the document would have a new error with `z`: line 2: "),
        "{refused}"
    );
}

/// A list in one file is the same type as an equal list in another.
#[test]
fn values_are_renamed_in_all_files() {
    let texts = [
        (
            "main.kdl",
            "import \"keys.kdl\"\nblackboard { key other type=enum default=far { value near far; }; }\ntree t { check \"where == far && other == far\"; }\n",
        ),
        (
            "keys.kdl",
            "blackboard { key where type=enum default=far { value near far; }; }\n",
        ),
    ];
    let mut editor = Editor::of_texts(&texts);
    assert!(!editor.document().has_errors());
    let at = texts[0].1.find("far && other").expect("it is there");
    assert_eq!(editor.occurrences(at).len(), 6);
    let change = editor.rename(at, "away").expect("free");
    editor.apply(&change).expect("made for it");
    assert_eq!(editor.text(1), texts[1].1.replace("far", "away"));
    assert_eq!(editor.text(0), texts[0].1.replace("far", "away"));
}
