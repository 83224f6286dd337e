//! Games whose rounds are shown in any order.

use super::Game;
use crate::app::Playable as _;
use crate::record::{Desk, Round, Shared, Watch, desk, track};
use crate::scene::Scene;
use ratatui::text::Text;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Status};
use treemind_doc::Document;
use treemind_replay::follow::Timeline;
use treemind_replay::view::{Wish, view_of};

const TICK: Duration = Duration::from_millis(100);

#[test]
fn rounds_are_forgotten_when_they_take_too_much() {
    let mut game = Game::new(0, "game");
    game.most_bytes = 100_000;
    for tick in 1..=2_000_u64 {
        let mut desk = Desk {
            round: Round {
                panel: Some(Text::raw(format!("{tick:>100}"))),
                dt: TICK,
                ..Round::default()
            },
            ..Desk::default()
        };
        game.push(&mut desk);
        assert!(game.step());
    }
    let (first, _) = game.rounds.ticks();
    assert!(first > 0, "nothing was forgotten");
    assert!(game.rounds.bytes <= 100_000);
    for tick in [1_999, 1_000, first, 0] {
        game.seek(tick);
        assert_eq!(game.tick, tick.max(first));
        go_to(&mut game, 2_000);
    }
    assert!(!game.step() && game.is_waiting());
    assert!((game.scene().secs_at(2_000) - 200.0).abs() < 1e-6);
}

/// Agents that walk and rest in turn, and what watches them.
struct Walkers {
    watch: Watch,
    population: Population,
    host: Scripted,
}

impl Walkers {
    fn new(shared: &Shared, name: &str, agents: usize) -> Self {
        let text = format!(
            "leaves {{ condition tired; action rest; action walk; }}
            tree t {{ key steps type=int; reactive-selector {{
                reactive-sequence {{ condition tired; action rest name={name}-rests; }}
                sequence {{ set \"steps = steps + 1\"; action walk; }}
            }} }}"
        );
        let behaviour = Document::parse(&text, "t.kdl").behaviour(None).unwrap();
        let mut host = Scripted::new(&behaviour, agents);
        let (no, yes) = (Status::Failure, Status::Success);
        for agent in 0..agents {
            let often = 2 + agent % 5;
            let answers: Vec<Status> = (0..9)
                .map(|nth| if nth % often == 0 { yes } else { no })
                .collect();
            assert!(host.set(agent, "tired", &answers));
            assert!(host.set(agent, "walk", &[Status::Running, Status::Running, yes]));
            assert!(host.set(agent, &format!("{name}-rests"), &[Status::Running]));
        }
        Self {
            watch: Watch::new(shared, name),
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            host,
        }
    }

    fn tick(&mut self) {
        self.watch.tick(&mut self.population, &mut self.host, TICK);
    }
}

fn go_to(game: &mut Game, tick: u64) {
    game.seek(tick);
    while game.tick < tick {
        assert!(game.step());
    }
}

/// Everything that is shown of a tick.
fn shown(game: &mut Game) -> String {
    let minds: Vec<usize> = (0..game.minds()).collect();
    let mut shown = format!("{} faults, {} agents\n", game.faults(), game.agents());
    for nth in minds {
        let scene: &dyn Scene = game;
        shown += &format!("{} {:?}", scene.name(nth), scene.doing(nth));
        if nth % 36 == 0 {
            game.shows(nth);
            let (mind, population) = (game.mind(nth).expect("it is shown"), game.population(nth));
            let view = view_of(mind, population, &Wish::default(), &Timeline::default());
            shown += &format!("{view:?}");
        }
        shown.push('\n');
    }
    for nth in 0..game.log_len(0) {
        let line = game.log_line(nth, 0);
        shown += &format!("{} {:?} {}\n", line.tick, line.is_own, line.text);
    }
    shown
}

/// Guards from the beginning, a crowd that comes later and is once ticked twice in a round, and the guards are once ticked
/// without the view: every tick is shown as it was the first time, in whatever order they are visited.
#[test]
fn every_tick_is_shown_as_it_was_though_what_is_watched_comes_late_and_begins_again() {
    let shared = Shared::default();
    let mut guards = Walkers::new(&shared, "guard", 3);
    let mut crowd = Walkers::new(&shared, "walker", 34);
    let mut game = Game::new(0, "game");
    let mut seen = vec![shown(&mut game)];
    for round in 1..=200_u64 {
        guards.tick();
        if round == 110 {
            guards.population.tick(&mut guards.host, TICK);
        }
        if round > 40 {
            crowd.tick();
        }
        if round % 50 == 0 {
            crowd.tick();
            desk(&shared).round.notes.push(format!("round {round}"));
        }
        game.push(&mut desk(&shared));
        assert!(game.step());
        seen.push(shown(&mut game));
    }
    assert_eq!(game.reels.len(), 3);
    let any = (0..6_u64).map(|nth| nth * 7_919 % 201);
    for tick in [110, 40, 41, 109, 111, 0, 200].into_iter().chain(any) {
        // On the way, somebody stops to look.
        game.seek(tick);
        for tick in [game.tick, tick] {
            go_to(&mut game, tick);
            let (now, there) = (shown(&mut game), &seen[tick as usize]);
            let differs = now.lines().zip(there.lines()).find(|(a, b)| a != b);
            assert!(now == *there, "tick {tick}: {differs:?}");
        }
    }
}

#[test]
fn a_tape_that_cannot_be_played_is_told_and_begins_again() {
    let shared = Shared::default();
    let mut guards = Walkers::new(&shared, "guard", 3);
    let mut game = Game::new(0, "game");
    for round in 1..=1_030 {
        guards.tick();
        if round == 10 {
            track(&game.reels[0].tape).push_tick(&[0xff; 3]);
        }
        game.push(&mut desk(&shared));
        assert!(game.step());
        let told = game
            .fresh()
            .iter()
            .any(|line| line.text.contains("guard cannot be shown any more: tick "));
        assert_eq!(told, round == 10, "round {round}");
        if round == 20 {
            assert_eq!(game.minds(), 0);
        }
    }
    assert_eq!((game.minds(), game.reels.len()), (3, 2));
    assert_eq!(game.listed(), "there are `guard-1`, `guard-2`, `guard-3`");
    go_to(&mut game, 5);
}
