//! A second known rule, with categories and missing values: what a robot on a ward does. The learned tree finds it
//! so exactly that it decides the same in every possible case.

use treemind_learn::{Criterion, Examples, Judgement, Options, Table, learn};

const TEMPERATURES: [Option<&str>; 4] = [Some("low"), Some("normal"), Some("high"), None];
const WARDS: [&str; 3] = ["children", "surgery", "elderly"];
/// From 0 to 10, or unknown.
const PAINS: u64 = 12;

fn pain_of(number: u64) -> Option<u64> {
    (number < PAINS - 1).then_some(number)
}

/// A patient without a temperature gets measured; a patient whose pain is unknown is taken to have none.
fn ward_robot(temperature: Option<&str>, pain: Option<u64>, ward: &str) -> &'static str {
    match (temperature, pain.unwrap_or(0), ward) {
        (None, ..) => "measure",
        (Some("high"), _, "children") | (Some("high"), 7.., _) => "call-doctor",
        (Some("high"), ..) => "bring-water",
        (Some("low"), ..) => "bring-blanket",
        (Some(_), 7.., _) => "call-nurse",
        _ => "move-on",
    }
}

const HEAD: &str = "temperature,pain,ward,bed,does\n";

fn row(temperature: Option<&str>, pain: Option<u64>, ward: &str, bed: u64) -> String {
    let does = ward_robot(temperature, pain, ward);
    let pain = pain.map_or("?".to_owned(), |pain| pain.to_string());
    format!(
        "{},{pain},{ward},{bed},{does}\n",
        temperature.unwrap_or("?")
    )
}

/// `drawn` random rows, and then every possible case.
fn table(drawn: u64) -> (Examples, usize) {
    let mut text = HEAD.to_owned();
    let mut state = 5_u64;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for _ in 0..drawn {
        let temperature = TEMPERATURES[below(4) as usize];
        let pain = pain_of(below(PAINS));
        text.push_str(&row(temperature, pain, WARDS[below(3) as usize], below(40)));
    }
    for temperature in TEMPERATURES {
        for pain in 0..PAINS {
            for ward in WARDS {
                text.push_str(&row(temperature, pain_of(pain), ward, pain));
            }
        }
    }
    let table = Table::read(text.as_bytes()).expect("the text is a table");
    let examples = Examples::of(table, "does", &[]).expect("there is something to learn");
    (examples, drawn as usize)
}

#[test]
fn a_rule_with_missing_values_is_found_exactly() {
    let (all, drawn) = table(1_500);
    let (known, every_case) = all.rows.split_at(drawn);
    assert_eq!(every_case.len(), 144);
    for criterion in [Criterion::Entropy, Criterion::Gini] {
        let options = Options {
            criterion,
            ..Options::default()
        };
        let tree = learn(&all, known, &options);
        for rows in [known, every_case] {
            let judgement = Judgement::of(&tree, &all, rows);
            assert_eq!(judgement.accuracy(), Some(1.0), "{criterion:?}");
        }
        // The rule has eight leaves; one test too many does no harm.
        assert!(
            tree.leaves() <= 12,
            "{criterion:?}: {} leaves",
            tree.leaves()
        );
    }
}
