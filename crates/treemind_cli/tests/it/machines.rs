//! State machines on the command line.

use crate::{assert_ran, data, treemind, treemind_in};

#[test]
fn a_machine_is_checked() {
    assert_ran(
        &treemind("check robot.kdl"),
        0,
        "",
        "1 file checked: no errors, no warnings\n",
    );
}

#[test]
fn a_line_per_tick() {
    let expected = "\
1 RUNNING | state robot on-duty/search
2 RUNNING | tick fight FAILURE; tick dirty FAILURE; tick look SUCCESS; state robot on-duty/search
3 RUNNING | tick fight FAILURE; tick dirty SUCCESS; state robot on-duty/clean
4 RUNNING | tick fight FAILURE; tick sweep RUNNING; state robot on-duty/clean
5 RUNNING | tick fight SUCCESS; halt sweep; tick beep SUCCESS; state robot hide
6 RUNNING | tick fight SUCCESS; state robot on-duty/clean
7 RUNNING | tick fight FAILURE; tick sweep RUNNING; state robot on-duty/clean
7 HALTTREE | halt sweep
";
    let trace = "trace robot.kdl --script robot.txt --ticks 7 --halt-at 7";
    assert_ran(&treemind(trace), 0, expected, "");
    let named = format!("{trace} --machine robot");
    assert_ran(&treemind(&named), 0, expected, "");
    // A tree that contains the machine goes through the same states.
    let in_a_tree = format!("{trace} --tree shift");
    assert_ran(&treemind(&in_a_tree), 0, expected, "");
}

#[test]
fn events_as_json() {
    let ran = treemind("trace robot.kdl --script robot.txt --ticks 6 --format json");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    // What machines do, each as one line.
    let moves = |tick: usize| -> Vec<String> {
        let events = lines[tick - 1]["events"].as_array().expect("a list");
        let told = events.iter().filter_map(|event| {
            let word = event["event"].as_str()?;
            let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
            match word {
                "enter-state" | "leave-state" => Some(format!("{word} {}", text("state"))),
                "take" | "refuse" => {
                    assert_eq!(event["kind"], "machine");
                    assert_eq!(event["name"], "robot");
                    let (number, to) = (&event["transition"], &event["to"]);
                    Some(format!(
                        "{word} {number} {} {to} {} {}",
                        text("from"),
                        text("text"),
                        text("why")
                    ))
                }
                _ => None,
            }
        });
        told.collect()
    };
    let entered = [
        "enter-state robot",
        "enter-state on-duty",
        "enter-state search",
    ];
    assert_eq!(moves(1), entered);
    let refused = [
        "refuse 0 on-duty [\"hide\"] → hide when { fight } guard",
        "refuse 1 search [\"clean\"] → clean when=\"hits < 3\" when { dirty } guard",
    ];
    assert_eq!(moves(2), refused);
    let taken = [
        "refuse 0 on-duty [\"hide\"] → hide when { fight } guard",
        "take 1 search [\"clean\"] → clean when=\"hits < 3\" when { dirty } ",
        "leave-state search",
        "enter-state clean",
    ];
    assert_eq!(moves(3), taken);
    let back = [
        "take 4 hide [\"on-duty\"] → on-duty history=deep when { not fight } ",
        "leave-state hide",
        "enter-state on-duty",
        "enter-state clean",
    ];
    assert_eq!(moves(6), back);
}

#[test]
fn why_a_transition_is_not_taken() {
    let document = br#"blackboard { key yes type=bool default=#true; key no type=bool; }
machine m {
    initial a
    transition to=b when="yes"
    state a { transition to=c when="yes"; }
    state b { transition to=closed when="yes"; transition to=c when="no"; }
    state c
    state closed enter-if="no"
}"#;
    let ran = treemind_in(
        std::path::Path::new("."),
        "trace - --ticks 3 --format json",
        document,
    );
    let whys: Vec<Vec<String>> = ran
        .out
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("an object");
            let events = line["events"].as_array().expect("a list");
            let whys = events.iter().filter_map(|event| event["why"].as_str());
            whys.map(str::to_owned).collect()
        })
        .collect();
    assert_eq!(
        whys,
        [vec![], vec!["beaten"], vec!["active", "closed", "guard"]]
    );
}

#[test]
fn the_log_tells_what_a_machine_does() {
    let ran = treemind("run robot.kdl --script robot.txt --ticks 6 --no-ui");
    let expected = "6 ticks, 0.30 s, no faults; the root answers RUNNING\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, expected));
    for line in [
        "     1     0.05 s  robot enters search\n",
        "     5     0.25 s  robot takes on-duty → hide when { fight }\n",
        "     6     0.30 s  robot enters clean\n",
    ] {
        assert!(ran.out.contains(line), "{line} is missing:\n{}", ran.out);
    }
}

#[test]
fn a_machine_as_an_outline() {
    let expected = "\
machine blinker
  initial off
  state off
    → on
  state on
    entry
      action beep
    → off
";
    let ran = treemind("print robot.kdl --machine blinker");
    assert_ran(&ran, 0, expected, "");
    let ran = treemind("print robot.kdl --tree shift");
    let line =
        "\n    machine robot when=\"hits < 5\"  // cleans, and hides when there is a fight\n";
    assert!(
        ran.out.contains(&format!("{line}      initial on-duty\n")),
        "{}",
        ran.out
    );
}

#[test]
fn the_size_of_a_machine() {
    let ran = treemind("print robot.kdl --stats");
    let counts = "\
machine robot
  nodes: 9, on 2 levels
    action     4
    condition  3
    machine    1
    set        1
  machine robot: 5 states on 2 levels, 5 transitions
  leaves of the host: 6
";
    assert!(ran.out.starts_with(counts), "{}", ran.out);
}

#[test]
fn a_script_names_what_the_machine_has() {
    let ran = treemind_in(
        &data(),
        "trace robot.kdl --script - --ticks 1",
        b"sweeep: S\n",
    );
    let expected = "\
standard input:1: error: machine `robot` has no condition or action `sweeep`
  help: did you mean `sweep`?
";
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn a_livelock_names_what_it_goes_through() {
    let document = "blackboard { key n type=int default=1; }
machine m mode=statechart {
    initial quiet
    state quiet { transition to=b after=0.1; }
    state a { transition to=b when=\"n > 0\"; }
    state b { transition to=c when=\"n > 0\"; }
    state c { transition to=a when=\"n > 0\"; transition when=\"n > 5\" { set \"n = 2\"; }; }
}";
    let here = std::path::Path::new(".");
    let round = "the machine is in an endless loop, a → b → c → a: it is back where it was before";
    let plain = treemind_in(here, "trace - --ticks 2", document.as_bytes());
    let told = format!("fault: tick 2: m: {round}\n");
    assert_ran(
        &plain,
        0,
        "1 RUNNING | state m quiet\n2 RUNNING | state m quiet\n",
        &told,
    );
    let json = treemind_in(here, "trace - --ticks 2 --format json", document.as_bytes());
    let text = format!("\"event\":\"fault\",\"text\":\"{round}\"");
    assert!(json.out.contains(&text), "{}", json.out);
}

#[test]
fn why_tells_of_every_transition_what_stopped_it() {
    let document = br#"blackboard { key yes type=bool default=#true; key no type=bool; }
leaves { event noise; }
machine m {
    initial a
    transition to=b when="yes"
    state a { transition to=c when="yes"; transition to=c on=noise; }
    state b {
        do { wait 9.0; }
        transition to=closed when="yes"
        transition to=c when="no"
        transition to=c done=success
        transition to=c after=0.25 when="no"
    }
    state c
    state closed enter-if="no"
}"#;
    let here = std::path::Path::new(".");
    let plain = treemind_in(here, "trace - --ticks 5 --why", document);
    let expected = "\
1 RUNNING | state m a
2 RUNNING | state m b
    m: m \u{2192} b when=\"yes\": taken
    m: a \u{2192} c when=\"yes\": `m \u{2192} b` was taken in this region
    m: a \u{2192} c on=noise: no such event came
3 RUNNING | state m b
    m: m \u{2192} b when=\"yes\": its state is active already
    m: b \u{2192} closed when=\"yes\": `closed` cannot be entered now
    m: b \u{2192} c when=\"no\": its condition does not hold
    m: b \u{2192} c done=success: not done with success
    m: b \u{2192} c after=0.25 when=\"no\": 0.15 s to go
4 RUNNING | state m b
    m: m \u{2192} b when=\"yes\": its state is active already
    m: b \u{2192} closed when=\"yes\": `closed` cannot be entered now
    m: b \u{2192} c when=\"no\": its condition does not hold
    m: b \u{2192} c done=success: not done with success
    m: b \u{2192} c after=0.25 when=\"no\": 0.05 s to go
5 RUNNING | state m b
    m: m \u{2192} b when=\"yes\": its state is active already
    m: b \u{2192} closed when=\"yes\": `closed` cannot be entered now
    m: b \u{2192} c when=\"no\": its condition does not hold
    m: b \u{2192} c after=0.25 when=\"no\": its condition does not hold
    m: b \u{2192} c done=success: not done with success
";
    assert_eq!((plain.code, plain.out.as_str()), (0, expected));
    let json = treemind_in(here, "trace - --ticks 2 --why --format json", document);
    let last = json.out.lines().last().expect("two lines");
    let last: serde_json::Value = serde_json::from_str(last).expect("an object");
    assert_eq!(
        last["candidates"][2],
        serde_json::json!({
            "node": 0, "name": "m", "transition": 2, "from": "a", "to": ["c"],
            "text": "\u{2192} c on=noise", "why": "not-armed", "words": "no such event came",
        })
    );
}

#[test]
fn why_says_what_became_of_an_event() {
    let document = br#"leaves { event go; }
machine body {
    initial moving
    parallel moving {
        state legs { initial rest; state rest { transition to=walk on=go; transition to=run on=go; }; state walk; state run; }
        state arms { initial down; state down { transition to=up on=go; }; state up; }
    }
}
main tree=t
tree t { parallel { machine body; sequence { emit go; run; }; }; }"#;
    let here = std::path::Path::new(".");
    let plain = treemind_in(here, "trace - --ticks 3 --why", document);
    let expected = "\
1 RUNNING | state body moving/legs/rest+moving/arms/down
2 RUNNING | state body moving/legs/walk+moving/arms/up
    body: rest \u{2192} walk on=go: taken
    body: down \u{2192} up on=go: taken
    body: rest \u{2192} run on=go: the event came, and `rest \u{2192} walk` was taken in this region
3 RUNNING | state body moving/legs/walk+moving/arms/up
";
    assert_eq!((plain.code, plain.out.as_str()), (0, expected));
}

#[test]
fn why_says_that_a_decision_tree_led_nowhere() {
    let document = br#"blackboard { key hungry type=bool; }
decide where-to { test "hungry" { state eating; }; none; }
main machine=m
machine m { initial idle; state idle { transition decide=where-to; }; state eating; }"#;
    let here = std::path::Path::new(".");
    let plain = treemind_in(here, "trace - --ticks 2 --why", document);
    let expected = "\
1 RUNNING | state m idle
2 RUNNING | state m idle
    m: idle \u{2192} eating: its decision tree led to no state
";
    assert_eq!((plain.code, plain.out.as_str()), (0, expected));
}

#[test]
fn the_trace_has_the_path_of_a_state() {
    let robot = treemind("trace robot.kdl --script robot.txt --ticks 1 --format json");
    let entered = r#""event":"enter-state","state":"search","path":["on-duty","search"]"#;
    assert!(robot.out.contains(entered), "{}", robot.out);
    assert!(!robot.out.contains("candidates"), "{}", robot.out);
}

/// A machine in KDL with events, times, keys and leaves.
const LAMP: &[u8] = b"
blackboard { key power type=float default=1.0; key mood type=enum { value calm angry; }; }
leaves { event press { param force type=int; param hand type=string default=left; }; event blow; condition broken; action glow; }
machine lamp {
    initial off
    state off { transition to=on on=press when=\"event.force > 2 && power > 0\"; }
    state on {
        do { action glow; }
        transition to=off after=2.0
        transition to=off done=success
        transition to=dark on=blow
    }
    state dark { transition to=off when=\"mood == angry\"; }
}
tree other { action glow; }
";

#[test]
fn machines_in_kdl_are_played_event_by_event() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lamp.kdl"), LAMP).unwrap();
    let play = |input: &[u8]| treemind_in(folder.path(), "machine lamp.kdl", input);
    let input = b"press\t{\"force\": 1}\npress\t3\n@wait 1900\n@wait 100\npress\t9\nblow\n\n@set mood \"angry\"\n\
        @set mood \"calm\"\n@answer glow S\npress\t9\n@set power 0\npress\t9\n";
    let states = [
        "off", "off", "on", "on", "off", "on", "dark", "dark", "off", "off", "off", "off", "off",
        "off",
    ];
    let expected: String = states
        .iter()
        .map(|state| format!("[\"{state}\"]\n"))
        .collect();
    assert_ran(&play(input), 0, &expected, "");
}

#[test]
fn a_line_that_a_machine_in_kdl_cannot_take_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lamp.kdl"), LAMP).unwrap();
    for (line, reason) in [
        (
            "push",
            "there is no event `push`; there are `press`, `blow`",
        ),
        (
            "press",
            "`press` needs `force` of type int: press, a tab, {\"force\": …}",
        ),
        (
            "press\t{\"force\": \"hard\"}",
            "`press` needs `force` of type int: press, a tab, {\"force\": …}",
        ),
        ("@set powder 1", "there is no key `powder`"),
        (
            "@set power yes",
            "the value of `power` is not JSON: expected value at line 1 column 1",
        ),
        (
            "@set power true",
            "`power` is of type float, which this is not: true",
        ),
        (
            "@set power",
            "expected a key and a value in JSON after `@set`",
        ),
        ("@answer glow X", "`X` is not an answer"),
        (
            "@answer glue S",
            "no condition or action is named `glue`; there are `glow`",
        ),
        (
            "@go",
            "expected `@wait MS`, `@set KEY JSON` or `@answer NAME ANSWERS`",
        ),
        (
            "@wait long",
            "expected `wait` and a number of milliseconds after `@`",
        ),
    ] {
        let ran = treemind_in(folder.path(), "machine lamp.kdl", line.as_bytes());
        let expected = format!("error: standard input, line 1: {reason}\n");
        assert_ran(&ran, 1, "[\"off\"]\n", &expected);
    }
    let ran = treemind("machine guard.kdl");
    let expected = "error: `guard` is not a state machine; `treemind trace` plays trees\n";
    assert_ran(&ran, 1, "", expected);
    assert_eq!(treemind("machine guard.kdl --scxml door.scxml").code, 2);
    assert_eq!(treemind("machine").code, 2);
}
