//! Services, composites and decorators of the game.

use crate::own_types::Stage;
use crate::trees::{DT, Play, action, leaf, tree};
use serde::Deserialize;
use treemind::blackboard::KeyId;
use treemind::blackboard::{Type, Value};
use treemind::core::behaviour::{Arg, LeafKind, Param};
use treemind::core::{Expr, Kind, LeafId, Node};
use treemind::leaves::{Move, Told};
use treemind::prelude::*;
use treemind::{NodeType, ServiceType};

const DECORATOR: LeafKind = LeafKind::Decorator;
const COMPOSITE: LeafKind = LeafKind::Composite {
    least: 2,
    most: None,
};

fn own(leaf: usize, args: Vec<Arg>, children: Vec<Node>) -> Node {
    let leaf = LeafId::new(leaf);
    Node::with(Kind::Own { leaf, args }, children)
}

fn count(name: &str) -> Param {
    Param {
        name: name.to_owned(),
        ty: Type::Int,
        default: None,
        by_key: false,
        doc: None,
    }
}

/// Tries its children in turn, beginning with a different one each time, until they have failed a given number of
/// times.
#[derive(Deserialize)]
struct Tries {
    times: usize,
}

impl NodeType<Stage> for Tries {
    type State = usize;

    fn start(&self, _: &mut usize, stage: &mut Stage, me: &mut Agent) -> Result<(), TaskError> {
        stage.log.push(format!("start {}", me.index()));
        match self.times {
            77 => Err("no more".into()),
            78 => panic!("never"),
            _ => Ok(()),
        }
    }

    fn decide(
        &self,
        failed: &mut usize,
        _: &mut Stage,
        me: &mut Agent,
        told: Told,
    ) -> Result<Move, TaskError> {
        if let Told::Answered { status, .. } = told {
            if status != Status::Failure {
                return Ok(Move::Answer(status));
            }
            *failed += 1;
        }
        if *failed >= self.times {
            return Err(format!("failed {failed} times").into());
        }
        Ok(Move::Tick(*failed % me.children()))
    }

    fn stop(
        &self,
        failed: &mut usize,
        stage: &mut Stage,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        stage
            .log
            .push(format!("stop {} {outcome} {failed}", me.index()));
        Ok(())
    }
}

fn tries(times: Vec<Arg>, agents: usize) -> Play<Stage> {
    let mut tries = leaf("tries", COMPOSITE);
    tries.params.push(count("times"));
    let leaves = vec![
        tries,
        leaf("fail", LeafKind::ACTION),
        leaf("run", LeafKind::ACTION),
    ];
    let root = own(0, times, vec![action(1), action(1), action(2)]);
    let mut registry = Registry::<Stage>::new();
    registry
        .composite_type::<Tries>("tries")
        .children(2, None)
        .action("fail", |_, _| Status::Failure)
        .action("run", |_, me| match me.tick() {
            1 => Status::Running,
            _ => Status::Success,
        });
    Play::new(tree(leaves, root), &registry, Stage::default(), agents)
}

#[test]
fn a_composite_decides_what_its_children_do() {
    let mut play = tries(vec![Arg::Value(Value::Int(5))], 1);
    assert_eq!(
        play.traced(0),
        "1 RUNNING | tick fail FAILURE; tick fail FAILURE; tick run RUNNING"
    );
    assert_eq!(play.traced(0), "2 SUCCESS | tick run SUCCESS");
    assert_eq!(play.world.log, ["start 0", "stop 0 success 2"]);
    assert_eq!(play.faults(), []);
}

#[test]
fn what_goes_wrong_in_a_composite_is_its_failure_and_its_stop_still_comes() {
    let mut play = tries(vec![Arg::Expr(Expr::Key(KeyId::new(1), Type::Int))], 4);
    for (agent, times) in [1, 77, 78, 300].into_iter().enumerate() {
        let times = Value::Int(times);
        play.population.set(agent, KeyId::new(1), times).unwrap();
    }
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    assert_eq!((tally.failure, tally.running), (3, 1));
    let mut faults = play.faults();
    faults.sort();
    let fault = |agent: usize, text: &str| (agent, text.to_owned());
    assert_eq!(
        faults,
        [
            fault(0, "failed 1 times"),
            fault(1, "no more"),
            fault(2, "panicked: never")
        ]
    );
    play.population
        .abort_all(&mut play.bound.host(&mut play.world));
    play.world.log.sort();
    assert_eq!(
        play.world.log,
        [
            "start 0",
            "start 1",
            "start 2",
            "start 3",
            "stop 0 failure 1",
            "stop 1 failure 0",
            "stop 2 failure 0",
            "stop 3 aborted 2"
        ]
    );
}

#[test]
fn a_service_is_called_before_its_child() {
    #[derive(Deserialize)]
    struct Look {
        far: i64,
    }

    impl ServiceType<Stage> for Look {
        fn serve(&self, stage: &mut Stage, me: &mut Agent) -> Result<(), TaskError> {
            stage.log.push(format!("look {} {}", self.far, me.tick()));
            if me.tick() == 3 {
                Err("fog".into())
            } else {
                Ok(())
            }
        }
    }

    let mut far = leaf("look", LeafKind::Service);
    far.params.push(count("far"));
    let leaves = vec![
        far,
        leaf("listen", LeafKind::Service),
        leaf("walk", LeafKind::ACTION),
    ];
    let service = |leaf: usize, args: Vec<Arg>, child: Node| {
        let kind = Kind::Service {
            leaf: LeafId::new(leaf),
            args,
            interval: Expr::Value(Value::Double(0.1)),
            jitter: None,
        };
        Node::with(kind, vec![child])
    };
    let root = service(
        0,
        vec![Arg::Value(Value::Int(8))],
        service(1, Vec::new(), action(2)),
    );
    let mut registry = Registry::<Stage>::new();
    registry
        .service_type::<Look>("look")
        .service("listen", |stage: &mut Stage, me| {
            stage.log.push(format!("listen {}", me.tick()));
        })
        .action("walk", |_, _| Status::Running);
    let mut play = Play::new(tree(leaves, root), &registry, Stage::default(), 1);
    for _ in 0..4 {
        play.tick();
    }
    assert_eq!(
        play.world.log,
        ["look 8 1", "listen 1", "look 8 3", "listen 3"]
    );
    assert_eq!(play.faults(), [(0, "fog".to_owned())]);
}

/// Defined once, because the code does not depend on the test.
#[derive(Deserialize)]
struct Invert;

impl NodeType<Stage> for Invert {
    type State = ();

    #[warn(clippy::wildcard_enum_match_arm)]
    fn decide(
        &self,
        (): &mut (),
        _: &mut Stage,
        _: &mut Agent,
        told: Told,
    ) -> Result<Move, TaskError> {
        Ok(match told {
            Told::Tick => Move::Tick(0),
            Told::Answered {
                status: Status::Success,
                ..
            } => Move::Answer(Status::Failure),
            Told::Answered {
                status: Status::Failure,
                ..
            } => Move::Answer(Status::Success),
            Told::Answered { status, .. } => Move::Answer(status),
            Told::Halted { .. } => Move::Answer(Status::Failure),
            _ => treemind_core::unlisted(&told),
        })
    }
}

#[test]
fn a_decorator_without_state_or_parameters() {
    let leaves = vec![leaf("not", DECORATOR), leaf("walk", LeafKind::ACTION)];
    let mut registry = Registry::<Stage>::new();
    registry
        .decorator_type::<Invert>("not")
        .action("walk", |_, me| match me.index() {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        });
    let root = own(0, Vec::new(), vec![action(1)]);
    let mut play = Play::new(tree(leaves, root), &registry, Stage::default(), 200);
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    assert_eq!((tally.success, tally.failure, tally.running), (1, 1, 198));
    let counted = allocation_counter::measure(|| play.tick());
    assert_eq!(counted.count_total, 0);
}

#[test]
fn kinds_and_numbers_of_children_are_held_against_the_behaviour() {
    let leaves = vec![
        leaf(
            "tries",
            LeafKind::Composite {
                least: 1,
                most: None,
            },
        ),
        leaf("not", COMPOSITE),
        leaf("look", DECORATOR),
    ];
    let behaviour = tree(leaves, Node::leaf(Kind::Succeed));
    let mut registry = Registry::<Stage>::new();
    registry
        .composite_type::<Tries>("tries")
        .children(2, Some(3))
        .decorator_type::<Invert>("not")
        .children(1, None)
        .service("look", |_, _| ())
        .composite_type::<Invert>("any")
        .children(3, Some(2));
    let error = registry.bind(&behaviour).err().unwrap();
    assert_eq!(
        error.to_string(),
        "`not` as it is registered: only a composite can have a number of children\n\
         `any` as it is registered: a node cannot have that number of children\n\
         `tries` has 1 or more children in the behaviour, but is registered with 2 to 3 children\n\
         the code of `tries` takes a parameter `times` of type int, which the behaviour does not declare\n\
         `not` is a composite in the behaviour, but is registered as a decorator\n\
         `look` is a decorator in the behaviour, but is registered as a service"
    );
}
