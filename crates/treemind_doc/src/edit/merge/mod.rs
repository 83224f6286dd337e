//! Two versions of a text become one, node by node.
//!
//! What each of them has done to the version from which both come is known from the ids of the nodes. To the first of them
//! is done what the second has done, unless the first has done something else to the same node. Where the lines of both
//! can be merged to the same nodes, that is taken, because it keeps the layout and the comments of both.

mod beside;
mod heads;
mod lines;
mod merging;
mod version;

use super::Editor;
use super::compare::compare;
use super::error::EditError;
use crate::diagnostic::Severity;
use crate::document::Document;
use crate::said;
use beside::{keeps_comments, keeps_words};
pub use lines::pieces;
use merging::Merging;

/// One of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first one.
    Mine,
    /// The second one.
    Theirs,
}

/// What two versions have done to the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Clash {
    /// Both have changed the same of it.
    Changed,
    /// Both have moved it, each to another place.
    Moved,
    /// One has removed it, and the other has changed something in it.
    Removed,
    /// The changes cannot be told apart node by node; or together they make mistakes that neither has made.
    Whole,
}

/// A node of which two versions have made something different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The number under which it is settled. It stays the same as long as the version stays from which both come.
    pub key: u64,
    /// What both have done.
    pub how: Clash,
    /// The words and names of the nodes around it, from the top.
    pub path: Vec<String>,
    /// What it was before.
    pub base: String,
    /// What it is in the first version, with its comments unless only its line has changed; empty if that has removed it.
    pub mine: String,
    /// The same in the second version.
    pub theirs: String,
}

/// What two versions are together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The text. Where both clash and nothing was chosen, it has what the first version has.
    pub text: String,
    /// What has not been settled.
    pub conflicts: Vec<Conflict>,
}

/// Merges two versions of a text in KDL that both come from `base`: what they have done to different nodes, or to
/// different properties of one node, is in the result. Bytes that `theirs` has not changed stay as they are in `mine`.
/// `chosen` says for the number of a conflict which version counts, if somebody has chosen.
///
/// # Errors
/// When one of them is not KDL, or has something that is not closed.
///
/// ```
/// use treemind_doc::edit::merge;
///
/// let base = "tree t {\n    sequence { wait 0.5; run; }\n}\n";
/// let mine = base.replace("0.5", "0.7");
/// let theirs = base.replace("run;", "run; fail;");
/// let both = merge(base, &mine, &theirs, |_| None)?;
/// assert_eq!(both.text, "tree t {\n    sequence { wait 0.7; run; fail; }\n}\n");
///
/// let theirs = base.replace("0.5", "1.0");
/// let both = merge(base, &mine, &theirs, |_| None)?;
/// assert_eq!((&both.text, &both.conflicts[0].theirs[..]), (&mine, "wait 1.0"));
/// # Ok::<(), treemind_doc::edit::EditError>(())
/// ```
pub fn merge(
    base: &str,
    mine: &str,
    theirs: &str,
    chosen: impl Fn(u64) -> Option<Side>,
) -> Result<Merged, EditError> {
    let texts = [
        (
            base,
            said!("the old text has an open block, string or comment"),
        ),
        (
            mine,
            said!("the first text has an open block, string or comment"),
        ),
        (
            theirs,
            said!("the second text has an open block, string or comment"),
        ),
    ];
    for (text, why) in texts {
        if !Editor::new(Document::parse(text, "a.kdl"))?.is_whole(0) {
            return Err(EditError::new(why));
        }
    }
    let settled = |text: &str| {
        Ok(Merged {
            text: text.to_owned(),
            conflicts: Vec::new(),
        })
    };
    if mine == theirs || theirs == base {
        return settled(mine);
    }
    if mine == base {
        return settled(theirs);
    }
    let by_lines = lines::merged(base, mine, theirs);
    let mut merging = Merging::new(base, mine, theirs, &chosen)?;
    let is_done = merging.run().is_ok();
    let text = merging.now.text(0).to_owned();
    let from = [mine, theirs];
    if is_done && merging.clashing.is_empty() {
        // Where the nodes are the same, the lines keep more of the layout.
        let same = by_lines.filter(|lines| is_same(lines, &text));
        let text = same.unwrap_or(text);
        if keeps_comments(base, &text, from)
            && keeps_words(base, &text, from, &[])
            && adds_no_mistakes(&text, from)
        {
            return settled(&text);
        }
    } else if is_done
        && keeps_words(base, &text, from, &merging.clashing)
        && (!merging.conflicts.is_empty() || keeps_comments(base, &text, from))
    {
        return Ok(Merged {
            text,
            conflicts: merging.conflicts,
        });
    }
    match chosen(WHOLE) {
        Some(Side::Mine) => settled(mine),
        Some(Side::Theirs) => settled(theirs),
        None => Ok(Merged {
            text: mine.to_owned(),
            conflicts: vec![Conflict {
                key: WHOLE,
                how: Clash::Whole,
                path: Vec::new(),
                base: base.to_owned(),
                mine: mine.to_owned(),
                theirs: theirs.to_owned(),
            }],
        }),
    }
}

/// The number of the conflict of whole texts: no node has it.
const WHOLE: u64 = 0;

fn is_same(one: &str, other: &str) -> bool {
    compare(one, other).is_ok_and(|found| found.is_empty())
}

/// Whether a text has no more mistakes than one of those that it comes from.
fn adds_no_mistakes(text: &str, from: [&str; 2]) -> bool {
    let mistakes = |text: &str| {
        let document = Document::parse(text, "a.kdl");
        let all = document.diagnostics().iter();
        all.filter(|one| one.severity() == Severity::Error).count()
    };
    mistakes(text) <= from.map(mistakes).into_iter().max().unwrap_or(0)
}
