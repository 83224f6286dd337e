//! Random edits in the page: all of them are undone to the first byte and done again, and two browsers that edit at once end
//! with the same text. A few here, hundreds with `TREEMIND_THOROUGH`.

use crate::browser::Browser;
use crate::hands::{edited, pause};
use crate::program::Studio;
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;

const TEXT: &str = "// A guard.\r\nblackboard { key health type=float default=100.0; }
leaves { action patrol; action flee; event bell; }
tree guard {
    selector {
        // It hurts \u{1f6e1} \u{5b88}.
        action flee when=\"health < 20\" // now
        sequence {
            action patrol
            wait 2.5
        }
    }
}

machine mood {
    initial calm
    state calm {
        transition to=alarm on=bell
    }
    state alarm { do { action flee; }; transition to=calm after=3; }
}
";

/// Edits the document at random, one edit after the other, and answers when so many have changed it.
const EDITS: &str = r#"(async (seed, count) => {
    const { sheet, model } = window.treemind;
    let state = seed;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 4294967296) * below);
    };
    const one = (list) => list[random(list.length)];
    const wait = () => new Promise((done) => setTimeout(done, 4));
    const texts = ['wait 0.5', 'sequence { wait 1.0; }', 'action patrol', '// kept\nlog "here"'];
    const make = () => {
        const nodes = sheet.sheet.value.nodes, { id } = one(nodes);
        const other = one(nodes).id, name = `n${random(1000)}`;
        const side = one(['before', 'after', 'into']);
        return one([
            () => ({ do: 'add', text: one(texts), spot: { id, side } }),
            () => ({ do: 'add', text: one(['invert', 'force-success', 'repeat 3']), spot: { id, side: 'around' } }),
            () => ({ do: 'move', ids: [id], spot: { id: other, side } }),
            () => ({ do: 'reorder', id, by: one([-1, 1]) }),
            () => ({ do: 'remove', ids: [id] }),
            () => ({ do: 'duplicate', id }),
            () => ({ do: 'unwrap', id }),
            () => ({ do: 'change-kind', id, word: one(['selector', 'sequence', 'reactive-sequence', 'parallel']) }),
            () => ({ do: 'set', id, name: 'doc', value: one(['so', 'it is', '\u5b88\u536b']) }),
            () => ({ do: 'set', id, name: 'disabled', value: 'true' }),
            () => ({ do: 'unset', id, name: one(['doc', 'disabled', 'when']) }),
            () => ({ do: 'comment', id, text: one(['', 'one', 'one\ntwo']) }),
            () => ({ do: 'rename', id, name }),
            () => ({ do: 'extract', id, name }),
            () => ({ do: 'add-state', id, name }),
            () => ({ do: 'add-transition', from: id, to: other, trigger: one(['', 'after=2', 'on=bell']) }),
            () => ({ do: 'retarget', id, to: other }),
            () => ({ do: 'set-initial', id }),
            () => ({ do: one(['make-parallel', 'make-sequential']), id }),
        ])();
    };
    let done = 0;
    for (let tries = 0; done < count && tries < count * 40; tries++) {
        const before = sheet.sheet.value.revision, end = performance.now() + 200;
        sheet.edit(make());
        // What changes nothing is neither done nor refused.
        while (sheet.sheet.value.revision === before && model.refused.value === '' && performance.now() < end) await wait();
        if (sheet.sheet.value.revision !== before && sheet.sheet.value.undo?.by === sheet.you.value) done++;
    }
    // The last one may come later.
    for (let last = -1; last !== sheet.sheet.value.revision; ) {
        last = sheet.sheet.value.revision;
        await new Promise((done) => setTimeout(done, 300));
    }
    return done;
})"#;

/// So many in each run of CI, and more in a thorough one.
fn count(few: usize, many: usize) -> usize {
    match std::env::var_os("TREEMIND_THOROUGH") {
        Some(_) => many,
        None => few,
    }
}

fn opened() -> (TempDir, PathBuf, Studio) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, TEXT).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    (folder, path, studio)
}

/// Undoes or does again as long as there is something to.
fn all_the_way(page: &mut Browser, what: &str) -> Value {
    page.value(&format!(
        "(async () => {{
            const {{ sheet }} = window.treemind, end = performance.now() + 50000;
            let steps = 0;
            for (; sheet.sheet.value.{what} && performance.now() < end; steps++) {{
                const before = sheet.sheet.value.revision;
                sheet.edit({{ do: '{what}' }});
                while (sheet.sheet.value.revision === before && performance.now() < end) await new Promise((done) => setTimeout(done, 4));
            }}
            return steps;
        }})()"
    ))
}

#[test]
#[ignore = "needs Chromium"]
fn random_edits_are_undone_to_the_first_byte_and_done_again() {
    let (_folder, path, studio) = opened();
    let on_disk = || std::fs::read_to_string(&path).expect("a text");
    let mut page = edited(&studio);
    pause(&mut page);
    let wanted = count(10, 300);
    assert_eq!(page.value(&format!("{EDITS}(7, {wanted})")), wanted);
    let last = on_disk();
    assert_ne!(last, TEXT);
    let shown = "window.treemind.sheet.sheet.value.files[0].text";
    assert_eq!(page.value(shown), last);
    let steps = all_the_way(&mut page, "undo");
    assert!(steps.as_u64() >= Some(wanted as u64), "{steps} steps");
    assert_eq!(on_disk(), TEXT);
    assert_eq!(all_the_way(&mut page, "redo"), steps);
    assert_eq!(on_disk(), last);
    assert_eq!(page.value(shown), last);
}

#[test]
#[ignore = "needs Chromium"]
fn two_browsers_edit_at_once_and_end_with_the_same_text() {
    let (_folder, path, studio) = opened();
    let mut pages = [edited(&studio), edited(&studio)];
    pause(&mut pages[0]);
    let wanted = count(8, 200);
    // Both begin before one of them is waited for.
    for (nth, page) in pages.iter_mut().enumerate() {
        let seed = 11 + nth;
        page.value(&format!(
            "{{ window.edits = {EDITS}({seed}, {wanted}).then((done) => (window.done = done)); 0 }}"
        ));
    }
    for page in &mut pages {
        page.until(&format!("window.done === {wanted}"));
    }
    let newest = pages.each_mut().map(|page| {
        let revision = page.value("window.treemind.sheet.sheet.value.revision");
        revision.as_u64().expect("a number")
    });
    let newest = newest.into_iter().max().expect("two");
    let on_disk = std::fs::read_to_string(&path).expect("a text");
    for page in &mut pages {
        page.until(&format!(
            "window.treemind.sheet.sheet.value.revision >= {newest}"
        ));
        let text = page.value("window.treemind.sheet.sheet.value.files[0].text");
        assert_eq!(text, on_disk);
    }
    // One history has the edits of both, and undoes them.
    pages[0].until("window.treemind.sheet.sheet.value.done.some((one) => one.by !== window.treemind.sheet.you.value)");
    all_the_way(&mut pages[1], "undo");
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), TEXT);
}
