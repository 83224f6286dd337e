//! The tables of keys and leaves: through the web socket, and in the page by hand.

use crate::editing::{edit, on_disk, sheet, studio};
use crate::hands::{Desk, file_becomes};
use crate::program::Studio;
use crate::server::{english, until};
use serde_json::{Value, json};
use std::time::Duration;

const GUARD: &str = "blackboard {
    key health type=float default=100.0 // hit points
    key spare type=int
}

leaves { action patrol; action run-away; }

tree guard {
    selector {
        action run-away when=\"health < 20 || rage > 1\"
        action patrol
    }
}
";

/// The row of a key or leaf.
fn row<'s>(sheet: &'s Value, table: &str, name: &str) -> &'s Value {
    let rows = sheet[table].as_array().expect("a list");
    let found = rows.iter().find(|row| row["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {rows:?}"))
}

/// Each edit of the tables is on disk at once, and all of them are taken back to the first byte.
#[test]
fn keys_and_leaves_are_changed_as_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = studio(&path);
    let mut talk = studio.talk();
    let first = sheet(&mut talk, Value::is_object);
    let health = row(&first, "keys", "health");
    assert_eq!(health["uses"].as_array().map(Vec::len), Some(1));
    assert_eq!(row(&first, "keys", "spare")["uses"], json!([]));
    assert_eq!(row(&first, "keys", "rage")["id"], 0);
    let (health, spare) = (&health["id"], &row(&first, "keys", "spare")["id"]);
    let go = &row(&first, "leaves", "patrol")["id"];
    let mut text = GUARD.to_owned();
    let mut steps = 0;
    let mut done = |what: Value, from: &str, to: &str| {
        edit(&mut talk, &what);
        text = text.replacen(from, to, 1);
        let seen = sheet(&mut talk, |sheet| sheet["files"][0]["text"] == *text);
        assert_eq!(on_disk(&path), text, "{what}");
        steps += 1;
        seen
    };
    let rage = json!({"name": "rage", "ty": "int", "default": "2", "doc": "how angry"});
    let spare_line = "    key spare type=int\n";
    let rage_line = "    key rage type=int default=2 doc=\"how angry\"\n";
    done(
        json!({"do": "add-key", "key": rage, "scope": "agent"}),
        spare_line,
        &format!("{spare_line}{rage_line}"),
    );
    let seen = done(
        json!({"do": "set-type", "id": health, "ty": "int", "values": ""}),
        "float default=100.0",
        "int default=100",
    );
    assert_eq!(row(&seen, "keys", "health")["ty"], "int");
    done(
        json!({"do": "set-default", "id": health, "value": "90"}),
        "=100",
        "=90",
    );
    done(
        json!({"do": "set", "id": spare, "name": "doc", "value": "12"}),
        "spare type=int",
        "spare type=int doc=\"12\"",
    );
    done(
        json!({"do": "set-scope", "id": spare, "scope": "world"}),
        &format!("    key spare type=int doc=\"12\"\n{rage_line}}}\n"),
        &format!(
            "{rage_line}}}\n\nblackboard scope=world {{\n    key spare type=int doc=\"12\"\n}}\n"
        ),
    );
    edit(
        &mut talk,
        &json!({"do": "rename", "id": health, "name": "life"}),
    );
    text = text.replace("health", "life");
    sheet(&mut talk, |sheet| sheet["files"][0]["text"] == *text);
    steps += 1;
    let mut done = |what: Value, from: &str, to: &str| {
        edit(&mut talk, &what);
        text = text.replacen(from, to, 1);
        steps += 1;
        sheet(&mut talk, |sheet| sheet["files"][0]["text"] == *text)
    };
    done(
        json!({"do": "add-leaf", "kind": "condition", "name": "see-enemy", "doc": ""}),
        "action run-away; }",
        "action run-away; condition see-enemy; }",
    );
    done(
        json!({"do": "add-param", "id": go, "param": {"name": "speed", "ty": "float"}}),
        "action patrol;",
        "action patrol { param speed type=float; };",
    );
    // What a removal leaves behind is told.
    let seen = done(
        json!({"do": "remove", "ids": [go]}),
        "action patrol { param speed type=float; }; ",
        "",
    );
    let told = seen["told"].as_array().expect("a list");
    let told: Vec<String> = told.iter().map(english).collect();
    assert_eq!(told, ["the leaf `patrol` is still named here: line 15"]);
    for _ in 0..steps {
        edit(&mut talk, &json!({"do": "undo"}));
    }
    sheet(&mut talk, |sheet| sheet["undo"].is_null());
    assert_eq!(on_disk(&path), GUARD);
    for nonsense in [
        json!({"do": "add-key", "key": {"name": "a b", "ty": "int"}, "scope": "agent"}),
        json!({"do": "add-key", "key": {"name": "a", "ty": "int"}, "scope": "all"}),
        json!({"do": "set-type", "id": health, "ty": "number", "values": ""}),
        json!({"do": "set-default", "id": health, "value": "much"}),
        json!({"do": "add-leaf", "kind": "tree", "name": "a", "doc": ""}),
        json!({"do": "add-param", "id": health, "param": {"name": "a", "ty": "int"}}),
    ] {
        edit(&mut talk, &nonsense);
        assert_eq!(talk.hear()["kind"], "refused", "{nonsense}");
    }
    assert_eq!(on_disk(&path), GUARD);
}

/// Types into a field of the table, and leaves it with Enter.
fn write(desk: &mut Desk, field: &str, text: &str) {
    let field = format!("document.querySelector('.table {field}')");
    desk.page.until(&field);
    desk.page
        .value(&format!("{field}.focus(); {field}.select()"));
    desk.page.type_text(text);
    desk.page.press("Enter");
}

/// Chooses a word of a list of the table.
fn choose(desk: &mut Desk, list: &str, word: &str) {
    let list = format!("document.querySelector('.table {list}')");
    desk.page.until(&list);
    desk.page.value(&format!("(() => {{ const list = {list}; list.value = '{word}'; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"));
}

#[test]
#[ignore = "needs Chromium"]
fn keys_are_changed_in_their_table() {
    let mut desk = Desk::of(GUARD);
    // With the keyboard: to the table, a new key, another name.
    desk.page.value("document.activeElement.blur()");
    desk.page.press("K");
    desk.page
        .until("document.activeElement.matches('.table tbody[data-key=health]')");
    // In a row, a letter is no text yet.
    desk.page.press("j");
    desk.page.press("Enter");
    desk.page
        .until("document.activeElement.matches('.table [data-key=spare] input')");
    desk.page.press("Escape");
    write(&mut desk, "[data-key=health] input", "life");
    let renamed = GUARD.replace("health", "life");
    desk.until(&renamed);
    let named = ".new input[aria-label=\"name of a new key\"]";
    choose(&mut desk, ".new select[aria-label=type]", "bool");
    write(&mut desk, named, "alarm");
    let spare = "    key spare type=int\n";
    let added = renamed.replace(spare, &format!("{spare}    key alarm type=bool\n"));
    desk.until(&added);
    // What no expression needs is marked, and what is missing is declared in place.
    desk.page
        .until("document.querySelector('[data-key=spare] .badge')?.textContent === 'unused'");
    desk.page
        .until("!document.querySelector('[data-key=life] .badge')");
    desk.page.click_on(".table [data-key=rage] td button");
    let whole = added.replace("type=bool\n", "type=bool\n    key rage type=float\n");
    desk.until(&whole);
    // With the mouse: types, defaults, who shares it.
    choose(&mut desk, "[data-key=life] td:nth-child(2) select", "int");
    let typed = whole.replace("type=float default=100.0", "type=int default=100");
    desk.until(&typed);
    // What is typed before the page has heard of the new type would be replaced.
    desk.page.until(
        "document.querySelector('.table [data-key=life] td:nth-child(3) input').value === '100'",
    );
    write(&mut desk, "[data-key=life] td:nth-child(3) input", "80");
    let eighty = typed.replace("default=100", "default=80");
    desk.until(&eighty);
    choose(
        &mut desk,
        "[data-key=alarm] td:nth-child(5) select",
        "group",
    );
    let shared = eighty.replace("    key alarm type=bool\n", "").replace(
        "}\n\nleaves",
        "}\n\nblackboard scope=group {\n    key alarm type=bool\n}\n\nleaves",
    );
    desk.until(&shared);
    // A user is chosen by a click.
    // The page may move under the mouse while it says what the change of the document did.
    desk.page
        .value("document.querySelector('.table [data-key=life] .users button').click()");
    desk.page.until(
        "document.querySelector('.sheet [aria-selected=true]')?.dataset.name === 'run-away'",
    );
    // All of it is taken back.
    desk.page.until(
        "document.querySelector('.editing .bar button').textContent.includes('set scope of alarm')",
    );
    for _ in 0..6 {
        desk.page
            .value("document.querySelector('.editing .bar button').click()");
    }
    desk.until(GUARD);
}

#[test]
#[ignore = "needs Chromium"]
fn leaves_are_changed_in_their_table() {
    let mut desk = Desk::of(GUARD);
    desk.page.click_on(".desk [role=tab]:nth-child(3)");
    write(&mut desk, "[data-leaf=patrol] input", "stroll");
    let renamed = GUARD.replace("patrol", "stroll");
    desk.until(&renamed);
    write(
        &mut desk,
        ".new input[aria-label=\"name of a new leaf\"]",
        "dance",
    );
    let added = renamed.replace("run-away; }", "run-away; action dance; }");
    desk.until(&added);
    desk.page
        .until("document.querySelector('[data-leaf=dance] .badge')?.textContent === 'unused'");
    desk.page
        .click_on(".table [data-leaf=dance] .params button");
    write(&mut desk, "[data-leaf=dance] .params input", "speed");
    desk.until(&added.replace("dance;", "dance { param speed type=float; };"));
    // What a parameter is for is said in its row.
    let doc = "[data-leaf=dance] .params [data-param=speed] input:not(.code)";
    write(&mut desk, doc, "in m/s");
    desk.until(&added.replace(
        "dance;",
        "dance { param speed type=float doc=\"in m/s\"; };",
    ));
    desk.page
        .click_on(".table [data-leaf=dance] tr:first-child > td:last-child button");
    desk.until(&renamed);
    choose(&mut desk, ".new select", "candidates");
    write(
        &mut desk,
        ".new input[aria-label=\"name of a new leaf\"]",
        "spots",
    );
    let listing = |ty: &str| {
        let line = format!("run-away; candidates spots type={ty}; }}");
        renamed.replace("run-away; }", &line)
    };
    desk.until(&listing("vec2"));
    choose(
        &mut desk,
        "[data-leaf=spots] td:nth-child(2) select",
        "entity",
    );
    desk.until(&listing("entity"));
    // Of another kind, a leaf is run by another word, everywhere.
    choose(
        &mut desk,
        "[data-leaf=stroll] td:first-child select",
        "condition",
    );
    desk.until(&listing("entity").replace("action stroll", "condition stroll"));
}

const DANCER: &str = "leaves { condition hears-music; action dance; action rest; }

tree dancer {
    reactive-selector {
        reactive-sequence {
            condition hears-music
            action dance
        }
        action rest
    }
}
";

/// A document plays before its code is written: its leaves answer by hand, by script, or at random, and ticks that are
/// played again are as before.
#[test]
fn leaves_without_code_answer_as_a_page_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dancer.kdl");
    std::fs::write(&path, DANCER).expect("it is written");
    let studio = studio(&path);
    let mut talk = studio.talk();
    let mut at = |tick: u64, answer: Option<Value>| {
        talk.say(&json!({"say": "go", "tick": tick}).to_string());
        let view = until(&mut talk, r#""mind": 0"#, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        });
        if let Some(answer) = answer {
            talk.say(&answer.to_string());
        }
        view
    };
    let music = |answers: &str, is_random: bool| {
        Some(
            json!({"say": "answer", "leaf": "hears-music", "answers": answers, "is_random": is_random}),
        )
    };
    let view = at(10, music("S", false));
    assert_eq!(view["does"], "rest");
    let stubs = view["stubs"].as_array().expect("a list").iter();
    let stubs: Vec<&Value> = stubs.map(|one| &one["leaf"]).collect();
    assert_eq!(stubs, ["dance", "hears-music", "rest"]);
    let view = at(12, None);
    assert_eq!(view["does"], "dance");
    let said =
        json!({"leaf": "hears-music", "kind": "condition", "answers": "S", "is_random": false});
    assert_eq!(view["stubs"][1], said);
    assert_eq!(at(9, None)["does"], "rest");
    assert_eq!(at(12, music("F S", false))["does"], "dance");
    for (tick, does) in [
        (13, "rest"),
        (14, "dance"),
        (15, "dance"),
        (13, "rest"),
        (11, "dance"),
        (14, "dance"),
    ] {
        assert_eq!(at(tick, None)["does"], does, "tick {tick}");
    }
    at(15, music("S F", true));
    let mut drawn = |_| -> Vec<Value> {
        (16..40)
            .map(|tick| at(tick, None)["does"].clone())
            .collect()
    };
    let [first, again] = [0, 1].map(&mut drawn);
    assert_eq!(first, again);
    assert!(
        ["rest", "dance"]
            .iter()
            .all(|does| first.contains(&json!(does)))
    );
    for nonsense in [
        json!({"say": "answer", "leaf": "hears-music", "answers": "Q", "is_random": false}),
        json!({"say": "answer", "leaf": "nobody", "answers": "S", "is_random": false}),
    ] {
        talk.say(&nonsense.to_string());
        assert_eq!(talk.hear()["kind"], "refused", "{nonsense}");
    }
}

/// A file that was closed because nobody looked at it answers as before.
#[test]
fn leaves_without_code_answer_as_they_did_after_many_other_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let path = folder.path().join(format!("{name}.kdl"));
        std::fs::write(path, DANCER).expect("it is written");
    }
    let studio = Studio::start(&[folder.path().to_str().expect("a name")]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "hello"}"#);
    let files = talk.hear()["files"].clone();
    let files = files.as_array().expect("a list");
    let of = |nth: usize| format!(r#""file": {}, "mind": 0"#, files[nth]);
    until(&mut talk, &of(0), |view| view["tick"].as_u64() > Some(2));
    talk.say(r#"{"say": "answer", "leaf": "hears-music", "answers": "S F", "is_random": true}"#);
    let chosen = |view: &Value| view["stubs"][1]["answers"] == "S F";
    until(&mut talk, &of(0), chosen);
    for nth in 1..files.len() {
        let view = until(&mut talk, &of(nth), |view| view["tick"].as_u64() > Some(0));
        assert!(!chosen(&view));
    }
    let view = until(&mut talk, &of(0), |_| true);
    let said =
        json!({"leaf": "hears-music", "kind": "condition", "answers": "S F", "is_random": true});
    assert_eq!(view["stubs"][1], said);
}

/// A crowd plays leaves without code, too.
#[test]
fn a_crowd_answers_as_one_says() {
    let (folder, path) = crate::testing::folder(DANCER);
    let map = "[map]\nhh..\n[legend]\nh spot home\n[rules]\ncrowd 40\n";
    std::fs::write(path.with_extension("map"), map).expect("it is written");
    let studio = studio(&path);
    let mut talk = studio.talk();
    let mut at = |tick: u64| {
        talk.say(&json!({"say": "go", "tick": tick}).to_string());
        let view = until(&mut talk, r#""mind": 0"#, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        });
        talk.say(r#"{"say": "answer", "leaf": "hears-music", "answers": "S", "is_random": false}"#);
        view
    };
    let view = at(10);
    assert_eq!(view["crowd"]["agents"], 40, "{view}");
    assert_eq!(
        (&view["does"], &view["stubs"][1]["leaf"]),
        (&"rest".into(), &"hears-music".into())
    );
    assert_eq!(at(11)["does"], "dance");
    assert_eq!(at(10)["does"], "rest");
    drop(folder);
}

#[test]
#[ignore = "needs Chromium"]
fn answers_are_chosen_in_the_page() {
    let mut desk = Desk::of(DANCER);
    desk.page
        .until("document.querySelector('.stubs [data-stub=dance]')");
    desk.page
        .until("document.querySelector('.now h1').textContent.includes('rest')");
    // With the mouse.
    desk.page
        .click_on(".stubs [data-stub=hears-music] button:nth-child(1)");
    desk.page
        .until("document.querySelector('.now h1').textContent.includes('dance')");
    desk.page.until(
        "document.querySelector('.stubs [data-stub=hears-music] button').ariaPressed === 'true'",
    );
    // With the keyboard, as a script: the last answer repeats.
    desk.page.value("(() => { const field = document.querySelector('.stubs [data-stub=hears-music] input'); field.focus(); field.select(); })()");
    desk.page.type_text("S S F");
    desk.page.press("Enter");
    desk.page
        .until("document.querySelector('.now h1').textContent.includes('rest')");
    desk.page
        .click_on(".stubs [data-stub=hears-music] button:nth-child(4)");
    desk.page
        .until("window.treemind.model.view.value.stubs[1].is_random");
    // A leaf that is invented now plays at once.
    desk.choose("action", "rest");
    desk.page.type_to_add("a", "wait 2.5");
    desk.until(&DANCER.replace("action rest\n", "action rest\n        wait 2.5\n"));
}

#[test]
#[ignore = "needs Chromium"]
fn values_and_curves_are_changed_in_the_inspector() {
    let text = "blackboard { key pause type=float default=0.5; key near type=float; }
leaves { action chase; action patrol; }
tree guard {
    utility-selector {
        action chase {
            score { consider \"near\" curve=logistic mid=0.7 steep=12; }
        }
        wait 2.5 score=0.1 when=\"rage > 1\"
    }
}
";
    let mut desk = Desk::of(text);
    // An expression names a key that is not there: it is declared in place.
    desk.choose("wait", "2.5");
    desk.page
        .until("document.querySelector('.inspector .declare button')");
    desk.page.click_on(".inspector .declare button");
    let with_key = text.replace("near type=float;", "near type=float; key rage type=int;");
    desk.until(&with_key);
    // What was added is chosen.
    desk.choose("wait", "2.5");
    desk.page
        .until("document.querySelector('.inspector .held-now')?.textContent.includes('rage')");
    // A literal becomes a key.
    desk.page
        .click_on(".inspector .ways [aria-label=\"value: a key\"]");
    desk.page
        .until("document.querySelector('.inspector .field select')?.options.length > 2");
    desk.page.value("(() => { const list = document.querySelector('.inspector .field select'); list.value = 'pause'; list.dispatchEvent(new Event('change', { bubbles: true })); })()");
    let keyed = with_key.replace("wait 2.5", "wait pause");
    desk.until(&keyed);
    // A curve by the keyboard, and by the mouse.
    desk.choose("consider", "near");
    desk.page
        .until("document.querySelectorAll('.curve circle').length === 2");
    desk.page
        .value("document.querySelector('.curve circle').focus()");
    desk.page.press("ArrowRight");
    desk.until(&keyed.replace("mid=0.7", "mid=0.71"));
    // Whoever presses beside a point that has just moved tries again.
    let dragged = keyed.replace("mid=0.7", "mid=0.5");
    for _ in 0..5 {
        let from = desk.page.still_middle_of(".curve circle");
        let middle = desk.page.middle_of(".curve .frame");
        desk.page.drag(from, middle);
        if file_becomes(&desk.path, &dragged, Duration::from_secs(5)) {
            break;
        }
    }
    desk.until(&dragged);
    for _ in 0..4 {
        desk.page
            .value("document.querySelector('.editing .bar button').click()");
    }
    desk.until(text);
}
