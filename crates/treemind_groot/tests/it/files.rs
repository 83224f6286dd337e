//! Monitors, and logs, have the nodes of a file of BehaviorTree.CPP, and not those that it became.

use crate::client::Client;
use std::sync::Arc;
use std::time::Duration;
use treemind::core::host::Scripted;
use treemind::core::{Population, Program, Trace};
use treemind::prelude::*;
use treemind_groot::{Groot, LogWriter};

const TICK: Duration = Duration::from_millis(50);

const FILE: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
<BehaviorTree ID="Main">
  <Sequence>
    <Script code="n := 1" _onSuccess="m := 2"/>
    <Precondition if="n == 1" else="RUNNING"><Timeout msec="1500"><Action ID="Go" to="{goal}" speed="1.50"/></Timeout></Precondition>
    <SubTree ID="Grasp" name="left" n="{n}"/>
    <SubTree ID="Grasp" n="2" _skipIf="n == 2"/>
  </Sequence>
</BehaviorTree>
<BehaviorTree ID="Grasp">
  <Fallback name="grasp">
    <LoopInt queue="1;2" value="{x}"><Act name="A" x="{x}"/></LoopInt>
    <UnsetBlackboard key="{k}"/>
  </Fallback>
</BehaviorTree>
</root>"#;

fn played(answers: &str, ticks: usize, each: &mut dyn FnMut(&Population, &Trace)) {
    played_of(FILE, answers, ticks, each);
}

fn played_of(file: &str, answers: &str, ticks: usize, each: &mut dyn FnMut(&Population, &Trace)) {
    let document = Document::parse(file, "robot.xml");
    let behaviour = document.behaviour(None).expect("a tree");
    let script = treemind::doc::script::parse(answers, "day.txt").expect("a script");
    let mut host = Scripted::new(&behaviour, 1);
    for (label, answers) in &script.entries {
        assert!(host.set(0, label, answers), "{label}");
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::new();
    for _ in 0..ticks {
        trace.clear();
        population.tick_traced(&mut host, TICK, &mut trace);
        each(&population, &trace);
    }
}

#[test]
fn a_monitor_sees_the_elements_of_a_file() {
    let groot = Groot::open(0).expect("two free ports");
    let show = |answers: &str, ticks: usize| {
        played(answers, ticks, &mut |population, trace| {
            groot.show("Main", population, 0, trace);
        });
    };
    show("Go: S\nA: R", 1);
    let mut monitor = Client::connect(groot.address(), "REQ");
    let xml = String::from_utf8(monitor.ask(b'T', None)).expect("a text");
    let lines: Vec<&str> = xml.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            r#"<root BTCPP_format="4" main_tree_to_execute="Main">"#,
            r#"<BehaviorTree ID="Main" _fullpath="">"#,
            r#"<Sequence name="Sequence" _uid="1">"#,
            r#"<Script name="Script" _uid="2" code="n := 1" _onSuccess="m := 2"/>"#,
            r#"<Precondition name="Precondition" _uid="3" if="n == 1" else="RUNNING">"#,
            r#"<Timeout name="Timeout" _uid="4" msec="1500">"#,
            r#"<Go name="Go" _uid="5" to="{goal}" speed="1.50"/>"#,
            r#"</Timeout>"#,
            r#"</Precondition>"#,
            r#"<SubTree ID="Grasp" name="left" _uid="6" n="{n}" _fullpath="left"/>"#,
            r#"<SubTree ID="Grasp" name="Grasp" _uid="11" n="2" _skipIf="n == 2" _fullpath="Grasp::11"/>"#,
            r#"</Sequence>"#,
            r#"</BehaviorTree>"#,
            r#"<BehaviorTree ID="Grasp" _fullpath="left">"#,
            r#"<Fallback name="grasp" _uid="7">"#,
            r#"<LoopInt name="LoopInt" _uid="8" queue="1;2" value="{x}">"#,
            r#"<Act name="A" _uid="9" x="{x}"/>"#,
            r#"</LoopInt>"#,
            r#"<UnsetBlackboard name="UnsetBlackboard" _uid="10" key="{k}"/>"#,
            r#"</Fallback>"#,
            r#"</BehaviorTree>"#,
            r#"<BehaviorTree ID="Grasp" _fullpath="Grasp::11">"#,
            r#"<Fallback name="grasp" _uid="12">"#,
            r#"<LoopInt name="LoopInt" _uid="13" queue="1;2" value="{x}">"#,
            r#"<Act name="A" _uid="14" x="{x}"/>"#,
            r#"</LoopInt>"#,
            r#"<UnsetBlackboard name="UnsetBlackboard" _uid="15" key="{k}"/>"#,
            r#"</Fallback>"#,
            r#"</BehaviorTree>"#,
            r#"<TreeNodesModel>"#,
            r#"<Action ID="Act">"#,
            r#"<inout_port name="x"/>"#,
            r#"</Action>"#,
            r#"<Control ID="Fallback"/>"#,
            r#"<Action ID="Go">"#,
            r#"<inout_port name="speed"/>"#,
            r#"<inout_port name="to"/>"#,
            r#"</Action>"#,
            r#"<Decorator ID="LoopInt">"#,
            r#"<inout_port name="queue"/>"#,
            r#"<inout_port name="value"/>"#,
            r#"</Decorator>"#,
            r#"<Decorator ID="Precondition">"#,
            r#"<inout_port name="else"/>"#,
            r#"<inout_port name="if"/>"#,
            r#"</Decorator>"#,
            r#"<Action ID="Script">"#,
            r#"<inout_port name="code"/>"#,
            r#"</Action>"#,
            r#"<Control ID="Sequence"/>"#,
            r#"<Decorator ID="Timeout">"#,
            r#"<inout_port name="msec"/>"#,
            r#"</Decorator>"#,
            r#"<Action ID="UnsetBlackboard">"#,
            r#"<inout_port name="key"/>"#,
            r#"</Action>"#,
            r#"</TreeNodesModel>"#,
            r#"</root>"#,
        ]
    );
    // The call of a tree answers as its root does.
    let running = [1, 6, 7, 8, 9];
    for (uid, status) in monitor.statuses() {
        assert_eq!(status == 1, running.contains(&uid), "{uid}: {status}");
    }
    // Each tree has the keys that are its own, by their names.
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let main = text(monitor.ask(b'B', Some("Main")));
    assert!(
        main.contains("Main") && main.contains('n') && main.contains('m'),
        "{main}"
    );
    assert!(!main.contains('.'), "{main}");
    let left = text(monitor.ask(b'B', Some("left;Grasp::11")));
    assert!(
        left.contains("left") && left.contains("Grasp::11"),
        "{left}"
    );
    assert!(left.contains('x') && !left.contains('.'), "{left}");
    // Breakpoints are set at elements.
    let at =
        r#"{"enabled":true,"uid":6,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}"#;
    let mut ticks = 0;
    played("Go: S\nA: R", 2, &mut |population, trace| {
        groot.show("Main", population, 0, trace);
        assert_eq!(groot.wants_tick(), ticks == 0);
        if ticks == 0 {
            monitor.ask(b'I', Some(at));
        }
        ticks += 1;
    });
}

/// The names on a blackboard of a message in MessagePack, with whole numbers and texts as values.
fn on(board: &str, bytes: &[u8]) -> Vec<String> {
    fn count(bytes: &mut &[u8]) -> usize {
        let (head, rest) = bytes.split_at(4);
        *bytes = rest;
        u32::from_be_bytes(head.try_into().expect("four bytes")) as usize
    }
    fn tag(bytes: &mut &[u8]) -> u8 {
        let (head, rest) = bytes.split_at(1);
        *bytes = rest;
        head[0]
    }
    fn text(bytes: &mut &[u8]) -> String {
        let length = count(bytes);
        let (head, rest) = bytes.split_at(length);
        *bytes = rest;
        String::from_utf8(head.to_vec()).expect("a text")
    }
    let bytes = &mut &bytes[..];
    assert_eq!(tag(bytes), 0xdf);
    let mut found = Vec::new();
    for _ in 0..count(bytes) {
        assert_eq!(tag(bytes), 0xdb);
        let name = text(bytes);
        assert_eq!(tag(bytes), 0xdf);
        for _ in 0..count(bytes) {
            assert_eq!(tag(bytes), 0xdb);
            let key = text(bytes);
            let value = match tag(bytes) {
                0xd3 => {
                    let (head, rest) = bytes.split_at(8);
                    *bytes = rest;
                    i64::from_be_bytes(head.try_into().expect("eight bytes")).to_string()
                }
                0xdb => text(bytes),
                tag => panic!("{tag:x}"),
            };
            if name == board {
                found.push(format!("{key} = {value}"));
            }
        }
    }
    found.sort();
    found
}

/// What a call gives to a port stands on the blackboard of its tree, under the name of the port, as there: a literal
/// stands nowhere else, and a key on that of the caller, too.
#[test]
fn ports_stand_on_the_blackboard_of_the_tree_that_is_called() {
    let file = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
<BehaviorTree ID="Main">
  <Sequence>
    <Script code="n := 1; mood := 'calm'"/>
    <SubTree ID="Grasp" name="left" x="{n}" force="3" how="soft"/>
    <SubTree ID="Grasp" name="right" x="{n}" force="7" how="{mood}"/>
    <SubTree ID="Around" name="around" n="4"/>
  </Sequence>
</BehaviorTree>
<BehaviorTree ID="Grasp">
  <Sequence>
    <Script code="own := x + force"/>
    <Script code="force += 1"/>
    <Act how="{how}"/>
  </Sequence>
</BehaviorTree>
<BehaviorTree ID="Around">
  <SubTree ID="Grasp" name="inner" x="{n}" force="{n}" how="hard"/>
</BehaviorTree>
</root>"#;
    let groot = Groot::open(0).expect("two free ports");
    played_of(file, "Act: S", 1, &mut |population, trace| {
        groot.show("Main", population, 0, trace);
    });
    let mut monitor = Client::connect(groot.address(), "REQ");
    let mut board = |name: &str| on(name, &monitor.ask(b'B', Some(name)));
    assert_eq!(board("Main"), ["mood = calm", "n = 1"]);
    assert_eq!(
        board("left"),
        ["force = 4", "how = soft", "own = 4", "x = 1"]
    );
    assert_eq!(
        board("right"),
        ["force = 8", "how = calm", "own = 8", "x = 1"]
    );
    assert_eq!(board("around"), ["n = 5"]);
    assert_eq!(
        board("around/inner"),
        ["force = 5", "how = hard", "own = 8", "x = 5"]
    );
}

#[test]
fn a_log_has_the_elements_of_a_file() {
    let mut writer = LogWriter::new("Main");
    played("Go: R S\nA: R", 2, &mut |population, trace| {
        assert!(writer.tick(population, 0, trace));
    });
    let log = writer.log(0);
    let names = log.names();
    let rows = log.rows.iter().map(|row| {
        let name = &names[&row.uid];
        format!("{} {name} {}", row.micros / 1_000, row.status_name())
    });
    let rows: Vec<String> = rows.collect();
    for row in [
        "50 Script SUCCESS",
        "50 Go RUNNING",
        "50 Timeout RUNNING",
        "50 Precondition RUNNING",
        "100 Go SUCCESS",
        "100 A RUNNING",
        "100 left RUNNING",
        "100 grasp RUNNING",
    ] {
        assert!(rows.iter().any(|known| known == row), "{row}: {rows:#?}");
    }
}

/// A decorator resets its child when that has ended, and a reactive list all children but the one that runs.
#[test]
fn what_a_parent_has_reset_is_idle() {
    let file = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
<BehaviorTree ID="Main">
  <Parallel success_count="9" failure_count="9">
    <Repeat num_cycles="-1"><Action ID="A" name="a"/></Repeat>
    <KeepRunningUntilFailure><Sequence><Action ID="A" name="b"/></Sequence></KeepRunningUntilFailure>
    <Sequence><Action ID="A" name="c"/><Action ID="R" name="r"/></Sequence>
    <ReactiveSequence><Condition ID="C" name="d"/><Action ID="R" name="r"/></ReactiveSequence>
    <Fallback><SubTree ID="Sub"/></Fallback>
    <Action ID="A" name="e"/><Action ID="A" name="f"/><Action ID="A" name="g"/><Action ID="A" name="h"/>
  </Parallel>
</BehaviorTree>
<BehaviorTree ID="Sub"><Sequence><Action ID="A" name="i"/><Action ID="R" name="r"/></Sequence></BehaviorTree>
</root>"#;
    let groot = Groot::open(0).expect("two free ports");
    let mut writer = LogWriter::new("Main");
    played_of(file, "r: R", 3, &mut |population, trace| {
        groot.show("Main", population, 0, trace);
        assert!(writer.tick(population, 0, trace));
    });
    let mut monitor = Client::connect(groot.address(), "REQ");
    let log = writer.log(0);
    let names = log.names();
    let statuses = monitor.statuses();
    let seen = statuses.iter().filter_map(|(uid, status)| {
        let name = names.get(uid)?;
        (name.len() == 1 && name != "r").then(|| format!("{name} {status}"))
    });
    let seen: Vec<String> = seen.collect();
    assert_eq!(
        seen,
        [
            "a 12", "b 12", "c 2", "d 12", "i 2", "e 2", "f 2", "g 2", "h 2"
        ]
    );
    // A log has each run of such a child.
    let of = |name: &str| {
        let rows = log.rows.iter().filter(|row| names[&row.uid] == name);
        rows.map(|row| row.status_name()).collect::<Vec<_>>()
    };
    assert_eq!(of("a"), ["SUCCESS", "IDLE"].repeat(3));
    assert_eq!(of("d"), ["SUCCESS", "IDLE"].repeat(3));
    assert_eq!(of("c"), ["SUCCESS"]);
    assert_eq!(of("i"), ["SUCCESS"]);
}

/// In a database, nodes are called by their paths: a uid is only in those that have no name of their own.
#[test]
fn a_database_has_paths_of_nodes() {
    let mut writer = LogWriter::new("Main");
    played("Go: R S\nA: R", 2, &mut |population, trace| {
        assert!(writer.tick(population, 0, trace));
    });
    let bytes = writer.log(0).to_db3();
    let has = |path: &str| {
        bytes
            .windows(path.len())
            .any(|part| part == path.as_bytes())
    };
    for path in [
        "Script::2",
        "left/grasp",
        "left/LoopInt::8",
        "left/A",
        "Grasp::11/grasp",
    ] {
        assert!(has(path), "{path}");
    }
    for path in ["grasp::", "left::"] {
        assert!(!has(path), "{path}");
    }
}
