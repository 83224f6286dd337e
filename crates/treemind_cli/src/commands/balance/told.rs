//! What balancing did, and how the result was compared with the original.

use super::trial;
use treemind_doc::Document;
use treemind_doc::{Said, said};
use treemind_learn::{Balanced, Expected, Proof};

/// How a rewritten decision tree was compared with the original.
pub(in super::super) struct Checked {
    pub(super) proof: Proof,
    pub(super) facts: u64,
}

/// Compares a decision tree with what it was rewritten to; the error is a sentence.
pub(in super::super) fn compared(
    [document, after]: [&Document; 2],
    name: &str,
    balanced: &Balanced,
) -> Result<Checked, String> {
    let defect = |what: String| {
        format!(
            "nothing was written, because `{name}` would no longer do the same: {what}\n  help: this is a defect of Treemind; please report it with the document and the profile"
        )
    };
    if !after.can_run() {
        return Err(defect("it has errors".to_owned()));
    }
    let proof = treemind_learn::same_decisions(document, after, name, balanced);
    let proof = proof.map_err(|difference| defect(difference.to_string()))?;
    let both = treemind_learn::decisions_alone(document, after, name, balanced);
    let both = both.map_err(|why| defect(why.to_string()))?;
    let facts = trial::compare(&both).map_err(defect)?;
    Ok(Checked { proof, facts })
}

/// What balancing did, in sentences.
pub(in super::super) fn summary(
    name: &str,
    balanced: &Balanced,
    checked: Option<&Checked>,
) -> Vec<Said> {
    let Some(Checked { proof, facts }) = checked else {
        let now = expected(&balanced.before);
        return vec![said!("{}: nothing better was found; {}", name, now)];
    };
    let (before, after) = (expected(&balanced.before), expected(&balanced.after));
    let mut all = vec![
        said!("{}: {} before, {} after", name, before, after),
        match proof.is_complete {
            true => said!(
                "the same answers in each of the {} cases that its tests can tell apart, and with {} random facts",
                proof.cases,
                *facts
            ),
            false => said!(
                "the same answers in {} cases (there are more), and with {} random facts",
                proof.cases,
                *facts
            ),
        },
    ];
    if balanced.guessed >= 0.005 {
        all.push(said!(
            "{} of the answers per decision are not in the profile and were estimated; profile it again to be sure",
            two_digits(balanced.guessed)
        ));
    }
    all
}

fn expected(of: &Expected) -> Said {
    let (tests, cost) = (two_digits(of.tests), two_digits(of.cost));
    said!("{} tests at a cost of {}", tests, cost)
}

fn two_digits(number: f64) -> String {
    format!("{number:.2}")
}
