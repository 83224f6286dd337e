//! What is typed into a text that others change meanwhile.

use crate::editing::{Desk, GUARD};
use treemind_replay::view::protocol::Edit;

/// Somebody types into the text that a page had; what others have done since moves it.
#[test]
fn what_is_typed_into_an_older_text_goes_where_it_was_meant() {
    let mut desk = Desk::new(GUARD);
    let units = |text: &str| text.encode_utf16().count();
    let place = |behind: &str| units(&GUARD[..GUARD.find(behind).expect("there") + behind.len()]);
    let first = desk.sheet().revision;
    let type_at = |desk: &mut Desk, [from, to]: [usize; 2], text: &str, since: u64| {
        let text = text.to_owned();
        let since = Some(since);
        desk.edit(&Edit::Type {
            file: 0,
            from,
            to,
            text,
            since,
        })
    };
    // Another page changes nodes before and behind it.
    let [flee, patrol] =
        ["action flee when=health < 20", "action patrol"].map(|line| desk.node(line).id);
    let edits = [
        format!(r#"{{"do": "comment", "id": {flee}, "text": "𝄞 one\n𝄞 two"}}"#),
        format!(r#"{{"do": "set", "id": {patrol}, "name": "doc", "value": "守"}}"#),
    ];
    for edit in &edits {
        desk.say(edit).expect("it can be done");
    }
    let at = place("// 逃跑");
    type_at(&mut desk, [at, at], "!🛡", first).expect("it can be typed");
    assert!(desk.text().contains("// 逃跑!🛡\r\n"), "{}", desk.text());
    // Also when something was undone meanwhile.
    let second = desk.sheet().revision;
    let typed = desk.text().to_owned();
    let at = units(&typed[..typed.find("tree guard").expect("there")]);
    desk.edit(&Edit::Undo).expect("there is something to undo");
    desk.edit(&Edit::Undo).expect("there is something to undo");
    type_at(&mut desk, [at, at], "// 树\r\n", second).expect("it can be typed");
    assert!(
        desk.text().contains("}\r\n// 树\r\ntree guard"),
        "{}",
        desk.text()
    );
    // What it would have been in is gone: it is there instead, and nothing else is lost.
    let third = desk.sheet().revision;
    let now = desk.text().to_owned();
    let at = units(&now[..now.find("action patrol\r").expect("there") + 3]);
    desk.say(&format!(r#"{{"do": "remove", "ids": [{patrol}]}}"#))
        .expect("it can be done");
    type_at(&mut desk, [at, at], "wait 1; ", third).expect("it can be typed");
    assert!(desk.text().contains("wait 1; "), "{}", desk.text());
    assert!(desk.text().contains("action flee when"), "{}", desk.text());
    // Who has missed too much hears it, and nothing is typed anywhere.
    for nth in 0..70 {
        desk.say(&format!(
            r#"{{"do": "set", "id": {flee}, "name": "doc", "value": "{nth}"}}"#
        ))
        .expect("it can be done");
    }
    let before = desk.text().to_owned();
    type_at(&mut desk, [0, 0], "x", first).expect_err("too much has changed");
    assert_eq!(desk.text(), before);
}
