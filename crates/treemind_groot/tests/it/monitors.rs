//! What monitors see and do.

use crate::client::Client;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use treemind::core::host::Scripted;
use treemind::core::{Population, Program, Trace};
use treemind::prelude::*;
use treemind_groot::{Groot, Log, LogWriter};

const GUARD: &[u8] = b"blackboard { key health type=int default=7; }
leaves { condition see; action walk; action fight; }
tree guard { reactive-selector { sequence name=alarm { condition see; action fight; }; action walk name=\"<go>\"; } }";

const TICK: Duration = Duration::from_millis(50);

/// A guard whose leaves answer from a script, and who traces its own ticks.
struct Guard {
    population: Population,
    host: Scripted,
    trace: Trace,
}

impl Guard {
    fn new(answers: &str) -> Self {
        let document = Document::read(GUARD, "guard.kdl");
        let behaviour = document.behaviour(None).expect("a guard");
        let script = treemind::doc::script::parse(answers, "day.txt").expect("a script");
        let mut host = Scripted::new(&behaviour, 1);
        for (label, answers) in &script.entries {
            assert!(host.set(0, label, answers), "{label}");
        }
        Self {
            population: Population::new(Arc::new(Program::new(behaviour)), 1),
            host,
            trace: Trace::new(),
        }
    }

    fn tick(&mut self, groot: &Groot, name: &str) {
        self.trace.clear();
        self.population
            .tick_traced(&mut self.host, TICK, &mut self.trace);
        groot.show(name, &self.population, 0, &self.trace);
    }

    /// The same, with the answers that monitors replace.
    fn tick_asked(&mut self, groot: &Groot, name: &str) {
        groot.replace_answers(name, &mut self.population, &mut self.host);
        self.tick(groot, name);
    }
}

fn open() -> Groot {
    Groot::open(0).expect("two free ports")
}

fn next(address: SocketAddr) -> SocketAddr {
    (address.ip(), address.port() + 1).into()
}

#[test]
fn a_monitor_sees_the_tree_and_what_it_does() {
    let groot = open();
    let mut guard = Guard::new("see: F S S F\nfight: R R\n<go>: R");
    guard.tick(&groot, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    let xml = String::from_utf8(monitor.ask(b'T', None)).expect("a text");
    let lines: Vec<&str> = xml.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"guard\">",
            "<BehaviorTree ID=\"guard\" _fullpath=\"\">",
            "<ReactiveFallback name=\"ReactiveFallback\" _uid=\"1\">",
            "<Sequence name=\"alarm\" _uid=\"2\">",
            "<see name=\"see\" _uid=\"3\"/>",
            "<fight name=\"fight\" _uid=\"4\"/>",
            "</Sequence>",
            "<walk name=\"&lt;go&gt;\" _uid=\"5\"/>",
            "</ReactiveFallback>",
            "</BehaviorTree>",
            "<TreeNodesModel>",
            "<Control ID=\"ReactiveFallback\"/>",
            "<Control ID=\"Sequence\"/>",
            "<Action ID=\"fight\"/>",
            "<Condition ID=\"see\"/>",
            "<Action ID=\"walk\"/>",
            "</TreeNodesModel>",
            "</root>",
        ]
    );
    // It walks, and has not seen anybody.
    assert_eq!(
        monitor.statuses(),
        [(1, 1), (2, 13), (3, 13), (4, 0), (5, 1)]
    );
    // It fights: the walk was given up.
    guard.tick(&groot, "guard");
    assert_eq!(
        monitor.statuses(),
        [(1, 1), (2, 1), (3, 2), (4, 1), (5, 11)]
    );
    // {"guard": {"health": 7}}
    let keys = monitor.ask(b'B', Some("guard"));
    assert_eq!(keys, b"\xdf\0\0\0\x01\xdb\0\0\0\x05guard\xdf\0\0\0\x01\xdb\0\0\0\x06health\xd3\0\0\0\0\0\0\0\x07");
    assert_eq!(monitor.ask(b'B', Some("nobody")), b"\xdf\0\0\0\0");
}

/// Monitors show what nodes give to their ports, in the words of BehaviorTree.CPP where it has some.
#[test]
fn a_monitor_sees_ports_conditions_and_hooks() {
    let text = r#"blackboard { key goal type=vec2; key tries type=int; }
        leaves { action go { param to type=vec2; param speed type=float default=1.0; }; decorator slowly { param rate type=float; }; }
        tree main {
            sequence {
                set "tries = 0" on-success="tries += 1"
                check "tries < 3 && tries > 0" fail-if="tries == 9"
                repeat 3 { wait 2.5; }
                retry forever { timeout 0.25 { delay 1.0 { action go to="{goal}" speed=0.5 skip-if="tries == 2" while="tries < 8"; }; }; }
                node slowly rate=10.0 name=slow { action go to="{goal}"; }
                wait "tries + 0.5"
                on-change tries else=running { switch tries { case 1 { succeed; }; case 2 { fail; }; default { changed tries; }; }; }
            }
        }"#;
    let document = Document::parse(text, "main.kdl");
    let behaviour = document.behaviour(None).expect("a tree");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::new();
    population.tick_traced(&mut host, TICK, &mut trace);
    let groot = open();
    groot.show("main", &population, 0, &trace);
    let mut monitor = Client::connect(groot.address(), "REQ");
    let xml = String::from_utf8(monitor.ask(b'T', None)).expect("a text");
    for line in [
        r#"<Script name="Script" _uid="2" code="tries = 0" _onSuccess="tries += 1"/>"#,
        r#"<ScriptCondition name="ScriptCondition" _uid="3" code="tries &lt; 3 &amp;&amp; tries &gt; 0" _failureIf="tries == 9"/>"#,
        r#"<Repeat name="Repeat" _uid="4" num_cycles="3">"#,
        r#"<Sleep name="Sleep" _uid="5" msec="2500"/>"#,
        r#"<RetryUntilSuccessful name="RetryUntilSuccessful" _uid="6" num_attempts="-1">"#,
        r#"<Timeout name="Timeout" _uid="7" msec="250">"#,
        r#"<Delay name="Delay" _uid="8" delay_msec="1000">"#,
        r#"<go name="go" _uid="9" to="{goal}" speed="0.5" _skipIf="tries == 2" _while="tries &lt; 8"/>"#,
        r#"<slowly name="slow" _uid="10" rate="10.0">"#,
        r#"<go name="go" _uid="11" to="{goal}" speed="1.0"/>"#,
        r#"<Sleep name="Sleep" _uid="12"/>"#,
        r#"<WaitValueUpdate name="WaitValueUpdate" _uid="13" entry="{tries}">"#,
        r#"<Switch2 name="Switch2" _uid="14">"#,
        r#"<WasEntryUpdated name="WasEntryUpdated" _uid="17" entry="{tries}"/>"#,
        r#"<inout_port name="speed"/>"#,
        r#"<Decorator ID="slowly">"#,
    ] {
        assert!(
            xml.lines().any(|found| found.trim() == line),
            "{line}\n{xml}"
        );
    }
    roxmltree::Document::parse(&xml).expect("well-formed");
}

#[test]
fn changes_are_recorded() {
    let groot = open();
    let mut guard = Guard::new("see: F S\nfight: R\n<go>: R");
    guard.tick(&groot, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    let since = monitor.ask(b'r', Some("start"));
    assert!(
        String::from_utf8_lossy(&since)
            .parse::<u64>()
            .expect("a number")
            > 1_000_000
    );
    guard.tick(&groot, "guard");
    let bytes = monitor.ask(b't', None);
    let rows: Vec<(u64, u16, u8)> = bytes
        .chunks(9)
        .map(|row| {
            let mut micros = [0; 8];
            micros[..6].copy_from_slice(&row[..6]);
            let uid = u16::from_le_bytes([row[6], row[7]]);
            (u64::from_le_bytes(micros), uid, row[8])
        })
        .collect();
    assert_eq!(
        rows,
        [
            (50_000, 3, 2),
            (50_000, 4, 1),
            (50_000, 2, 1),
            (50_000, 5, 11)
        ]
    );
    assert_eq!(monitor.ask(b't', None), b"");
    assert_eq!(monitor.ask(b'r', Some("stop")), b"");
    guard.tick(&groot, "guard");
    assert_eq!(monitor.ask(b't', None), b"");
}

#[test]
fn a_breakpoint_stops_the_loop_of_the_game() {
    let groot = open();
    let mut guard = Guard::new("see: F F S\nfight: R\n<go>: R");
    guard.tick(&groot, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    let mut notes = Client::connect(next(groot.address()), "SUB");
    notes.send(&[b"\x01"]);
    // The subscription is heard before the breakpoint is reached.
    std::thread::sleep(Duration::from_millis(200));
    let hook =
        r#"{"enabled":true,"uid":4,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}"#;
    monitor.ask(b'I', Some(hook));
    let mut ticks = 0;
    while groot.wants_tick() && ticks < 10 {
        guard.tick(&groot, "guard");
        ticks += 1;
    }
    // It fights from the third tick on.
    assert_eq!(ticks, 2);
    assert!(!groot.wants_tick());
    let note = notes.receive();
    assert_eq!((&note[0][..2], &note[1][..]), (&[2, b'N'][..], &b"4"[..]));
    let dump = String::from_utf8(monitor.ask(b'D', None)).expect("a text");
    assert!(
        dump.starts_with("[{") && dump.contains("\"uid\":4"),
        "{dump}"
    );
    let on = r#"{"uid":4,"desired_status":"SKIPPED","position":0,"remove_when_done":false}"#;
    monitor.ask(b'U', Some(on));
    assert!(groot.wants_tick());
    guard.tick(&groot, "guard");
    assert!(!groot.wants_tick());
    monitor.ask(b'R', Some(r#"{"uid":4,"position":0}"#));
    assert!(groot.wants_tick());
    assert_eq!(monitor.ask(b'D', None), b"[]");
}

/// A node with such a hook answers as the monitor wants, without being ticked; what runs in it is aborted.
#[test]
fn a_monitor_replaces_answers() {
    let groot = open();
    let mut guard = Guard::new("see: S\nfight: S R\n<go>: R");
    guard.tick_asked(&groot, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    assert_eq!(monitor.statuses()[1..4], [(2, 12), (3, 12), (4, 12)]);
    let mut notes = Client::connect(next(groot.address()), "SUB");
    notes.send(&[b"\x01"]);
    std::thread::sleep(Duration::from_millis(200));
    let hook = |uid: u16, status: &str, once: bool| {
        format!(
            r#"{{"enabled":true,"uid":{uid},"mode":1,"once":{once},"desired_status":"{status}","position":0}}"#
        )
    };
    // It sees nobody, and walks.
    monitor.ask(b'I', Some(&hook(3, "FAILURE", false)));
    assert!(groot.wants_tick());
    guard.tick_asked(&groot, "guard");
    assert!(groot.wants_tick());
    let line = |guard: &Guard| {
        let behaviour = guard.population.program().behaviour();
        guard.trace.plain_line(behaviour, 0, 1, "")
    };
    assert!(
        line(&guard).contains("tick <go> RUNNING"),
        "{}",
        line(&guard)
    );
    assert!(!line(&guard).contains("tick see"), "{}", line(&guard));
    assert_eq!(
        monitor.statuses(),
        [(1, 1), (2, 13), (3, 13), (4, 12), (5, 1)]
    );
    let note = notes.receive();
    assert_eq!((&note[0][..2], &note[1][..]), (&[2, b'N'][..], &b"3"[..]));
    let dump = String::from_utf8(monitor.ask(b'D', None)).expect("a text");
    assert!(
        dump.contains("\"mode\":1") && dump.contains("FAILURE"),
        "{dump}"
    );
    // The uids, the name of the tree and its hooks stay, and so do the keys.
    assert_eq!(monitor.ask(b'B', Some("guard"))[..5], *b"\xdf\0\0\0\x01");
    // A whole branch, once.
    monitor.ask(b'I', Some(&hook(2, "SUCCESS", true)));
    guard.tick_asked(&groot, "guard");
    assert_eq!(monitor.statuses()[..2], [(1, 12), (2, 12)]);
    let dump = String::from_utf8(monitor.ask(b'D', None)).expect("a text");
    assert!(!dump.contains("\"uid\":2"), "{dump}");
    // What says nothing of an end lets the node answer by itself.
    monitor.ask(b'I', Some(&hook(3, "RUNNING", false)));
    guard.tick_asked(&groot, "guard");
    assert!(
        line(&guard).contains("tick see SUCCESS; tick fight RUNNING"),
        "{}",
        line(&guard)
    );
    // What runs in it is aborted.
    monitor.ask(b'I', Some(&hook(2, "FAILURE", false)));
    guard.tick_asked(&groot, "guard");
    assert!(guard.population.program().behaviour().node_ids().count() == 5);
    assert_eq!(monitor.statuses()[1..], [(2, 13), (3, 12), (4, 11), (5, 1)]);
    monitor.ask(b'A', None);
    guard.tick_asked(&groot, "guard");
    assert!(
        line(&guard).contains("tick see SUCCESS; tick fight RUNNING"),
        "{}",
        line(&guard)
    );
    let after = hook(3, "FAILURE", false).replace("\"position\":0", "\"position\":1");
    let said = monitor.refused(b'I', Some(&after));
    assert!(said.contains("position 0"), "{said}");
}

/// The same of a mind, whose ticks are on a tape.
#[test]
fn answers_of_a_mind_are_replaced() {
    let groot = open();
    let text = b"tree guard { sequence { fail; wait 1.0; } }";
    let leaves = Registry::<()>::new();
    let mut mind = Mind::read(text, "guard.kdl", &leaves).expect("a mind");
    groot.watch(&mut mind, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    let tick = |mind: &mut Mind<()>| {
        let (population, bound) = mind.parts();
        groot.replace_answers("guard", population, &mut bound.host(&mut ()));
        mind.tick(&mut (), TICK)
    };
    assert_eq!(tick(&mut mind), Status::Failure);
    assert_eq!(tick(&mut mind), Status::Failure);
    let hook = r#"{"uid":2,"mode":1,"desired_status":"SUCCESS"}"#;
    monitor.ask(b'I', Some(hook));
    assert_eq!(tick(&mut mind), Status::Running);
    assert_eq!(monitor.statuses(), [(1, 1), (2, 2), (3, 1)]);
    assert_eq!(tick(&mut mind), Status::Running);
    monitor.ask(b'R', Some(r#"{"uid":2}"#));
    tick(&mut mind);
    assert_eq!(tick(&mut mind), Status::Running);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let groot = open();
    let mut monitor = Client::connect(groot.address(), "REQ");
    // Nothing has ticked yet.
    assert_eq!(monitor.statuses(), [(1, 0)]);
    Guard::new("see: S").tick(&groot, "guard");
    for (kind, more, why) in [
        (b'?', None, "unknown request 63"),
        (b'B', None, "this request has a second part"),
        (b'I', Some("{"), "EOF"),
        (b'I', Some(r#"{"uid":99}"#), "there is no node 99"),
        (
            b'I',
            Some(r#"{"uid":1,"mode":1}"#),
            "answers of nodes are not replaced",
        ),
        (b'I', Some(r#"{"uid":1,"position":2}"#), "0 or 1"),
        (b'I', Some(r#"{"uid":1,"mode":2}"#), "the mode of a hook"),
        (b'I', Some(r#"{"uid":1,"mode":"x"}"#), "the mode of a hook"),
        (
            b'I',
            Some(r#"{"uid":1,"desired_status":"BLUE"}"#),
            "the `desired_status` \"BLUE\" is not a status",
        ),
        (b'U', Some(r#"{"uid":1}"#), "there is no hook at node 1"),
        (b'R', Some(r#"{"uid":1}"#), "there is no hook at node 1"),
        (b'r', Some("now"), "`start` or `stop`"),
    ] {
        let said = monitor.refused(kind, more);
        assert!(said.contains(why), "{said}");
    }
    monitor.send(&[b"", b"\x03S\0\0\0\0"]);
    assert_eq!(monitor.receive()[1], b"error");
    monitor.send(&[b"", b"short"]);
    assert_eq!(monitor.receive()[1], b"error");
    // Who speaks something else is sent away, and others do not notice.
    let mut stranger = TcpStream::connect(groot.address()).expect("a server");
    stranger
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("bytes");
    stranger.write_all(&[0; 64]).expect("bytes");
    let mut all = Vec::new();
    let _ = stranger.read_to_end(&mut all);
    let flood = Client::connect(groot.address(), "REQ");
    flood.send_and_be_sent_away(&[0; 2 << 20]);
    assert_eq!(monitor.statuses().len(), 5);
}

#[test]
fn many_trees_are_at_one_address() {
    let groot = open();
    let (mut one, mut two) = (
        Guard::new("see: F\n<go>: R"),
        Guard::new("see: S\nfight: R"),
    );
    one.tick(&groot, "one");
    let mut monitor = Client::connect(groot.address(), "REQ");
    let before = monitor.ask_all(b'T', None)[0].clone();
    two.tick(&groot, "two");
    let after = monitor.ask_all(b'T', None);
    assert_ne!(
        before, after[0],
        "monitors see by the name that the tree is another one"
    );
    let xml = String::from_utf8_lossy(&after[1]);
    for part in [
        "main_tree_to_execute=\"Treemind\"",
        "<SubTree ID=\"two\" name=\"two\" _uid=\"3\" _fullpath=\"two\"/>",
        "<BehaviorTree ID=\"one\" _fullpath=\"one\">",
        "<walk name=\"&lt;go&gt;\" _uid=\"13\"/>",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    let statuses = monitor.statuses();
    assert_eq!(statuses[..3], [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(statuses.len(), 13);
    assert_eq!(statuses[11..], [(12, 1), (13, 0)]);
}

#[test]
fn a_mind_is_watched_with_one_line() {
    let groot = open();
    let text = b"tree guard { sequence { wait 0.1; wait 0.1; fail; } }";
    let leaves = Registry::<()>::new();
    let mut mind = Mind::read(text, "guard.kdl", &leaves).expect("a mind");
    groot.watch(&mut mind, "guard");
    let mut monitor = Client::connect(groot.address(), "REQ");
    mind.tick(&mut (), TICK);
    assert_eq!(monitor.statuses(), [(1, 1), (2, 1), (3, 0), (4, 0)]);
    for _ in 0..3 {
        mind.tick(&mut (), TICK);
    }
    assert_eq!(monitor.statuses()[1..3], [(2, 2), (3, 1)]);
    monitor.ask(b'I', Some(r#"{"uid":4}"#));
    let begun = Instant::now();
    while groot.wants_tick() {
        mind.tick(&mut (), TICK);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    // It failed, and is idle.
    assert_eq!(monitor.statuses(), [(1, 13), (2, 12), (3, 12), (4, 13)]);
}

#[test]
fn a_log_that_groot2_plays() {
    let mut guard = Guard::new("see: F S\nfight: R\n<go>: R");
    let mut writer = LogWriter::new("guard");
    for _ in 0..2 {
        guard.trace.clear();
        guard
            .population
            .tick_traced(&mut guard.host, TICK, &mut guard.trace);
        assert!(writer.tick(&guard.population, 0, &guard.trace));
    }
    let mut bytes = writer.finish(1_000_000);
    assert!(bytes.starts_with(b"BTCPP4-FileLogger2\x01"));
    let log = Log::read(&bytes).expect("a log");
    assert_eq!(log.begin_micros, 1_000_000);
    let names = log.names();
    let rows: Vec<String> = log
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {}",
                row.micros / 1_000,
                names[&row.uid],
                row.status_name()
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "50 see FAILURE",
            "50 alarm FAILURE",
            "50 <go> RUNNING",
            "50 ReactiveFallback RUNNING",
            "50 alarm IDLE",
            "50 see IDLE",
            "100 see SUCCESS",
            "100 fight RUNNING",
            "100 alarm RUNNING",
            "100 <go> IDLE",
        ]
    );
    // What is cut off is read as far as it is whole, and never panics.
    bytes.pop();
    assert_eq!(Log::read(&bytes).expect("a log").rows.len(), 9);
    for length in 0..bytes.len() {
        let read = Log::read(&bytes[..length]);
        assert!(read.is_err() || read.is_ok_and(|log| log.rows.len() <= 9));
    }
    bytes[18] = 2;
    let error = Log::read(&bytes).expect_err("another version");
    assert_eq!(error.to_string(), "only version 1 of these logs is read");
}
