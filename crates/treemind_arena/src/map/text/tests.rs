#![cfg(test)]

use super::super::scenario::Scenario;
use super::{MapSide, MapText};
use crate::geometry::Cell;

const MAP: &str = "; a yard\r\n[map]\r\n#####\r\n#G h#  \r\n#é..\r\n#####\r\n\r\n[legend]\r\n\
    G  actor guard mind=main route=hut   walk=2.0\r\nh spot hut\r\né coin\r\n[script]\r\nat 9 guard goes hut\r\n\
    at 9 noise 3 at hut\r\n";

fn map() -> MapText {
    MapText::new(MAP)
}

fn cell(x: i32, y: i32) -> Cell {
    Cell { x, y }
}

/// The lines that differ between two texts, as they are in each.
fn changed(from: &MapText, to: &MapText) -> Vec<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (
        from.text().split_inclusive('\n').collect(),
        to.text().split_inclusive('\n').collect(),
    );
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[same..], &new[same..]);
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take_while(|(a, b)| a == b).count();
    vec![(
        old[..old.len() - tail].concat(),
        new[..new.len() - tail].concat(),
    )]
}

#[test]
fn an_actor_that_is_painted_over_goes_with_its_line() {
    let (map, sign) = map().put(cell(3, 2), "actor cat mind=main").unwrap();
    let without = map.paint(&[cell(3, 2)], '.').unwrap();
    assert!(!without.text().contains("cat"), "{}", without.text());
    // One of two is no reason to remove the line.
    let two = map.paint(&[cell(2, 1)], sign).unwrap();
    let one = two.paint(&[cell(3, 2)], '.').unwrap();
    assert!(one.text().contains("actor cat"), "{}", one.text());
    // A spot may be nowhere, and the script may still need it.
    let text = format!("{}", map.paint(&[cell(3, 1)], '.').unwrap_err());
    assert!(text.contains("hut"), "{text}");
}

#[test]
fn painting_changes_one_character() {
    let map = map();
    let wall = map.paint(&[cell(2, 1)], '#').unwrap();
    assert_eq!(
        changed(&map, &wall),
        [("#G h#  \r\n".into(), "#G#h#  \r\n".into())]
    );
    // What is floor already stays a blank, and a row that is too short is filled.
    assert_eq!(map.paint(&[cell(2, 1)], '.').unwrap(), map);
    let far = map.paint(&[cell(4, 2)], '#').unwrap();
    assert_eq!(
        changed(&map, &far),
        [("#é..\r\n".into(), "#é..#\r\n".into())]
    );
    // One row more.
    let more = map.paint(&[cell(1, 4)], '#').unwrap();
    assert_eq!(changed(&map, &more), [(String::new(), ".#\r\n".into())]);
    for (at, sign) in [
        (cell(1, 9), '#'),
        (cell(-1, 1), '#'),
        (cell(2, 1), '?'),
        // The script needs the guard.
        (cell(1, 1), '#'),
        (cell(0, 1), ';'),
    ] {
        assert!(map.paint(&[at], sign).is_err(), "{at:?} {sign}");
    }
}

#[test]
fn what_stands_on_the_map_is_moved_put_and_removed() {
    let map = map();
    let moved = map.move_mark(cell(1, 1), cell(2, 2)).unwrap();
    let scenario = Scenario::parse(moved.text()).unwrap();
    assert_eq!(scenario.actors[0].1, cell(2, 2));
    assert!(
        map.move_mark(cell(1, 1), cell(3, 1)).is_err(),
        "the hut is there"
    );
    assert!(
        map.move_mark(cell(0, 0), cell(2, 2)).is_err(),
        "a wall stays"
    );
    let (put, sign) = map.put(cell(2, 2), "actor thief team=thieves").unwrap();
    assert_eq!(sign, 'T');
    assert_eq!(
        put.text(),
        map.text()
            .replace("#é..", "#éT.")
            .replace("é coin\r\n", "é coin\r\nT actor thief team=thieves\r\n")
    );
    let (again, sign) = put.put(cell(2, 1), "spot hut").unwrap();
    assert_eq!(sign, 'h', "a second square of the same spot");
    assert_eq!(
        again.remove('T').unwrap().text(),
        map.text().replace("#G h#", "#Ghh#")
    );
    assert!(map.put(cell(2, 2), "actor thief size=2").is_err());
    assert!(map.remove('h').is_err(), "the guard walks there");
    let bare = MapText::new("[map]\n...\n");
    let (put, sign) = bare.put(cell(1, 0), "coin").unwrap();
    assert_eq!(
        (put.text(), sign),
        ("[map]\n.c.\n\n[legend]\nc coin\n", 'c')
    );
}

#[test]
fn the_legend_is_changed_word_by_word() {
    let map = map();
    let of = |text: &MapText| {
        text.text()
            .lines()
            .find(|line| line.starts_with("G "))
            .map(str::to_owned)
    };
    let set = map.set('G', "route", None).unwrap();
    assert_eq!(of(&set).unwrap(), "G  actor guard mind=main   walk=2.0");
    let set = map.set('G', "mind", Some("tree:other")).unwrap();
    assert_eq!(
        of(&set).unwrap(),
        "G  actor guard mind=tree:other route=hut   walk=2.0"
    );
    let set = map.set('G', "listens", Some("")).unwrap();
    assert_eq!(
        of(&set).unwrap(),
        "G  actor guard mind=main route=hut   walk=2.0 listens"
    );
    assert!(map.set('G', "walk", Some("fast")).is_err());
    assert!(map.set('Q', "walk", Some("1")).is_err());
    let named = map.rename('h', "home").unwrap();
    assert_eq!(named.text(), map.text().replace("hut", "home"));
    let named = map.rename('G', "watchman").unwrap();
    assert_eq!(named.text(), map.text().replace("guard", "watchman"));
    assert!(map.rename('G', "two words").is_err());
}

#[test]
fn a_map_grows_at_each_side() {
    let map = map();
    let rows = |text: &MapText| {
        let all = text.rows().unwrap().into_iter();
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        rows(&map.grow(MapSide::North).unwrap())[..2],
        ["#####", "#####"]
    );
    assert_eq!(
        rows(&map.grow(MapSide::South).unwrap())[3..],
        ["#####", "#####"]
    );
    assert_eq!(
        rows(&map.grow(MapSide::West).unwrap()),
        ["######", "##G h#", "##é..", "######"]
    );
    assert_eq!(
        rows(&map.grow(MapSide::East).unwrap()),
        ["######", "#G h##", "#é...#", "######"]
    );
}

#[test]
fn an_actor_is_renamed_where_learners_name_it() {
    let text = "[map]\nGDD\n[legend]\nG actor guard\nD actor dog\n[steer]\nwho guard dog-2\n\
        observe guard.alarm + dog_1.fear - guard_x\nreward was_x * guard.was_alarm\n";
    let map = MapText::new(text);
    let guard = map.rename('G', "old-guard").unwrap();
    let of = |text: &MapText| text.text().split("[steer]\n").nth(1).unwrap().to_owned();
    assert_eq!(
        of(&guard),
        "who old-guard dog-2\nobserve old_guard.alarm + dog_1.fear - guard_x\n\
         reward was_x * old_guard.was_alarm\n"
    );
    let dog = map.rename('D', "wolf").unwrap();
    assert_eq!(
        of(&dog),
        "who guard wolf-2\nobserve guard.alarm + wolf_1.fear - guard_x\nreward was_x * guard.was_alarm\n"
    );
    assert!(map.remove('G').is_err(), "it is steered");
}

#[test]
fn a_byte_order_mark_stays_before_the_map() {
    for text in [
        format!("\u{feff}{MAP}"),
        format!("\u{feff}{}", &MAP["; a yard\r\n".len()..]),
    ] {
        assert!(Scenario::parse(&text).is_ok(), "{text}");
        let wall = MapText::new(&*text).paint(&[cell(2, 1)], '#').unwrap();
        assert_eq!(wall.text(), text.replace("#G h#", "#G#h#"));
    }
}
