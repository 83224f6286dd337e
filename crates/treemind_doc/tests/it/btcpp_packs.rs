//! Controls and decorators of Nav2 and of MoveIt Pro do what their sources say.

use super::btcpp::{nav2, played, plays, said, tree};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::{Document, Format, convert};

/// What is said of a tree.
fn problems(inside: &str) -> Vec<String> {
    said(&Document::parse(&tree(inside), "t.xml"))
}

const A: &str = "<Action ID=\"A\"/>";
const B: &str = "<Action ID=\"B\"/>";
const C: &str = "<Action ID=\"C\"/>";

#[test]
fn recovery_nodes() {
    let recovers = format!("<RecoveryNode number_of_retries=\"2\">{A}{B}</RecoveryNode>");
    for (answers, lines) in [
        (
            "A: F F S\nB: R S S",
            &[
                "1 RUNNING | tick A FAILURE; tick B RUNNING",
                "2 SUCCESS | tick B SUCCESS; tick A FAILURE; tick B SUCCESS; tick A SUCCESS",
            ][..],
        ),
        // A first child that is skipped skips all.
        ("A: K", &["1 SKIPPED | tick A SKIPPED"]),
        // A recovery that is skipped is a failure; how often it has recovered is kept.
        (
            "A: F F F F S\nB: S K S",
            &[
                "1 FAILURE | tick A FAILURE; tick B SUCCESS; tick A FAILURE; tick B SKIPPED",
                "2 FAILURE | tick A FAILURE; tick B SUCCESS; tick A FAILURE",
                "3 SUCCESS | tick A SUCCESS",
            ],
        ),
        (
            "A: F\nB: F",
            &["1 FAILURE | tick A FAILURE; tick B FAILURE"],
        ),
    ] {
        plays(&recovers, answers, lines);
    }
    // A halt in the middle forgets everything.
    plays(
        &recovers,
        "A: F F F F\nB: S R S S",
        &[
            "1 RUNNING | tick A FAILURE; tick B SUCCESS; tick A FAILURE; tick B RUNNING",
            "1 HALTTREE | halt B",
            "2 FAILURE | tick A FAILURE; tick B SUCCESS; tick A FAILURE; tick B SUCCESS; tick A FAILURE",
        ],
    );
    // One that does not say how often recovers once, also beside one that does.
    plays(
        &format!(
            "<Sequence><ForceSuccess>{recovers}</ForceSuccess><RecoveryNode>{C}<Action ID=\"D\"/></RecoveryNode></Sequence>"
        ),
        "C: F\nD: S",
        &["1 FAILURE | tick A SUCCESS; tick C FAILURE; tick D SUCCESS; tick C FAILURE"],
    );
}

#[test]
fn a_round_robin_wraps_unless_it_is_told_not_to() {
    let all = |more: &str| format!("<RoundRobin{more}>{A}{B}</RoundRobin>");
    plays(
        &all(""),
        "A: S F F\nB: S F K",
        &[
            "1 SUCCESS | tick A SUCCESS",
            "2 SUCCESS | tick B SUCCESS",
            "3 FAILURE | tick A FAILURE; tick B FAILURE",
            "4 FAILURE | tick A FAILURE; tick B SKIPPED",
        ],
    );
    plays(
        &all(" wrap_around=\"false\""),
        "A: S",
        &[
            "1 SUCCESS | tick A SUCCESS",
            "2 SUCCESS | tick B SUCCESS",
            "3 FAILURE",
            "4 SUCCESS | tick A SUCCESS",
        ],
    );
    // One that says nothing wraps, also beside one that says something.
    let both = format!(
        "<Sequence><RoundRobin wrap_around=\"false\">{C}</RoundRobin><RoundRobin>{A}</RoundRobin></Sequence>"
    );
    plays(
        &both,
        "",
        &[
            "1 SUCCESS | tick C SUCCESS; tick A SUCCESS",
            "2 FAILURE",
            "3 SUCCESS | tick C SUCCESS; tick A SUCCESS",
        ],
    );
}

#[test]
fn a_rate_has_ten_hertz_if_it_says_nothing() {
    let rates = format!(
        "<PipelineSequence><RateController hz=\"2\">{A}</RateController><RateController>{B}</RateController>{C}</PipelineSequence>"
    );
    let lines: Vec<String> = (1..=6)
        .map(|tick| match tick {
            1 | 6 => format!("{tick} RUNNING | tick A SUCCESS; tick B SUCCESS; tick C RUNNING"),
            _ => format!("{tick} RUNNING | tick B SUCCESS; tick C RUNNING"),
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    plays(&rates, "C: R", &lines);
}

#[test]
fn a_single_trigger_runs_once() {
    let once = |more: &str| format!("<SingleTrigger{more}>{A}</SingleTrigger>");
    plays(
        &once(""),
        "",
        &["1 SUCCESS | tick A SUCCESS", "2 SUCCESS | tick A SUCCESS"],
    );
    plays(
        &once(" is_global=\"true\""),
        "A: K R S",
        &[
            "1 SKIPPED | tick A SKIPPED",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
            "4 FAILURE",
        ],
    );
}

#[test]
fn goals_are_handed_on() {
    plays(
        "<Sequence><Script code=\"goal := 7\"/><GoalUpdater input_goal=\"{goal}\" output_goal=\"{to}\"><ScriptCondition code=\"to == 7\"/></GoalUpdater></Sequence>",
        "",
        &["1 SUCCESS"],
    );
}

#[test]
fn a_path_that_becomes_much_longer_near_the_goal() {
    let lengths = |first: &str, then: &str| {
        format!(
            "<Sequence><Script code=\"n += 1; p := (n == 2) ? {then} : {first}\"/><PathLongerOnApproach path=\"{{p}}\" length_factor=\"2\">{A}</PathLongerOnApproach></Sequence>"
        )
    };
    let played = |first: &str, then: &str| {
        let inside = format!(
            "<Sequence><RunOnce><Script code=\"n := 0\"/></RunOnce>{}</Sequence>",
            lengths(first, then)
        );
        played(&Document::parse(&tree(&inside), "t.xml"), "", 4, 0)
    };
    let rests = ["1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS"];
    let runs = [
        "1 SUCCESS",
        "2 SUCCESS | tick A SUCCESS",
        "3 SUCCESS",
        "4 SUCCESS",
    ];
    assert_eq!(played("2.0", "4.5"), runs);
    // Not long enough, and too far from the goal, which is 3 m unless it is said.
    assert_eq!(played("2.0", "4.0"), rests);
    assert_eq!(played("3.0", "9.0"), rests);
}

#[test]
fn repeats_of_moveit_pro() {
    let each = |more: &str| {
        format!("<RepeatUnlessFailureEachTick{more}>{A}</RepeatUnlessFailureEachTick>")
    };
    plays(
        &each(" num_cycles=\"2\""),
        "A: S R S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
            "4 FAILURE | tick A FAILURE",
        ],
    );
    plays(
        &each(""),
        "A: S S S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A SUCCESS",
            "3 RUNNING | tick A SUCCESS",
            "4 FAILURE | tick A FAILURE",
        ],
    );
    let within = format!(
        "<RepeatUnlessFailureWithinTick num_cycles=\"2\">{A}</RepeatUnlessFailureWithinTick>"
    );
    assert_eq!(problems(&within), Vec::<String>::new());
    plays(
        &within,
        "",
        &["1 RUNNING | tick A SUCCESS", "2 SUCCESS | tick A SUCCESS"],
    );
    // Its name stays.
    let kdl = convert(&tree(&within), "t.xml", Format::BtCpp, Format::Kdl);
    let kdl = kdl.expect("a document").text;
    let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.expect("XML").text;
    let begin = "<RepeatUnlessFailureWithinTick num_cycles=\"2\">";
    assert!(back.contains(begin), "{back}\n{kdl}");
    let changed = kdl.replace("repeat 2", "repeat 3");
    let back = convert(&changed, "t.kdl", Format::Kdl, Format::BtCpp);
    let back = back.expect("XML").text;
    assert!(back.contains("<Repeat num_cycles=\"3\">"), "{back}");
}

#[test]
fn for_each_item_of_a_text() {
    let each = |items: &str, behind: &str| {
        format!(
            "<Sequence><Script code=\"v := '{items}'; i := 0\"/><ForEach vector_in=\"{{v}}\" out=\"{{o}}\" index=\"{{i}}\">{A}</ForEach>{behind}</Sequence>"
        )
    };
    plays(
        &each(
            "a;b",
            "<ScriptCondition code=\"o == 'b' &amp;&amp; i == 1\"/>",
        ),
        "A: S R S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 SUCCESS | tick A SUCCESS",
            "4 FAILURE | tick A FAILURE",
        ],
    );
    let first = "<Fallback><ScriptCondition code=\"o == 'a' &amp;&amp; i == 0\"/></Fallback>";
    let inside = each("a;b", "").replace(A, &format!("<Sequence>{first}{A}</Sequence>"));
    plays(&inside, "", &["1 RUNNING | tick A SUCCESS", "2 FAILURE"]);
    plays(&each("", ""), "", &["1 SUCCESS"]);
    // Somebody else's.
    let other = format!("<ForEach list=\"{{l}}\">{A}</ForEach>");
    plays(&other, "", &["1 SUCCESS | tick A SUCCESS"]);
}

/// What goes wrong in the first tick of a tree, which fails.
fn fault(inside: &str) -> String {
    let document = Document::parse(&tree(inside), "t.xml");
    let behaviour = document.behaviour(None).expect("a tree");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let roots = population.tick(&mut host, Duration::from_millis(100));
    assert_eq!(roots.failure, 1, "{inside}");
    let faults = population.take_faults();
    let what = faults.kept().first().map(|fault| fault.kind.what());
    what.unwrap_or_default()
}

/// Tried with the library: a text is taken apart when the loop looks for its next item, and that item is gone then.
#[test]
fn loops_over_a_text_on_the_blackboard() {
    let over = |name: &str, fills: &str, more: &str, behind: &str| {
        format!(
            "<Sequence>{fills}<{name} queue=\"{{q}}\"{more} value=\"{{v}}\">{A}</{name}>{behind}</Sequence>"
        )
    };
    let numbers = "<SetBlackboard value=\"1;2\" output_key=\"q\"/>";
    let texts = "<Script code=\"q := 'a;b'\"/>";
    let a_tick = |tick: u64| format!("{tick} RUNNING | tick A SUCCESS");
    let [one, two] = [a_tick(1), a_tick(2)];
    let last = "<ScriptCondition code=\"v == 2\"/>";
    plays(
        &over("LoopInt", numbers, "", last),
        "",
        &[&one, &two, "3 SUCCESS"],
    );
    plays(
        &over(
            "LoopString",
            texts,
            "",
            "<ScriptCondition code=\"v == 'b'\"/>",
        ),
        "",
        &[&one, &two, "3 SUCCESS"],
    );
    plays(
        &over("LoopDouble", numbers, " if_empty=\"FAILURE\"", ""),
        "",
        &[&one, &two, "3 FAILURE"],
    );
    plays(
        &over("LoopInt", numbers, "", ""),
        "A: F",
        &["1 FAILURE | tick A FAILURE"],
    );
    // What is no number is an exception there.
    let bad = "<SetBlackboard value=\"1;x\" output_key=\"q\"/>";
    let said = fault(&over("LoopInt", bad, "", ""));
    assert!(said.contains("an item is no whole number"), "{said}");
    let looped = format!("<LoopInt queue=\"{{nothing}}\" value=\"{{v}}\">{A}</LoopInt>");
    let said = fault(&looped);
    assert!(
        said.contains("the queue of the loop has no value"),
        "{said}"
    );
    // Another loop over the same key finds nothing.
    let again = format!("<LoopString queue=\"{{q}}\" value=\"{{v}}\">{A}</LoopString>{B}");
    plays(
        &over("LoopString", texts, "", &again),
        "",
        &[&one, &two, "3 SUCCESS | tick B SUCCESS"],
    );
    // A child that writes the key begins anew.
    let refills = format!(
        "<Sequence>{texts}<LoopString queue=\"{{q}}\" value=\"{{v}}\"><Sequence>{A}{texts}</Sequence></LoopString></Sequence>"
    );
    plays(&refills, "", &[&one, &two, &a_tick(3)]);
    // A text in the file that is too long to be nodes of ours.
    let items: Vec<String> = (0..600).map(|nth| nth.to_string()).collect();
    let long = format!(
        "<Sequence><LoopInt queue=\"{}\" value=\"{{v}}\"><AlwaysSuccess/></LoopInt><Action ID=\"B\"/><ScriptCondition code=\"v == 599\"/></Sequence>",
        items.join(";")
    );
    assert_eq!(problems(&long), Vec::<String>::new());
    let lines = played(&Document::parse(&tree(&long), "t.xml"), "", 601, 0);
    assert_eq!(lines[599], "600 RUNNING");
    assert_eq!(lines[600], "601 SUCCESS | tick B SUCCESS");
}

#[test]
fn wrong_numbers_of_children_are_found_when_a_file_is_read() {
    for (inside, expected) in [
        (
            format!("<RecoveryNode>{A}</RecoveryNode>"),
            "T0301 `RecoveryNode` takes 2 children, and has 1",
        ),
        (
            format!("<RecoveryNode>{A}{B}{C}</RecoveryNode>"),
            "T0302 `RecoveryNode` takes 2 children, and has 3",
        ),
        (
            format!("<PauseResumeController>{A}{B}{C}{A}{B}</PauseResumeController>"),
            "T0302 `PauseResumeController` takes 1 to 4 children, and has 5",
        ),
        (
            format!("<RateController>{A}{B}</RateController>"),
            "T0302 `RateController` takes one child, and has 2",
        ),
        (
            "<Control ID=\"PipelineSequence\"/>".to_owned(),
            "T0301 `PipelineSequence` takes at least one child, and has 0",
        ),
        (
            "<RoundRobin/>".to_owned(),
            "T0301 `RoundRobin` has no child, so it is read as an action",
        ),
        (
            format!("<RateController hz=\"often\">{A}</RateController>"),
            "T0201 expected a number for `hz`, found `often`",
        ),
    ] {
        assert_eq!(problems(&inside), [expected], "{inside}");
    }
}

/// Each tree of Nav2 comes to its end when everything goes well, and when something fails at first.
#[test]
fn trees_of_nav2_run() {
    for name in [
        "follow_point",
        "navigate_through_poses_w_replanning_and_recovery",
        "navigate_to_pose_w_replanning_and_recovery",
        "navigate_w_replanning_speed",
        "odometry_calibration",
    ] {
        let path = nav2().join(name).with_extension("xml");
        let text = std::fs::read_to_string(&path).expect("a tree of Nav2");
        let document = Document::parse(&text, &format!("{name}.xml"));
        let answers = match name {
            "follow_point" => "",
            "odometry_calibration" => "DriveOnHeading: R S\nSpin: R S",
            _ => "FollowPath: R R S",
        };
        let lines = played(&document, answers, 12, 0);
        let is_over = |line: &String| line.contains("SUCCESS |");
        assert_eq!(
            name != "follow_point",
            lines.iter().any(is_over),
            "{lines:#?}"
        );
    }
    let path = nav2().join("navigate_to_pose_w_replanning_and_recovery.xml");
    let text = std::fs::read_to_string(path).expect("a tree of Nav2");
    let document = Document::parse(&text, "t.xml");
    // It loses its way twice, and its path once.
    let lines = played(
        &document,
        "GoalUpdated: F\nGlobalUpdatedGoal: F\nIsGoalNearby: F\nComputePathToPose: S F F S\nFollowPath: R R F F F S\nSpin: R S\nClearLocalCostmap-Subtree: F",
        4,
        0,
    );
    let lost = "tick FollowPath FAILURE; tick WouldAControllerRecoveryHelp SUCCESS; tick ClearLocalCostmap-Context SUCCESS; tick FollowPath";
    let spins = format!(
        "{lost} FAILURE; tick WouldAControllerRecoveryHelp SUCCESS; tick GoalUpdated FAILURE; tick ClearLocalCostmap-Subtree FAILURE; tick Spin RUNNING"
    );
    let arrives = format!("tick ComputePathToPose SUCCESS; {lost} SUCCESS");
    for (line, parts) in [
        (
            0,
            &[
                "1 RUNNING",
                "tick ComputePathToPose SUCCESS; tick FollowPath RUNNING",
            ][..],
        ),
        (1, &["2 RUNNING", "tick FollowPath RUNNING"]),
        (2, &["3 RUNNING", &spins]),
        (
            3,
            &[
                "4 SUCCESS | tick GoalUpdated FAILURE; tick Spin SUCCESS",
                "tick ComputePathToPose FAILURE; tick WouldAPlannerRecoveryHelp SUCCESS; tick ClearGlobalCostmap-Context SUCCESS",
                // The next one in its round.
                "tick GoalUpdated FAILURE; tick Wait SUCCESS",
                &arrives,
            ],
        ),
    ] {
        for part in parts {
            assert!(lines[line].contains(part), "{part}\n{lines:#?}");
        }
    }
}
