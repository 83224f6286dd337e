//! Texts that nobody would write, and positions that do not exist.

use treemind_doc::edit::Editor;
use treemind_ide::{
    WantedHints, callable, complete, defined, definition, fixes, folds, formatted_range, hints,
    hover, incoming, name_at, outgoing, refactorings, selections, signature, tokens, typed,
};

/// Asks everything at a byte.
fn ask(text: &str, at: usize) {
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    complete(&editor, at, &[]);
    hover(&editor, at);
    signature(&editor, at);
    defined(&editor, 0);
    folds(&editor, 0);
    definition(&editor, at);
    name_at(&editor, at);
    callable(&editor, at);
    incoming(&editor, at);
    outgoing(&editor, at);
    in_order(text, at, &editor);
    typed(text, at, '}');
    typed(text, at, '\n');
}

/// Selections contain one another, and tokens do not touch.
fn in_order(text: &str, at: usize, editor: &Editor) {
    let around = selections(editor, at);
    let contains = |pair: &[std::ops::Range<usize>]| {
        pair[1].start <= pair[0].start && pair[0].end <= pair[1].end
    };
    assert!(around.windows(2).all(contains), "{text}: {around:?}");
    let words = tokens(editor, 0);
    assert!(
        words
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start),
        "{text}: {words:?}"
    );
    assert!(
        words.iter().all(|one| text.get(one.span.clone()).is_some()),
        "{text}: {words:?}"
    );
    let wanted = WantedHints {
        types: true,
        ..WantedHints::default()
    };
    let shown = hints(editor, 0, 0..usize::MAX, wanted);
    assert!(
        shown.iter().all(|one| text.is_char_boundary(one.at)),
        "{text}: {shown:?}"
    );
}

#[test]
fn positions_outside_the_text_have_an_empty_answer() {
    let text = "tree 守 { action a; }";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    for at in [6, 7, text.len() + 1, usize::MAX] {
        assert!(complete(&editor, at, &[]).items.is_empty(), "{at}");
        assert_eq!(hover(&editor, at), None, "{at}");
        assert!(fixes(&editor, at).is_empty(), "{at}");
        refactorings(&editor, at);
        definition(&editor, at);
        name_at(&editor, at);
        selections(&editor, at);
        formatted_range(text, "t.kdl", 0..at);
    }
    assert!(complete(&editor, (9, 0), &[]).items.is_empty());
    assert!(tokens(&editor, 9).is_empty());
    let nothing: [(&str, &str); 0] = [];
    complete(&Editor::of_texts(&nothing), 0, &[]);
}

#[test]
fn examples_cut_anywhere_are_answered() {
    let every = if super::is_thorough() { 1 } else { 331 };
    for texts in super::examples() {
        let text = &texts[0].1;
        for cut in (0..text.len())
            .step_by(every)
            .filter(|at| text.is_char_boundary(*at))
        {
            ask(&text[..cut], cut);
        }
    }
}

#[test]
fn random_bytes_are_answered() {
    let pieces = [
        "tree", " ", "{", "}", "\"", "=", "\n", "action", ";", "when", "#", "/*", "*/", "//", "/-",
        "\\", "守", "key", "event.", "(", "\"\"\"", "0", "\r\n", "\u{feff}", "machine", ",",
    ];
    let mut seed: u64 = 1;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    for _ in 0..150 {
        let text: String = (0..next() % 60)
            .map(|_| pieces[next() % pieces.len()])
            .collect();
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            if next() % 4 == 0 {
                ask(&text, at);
            }
        }
    }
}

#[test]
fn long_texts_are_answered() {
    let line = "x".repeat(1 << 18);
    ask(&line, line.len() / 2);
    let deep = "sequence { ".repeat(20_000);
    ask(&deep, deep.len());
}
