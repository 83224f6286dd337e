//! The cleaning robot: two levels of alarms, and what it goes back to.

use super::{Actor, F, R, S};
use std::time::Duration;
use treemind::blackboard::Value;

const DT: Duration = Duration::from_secs(1);

fn robot() -> Actor {
    let robot = Actor::machine("04-cleaning-robot/robot.kdl", "robot");
    [
        "look-for-rubbish",
        "pick-up",
        "dump",
        "go-to-charger",
        "hide",
    ]
    .into_iter()
    .fold(robot, |robot, leaf| robot.answers(leaf, &[R]))
}

fn sees(robot: &mut Actor, rubbish: bool) {
    let key = robot.behaviour.key_id("rubbish").unwrap();
    if rubbish {
        robot.given("rubbish", Value::Entity(7));
    } else {
        robot.population.board(0).unset(key, 0);
    }
}

#[test]
fn it_looks_picks_up_and_dumps() {
    let mut robot = robot()
        .answers("pick-up", &[R, S, F])
        .answers("dump", &[R, S]);
    assert_eq!(robot.story(2, DT), ["2: tick look-for-rubbish RUNNING"]);
    sees(&mut robot, true);
    assert_eq!(
        robot.story(3, DT),
        [
            "3: halt look-for-rubbish",
            "4: tick pick-up RUNNING",
            "5: tick pick-up SUCCESS"
        ]
    );
    sees(&mut robot, false);
    assert_eq!(
        robot.story(5, DT),
        [
            "7: tick dump RUNNING",
            "8: tick dump SUCCESS",
            "10: tick look-for-rubbish RUNNING"
        ]
    );
}

#[test]
fn what_is_gone_when_it_gets_there_is_not_dumped() {
    let mut robot = robot().answers("pick-up", &[F]);
    sees(&mut robot, true);
    robot.story(3, DT);
    sees(&mut robot, false);
    assert_eq!(robot.story(2, DT), ["5: tick look-for-rubbish RUNNING"]);
}

#[test]
fn a_low_battery_interrupts_cleaning_and_it_goes_on_where_it_was() {
    let mut robot = robot()
        .answers("go-to-charger", &[R, S])
        .answers("recharge", &[S]);
    sees(&mut robot, true);
    assert_eq!(robot.story(3, DT), ["3: tick pick-up RUNNING"]);
    robot.given("battery", Value::Float(0.1));
    assert_eq!(
        robot.story(3, DT),
        [
            "4: halt pick-up",
            "5: tick go-to-charger RUNNING",
            "6: tick go-to-charger SUCCESS; tick recharge SUCCESS"
        ]
    );
    robot.given("battery", Value::Float(1.0));
    // It does not search again: it goes back to what it was about to pick up.
    assert_eq!(robot.story(2, DT), ["8: tick pick-up RUNNING"]);
}

#[test]
fn a_fight_beats_everything_and_no_state_inside_knows_of_it() {
    // In the middle of cleaning, and in the middle of charging: it hides, and then continues exactly where it was.
    for (battery, activity) in [(1.0, "pick-up"), (0.1, "go-to-charger")] {
        let mut robot = robot();
        sees(&mut robot, true);
        robot.story(2, DT);
        robot.given("battery", Value::Float(battery));
        robot.story(2, DT);
        robot.given("fight_near", Value::Bool(true));
        let halt = format!("5: halt {activity}");
        let story = robot.story(2, DT);
        assert_eq!(story, [halt.as_str(), "6: tick hide RUNNING"]);
        robot.given("fight_near", Value::Bool(false));
        let back = format!("8: tick {activity} RUNNING");
        assert_eq!(robot.story(2, DT), ["7: halt hide", back.as_str()]);
    }
}

#[test]
fn a_fight_that_begins_with_a_low_battery_wins() {
    let mut robot = robot();
    robot.story(2, DT);
    robot.given("battery", Value::Float(0.1));
    robot.given("fight_near", Value::Bool(true));
    assert_eq!(
        robot.story(2, DT),
        ["3: halt look-for-rubbish", "4: tick hide RUNNING"]
    );
    // Back where it was cleaning, it notices that the battery is low.
    robot.given("fight_near", Value::Bool(false));
    assert_eq!(
        robot.story(3, DT),
        ["5: halt hide", "7: tick go-to-charger RUNNING"]
    );
}

#[test]
fn without_rubbish_it_crosses_levels_to_the_charger() {
    let mut robot = robot()
        .answers("go-to-charger", &[S])
        .answers("recharge", &[S]);
    let story = robot.story(25, DT);
    // Twenty seconds after it began to search, in tick 1.
    assert_eq!(story[0], "2: tick look-for-rubbish RUNNING");
    assert_eq!(
        story[19..],
        [
            "21: halt look-for-rubbish",
            "22: tick go-to-charger SUCCESS; tick recharge SUCCESS",
            "24: tick look-for-rubbish RUNNING",
            "25: tick look-for-rubbish RUNNING"
        ]
    );
}
