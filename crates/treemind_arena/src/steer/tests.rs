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

#[test]
fn several_are_steered_in_one_game_and_each_has_an_own_view() {
    let wanted = Wanted {
        others: vec!["captain".to_owned()],
        reward: "x - was_x".to_owned(),
        ..Wanted::default()
    };
    let mut game = castle(&wanted).unwrap();
    assert_eq!(game.players(), 2);
    let turns = game.turn_all(&[Some(Key::Right), None]).unwrap();
    assert!(turns[0].reward > 0.0, "{turns:?}");
    assert_eq!(turns[1].reward, 0.0, "nobody has pressed its keys");
    let steered = |player| {
        let squares = game.squares_of(player);
        let mut squares = squares.iter();
        squares.position(|square| *square == Square::Steered)
    };
    assert_ne!(steered(0), steered(1));
    assert_ne!(game.known_of(0), game.known_of(1));
    let mut copy = game.clone();
    let rest = |game: &mut Game| {
        let turns = (0..60).map(|_| game.turn_all(&[None, Some(Key::Left)]).unwrap());
        let turns: Vec<Vec<Turn>> = turns.collect();
        (turns, game.world().state_hash())
    };
    assert_eq!(rest(&mut game), rest(&mut copy));
    let twice = Wanted {
        others: vec!["hero".to_owned()],
        ..Wanted::default()
    };
    let refused = castle(&twice).err().unwrap().to_string();
    assert!(refused.contains("`hero` is steered twice"), "{refused}");
}

/// A guard that counts how often it was frightened, beside a thief who is steered by a mind of its own.
const MINDED: &str = "
    blackboard {
        key alarm type=bool
        key blows type=int
        key mood type=enum default=calm { value calm angry; }
        key pos type=vec2
        key pressed type=string
        key seen type=entity list=4
        key last type=float optional=#true
    }
    leaves { action move; }
    tree guard {
        sequence { set \"alarm = true; blows += 2; mood = angry\"; action move; }
    }
    tree thief {
        reactive-selector {
            reactive-sequence { check \"pressed == 'up'\"; set \"blows += 1\"; action move; }
            action move
        }
    }
    main tree=guard";
const MINDED_MAP: &str = "
[map]
#########
#T...G.D#
#########
[legend]
T actor thief steered mind=tree:thief team=thieves
G actor guard mind=main team=castle
D actor old-dog
[steer]
who thief
observe x
observe guard.blows
observe guard.was_blows
observe me.blows
observe guard.mood == angry && !has(guard.last)
observe guard.pos.x + len(guard.seen)
reward guard.blows - guard.was_blows
until me.blows >= 2
every 1
";

fn minded(wanted: &Wanted) -> Result<Game, SweepError> {
    Game::new(
        Document::parse(MINDED, "minded.kdl"),
        None,
        MINDED_MAP,
        wanted,
    )
}

#[test]
fn a_map_says_what_is_seen_and_keys_of_minds_are_known() {
    let wanted = Wanted::of(&Scenario::parse(MINDED_MAP).unwrap());
    assert_eq!(
        (&*wanted.steer, wanted.every, wanted.ticks),
        ("thief", 1, 2_400)
    );
    let mut game = minded(&wanted).unwrap();
    assert_eq!(game.observation().unwrap(), [1.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let turn = game.turn(None).unwrap();
    assert_eq!((turn.reward, turn.is_over), (2.0, false));
    let seen = game.observation().unwrap();
    assert_eq!(seen[1..5], [2.0, 0.0, 0.0, 1.0]);
    assert!(seen[5] > 1.0, "its place is a key: {seen:?}");
    // Its own mind is told what is pressed, and decides.
    assert!(!game.turn(Some(Key::Up)).unwrap().is_over);
    assert!(game.turn(None).unwrap().is_over);
    assert_eq!(game.observation().unwrap()[3], 2.0);
    game.begin(0).unwrap();
    assert_eq!(game.observation().unwrap()[1..4], [0.0; 3]);
}

#[test]
fn keys_that_nobody_has_are_named() {
    let of = |reward: &str| {
        let wanted = Wanted {
            steer: "thief".to_owned(),
            reward: reward.to_owned(),
            ..Wanted::default()
        };
        minded(&wanted).err().unwrap().to_string()
    };
    for (reward, said) in [
        (
            "guard.alarms",
            "the mind of `guard` has no key `alarms`; there are: alarm, blows",
        ),
        ("old_dog.alarm", "`old_dog` has no mind"),
        ("guard.alarm + 1", "`guard.alarm"),
        ("gaurd.alarm", "gaurd"),
        ("guard.seen + 1", "guard.seen"),
    ] {
        let found = of(reward);
        assert!(
            found.starts_with(&format!("`{reward}`: ")) && found.contains(said),
            "{reward}: {found}"
        );
    }
    let castle = castle(&Wanted {
        reward: "me.alarm".to_owned(),
        ..Wanted::default()
    });
    let said = castle.err().unwrap().to_string();
    assert!(said.contains("only an actor that the map marks"), "{said}");
}

#[test]
fn a_part_of_the_map_is_seen_around_the_one_who_is_steered() {
    let wanted = Wanted::of(&Scenario::parse(MINDED_MAP).unwrap());
    let game = minded(&wanted).unwrap();
    let (squares, size) = game.seen_of(0, Sight::around(9).unwrap());
    assert_eq!((squares.len(), size), (81, [9, 9]));
    assert_eq!(squares[40], Square::Steered);
    assert_eq!(squares[44], Square::Enemy);
    // Outside of the map, and the wall of the map.
    assert!(squares[..36].iter().all(|square| *square == Square::Wall));
    let (_, size) = game.seen_of(0, Sight::Whole);
    assert_eq!(size, [3, 9]);
}
