//! Places: candidates, measures and ways, as numbers.

use treemind::Document;
use treemind::blackboard::Value;
use treemind_arena::{Rules, Session, World};

/// What a document writes in the first ticks on a map: its key `found`, or its list of that name.
fn found(map: &str, find: &str, ticks: usize) -> Vec<[f32; 2]> {
    let (found, faults) = looked(map, find, ticks);
    assert!(faults.is_empty(), "{faults:?}");
    found
}

/// The same, and the faults.
fn looked(map: &str, find: &str, ticks: usize) -> (Vec<[f32; 2]>, Vec<String>) {
    let text = format!(
        r#"
        blackboard {{
            key pos type=vec2
            key enemy_pos type=vec2 optional=#true
            key enemy type=entity optional=#true
            key found type=vec2 list=32
        }}
        leaves {{
            candidates cover-points type=vec2 {{ param range type=float default=12.0; }}
            candidates spots type=vec2 {{ param spot type=string; }}
            candidates points-around type=vec2 {{ param target type=entity; param radius type=float default=4.0; }}
            measure exposure {{ param of type=vec2; }}
            measure view {{ param from type=vec2; param to type=vec2; }}
            measure way {{ param to type=vec2; }}
        }}
        tree t {{ {find} }}
        "#
    );
    let document = Document::parse(&text, "found.kdl");
    let mut problems = document.diagnostics().iter();
    assert!(
        problems.all(|one| one.severity().as_str() == "warning"),
        "{problems:?}"
    );
    let world = World::load(map, Rules::default()).unwrap();
    let mut session =
        Session::new(document.behaviour(None).unwrap(), Some(&document), world).unwrap();
    for _ in 0..ticks {
        session.step();
    }
    let faults = session.take_faults();
    let faults = faults.iter().map(|fault| format!("{fault:?}")).collect();
    let population = session.population_at(0);
    let key = population.program().behaviour().key_id("found").unwrap();
    let items = match population.held(0, key) {
        treemind::core::Held::List(items) => items,
        _ => panic!("a list"),
    };
    let place = |value| match value {
        Value::Vec2(place) => place,
        other => panic!("{other}"),
    };
    (items.iter().map(place).collect(), faults)
}

#[test]
fn a_spot_that_the_map_does_not_have_is_a_fault() {
    let find = r#"find it in=spots spot=NAME into="{found}""#;
    assert_eq!(found(MAP, &find.replace("NAME", "post"), 1).len(), 2);
    for (name, said) in [
        ("psot", "unknown spot `psot`; did you mean `post`?"),
        ("harbour", "unknown spot `harbour`\""),
    ] {
        let (found, faults) = looked(MAP, &find.replace("NAME", name), 1);
        assert!(found.is_empty());
        assert!(faults.iter().any(|one| one.contains(said)), "{faults:?}");
    }
}

const MAP: &str = "\
[map]
##########
#A..#...s#
#...#....#
#.......E#
#.s......#
##########
[legend]
A actor me mind=main team=army
E actor other team=raiders looks=west
s spot post
";

#[test]
fn cover_is_beside_a_wall_that_is_not_the_edge_and_the_nearest_comes_first() {
    let all = found(MAP, r#"find it in=cover-points into="{found}""#, 1);
    let expected = [[3.5, 1.5], [3.5, 2.5], [4.5, 3.5], [5.5, 1.5], [5.5, 2.5]];
    assert_eq!(all, expected);
    let near = found(
        MAP,
        r#"find it in=cover-points range=2.3 into="{found}""#,
        1,
    );
    assert_eq!(near, expected[..2]);
}

#[test]
fn spots_are_those_of_a_name_in_order() {
    let all = found(MAP, r#"find it in=spots spot=post into="{found}""#, 1);
    assert_eq!(all, [[8.5, 1.5], [2.5, 4.5]]);
}

#[test]
fn points_around_somebody_are_not_in_walls() {
    let find = r#"find it in=points-around target="{enemy}" radius=2.0 into="{found}" { keep "has(enemy)"; }"#;
    let map = MAP.replace("mind=main", "mind=main eye=20");
    let map = map
        .replace("#A..#", "#...#")
        .replace("#.......E#", "#A......E#");
    let all = found(&map, find, 2);
    // Half of them are in the wall in the east, and one in that in the south.
    assert_eq!(all.len(), 7);
    for [x, y] in all {
        let away = ((x - 8.5_f32).powi(2) + (y - 3.5_f32).powi(2)).sqrt();
        assert!((away - 2.0).abs() < 0.01, "{x} {y}");
        assert!(x < 9.0 && (1.0..5.0).contains(&y), "{x} {y} is in a wall");
    }
}

#[test]
fn ways_go_around_walls_and_end_where_there_is_none() {
    let ways = |keep: &str| {
        let find = format!(r#"find it in=spots spot=post into="{{found}}" {{ keep "{keep}"; }}"#);
        found(MAP, &find, 1).len()
    };
    // 2.5, 4.5: two straight steps and a slanted one, 3.4 metres.
    assert_eq!(ways("abs(way(it) - 3.4) < 0.01"), 1);
    // The other one is behind the wall: farther than the seven metres of the crow.
    assert_eq!(ways("way(it) > 7.5 && way(it) < 10"), 1);
    let closed = MAP
        .replace("#.......E#", "#...#...E#")
        .replace("#.s......#", "#.s.#....#");
    let find = r#"find it in=spots spot=post into="{found}" { keep "way(it) == 1000"; }"#;
    assert_eq!(found(&closed, find, 1), [[8.5, 1.5]]);
}

#[test]
fn exposure_and_view_stop_at_walls() {
    let map = MAP
        .replace("mind=main", "mind=main eye=20")
        .replace("#A..#", "#...#");
    let map = map.replace("#.......E#", "#A......E#");
    let find = |keep: &str| {
        let find = format!(r#"find it in=cover-points into="{{found}}" {{ keep "{keep}"; }}"#);
        found(&map, &find, 2)
    };
    let (open, hidden) = (find("exposure(it) == 1"), find("exposure(it) == 0"));
    assert_eq!(open.len() + hidden.len(), 5);
    assert!(
        hidden.contains(&[3.5, 1.5]) && open.contains(&[5.5, 2.5]),
        "{open:?}"
    );
    let seen = find("view(it, vec2(8.5, 3.5)) > 0");
    assert_eq!(seen, open, "the only enemy stands there");
}
