use super::{LineParts, line_parts};
use crate::outline_lines;

fn parts(text: &str) -> (Vec<LineParts>, Vec<(usize, f64)>) {
    let document = crate::Document::parse(text, "guard.kdl");
    let behaviour = document
        .behaviour(None)
        .unwrap_or_else(|found| panic!("{}", found[0].to_plain()));
    let (parts, found) = line_parts(&behaviour, &outline_lines(&behaviour));
    (
        parts,
        found.into_iter().map(|one| (one.key, one.value)).collect(),
    )
}

#[test]
fn expressions_are_in_pieces_with_their_keys() {
    let (parts, thresholds) = parts(
        "leaves { action go { param speed type=float; }; }
         tree guard {
            key health type=float default=80.0
            key fear type=float default=0.5
            sequence {
                check \"health < 20 && fear in 0.2..=0.8\" name=weak
                action go speed=\"=health / 2\" when=\"fear > health\"
            }
         }",
    );
    let check = &parts[1];
    assert_eq!(
        (check.word.as_str(), check.properties[0].name.as_str()),
        ("check", "name")
    );
    let pieces = check.values[0].parts.iter();
    let pieces: Vec<(&str, Option<usize>)> =
        pieces.map(|part| (part.text.as_str(), part.key)).collect();
    assert_eq!(
        pieces,
        [
            ("guard.health", Some(0)),
            (" < 20.0 && ", None),
            ("guard.fear", Some(1)),
            (" in 0.2..=0.8", None)
        ]
    );
    let action = &parts[2];
    assert_eq!(action.values[0].text, "go");
    let names: Vec<(&str, &str)> = action
        .properties
        .iter()
        .map(|one| (one.name.as_str(), one.value.text.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("speed", "guard.health / 2.0"),
            ("when", "guard.fear > guard.health")
        ]
    );
    let sum = |all: &[(usize, f64)]| all.iter().map(|(_, value)| value).sum::<f64>();
    assert_eq!(thresholds.len(), 3);
    assert!((sum(&thresholds) - 21.0).abs() < 1e-6);
}

#[test]
fn transitions_say_what_they_wait_for() {
    let (parts, _) = parts(
        "leaves { event hurt; }
         machine guard {
            key health type=int default=80
            initial calm
            state calm { transition on=hurt when=\"health < 20\" to=afraid; }
            state afraid { transition after=2.5 to=calm; }
         }",
    );
    let told = parts.iter().filter(|line| line.word == "transition");
    let told: Vec<Vec<(&str, &str)>> = told
        .map(|line| {
            let own = line.properties.iter();
            own.map(|one| (one.name.as_str(), one.value.text.as_str()))
                .collect()
        })
        .collect();
    assert_eq!(
        told,
        [
            vec![("on", "hurt"), ("when", "guard.health < 20")],
            vec![("after", "2.5")]
        ]
    );
}
