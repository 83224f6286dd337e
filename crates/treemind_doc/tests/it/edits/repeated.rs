//! Steps for each value of an enumeration: names, formats and the outline of the texts.

use super::{edited, editor};
use treemind_doc::edit::Editor;
use treemind_doc::{Document, Format, convert, outline};

const TEXT: &str = r#"blackboard {
    key at type=enum default=home { value home mill wood; }
    key flour type=bool
}
leaves { action walk { param to type=any; }; action grind; }
planner errands {
    goal done wants="flour && at == home"
    goal told does=round
    each place of=at {
        action walk name=go to="{place}" when="at != place" on-success="at = place"
    }
    action grind when="at == mill" on-success="flour = true"
    task round { method "go-mill grind go-home"; }
}
planner more { use errands; goal home wants="at == home"; }
test "goes round" planner=errands {
    leaf go-mill answers="R S"
    tick
    expect plan="go-mill grind go-home" active=go-mill that="!ran(go-wood)"
}
tree round { planner errands; }
test "goes round in a tree" tree=round {
    random { leaf go-wood answers="S F"; }
    tick
    expect active="go-mill"
    never go-wood
}
"#;

fn outlines(document: &Document) -> String {
    let planners = ["errands", "more"].map(|name| document.planner(name));
    planners
        .map(|made| outline(&made.unwrap_or_else(|errors| panic!("{errors}"))))
        .concat()
}

/// Renames what stands right behind a text.
fn renamed(behind: &str, new: &str) -> String {
    let marked = TEXT.replacen(behind, &format!("{behind}§"), 1);
    assert_ne!(marked, TEXT, "{behind}");
    let after = edited(&marked, |editor, at| editor.rename(at[0], new));
    let after = after.unwrap_or_else(|why| panic!("{behind}: {why}"));
    let document = Document::parse(&after, "test.kdl");
    let problems = document.diagnostics().iter();
    let problems: Vec<String> = problems.map(treemind_doc::Diagnostic::to_plain).collect();
    assert!(!document.has_errors(), "{problems:?}\n{after}");
    after
}

#[test]
fn the_item_the_key_and_the_steps_are_renamed() {
    let item = renamed("each ", "where");
    assert_eq!(item, TEXT.replace("place", "where"));
    let key = renamed("    key ", "spot");
    let wanted = TEXT
        .replace("key at ", "key spot ")
        .replace("of=at", "of=spot")
        .replace("at ==", "spot ==")
        .replace("at !=", "spot !=")
        .replace("at = place", "spot = place");
    assert_eq!(key, wanted);
    let step = renamed("name=", "move");
    let wanted = TEXT.replace("name=go", "name=move").replace("go-", "move-");
    assert_eq!(step, wanted);
    let from_method = renamed("method \"", "move");
    assert_eq!(from_method, wanted);
}

#[test]
fn formats_keep_what_is_repeated() {
    let document = Document::parse(TEXT, "test.kdl");
    let before = outlines(&document);
    assert!(before.contains("name=go-wood"), "{before}");
    let printed = convert(TEXT, "test.kdl", Format::Kdl, Format::Kdl).expect("it is read");
    let again = convert(&printed.text, "test.kdl", Format::Kdl, Format::Kdl).expect("it is read");
    assert_eq!(again.text, printed.text);
    let json = convert(TEXT, "test.kdl", Format::Kdl, Format::Json).expect("it is read");
    let back = convert(&json.text, "test.json", Format::Json, Format::Kdl).expect("it is read");
    for text in [&printed.text, &back.text] {
        assert_eq!(
            outlines(&Document::parse(text, "test.kdl")),
            before,
            "{text}"
        );
    }
}

/// The outline of the texts has the block once, as it is written; methods and tests know the steps by their values.
#[test]
fn the_edit_layer_has_the_block_and_knows_the_steps() {
    let editor: Editor = editor(TEXT);
    let at = TEXT.find("each").expect("it is there");
    let block = editor.node(at).expect("a node");
    assert_eq!(block.word, "each");
    assert_eq!(block.children.len(), 1);
    let names = |planner: &str| -> Vec<String> {
        let all = editor.planned_names(planner).into_iter();
        all.map(|one| one.name).collect()
    };
    let steps = ["go-home", "go-mill", "go-wood", "grind", "round"];
    assert_eq!(names("errands"), steps);
    assert_eq!(names("more"), steps);
    assert_eq!(names("nobody"), [""; 0]);
}
