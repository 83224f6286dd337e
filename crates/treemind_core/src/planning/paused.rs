//! Searches whose turn was over before they were, as they were, so that they go on there in the next turn. It is working
//! memory: a search that is not found here begins anew from its facts, and comes to the same.

use super::desk::Desk;
use super::shelf::Question;

/// How many words a page has, and how many pages there are: 8 MiB in all.
const PAGE: usize = 256;
const PAGES: usize = 4_096;
/// How many searches there is room for, a power of two, and how many places one may be at.
const SIZE: usize = 2_048;
const PROBES: usize = 8;
/// Nobody has asked for a search for so many turns: it was given up.
const TURNS: u64 = 4;
/// How many searches are looked at for such ones when there is no room.
const LOOKS: usize = 64;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    of: Question,
    hash: u64,
    expansions: u32,
    /// The first of its pages, and how many words it takes.
    page: u32,
    words: u32,
    /// From this tick on, it was given up.
    until: u64,
}

/// Searches that are to be continued.
#[derive(Clone, Debug, Default)]
pub(super) struct Paused {
    pages: Vec<u64>,
    /// Per page, the next one of the same search.
    after: Vec<u32>,
    free: Vec<u32>,
    entries: Vec<Option<Entry>>,
    /// A search in one piece.
    packed: Vec<u64>,
    /// Where it was looked last for searches that were given up.
    hand: usize,
}

/// What is known of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// It needs more expansions than it is given.
    NeedsMore,
    /// It is on the desk, as it was.
    OnDesk,
}

impl Paused {
    /// With room for searches.
    pub(super) fn new() -> Self {
        Self {
            // Memory of zeros takes no place before it is used.
            pages: vec![0; PAGE * PAGES],
            after: vec![NONE; PAGES],
            free: (0..PAGES as u32).rev().collect(),
            entries: vec![None; SIZE],
            packed: Vec::with_capacity(PAGE * PAGES),
            hand: 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.pages.capacity() + self.packed.capacity()) * 8
            + (self.after.capacity() + self.free.capacity()) * 4
            + self.entries.capacity() * size_of::<Option<Entry>>()
    }

    /// How many searches are kept.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    fn places(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let size = self.entries.len();
        (0..PROBES.min(size)).map(move |probe| (hash as usize).wrapping_add(probe) % size)
    }

    /// Looks for a search from a situation, and puts it on the desk if it can go on.
    pub(super) fn take(
        &mut self,
        (of, hash): (Question, u64),
        situation: &[u64],
        given: u32,
        desk: &mut Desk,
    ) -> Known {
        if desk.waits == Some((of, hash)) && desk.waits_at == situation {
            if desk.expansions > given {
                return Known::NeedsMore;
            }
            desk.waits = None;
            return Known::OnDesk;
        }
        for place in self.places(hash) {
            let Some(entry) = self.entries[place] else {
                continue;
            };
            if entry.hash != hash || entry.of != of {
                continue;
            }
            self.gather(entry);
            let Some((its, rest)) = self.packed.split_at_checked(situation.len()) else {
                continue;
            };
            if its != situation {
                continue;
            }
            if entry.expansions > given {
                return Known::NeedsMore;
            }
            let did = desk.unpack(situation, rest).is_some();
            self.let_go(place);
            debug_assert!(did, "what was packed can be unpacked");
            return if did { Known::OnDesk } else { Known::Nothing };
        }
        Known::Nothing
    }

    /// Keeps the search on the desk. If there is no room, it stays there until another one is begun: so a search that is larger
    /// than all room goes on, too, as long as it is the only one.
    pub(super) fn keep(
        &mut self,
        of: (Question, u64),
        situation: &[u64],
        now: (u64, u64),
        desk: &mut Desk,
    ) {
        if !self.has_kept(of, situation, now, desk) {
            desk.waits = Some(of);
            desk.waits_at.clear();
            desk.waits_at.extend_from_slice(situation);
        }
    }

    /// Keeps the search on the desk, if there is room; returns whether there is.
    fn has_kept(
        &mut self,
        (of, hash): (Question, u64),
        situation: &[u64],
        (tick, every): (u64, u64),
        desk: &Desk,
    ) -> bool {
        let words = situation.len() + desk.packed_words();
        let pages = words.div_ceil(PAGE);
        if pages > self.after.len() {
            return false;
        }
        let is_over = |entry: &Option<Entry>| entry.is_none_or(|entry| tick >= entry.until);
        let mut places = self.places(hash);
        let Some(place) = places.find(|place| is_over(&self.entries[*place])) else {
            return false;
        };
        self.let_go(place);
        for _ in 0..LOOKS {
            if self.free.len() >= pages {
                break;
            }
            self.hand = (self.hand + 1) % self.entries.len();
            if is_over(&self.entries[self.hand]) {
                self.let_go(self.hand);
            }
        }
        if self.free.len() < pages {
            return false;
        }
        self.packed.clear();
        self.packed.extend_from_slice(situation);
        desk.pack(&mut self.packed);
        debug_assert_eq!(self.packed.len(), words);
        let mut first = NONE;
        for piece in self.packed.chunks(PAGE).rev() {
            let page = self.free.pop().expect("there are enough");
            self.pages[page as usize * PAGE..][..piece.len()].copy_from_slice(piece);
            self.after[page as usize] = first;
            first = page;
        }
        self.entries[place] = Some(Entry {
            of,
            hash,
            expansions: desk.expansions,
            page: first,
            words: words as u32,
            until: tick.saturating_add(TURNS * every),
        });
        true
    }

    /// Puts the pages of a search together.
    fn gather(&mut self, entry: Entry) {
        self.packed.clear();
        let (mut page, mut rest) = (entry.page, entry.words as usize);
        while page != NONE {
            let now = rest.min(PAGE);
            let piece = &self.pages[page as usize * PAGE..][..now];
            self.packed.extend_from_slice(piece);
            rest -= now;
            page = self.after[page as usize];
        }
    }

    /// Forgets the search at a place.
    fn let_go(&mut self, place: usize) {
        let Some(entry) = self.entries[place].take() else {
            return;
        };
        let mut page = entry.page;
        while page != NONE {
            self.free.push(page);
            page = self.after[page as usize];
        }
    }
}
