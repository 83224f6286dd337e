//! Keys that are computed or shared: which parts fit together, and what hosts without sensors do.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Arg, Key, Leaf, LeafKind, Param, Scope, Sensed};
use treemind_core::expr::{Assign, Change, Compare};
use treemind_core::host::{Columns, Scripted};
use treemind_core::{
    Answers, Behaviour, Call, Expr, Host, KeyId, Kind, Lanes, LeafId, Node, Outcome, Parts,
    Population, Program, Type, Value,
};

const RADAR: usize = 0;
const NOISE: usize = 1;
const NEAR: usize = 0;
const ALARM: usize = 1;

fn leaf(name: &str, kind: LeafKind, params: &[(&str, Type)]) -> Leaf {
    let params = params.iter().map(|(name, ty)| Param {
        name: (*name).to_owned(),
        ty: *ty,
        default: None,
        by_key: false,
        doc: None,
    });
    Leaf {
        params: params.collect(),
        ..Leaf::new(name, kind)
    }
}

/// A key `near` with the sensor `radar 5.0`, a key `alarm` of the world, and a tree with a single node.
fn parts(kind: Kind) -> Parts {
    let mut near = Key::new("near", Value::Float(9.0));
    near.sensed = Some(Sensed {
        sensor: LeafId::new(RADAR),
        args: vec![Value::Float(5.0)],
        interval_secs: None,
    });
    let mut alarm = Key::new("alarm", Value::Bool(false));
    alarm.scope = Scope::World;
    Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![near, alarm],
        leaves: vec![
            leaf("radar", LeafKind::Sensor, &[("range", Type::Float)]),
            leaf("noise", LeafKind::Event, &[]),
        ],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::leaf(kind),
    }
}

fn is_near() -> Kind {
    let near = Expr::Key(KeyId::new(NEAR), Type::Float);
    let limit = Expr::Value(Value::Float(3.0));
    Kind::Check {
        expr: Expr::Compare(Compare::Lt, Box::new(near), Box::new(limit)),
    }
}

fn population(agents: usize) -> Population {
    let behaviour = Behaviour::new(parts(is_near())).expect("the parts fit together");
    Population::new(Arc::new(Program::new(behaviour)), agents)
}

/// The error for the parts after a change.
fn refused(kind: Kind, change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = parts(kind);
    change(&mut parts);
    let error = Behaviour::new(parts).expect_err("the parts do not fit together");
    error.reason().to_owned()
}

fn sensed(parts: &mut Parts) -> &mut Sensed {
    parts.keys[NEAR].sensed.as_mut().expect("it is computed")
}

#[test]
fn sensed_keys_need_a_sensor_and_agents_of_their_own() {
    let reason = |change: fn(&mut Parts)| refused(is_near(), change);
    assert_eq!(
        reason(|parts| parts.keys[NEAR].scope = Scope::Group),
        "key `near` is sensed, and shared"
    );
    assert_eq!(
        reason(|parts| sensed(parts).sensor = LeafId::new(NOISE)),
        "key `near` has no sensor"
    );
    let args = "the arguments of key `near` do not fit its sensor";
    assert_eq!(reason(|parts| sensed(parts).args.clear()), args);
    assert_eq!(
        reason(|parts| sensed(parts).args = vec![Value::Int(5)]),
        args
    );
    for secs in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            refused(is_near(), |parts| sensed(parts).interval_secs = Some(secs)),
            "the interval of key `near` is negative or not finite"
        );
    }
}

#[test]
fn nodes_are_about_keys_and_leaves_that_fit() {
    let plain = |kind: Kind| refused(kind, |_| {});
    let set = Kind::Set {
        assigns: vec![Assign {
            key: KeyId::new(NEAR),
            change: Change::Set,
            value: Expr::Value(Value::Float(1.0)),
        }],
    };
    assert_eq!(plain(set), "`near` is computed by the host");
    let scope = |key: usize| {
        let keys = vec![KeyId::new(key)];
        let scope = Kind::Scope { keys };
        refused(Kind::Succeed, |parts| {
            parts.root = Node::with(scope, vec![Node::leaf(Kind::Succeed)]);
        })
    };
    assert_eq!(scope(NEAR), "`near` is computed by the host");
    assert_eq!(scope(ALARM), "`alarm` is shared");
    let missing = "a key that is not there";
    let key = KeyId::new(7);
    assert_eq!(plain(Kind::Changed { key }), missing);
    let emit = |leaf: usize, args: Vec<Arg>| Kind::Emit {
        leaf: LeafId::new(leaf),
        args,
        to: None,
    };
    let radar = vec![Arg::Value(Value::Float(1.0))];
    assert_eq!(
        plain(emit(RADAR, radar.clone())),
        "`radar` is not for nodes like this one"
    );
    assert_eq!(
        plain(emit(NOISE, radar)),
        "`noise` takes 0 parameters, not 1"
    );
}

/// A host without sensors.
struct Blind;

impl Host for Blind {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
    fn update(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
}

#[test]
fn a_host_without_sensors_is_at_fault_once_a_tick() {
    let mut population = population(3);
    let tally = population.tick(&mut Blind, Duration::ZERO);
    assert_eq!(tally.failure, 3);
    let faults = population.take_faults();
    assert_eq!(faults.total(), 3);
    assert_eq!(faults.kept()[2].kind.to_string(), "the host has no sensors");
    assert_eq!(population.get(2, KeyId::new(NEAR)), Value::Float(9.0));
}

#[test]
fn columns_are_what_the_game_wrote_and_scripts_what_they_say() {
    let mut population = population(70);
    let mut columns = Columns::new(population.program().behaviour(), 70);
    let near = KeyId::new(NEAR);
    population.for_each_board(|mut board| {
        let values = board.floats_mut(near).expect("a float");
        values.iter_mut().step_by(2).for_each(|value| *value = 1.0);
    });
    let tally = population.tick(&mut columns, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (35, 35));
    let mut scripted = Scripted::new(population.program().behaviour(), 70);
    scripted.set_sensed(near, &[Some(Value::Float(2.0)), None, Some(Value::Int(5))]);
    for successes in [70, 70, 0, 0] {
        let tally = population.tick(&mut scripted, Duration::ZERO);
        assert_eq!(tally.success, successes);
    }
    assert_eq!(population.take_faults().total(), 0);
}
