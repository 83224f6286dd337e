//! Sweeps are the same on any number of threads, and say what makes no sense.

use super::*;

const GUARD: &str = include_str!("../../../../examples/01-guard/guard.kdl");
const YARD: &str = include_str!("../../../../examples/01-guard/yard.map");

fn wanted() -> Wanted {
    Wanted {
        ticks: 400,
        measures: vec!["health".to_owned(), "health < 50".to_owned()],
        always: vec!["health > 1".to_owned()],
        until: None,
    }
}

/// The guard, with its limit as a key.
fn sweep() -> Sweep {
    let key = "blackboard {\n    key flee_below type=float default=20.0\n";
    let text = GUARD.replacen("blackboard {\n", key, 1);
    let text = text.replace("health < 20", "health < flee_below");
    let document = Document::parse(&text, "guard.kdl");
    Sweep::new(document, None, YARD, &wanted()).unwrap()
}

fn runs(seeds: u64, settings: usize) -> Vec<(usize, u64)> {
    (0..settings)
        .flat_map(|setting| (0..seeds).map(move |seed| (setting, seed)))
        .collect()
}

#[test]
fn rows_do_not_depend_on_threads() {
    let mut sweep = sweep();
    sweep
        .vary("flee_below", &["20".to_owned(), "90".to_owned()])
        .unwrap();
    assert_eq!(sweep.settings(), 2);
    assert_eq!(sweep.setting(1), [("flee_below", Value::Float(90.0))]);
    let runs = runs(6, 2);
    let never = AtomicBool::new(false);
    let of = |threads| {
        let threads = NonZeroUsize::new(threads).unwrap();
        sweep.run_all(&runs, threads, &never, &|_| {}).unwrap()
    };
    let rows = of(1);
    assert_eq!(rows, of(3));
    assert!(
        rows.iter()
            .any(|row| row.measures[0] != rows[0].measures[0]),
        "seeds differ"
    );
    let measured = |rows: &[Row]| {
        rows.iter()
            .map(|row| row.measures.clone())
            .collect::<Vec<_>>()
    };
    assert_ne!(
        measured(&rows[..6]),
        measured(&rows[6..]),
        "the limit matters"
    );
    assert!(rows.iter().all(|row| row.ticks > 0 && row.faults == 0));
    assert_eq!(rows[7], sweep.run(1, 1).unwrap());
}

#[test]
fn what_makes_no_sense_is_said_before_anything_is_played() {
    let of = |wanted: &Wanted, map: &str| {
        let document = Document::parse(GUARD, "guard.kdl");
        Sweep::new(document, None, map, wanted)
            .unwrap_err()
            .to_string()
    };
    let nonsense = Wanted {
        measures: vec!["healt + 1".to_owned()],
        ..wanted()
    };
    let said = of(&nonsense, YARD);
    assert!(
        said.contains("`healt + 1`") && said.contains("healt"),
        "{said}"
    );
    let said = of(&wanted(), "nonsense");
    assert!(said.starts_with("the map: "), "{said}");
    let mut sweep = sweep();
    let said = sweep
        .vary("no_key", &["1".to_owned()])
        .unwrap_err()
        .to_string();
    assert!(said.contains("no_key"), "{said}");
    let said = sweep
        .vary("flee_below", &["much".to_owned()])
        .unwrap_err()
        .to_string();
    assert!(said.contains("`float`, which `much` is not"), "{said}");
    assert!(sweep.vary("flee_below", &[]).is_err());
    let said = sweep
        .vary("health", &["100".to_owned()])
        .unwrap_err()
        .to_string();
    assert!(said.contains("the arena writes the key `health`"), "{said}");
}
