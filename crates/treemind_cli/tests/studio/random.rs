//! Random edits in the page: all of them are undone to the first byte and done again, the page has the definition that whoever
//! asks for all of it gets, and two browsers that edit at once end with the same text. A few here, hundreds with
//! `TREEMIND_THOROUGH`.

use crate::browser::Browser;
use crate::hands::{edited, pause};
use crate::program::Studio;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

const TEXT: &str = "\u{feff}// A guard.\r\nblackboard { key health type=float default=100.0; }
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
const EDITS: &str = r#"(async (seed, count, check) => {
    const { sheet, model } = window.treemind;
    let state = seed;
    const random = (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 4294967296) * below);
    };
    const one = (list) => list[random(list.length)];
    const wait = () => new Promise((done) => setTimeout(done, 4));
    const texts = ['wait 0.5', 'sequence { wait 1.0; }', 'action patrol', '// kept\nlog "here"'];
    // A line of its own, wherever one begins, and another letter in a comment: what is open there stays so.
    const type = () => {
        const { text } = sheet.sheet.value.files[0];
        const begins = [...text.matchAll(/\n|^\ufeff?/g)].map((one) => one.index + one[0].length);
        const letters = [...text.matchAll(/\u{1f6e1}|\u5b88/gu)];
        const letter = one(letters), [from, to] = letter && random(2) ? [letter.index, letter.index + letter[0].length] : Array(2).fill(one(begins));
        const piece = from === to ? one(['// \u5b88 \u{1f6e1}\n', '// \u5b88\r\n', '\r\n']) : one(['\u{1f6e1}', '\u5b88', '\u{1f6e1}\u5b88']);
        return { do: 'type', file: 0, from, to, text: piece, since: sheet.sheet.value.revision };
    };
    const make = () => {
        const nodes = sheet.sheet.value.nodes, { id } = one(nodes);
        // What doubles again and again would never end.
        if (nodes.length > 150) return { do: 'remove', ids: [id] };
        const other = one(nodes).id, name = `n${random(1000)}`;
        const side = one(['before', 'after', 'into']);
        return one([
            () => ({ do: 'add', text: one(texts), spot: { id, side } }),
            () => ({ do: 'add', text: one(['invert', 'force-success', 'repeat 3']), spot: { id, side: 'around' } }),
            () => ({ do: 'move', ids: [id], spot: { id: other, side } }),
            () => ({ do: 'reorder', id, by: one([-1, 1]) }),
            () => ({ do: 'remove', ids: [id] }),
            () => ({ do: 'duplicate', ids: [id] }),
            () => ({ do: 'unwrap', id }),
            () => ({ do: 'change-kind', id, word: one(['selector', 'sequence', 'reactive-sequence', 'parallel']) }),
            () => ({ do: 'set', id, name: 'doc', value: one(['so', 'it is', '\u5b88\u536b']) }),
            () => ({ do: 'disable', ids: [id], is_on: one([true, false]) }),
            () => ({ do: 'unset', id, name: one(['doc', 'disabled', 'when']) }),
            () => ({ do: 'comment', id, text: one(['', 'one', 'one\ntwo']) }),
            () => ({ do: 'rename', id, name }),
            () => ({ do: 'extract', id, name }),
            () => ({ do: 'add-state', id, name }),
            () => ({ do: 'add-transition', from: id, to: other, trigger: one(['', 'after=2', 'on=bell']) }),
            () => ({ do: 'retarget', id, to: other }),
            () => ({ do: 'set-initial', id }),
            type,
            type,
            () => ({ do: one(['make-parallel', 'make-sequential']), id }),
        ])();
    };
    let done = 0, was = '';
    for (let tries = 0; done < count && tries < count * 40; tries++) {
        const before = sheet.sheet.value.revision, end = performance.now() + 300;
        let next = make();
        // What is typed without a break would be one step.
        while (next.do === 'type' && was === 'type') next = make();
        sheet.edit(next);
        // What changes nothing is neither done nor refused.
        while (sheet.sheet.value.revision === before && model.refused.value === '' && performance.now() < end) await wait();
        if (sheet.sheet.value.revision === before || sheet.sheet.value.undo?.by !== sheet.you.value) continue;
        done++;
        was = next.do;
        const wrong = check && (done < 20 || done % 10 === 0) ? await check() : '';
        if (wrong) return `after ${done} edits: ${wrong}`;
    }
    // The last one may come later.
    for (let last = -1; last !== sheet.sheet.value.revision; ) {
        last = sheet.sheet.value.revision;
        await new Promise((done) => setTimeout(done, 300));
    }
    return done;
})"#;

/// What differs between the definition that the page has, made of what was sent of it, and all of it.
const DIFFERING: &str = r#"(async () => {
    const { model } = window.treemind;
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    const socket = window.whole ??= new WebSocket(`ws://${location.host}/socket?token=${token}`);
    if (socket.readyState === 0) await new Promise((done) => socket.addEventListener('open', done));
    const inOrder = (_, value) =>
        value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
    // A change that the page has not heard of yet comes soon.
    for (const end = performance.now() + 20000; performance.now() < end; await new Promise((done) => setTimeout(done, 20))) {
        const heard = new Promise((done) => socket.addEventListener('message', (of) => done(JSON.parse(of.data)), { once: true }));
        socket.send(JSON.stringify({ say: 'look', nth: 1, file: model.view.value.file, mind: model.mind.value }));
        const whole = await heard;
        if (whole.opened !== model.view.value.opened) continue;
        const both = [model.definition.value, whole.definition].map((one) => JSON.stringify(one, inOrder));
        if (both[0] === both[1]) return '';
        let at = 0;
        while (both[0][at] === both[1][at]) at++;
        return both.map((one) => one.slice(Math.max(0, at - 200), at + 200)).join('\n');
    }
    return 'the page never had it';
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

/// Undoes or does again as long as there is something to; each step may take a while.
fn all_the_way(page: &mut Browser, what: &str) -> Value {
    page.value(&format!(
        "(async () => {{
            const {{ sheet }} = window.treemind;
            let steps = 0;
            for (; sheet.sheet.value.{what}; steps++) {{
                const before = sheet.sheet.value.revision, end = performance.now() + 10000;
                sheet.edit({{ do: '{what}' }});
                while (sheet.sheet.value.revision === before && performance.now() < end) await new Promise((done) => setTimeout(done, 4));
                if (sheet.sheet.value.revision === before) return 'step ' + steps + ' is not done';
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
    assert_eq!(
        page.value(&format!("{EDITS}(7, {wanted}, {DIFFERING})")),
        wanted
    );
    let last = on_disk();
    assert_ne!(last, TEXT);
    let shown = "window.treemind.sheet.sheet.value.files[0].text";
    assert_eq!(page.value(shown), last);
    let steps = all_the_way(&mut page, "undo");
    assert!(steps.as_u64() >= Some(wanted as u64), "{steps} steps");
    assert_eq!(on_disk(), TEXT);
    assert_eq!(page.value(&format!("{DIFFERING}()")), "");
    assert_eq!(all_the_way(&mut page, "redo"), steps);
    assert_eq!(on_disk(), last);
    assert_eq!(page.value(shown), last);
    assert_eq!(page.value(&format!("{DIFFERING}()")), "");
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
    let patience = Duration::from_secs(60 + 10 * wanted as u64);
    for page in &mut pages {
        page.until_within(&format!("window.done === {wanted}"), patience);
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
        assert_eq!(page.value(&format!("{DIFFERING}()")), "");
    }
    // One history has the edits of both, and undoes them.
    pages[0].until("window.treemind.sheet.sheet.value.done.some((one) => one.by !== window.treemind.sheet.you.value)");
    all_the_way(&mut pages[1], "undo");
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), TEXT);
}
