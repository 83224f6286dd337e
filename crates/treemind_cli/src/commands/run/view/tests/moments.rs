//! What there is to see of an agent after a tick is the same by whichever way one came there.

use super::super::super::course::Plays as _;
use super::super::super::live::Live;
use super::super::super::player::{Line, Player};
use super::super::super::reel::Reel;
use super::recorded::Take;
use super::{COLOURS, all_examples, examples, played};
use serde_json::Value;
use treemind_explain::{Language, Words};
use treemind_replay::follow::{Follower, Timeline};
use treemind_replay::view::{Wish, view_of};
use treemind_view::{App, Scene as _, Show as _};

/// How many ticks most examples are played, and the first one, which is played beyond the memory of followers.
const TICKS: u64 = 130;
const MANY_TICKS: u64 = 1_100;

/// Everything about a mind, apart from what it did before.
fn moment(follower: &Follower, player: &Player, mind: usize) -> Value {
    let wish = Wish {
        mind,
        node: Some(0),
        ..Wish::default()
    };
    let population = player.population(mind);
    let view = view_of(follower, population, &wish, &Timeline::default());
    serde_json::to_value(view).expect("JSON")
}

fn moment_of(player: &Player, mind: usize) -> Value {
    moment(&player.minds()[mind], player, mind)
}

/// In Chinese, a line of the log has no word of English outside of names, unless the game says it.
fn is_in_chinese_too(line: &Line) {
    let chinese = line.words.written(Language::Chinese);
    let mut words = chinese.split('`').step_by(2).flat_map(str::chars);
    let has_english = words.any(|letter| letter.is_ascii_alphabetic());
    let is_said = matches!(line.words, Words::Plain(_));
    assert!(is_said || !has_english, "{chinese}: {}", line.text);
}

/// Numbers that look random, always the same.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

#[test]
fn every_example_shows_the_same_by_whichever_way_one_comes_to_a_tick() {
    let mut draw = Draw(7);
    for path in all_examples() {
        let name = path.strip_prefix(examples()).expect("an example");
        let name = name.to_str().expect("a name");
        let all = match name {
            "01-guard/guard.kdl" => MANY_TICKS,
            _ => TICKS,
        };
        let mut player = played(&path);
        let minds = player.minds().len() as u64;
        let mut wanted: Vec<(u64, usize)> = (0..5)
            .map(|_| (1 + draw.below(all), draw.below(minds) as usize))
            .chain([(all, 0)])
            .collect();
        wanted.sort_unstable();
        // Tick by tick from the beginning, and recorded.
        let mut take = Take::new(name, &player);
        let mut there = Vec::new();
        for (tick, mind) in &wanted {
            while player.tick() < *tick {
                take.camera.step(&mut player);
                player.fresh().for_each(is_in_chinese_too);
            }
            there.push(moment_of(&player, *mind));
        }
        let mut game = Reel::new(played(&path));
        let mut terminal = App::new(Live::new(played(&path)), 0, COLOURS);
        let mut recording = Reel::new(take.player());
        // All games have been played to the end, or not; then by leaps, in any order.
        (0..all).for_each(|_| game.step());
        for _ in 0..4 {
            let nth = draw.below(wanted.len() as u64) as usize;
            let (tick, mind) = wanted[nth];
            for reel in [&mut game, &mut recording] {
                reel.seek(tick);
                while reel.tick() < tick {
                    reel.step();
                }
                let here = moment_of(reel.now(), mind);
                assert_eq!(here, there[nth], "{name}, tick {tick}, mind {mind}");
            }
            terminal.go_to(tick);
            terminal.work(u64::MAX);
            let player = terminal.game().player();
            assert_eq!(terminal.tick(), tick, "{name}");
            let here = moment(player.mind(mind).expect("it is followed"), player, mind);
            assert_eq!(here, there[nth], "{name}, tick {tick}, mind {mind}");
        }
    }
}

#[test]
fn who_has_been_followed_for_too_short_a_time_knows_less() {
    let path = examples().join("01-guard/guard.kdl");
    let mut player = played(&path);
    (0..180).for_each(|_| player.step());
    let mut late = player.clone();
    // A game that is loaded forgets whom it followed.
    let saved = player.save().expect("a game");
    late.load(&saved).expect("it fits");
    for one in [&mut player, &mut late] {
        (0..10).for_each(|_| one.step());
    }
    assert_ne!(moment_of(&player, 0), moment_of(&late, 0));
    (190..1_100).for_each(|_| player.step());
    (190..1_100).for_each(|_| late.step());
    assert_eq!(moment_of(&player, 0), moment_of(&late, 0));
}
