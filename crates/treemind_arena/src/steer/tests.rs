//! A steered actor does what keys say, games can be played again to the bit, and nonsense is named.

use super::*;

const CASTLE: &str = include_str!("../../../../examples/13-hero/castle.kdl");
const CASTLE_MAP: &str = include_str!("../../../../examples/13-hero/castle.map");
const GUARD: &str = include_str!("../../../../examples/01-guard/guard.kdl");
const YARD: &str = include_str!("../../../../examples/01-guard/yard.map");

fn castle(wanted: &Wanted) -> Result<Game, SweepError> {
    let document = Document::parse(CASTLE, "castle.kdl");
    Game::new(document, None, CASTLE_MAP, wanted)
}

fn play(game: &mut Game, seed: u64) -> (Vec<Turn>, Vec<f64>, u64) {
    game.begin(seed).unwrap();
    let keys = [
        Key::Right,
        Key::Down,
        Key::Strike,
        Key::Left,
        Key::Whistle,
        Key::Up,
    ];
    let turns = (0..120).map(|nth| {
        let key = (nth % 3 == 0).then_some(keys[nth / 3 % keys.len()]);
        game.turn(key).unwrap()
    });
    let turns = turns.collect();
    let seen = game.observation().unwrap();
    (turns, seen, game.world().state_hash())
}

#[test]
fn a_hero_does_what_keys_say_and_the_same_keys_play_the_same_game() {
    let mut game = castle(&Wanted::default()).unwrap();
    assert_eq!(game.width(), facts().len());
    let before = game.known();
    assert_eq!(before[0], ("x", 1.5));
    game.turn(Some(Key::Right)).unwrap();
    assert!(game.known()[0].1 > 1.5, "{:?}", game.known());
    assert_eq!(game.tick(), 5);
    let first = play(&mut game, 7);
    assert_eq!(first, play(&mut game, 7));
    assert_eq!(first, play(&mut castle(&Wanted::default()).unwrap(), 7));
}

#[test]
fn a_guard_is_steered_in_place_of_its_mind_and_is_worth_what_expressions_say() {
    let wanted = Wanted {
        steer: "guard".to_owned(),
        observe: vec!["health / 100.0".to_owned(), "enemy_seen".to_owned()],
        reward: "x - was_x".to_owned(),
        until: Some("x > 8".to_owned()),
        ..Wanted::default()
    };
    let document = Document::parse(GUARD, "guard.kdl");
    let mut game = Game::new(document, None, YARD, &wanted).unwrap();
    assert_eq!(game.observation().unwrap(), [1.0, 0.0]);
    let stood = game.turn(None).unwrap();
    assert_eq!(
        (stood.reward, stood.is_over),
        (0.0, false),
        "its route does not move it"
    );
    let walked = game.turn(Some(Key::Right)).unwrap();
    assert!(walked.reward > 0.0 && !walked.is_cut);
    let over = (0..40).find(|_| game.turn(None).unwrap().is_over);
    assert!(over.is_some() && game.known()[0].1 > 8.0);
    let of = |square| game.squares().iter().filter(|one| **one == square).count();
    assert_eq!((of(Square::Steered), of(Square::Enemy)), (1, 1));
}

#[test]
fn a_game_is_cut_off() {
    let wanted = Wanted {
        ticks: 12,
        ..Wanted::default()
    };
    let mut game = castle(&wanted).unwrap();
    let cut = |game: &mut Game| game.turn(None).unwrap().is_cut;
    assert_eq!(
        [cut(&mut game), cut(&mut game), cut(&mut game)],
        [false, false, true]
    );
    assert_eq!(game.tick(), 12);
}

#[test]
fn what_makes_no_sense_is_said() {
    let of = |wanted: Wanted| castle(&wanted).err().unwrap().to_string();
    let said = of(Wanted {
        steer: "heroine".to_owned(),
        ..Wanted::default()
    });
    assert!(
        said.contains("`heroine`") && said.contains("captain"),
        "{said}"
    );
    let said = of(Wanted {
        reward: "helth".to_owned(),
        ..Wanted::default()
    });
    assert!(said.contains("`helth`"), "{said}");
    let said = of(Wanted {
        observe: vec!["1.0 / coins".to_owned()],
        ..Wanted::default()
    });
    assert!(said.starts_with("`1.0 / coins`: "), "{said}");
}
