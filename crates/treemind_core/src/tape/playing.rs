//! A host that gives the answers of a tape.

use super::TapeError;
use super::code::Bytes;
use super::taping::{CallKind, Limit, MIXED, PAIR, STATUSES, add_call};
use crate::behaviour::Behaviour;
use crate::host::{Answers, Call, Candidates, Host, Lanes, Message, Move, Moves, Order, Pairs};
use crate::ids::KeyId;
use crate::status::{Outcome, Status};
use crate::text::Text;
use crate::value::Value;

const UNKNOWN_ANSWER: TapeError = TapeError::Impossible("an answer is unknown");

/// What a host did for the agents of one chunk in one tick.
#[derive(Clone, Debug)]
struct ChunkTape<'t> {
    first: usize,
    /// How many calls there were, and the sum over them; then how far playing is.
    calls: u32,
    sum: u32,
    made: u32,
    made_sum: u32,
    answers: Bytes<'t>,
    deeds: Bytes<'t>,
    /// The number of the call with the next deeds, from 1; 0 behind the last.
    next_deed: u32,
}

/// What a host did for the agents of one population in one tick.
#[derive(Clone, Debug)]
pub(super) struct PartTape<'t> {
    pub(super) population: u16,
    pub(super) limit: Limit,
    order: Order,
    chunks: Vec<ChunkTape<'t>>,
}

impl<'t> PartTape<'t> {
    pub(super) fn read(from: &mut Bytes<'t>) -> Result<Self, TapeError> {
        let population = from.number()?;
        let population = u16::try_from(population)
            .map_err(|_| TapeError::Impossible("a population has no such number"))?;
        let way = from.byte()?;
        let order = match way & 1 {
            0 => Order::Independent,
            _ => Order::Sequential,
        };
        let limit = match way >> 1 {
            0 => Limit::None,
            1 => Limit::Agents(from.number()?),
            2 => Limit::Chunks(from.number()?),
            _ => return Err(TapeError::Impossible("a way to tick is unknown")),
        };
        let mut chunks = Vec::new();
        for _ in 0..from.size()? {
            let mut chunk = ChunkTape {
                first: from.size()?,
                calls: from.narrow()?,
                sum: from.array().map(u32::from_le_bytes)?,
                made: 0,
                made_sum: 0,
                answers: from.bytes()?,
                deeds: from.bytes()?,
                next_deed: 0,
            };
            chunk.find_deed()?;
            chunks.push(chunk);
        }
        Ok(Self {
            population,
            limit,
            order,
            chunks,
        })
    }
}

impl ChunkTape<'_> {
    /// Looks for the call with the next deeds.
    fn find_deed(&mut self) -> Result<(), TapeError> {
        self.next_deed = match self.deeds.is_empty() {
            true => 0,
            false => self.next_deed.saturating_add(self.deeds.narrow()?),
        };
        Ok(())
    }
}

/// A host that answers as another one did in a tick.
pub(super) struct Playing<'t> {
    order: Order,
    chunks: Vec<ChunkTape<'t>>,
    texts: &'t [Text],
    /// What agents logged and emitted.
    messages: &'t mut Vec<Message>,
    /// What went wrong first. From then on every answer is failure.
    problem: Option<TapeError>,
}

impl<'t> Playing<'t> {
    pub(super) fn new(
        part: PartTape<'t>,
        texts: &'t [Text],
        messages: &'t mut Vec<Message>,
    ) -> Self {
        Self {
            order: part.order,
            chunks: part.chunks,
            texts,
            messages,
            problem: None,
        }
    }

    /// Whether everything was played, and nothing else was asked.
    pub(super) fn end(self) -> Result<(), TapeError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let is_over = |chunk: &ChunkTape<'_>| {
            (chunk.made, chunk.made_sum) == (chunk.calls, chunk.sum)
                && chunk.answers.is_empty()
                && chunk.next_deed == 0
        };
        match self.chunks.iter().all(is_over) {
            true => Ok(()),
            false => Err(TapeError::Diverged),
        }
    }

    /// Begins a call, and does what the host did in it apart from answering.
    fn begin(&mut self, kind: CallKind, call: &mut Call<'_>) {
        let first = call.around.first;
        let Some(chunk) = self.chunks.iter_mut().find(|chunk| chunk.first == first) else {
            self.problem.get_or_insert(TapeError::Diverged);
            return;
        };
        chunk.made = chunk.made.wrapping_add(1);
        chunk.made_sum = add_call(chunk.made_sum, kind, call);
        if self.problem.is_none() && chunk.next_deed == chunk.made {
            let mut deeds = chunk.deeds;
            let done = do_deeds(&mut deeds, self.texts, call);
            chunk.deeds = deeds;
            if let Err(problem) = done.and_then(|()| chunk.find_deed()) {
                self.problem = Some(problem);
            }
        }
    }

    /// Reads answers of a call, if nothing has gone wrong so far.
    fn read<T>(
        &mut self,
        call: &Call<'_>,
        read: impl FnOnce(&mut Bytes<'t>) -> Result<T, TapeError>,
    ) -> Option<T> {
        let first = call.around.first;
        let chunk = self.chunks.iter_mut().find(|chunk| chunk.first == first)?;
        if self.problem.is_some() {
            return None;
        }
        read(&mut chunk.answers)
            .map_err(|problem| self.problem = Some(problem))
            .ok()
    }

    fn answer(&mut self, call: &Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        answers.set_others(Status::Failure);
        self.read(call, |from| {
            let kind = from.byte()?;
            if let Some(status) = STATUSES.get(usize::from(kind)) {
                answers.set_others(*status);
                return Ok(());
            }
            let status = |code: u8| {
                let status = STATUSES.get(usize::from(code));
                status.copied().ok_or(UNKNOWN_ANSWER)
            };
            let (one, others) = match kind {
                MIXED => (None, status(from.byte()?)?),
                PAIR.. => (Some(status((kind - PAIR) / 4)?), status(kind & 3)?),
                _ => return Err(UNKNOWN_ANSWER),
            };
            answers.set_others(others);
            let Answers {
                success,
                failure,
                skipped,
                ..
            } = answers;
            let given: &mut [&mut [u64]] = match one {
                None => &mut [success, failure, skipped],
                Some(Status::Success) => &mut [success],
                Some(Status::Failure) => &mut [failure],
                Some(Status::Skipped) => &mut [skipped],
                Some(Status::Running) => return Err(UNKNOWN_ANSWER),
            };
            for bits in given {
                let both = bits.iter_mut().zip(lanes.words());
                for (bits, _) in both.filter(|(_, asked)| **asked != 0) {
                    *bits = from.array().map(u64::from_le_bytes)?;
                }
            }
            Ok(())
        });
    }

    fn answer_one(&mut self, kind: CallKind, call: &mut Call<'_>) -> Status {
        self.begin(kind, call);
        let status = self.read(call, |from| {
            let status = STATUSES.get(usize::from(from.byte()?));
            status.copied().ok_or(UNKNOWN_ANSWER)
        });
        status.unwrap_or(Status::Failure)
    }

    fn note(&mut self, call: &Call<'_>, lanes: Lanes<'_>) {
        let values = |agent| (0..call.args()).map(move |index| call.arg(index, agent));
        self.messages.extend(lanes.iter().map(|agent| Message {
            agent,
            node: call.node(),
            tick: call.tick(),
            text: call.text(agent),
            values: values(agent).collect(),
        }));
    }
}

impl Host for Playing<'_> {
    fn order(&self) -> Order {
        self.order
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.begin(CallKind::Ask, call);
        self.answer(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, _: Lanes<'_>) {
        self.begin(CallKind::Start, call);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.begin(CallKind::Update, call);
        self.answer(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {
        self.begin(CallKind::Stop, call);
    }

    fn serve(&mut self, call: &mut Call<'_>, _: Lanes<'_>) {
        self.begin(CallKind::Serve, call);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        self.begin(CallKind::Decide, call);
        for agent in lanes {
            let wanted = self.read(call, |from| {
                Ok(match from.byte()? {
                    4 => Move::Tick(from.size()?),
                    5 => Move::Halt(from.size()?),
                    code => Move::Answer(
                        *STATUSES
                            .get(usize::from(code))
                            .ok_or(TapeError::Impossible("a move is unknown"))?,
                    ),
                })
            });
            moves.set(agent, wanted.unwrap_or(Move::Answer(Status::Failure)));
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, _: KeyId, _: Lanes<'_>) {
        self.begin(CallKind::Sense, call);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.begin(CallKind::Candidates, call);
        let (texts, first) = (self.texts, call.around.first);
        self.read(call, |from| {
            let misfit = from.size()?.checked_sub(1);
            candidates.misfit = misfit.map(|lane| first.saturating_add(lane));
            for _ in 0..from.size()? {
                let agent = first.saturating_add(from.size()?);
                let lane = agent.wrapping_sub(lanes.first_agent());
                let word = lanes.words().get(lane / 64);
                if word.is_none_or(|asked| asked >> (lane % 64) & 1 == 0) {
                    return Err(UNKNOWN_ANSWER);
                }
                candidates.push(agent, value(from, texts, call)?);
            }
            Ok(())
        });
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.begin(CallKind::Measure, call);
        self.read(call, |from| {
            for measured in pairs.values_mut() {
                *measured = from.array().map(f32::from_le_bytes)?;
            }
            Ok(())
        });
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.begin(CallKind::Log, call);
        self.note(call, lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.begin(CallKind::Event, call);
        self.note(call, lanes);
    }

    fn ask_one(&mut self, call: &mut Call<'_>, _: usize) -> Status {
        self.answer_one(CallKind::Ask, call)
    }

    fn update_one(&mut self, call: &mut Call<'_>, _: usize) -> Status {
        self.answer_one(CallKind::Update, call)
    }
}

/// Does what a host did in a call apart from answering.
fn do_deeds(from: &mut Bytes<'_>, texts: &[Text], call: &mut Call<'_>) -> Result<(), TapeError> {
    let (first, lanes) = (call.around.first, call.board.lanes());
    for _ in 0..from.size()? {
        let agent = first.saturating_add(from.size()?);
        if agent >= first + lanes || call.around.lives.id(agent).is_none() {
            return Err(TapeError::Impossible(
                "a host did something for an agent that is not there",
            ));
        }
        let code = from.number()?;
        let key = || {
            let keys = call.around.program.board.keys.len();
            let index = usize::try_from(code >> 3).ok().filter(|key| *key < keys);
            index
                .map(KeyId::new)
                .ok_or(TapeError::Impossible("there is no such key"))
        };
        match code & 7 {
            0 => {
                let (key, value) = (key()?, value(from, texts, call)?);
                let set = call.board().set(key, agent, value);
                set.map_err(|_| TapeError::Impossible("a value is of another type"))?;
            }
            1 => {
                let key = key()?;
                call.board().unset(key, agent);
            }
            2 | 3 => {
                let key = key()?;
                let item = match code & 7 {
                    2 => Some(value(from, texts, call)?),
                    _ => None,
                };
                let mut board = call.board();
                let list = board.list_mut(key, agent);
                let mut list = list.ok_or(TapeError::Impossible("a key is no list"))?;
                match item {
                    Some(item) => list
                        .push(item)
                        .map_err(|_| TapeError::Impossible("a list has no room"))?,
                    None => list.clear(),
                }
            }
            4 => {
                let key = key()?;
                let count = from.size()?;
                let mut values = Vec::new();
                for _ in 0..count {
                    values.push(value(from, texts, call)?);
                }
                call.board().set_column(key, values.into_iter());
            }
            5 => match u32::try_from(code >> 3) {
                Ok(group) if group < crate::MAX_GROUPS => call.set_group(agent, group),
                _ => return Err(TapeError::Impossible("there is no such group")),
            },
            6 => call.remove(agent),
            _ if code >> 3 & 1 == 1 => call.fault(agent, from.str()?),
            _ => {
                let archetype = from.text(texts)?;
                let mut given = Vec::new();
                for _ in 0..code >> 4 {
                    given.push((from.text(texts)?.as_str(), value(from, texts, call)?));
                }
                call.spawn(agent, archetype.as_str(), &given);
            }
        }
    }
    Ok(())
}

/// A value of the program of a call.
fn value(from: &mut Bytes<'_>, texts: &[Text], call: &Call<'_>) -> Result<Value, TapeError> {
    let value = from.value(texts)?;
    match value {
        Value::Enum(list, index) if !has_enum(&call.around.program.behaviour, list.0, index) => {
            Err(TapeError::Impossible("an enumeration has no such value"))
        }
        value => Ok(value),
    }
}

fn has_enum(behaviour: &Behaviour, list: u32, index: u32) -> bool {
    let list = behaviour.enums().get(list as usize);
    list.is_some_and(|list| (index as usize) < list.values.len())
}
