//! Where two lists or texts differ: part by part, so that what moves from one end to the other takes little.

use std::ops::Range;
use treemind_doc::edit::differing;

/// How far ahead it is looked for items that are the same again.
const AHEAD: usize = 48;
/// Of so many items that are the same, those before them are told apart.
const SAME: usize = 8;
/// So many times it is looked for them.
const MOST_SEARCHES: usize = 256;

/// Items that are gone, and those that have come instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Places in the list before.
    pub gone: Range<usize>,
    /// Places in the list now.
    pub new: Range<usize>,
}

/// Where two lists differ, in order. Both are as long as ten thousand items, and differ in little: it is not worth it to look
/// for the least.
pub fn parts<T: PartialEq>(before: &[T], now: &[T]) -> Vec<Part> {
    let (mut old, mut new) = (0, 0);
    let mut parts = Vec::new();
    for nth in 0.. {
        let pairs = before[old..].iter().zip(&now[new..]);
        let same = pairs.take_while(|(old, new)| old == new).count();
        (old, new) = (old + same, new + same);
        if old == before.len() && new == now.len() {
            break;
        }
        let (gone, come) = match nth < MOST_SEARCHES {
            true => until_same(&before[old..], &now[new..]),
            false => rest(&before[old..], &now[new..]),
        };
        let part = Part {
            gone: old..old + gone,
            new: new..new + come,
        };
        match gone == come {
            true => parts.extend(runs(part, before, now)),
            false => parts.push(part),
        }
        (old, new) = (old + gone, new + come);
    }
    parts
}

/// How many items of two lists are passed over until they are the same again.
fn until_same<T: PartialEq>(before: &[T], now: &[T]) -> (usize, usize) {
    for both in 1..=AHEAD.min(before.len() + now.len()) {
        for gone in both.saturating_sub(now.len())..=both.min(before.len()) {
            let (old, new) = (&before[gone..], &now[both - gone..]);
            let count = SAME.min(old.len()).min(new.len());
            let is_end = old.is_empty() && new.is_empty();
            if is_end || count > 0 && old[..count] == new[..count] {
                return (gone, both - gone);
            }
        }
    }
    rest(before, now)
}

/// All but what two lists have in common at their ends.
fn rest<T: PartialEq>(before: &[T], now: &[T]) -> (usize, usize) {
    let pairs = before.iter().rev().zip(now.iter().rev());
    let behind = pairs.take_while(|(old, new)| old == new).count();
    (before.len() - behind, now.len() - behind)
}

/// Of as many items on both sides, those that differ.
fn runs<T: PartialEq>(part: Part, before: &[T], now: &[T]) -> Vec<Part> {
    let mut runs: Vec<Part> = Vec::new();
    for (old, new) in part.gone.zip(part.new) {
        if before[old] == now[new] {
            continue;
        }
        match runs.last_mut().filter(|last| last.gone.end == old) {
            Some(last) => (last.gone.end, last.new.end) = (old + 1, new + 1),
            None => runs.push(Part {
                gone: old..old + 1,
                new: new..new + 1,
            }),
        }
    }
    runs
}

/// What makes one text of another, in order: a place in the text before and how much is gone there, in UTF-16, and what is
/// there instead.
pub fn text_parts(before: &str, now: &str) -> Vec<(usize, usize, String)> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = now.split_inclusive('\n').collect();
    let mut out = Vec::new();
    // How many units stand before a line.
    let (mut line, mut place) = (0, 0);
    for part in parts(&old, &new) {
        place += units(&old[line..part.gone.start].concat());
        line = part.gone.end;
        let (gone, come) = (&old[part.gone], &new[part.new]);
        // Of as many lines, each for itself: a name may have changed in all of them.
        let pairs: Vec<(String, String)> = match gone.len() == come.len() {
            true => std::iter::zip(gone, come)
                .map(|(gone, come)| ((*gone).to_owned(), (*come).to_owned()))
                .collect(),
            false => vec![(gone.concat(), come.concat())],
        };
        for (gone, come) in pairs {
            if let Some((range, text)) = differing(&gone, &come) {
                let at = place + units(&gone[..range.start]);
                out.push((at, units(&gone[range]), text.to_owned()));
            }
            place += units(&gone);
        }
    }
    out
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that pieces make of another one, as `studio/src/wire/delta.ts` does it.
    fn put(before: &str, pieces: &[(usize, usize, String)]) -> String {
        let mut units: Vec<u16> = before.encode_utf16().collect();
        for (at, gone, text) in pieces.iter().rev() {
            units.splice(*at..at + gone, text.encode_utf16());
        }
        String::from_utf16(&units).expect("whole characters")
    }

    #[test]
    fn a_text_is_made_of_the_one_before_and_what_moves_takes_little() {
        let lines: Vec<String> = (0..900)
            .map(|nth| format!("    wait {nth} // 𝄞 守\r\n"))
            .collect();
        let text = lines.concat();
        let mut moved = lines.clone();
        let line = moved.remove(100);
        moved.insert(800, line);
        let renamed = text.replace("wait", "rest");
        let mut both = moved.clone();
        both[400] = "    𝄟\n    fail\n".to_owned();
        let texts = [
            (text.clone(), 1),
            (moved.concat(), 100),
            (both.concat(), 200),
            (renamed, 40_000),
            (String::new(), 40_000),
            ("𝄞".to_owned(), 40_000),
            ("𝄟".to_owned(), 40_000),
        ];
        for (before, _) in &texts {
            for (now, _) in &texts {
                let pieces = text_parts(before, now);
                assert_eq!(&put(before, &pieces), now);
                let sorted = pieces
                    .windows(2)
                    .all(|pair| pair[0].0 + pair[0].1 <= pair[1].0);
                assert!(sorted, "{pieces:?}");
            }
        }
        for (now, most) in &texts[..4] {
            let bytes: usize = text_parts(&text, now)
                .iter()
                .map(|(.., text)| text.len() + 10)
                .sum();
            assert!(bytes < *most, "{bytes} of {most}");
        }
        // A letter changes on each line.
        assert_eq!(
            text_parts("a\nb\n", "ax\nbx\n"),
            [(1, 0, "x".to_owned()), (3, 0, "x".to_owned())]
        );
    }

    #[test]
    fn of_lists_that_differ_everywhere_only_what_differs_is_told() {
        let before: Vec<usize> = (0..4_000).collect();
        // Every third one is another, so nowhere are many the same in a row.
        let now: Vec<usize> = before
            .iter()
            .map(|nth| if nth % 3 == 0 { nth + 9_000 } else { *nth })
            .collect();
        let all = parts(&before, &now);
        assert_eq!(all.len(), 1_334);
        assert!(
            all.iter()
                .all(|part| part.gone == part.new && part.gone.len() == 1)
        );
    }
}
