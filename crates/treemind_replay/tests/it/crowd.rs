//! What is known of everybody.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, PopulationId, Program, Status, Trace};
use treemind_doc::Document;
use treemind_replay::follow::{Agents, Roster, Tick, Timeline, Troupe};
use treemind_replay::view::{Wish, crowd_of};

struct Crowd(Population);

impl Agents for Crowd {
    fn populations(&self) -> Vec<PopulationId> {
        vec![PopulationId::FIRST]
    }

    fn population(&self, _: PopulationId) -> Option<&Population> {
        Some(&self.0)
    }

    fn name(&self, _: PopulationId) -> String {
        "villager".to_owned()
    }
}

/// Who is hungry and finds nothing cannot eat, and does something else; who is not hungry is not meant. Whoever has done
/// longest what it does comes first, and what is not known is not said.
#[test]
fn who_cannot_is_counted_and_who_has_done_something_longest_is_first() {
    let text = "leaves { condition hungry; action find; action rest; }
        tree t { reactive-selector {
            sequence { condition hungry; action find; }
            action rest
        }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 14);
    let program = Arc::new(Program::new(behaviour));
    let mut crowd = Crowd(Population::new(program, 14));
    let mut roster = Roster::default();
    roster.meet(&crowd);
    let (mut troupe, mut late) = (Troupe::default(), Troupe::default());
    let mut timeline = Timeline::default();
    let wish = Wish {
        longest: true,
        ..Wish::default()
    };
    for tick in 1..=4 {
        for agent in 0..14 {
            // From the second tick on, five are hungry; one of them finds something.
            let is_hungry = tick > 1 && agent < 5;
            let answer = |is_so: bool, so, not| if is_so { so } else { not };
            let answers = [
                (
                    "hungry",
                    answer(is_hungry, Status::Success, Status::Failure),
                ),
                ("find", answer(agent == 0, Status::Running, Status::Failure)),
                ("rest", Status::Running),
            ];
            for (leaf, status) in answers {
                assert!(host.set(agent, leaf, &[status]));
            }
        }
        // Somebody begins to look before the third tick.
        let knows = [true, tick > 2];
        let mut trace = Trace::with_values();
        for (troupe, _) in [&mut troupe, &mut late]
            .into_iter()
            .zip(knows)
            .filter(|(_, is)| *is)
        {
            troupe.before_tick(&crowd, &roster, &[0]);
        }
        let dt = Duration::from_millis(100);
        crowd.0.tick_traced(&mut host, dt, &mut trace);
        let traces = [(PopulationId::FIRST, trace)];
        let tick = Tick {
            number: tick,
            traces: &traces,
            messages: &[],
        };
        for (troupe, _) in [&mut troupe, &mut late]
            .into_iter()
            .zip(knows)
            .filter(|(_, is)| *is)
        {
            troupe.after_tick(&crowd, &roster, tick);
            troupe.note(&crowd, &roster, tick.number, &mut timeline);
        }
        let view = crowd_of(&crowd, (&roster, &troupe), &wish, None);
        let cannot = view.cannot.map(|one| (one.count, one.branch));
        let wanted = (tick.number > 1).then(|| (4, "hungry".to_owned()));
        assert_eq!(cannot, wanted, "tick {}", tick.number);
    }
    let listed = |troupe: &Troupe| {
        let view = crowd_of(&crowd, (&roster, troupe), &wish, None);
        let found = view.found.agents.into_iter();
        let known = found.map(|one| (one.nth, one.since, one.is_least));
        known.collect::<Vec<_>>()
    };
    let all = listed(&troupe);
    assert_eq!(all[0], (1, Some(1), false));
    assert_eq!(all[13], (0, Some(2), false));
    assert!(
        listed(&late)
            .iter()
            .all(|one| (one.1, one.2) == (Some(3), true))
    );
    // Nobody, `find`, `rest`; noted once, whoever looks.
    let actions = ["find", "rest"];
    let shares = timeline.shares(0, 2, &actions).expect("they are many");
    assert_eq!(shares, [2, 3, 4].map(|tick| (tick, vec![0, 1, 13])));
    for tick in 5..=5_000 {
        timeline.note_shares(tick, PopulationId::FIRST, (&actions, &[0, 1, 13]));
    }
    let shares = timeline.shares(0, 0, &actions).expect("they are many");
    assert!((512..=1_024).contains(&shares.len()), "{}", shares.len());
}
