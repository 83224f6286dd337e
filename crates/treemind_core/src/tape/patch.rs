//! How the state at the beginning of a tick differs from that at the end of the tick before: what the game did in
//! between.

use super::TapeError;
use super::code::{Bytes, put, put_bytes};

/// State in the raw form: its bytes, and where its sections begin.
type Raw<'a> = (&'a [u8], &'a [usize]);

/// So many equal bytes end a run of bytes that differ.
const GAP_BYTES: usize = 4;
/// So many bytes are compared at once.
const BLOCK_BYTES: usize = 64;

/// The tags of sections that have changed: bytes in place, or a part that has another length.
const IN_PLACE: u8 = 0;
const REPLACED: u8 = 1;

/// Writes what turns the old state into the new one. If the old one is not known, the new one is written whole.
pub(super) fn put_patch(out: &mut Vec<u8>, old: Option<Raw<'_>>, new: Raw<'_>) {
    put(out, new.1.len() as u64);
    let mut last = 0;
    for nth in 0..new.1.len() {
        let before = old.map_or(&[][..], |old| section(old, nth));
        let now = section(new, nth);
        if old.is_some() && before == now {
            continue;
        }
        put(out, (nth - last) as u64);
        last = nth;
        if before.len() == now.len() && old.is_some() {
            out.push(IN_PLACE);
            put_runs(out, before, now);
        } else {
            out.push(REPLACED);
            put_middle(out, before, now);
        }
    }
}

/// A section of a state; an empty one behind the last.
fn section<'a>((bytes, cuts): Raw<'a>, nth: usize) -> &'a [u8] {
    let Some(&start) = cuts.get(nth) else {
        return &[];
    };
    let end = cuts.get(nth + 1).copied().unwrap_or(bytes.len());
    &bytes[start..end]
}

/// Writes the runs of bytes that differ: how many equal bytes are before each, its bytes, and an empty run at the end.
fn put_runs(out: &mut Vec<u8>, before: &[u8], now: &[u8]) {
    let (mut at, mut last) = (0, 0);
    while at < now.len() {
        let block = at..now.len().min(at + BLOCK_BYTES);
        if before[block.clone()] == now[block.clone()] {
            at = block.end;
            continue;
        }
        while before[at] == now[at] {
            at += 1;
        }
        let (start, mut end, mut equal) = (at, at + 1, 0);
        at += 1;
        while at < now.len() && equal < GAP_BYTES {
            match before[at] == now[at] {
                true => equal += 1,
                false => (equal, end) = (0, at + 1),
            }
            at += 1;
        }
        put(out, (start - last) as u64);
        put_bytes(out, &now[start..end]);
        last = end;
    }
    put(out, 0);
    put(out, 0);
}

/// Writes how many bytes at the beginning and at the end are the same, and the bytes between them.
fn put_middle(out: &mut Vec<u8>, before: &[u8], now: &[u8]) {
    let most = before.len().min(now.len());
    let same = |(left, right): &(&u8, &u8)| left == right;
    let prefix = before.iter().zip(now).take_while(same).count();
    let from_end = before.iter().rev().zip(now.iter().rev());
    let suffix = from_end.take(most - prefix).take_while(same).count();
    put(out, prefix as u64);
    put(out, suffix as u64);
    put_bytes(out, &now[prefix..now.len() - suffix]);
}

/// The state after a patch. Its bytes are at most those of the old state and of the patch together.
pub(super) fn patched(old: Raw<'_>, mut patch: Bytes<'_>) -> Result<Vec<u8>, TapeError> {
    let sections = patch.size()?;
    let mut new = Vec::with_capacity(old.0.len() + patch.0.len());
    let mut next = 0_usize;
    while !patch.is_empty() {
        let changed = next.max(1) - 1;
        let nth = match next {
            0 => patch.size()?,
            _ => changed
                .checked_add(patch.size()?)
                .filter(|nth| *nth > changed)
                .ok_or(TapeError::Impossible("a section is changed twice"))?,
        };
        if nth >= sections {
            return Err(TapeError::Impossible("a section is missing"));
        }
        (next..nth).for_each(|same| new.extend_from_slice(section(old, same)));
        let before = section(old, nth);
        match patch.byte()? {
            IN_PLACE => take_runs(&mut new, before, &mut patch)?,
            REPLACED => take_middle(&mut new, before, &mut patch)?,
            _ => return Err(TapeError::Impossible("a change is of no known kind")),
        }
        next = nth + 1;
    }
    let known = old.1.len();
    (next..sections.min(known)).for_each(|same| new.extend_from_slice(section(old, same)));
    Ok(new)
}

fn take_runs(new: &mut Vec<u8>, before: &[u8], patch: &mut Bytes<'_>) -> Result<(), TapeError> {
    let start = new.len();
    new.extend_from_slice(before);
    let mut rest = &mut new[start..];
    loop {
        let (skip, run) = (patch.size()?, patch.bytes()?);
        if skip == 0 && run.is_empty() {
            return Ok(());
        }
        let outside = TapeError::Impossible("a change is outside of its section");
        let changed = rest.get_mut(skip..).ok_or(outside.clone())?;
        let (changed, behind) = changed.split_at_mut_checked(run.0.len()).ok_or(outside)?;
        changed.copy_from_slice(run.0);
        rest = behind;
    }
}

fn take_middle(new: &mut Vec<u8>, before: &[u8], patch: &mut Bytes<'_>) -> Result<(), TapeError> {
    let (prefix, suffix, middle) = (patch.size()?, patch.size()?, patch.bytes()?);
    // So a patch cannot make a state much larger than it is itself.
    let kept = prefix.checked_add(suffix);
    if kept.is_none_or(|kept| kept > before.len()) {
        return Err(TapeError::Impossible("a change is outside of its section"));
    }
    new.extend_from_slice(&before[..prefix]);
    new.extend_from_slice(middle.0);
    new.extend_from_slice(&before[before.len() - suffix..]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(old: Raw<'_>, new: Raw<'_>) -> usize {
        let mut patch = Vec::new();
        put_patch(&mut patch, None, new);
        let whole = patched(old, Bytes(&patch)).expect("it is whole");
        assert_eq!(whole, new.0);
        patch.clear();
        put_patch(&mut patch, Some(old), new);
        let known = patched(old, Bytes(&patch)).expect("it is whole");
        assert_eq!(known, new.0);
        for end in 0..patch.len() {
            // A part of it is refused, or turns it into something, but never panics.
            let _ = patched(old, Bytes(&patch[..end]));
        }
        patch.len()
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
    fn a_patch_turns_the_old_state_into_the_new_one() {
        let old = (0..200).collect::<Vec<u8>>();
        let cuts = [0, 50, 150];
        assert_eq!(round((&old, &cuts), (&old, &cuts)), 1);
        let mut new = old.clone();
        for at in [0, 49, 50, 70, 72, 199] {
            new[at] = 77;
        }
        assert!(round((&old, &cuts), (&new, &cuts)) < 40);
        // A section grows, one is empty, one more comes, and all but one go.
        let mut grown = old.clone();
        grown.splice(20..22, [9; 7]);
        assert!(round((&old, &cuts), (&grown, &[0, 55, 155])) < 16);
        assert!(round((&old, &cuts), (&old, &[0, 0, 150])) < 210);
        round((&old, &cuts), (&grown, &[0, 55, 155, 160]));
        round((&old, &cuts), (&old[..30], &[0]));
        round((&[], &[]), (&old, &cuts));
    }
}
