//! Keys, the mouse and time.

use super::super::super::course::Plays as _;
use super::super::super::live::Live;
use super::super::super::player::Player;
use super::{COLOURS, all_examples, example, played, shown};
use crate::io;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use treemind_view::{App, Show as _, Wish};

pub(super) const SIZE: (u16, u16) = (120, 40);

pub(super) fn press(app: &mut App<Live>, codes: &[KeyCode]) -> Wish {
    let mut wish = Wish::GoOn;
    for code in codes {
        wish = app.on(&Event::Key(KeyEvent::new(*code, KeyModifiers::NONE)));
    }
    wish
}

pub(super) fn type_keys(app: &mut App<Live>, text: &str) -> Wish {
    let codes: Vec<KeyCode> = text.chars().map(KeyCode::Char).collect();
    press(app, &codes)
}

fn point(app: &mut App<Live>, kind: MouseEventKind, (column, row): (u16, u16)) {
    let modifiers = KeyModifiers::NONE;
    let mouse = MouseEvent {
        kind,
        column,
        row,
        modifiers,
    };
    assert_eq!(app.on(&Event::Mouse(mouse)), Wish::GoOn);
}

/// The position of a text in a frame.
fn place(frame: &str, text: &str) -> (u16, u16) {
    let found = frame.lines().enumerate().find_map(|(row, line)| {
        let before = line.split_once(text)?.0;
        Some((before.chars().count() as u16, row as u16))
    });
    found.unwrap_or_else(|| panic!("`{text}` is not in\n{frame}"))
}

fn click(app: &mut App<Live>, text: &str) -> String {
    let frame = shown(app, SIZE);
    let place = place(&frame, text);
    point(app, MouseEventKind::Down(MouseButton::Left), place);
    shown(app, SIZE)
}

fn app(name: &str) -> App<Live> {
    viewed(example(name, 0))
}

pub(super) fn viewed(player: Player) -> App<Live> {
    App::new(Live::new(player), 0, COLOURS)
}

#[test]
fn a_jump_shows_what_playing_shows() {
    for path in all_examples() {
        let mut played_to = viewed(played(&path));
        (0..700).for_each(|_| assert!(played_to.advance()));
        let mut jumped = viewed(played(&path));
        jumped.go_to(1_003);
        jumped.work(u64::MAX);
        assert_eq!(jumped.tick(), 1_003);
        for tick in [701, 700] {
            jumped.go_to(tick);
            jumped.work(u64::MAX);
        }
        played_to.look.is_paused = true;
        for mind in 0..9 {
            assert_eq!(
                shown(&mut played_to, SIZE),
                shown(&mut jumped, SIZE),
                "{path:?} {mind}"
            );
            press(&mut played_to, &[KeyCode::Tab]);
            press(&mut jumped, &[KeyCode::Tab]);
        }
    }
}

#[test]
fn what_was_played_is_reached_again_from_near_it_back_and_forward() {
    let mut app = app("01-guard/guard.kdl");
    app.go_to(5_000);
    app.work(u64::MAX);
    app.go_to(4_321);
    app.work(u64::MAX);
    let there = shown(&mut app, SIZE);
    app.go_to(10);
    app.work(u64::MAX);
    app.go_to(4_321);
    let from = app.tick();
    assert!(from > 4_000, "it is played again from {from} on");
    app.work(u64::MAX);
    assert_eq!(shown(&mut app, SIZE), there);
}

#[test]
fn keys_step_pause_and_change_the_speed() {
    let mut app = app("01-guard/guard.kdl");
    assert!(app.advance());
    type_keys(&mut app, "..");
    assert!(app.is_paused() && app.tick() == 3 && !app.advance());
    type_keys(&mut app, ",");
    app.work(u64::MAX);
    assert_eq!(app.tick(), 2);
    type_keys(&mut app, " +");
    assert!(app.advance() && app.tick() == 3 && app.look.speed == 2.0);
    type_keys(&mut app, "--");
    assert_eq!(app.look.speed, 0.5);
    let frame = shown(&mut app, SIZE);
    assert!(frame.contains("tick 3  0.15 s  speed 0.5x"), "{frame}");
    press(&mut app, &[KeyCode::Home]);
    assert_eq!(app.tick(), 0);
    type_keys(&mut app, ",");
    assert_eq!(app.tick(), 0, "there is nothing before the beginning");
    assert_eq!(type_keys(&mut app, "q"), Wish::Quit);
    let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(app.on(&Event::Key(control)), Wish::Quit);
}

#[test]
fn a_tick_is_typed_and_the_way_to_it_shown() {
    let mut app = app("01-guard/guard.kdl");
    type_keys(&mut app, "g19x00q");
    let frame = shown(&mut app, SIZE);
    assert!(frame.contains("go to tick  1900▏"), "{frame}");
    press(&mut app, &[KeyCode::Backspace, KeyCode::Enter]);
    app.work(50);
    assert!(app.is_jumping() && app.tick() == 50);
    let frame = shown(&mut app, SIZE);
    assert!(frame.starts_with(" to tick 190: 50  █"), "{frame}");
    app.work(1_000);
    assert!(!app.is_jumping() && app.tick() == 190);
    type_keys(&mut app, "g99");
    press(&mut app, &[KeyCode::Esc]);
    app.work(1_000);
    assert_eq!(app.tick(), 190);
    type_keys(&mut app, "g999999999");
    press(&mut app, &[KeyCode::Enter]);
    app.work(10);
    press(&mut app, &[KeyCode::Esc]);
    app.work(1_000);
    assert_eq!(app.tick(), 200, "it can be stopped on its way");
}

#[test]
fn each_agent_has_a_tree_and_keys_of_its_own() {
    let mut app = app("06-squad/squad.kdl");
    app.go_to(150);
    app.work(u64::MAX);
    let leader = shown(&mut app, SIZE);
    press(&mut app, &[KeyCode::Tab]);
    let scout = shown(&mut app, SIZE);
    assert!(leader.starts_with(" leader 1/4 "), "{leader}");
    assert!(scout.starts_with(" scout 2/4 "), "{scout}");
    assert!(scout.contains("▶ patrol") && !leader.contains("▶ patrol"));
    press(&mut app, &[KeyCode::BackTab]);
    assert_eq!(shown(&mut app, SIZE), leader);
    press(&mut app, &[KeyCode::BackTab]);
    assert!(shown(&mut app, SIZE).starts_with(" medic 4/4 "));
    type_keys(&mut app, "29");
    assert_eq!(shown(&mut app, SIZE), scout, "there is no ninth");
}

#[test]
fn an_agent_is_chosen_by_its_name_or_number() {
    let mut app = app("06-squad/squad.kdl");
    type_keys(&mut app, "amed");
    assert!(shown(&mut app, SIZE).contains(" show agent  med▏"));
    type_keys(&mut app, "ic");
    press(&mut app, &[KeyCode::Enter]);
    assert!(shown(&mut app, SIZE).starts_with(" medic 4/4 "));
    type_keys(&mut app, "a2");
    press(&mut app, &[KeyCode::Enter]);
    assert!(shown(&mut app, SIZE).starts_with(" scout 2/4 "));
    type_keys(&mut app, "anobody");
    press(&mut app, &[KeyCode::Enter]);
    let frame = shown(&mut app, SIZE);
    assert!(frame.contains("there is no agent `nobody`"), "{frame}");
    press(&mut app, &[KeyCode::Tab]);
    let frame = shown(&mut app, SIZE);
    assert!(
        frame.starts_with(" gunner 3/4 ") && !frame.contains("nobody"),
        "{frame}"
    );
}

#[test]
fn the_mouse_chooses_agents_lines_and_buttons_and_scrolls() {
    let mut app = app("06-squad/squad.kdl");
    app.go_to(150);
    app.work(u64::MAX);
    assert!(click(&mut app, "3G gunner").starts_with(" gunner 3/4 "));
    let scout = click(&mut app, "S↙");
    assert!(scout.starts_with(" scout 2/4 "), "{scout}");
    let told = click(&mut app, "ordered?");
    assert!(told.contains(" last "), "{told}");
    let frame = click(&mut app, "one tick");
    assert!(frame.contains("tick 151 "), "{frame}");
    let frame = shown(&mut app, (60, 20));
    let log = place(&frame, "log by tick");
    point(&mut app, MouseEventKind::ScrollUp, (log.0, log.1 + 1));
    let frame = shown(&mut app, (60, 20));
    assert!(frame.contains("lines back"), "{frame}");
    press(&mut app, &[KeyCode::End]);
    assert!(!shown(&mut app, (60, 20)).contains("lines back"));
}

#[test]
fn a_long_tree_scrolls_and_its_lines_are_told() {
    let mut app = app("10-soldier/soldier.kdl");
    (0..40).for_each(|_| assert!(app.advance()));
    let size = (80, 24);
    let before = shown(&mut app, size);
    press(&mut app, &[KeyCode::PageDown]);
    let after = shown(&mut app, size);
    assert_ne!(before, after);
    press(&mut app, &[KeyCode::Esc]);
    assert_eq!(shown(&mut app, size), before);
    press(&mut app, &[KeyCode::Down, KeyCode::Down]);
    assert_ne!(shown(&mut app, size), before);
    let most = [KeyCode::Down; 300];
    press(&mut app, &most);
    shown(&mut app, size);
    press(&mut app, &[KeyCode::PageDown, KeyCode::PageDown]);
    shown(&mut app, size);
}

#[test]
fn help_and_single_panels_open_and_close() {
    let mut app = app("01-guard/guard.kdl");
    let all = shown(&mut app, SIZE);
    type_keys(&mut app, "?");
    assert!(shown(&mut app, SIZE).contains("keys and signs"));
    press(&mut app, &[KeyCode::Esc]);
    assert_eq!(shown(&mut app, SIZE), all);
    for title in ["┌ arena", "┌ tree", "┌ hit points", "┌ log"] {
        type_keys(&mut app, "v");
        let frame = shown(&mut app, (40, 12));
        assert!(frame.contains(title), "{title} is not in\n{frame}");
        assert_eq!(frame.matches('┌').count(), 1, "{frame}");
    }
    type_keys(&mut app, "v");
    assert_eq!(shown(&mut app, SIZE), all);
    assert_eq!(press(&mut app, &[KeyCode::Esc]), Wish::Quit);
}

#[test]
fn keys_steer_the_hero_and_a_key_after_going_back_begins_another_game() {
    let mut app = app("13-hero/castle.kdl");
    press(&mut app, &[KeyCode::Right]);
    (0..40).for_each(|_| assert!(app.advance()));
    let far = shown(&mut app, SIZE);
    assert!(far.contains("coins 0/5"), "{far}");
    type_keys(&mut app, "g20");
    press(&mut app, &[KeyCode::Enter]);
    app.work(100);
    assert_eq!(app.tick(), 20);
    type_keys(&mut app, "a");
    type_keys(&mut app, "p");
    (0..20).for_each(|_| assert!(app.advance()));
    let near = shown(&mut app, SIZE);
    assert_ne!(far, near);
    let (player, _) = app.into_game().into_parts();
    assert_eq!(player.course().presses().text(), "1 right\n21 left\n");
}

#[test]
fn a_game_is_saved_and_loaded_with_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game");
    let live =
        Live::new(example("01-guard/guard.kdl", 0)).saving_to(Ok(io::Output::in_place(&path)));
    let mut app = App::new(live, 0, COLOURS);
    let play = |app: &mut App<Live>| (0..150).for_each(|_| assert!(app.advance()));
    press(&mut app, &[KeyCode::F(9)]);
    assert_eq!(app.tick(), 0);
    play(&mut app);
    press(&mut app, &[KeyCode::F(5)]);
    assert!(path.is_file());
    let saved = app.game().player().save();
    play(&mut app);
    let later = app.game().player().save();
    press(&mut app, &[KeyCode::F(9)]);
    assert_eq!(app.tick(), 150);
    assert!(app.game().player().save() == saved);
    assert!(shown(&mut app, SIZE).contains("loaded from"));
    play(&mut app);
    assert!(app.game().player().save() == later);
}

#[test]
fn a_key_shows_why_and_closes_it_again() {
    let mut app = app("01-guard/guard.kdl");
    press(&mut app, &[KeyCode::Char(' ')]);
    let before = shown(&mut app, SIZE);
    type_keys(&mut app, "y");
    assert!(shown(&mut app, SIZE).contains("It has not decided anything yet."));
    type_keys(&mut app, ".");
    let whole = shown(&mut app, SIZE);
    assert!(whole.contains("`patrol` started"), "{whole}");
    assert!(whole.contains("`see-enemy` does not hold"), "{whole}");
    // With a line selected, it is about that line.
    press(&mut app, &[KeyCode::Down, KeyCode::Down, KeyCode::Down]);
    let one = shown(&mut app, SIZE);
    assert!(!one.contains("What changed"), "{one}");
    press(&mut app, &[KeyCode::Esc, KeyCode::Esc]);
    assert!(!shown(&mut app, SIZE).contains("why; y or Esc"));
    assert!(!before.contains("why; y or Esc"));
}

#[test]
fn reasons_are_the_same_after_going_back() {
    let mut app = app("10-soldier/soldier.kdl");
    press(&mut app, &[KeyCode::Char(' ')]);
    type_keys(&mut app, "y");
    let mut seen = Vec::new();
    for _ in 0..200 {
        type_keys(&mut app, ".");
        seen.push(shown(&mut app, SIZE));
    }
    for tick in (1..=200).rev().step_by(37) {
        app.go_to(tick);
        while app.is_jumping() {
            app.work(1_000);
        }
        assert_eq!(shown(&mut app, SIZE), seen[tick as usize - 1], "{tick}");
    }
}
