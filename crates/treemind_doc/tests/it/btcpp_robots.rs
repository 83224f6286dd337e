//! Nodes of Nav2 do what somebody outside says of the robot and asks of it.

use super::btcpp::tree;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Nav2, Scripted};
use treemind_core::trace::Trace;
use treemind_core::{Population, Program, Status, Value};
use treemind_doc::{Document, Format, convert};

const A: &str = "<Action ID=\"A\"/>";
const B: &str = "<Action ID=\"B\"/>";
const C: &str = "<Action ID=\"C\"/>";

/// Gives itself another goal in the fourth tick.
const GOALS: &str = "<RunOnce><Script code=\"n := 0\"/></RunOnce><Script code=\"n += 1; goal := n &lt; 4 ? 7 : 8\"/>";

/// Plays a tree with one agent and these answers, in ticks of 0.1 s. Before each tick, something is done to the nodes of
/// Nav2. Returns the lines of the trace.
fn with_nav2(
    inside: &str,
    (answers, ticks): (&[(&str, &[Status])], u64),
    before: impl Fn(u64, &mut Nav2),
) -> Vec<String> {
    let document = Document::parse(&tree(inside), "t.xml");
    let behaviour = document.behaviour(None).expect("a tree");
    let mut leaves = Scripted::new(&behaviour, 1);
    for (leaf, statuses) in answers {
        assert!(leaves.set(0, leaf, statuses));
    }
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let (mut nav2, mut trace) = (Nav2::new(), Trace::new());
    let mut found = Vec::new();
    for tick in 1..=ticks {
        before(tick, &mut nav2);
        trace.clear();
        let dt = Duration::from_millis(100);
        population.tick_traced(&mut nav2.around(&mut leaves), dt, &mut trace);
        let behaviour = population.program().behaviour();
        let head = trace.root(behaviour, 0).expect("the root is ticked");
        found.push(trace.plain_line(behaviour, 0, tick, head.as_str()));
    }
    found
}

/// Plays a tree; the robot of the only agent is where and as fast as it is said for each tick of 0.1 s. Returns the
/// ticks in which the action `A` was ticked.
fn with_robot(inside: &str, at: impl Fn(u64) -> (f64, f64), ticks: u64) -> Vec<u64> {
    let lines = with_nav2(
        inside,
        (&[("B", &[Status::Running])], ticks),
        |tick, nav2| {
            let (position, speed) = at(tick);
            nav2.set_position(0, [position, 0.0, 0.0]);
            nav2.set_speed(0, speed);
        },
    );
    let with_a = (1..).zip(lines).filter(|(_, line)| line.contains("tick A"));
    with_a.map(|(tick, _)| tick).collect()
}

#[test]
fn a_robot_pauses_and_goes_on() {
    const D: &str = "<Action ID=\"D\"/>";
    use Status::{Failure, Running, Success};
    let all = format!("<PauseResumeController>{A}{B}{C}{D}</PauseResumeController>");
    let running: &[(&str, &[Status])] = &[("A", &[Running]), ("B", &[Running])];
    let asks = |pause: &'static [u64], resume: &'static [u64]| {
        move |tick: u64, nav2: &mut Nav2| {
            if resume.contains(&tick) {
                nav2.resume(0);
            }
            if pause.contains(&tick) {
                nav2.pause(0);
            }
        }
    };
    // Nobody hears the request before the first tick, nor the one to go on before it has paused.
    assert_eq!(
        with_nav2(&all, (running, 7), asks(&[1, 3, 5], &[2, 6])),
        [
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 RUNNING | halt A; tick C SUCCESS",
            "4 RUNNING | tick B RUNNING",
            "5 RUNNING | tick B RUNNING",
            "6 RUNNING | halt B; tick D SUCCESS",
            "7 RUNNING | tick A RUNNING",
        ]
    );
    // One that is to go on and then to pause again in one tick pauses again.
    assert_eq!(
        with_nav2(&all, (running, 6), asks(&[2, 4], &[4]))[3],
        "4 RUNNING | halt B; tick C SUCCESS"
    );
    // A child that is not there takes a tick. While it has paused without a second child, it waits.
    let alone = format!("<PauseResumeController>{A}</PauseResumeController>");
    assert_eq!(
        with_nav2(&alone, (&running[..1], 6), asks(&[2], &[5])),
        [
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | halt A",
            "3 RUNNING",
            "4 RUNNING",
            "5 RUNNING",
            "6 RUNNING | tick A RUNNING",
        ]
    );
    // What fails while it pauses is a failure, and the next run begins without a pause.
    let fails: &[(&str, &[Status])] = &[("A", &[Running]), ("C", &[Failure])];
    assert_eq!(
        with_nav2(&all, (fails, 3), asks(&[2], &[])),
        [
            "1 RUNNING | tick A RUNNING",
            "2 FAILURE | halt A; tick C FAILURE",
            "3 RUNNING | tick A RUNNING",
        ]
    );
    let ends: &[(&str, &[Status])] = &[("A", &[Running, Success])];
    assert_eq!(
        with_nav2(&all, (ends, 2), asks(&[], &[]))[1],
        "2 SUCCESS | tick A SUCCESS"
    );
}

#[test]
fn a_goal_that_comes_from_outside_is_handed_on_until_a_newer_one_is_given() {
    let inside = format!(
        "<Sequence>{GOALS}<GoalUpdater input_goal=\"{{goal}}\" output_goal=\"{{to}}\"><Fallback><Sequence><ScriptCondition code=\"to == 9\"/>{A}</Sequence>{C}</Fallback></GoalUpdater></Sequence>"
    );
    let lines = with_nav2(&inside, (&[], 5), |tick, nav2| {
        if tick == 2 {
            nav2.update_goal(0, Value::Int(9));
        }
    });
    let handed: Vec<&str> = lines.iter().map(|line| &line[line.len() - 14..]).collect();
    let (outside, own) = ("tick A SUCCESS", "tick C SUCCESS");
    assert_eq!(handed, [own, outside, outside, own, own]);
}

#[test]
fn a_controller_looks_at_keys_where_it_does_not_name_them() {
    for controller in ["GoalUpdatedController", "SpeedController"] {
        for ports in ["", " goal=\"{goal}\"", " goals=\"{goals}\""] {
            let inside = format!(
                "<ReactiveSequence>{GOALS}<PipelineSequence><{controller}{ports}>{A}</{controller}>{B}</PipelineSequence></ReactiveSequence>"
            );
            assert_eq!(
                with_robot(&inside, |_| (0.0, 0.0), 6),
                [1, 4],
                "{controller}{ports}"
            );
            // On the way back, there are no more ports than there were.
            let xml = tree(&inside);
            let kdl = convert(&xml, "t.xml", Format::BtCpp, Format::Kdl);
            let kdl = kdl.expect("a document").text;
            assert!(kdl.contains("goal=\"{goal}\""), "{kdl}");
            let back = convert(&kdl, "t.kdl", Format::Kdl, Format::BtCpp);
            let back = back.expect("XML").text;
            assert!(back.contains(&format!("<{controller}{ports}>")), "{back}");
        }
    }
}

#[test]
fn decorators_that_look_at_the_robot() {
    let distance = format!(
        "<PipelineSequence><DistanceController distance=\"1.0\">{A}</DistanceController>{B}</PipelineSequence>"
    );
    // 0.4 m in each tick.
    let moves = |tick: u64| (tick as f64 * 0.4, 0.0);
    assert_eq!(with_robot(&distance, moves, 9), [1, 4, 7]);
    assert_eq!(with_robot(&distance, |_| (0.0, 0.0), 9), [1]);
    let speed = format!(
        "<PipelineSequence><SpeedController min_rate=\"1.0\" max_rate=\"5.0\" min_speed=\"0.0\" max_speed=\"1.0\">{A}</SpeedController>{B}</PipelineSequence>"
    );
    // At first as often as it may be; then by the speed: 5, 1 and 2.5 times a second.
    assert_eq!(with_robot(&speed, |_| (0.0, 2.0), 9), [1, 3, 5, 7, 9]);
    assert_eq!(with_robot(&speed, |_| (0.0, 0.0), 24), [1, 3, 13, 23]);
    assert_eq!(with_robot(&speed, |_| (0.0, 0.375), 12), [1, 3, 7, 11]);
}
