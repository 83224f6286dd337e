//! A snapshot is the same on every machine. CI also has Miri run this test on a machine with the other order of bytes:
//!
//! ```sh
//! cargo +nightly miri test -p treemind_core --test it --target s390x-unknown-linux-gnu byte_order
//! ```

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Key, Leaf, LeafKind, Scope, Yields};
use treemind_core::host::Scripted;
use treemind_core::{
    Behaviour, Expr, KeyId, Kind, LeafId, Node, Parts, Population, Program, Text, Trace, Value,
};

/// What a machine with the low byte first has saved, as hexadecimal digits.
const SAVED: &str = include_str!("byte_order.hex");

fn program() -> Arc<Program> {
    let mut alarm = Key::new("alarm", Value::Int(-2));
    alarm.scope = Scope::Group;
    let action = Kind::Action {
        leaf: LeafId::new(0),
        args: Vec::new(),
    };
    let wait = Kind::Wait {
        secs: Expr::Value(Value::Double(0.35)),
        jitter: None,
    };
    let behaviour = Behaviour::new(Parts {
        name: "guard".to_owned(),
        enums: Vec::new(),
        keys: vec![
            Key::new("is_awake", Value::Bool(true)),
            Key::new("shots", Value::Int(0x0102_0304_0506_0708)),
            Key::new("metres", Value::Float(1.5)),
            Key::new("secs", Value::Double(-0.1)),
            Key::new("foe", Value::Entity(0xfedc_ba98_7654_3210)),
            Key::new("at", Value::Vec2([1.0, -2.0])),
            Key::new("to", Value::Vec3([3.0, 4.0, 5.0])),
            Key::new("says", Value::Text(Text::new("hello"))),
            alarm,
        ],
        leaves: vec![Leaf::new("patrol", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(
            Kind::Sequence {
                yields: Yields::Never,
            },
            vec![Node::leaf(wait), Node::leaf(action)],
        ),
    });
    Arc::new(Program::new(behaviour.expect("it is well formed")))
}

fn population(program: &Arc<Program>) -> Population {
    let mut population = Population::new(Arc::clone(program), 3).with_seed(0x1122_3344_5566_7788);
    let mut host = Scripted::new(program.behaviour(), 3);
    population.set_group(1, 2);
    population.set_interval(2, 3);
    let says = KeyId::new(7);
    let hi = Value::Text(Text::new("grüß dich"));
    population.set(1, says, hi).expect("it is a text");
    for _ in 0..3 {
        population.tick(&mut host, Duration::from_millis(100));
    }
    population
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().enumerate().map(|(nth, byte)| {
        let end = if nth % 32 == 31 { "\n" } else { "" };
        format!("{byte:02x}{end}")
    });
    digits.collect()
}

#[test]
fn what_another_machine_has_saved_goes_on_here() {
    let program = program();
    let mut here = population(&program);
    let saved = hex(&here.save());
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/byte_order.hex");
        std::fs::write(path, &saved).expect("it is written");
        return;
    }
    assert_eq!(saved, SAVED);
    let digits: Vec<char> = SAVED.chars().filter(|char| *char != '\n').collect();
    let bytes = digits.chunks(2).map(|two| {
        let byte: String = two.iter().collect();
        u8::from_str_radix(&byte, 16).expect("two digits")
    });
    let bytes: Vec<u8> = bytes.collect();
    let mut there = Population::restore(Arc::clone(&program), &bytes).expect("it is sound");
    assert_eq!(there.readable(), here.readable());
    for _ in 0..3 {
        let traces = [&mut here, &mut there].map(|population| {
            let mut host = Scripted::new(program.behaviour(), 3);
            let mut trace = Trace::new();
            population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
            format!("{trace:?}")
        });
        assert_eq!(traces[0], traces[1]);
    }
    assert_eq!(here.save(), there.save());
}
