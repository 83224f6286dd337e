use crate::{assert_ran, data, treemind, treemind_in};

/// `enemy-dead` has `not=#true`: the node answers the opposite of what the script says.
const DAY: &str = "\
1 RUNNING | tick see-enemy FAILURE; tick patrol RUNNING
2 RUNNING | tick see-enemy SUCCESS; tick enemy-dead SUCCESS; tick attack RUNNING; halt patrol
3 RUNNING | tick see-enemy SUCCESS; tick enemy-dead SUCCESS; tick attack RUNNING
4 RUNNING | tick see-enemy SUCCESS; tick enemy-dead FAILURE; halt attack; tick patrol RUNNING
5 RUNNING | tick see-enemy FAILURE; tick patrol RUNNING
6 RUNNING | tick see-enemy FAILURE; tick patrol RUNNING
";

#[test]
fn a_line_per_tick() {
    assert_ran(
        &treemind("trace guard.kdl --script day.txt --ticks 6"),
        0,
        DAY,
        "",
    );
    assert_ran(
        &treemind("trace guard.kdl --tree guard --script day.txt --ticks 6 --seed 7 --dt 0.5"),
        0,
        DAY,
        "",
    );
}

#[test]
fn scripts_come_from_standard_input_as_well() {
    let script = std::fs::read(data().join("day.txt")).unwrap();
    let ran = treemind_in(&data(), "trace guard.kdl --script - --ticks 6", &script);
    assert_ran(&ran, 0, DAY, "");
}

#[test]
fn without_a_script_every_leaf_answers_success() {
    let expected =
        "1 SUCCESS | tick see-enemy SUCCESS; tick enemy-dead FAILURE; tick patrol SUCCESS\n";
    assert_ran(&treemind("trace guard.kdl --ticks 1"), 0, expected, "");
    assert_ran(&treemind("trace guard.kdl --ticks 0"), 0, "", "");
}

#[test]
fn halts_follow_their_ticks() {
    let expected = "\
1 RUNNING | tick see-enemy FAILURE; tick patrol RUNNING
1 HALTTREE | halt patrol
2 RUNNING | tick see-enemy SUCCESS; tick enemy-dead SUCCESS; tick attack RUNNING
3 RUNNING | tick see-enemy SUCCESS; tick enemy-dead SUCCESS; tick attack RUNNING
3 HALTTREE | halt attack
";
    let ran =
        treemind("trace guard.kdl --script day.txt --ticks 3 --halt-at 3 --halt-at 1 --halt-at 9");
    assert_ran(
        &ran,
        0,
        expected,
        "warning: `--halt-at 9` is after the last tick, 3\n",
    );
}

#[test]
fn nothing_to_halt_is_a_line_without_events() {
    let ran = treemind("trace guard.kdl --ticks 1 --halt-at 1");
    assert_eq!(ran.out.lines().last(), Some("1 HALTTREE"));
}

#[test]
fn time_passes_by_dt() {
    let document = b"leaves { action go; }\ntree a { sequence { wait 0.3; action go; }; }";
    let lines = |dt: &str| treemind_in(&data(), &format!("trace - --ticks 5 {dt}"), document).out;
    let end = "tick go SUCCESS";
    assert_eq!(
        lines("").lines().position(|line| line.contains(end)),
        Some(3)
    );
    assert_eq!(
        lines("--dt 0.3")
            .lines()
            .position(|line| line.contains(end)),
        Some(1)
    );
    assert_eq!(
        lines("--dt 0").lines().position(|line| line.contains(end)),
        None
    );
}

#[test]
fn events_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let document = b"leaves { condition see; action hit; }\ntree a { reactive-sequence name=fight { condition see; action hit; }; }";
    std::fs::write(folder.path().join("a.kdl"), document).unwrap();
    let ran = treemind_in(
        folder.path(),
        "trace a.kdl --script - --ticks 2 --halt-at 1 --format json",
        b"hit: R\nsee: S F\n",
    );
    let expected = r#"
{"tick":1,"status":"running","events":[
 {"node":0,"kind":"reactive-sequence","name":"fight","event":"enter"},
 {"node":1,"kind":"condition","name":"see","event":"tick","status":"success"},
 {"node":2,"kind":"action","name":"hit","event":"start"},
 {"node":2,"kind":"action","name":"hit","event":"tick","status":"running"},
 {"node":0,"kind":"reactive-sequence","name":"fight","event":"tick","status":"running"}]}
{"tick":1,"halted":true,"events":[
 {"node":2,"kind":"action","name":"hit","event":"abort"},
 {"node":2,"kind":"action","name":"hit","event":"stop","outcome":"aborted"}]}
{"tick":2,"status":"failure","events":[
 {"node":0,"kind":"reactive-sequence","name":"fight","event":"enter"},
 {"node":1,"kind":"condition","name":"see","event":"tick","status":"failure"},
 {"node":0,"kind":"reactive-sequence","name":"fight","event":"tick","status":"failure"}]}
"#;
    // One object per line; here broken into several for readability.
    let lines = expected.replace("\n ", "").replacen('\n', "", 1);
    assert_ran(&ran, 0, &lines, "");
}

const SHIP: &str = r#"tick 1: RUNNING
RUNNING   parallel success=one failure=one
RUNNING     machine watch
ENTERED       state calm
RUNNING     sequence
SUCCESS       check "fuel > 2.0" name=enough  [fuel = 3]
RUNNING       action fly speed="=fuel / 2.0" on-success="fuel -= 2.0"  [fuel = 3; comes to 1.5; starts]
tick 2: RUNNING
RUNNING   parallel success=one failure=one
RUNNING     machine watch
ACTIVE        state calm
RUNNING     sequence
SUCCESS       action fly speed="=fuel / 2.0" on-success="fuel -= 2.0"  [fuel = 3; fuel := 1]
SUCCESS       chance 0.9  [draws 0.807]
SUCCESS         emit alarm loudness="=fuel * 3.0"  [fuel = 1; comes to 3; sends alarm; says: alarm loudness=3]
RUNNING       wait 0.1
tick 2, aborted
          parallel success=one failure=one
            machine watch
LEFT          state calm
tick 3: FAILURE
FAILURE   parallel success=one failure=one
RUNNING     machine watch
LEFT          state calm
FAILURE     sequence
FAILURE       check "fuel > 2.0" name=enough  [fuel = 1]
"#;

#[test]
fn the_log_has_the_answers_of_all_nodes_and_what_decided() {
    let ran = treemind("trace ship.kdl --script ship.txt --ticks 3 --halt-at 2 --format log");
    assert_ran(&ran, 0, SHIP, "");
}

#[test]
fn values_as_json() {
    let document = b"blackboard { key n type=int default=1; key p type=vec2; }\ntree a { sequence { set \"p = vec2(n, 0.5)\"; check \"p.x > 3\"; }; }";
    let ran = treemind_in(&data(), "trace - --ticks 1 --format json", document);
    let expected = r#"{"tick":1,"status":"failure","events":[
 {"node":0,"kind":"sequence","name":"sequence","event":"enter"},
 {"node":1,"kind":"set","name":"set","event":"read","key":"n","value":1},
 {"node":1,"kind":"set","name":"set","event":"result","value":[1.0,0.5]},
 {"node":1,"kind":"set","name":"set","event":"set","key":"p","value":[1.0,0.5]},
 {"node":1,"kind":"set","name":"set","event":"write"},
 {"node":1,"kind":"set","name":"set","event":"tick","status":"success"},
 {"node":2,"kind":"check","name":"check","event":"read","key":"p","value":[1.0,0.5]},
 {"node":2,"kind":"check","name":"check","event":"result","value":false},
 {"node":2,"kind":"check","name":"check","event":"tick","status":"failure"},
 {"node":0,"kind":"sequence","name":"sequence","event":"tick","status":"failure"}]}
"#;
    assert_ran(&ran, 0, &expected.replace("\n ", ""), "");
}

#[test]
fn faults_are_told_and_the_run_goes_on() {
    let document = b"blackboard { key n type=int default=0; }\ntree a { set \"n = 1 / n\"; }";
    let ran = treemind_in(&data(), "trace - --ticks 2", document);
    let told = "fault: tick 1: set: an int was divided by zero\nfault: tick 2: set: an int was divided by zero\n";
    assert_ran(&ran, 0, "1 FAILURE\n2 FAILURE\n", told);
    let ran = treemind_in(&data(), "trace - --ticks 1 --format json", document);
    let events = r#"{"tick":1,"status":"failure","events":[{"node":0,"kind":"set","name":"set","event":"read","key":"n","value":0},{"node":0,"kind":"set","name":"set","event":"fault","text":"an int was divided by zero"},{"node":0,"kind":"set","name":"set","event":"tick","status":"failure"}]}"#;
    assert_ran(&ran, 0, &format!("{events}\n"), "");
}

#[test]
fn unknown_names_in_a_script_are_errors_with_suggestions() {
    let script = b"# typos\nsee-enmy: S\npatrol: R\nzzz: S\n";
    let ran = treemind_in(&data(), "trace guard.kdl --script - --ticks 1", script);
    let expected = "\
standard input:2: error: tree `guard` has no condition or action `see-enmy`
  help: did you mean `see-enemy`?
standard input:4: error: tree `guard` has no condition or action `zzz`
  help: it has `see-enemy`, `run-away`, `enemy-dead`, `attack`, `patrol`
";
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn a_script_that_cannot_be_read_is_a_sentence() {
    let ran = treemind_in(
        &data(),
        "trace guard.kdl --script - --ticks 1",
        b"patrol: maybe\n",
    );
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("standard input:1:"), "{}", ran.err);
    let ran = treemind_in(
        &data(),
        "trace guard.kdl --script - --ticks 1",
        b"patrol: R\npatrol\xff: S\n",
    );
    let sentence = "standard input:2:7: error[T0001]: this is not valid UTF-8 from here on\n  \
        help: save the file as UTF-8 in your editor\n";
    assert_ran(&ran, 1, "", sentence);
}

/// What a condition of a transition read stands at this transition, whichever is chosen in the end, and what an event
/// says has the name by which documents know it.
#[test]
fn the_log_says_what_the_conditions_of_transitions_read() {
    let folder = tempfile::tempdir().unwrap();
    let lift = "\
blackboard { key at type=int default=0; key goal type=int default=0; }
leaves { event call { param floor type=int; }; event arrived; }
machine lift {
    initial idle
    state idle {
        transition on=call to=open when=\"event.floor == at\"
        transition on=call to=moving when=\"event.floor != at\" { set \"goal = event.floor\"; }
        transition when=\"goal > 7\" to=open
    }
    state moving { transition on=arrived to=open { set \"at = goal\"; }; }
    state open { transition after=2.0 to=idle; }
}
test \"a call\" machine=lift { tick; send call floor=3; tick; expect active=moving; }
";
    std::fs::write(folder.path().join("lift.kdl"), lift).unwrap();
    let ran = treemind_in(
        folder.path(),
        "trace lift.kdl --test call --format log",
        b"",
    );
    let expected = "\
tick 1: RUNNING
ENTERED   state idle
tick 2: RUNNING  [event call; uses call]
LEFT      state idle
REFUSED     → open on=call when=\"event.floor == at\"  [event.floor = 3; at = 0; its condition does not hold]
TAKEN       → moving on=call when=\"event.floor != at\"  [event.floor = 3; at = 0]
SUCCESS       set \"goal = event.floor\"  [event.floor = 3; goal := 3]
REFUSED     → open when=\"goal > 7\"  [another was chosen before]
ENTERED   state moving
";
    assert_eq!((ran.code, ran.out.as_str()), (0, expected), "{}", ran.err);
    let ran = treemind_in(
        folder.path(),
        "trace lift.kdl --test call --format reasons",
        b"",
    );
    assert!(!ran.out.contains("lift.call"), "{}", ran.out);
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let document = b"leaves { action a; action b; action c; }\n\
        tree t { random-selector { action a; action b; action c; }; }";
    let play = |seed: u64| {
        let ran = treemind_in(
            &data(),
            &format!("trace - --ticks 50 --seed {seed}"),
            document,
        );
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

/// A sensor for a radar, a text, and an event.
const TELLING: &[u8] = br#"
leaves { sensor radar; event noise { param volume type=float; }; action hit; }
blackboard { key near type=float default=2.5 sensor=radar; }
tree a { sequence { check "near < 3.0"; log "near: {near}"; emit noise value="near * 2"; action hit; }; }
"#;

#[test]
fn what_is_logged_and_emitted_is_told_beside_the_trace() {
    let ran = treemind_in(&data(), "trace - --ticks 2", TELLING);
    let told = "\
log: tick 1: near: 2.5
emit: tick 1: noise volume=5
log: tick 2: near: 2.5
emit: tick 2: noise volume=5
";
    let trace = "1 SUCCESS | tick hit SUCCESS\n2 SUCCESS | tick hit SUCCESS\n";
    assert_ran(&ran, 0, trace, told);
}

#[test]
fn what_is_asked_logged_and_emitted_as_json() {
    let ran = treemind_in(&data(), "trace - --ticks 1 --format json", TELLING);
    let expected = r#"
{"tick":1,"status":"success","events":[
 {"node":0,"kind":"sequence","name":"sequence","event":"enter"},
 {"node":1,"kind":"check","name":"check","event":"sense","key":"near"},
 {"node":1,"kind":"check","name":"check","event":"read","key":"near","value":2.5},
 {"node":1,"kind":"check","name":"check","event":"result","value":true},
 {"node":1,"kind":"check","name":"check","event":"tick","status":"success"},
 {"node":2,"kind":"log","name":"log","event":"tick","status":"success","text":"near: 2.5"},
 {"node":3,"kind":"emit","name":"noise","event":"read","key":"near","value":2.5},
 {"node":3,"kind":"emit","name":"noise","event":"result","value":5.0},
 {"node":3,"kind":"emit","name":"noise","event":"send","of":"noise"},
 {"node":3,"kind":"emit","name":"noise","event":"tick","status":"success","text":"noise volume=5"},
 {"node":4,"kind":"action","name":"hit","event":"start"},
 {"node":4,"kind":"action","name":"hit","event":"tick","status":"success"},
 {"node":4,"kind":"action","name":"hit","event":"stop","outcome":"success"},
 {"node":0,"kind":"sequence","name":"sequence","event":"tick","status":"success"}]}
"#;
    let lines = expected.replace("\n ", "").replacen('\n', "", 1);
    assert_ran(&ran, 0, &lines, "");
}

#[test]
fn an_echo_says_what_it_is_given() {
    let expected = "\
1 FAILURE | echo number 4; echo Echo 2.5; echo Echo 3; tick walk SUCCESS; echo word two words; echo at vec2(1, 2.5); tick lost FAILURE
2 SUCCESS | echo number 6; echo Echo 3.5; echo Echo 4; tick walk SUCCESS; echo word two words; echo at vec2(1, 2.5); echo lost 0
";
    let ran = treemind("trace echo.kdl --ticks 2");
    assert_ran(
        &ran,
        0,
        expected,
        "fault: tick 1: lost: an int was divided by zero\n",
    );
    let ran = treemind("trace echo.kdl --ticks 1 --format json");
    let echo = r#"{"node":1,"kind":"action","name":"number","event":"echo","value":"4"}"#;
    assert!(ran.out.contains(echo), "{}", ran.out);
    // A script cannot give it answers.
    let script = b"number: F";
    let ran = treemind_in(&data(), "trace echo.kdl --ticks 1 --script -", script);
    assert_eq!(ran.code, 1);
}

#[test]
fn scores_as_json() {
    let document = b"leaves { action a; }\ntree t { utility-selector { action a score=0.3; fail score=\"0.25 + 0.25\"; }; }";
    let ran = treemind_in(&data(), "trace - --ticks 1 --format json", document);
    let expected = r#"
{"tick":1,"status":"success","events":[
 {"node":0,"kind":"utility-selector","name":"utility-selector","event":"enter"},
 {"node":1,"kind":"action","name":"a","event":"score","score":0.3},
 {"node":2,"kind":"fail","name":"fail","event":"score","score":0.5},
 {"node":2,"kind":"fail","name":"fail","event":"tick","status":"failure"},
 {"node":1,"kind":"action","name":"a","event":"score","score":0.3},
 {"node":1,"kind":"action","name":"a","event":"start"},
 {"node":1,"kind":"action","name":"a","event":"tick","status":"success"},
 {"node":1,"kind":"action","name":"a","event":"stop","outcome":"success"},
 {"node":0,"kind":"utility-selector","name":"utility-selector","event":"tick","status":"success"}]}
"#;
    let lines = expected.replace("\n ", "").replacen('\n', "", 1);
    assert_ran(&ran, 0, &lines, "");
}

#[test]
fn candidates_as_json() {
    let document = b"blackboard { key all type=int list=3 { default 3 -1 2; }; key best type=int; }
tree t { find n in=\"{all}\" into=\"{best}\" { keep \"n > 0\"; score \"n / 4.0\"; }; }";
    let ran = treemind_in(&data(), "trace - --ticks 1 --format json", document);
    let expected = r#"
{"tick":1,"status":"success","events":[
 {"node":0,"kind":"find","name":"find","event":"keep","value":3,"score":0.75},
 {"node":0,"kind":"find","name":"find","event":"out","keep":"1","value":-1},
 {"node":0,"kind":"find","name":"find","event":"keep","value":2,"score":0.5},
 {"node":0,"kind":"find","name":"find","event":"score","score":0.75},
 {"node":0,"kind":"find","name":"find","event":"found","kept":"2 of 3"},
 {"node":0,"kind":"find","name":"find","event":"set","key":"best","value":3},
 {"node":0,"kind":"find","name":"find","event":"write"},
 {"node":0,"kind":"find","name":"find","event":"tick","status":"success"}]}
"#;
    let lines = expected.replace("\n ", "").replacen('\n', "", 1);
    assert_ran(&ran, 0, &lines, "");
}

/// Tests in which keys, events and ends of actions come from outside.
const TESTED: &[u8] = b"
blackboard { key health type=float default=100.0; key seen type=int list=4; key foe type=entity optional=#true; }
leaves { condition foe-near; action fight; action flee; action ask reports=#true; event horn { param loud type=int; } }
tree guard {
    reactive-selector {
        reactive-sequence { check \"health < 20 || len(seen) > 1 || has(foe)\" name=weak; action flee; }
        reactive-sequence { received horn where=\"event.loud > 2\"; action ask; }
        action fight
    }
}
test hurt tree=guard {
    leaf fight answers=R
    tick
    given health=12.0
    tick 2 dt=0.5
    abort
    given health=50.0
    given-list seen 1 2
    tick
    expect active=flee
}
test heard tree=guard {
    tick
    send horn loud=3
    tick
    expect ran=ask
}
test \"{health} health\" tree=guard {
    table health expect { row 10.0 flee; row 30.0 fight; }
}
test by-chance tree=guard seed=4 {
    random runs=3 ticks=4 seed=9 { key health min=0.0 max=100.0 chance=0.5; leaf fight answers=\"R S\"; }
    always \"health >= 0\"
}
";

#[test]
fn what_happens_in_a_test_is_played() {
    let trace = |arguments: &str| treemind_in(&data(), &format!("trace - {arguments}"), TESTED);
    let hurt = "\
1 RUNNING | tick fight RUNNING
2 RUNNING | tick flee RUNNING; halt fight
3 RUNNING | tick flee RUNNING
3 HALTTREE | halt flee
4 RUNNING | tick flee RUNNING
";
    assert_ran(&trace("--test hurt"), 0, hurt, "");
    let first_two: Vec<&str> = hurt.split_inclusive('\n').take(2).collect();
    assert_ran(&trace("--test hurt --ticks 2"), 0, &first_two.concat(), "");
    let heard = "1 RUNNING | tick fight RUNNING\n2 RUNNING | tick ask RUNNING; halt fight\n";
    assert_ran(&trace("--test heard"), 0, heard, "");
    // A case of a table; its whole name is not needed.
    assert_ran(
        &trace("--test 10.0"),
        0,
        "1 RUNNING | tick flee RUNNING\n",
        "",
    );
    // Tries differ, and each is always the same.
    let tries: Vec<String> = (1..=3)
        .map(|nth| trace(&format!("--test by-chance --try {nth} --format json")).out)
        .collect();
    assert_eq!(tries[0].lines().count(), 4);
    assert!(tries[0] != tries[1] && tries[1] != tries[2]);
    assert_eq!(trace("--test by-chance --format json").out, tries[0]);
}

/// Whoever writes a test looks at what happens before they say what is to happen.
#[test]
fn a_test_that_expects_nothing_yet_is_played() {
    let open = "leaves { action dig; }\ntree t { action dig; }\ntest open tree=t { tick 2; leaf dig answers=\"S\"; tick; }\n";
    let happens = "1 RUNNING | tick dig RUNNING\n2 RUNNING | tick dig RUNNING\n3 SUCCESS | tick dig SUCCESS\n";
    let note = "note: standard input: a test expects nothing yet, in line 3; the tests cannot run, everything else can\n";
    let trace = |text: &str| treemind_in(&data(), "trace - --test open", text.as_bytes());
    assert_ran(&trace(open), 0, happens, note);
    // A mistake in a test stays one.
    for wrong in [
        "test empty tree=t { never dig; }\n",
        "test bad tree=t { tick 0; nothing; }\n",
    ] {
        let ran = trace(&format!("{open}{wrong}"));
        assert_eq!((ran.code, &*ran.out), (1, ""), "{}", ran.err);
    }
}

#[test]
fn a_test_that_is_not_there_is_named() {
    let trace = |arguments: &str| treemind_in(&data(), &format!("trace - {arguments}"), TESTED);
    let listed = "its tests are:\n  hurt\n  heard\n  10.0 health\n  30.0 health\n  by-chance\n";
    let expected = format!("error: no test is named `swim`; {listed}");
    assert_ran(&trace("--test swim"), 1, "", &expected);
    let expected = "error: `health` is in the names of 2 tests:\n  10.0 health\n  30.0 health\n";
    assert_ran(&trace("--test health"), 1, "", expected);
    let ran = treemind("trace guard.kdl --test swim");
    let expected = "error: no test is named `swim`; the document has no tests\n";
    assert_ran(&ran, 1, "", expected);
    for other in ["--tree guard", "--script day.txt", "--seed 3", "--dt 1"] {
        assert_eq!(trace(&format!("--test hurt {other}")).code, 2, "{other}");
    }
}

#[test]
fn reasons_are_told_for_ticks_in_which_something_changes() {
    let ran = treemind_in(&data(), "trace - --test hurt --format reasons", TESTED);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expected = "\
    `weak`, `health < 20.0 || len(seen) > 1 || has(foe)`, holds: 12.0 < 20.0 || 0 > 1 || has(foe); in tick 1 it did not
      `health` changed from 100 to 12 in this tick: the test gave it

What made it begin
  `weak`, `health < 20.0 || len(seen) > 1 || has(foe)`, began to hold: `health` fell from 100 to 12

What changed
  `fight` was cut off: the `reactive-sequence` of `weak` is running, and comes before it in `reactive-selector`
  `flee` started
";
    assert!(ran.out.contains(expected), "{}", ran.out);
    // Nothing changes in the third tick.
    assert!(!ran.out.contains("tick 3 ("), "{}", ran.out);
    assert!(
        ran.out
            .contains("`seen` changed from [] to [1, 2] in this tick"),
        "{}",
        ran.out
    );
    let aborted = "What made it begin\n  the test had aborted what it did before\n";
    assert!(ran.out.contains(aborted), "{}", ran.out);
}
