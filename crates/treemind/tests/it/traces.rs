//! Traces with the values of some agents.

use std::time::Duration;
use treemind::prelude::*;
use treemind::trace::Trace;

const TEXT: &[u8] = b"
    blackboard { key hunger type=int default=3; }
    leaves { action graze; action rest; }
    tree cow {
        reactive-selector {
            sequence { check \"hunger > 1\"; set \"hunger -= 1\"; action graze; }
            action rest
        }
    }
";

#[test]
fn values_of_some_agents_are_the_same_and_of_others_there_are_only_events() {
    let mut leaves = Registry::<()>::new();
    leaves
        .action("graze", |(), me| {
            me.set(
                "hunger",
                me.get::<i64>("hunger") - i64::from(me.index() == 70),
            );
            Status::Success
        })
        .action("rest", |(), _| Status::Running);
    let mut cows = Minds::read(TEXT, "cows.kdl", &leaves, 100).expect("cows");
    let mut same = Minds::read(TEXT, "cows.kdl", &leaves, 100).expect("cows");
    for _ in 0..4 {
        let (mut all, mut some) = (Trace::with_values(), Trace::with_values_of([3, 70]));
        let (population, bound) = cows.parts();
        population.tick_traced(
            &mut bound.host(&mut ()),
            Duration::from_millis(50),
            &mut all,
        );
        let (population, bound) = same.parts();
        population.tick_traced(
            &mut bound.host(&mut ()),
            Duration::from_millis(50),
            &mut some,
        );
        for agent in [3, 70] {
            let of = |trace: &Trace| trace.valued(agent).collect::<Vec<_>>();
            assert_eq!(of(&all), of(&some), "{agent}");
        }
        let plain = |trace: &Trace| {
            let events = trace.agent(5).filter(|(_, event)| !event.has_value());
            events.collect::<Vec<_>>()
        };
        assert_eq!(plain(&all), plain(&some));
        assert!(some.agent(5).all(|(_, event)| !event.has_value()));
    }
}
