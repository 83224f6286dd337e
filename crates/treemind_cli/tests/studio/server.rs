//! The server without a browser: who may ask, and what is answered.

use crate::program::Studio;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// The answer to a request as it is written.
pub(crate) fn request(studio: &Studio, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(studio.host()).expect("a server");
    let text = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_serves_its_page_and_no_file() {
    let studio = Studio::start(&[]);
    let host = format!("Host: {}\r\n", studio.host());
    let page = request(&studio, "/", &host);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("<title>Treemind studio</title>"), "{page}");
    let escapes = [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/examples/01-guard/guard.kdl",
        "/%2e%2e/Cargo.toml",
    ];
    for path in escapes {
        let answer = request(&studio, path, &host);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let studio = Studio::start(&[]);
    let port = studio.host().rsplit_once(':').expect("a port").1.to_owned();
    let foreign = request(&studio, "/", &format!("Host: example.org:{port}\r\n"));
    assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let of = |origin: &str| {
        let headers = format!("Host: 127.0.0.1:{port}\r\nOrigin: {origin}\r\n{upgrade}");
        request(&studio, "/socket", &headers)
    };
    let answer = of("http://example.org");
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    assert!(answer.contains("pages of other sites"), "{answer}");
}

#[test]
fn with_a_token_only_who_has_it_is_answered() {
    let studio = Studio::start(&["--token", "examples/01-guard/guard.kdl"]);
    let (_, token) = studio.url.split_once("/#token=").expect("a token");
    let other = Studio::start(&["--token", "examples/01-guard/guard.kdl"]);
    assert!(!other.url.ends_with(token), "{token}");
    let host = format!("Host: {}\r\n", studio.host());
    let page = request(&studio, "/", &host);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for path in [
        "/socket",
        "/socket?token=",
        "/socket?token=0",
        "/Cargo.toml",
    ] {
        let answer = request(&studio, path, &host);
        assert!(answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
        assert!(answer.contains("with its token"), "{path}: {answer}");
    }
    let mut talk = studio.talk();
    talk.say("{\"say\": \"hello\"}");
    assert_eq!(talk.hear()["kind"], "hello");
}

#[test]
fn every_address_that_is_printed_answers() {
    let guard = "examples/01-guard/guard.kdl";
    let mut addresses = vec!["127.0.0.1", "0.0.0.0"];
    // Other systems than Linux have only one loopback address, and some machines no IPv6.
    let more = ["127.0.0.2", "::1", "::"];
    let can_bind = |ip: &&str| std::net::TcpListener::bind((*ip, 0)).is_ok();
    addresses.extend(more.into_iter().filter(can_bind));
    for address in addresses {
        let studio = Studio::start(&["--bind", address, guard]);
        let host = studio.host().to_owned();
        // As browsers do it.
        let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
        let page = request(&studio, "/", &headers);
        assert!(page.starts_with("HTTP/1.1 200"), "{address}: {page}");
        let mut talk = studio.talk();
        talk.say("{\"say\": \"hello\"}");
        assert_eq!(talk.hear()["kind"], "hello", "{address}");
    }
}

#[test]
fn a_page_opens_only_files_that_were_named() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "hello"}"#);
    let hello = talk.hear();
    assert_eq!(hello["version"], 7);
    assert_eq!(
        hello["files"],
        serde_json::json!(["examples/01-guard/guard.kdl"])
    );
    for file in [
        "examples/01-guard/../../Cargo.toml",
        "/etc/passwd",
        "examples/02-pet/pet.kdl",
    ] {
        talk.say(&serde_json::json!({"say": "look", "file": file}).to_string());
        assert_eq!(talk.hear()["kind"], "refused", "{file}");
    }
    for nonsense in [
        "",
        "{",
        "[]",
        r#"{"say": 3}"#,
        r#"{"say": "speed", "factor": 1e9}"#,
        r#"{"say": "go"}"#,
        r#"{"say": "go", "tick": -1}"#,
        r#"{"say": "dance"}"#,
        r#"{"say": "set", "mind": 0, "key": "health"}"#,
        r#"{"say": "look", "node": "three"}"#,
        r#"{"say": "event", "by": 2, "mind": 0}"#,
        r#"{"say": "break", "mind": 0, "line": "n6", "is_on": "perhaps"}"#,
    ] {
        talk.say(nonsense);
        let refused = talk.hear();
        assert_eq!(refused["kind"], "refused", "{nonsense}");
        let why = english(&refused["why"]);
        assert!(why.contains(' '), "{nonsense}: {why}");
    }
}

#[test]
fn a_tick_is_the_same_however_one_gets_there() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    let mut at = |tick: u64| {
        talk.say(&serde_json::json!({"say": "go", "tick": tick}).to_string());
        let mut seen = 0;
        loop {
            talk.say(
                &serde_json::json!({"say": "look", "nth": 1, "mind": 0, "seen": seen}).to_string(),
            );
            let view = talk.hear();
            seen = view["state"].as_u64().expect("a number");
            if view["tick"] == tick && view["is_jumping"] == false {
                return view;
            }
        }
    };
    let first = at(190);
    assert_eq!(first["does"], "run-away");
    let because = first["explanation"]["does"][0]["because"].to_string();
    assert!(because.contains("14.0 < 20.0"), "{because}");
    let before = at(189);
    assert_eq!(before["does"], "attack");
    let later = at(300);
    assert_eq!(later["last"], 300);
    let again = at(190);
    for part in ["does", "marks", "keys", "explanation", "scene"] {
        assert_eq!(first[part], again[part], "{part}");
    }
}

#[test]
fn steps_in_the_middle_of_a_jump_count_from_its_end() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    // A jump so long that no machine ends it before it hears the next word.
    for ask in [
        r#"{"say": "go", "tick": 5000}"#,
        r#"{"say": "back"}"#,
        r#"{"say": "back"}"#,
        r#"{"say": "step"}"#,
    ] {
        talk.say(ask);
    }
    let mut seen = 0;
    loop {
        talk.say(&serde_json::json!({"say": "look", "nth": 1, "seen": seen}).to_string());
        let view = talk.hear();
        seen = view["state"].as_u64().expect("a number");
        if view["is_jumping"] == false && view["is_paused"] == true {
            assert_eq!(view["tick"], 4999);
            return;
        }
    }
}

#[test]
fn what_does_not_play_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.kdl");
    std::fs::write(&bad, "tree guard {\n    actoin attack\n}\n").expect("a file");
    let studio = Studio::start(&[bad.to_str().expect("a path")]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "look", "nth": 1}"#);
    let view = talk.hear();
    let at = &view["definition"]["problems"][0]["at"];
    assert_eq!(*at, serde_json::json!([2, 4, 2, 10]), "{view}");
    assert_eq!(
        view["definition"]["refusal"]["says"],
        "the document has errors"
    );
}

#[test]
fn a_run_is_shown_with_its_agent_and_tick_and_opens_nothing_else() {
    let studio = Studio::run(&["examples/07-stage/stage.kdl", "--agent", "2", "--at", "30"]);
    assert!(studio.url.ends_with("/#agent=2"), "{}", studio.url);
    let mut talk = studio.talk();
    // On a busy machine, it is still on the way to that tick.
    let view = loop {
        talk.say(r#"{"say": "look", "nth": 1, "mind": 1, "file": "examples/07-stage/stage.kdl"}"#);
        let view = talk.hear();
        if view["is_jumping"] == false {
            break view;
        }
    };
    assert_eq!(view["tick"], 30, "opening it does not begin it again");
    assert_eq!(
        (&view["is_paused"], &view["mind"]),
        (&true.into(), &1.into())
    );
    talk.say(r#"{"say": "look", "file": "examples/01-guard/guard.kdl"}"#);
    assert_eq!(talk.hear()["kind"], "refused");
}

#[test]
fn a_crowd_is_counted_searched_and_reached_again() {
    let studio = Studio::start(&["examples/12-village/village.kdl"]);
    let mut talk = studio.talk();
    let mut at = |tick: u64, wish: &str| {
        talk.say(&serde_json::json!({"say": "go", "tick": tick}).to_string());
        let mut seen = 0;
        loop {
            talk.say(&format!(
                r#"{{"say": "look", "nth": 1, "seen": {seen}, {wish}}}"#
            ));
            let view = talk.hear();
            seen = view["state"].as_u64().expect("a number");
            if view["tick"] == tick && view["is_jumping"] == false {
                return view;
            }
        }
    };
    let view = at(300, r#""mind": 7"#);
    let people = view["crowd"]["agents"].as_u64().expect("a number");
    assert!(people > 1_000, "{people}");
    let lines = view["definition"]["behaviour"]["lines"].as_array();
    let lines = lines.expect("lines");
    let counts = view["crowd"]["counts"].as_array().expect("counts");
    assert_eq!(lines.len(), counts.len());
    // Everybody is in one of the states.
    let states = lines.iter().zip(counts);
    let states = states.filter(|(line, _)| line["is"] == "state");
    let there: u64 = states.filter_map(|(_, counts)| counts[0].as_u64()).sum();
    assert_eq!(there, people);
    let scene = &view["scene"]["crowd"];
    let points = scene["points"].as_str().expect("points");
    assert_eq!(points.len() as u64, 4 * people);
    assert_eq!(view["crowd"]["found"]["count"], people);
    // Who does something is found, and as many as are counted.
    let action = view["does"].as_str().expect("somebody does something");
    let found = at(300, &format!(r#""mind": 7, "find": "{action}""#));
    let count = found["crowd"]["found"]["count"].as_u64().expect("a number");
    assert!((1..=people).contains(&count));
    let nth = found["crowd"]["found"]["agents"][0]["nth"].clone();
    let other = at(300, &format!(r#""mind": {nth}"#));
    assert_eq!(other["does"], action);
    // Conditions are those of the document.
    let key = &view["definition"]["behaviour"]["keys"];
    let wrong = at(300, r#""mind": 7, "where": "nonsense > 3""#);
    let reason = wrong["crowd"]["found"]["wrong"].to_string();
    assert!(reason.contains("nonsense"), "{reason} {key}");
    let some = at(300, r#""mind": 7, "where": "danger >= 0""#);
    assert_eq!(some["crowd"]["found"]["count"], people);
    let none = at(300, r#""mind": 7, "where": "danger > 99""#);
    assert_eq!(none["crowd"]["found"]["count"], 0);
    // What was there is there again.
    at(340, r#""mind": 7"#);
    let again = at(300, r#""mind": 7"#);
    for part in ["does", "keys", "marks", "crowd", "scene"] {
        assert_eq!(view[part], again[part], "{part}");
    }
}

#[test]
fn keys_are_written_before_the_next_tick_and_reasons_say_why_not() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 100}"#);
    let refusals = [
        (r#""key": "healht", "value": "3""#, "no key"),
        (r#""key": "health", "value": "much""#, "much"),
    ];
    for (what, reason) in refusals {
        talk.say(&format!(r#"{{"say": "set", "mind": 0, {what}}}"#));
        let refused = talk.hear();
        assert_eq!(refused["kind"], "refused");
        assert!(english(&refused["why"]).contains(reason), "{refused}");
    }
    for ask in ["set", "hold", "release"] {
        talk.say(&format!(
            r#"{{"say": "{ask}", "mind": 99, "key": "health", "value": "3"}}"#
        ));
        assert_eq!(talk.hear()["kind"], "refused");
    }
}

/// Asks until the view is so.
pub(crate) fn until(
    talk: &mut crate::program::Talk,
    wish: &str,
    is_so: impl Fn(&serde_json::Value) -> bool,
) -> serde_json::Value {
    let mut seen = 0;
    for _ in 0..10_000 {
        talk.say(&format!(
            r#"{{"say": "look", "nth": 1, "seen": {seen}, {wish}}}"#
        ));
        let view = talk.hear();
        assert_eq!(view["kind"], "view", "{view}");
        seen = view["state"].as_u64().expect("a number");
        if is_so(&view) {
            return view;
        }
    }
    panic!("it never is so");
}

#[test]
fn breakpoints_stop_where_something_happens() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "speed", "factor": 64}"#);
    talk.say(r#"{"say": "go", "tick": 0}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 0);
    let mut run = |breakpoint: &str| {
        talk.say(r#"{"say": "unbreak"}"#);
        talk.say(r#"{"say": "go", "tick": 0}"#);
        until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 0);
        talk.say(&format!(r#"{{"say": "break", "mind": 0, {breakpoint}}}"#));
        talk.say(r#"{"say": "play"}"#);
        until(&mut talk, r#""mind": 0"#, |view| !view["stopped"].is_null())
    };
    // The guard flees in tick 190, and not before; what it did is cut off.
    let view = run(r#""line": "n6""#);
    assert_eq!(
        (&view["tick"], &view["is_paused"]),
        (&190.into(), &true.into())
    );
    assert_eq!(view["does"], "run-away");
    assert_eq!(view["stopped"]["line"], "n6");
    assert_eq!(view["stopped"]["text"], "`run-away` begins");
    assert_eq!(view["breakpoints"][0]["count"], 1);
    assert_eq!(run(r#""line": "n9", "on": "abort""#)["tick"], 190);
    // Keys, with a condition and a number of times.
    let first = run(r#""key": "health""#);
    let tick = first["tick"].as_u64().expect("a number");
    assert_eq!(first["keys"][0]["changed"], tick, "{first}");
    let second = run(r#""key": "health", "from": 2"#);
    assert!(second["tick"].as_u64() > Some(tick), "{second}");
    assert_eq!(second["breakpoints"][0]["count"], 2);
    let low = run(r#""key": "health", "if": "health < 20""#);
    assert_eq!(low["tick"], 190);
    // One that is switched off, and one that is removed, stop nothing; the second of two does.
    talk.say(r#"{"say": "unbreak"}"#);
    talk.say(r#"{"say": "go", "tick": 0}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 0);
    talk.say(r#"{"say": "break", "mind": 0, "line": "n9", "is_on": false}"#);
    talk.say(r#"{"say": "break", "mind": 0, "line": "n6"}"#);
    talk.say(r#"{"say": "play"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| !view["stopped"].is_null());
    assert_eq!(view["tick"], 190);
    // It goes on from there.
    talk.say(r#"{"say": "play"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(200) || !view["stopped"].is_null()
    });
    assert_eq!(view["stopped"], serde_json::Value::Null);
}

#[test]
fn breakpoints_that_make_no_sense_are_refused() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    let wrong = [
        (r#""line": "n99""#, "nothing to stop at"),
        (r#""key": "healht""#, "no key"),
        (r#""event": "noise""#, "no event"),
        (r#""line": "n6", "on": "sometimes""#, "`enter`, `end`"),
        (r#""line": "n6", "if": "health <""#, ""),
        (r#""line": "n6", "if": "helth < 3""#, "health"),
        (r#""id": 7"#, "no such breakpoint"),
        (r#""on": "end""#, "needs"),
    ];
    for (what, reason) in wrong {
        talk.say(&format!(r#"{{"say": "break", "mind": 0, {what}}}"#));
        let refused = talk.hear();
        assert_eq!(refused["kind"], "refused", "{what}");
        let why = english(&refused["why"]);
        assert!(why.contains(reason), "{what}: {why}");
    }
    talk.say(r#"{"say": "look", "nth": 1, "mind": 0}"#);
    assert_eq!(talk.hear()["breakpoints"], serde_json::json!([]));
}

#[test]
fn breakpoints_find_one_of_a_crowd() {
    let studio = Studio::start(&["examples/12-village/village.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "pause"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["is_paused"] == true);
    let lines = view["definition"]["behaviour"]["lines"].as_array();
    let states = lines.expect("lines").iter();
    let mut states = states.filter(|line| line["is"] == "state");
    let line = states.nth(2).expect("a state")["id"].clone();
    talk.say(&format!(r#"{{"say": "break", "mind": 0, "line": {line}}}"#));
    talk.say(r#"{"say": "speed", "factor": 16}"#);
    talk.say(r#"{"say": "play"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| !view["stopped"].is_null());
    let who = view["stopped"]["mind"].as_u64().expect("a number");
    let view = until(&mut talk, &format!(r#""mind": {who}"#), |view| {
        view["mind"] == who
    });
    let lines = view["definition"]["behaviour"]["lines"].as_array();
    let lines = lines.map(|lines| lines.iter().position(|of| of["id"] == line));
    let nth = lines.flatten().expect("its line");
    assert_eq!(view["marks"][nth], "entered", "{}", view["stopped"]);
}

#[test]
fn a_tick_is_shown_event_by_event() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 189}"#);
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"] == 189 && view["is_jumping"] == false
    });
    let mut texts = Vec::new();
    let whole = loop {
        talk.say(r#"{"say": "event", "by": 1, "mind": 0}"#);
        let view = until(&mut talk, r#""mind": 0"#, |_| true);
        assert_eq!(view["tick"], 190);
        let event = &view["event"];
        let mark = |line: &str| view["marks"][lines_of(&view, line)].clone();
        let text = event["text"].as_str().expect("a sentence").to_owned();
        match &*text {
            "`run-away` starts" => assert_eq!(mark("n6"), "run"),
            "`attack` is cut off" => assert_eq!(mark("n9"), "cut"),
            _ if texts.iter().any(|text| text == "`attack` is cut off") => {}
            // What is to be cut off ran before.
            _ => assert_eq!(mark("n9"), "was-run", "{text}"),
        }
        assert_eq!(event["nth"], texts.len() + 1);
        texts.push(text);
        if event["nth"] == event["of"] {
            break view;
        }
    };
    let place = |text: &str| texts.iter().position(|one| one == text);
    let start = place("`run-away` starts");
    assert!(
        start.is_some() && place("`attack` is cut off").is_some(),
        "{texts:?}"
    );
    assert_eq!(whole["marks"][lines_of(&whole, "n6")], "run");
    // Back again, to the begin of the tick, and to the tick before.
    for nth in (0..texts.len()).rev() {
        talk.say(r#"{"say": "event", "by": -1, "mind": 0}"#);
        let view = until(&mut talk, r#""mind": 0"#, |_| true);
        assert_eq!(
            (&view["tick"], &view["event"]["nth"]),
            (&190.into(), &nth.into())
        );
    }
    talk.say(r#"{"say": "event", "by": -1, "mind": 0}"#);
    let view = until(&mut talk, r#""mind": 0"#, |_| true);
    assert_eq!(view["tick"], 189);
    assert_eq!(view["event"]["nth"], view["event"]["of"]);
    // Whoever plays on sees whole ticks.
    talk.say(r#"{"say": "step"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 190);
    assert_eq!(view["event"], serde_json::Value::Null);
    assert_eq!(view["marks"], whole["marks"]);
}

/// Where a line of the guard is.
/// A sentence of the server in English.
pub(crate) fn english(said: &serde_json::Value) -> String {
    let Some(says) = said["says"].as_str() else {
        return said.as_str().expect("a sentence").to_owned();
    };
    let with = said["with"].as_array().expect("what is in it");
    let fill = |text: String, one| text.replacen("{}", &english(one), 1);
    with.iter().fold(says.to_owned(), fill)
}

pub(crate) fn lines_of(view: &serde_json::Value, id: &str) -> usize {
    let known = view["definition"]["behaviour"]["lines"].as_array();
    let known = known.map(|lines| lines.iter().position(|line| line["id"] == id));
    known
        .flatten()
        .expect("the definition, as the view is asked for all of it")
}

#[test]
fn a_slow_client_gets_fewer_views_and_no_old_ones() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let (mut slow, mut quick) = (studio.talk(), studio.talk());
    slow.say(r#"{"say": "speed", "factor": 64}"#);
    slow.say(r#"{"say": "look", "nth": 1}"#);
    // It does not read its answer while another client gets hundreds.
    let mut seen = 0;
    let mut tick = 0;
    for _ in 0..300 {
        quick.say(&format!(r#"{{"say": "look", "nth": 1, "seen": {seen}}}"#));
        let view = quick.hear();
        seen = view["state"].as_u64().expect("a number");
        tick = view["tick"].as_u64().expect("a number");
    }
    // The answer is the only one that was made for it, although time went on.
    let old = slow.hear();
    assert!(old["tick"].as_u64() < Some(tick), "{tick}");
    slow.say(r#"{"say": "hello"}"#);
    assert_eq!(slow.hear()["kind"], "hello", "nothing else waits for it");
    // The next one is of now.
    slow.say(&format!(
        r#"{{"say": "look", "nth": 2, "seen": {}}}"#,
        old["state"]
    ));
    let new = slow.hear();
    assert!(new["tick"].as_u64() >= Some(tick), "{tick}");
    assert_eq!(new["tick"], new["last"]);
}
