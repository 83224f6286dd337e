//! Merging texts line by line, as long as no two changes touch.

use std::ops::Range;

/// The most pairs of lines that are compared.
const MOST_PAIRS: usize = 16 << 20;

/// The text with the changes of both, if there is an unchanged line between any two of them.
pub(super) fn merged(base: &str, mine: &str, theirs: &str) -> Option<String> {
    let [base, mine, theirs] = [base, mine, theirs].map(|text| -> Vec<&str> {
        let lines = text.split_inclusive('\n');
        lines.collect()
    });
    let (to_mine, to_theirs) = (same_lines(&base, &mine)?, same_lines(&base, &theirs)?);
    let mut out = String::new();
    let mut from = [0, 0, 0];
    // What is between two lines that all three have.
    let mut between = |from: [usize; 3], to: [usize; 3]| -> Option<()> {
        let (old, one) = (&base[from[0]..to[0]], &mine[from[1]..to[1]]);
        let other = &theirs[from[2]..to[2]];
        let taken = match (one == old, other == old) {
            (true, _) => other,
            (_, true) => one,
            _ if one == other => one,
            _ => return None,
        };
        taken.iter().for_each(|line| out.push_str(line));
        if let Some(line) = base.get(to[0]) {
            out.push_str(line);
        }
        Some(())
    };
    for at in 0..base.len() {
        if let (Some(one), Some(other)) = (to_mine[at], to_theirs[at]) {
            between(from, [at, one, other])?;
            from = [at + 1, one + 1, other + 1];
        }
    }
    between(from, [base.len(), mine.len(), theirs.len()])?;
    Some(out)
}

/// The pieces in which two texts differ: the bytes of whole lines of the first, and the lines of the second that take their
/// place. As many lines as possible stay, and the order of the lines counts. `None` if both are too long to find out.
///
/// ```
/// use treemind_doc::edit::pieces;
///
/// let found = pieces("run\nwait 1\nfail\n", "run\nwait 2\nfail\nrun\n");
/// let at_the_end = (16..16, "run\n".to_owned());
/// assert_eq!(found, Some(vec![(4..11, "wait 2\n".to_owned()), at_the_end]));
/// ```
pub fn pieces(old: &str, new: &str) -> Option<Vec<(Range<usize>, String)>> {
    let [lines, fresh] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let same = same_lines(&lines, &fresh)?;
    let mut out = Vec::new();
    let (mut at, mut from, mut next) = (0, 0, 0);
    let ends = same.into_iter().chain([Some(fresh.len())]).enumerate();
    for (nth, pair) in ends {
        if let Some(pair) = pair {
            if from < at || next < pair {
                out.push((from..at, fresh[next..pair].concat()));
            }
            next = pair + 1;
        }
        at += lines.get(nth).map_or(0, |line| line.len());
        if pair.is_some() {
            from = at;
        }
    }
    Some(out)
}

/// For each line of the first text, the one of the second that is the same: the longest rows of both. `None` if both are
/// too long to find out.
fn same_lines(old: &[&str], new: &[&str]) -> Option<Vec<Option<usize>>> {
    let pairs = old.iter().zip(new);
    let head = pairs.take_while(|(one, other)| one == other).count();
    let (rest, fresh) = (&old[head..], &new[head..]);
    let pairs = rest.iter().rev().zip(fresh.iter().rev());
    let tail = pairs.take_while(|(one, other)| one == other).count();
    let (rest, fresh) = (&rest[..rest.len() - tail], &fresh[..fresh.len() - tail]);
    if rest.len().saturating_mul(fresh.len()) > MOST_PAIRS {
        return None;
    }
    // For each two beginnings, how many lines the rest of both has in common.
    let wide = fresh.len() + 1;
    let mut common = vec![0_u32; (rest.len() + 1) * wide];
    for at in (0..rest.len()).rev() {
        for beside in (0..fresh.len()).rev() {
            common[at * wide + beside] = match rest[at] == fresh[beside] {
                true => common[(at + 1) * wide + beside + 1] + 1,
                false => common[(at + 1) * wide + beside].max(common[at * wide + beside + 1]),
            };
        }
    }
    let mut same: Vec<Option<usize>> = (0..head).map(Some).collect();
    let mut beside = 0;
    for at in 0..rest.len() {
        let here = |beside: usize| common[at * wide + beside];
        // A line of the second text that is not in the row is passed over.
        while beside < fresh.len()
            && rest[at] != fresh[beside]
            && here(beside + 1) == here(beside)
            && here(beside) > common[(at + 1) * wide + beside]
        {
            beside += 1;
        }
        let is_same = beside < fresh.len() && rest[at] == fresh[beside];
        same.push(is_same.then_some(head + beside));
        beside += usize::from(is_same);
    }
    same.extend((new.len() - tail..new.len()).map(Some));
    Some(same)
}
