use super::*;

fn bar(from: u64, to: u64, text: &str) -> protocol::Bar {
    protocol::Bar {
        from,
        to,
        text: text.to_owned(),
        is_cut: false,
    }
}

fn lane(bars: &[(u64, u64, &str)]) -> Vec<Bar> {
    let bars = bars.iter().map(|(from, to, text)| Bar {
        from: *from,
        to: *to,
        text: (*text).to_owned(),
        is_cut: false,
    });
    bars.collect()
}

fn timeline(known: &[(u64, u64)], does: &[(u64, u64, &str)]) -> Timeline {
    let reel = Reel {
        known: known.to_vec(),
        does: lane(does),
        ..Reel::default()
    };
    Timeline {
        minds: BTreeMap::from([(0, reel)]),
        ..Timeline::default()
    }
}

fn since(timeline: &Timeline, known: (u64, u64)) -> Film {
    timeline.since(0, known, &[], Language::English).unwrap()
}

#[test]
fn the_last_gap_is_filled_first_and_what_goes_on_becomes_one_bar() {
    let mut timeline = timeline(
        &[(11, 20), (31, 40)],
        &[(11, 20, "rest"), (31, 35, "rest"), (36, 40, "graze")],
    );
    assert_eq!(timeline.gap(0, 0), Some((21, 30)));
    timeline.fill(
        0,
        (21, 30),
        self::timeline(&[(21, 30)], &[(21, 30, "rest")]),
    );
    let whole = vec![bar(11, 35, "rest"), bar(36, 40, "graze")];
    assert_eq!(since(&timeline, (0, 0)).lanes.does, whole);
    // Whoever knows the end gets only what is new.
    let told = since(&timeline, (40, 0));
    let past = told.past.unwrap();
    assert_eq!(told.lanes.does, [bar(36, 40, "graze")]);
    assert_eq!(past.lanes.does, [bar(11, 35, "rest")]);
    assert_eq!((past.from, past.to), (21, 30));
    assert_eq!(since(&timeline, (40, 1)).past, None);
    assert_eq!(timeline.gap(0, 4), Some((5, 10)));
    // There was nobody then: that is known, too.
    timeline.fill(0, (5, 10), Timeline::default());
    assert_eq!(timeline.gap(0, 4), None);
    assert_eq!(timeline.gap(0, 0), Some((1, 4)));
    assert_eq!(since(&timeline, (0, 0)).lanes.does, whole);
}

#[test]
fn a_stretch_of_which_something_is_known_is_not_filled_in() {
    let mut timeline = timeline(&[(5, 9)], &[(5, 9, "rest")]);
    timeline.fill(0, (1, 5), self::timeline(&[(1, 5)], &[(1, 5, "graze")]));
    assert_eq!(since(&timeline, (0, 0)).lanes.does, [bar(5, 9, "rest")]);
}

#[test]
fn lanes_take_no_more_bytes_than_they_may() {
    let mut timeline = Timeline::default();
    let mut most = 0;
    for nth in (0..8).rev() {
        let reel = timeline.minds.entry(nth).or_default();
        for tick in 1..=2_000 {
            let text = format!("value {tick}");
            timeline.bytes += extend(&mut reel.does, (tick, true), &text);
        }
        timeline.limit(500_000);
        let bytes: usize = timeline.minds.values().map(Reel::bytes).sum();
        assert_eq!(timeline.bytes, bytes);
        most = most.max(bytes);
    }
    assert!((250_000..=500_000).contains(&most), "{most}");
    // The last ticks are the ones that stay.
    let does = since(&timeline, (0, 0)).lanes.does;
    assert_eq!(does.last(), Some(&bar(2_000, 2_000, "value 2000")));
}

#[test]
fn what_was_cut_off_begins_again_as_another_bar() {
    let mut bars = lane(&[(1, 4, "rest")]);
    extend(&mut bars, (5, true), "rest");
    assert_eq!(bars.len(), 1);
    bars[0].is_cut = true;
    extend(&mut bars, (6, true), "rest");
    let ends: Vec<_> = bars
        .iter()
        .map(|bar| (bar.from, bar.to, bar.is_cut))
        .collect();
    assert_eq!(ends, [(1, 5, true), (6, 6, false)]);
    // Where another course begins, it is not known yet what becomes of it.
    cut(&mut bars, 5);
    assert!(!bars[0].is_cut);
}

#[test]
fn keys_and_actions_of_other_documents_keep_their_lanes() {
    let mut timeline = timeline(&[(1, 4)], &[(1, 4, "rest")]);
    let reel = timeline.minds.get_mut(&0).unwrap();
    for (tick, keys) in [(3, &["old", "size"][..]), (4, &["size", "new"])] {
        for key in keys {
            extend(reel.key(key), (tick, true), key);
        }
    }
    assert_eq!(timeline.key_names(0), ["old", "size", "new"]);
    let film = timeline.since(0, (0, 0), &["size", "new", "none"], Language::English);
    let keys = film.unwrap().lanes.keys;
    assert_eq!(
        keys,
        [vec![bar(3, 4, "size")], vec![bar(4, 4, "new")], vec![]]
    );

    timeline.note_shares(1, PopulationId::FIRST, (&["rest", "walk"], &[1, 2, 3]));
    timeline.note_shares(2, PopulationId::FIRST, (&["dig", "walk"], &[0, 2, 4]));
    let shares = |actions: &[&str]| timeline.shares(0, 0, actions);
    assert_eq!(
        shares(&["dig", "walk"]).unwrap(),
        [(1, vec![3, 0, 3]), (2, vec![0, 2, 4])]
    );
    assert_eq!(
        shares(&["rest", "walk"]).unwrap(),
        [(1, vec![1, 2, 3]), (2, vec![2, 0, 4])]
    );
}

#[test]
fn a_change_of_course_forgets_what_was_after_it() {
    let mut timeline = timeline(&[(1, 4), (8, 20)], &[(1, 4, "rest"), (8, 20, "rest")]);
    timeline.turn(6);
    assert_eq!(since(&timeline, (0, 0)).lanes.does, [bar(1, 4, "rest")]);
    assert_eq!(timeline.gap(0, 0), None);
    assert_eq!(timeline.last(), 6);
}
