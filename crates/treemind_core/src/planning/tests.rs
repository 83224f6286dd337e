//! Searches in several turns.

use super::paused::Known;
use super::shelf::{Asker, Question, Shelf, hash_of};
use super::{Desk, Domain, NoPlan, Search, StepSet};
use crate::behaviour::{
    Aim, Behaviour, Doing, Goal, Key, Kind, Leaf, LeafKind, Method, Node, Parts, PlanStep, Planner,
    Replan, Score, Task,
};
use crate::expr::{Arith, Assign, Change, Compare, Expr};
use crate::ids::{KeyId, LeafId, NodeId};
use crate::value::{Type, Value};

const COUNTERS: usize = 3;

/// Three counters that are to come to three. The first goal wants it; the second one has a task that tries all ways to
/// do up to five steps, and none of them leads there.
fn counters() -> Behaviour {
    let counter = |index| Expr::Key(KeyId::new(index), Type::Int);
    let int = |value| Expr::Value(Value::Int(value));
    let parts = (0..COUNTERS).map(|index| {
        let (a, b) = (Box::new(counter(index)), Box::new(int(3)));
        Expr::Compare(Compare::Ge, a, b)
    });
    let wants = parts.reduce(|a, b| Expr::And(Box::new(a), Box::new(b)));
    let wants = wants.expect("there are counters");
    let goal = |name: &str, aim| Goal {
        name: name.to_owned(),
        aim,
        when: None,
        score: Score::of(Expr::Value(Value::Double(1.0))),
    };
    let steps = (0..COUNTERS).map(|index| PlanStep {
        name: format!("s{index}"),
        gives: vec![Assign {
            key: KeyId::new(index),
            change: Change::Set,
            value: Expr::Arith(Arith::Add, Box::new(counter(index)), Box::new(int(1))),
        }],
        cost: None,
    });
    let mut methods: Vec<Method> = (0..COUNTERS)
        .map(|step| Method {
            does: vec![Doing::Step(step), Doing::Task(0)],
            when: None,
        })
        .collect();
    methods.push(Method {
        does: Vec::new(),
        when: Some(wants.clone()),
    });
    let planner = Planner {
        steps: steps.collect(),
        goals: vec![goal("all", Aim::Wants(wants)), goal("try", Aim::Does(0))],
        tasks: vec![Task {
            name: "some".to_owned(),
            methods,
        }],
        replan: Replan::Broken,
        hysteresis: Expr::Value(Value::Double(0.0)),
        every: 1,
        slice: 5,
        max_expansions: 4_096,
        max_steps: 5,
    };
    let leaf = |index| {
        Node::leaf(Kind::Action {
            leaf: LeafId::new(index),
            args: Vec::new(),
        })
    };
    let names = (0..COUNTERS).map(|index| format!("s{index}"));
    let parts = Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: (0..COUNTERS)
            .map(|index| Key::new(format!("k{index}"), Value::Int(0)))
            .collect(),
        leaves: names
            .map(|name| Leaf::new(&name, LeafKind::ACTION))
            .collect(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(
            Kind::Planner(Box::new(planner)),
            (0..COUNTERS).map(leaf).collect(),
        ),
    };
    Behaviour::new(parts).expect("the parts fit together")
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
fn a_search_in_several_turns_goes_on_and_comes_to_the_same() {
    let behaviour = counters();
    let mut domain = Domain::new(&behaviour, NodeId::new(0));
    let situation = vec![0; domain.words()];
    let all = StepSet::default();
    for (goal, max_steps) in [(0, 16), (1, 5)] {
        domain.max_steps = max_steps;
        let mut desk = Desk::default();
        let wanted = domain.search(goal, &situation, all, u32::MAX, &mut desk);
        let (plan, expansions) = (desk.plan.clone(), desk.expansions);
        assert!(expansions > 20, "{expansions}");
        match goal {
            0 => assert!(matches!(wanted, Search::Found { cost: 9_000, .. })),
            _ => assert_eq!(wanted, Search::Nothing(NoPlan::Limit)),
        }
        let mut shelf = Shelf::new(domain.words(), true);
        let mut given = 0;
        for tick in 0.. {
            given += 5;
            // What another search has left on the desk does not matter.
            desk = Desk::default();
            let asker = Asker {
                domain: &domain,
                node: NodeId::new(0),
                tick,
                every: 1,
            };
            let (found, _) = shelf.search(asker, (goal, all), &situation, given, &mut desk);
            let paused = shelf.paused.count();
            if found != Search::Unfinished {
                assert_eq!((found, &desk.plan), (wanted, &plan));
                assert_eq!((desk.expansions, paused), (expansions, 0));
                break;
            }
            assert_eq!((desk.expansions, paused), (given + 1, 1));
        }
        assert_eq!(given, expansions.next_multiple_of(5));
    }
}

/// A search for which there is no room stays on the desk until another one is begun.
#[test]
#[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
fn a_search_without_room_goes_on_from_the_desk() {
    let behaviour = counters();
    let domain = Domain::new(&behaviour, NodeId::new(0));
    let (situation, mut other) = (vec![0; domain.words()], vec![0; domain.words()]);
    other[0] = 7;
    let all = StepSet::default();
    let mut desk = Desk::default();
    let wanted = domain.search(0, &situation, all, u32::MAX, &mut desk);
    let (plan, expansions) = (desk.plan.clone(), desk.expansions);
    // This one has no room at all.
    let mut shelf = Shelf::new(domain.words(), false);
    let question = Question::new(NodeId::new(0), 0, all);
    let hash = hash_of(question, &situation);
    let mut search = |shelf: &mut Shelf, situation: &[u64], given: u32| {
        let asker = Asker {
            domain: &domain,
            node: NodeId::new(0),
            tick: 1,
            every: 1,
        };
        let (found, _) = shelf.search(asker, (0, all), situation, given, &mut desk);
        (found, desk.clone())
    };
    for given in (5..expansions).step_by(5) {
        let (found, mut left) = search(&mut shelf, &situation, given);
        assert_eq!(found, Search::Unfinished);
        if left.waits.is_none() {
            // It is over, but with more expansions than it was given.
            assert_eq!(left.expansions, expansions);
            break;
        }
        assert_eq!(left.expansions, given + 1);
        let mut known = |given| (shelf.paused).take((question, hash), &situation, given, &mut left);
        assert_eq!(
            [given, given + 5].map(&mut known),
            [Known::NeedsMore, Known::OnDesk]
        );
    }
    let (found, left) = search(&mut shelf, &situation, expansions);
    assert_eq!(
        (found, &left.plan, left.expansions),
        (wanted, &plan, expansions)
    );
    // What lies there is not taken for another one, and gives way to it.
    let mut shelf = Shelf::new(domain.words(), false);
    search(&mut shelf, &situation, 5);
    let (_, mut left) = search(&mut shelf, &other, 5);
    let known = shelf
        .paused
        .take((question, hash), &situation, 10, &mut left);
    assert_eq!(known, Known::Nothing);
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
fn searches_that_nobody_asks_for_any_more_make_room() {
    let behaviour = counters();
    let domain = Domain::new(&behaviour, NodeId::new(0));
    let mut shelf = Shelf::new(domain.words(), true);
    let mut desk = Desk::default();
    let mut situation = vec![0; domain.words()];
    let mut search = |shelf: &mut Shelf, tick, first: u64, given| {
        situation[0] = first;
        let asker = Asker {
            domain: &domain,
            node: NodeId::new(0),
            tick,
            every: 1,
        };
        shelf
            .search(asker, (1, StepSet::default()), &situation, given, &mut desk)
            .0
    };
    for first in 0..10_000 {
        search(&mut shelf, 1, first, 30);
    }
    let full = shelf.paused.count();
    assert!(full > 1_000, "{full}");
    for first in 20_000..30_000 {
        search(&mut shelf, 1, first, 30);
    }
    assert_eq!(shelf.paused.count(), full, "who came first goes on");
    for first in 40_000..50_000 {
        search(&mut shelf, 100, first, 30);
    }
    let question = Question::new(NodeId::new(0), 1, StepSet::default());
    let found = (40_000..50_000u64).filter(|first| {
        let mut situation = vec![0; domain.words()];
        situation[0] = *first;
        let hash = hash_of(question, &situation);
        let mut desk = Desk::default();
        let known = shelf
            .paused
            .take((question, hash), &situation, 60, &mut desk);
        known == Known::OnDesk
    });
    assert!(found.count() > 1_000);
}
