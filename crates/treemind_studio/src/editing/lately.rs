//! What has changed in the texts lately: what somebody types into a text that others have changed meanwhile goes where it was
//! meant to go, and neither takes the place of the other.
//!
//! Pages see each other's texts at once, so what two of them type at one place is both there. Another program does not see what
//! is typed: where it has changed the same, that is a conflict, as with any text that waits to be saved.

use super::Editing;
use std::collections::VecDeque;
use std::ops::Range;
use treemind_doc::edit::{Change, Merged, Utf16, differing, merge, pieces};
use treemind_doc::{Said, said};
use treemind_replay::view::protocol::Edit;

/// How many changes are remembered. A page hears of a change long before there are so many.
const MOST: usize = 64;

/// A change, and what was there before it.
#[derive(Clone, Debug)]
struct Late {
    /// The revision.
    before: u64,
    change: Change,
    /// Of a change of another program, the text that was read or saved last.
    kept: Option<String>,
}

/// The last changes of the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Lately {
    changes: VecDeque<Late>,
    /// The first revision whose text can be told from these.
    since: u64,
}

impl Lately {
    pub(super) fn add(&mut self, revision: u64, change: Change) {
        if self.changes.len() == MOST {
            let first = self.changes.pop_front();
            self.since = first.map_or(0, |late| late.before + 1);
        }
        self.changes.push_back(Late {
            before: revision,
            change,
            kept: None,
        });
    }

    /// The last change is one of another program; `kept` is the text that was read or saved before it.
    pub(super) fn is_of_another(&mut self, kept: &str) {
        if let Some(late) = self.changes.back_mut() {
            late.kept = Some(kept.to_owned());
        }
    }

    /// What has changed in a file since a revision, and its text then; `None` if that was too long ago.
    fn since(&self, revision: u64, (file, text): (usize, &str)) -> Option<(Vec<&Late>, String)> {
        let later = self.changes.iter().filter(|late| late.before >= revision);
        let later: Vec<&Late> = later.collect();
        let mut then = text.to_owned();
        for late in later.iter().rev() {
            then = late.change.inverse().apply_to(file, &then).ok()?;
        }
        (revision >= self.since).then_some((later, then))
    }
}

/// What is typed, while the text changes under it.
struct Typed {
    /// What it takes away and is still there, in its order.
    taken: Vec<Range<usize>>,
    /// What it brings, in its order, each to a place.
    brought: Vec<(usize, String)>,
    /// Which of that is typed.
    own: usize,
}

impl Typed {
    fn new(range: Range<usize>, text: &str) -> Self {
        Self {
            brought: vec![(range.end, text.to_owned())],
            taken: Some(range)
                .filter(|one| !one.is_empty())
                .into_iter()
                .collect(),
            own: 0,
        }
    }

    /// The bytes that it is about.
    fn span(&self) -> Range<usize> {
        let places = self.brought.iter().map(|(at, _)| *at);
        let ends = self.taken.iter().flat_map(|one| [one.start, one.end]);
        let all = places.chain(ends);
        let (first, last) = all.fold((usize::MAX, 0), |(first, last), at| {
            (first.min(at), last.max(at))
        });
        first..last
    }

    /// Whether a change is in the same lines.
    fn touches(&self, text: &str, range: &Range<usize>) -> bool {
        let own = self.span();
        let start = text[..own.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[own.end..].find('\n');
        let end = end.map_or(text.len(), |at| own.end + at);
        let is_beside = range.start <= own.end && own.start <= range.end;
        is_beside || (range.start < end && start < range.end)
    }

    /// The text changes: what comes into it stays, and what is gone from it need not be taken away.
    fn follow(&mut self, range: &Range<usize>, new: &str) {
        let by = |at: usize| at + new.len() - range.len();
        let taken = std::mem::take(&mut self.taken).into_iter();
        let left = taken.flat_map(|one| {
            let before = one.start..one.end.min(range.start);
            let behind = one.start.max(range.end)..one.end;
            let behind = (!behind.is_empty()).then(|| by(behind.start)..by(behind.end));
            [Some(before), behind]
        });
        self.taken = left.flatten().filter(|one| !one.is_empty()).collect();
        for (at, _) in &mut self.brought {
            // As the page shows it: what somebody types stays before what others write at that place.
            if *at == range.end && range.is_empty() {
                continue;
            }
            if *at >= range.end {
                *at = by(*at);
            } else if *at > range.start {
                *at = range.start + new.len();
            }
        }
    }

    /// The same, and takes the change back where it is.
    fn take_back(&mut self, range: &Range<usize>, old: &str, new: &str) {
        let at = self.brought[self.own].0;
        let is_left = |at: usize| !self.taken.iter().any(|one| one.contains(&at));
        let letters = old
            .char_indices()
            .map(|(nth, one)| (range.start + nth, one));
        let left = letters.filter(|(at, _)| is_left(*at));
        let (before, behind): (Vec<_>, Vec<_>) = left.partition(|(place, _)| *place < at);
        let said = |letters: Vec<(usize, char)>| letters.into_iter().map(|(_, one)| one).collect();
        let (before, behind): (String, String) = (said(before), said(behind));
        self.follow(range, new);
        let place = range.start..range.start + new.len();
        let nth = self.taken.partition_point(|one| one.start < place.start);
        if !place.is_empty() {
            self.taken.insert(nth, place.clone());
        }
        // Among what was taken back already, from the end to the beginning.
        let own_at = self.brought[self.own].0;
        let (before_at, behind_at) = (own_at.min(place.end), own_at.max(place.end));
        let rest = &self.brought[self.own + 1..];
        let nth = rest.partition_point(|(at, _)| *at < behind_at);
        self.brought.insert(self.own + 1 + nth, (behind_at, behind));
        let rest = &self.brought[..self.own];
        let nth = rest.partition_point(|(at, _)| *at < before_at);
        self.brought.insert(nth, (before_at, before));
        self.own += 1;
    }

    /// The piece of a text that it takes the place of, and what is there then.
    fn piece(&self, text: &str) -> (Range<usize>, String) {
        let span = self.span();
        let (mut new, mut behind) = (String::new(), span.start);
        let mut keep = |new: &mut String, to: usize| {
            while behind < to {
                let gone = self.taken.iter().find(|one| one.end > behind);
                let (start, end) = gone.map_or((to, to), |one| (one.start, one.end));
                if behind < start {
                    new.push_str(&text[behind..start.min(to)]);
                }
                behind = if start < to { end.max(behind) } else { to };
            }
        };
        for (at, own) in &self.brought {
            keep(&mut new, *at);
            new.push_str(own);
        }
        keep(&mut new, span.end);
        (span, new)
    }
}

/// What a change does to a file: no more than what differs, line by line.
fn changed(change: &Change, file: usize) -> Vec<(Range<usize>, String)> {
    let mut out = Vec::new();
    for splice in change.splices().iter().filter(|one| one.file == file) {
        let (old, new) = (&splice.old, &splice.new);
        let all = pieces(old, new).unwrap_or_else(|| vec![(0..old.len(), new.clone())]);
        for (range, new) in all {
            if let Some((own, new)) = differing(&old[range.clone()], &new) {
                let start = splice.range.start + range.start;
                out.push((start + own.start..start + own.end, new.to_owned()));
            }
        }
    }
    out
}

/// What was typed into an older text, in the one that is there now.
pub(super) struct Now {
    pub(super) edit: Edit,
    /// If another program has changed the same: the text from which both come.
    pub(super) base: Option<String>,
}

/// What replaces a piece of a text.
fn typed_at(file: usize, own: &str, (range, text): (Range<usize>, String)) -> Edit {
    let places = Utf16::new(own);
    Edit::Type {
        file,
        from: places.of_byte(range.start),
        to: places.of_byte(range.end),
        text,
        since: None,
    }
}

impl Editing {
    /// What was typed into the text of an older revision, as it is typed into this one; `None` if it is as it was.
    ///
    /// # Errors
    /// When the page has missed too much.
    pub(super) fn typed_now(&self, edit: &Edit) -> Result<Option<Now>, Said> {
        if let Edit::PutIn { file, base, text } = edit {
            return self.put_in(*file, base, text).map(Some);
        }
        let Edit::Type {
            file,
            from,
            to,
            text,
            since: Some(since),
        } = edit
        else {
            return Ok(None);
        };
        let file = *file;
        if *since == self.revision || file >= self.editor().file_count() {
            return Ok(None);
        }
        let own = self.editor().text(file);
        let found = self.lately.since(*since, (file, own));
        let (later, then) =
            found.ok_or_else(|| said!("too much has changed since this was typed"))?;
        let places = Utf16::new(&then);
        if from > to || *to > places.of_byte(usize::MAX) {
            return Err(said!("this place is gone"));
        }
        let [start, end] = [*from, *to].map(|at| places.to_byte(at));
        // What is typed again as it was stays.
        let (own_range, text) = differing(&then[start..end], text).unwrap_or((0..0, ""));
        let (start, end) = (start + own_range.start, start + own_range.end);
        let mut typed = Typed::new(start..end, text);
        // As if other programs had not changed the same lines.
        let mut alone = Typed::new(start..end, text);
        // The text that was read or saved before one of them has.
        let mut kept = None;
        let mut meanwhile = then.clone();
        for late in later {
            let pieces = changed(&late.change, file);
            let touches = |(range, _): &(Range<usize>, String)| alone.touches(&meanwhile, range);
            // All of it: what has moved away from one place is at another one.
            let met = late.kept.as_ref().filter(|_| pieces.iter().any(touches));
            kept = kept.or(met);
            for (range, new) in pieces.iter().rev() {
                typed.follow(range, new);
                match met {
                    Some(_) => alone.take_back(range, &meanwhile[range.clone()], new),
                    None => alone.follow(range, new),
                }
                meanwhile.replace_range(range.clone(), new);
            }
        }
        let (mut piece, mut base) = (typed.piece(own), None);
        if let Some(kept) = kept {
            let mut mine = then.clone();
            mine.replace_range(start..end, text);
            let merged = merge(&then, &mine, own, |_| None).ok();
            let is_saved = self.is_saved(file);
            let waits = !is_saved && self.waits_for_a_choice();
            match merged.filter(|merged| merged.conflicts.is_empty()) {
                Some(merged) => {
                    let (range, new) = differing(own, &merged.text).unwrap_or((0..0, ""));
                    piece = (range, new.to_owned());
                }
                // What waits already comes from another text, and goes on to do so: both are there.
                None if waits && *kept != self.kept[file] => {}
                None => {
                    piece = alone.piece(own);
                    base = Some(if is_saved { then } else { kept.clone() });
                }
            }
        }
        let edit = typed_at(file, own, piece);
        Ok(Some(Now { edit, base }))
    }

    /// What a page has kept of a file, as it comes into the text that is there now: what others have written meanwhile stays.
    /// Where both have changed the same, the page's counts until somebody has chosen, and waits beside what is on disk.
    fn put_in(&self, file: usize, base: &str, text: &str) -> Result<Now, Said> {
        if file >= self.editor().file_count() {
            return Err(super::edits::gone());
        }
        let own = self.editor().text(file);
        let merged = merge(base, text, own, |_| None).ok();
        let clashes = |merged: &Merged| !merged.conflicts.is_empty();
        // A text with something open has no nodes: then the whole of it is to be chosen.
        let base = match merged.as_ref().is_none_or(clashes) {
            // Both sides of a conflict are the pages' text and the one on disk.
            true if !self.is_saved(file) => {
                return Err(said!(
                    "the same was changed here, too, and is not saved: save that first"
                ));
            }
            is_beside => is_beside.then(|| base.to_owned()),
        };
        let text = merged.map_or_else(|| text.to_owned(), |merged| merged.text);
        let (range, new) = differing(own, &text).unwrap_or((0..0, ""));
        let edit = typed_at(file, own, (range, new.to_owned()));
        Ok(Now { edit, base })
    }
}
