//! What balancing did, and how the result was compared with the original.

use super::trial;
use treemind_doc::Document;
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

pub(in super::super) fn summary(
    name: &str,
    balanced: &Balanced,
    checked: Option<&Checked>,
) -> String {
    let Some(Checked { proof, facts }) = checked else {
        return format!(
            "{name}: nothing better was found; {}",
            expected(&balanced.before)
        );
    };
    let guessed = match balanced.guessed {
        guessed if guessed < 0.005 => String::new(),
        guessed => format!(
            "\n{guessed:.2} of the answers per decision are not in the profile and were estimated; profile it again to be sure"
        ),
    };
    let cases = match proof.is_complete {
        true => format!(
            "in each of the {} cases that its tests can tell apart",
            proof.cases
        ),
        false => format!("in {} cases (there are more)", proof.cases),
    };
    format!(
        "{name}: {} before, {} after\nthe same answers {cases}, and with {facts} random facts{guessed}",
        expected(&balanced.before),
        expected(&balanced.after)
    )
}

fn expected(of: &Expected) -> String {
    format!("{:.2} tests at a cost of {:.2}", of.tests, of.cost)
}
