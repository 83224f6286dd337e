//! Trees of BehaviorTree.CPP: nodes that become several of ours, files that belong together, and the navigation stack
//! of ROS 2.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program};
use treemind_doc::{Code, Document, script};

/// A document with this tree.
pub(crate) fn tree(inside: &str) -> String {
    format!(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\">{inside}</BehaviorTree></root>"
    )
}

/// The folder with trees of the navigation stack of ROS 2.
pub(crate) fn nav2() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/nav2")
}

/// The plain trace of a document, 0.1 s per tick; everything is halted after the tick `halt_at`.
pub(crate) fn played(document: &Document, answers: &str, ticks: u64, halt_at: u64) -> Vec<String> {
    let behaviour = document.behaviour(None).expect("a tree without mistakes");
    let script = script::parse(answers, "answers.txt").expect("a script");
    let mut host = Scripted::new(&behaviour, 1);
    for (label, answers) in &script.entries {
        assert!(host.set(0, label, answers), "{label}");
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::new();
    let mut lines = Vec::new();
    for tick in 1..=ticks {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let behaviour = population.program().behaviour();
        let head = trace.root(behaviour, 0).expect("the root is ticked");
        lines.push(trace.plain_line(behaviour, 0, tick, head.as_str()));
        if tick == halt_at {
            trace.clear();
            population.abort_all_traced(&mut host, &mut trace);
            let behaviour = population.program().behaviour();
            lines.push(trace.plain_line(behaviour, 0, tick, "HALTTREE"));
        }
        assert!(population.take_faults().kept().is_empty());
    }
    lines
}

/// Plays a tree, and compares its ticks.
pub(crate) fn plays(inside: &str, answers: &str, expected: &[&str]) {
    let document = Document::parse(&tree(inside), "t.xml");
    let ticks = expected.iter().filter(|line| !line.contains("HALTTREE"));
    let halts = expected.iter().find(|line| line.contains("HALTTREE"));
    let halt_at = halts.map_or(0, |line| {
        let (tick, _) = line.split_once(' ').expect("a tick");
        tick.parse().expect("a number")
    });
    let lines = played(&document, answers, ticks.count() as u64, halt_at);
    assert_eq!(lines, expected, "{inside}");
}

#[test]
fn loops_over_literal_items() {
    let over = |queue: &str| {
        format!("<LoopInt queue=\"{queue}\" value=\"{{v}}\"><Act name=\"A\"/></LoopInt>")
    };
    plays(
        &over("1;2"),
        "A: S R K",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | tick A SKIPPED",
            "4 SUCCESS",
            "5 RUNNING | tick A SKIPPED",
            "5 HALTTREE | halt A",
        ],
    );
    plays(
        &format!(
            "<ReactiveFallback><Cond name=\"C\"/>{}</ReactiveFallback>",
            over("1;2;3")
        ),
        "C: F F S\nA: R K",
        &[
            "1 RUNNING | tick C FAILURE; tick A RUNNING",
            "2 RUNNING | tick C FAILURE; tick A SKIPPED",
            "3 SUCCESS | tick C SUCCESS; halt A",
        ],
    );
    plays(
        "<LoopInt queue=\"1\" if_empty=\"SKIPPED\" value=\"{v}\"><Act name=\"A\"/></LoopInt>",
        "A: S F",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 SKIPPED",
            "3 FAILURE | tick A FAILURE",
        ],
    );
    plays(
        &over("1;2;3"),
        "A: S F S",
        &[
            "1 RUNNING | tick A SUCCESS",
            "2 FAILURE | tick A FAILURE",
            "3 RUNNING | tick A SUCCESS",
        ],
    );
    let empty = "<LoopString queue=\"a\" if_empty=\"FAILURE\" value=\"{v}\"><ScriptCondition code=\"v == 'a'\"/></LoopString>";
    plays(empty, "", &["1 RUNNING", "2 FAILURE"]);
}

/// These nodes do not halt their child, and go on with it when the entry is updated again.
#[test]
fn a_child_that_runs_when_an_entry_is_updated() {
    for node in ["SkipUnlessUpdated", "WaitValueUpdate"] {
        let child = format!("<{node} entry=\"k\"><Act name=\"A\"/></{node}>");
        let guarded = format!(
            "<Sequence><Script code=\"k := 1\"/><ReactiveFallback><Cond name=\"C\"/>{child}</ReactiveFallback></Sequence>"
        );
        plays(
            &guarded,
            "C: F S F\nA: R R S",
            &[
                "1 RUNNING | tick C FAILURE; tick A RUNNING",
                "2 SUCCESS | tick C SUCCESS",
                "3 RUNNING | tick C FAILURE; tick A RUNNING",
                "4 SUCCESS | tick C FAILURE; tick A SUCCESS",
            ],
        );
        plays(
            &guarded,
            "C: F S\nA: R",
            &[
                "1 RUNNING | tick C FAILURE; tick A RUNNING",
                "2 SUCCESS | tick C SUCCESS",
                "2 HALTTREE | halt A",
            ],
        );
        plays(
            &guarded,
            "C: F\nA: R",
            &[
                "1 RUNNING | tick C FAILURE; tick A RUNNING",
                "1 HALTTREE | halt A",
            ],
        );
        plays(
            &format!("<Sequence><Script code=\"k := 1\"/>{child}</Sequence>"),
            "A: R K S",
            &[
                "1 RUNNING | tick A RUNNING",
                "2 SUCCESS | tick A SKIPPED",
                "3 SUCCESS | tick A SUCCESS",
            ],
        );
    }
}

#[test]
fn nodes_that_compare_values_on_the_blackboard() {
    let check = "<Sequence><Script code=\"k := 3\"/><BlackboardCheckInt value_A=\"{k}\" value_B=\"3\" return_on_mismatch=\"SUCCESS\"><Act name=\"A\" _onSuccess=\"k := 4\"/></BlackboardCheckInt><BlackboardCheckString value_A=\"{k}\" value_B=\"x\"><Act name=\"B\"/></BlackboardCheckString></Sequence>";
    plays(
        check,
        "A: R S",
        &["1 RUNNING | tick A RUNNING", "2 FAILURE | tick A SUCCESS"],
    );
    let switch = "<Sequence><Script code=\"a := 'x'; b := 'y'; c := 'y'\"/><Switch2 variable=\"{c}\" case_1=\"{a}\" case_2=\"{b}\"><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></Switch2></Sequence>";
    plays(switch, "", &["1 SUCCESS | tick B SUCCESS"]);
}

#[test]
fn what_waits() {
    let waits = "<Parallel><Precondition if=\"go == 1\" else=\"RUNNING\"><Act name=\"A\"/></Precondition><Sequence><Act name=\"B\"/><Script code=\"go := 1\"/></Sequence></Parallel>";
    let waits = format!("<Sequence><Script code=\"go := 0\"/>{waits}</Sequence>");
    plays(
        &waits,
        "A: R S\n B: R S",
        &[
            "1 RUNNING | tick B RUNNING",
            "2 RUNNING | tick B SUCCESS",
            "3 RUNNING | tick A RUNNING",
            "4 SUCCESS | tick A SUCCESS",
        ],
    );
    let delay = "<Delay delay_msec=\"0\"><Act name=\"A\"/></Delay>";
    plays(delay, "", &["1 SUCCESS | tick A SUCCESS"]);
}

#[test]
fn a_precondition_with_conditions_of_its_own() {
    let plays = |before: &str, expected: &str| {
        let inside = format!(
            "<Sequence><Script code=\"x := 0\"/><Precondition if=\"x == 1\" else=\"FAILURE\" {before}><Act name=\"A\"/></Precondition></Sequence>"
        );
        plays(&inside, "", &[expected]);
    };
    plays("_failureIf=\"x == 2\"", "1 FAILURE");
    plays("_skipIf=\"x == 0\" _post=\"y := 1\"", "1 SUCCESS");
    plays("_successIf=\"x == 0\"", "1 SUCCESS");
    let copy = "<Sequence><SetBlackboard value=\"{none}\" output_key=\"k\" _skipIf=\"true\"/><Act name=\"A\"/></Sequence>";
    super::btcpp::plays(copy, "", &["1 SUCCESS | tick A SUCCESS"]);
}

#[test]
fn what_a_list_leaves_open_is_halted_with_the_tree() {
    let list = "<SequenceWithMemory><Act name=\"A\"/><Act name=\"B\"/></SequenceWithMemory>";
    plays(
        list,
        "A: R K\n B: F",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | tick A SKIPPED; tick B FAILURE",
            "3 FAILURE | tick B FAILURE",
            "3 HALTTREE | halt A",
            "4 FAILURE | tick B FAILURE",
        ],
    );
}

#[test]
fn bits_in_scripts() {
    let bits = "<Sequence><Script code=\"a := 6; b := a &amp; 3; c := a | 1; d := a ^ 2; e := ~a\"/><ScriptCondition code=\"b == 2 &amp;&amp; c == 7 &amp;&amp; d == 4 &amp;&amp; e == -7\"/></Sequence>";
    plays(bits, "", &["1 SUCCESS"]);
}

/// What a document is told, without the names of the files.
pub(crate) fn said(document: &Document) -> Vec<String> {
    let all = document.diagnostics().iter();
    all.map(|item| format!("{} {}", item.code(), item.message()))
        .collect()
}

#[test]
fn nodes_that_only_a_host_can_run_are_read() {
    for inside in [
        "<LoopDouble queue=\"{q}\" if_empty=\"FAILURE\" value=\"{v}\"><Act v=\"{v}\"/></LoopDouble>",
        "<Sequence><ConsumeQueue queue=\"{q}\" popped_item=\"{i}\"><Act i=\"{i}\"/></ConsumeQueue><PopFromQueue queue=\"{q}\" popped_item=\"{j}\"/></Sequence>",
        "<ManualSelector repeat_last_selection=\"0\"><Act/><Act/></ManualSelector>",
        "<Sequence><TestNode name=\"A\"/><Action ID=\"TestNode\"/></Sequence>",
        "<SetBlackboard value=\"it's\" output_key=\"k\"/>",
    ] {
        let document = Document::parse(&tree(inside), "t.xml");
        assert_eq!(said(&document), Vec::<String>::new(), "{inside}");
        document.behaviour(None).expect("a tree");
    }
    let later = Document::parse(
        "<root BTCPP_format=\"4.6\"><BehaviorTree ID=\"A\"><Act/></BehaviorTree></root>",
        "t.xml",
    );
    assert!(!later.has_errors());
    assert!(said(&later)[0].contains("read as version 4"));
}

#[test]
fn subtrees_beside_each_other_have_names_of_their_own() {
    let calls = |version: &str| {
        format!(
            "<root{version}><BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"S\" name=\"n\"/><SubTree ID=\"S\"/><SubTree ID=\"S\" name=\"n\"/></Sequence></BehaviorTree><BehaviorTree ID=\"S\"><Act/></BehaviorTree></root>"
        )
    };
    let four = Document::parse(&calls(" BTCPP_format=\"4\""), "t.xml");
    assert_eq!(
        said(&four),
        ["T0110 another `SubTree` beside this one has the name `n`, too"]
    );
    assert!(four.has_errors());
    let three = Document::parse(&calls(" BTCPP_format=\"3\""), "t.xml");
    assert!(!three.has_errors() && three.diagnostics().len() == 1);
}

#[test]
fn the_main_tree_may_stand_in_another_file_of_the_folder() {
    let main = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Far\"><BehaviorTree ID=\"Near\"><Act/></BehaviorTree></root>";
    let far = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Far\"><SubTree ID=\"Near\"/></BehaviorTree></root>";
    let load = |path: &str| match path {
        "*.xml" => Ok(b"far.xml\nmain.xml".to_vec()),
        "far.xml" => Ok(far.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    };
    let document = Document::read_with(main.as_bytes(), "main.xml", load);
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(document.behaviour(None).expect("a tree").name(), "Far");
}

/// In version 3, an element may call a tree of another file, as a `SubTree` does.
#[test]
fn an_element_that_is_a_tree_of_another_file() {
    let main = "<root main_tree_to_execute=\"Near\"><BehaviorTree ID=\"Near\"><Sequence><Far/><Own/></Sequence></BehaviorTree><TreeNodesModel><Action ID=\"Own\"/></TreeNodesModel></root>";
    let far = "<root><BehaviorTree ID=\"Far\"><Sequence><Inner/><SetBlackboard value=\"${x}\" output_key=\"y\"/></Sequence></BehaviorTree><BehaviorTree ID=\"Own\"><AlwaysFailure/></BehaviorTree></root>";
    let inner = "<root><BehaviorTree ID=\"Inner\"><Act name=\"A\"/></BehaviorTree></root>";
    let read = |main: &str| {
        Document::read_with(main.as_bytes(), "main.xml", |path: &str| match path {
            "*.xml" => Ok(b"far.xml\ninner.xml\nmain.xml".to_vec()),
            "far.xml" => Ok(far.as_bytes().to_vec()),
            "inner.xml" => Ok(inner.as_bytes().to_vec()),
            _ => Err("there is no such file"),
        })
    };
    let document = read(main);
    assert_eq!(
        said(&document),
        ["T0101 `Far` is read as a call of the tree in `far.xml`, which is not included"]
    );
    let lines = ["1 FAILURE | tick A SUCCESS"];
    assert_eq!(played(&document, "", 1, 0), lines);
    let three = main.replace("<root", "<root BTCPP_format=\"3\"");
    assert_eq!(played(&read(&three), "", 1, 0), lines);
    // Included, it is the same.
    let included = main.replace(
        "<BehaviorTree",
        "<include path=\"inner.xml\"/><BehaviorTree",
    );
    let included = included.replace("Far", "Inner");
    assert_eq!(said(&read(&included)), Vec::<String>::new());
    // In version 4, it is a node of the host.
    let four = read(&main.replace("<root", "<root BTCPP_format=\"4\""));
    assert!(said(&four)[0].starts_with("T0102"), "{:?}", said(&four));
    // A file without any tree needs what it includes.
    let none = Document::parse("<root><include path=\"a.xml\"/></root>", "t.xml");
    assert_eq!(
        said(&none),
        ["T0120 cannot include `a.xml`: this program reads no other files"]
    );
}

#[test]
fn a_model_of_its_own() {
    let inside = tree("<Sequence><Look range=\"3\"/><Rest><Look range=\"2\"/></Rest></Sequence>");
    let model = "<root><TreeNodesModel><Condition ID=\"Look\"><input_port name=\"range\" type=\"double\"/></Condition><Decorator ID=\"Rest\"/></TreeNodesModel><BehaviorTree ID=\"Main\"><Other/></BehaviorTree></root>";
    let load = |path: &str| match path {
        "model.xml" => Ok(model.as_bytes().to_vec()),
        "wrong.xml" => Ok(b"<root/>".to_vec()),
        _ => Err("there is no such file"),
    };
    let read =
        |manifest: &str| Document::read_btcpp(inside.as_bytes(), "t.xml", Some(manifest), load);
    let document = read("model.xml");
    assert_eq!(said(&document), Vec::<String>::new());
    assert_eq!(
        document
            .manifest()
            .to_kdl()
            .matches("decorator Rest")
            .count(),
        1
    );
    // The same document can be made of its texts.
    let again = Document::of_texts(document.format(), &document.texts()).expect("a document");
    assert_eq!(said(&again), Vec::<String>::new());
    assert!(said(&read("wrong.xml"))[0].contains("has no `<TreeNodesModel>`"));
    assert!(said(&read("gone.xml"))[0].contains("there is no such file"));
    let alone = Document::parse(&inside, "t.xml");
    assert!(
        alone
            .diagnostics()
            .iter()
            .all(|item| item.code() == Code::UnknownLeaf)
    );
}

/// A tree of the navigation stack with its model.
fn navigation(name: &str) -> Document {
    let path = nav2().join(name);
    let text = fs::read(&path).expect("a file");
    let manifest = nav2().join("nav2_tree_nodes.xml");
    let manifest = manifest.to_string_lossy();
    let document = Document::read_btcpp(&text, name, Some(&manifest), |path| fs::read(path));
    assert_eq!(said(&document), Vec::<String>::new(), "{name}");
    document
}

#[test]
fn nav2_goes_to_a_pose() {
    let document = navigation("navigate_to_pose_w_replanning_and_recovery.xml");
    // A path is there at once, and following it takes 1.2 s: it is planned again after 1 s, although it is far.
    let answers = "FollowPath: R R R R R R R R R R R R S\n IsGoalNearby: F\n GlobalUpdatedGoal: F";
    let lines = played(&document, answers, 13, 0);
    assert!(
        lines[0].contains("tick ComputePathToPose SUCCESS; tick FollowPath RUNNING"),
        "{}",
        lines[0]
    );
    let planned: Vec<usize> = (0..lines.len())
        .filter(|tick| lines[*tick].contains("ComputePathToPose"))
        .collect();
    assert_eq!(planned, [0, 10]);
    assert!(lines[12].starts_with("13 SUCCESS | "), "{}", lines[12]);
    // Selectors are asked in every tick, and the path is followed although they are.
    assert!(
        lines
            .iter()
            .all(|line| line.contains("tick PlannerSelector SUCCESS"))
    );
}

#[test]
fn nav2_recovers() {
    let document = navigation("navigate_to_pose_w_replanning_and_recovery.xml");
    // No path is found, and clearing does not help: the recoveries come in turn, one each time, until one helps.
    let answers = "IsGoalNearby: F\n GlobalUpdatedGoal: F\n GoalUpdated: F\n\
        ComputePathToPose: F F F F F F S\n FollowPath: R S\n Spin: R F\n Wait: R S\n WouldAControllerRecoveryHelp: F";
    let lines = played(&document, answers, 6, 0);
    let all = lines.join("\n");
    let place = |word: &str| all.find(word).unwrap_or_else(|| panic!("{word} in\n{all}"));
    let order = [
        "tick ClearLocalCostmap-Subtree SUCCESS",
        "tick Spin RUNNING",
        "tick Spin FAILURE; tick Wait RUNNING",
        "tick Wait SUCCESS",
        "tick FollowPath RUNNING",
        "SUCCESS | ",
    ];
    assert!(
        order.windows(2).all(|two| place(two[0]) < place(two[1])),
        "{all}"
    );
    // After six recoveries it gives up.
    let answers = "IsGoalNearby: F\n GlobalUpdatedGoal: F\n GoalUpdated: F\n ComputePathToPose: F\n WouldAControllerRecoveryHelp: F";
    let lines = played(&document, answers, 1, 0);
    assert!(lines[0].starts_with("1 FAILURE"), "{}", lines[0]);
    let recoveries = ["Spin", "Wait", "BackUp", "ClearLocalCostmap-Subtree"];
    let count = |name: &str| lines[0].matches(&format!("tick {name} ")).count();
    assert_eq!(recoveries.map(count), [2, 1, 1, 2]);
}

#[test]
fn the_other_trees_of_nav2_run() {
    for (name, answers, last) in [
        (
            "navigate_through_poses_w_replanning_and_recovery.xml",
            "FollowPath: R R S",
            "3 SUCCESS",
        ),
        (
            "navigate_w_replanning_speed.xml",
            "FollowPath: R R S",
            "3 SUCCESS",
        ),
        ("follow_point.xml", "FollowPath: R R F", "3 FAILURE"),
        (
            "odometry_calibration.xml",
            "DriveOnHeading: R S R S S",
            "3 RUNNING",
        ),
    ] {
        let lines = played(&navigation(name), answers, 3, 0);
        let line = lines.last().expect("a line");
        assert!(line.starts_with(last), "{name}: {}", lines.join("\n"));
    }
}

#[test]
fn controls_of_nav2() {
    let controls = |inside: &str| inside.to_owned();
    // Children before the one that was reached last are ticked again, and may run.
    plays(
        &controls(
            "<PipelineSequence><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></PipelineSequence>",
        ),
        "A: R S R S\n B: R S R\n C: R S",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A SUCCESS; tick B RUNNING",
            "3 RUNNING | tick A RUNNING; tick B SUCCESS; tick C RUNNING",
            "4 SUCCESS | tick A SUCCESS; tick B RUNNING; tick C SUCCESS; halt B",
        ],
    );
    plays(
        &controls(
            "<RecoveryNode number_of_retries=\"1\"><Act name=\"A\"/><Act name=\"B\"/></RecoveryNode>",
        ),
        "A: F F F R\n B: R S S F",
        &[
            "1 RUNNING | tick A FAILURE; tick B RUNNING",
            "2 FAILURE | tick B SUCCESS; tick A FAILURE",
            "3 RUNNING | tick A FAILURE; tick B SUCCESS; tick A RUNNING",
        ],
    );
    plays(
        &controls("<RoundRobin><Act name=\"A\"/><Act name=\"B\"/><Act name=\"C\"/></RoundRobin>"),
        "A: S F F\n B: F K F\n C: S F F",
        &[
            "1 SUCCESS | tick A SUCCESS",
            "2 SUCCESS | tick B FAILURE; tick C SUCCESS",
            "3 FAILURE | tick A FAILURE; tick B SKIPPED; tick C FAILURE",
            "4 FAILURE | tick A FAILURE; tick B FAILURE; tick C FAILURE",
        ],
    );
    plays(
        &controls("<NonblockingSequence><Act name=\"A\"/><Act name=\"B\"/></NonblockingSequence>"),
        "A: R S S\n B: R R S",
        &[
            "1 RUNNING | tick A RUNNING; tick B RUNNING",
            "2 RUNNING | tick A SUCCESS; tick B RUNNING",
            "3 SUCCESS | tick A SUCCESS; tick B SUCCESS",
        ],
    );
    plays(
        &controls(
            "<Fallback><SingleTrigger><Act name=\"A\"/></SingleTrigger><Act name=\"B\"/></Fallback>",
        ),
        "A: R S\n B: R",
        &["1 RUNNING | tick A RUNNING", "2 SUCCESS | tick A SUCCESS"],
    );
    plays(
        &controls(
            "<PipelineSequence><SingleTrigger><Act name=\"A\"/></SingleTrigger><Act name=\"B\"/></PipelineSequence>",
        ),
        "A: S\n B: R",
        &[
            "1 RUNNING | tick A SUCCESS; tick B RUNNING",
            "2 FAILURE | halt B",
            "3 RUNNING | tick A SUCCESS; tick B RUNNING",
        ],
    );
    plays(
        &controls(
            "<PersistentSequence current_child_idx=\"{at}\"><Act name=\"A\"/><Act name=\"B\"/></PersistentSequence>",
        ),
        "A: S\n B: R R S",
        &[
            "1 RUNNING | tick A SUCCESS; tick B RUNNING",
            "1 HALTTREE | halt B",
            "2 RUNNING | tick B RUNNING",
            "3 SUCCESS | tick B SUCCESS",
        ],
    );
    plays(
        &controls(
            "<PipelineSequence><RateController hz=\"5\"><Act name=\"A\"/></RateController><Act name=\"B\"/></PipelineSequence>",
        ),
        "A: S\n B: R",
        &[
            "1 RUNNING | tick A SUCCESS; tick B RUNNING",
            "2 RUNNING | tick B RUNNING",
            "3 RUNNING | tick A SUCCESS; tick B RUNNING",
        ],
    );
}
