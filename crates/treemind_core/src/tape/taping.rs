//! A host whose answers are recorded.

use super::code::{put, put_bytes, put_value};
use crate::blackboard::Deed;
use crate::host::{Answers, Call, Candidates, Host, Lanes, Move, Moves, Order, Pairs};
use crate::ids::KeyId;
use crate::population::Budget;
use crate::status::{Outcome, Status};

/// What the host did for the agents of one chunk in one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkTape {
    first: usize,
    calls: u32,
    /// A sum over all calls, so that playing notices when it asks something else.
    sum: u32,
    answers: Vec<u8>,
    /// What else the host did: how many calls after the last such call, how many deeds, and the deeds.
    deeds: Vec<u8>,
    last_deed: u32,
}

/// How many agents were ticked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Limit {
    /// All that were due.
    #[default]
    None,
    /// At most this many.
    Agents(u64),
    /// Those of this many chunks, or parts of chunks, before the time was over.
    Chunks(u64),
}

/// What the host did for the agents of one population in one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) population: u16,
    pub(super) order: Order,
    pub(super) limit: Limit,
    /// Whether the host served the agents after those of the part before, at the same time on another thread.
    pub(super) goes_on: bool,
    chunks: Vec<ChunkTape>,
    /// How many of them are in use.
    used: usize,
    /// The one of the last call.
    current: usize,
}

impl Part {
    pub(super) fn begin(&mut self, population: u16, order: Order) {
        (self.population, self.order, self.limit) = (population, order, Limit::None);
        self.goes_on = false;
        (self.used, self.current) = (0, 0);
    }

    /// Writes the part and those that continue with it, as if one host had served all of their agents.
    pub(super) fn put(&self, going_on: &[Self], out: &mut Vec<u8>) {
        put(out, u64::from(self.population));
        let order = u8::from(self.order == Order::Sequential);
        match self.limit {
            Limit::None => out.push(order),
            Limit::Agents(agents) => {
                out.push(order | 2);
                put(out, agents);
            }
            Limit::Chunks(chunks) => {
                out.push(order | 4);
                put(out, chunks);
            }
        }
        let all = || std::iter::once(self).chain(going_on);
        put(out, all().map(|part| part.used as u64).sum());
        for chunk in all().flat_map(|part| &part.chunks[..part.used]) {
            put(out, chunk.first as u64);
            put(out, u64::from(chunk.calls));
            out.extend(chunk.sum.to_le_bytes());
            put_bytes(out, &chunk.answers);
            put_bytes(out, &chunk.deeds);
        }
    }

    /// The tape of the chunk that begins with this agent.
    #[inline]
    fn chunk(&mut self, first: usize) -> &mut ChunkTape {
        let is_current = self.current < self.used && self.chunks[self.current].first == first;
        if !is_current {
            self.find(first);
        }
        &mut self.chunks[self.current]
    }

    #[cold]
    fn find(&mut self, first: usize) {
        let mut known = self.chunks[..self.used].iter();
        self.current = known
            .position(|chunk| chunk.first == first)
            .unwrap_or_else(|| {
                if self.used == self.chunks.len() {
                    self.chunks.push(ChunkTape::default());
                }
                let new = &mut self.chunks[self.used];
                (new.first, new.calls, new.sum, new.last_deed) = (first, 0, 0, 0);
                new.answers.clear();
                new.deeds.clear();
                self.used += 1;
                self.used - 1
            });
    }
}

/// The calls of a host, for the sum over them.
#[derive(Clone, Copy)]
pub(super) enum CallKind {
    Ask = 1,
    Start,
    Update,
    Stop,
    Serve,
    Decide,
    Sense,
    Log,
    Event,
    Candidates,
    Measure,
}

/// Adds a call to the sum over all of them.
#[inline]
pub(super) fn add_call(sum: u32, kind: CallKind, call: &Call<'_>) -> u32 {
    (sum.rotate_left(5) ^ (call.node.0 << 4 | kind as u32)).wrapping_mul(0x9e37_79b1)
}

/// A host whose answers are recorded on a [`Tape`](super::Tape). The game's host gets every call, and notices nothing.
pub struct Taping<'a, H: Host + ?Sized> {
    pub(super) host: &'a mut H,
    pub(super) part: &'a mut Part,
}

impl<H: Host + ?Sized> Taping<'_, H> {
    /// Ticks some agents, as many as the budget lets, and records how many that are.
    pub fn within<T>(
        &mut self,
        budget: Budget<'_>,
        tick: impl FnOnce(&mut Self, Budget<'_>) -> T,
    ) -> T {
        let goes_on = match budget {
            Budget::Agents(agents) => {
                self.part.limit = Limit::Agents(agents as u64);
                return tick(self, Budget::Agents(agents));
            }
            Budget::While(goes_on) => goes_on,
        };
        let mut chunks = 0;
        let mut counted = || {
            let goes_on = goes_on();
            chunks += u64::from(goes_on);
            goes_on
        };
        let ticked = tick(self, Budget::While(&mut counted));
        self.part.limit = Limit::Chunks(chunks);
        ticked
    }

    /// Makes a call, and notes what the host did apart from answering. Returns the tape for its answers, too.
    #[inline]
    fn call<T>(
        &mut self,
        kind: CallKind,
        call: &mut Call<'_>,
        made: impl FnOnce(&mut H, &mut Call<'_>) -> T,
    ) -> (T, &mut Vec<u8>) {
        // A trace with values takes the deeds behind us.
        let is_traced = std::mem::replace(&mut call.outbox.staged.journal.is_on, true);
        let made = made(self.host, call);
        let chunk = self.part.chunk(call.around.first);
        chunk.calls += 1;
        chunk.sum = add_call(chunk.sum, kind, call);
        let journal = &mut call.outbox.staged.journal;
        journal.is_on = is_traced;
        if !journal.deeds.is_empty() {
            put_deeds(chunk, call, is_traced);
        }
        (made, &mut chunk.answers)
    }
}

impl<H: Host + ?Sized> Host for Taping<'_, H> {
    fn order(&self) -> Order {
        self.host.order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let ((), out) = self.call(CallKind::Ask, call, |host, call| {
            host.ask(call, lanes, answers);
        });
        put_answers(out, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.call(CallKind::Start, call, |host, call| host.start(call, lanes));
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let ((), out) = self.call(CallKind::Update, call, |host, call| {
            host.update(call, lanes, answers);
        });
        put_answers(out, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.call(CallKind::Stop, call, |host, call| {
            host.stop(call, lanes, outcome);
        });
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.call(CallKind::Serve, call, |host, call| host.serve(call, lanes));
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        let ((), out) = self.call(CallKind::Decide, call, |host, call| {
            host.decide(call, lanes, moves);
        });
        for agent in lanes {
            match moves.get(agent) {
                Move::Answer(status) => out.push(code_of(status)),
                Move::Tick(child) => {
                    out.push(4);
                    put(out, child as u64);
                }
                Move::Halt(child) => {
                    out.push(5);
                    put(out, child as u64);
                }
            }
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.call(CallKind::Sense, call, |host, call| {
            host.sense(call, key, lanes);
        });
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        let first = call.around.first;
        let ((), out) = self.call(CallKind::Candidates, call, |host, call| {
            host.candidates(call, lanes, candidates);
        });
        let misfit = candidates.misfit.map_or(0, |agent| agent - first + 1);
        put(out, misfit as u64);
        put(out, candidates.items.len() as u64);
        for (lane, item) in &candidates.items {
            put(out, u64::from(*lane));
            put_value(out, *item);
        }
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        let ((), out) = self.call(CallKind::Measure, call, |host, call| {
            host.measure(call, pairs);
        });
        let measured = pairs.values.iter();
        measured.for_each(|number| out.extend(number.to_bits().to_le_bytes()));
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.call(CallKind::Log, call, |host, call| host.log(call, lanes));
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.call(CallKind::Event, call, |host, call| host.event(call, lanes));
    }

    #[inline]
    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let (status, out) = self.call(CallKind::Ask, call, |host, call| host.ask_one(call, agent));
        out.push(code_of(status));
        status
    }

    #[inline]
    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let (status, out) = self.call(CallKind::Update, call, |host, call| {
            host.update_one(call, agent)
        });
        out.push(code_of(status));
        status
    }
}

/// The statuses in the order of their codes.
pub(super) const STATUSES: [Status; 4] = [
    Status::Success,
    Status::Failure,
    Status::Skipped,
    Status::Running,
];
/// Behind the codes of statuses: the bits of success, failure and skipped.
pub(super) const MIXED: u8 = 4;
/// From here on, two statuses: the bits of one, and all others have the other.
pub(super) const PAIR: u8 = 16;

fn code_of(status: Status) -> u8 {
    match status {
        Status::Success => 0,
        Status::Failure => 1,
        Status::Skipped => 2,
        Status::Running => 3,
    }
}

/// Writes the answers: one status if all have the same, else the bits of the words in which somebody was asked.
fn put_answers(out: &mut Vec<u8>, lanes: Lanes<'_>, answers: &Answers<'_>) {
    let (asked, others) = (lanes.words(), code_of(answers.others));
    let bits: [&[u64]; 3] = [answers.success, answers.failure, answers.skipped];
    if answers.is_plain || is_zero(bits[1]) && is_zero(bits[2]) {
        return match others {
            _ if bits[0] == asked => out.push(code_of(Status::Success)),
            _ if is_zero(bits[0]) => out.push(others),
            _ => put_pair(out, (code_of(Status::Success), others), asked, bits[0]),
        };
    }
    let [mut success, mut failure, mut skipped, mut rest] = [0; 4];
    for (nth, &asked) in asked.iter().enumerate() {
        let [succeed, fail, skip] = bits.map(|bits| bits[nth]);
        success |= asked & succeed;
        failure |= asked & !succeed & fail;
        skipped |= asked & !succeed & !fail & skip;
        rest |= asked & !succeed & !fail & !skip;
    }
    let any = [success, failure, skipped, rest];
    let mut given = (0..4).filter(|kind| any[*kind] != 0);
    let status = |kind: usize| if kind == 3 { others } else { kind as u8 };
    match (given.next(), given.next(), given.next()) {
        (None, ..) => out.push(others),
        (Some(one), None, _) => out.push(status(one)),
        // An agent with several bits has the first of them, so the bits of the first kind say it all.
        (Some(one), Some(other), None) => {
            put_pair(out, (one as u8, status(other)), asked, bits[one]);
        }
        _ => {
            out.extend([MIXED, others]);
            for bits in bits {
                put_words(out, asked, bits);
            }
        }
    }
}

/// Writes answers of two kinds: one of the agents with a bit, and one of all others.
fn put_pair(out: &mut Vec<u8>, (one, other): (u8, u8), asked: &[u64], bits: &[u64]) {
    out.push(PAIR + one * 4 + other);
    put_words(out, asked, bits);
}

/// Whether no bit is set, found out as fast as two lists are compared. Of longer lists than a chunk has it is not
/// known.
#[inline]
fn is_zero(words: &[u64]) -> bool {
    const ZEROS: [u64; 16] = [0; 16];
    ZEROS.get(..words.len()).is_some_and(|zeros| words == zeros)
}

/// Writes the words in which somebody was asked. Bits of others do not matter.
fn put_words(out: &mut Vec<u8>, asked: &[u64], bits: &[u64]) {
    if cfg!(target_endian = "little") && asked.iter().all(|asked| *asked != 0) {
        return out.extend_from_slice(bytemuck::cast_slice(&bits[..asked.len()]));
    }
    for (_, bits) in asked.iter().zip(bits).filter(|(asked, _)| **asked != 0) {
        out.extend(bits.to_le_bytes());
    }
}

/// Writes what the host did in a call apart from answering. A trace needs the deeds, too.
#[cold]
fn put_deeds(chunk: &mut ChunkTape, call: &mut Call<'_>, is_traced: bool) {
    let mut deeds = std::mem::take(&mut call.outbox.staged.journal.deeds);
    let first = call.around.first as u64;
    let out = &mut chunk.deeds;
    put(out, u64::from(chunk.calls - chunk.last_deed));
    chunk.last_deed = chunk.calls;
    put(out, deeds.len() as u64);
    for (agent, deed) in &deeds {
        put(out, u64::from(*agent) - first);
        match deed {
            Deed::Set(key, Some(value)) => {
                put(out, u64::from(key.0) << 3);
                put_value(out, *value);
            }
            Deed::Set(key, None) => put(out, u64::from(key.0) << 3 | 1),
            Deed::Push(key, value) => {
                put(out, u64::from(key.0) << 3 | 2);
                put_value(out, *value);
            }
            Deed::Clear(key) => put(out, u64::from(key.0) << 3 | 3),
            Deed::Column(key) => {
                put(out, u64::from(key.0) << 3 | 4);
                let board = call.board();
                let values = board.column(*key);
                put(out, values.len() as u64);
                values.for_each(|value| put_value(out, value));
            }
            Deed::Group(group) => put(out, u64::from(*group) << 3 | 5),
            Deed::Remove => put(out, 6),
            Deed::Spawn(archetype, given) => {
                put(out, (given.len() as u64) << 4 | 7);
                put(out, u64::from(archetype.number()));
                for (key, value) in given {
                    put(out, u64::from(key.number()));
                    put_value(out, *value);
                }
            }
            Deed::Fault(text) => {
                put(out, 1 << 3 | 7);
                put_bytes(out, text.as_bytes());
            }
        }
    }
    if !is_traced {
        deeds.clear();
    }
    call.outbox.staged.journal.deeds = deeds;
}
