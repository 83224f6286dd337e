//! The first minute: new documents and imports; the page of a node; two versions of a document as a drawing.

use crate::access::in_both_themes;
use crate::browser::Browser;
use crate::hands::edited;
use crate::page::draw_if_wanted;
use crate::program::{Studio, Talk};
use crate::server::english;
use serde_json::{Value, json};
use std::process::Command;

pub(crate) fn git(folder: &std::path::Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    let done = git.args(args).output().expect("git");
    assert!(done.status.success(), "{done:?}");
}

/// New files are written into the opened folder, and nowhere else, and nothing is overwritten.
#[test]
fn new_documents_stay_in_the_opened_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = folder.path().join("mine");
    std::fs::create_dir(&opened).expect("a folder");
    let studio = Studio::start(&[opened.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let mut ask = |name: &str, origin: Value| {
        talk.say(&json!({"say": "make", "name": name, "origin": origin}).to_string());
        talk.hear()
    };
    for (name, of) in [
        ("a.kdl", "tree"),
        ("b.kdl", "machine"),
        ("c.kdl", "decision"),
    ] {
        let made = ask(name, json!({"of": of}));
        assert_eq!(made["kind"], "made", "{made}");
        let text = std::fs::read(opened.join(name)).expect("it is there");
        let document = treemind_doc::Document::read(&text, name);
        assert!(
            !document.has_errors(),
            "{name}: {:?}",
            document.diagnostics()
        );
    }
    let made = ask("true.kdl", json!({"of": "tree"}));
    assert_eq!(made["kind"], "made", "{made}");
    let text = std::fs::read_to_string(opened.join("true.kdl")).expect("a text");
    let document = treemind_doc::Document::parse(&text, "true.kdl");
    assert!(!document.has_errors(), "{text}");
    let copied = ask("d.kdl", json!({"of": "copy", "file": "01-guard/guard.kdl"}));
    assert_eq!(copied["kind"], "made", "{copied}");
    let xml = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Sequence><AlwaysSuccess/></Sequence></BehaviorTree></root>"#;
    let made = ask(
        "e.kdl",
        json!({"of": "import", "from": "main.xml", "text": xml}),
    );
    assert_eq!(made["kind"], "made", "{made}");
    assert!(
        std::fs::read_to_string(opened.join("e.kdl"))
            .expect("a text")
            .contains("sequence")
    );
    for (name, origin) in [
        ("../x.kdl", json!({"of": "tree"})),
        ("/tmp/x.kdl", json!({"of": "tree"})),
        ("a.kdl", json!({"of": "machine"})),
        ("x.sh", json!({"of": "tree"})),
        ("nowhere/x.kdl", json!({"of": "tree"})),
        ("x.kdl", json!({"of": "copy", "file": "/etc/passwd"})),
        (
            "x.kdl",
            json!({"of": "import", "from": "x.xml", "text": "<root"}),
        ),
    ] {
        assert_eq!(ask(name, origin)["kind"], "refused", "{name}");
    }
    // What is wrong with a file that is imported is its error, not a warning before it.
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><Sequence><SayHi/></Sequence></BehaviorTree>\n<BehaviorTree ID=\"B\"><Fallback/></BehaviorTree></root>";
    let bad = json!({"of": "import", "from": "bad.xml", "text": xml});
    let why = english(&ask("bad.kdl", bad)["why"]);
    assert!(why.starts_with("bad.xml, line 2: `Fallback`"), "{why}");
    // It says what to do about it, and so does that of a table.
    let xml = r#"<root BTCPP_format="4"><BehaviorTree ID="A"><Repeat><AlwaysSuccess/></Repeat></BehaviorTree></root>"#;
    let bad = json!({"of": "import", "from": "bad.xml", "text": xml});
    let why = english(&ask("bad.kdl", bad)["why"]);
    assert_eq!(
        why,
        r#"bad.xml, line 1: `Repeat` needs its attribute `num_cycles`: write `num_cycles="3"`"#
    );
    let rows = "id,parent,type\n1,0,sequence\n2,1,selectr\n";
    let bad = json!({"of": "import", "from": "bad.csv", "text": rows});
    let why = english(&ask("bad.kdl", bad)["why"]);
    assert!(why.contains("`selectr`: did you mean `selector`?"), "{why}");
    for name in [".kdl", ""] {
        let why = ask(name, json!({"of": "tree"}))["why"].clone();
        assert!(
            english(&why).contains("a file needs a name before `.kdl`"),
            "{name}: {why}"
        );
    }
    // What cannot be done says what can.
    let long = format!("{}.kdl", "x".repeat(300));
    let why = ask(&long, json!({"of": "tree"})).to_string();
    assert!(why.contains("the name of the file is too long"), "{why}");
    let rows = "health,enemy,action\n90,1,attack\n10,1,flee\n";
    let table = json!({"of": "import", "from": "rows.csv", "text": rows});
    let why = ask("rows.kdl", table).to_string();
    assert!(why.contains("Learn from a table"), "{why}");
    assert!(!opened.join("x.kdl").exists() && !folder.path().join("x.kdl").exists());
    let mut guest = studio.talk_without_token();
    guest.say(r#"{"say": "make", "name": "x.kdl", "origin": {"of": "tree"}}"#);
    assert_eq!(guest.hear()["kind"], "refused");
}

/// A table declares no leaves: they come from another document that the page can open.
#[test]
fn an_imported_table_gets_the_leaves_of_another_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = folder.path().to_str().expect("a path");
    let studio = Studio::start(&[opened]);
    let mut talk = studio.talk();
    let ask = |talk: &mut Talk, name: &str, text: &str| {
        let origin = json!({"of": "import", "from": "rows.csv", "text": text});
        talk.say(&json!({"say": "make", "name": name, "origin": origin}).to_string());
        talk.hear()
    };
    // The folder is empty, so the examples are there, and one of them has what the table of the pet names.
    let made = ask(
        &mut talk,
        "pet.kdl",
        include_str!("../../../../examples/02-pet/pet.csv"),
    );
    assert_eq!(made["kind"], "made", "{made}");
    // What is one's own stands before the examples, in the order in which it came.
    std::fs::write(folder.path().join("a.kdl"), "tree a { wait 1.0; }").expect("it is written");
    talk.say(r#"{"say": "files"}"#);
    let files = talk.hear()["files"].clone();
    let last = |nth: usize| {
        files[nth]
            .as_str()
            .map_or("", |name| &name[name.len() - 7..])
    };
    assert_eq!(
        [last(0), &last(1)[2..], last(2)],
        ["pet.kdl", "a.kdl", "ard.kdl"],
        "{files}"
    );
    let text = std::fs::read_to_string(folder.path().join("pet.kdl")).expect("a text");
    assert!(
        text.starts_with("// The leaves are those of 02-pet/pet.kdl.\n"),
        "{text}"
    );
    let document = treemind_doc::Document::parse(&text, "pet.kdl");
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    // What nobody declares is said with its line, without talk of something else.
    let why = ask(
        &mut talk,
        "no.kdl",
        "id,parent,type\n1,0,sequence\n2,1,990\n",
    )
    .to_string();
    assert!(why.contains("(the leaves of a table are declared"), "{why}");
    assert!(why.contains("{}, line {}: {}"), "{why}");
    assert!(!why.contains("Learn from a table"), "{why}");
}

/// What compares the document with the last commit: only where there is git.
const LAST_COMMIT: &str = "[...document.querySelectorAll('.versions option')].find((one) => one.value.includes('commit'))";

#[test]
#[ignore = "needs Chromium"]
fn a_document_is_made_read_about_and_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('.begin input')");
    page.until(
        "document.querySelector('.begin [role=status]')?.textContent.includes('no document')",
    );
    page.value("(() => { const input = document.querySelector('.begin input'); input.value = 'hero.kdl'; input.dispatchEvent(new Event('input', { bubbles: true })) })()");
    draw_if_wanted(&mut page, "begin");
    page.value("[...document.querySelectorAll('.begin button')][0].click()");
    page.until("window.treemind?.model.view.value?.file.endsWith('hero.kdl') && document.querySelectorAll('.sheet .row').length > 2");
    page.press("p");
    page.until(
        "document.querySelector('.home .begin') && !document.querySelector('.begin [role=status]')",
    );
    page.press("p");
    let path = folder.path().join("hero.kdl");
    assert!(
        std::fs::read_to_string(&path)
            .expect("a text")
            .contains("tree hero")
    );
    // The page of a node is beside it.
    page.value("[...document.querySelectorAll('.sheet [data-word=sequence]')][0].click()");
    page.until("document.querySelector('.inspector h2').textContent.includes('sequence')");
    page.value("document.querySelector('.wordpage summary').click()");
    page.until("document.querySelector('.wordpage').textContent.length > 300");
    draw_if_wanted(&mut page, "wordpage");
    page.until("document.querySelector('.versions select')");
    assert_eq!(page.value(&format!("!!{LAST_COMMIT}")), false);
    // What has changed since the last commit, which lacks a file that the document imports.
    let parts = folder.path().join("parts.kdl");
    std::fs::write(parts, "leaves { action rest; }\n").expect("it is written");
    let own = std::fs::read_to_string(&path).expect("a text");
    std::fs::write(&path, format!("import \"parts.kdl\"\n\n{own}")).expect("it is written");
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "hero.kdl"]);
    git(folder.path(), &["commit", "-qm", "first"]);
    let changed = "import \"parts.kdl\"\n\ntree hero {\n    sequence {\n        invert {\n            log \"hello\"\n        }\n        wait 2.0\n    }\n}\n";
    std::fs::write(&path, changed).expect("it is written");
    page.until("document.querySelector('.sheet').innerText.includes('hello')");
    // Rows say from which file they are imported.
    page.until("document.querySelector('.sheet [data-word=leaves] .import')?.textContent.includes('parts.kdl')");
    page.until("!document.querySelector('.sheet [data-word=tree] .import')");
    let choose = "(() => { const list = document.querySelector('.versions select'); list.value = JSON.stringify({ with: 'commit' }); list.dispatchEvent(new Event('change', { bubbles: true })) })()";
    page.until(&format!("!!{LAST_COMMIT}"));
    page.value(choose);
    page.until("document.querySelector('dialog.compared img')?.naturalWidth > 100");
    let told = page.value("document.querySelector('dialog.compared ul').innerText");
    let told = told.as_str().expect("a text");
    assert!(
        told.contains("added tree hero › sequence: invert")
            && told.contains("changed tree hero › sequence: wait 1.0 → 2.0")
            && !told.contains("hello"),
        "{told}"
    );
    // What is in something added is drawn, and goes without saying in the list.
    page.until(
        "decodeURIComponent(document.querySelector('dialog.compared img').src).includes('hello')",
    );
    let missing = page.value("document.querySelector('dialog.compared .told').innerText");
    let missing = missing.as_str().expect("a text");
    assert!(
        missing.starts_with("Left out") && missing.contains("parts.kdl"),
        "{missing}"
    );
    in_both_themes(&mut page, "two versions");
    draw_if_wanted(&mut page, "versions");
}

#[test]
#[ignore = "needs Chromium"]
fn a_tour_leads_through_the_guard_and_can_be_left() {
    let studio = Studio::start(&[]);
    let mut page = Browser::open(&studio.url);
    page.resize(1280, 720);
    page.until("document.querySelector('.take-tour')");
    page.click_on(".take-tour");
    page.until("window.treemind.model.view.value?.file.endsWith('guard.kdl')");
    for (nth, part) in [".graph", ".why", "footer", ".keys", "header .tabs"]
        .iter()
        .enumerate()
    {
        page.until(&format!(
            "document.querySelector('.tour small')?.textContent === '{} / 5'",
            nth + 1
        ));
        // There is a line around what it is about, and the keyboard goes on.
        page.until(&format!(
            "getComputedStyle(document.querySelector('{part}')).outlineWidth === '3px'"
        ));
        page.until("document.activeElement.matches('.tour button')");
        // What it is about is in view.
        page.until(&format!(
            "(() => {{ const part = document.querySelector('{part}').getBoundingClientRect(); return part.top >= 0 && part.top + Math.min(part.height, 60) <= innerHeight; }})()"
        ));
        if *part == ".keys" {
            page.until("(() => { const pane = document.querySelector('aside').getBoundingClientRect(), part = document.querySelector('.keys').getBoundingClientRect(); return part.top >= pane.top - 1 && part.top + 60 <= pane.bottom; })()");
        }
        if nth == 0 {
            in_both_themes(&mut page, "the tour");
            page.value("document.querySelector('.tour button').focus()");
        }
        draw_if_wanted(&mut page, "tour");
        page.press("Enter");
    }
    page.until("!document.querySelector('.tour') && !document.documentElement.dataset.tour");
    page.press("p");
    page.until("document.querySelector('.take-tour')");
    page.click_on(".take-tour");
    page.until("document.querySelector('.tour')");
    page.press("Escape");
    page.until("!document.querySelector('.tour')");
}

/// What is not in a commit is said, and a step of the history is compared.
#[test]
fn versions_are_compared_through_the_socket() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kdl");
    std::fs::write(&path, "tree a { wait 1.0; }\n").expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let view = crate::server::until(&mut talk, r#""mind": 0, "sheet": 0"#, |view| {
        view["sheet"].is_object()
    });
    let wait = &view["sheet"]["nodes"][1];
    assert_eq!(view["definition"]["is_in_git"], false, "{view}");
    talk.say(&json!({"say": "compare", "versus": {"with": "commit"}}).to_string());
    let refused = talk.hear();
    assert!(refused["why"].to_string().contains("commit"), "{refused}");
    talk.say(&json!({"say": "edit", "edit": {"do": "set", "id": wait["id"], "name": "0", "value": "3.0"}}).to_string());
    talk.say(&json!({"say": "compare", "versus": {"with": "step", "back": 1}}).to_string());
    let found = talk.hear();
    assert_eq!(
        found["nodes"],
        json!([
            {"depth": 0, "how": "same", "is_told": false, "word": "tree", "text": "tree a", "called": "", "says": "a"},
            {
                "depth": 1, "how": "changed", "is_told": true, "word": "wait", "text": "wait 3.0", "called": "",
                "says": {"says": "{} → {}", "with": ["1.0", "3.0"]}, "path": ["tree a"],
            },
        ])
    );
    talk.say(&json!({"say": "compare", "versus": {"with": "step", "back": 9}}).to_string());
    assert_eq!(talk.hear()["kind"], "refused");
}

/// A difference as the page lists it.
fn entry(of: &Value) -> String {
    let [how, word, called] =
        ["how", "word", "called"].map(|name| of[name].as_str().expect("a text"));
    let (says, path) = (english(&of["says"]), of["path"].as_array());
    let mut line = format!("{}: ", how.replace('-', " "));
    let around = path.into_iter().flatten().filter_map(Value::as_str);
    let around: Vec<&str> = around.collect();
    if !around.is_empty() {
        line += &format!("{}: ", around.join(" › "));
    }
    line + word
        + &match (called, says.as_str()) {
            (_, "") => String::new(),
            ("", says) => format!(" {says}"),
            (called, says) => format!(" {called}: {says}"),
        }
}

/// A line of `treemind diff` without the numbers of lines.
fn without_lines(line: &str) -> String {
    let (how, told) = line.split_once(": ").expect("what differs");
    let how = how.trim_end_matches(|one: char| one.is_ascii_digit() || " →".contains(one));
    format!("{how}: {told}")
}

/// What the page lists of two versions, and what `treemind diff` prints: the same entries in the same order, over the examples
/// after random edits.
#[test]
fn the_page_and_the_command_tell_the_same_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = crate::program::root().join("examples");
    let mut told = 0;
    for name in [
        "01-guard/guard.kdl",
        "04-cleaning-robot/robot.kdl",
        "09-watchman/watchman.kdl",
    ] {
        let text = std::fs::read_to_string(examples.join(name)).expect("an example");
        let [old, new] = ["old.kdl", "new.kdl"].map(|name| folder.path().join(name));
        for path in [&old, &new] {
            std::fs::write(path, &text).expect("it is written");
        }
        let studio = Studio::start(&[&new, &old].map(|path| path.to_str().expect("a path")));
        let mut talk = studio.talk();
        let mut random = 7_u64;
        for _ in 0..12 {
            let mut below = |end: usize| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (random >> 33) as usize % end
            };
            let view = crate::server::until(&mut talk, r#""mind": 0, "sheet": 0"#, |view| {
                view["sheet"].is_object()
            });
            let nodes = view["sheet"]["nodes"].as_array().expect("nodes");
            let [id, other] = [(); 2].map(|()| nodes[below(nodes.len())]["id"].clone());
            let side = ["before", "after", "into"][below(3)];
            let spot = json!({"id": other, "side": side});
            let edit = [
                json!({"do": "add", "text": "sequence { wait 0.5; log \"here\"; }", "spot": spot}),
                json!({"do": "add", "text": "invert", "spot": {"id": id, "side": "around"}}),
                json!({"do": "move", "ids": [id], "spot": spot}),
                json!({"do": "remove", "ids": [id]}),
                json!({"do": "duplicate", "ids": [id]}),
                json!({"do": "set", "id": id, "name": "doc", "value": "so"}),
            ];
            talk.say(&json!({"say": "edit", "edit": edit[below(edit.len())]}).to_string());
            talk.say(
                &json!({"say": "compare", "versus": {"with": "file", "file": old}}).to_string(),
            );
            // What is refused leaves the text as it was.
            let mut found = talk.hear();
            while found["nodes"].is_null() {
                assert!(found["kind"] != "refused" || found["why"] != "", "{found}");
                found = talk.hear();
            }
            let nodes = found["nodes"].as_array().expect("nodes").iter();
            let listed: Vec<String> = nodes
                .filter(|one| one["is_told"] == true)
                .map(entry)
                .collect();
            let mut diff = Command::new(env!("CARGO_BIN_EXE_treemind"));
            let diff = diff
                .arg("diff")
                .args([&old, &new])
                .output()
                .expect("it runs");
            let printed = String::from_utf8(diff.stdout).expect("a text");
            let printed: Vec<String> = printed.lines().map(without_lines).collect();
            assert_eq!(
                listed,
                printed,
                "{}",
                std::fs::read_to_string(&new).expect("a text")
            );
            told += listed.len();
        }
    }
    assert!(told > 20, "{told}");
}

/// `edited` is what the other tests of the editor begin with: a folder with one file has a first page, too.
#[test]
#[ignore = "needs Chromium"]
fn one_file_is_shown_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kdl");
    std::fs::write(&path, "tree a { sequence { wait 1.0; }; }\n").expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut page = edited(&studio);
    page.until("!document.querySelector('.home')");
}

/// The guard of the tour is known by what it does: one's own file may be called so, and the guard otherwise.
#[test]
#[ignore = "needs Chromium"]
fn the_tour_takes_the_guard_whatever_its_file_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let guard = crate::program::root().join("examples/01-guard/guard.kdl");
    let own = "leaves { action nap; }\ntree guard { action nap; }\n";
    std::fs::write(folder.path().join("guard.kdl"), own).expect("it is written");
    std::fs::write(folder.path().join("other.kdl"), own).expect("it is written");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelectorAll('.home li small').length > 3 && ![...document.querySelectorAll('.home li small')].some((one) => one.textContent === '…')");
    assert!(page.value("document.querySelector('.take-tour') === null") == true);
    std::fs::copy(guard, folder.path().join("watchman.kdl")).expect("it is copied");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelector('.take-tour')");
    page.click_on(".take-tour");
    page.until("window.treemind.model.view.value?.file.endsWith('watchman.kdl')");
}
