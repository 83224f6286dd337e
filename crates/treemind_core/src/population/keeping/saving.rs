//! Saving a population, and restoring it: it continues as if it had never stopped.

use crate::blackboard::{Cells, CellsMut, Shared, Size};
use crate::host::changes::MAX_GROUPS;
use crate::host::outbox::Outbox;
use crate::ids::{AgentId, KeyId, PopulationId};
use crate::lives::Lives;
use crate::population::durable::Durable;
use crate::population::room::{parts, size_for};
use crate::population::settling::mail::Mail;
use crate::population::settling::requests::Archetype;
use crate::population::{Limits, Newborn, Population};
use crate::program::Program;
use crate::program::op::Inbox;
use crate::snapshot::{Content, Reader, RestoreError, Writer};
use std::sync::Arc;

type Restored<T> = Result<T, RestoreError>;

impl Population {
    /// The whole state of all agents, between two ticks, as bytes that do not depend on the machine or the process:
    /// keys, what runs, timers, machines with what they remember, groups, handles, the clock and the seed.
    /// [`restore`](Self::restore) makes a population of them that continues with the same trace.
    ///
    /// A host's own data is not part of it.
    ///
    /// # Panics
    /// When the population is in a society, which is saved [as a whole](crate::Society::save).
    pub fn save(&self) -> Vec<u8> {
        self.save_with(&[])
    }

    /// Like [`save`](Self::save), with bytes of the game attached, such as the text of its document. The same checksum
    /// covers them. [`restore`](Self::restore) takes the result, and [`attached`](Self::attached) gives the bytes.
    ///
    /// # Panics
    /// As [`save`](Self::save).
    pub fn save_with(&self, attached: &[u8]) -> Vec<u8> {
        assert!(!self.is_joined(), "a society is saved as a whole");
        let mut to = Writer::with(Content::Population, attached);
        self.write(&mut to);
        to.finish()
    }

    /// What was attached when a population was [saved](Self::save_with); empty if nothing was.
    ///
    /// # Errors
    /// When the bytes are no snapshot of a population, cut or damaged.
    pub fn attached(snapshot: &[u8]) -> Result<&[u8], RestoreError> {
        Reader::open(snapshot, Content::Population).map(|from| from.attached)
    }

    /// The population that was [saved](Self::save), in this process or another, on any machine. The program must be
    /// lowered from the same behaviour.
    ///
    /// # Errors
    /// When the bytes are no snapshot, are cut or damaged, or belong to another program. No bytes make it panic, or
    /// use much more memory than they take themselves.
    pub fn restore(program: Arc<Program>, snapshot: &[u8]) -> Result<Self, RestoreError> {
        let mut from = Reader::open(snapshot, Content::Population)?;
        let population = Self::read(program, None, &mut from)?;
        from.close()?;
        Ok(population)
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        let Self {
            state,
            durable,
            // Nothing of it lasts.
            working: _,
            // For the recording of a tick.
            before: _,
        } = self;
        // A new field has to be named here, so nobody forgets to save it.
        let Durable {
            program,
            len,
            size,
            parts,
            skipped_ever,
            now_ns,
            dt_ns,
            tick,
            seed,
            ids,
            next_id,
            lives,
            next_in_turn,
            first_new_id,
            archetypes,
            newborns,
            taken_places,
            shared,
            outbox,
            limits,
            mail,
        } = durable;
        // Everything else in it is empty between ticks, or has been delivered.
        let Outbox {
            faults,
            staged: _,
            post: _,
            changes: _,
        } = outbox;
        to.cut();
        to.fingerprint(|| program.fingerprint());
        to.str(program.behaviour.name());
        [*now_ns, *dt_ns, *tick, *seed, *next_id, *first_new_id]
            .into_iter()
            .for_each(|number| to.u64(number));
        to.hint(*skipped_ever);
        to.count(*next_in_turn);
        to.count(*len);
        to.count(size.lanes);
        to.bool(parts.has_intervals());
        to.cut();
        to.count(ids.len());
        to.u64s(ids);
        to.cut();
        lives.save(to);
        to.cut();
        to.count(archetypes.len());
        for Archetype {
            name,
            given,
            interval,
        } in archetypes
        {
            to.text(*name);
            to.u32(*interval);
            to.count(given.len());
            for (key, value) in given {
                to.u32(key.0);
                to.value(*value);
            }
        }
        to.cut();
        to.count(newborns.len());
        for Newborn {
            id,
            parent,
            archetype,
        } in newborns
        {
            let archetype = archetypes.iter().position(|one| one.name == *archetype);
            let archetype = archetype.expect("archetypes are never forgotten") as u64;
            to.u64s(&[id.to_bits(), parent.to_bits(), archetype]);
        }
        to.count(taken_places.len());
        to.u32s(taken_places);
        to.cut();
        to.bool(shared.is_some());
        if let Some(shared) = shared {
            shared.save(&program.board, to);
        }
        to.cut();
        faults.save(to);
        to.cut();
        limits.save(to);
        mail.save(to);
        for chunk in state {
            to.cut();
            self.write_chunk(chunk, to);
        }
    }

    fn write_chunk(&self, chunk: &[u64], to: &mut Writer) {
        let (program, parts) = (&*self.durable.program, &self.durable.parts);
        to.u64s(&chunk[..parts.used]);
        let board = Cells::new(&parts.board_layout, &chunk[parts.board..parts.run]);
        program.board.shape.save(board, to);
        let run = Cells::new(&parts.run_layout, &chunk[parts.run..parts.end]);
        program.run.save(run, to);
        // Which agents agree is found out again, and until when the chunk idles, too.
        if parts.has_intervals() {
            let times = |lane| parts.due_time(chunk, lane).unwrap_or_default();
            for column in 0..4 {
                (0..self.durable.size.lanes).for_each(|lane| to.u64(times(lane)[column]));
            }
        }
    }

    /// Reads a population; `joined` is its number in the society that it is in.
    pub(crate) fn read(
        program: Arc<Program>,
        joined: Option<PopulationId>,
        from: &mut Reader<'_>,
    ) -> Restored<Self> {
        let fingerprint = from.u64()?;
        let name = from.str()?;
        if !from.is_raw && fingerprint != program.fingerprint() {
            return Err(RestoreError::other_program(name));
        }
        let behaviour = &program.behaviour;
        let enums = behaviour.enums().iter();
        from.enums = enums.map(|list| list.values.len()).collect();
        let (now_ns, dt_ns) = (from.u64()?, from.u64()?);
        let (tick, seed) = (from.counted()?, from.u64()?);
        let (next_id, first_new_id) = (from.counted()?, from.counted()?);
        let skipped_ever = from.bool()?;
        let next_in_turn = from.counted()? as usize;
        let (len, lanes) = (from.counted()? as usize, from.counted()? as usize);
        let has_intervals = from.bool()?;
        let size = known_size(len, lanes)?;
        let parts = parts(&program, size, has_intervals);
        let mut ids = vec![0; from.count(8)?];
        from.u64s(&mut ids)?;
        if !(ids.is_empty() && next_id == len as u64 || ids.len() == len)
            || ids.iter().any(|id| *id >= next_id)
        {
            return Err(RestoreError::impossible("an agent has no id"));
        }
        let lives = Lives::restore(joined.unwrap_or(PopulationId::FIRST), from)?;
        let archetypes = read_archetypes(&program, from)?;
        let newborns = read_newborns(&archetypes, from)?;
        let mut taken_places = vec![0; from.count(4)?];
        from.u32s(&mut taken_places)?;
        let is_shared = !program.board.shared.is_empty();
        let shared = match from.bool()? {
            true => {
                let keys = (&program.board, behaviour.keys());
                let most = (len, MAX_GROUPS);
                let shared = Shared::restore(keys, most, joined.is_some(), from)?;
                Some(Box::new(shared))
            }
            false if is_shared || joined.is_some() => {
                return Err(RestoreError::impossible("shared keys are missing"));
            }
            false => None,
        };
        let outbox = Outbox {
            faults: crate::fault::Faults::restore(behaviour, from)?,
            ..Outbox::default()
        };
        let limits = Limits::restore(from)?;
        let mail = Mail::restore(behaviour, len, from)?;
        let mut population = Self::of(Durable {
            len,
            size,
            parts,
            skipped_ever,
            now_ns,
            dt_ns,
            tick,
            seed,
            ids,
            next_id,
            lives,
            next_in_turn,
            first_new_id,
            archetypes,
            newborns,
            taken_places,
            shared,
            outbox,
            limits,
            mail,
            program,
        });
        population.fit_mailboxes();
        for chunk in 0..len.div_ceil(lanes) {
            population.read_chunk(chunk, from)?;
        }
        for agent in 0..len {
            let is_alive = population.is_alive(agent);
            population.durable.lives.restore_life(agent, is_alive)?;
        }
        if joined.is_none() {
            population.count_itself();
        }
        Ok(population)
    }

    /// Reads the next chunk.
    fn read_chunk(&mut self, number: usize, from: &mut Reader<'_>) -> Restored<()> {
        let (program, parts, size) = (
            Arc::clone(&self.durable.program),
            self.durable.parts,
            self.durable.size,
        );
        let columns = program.board.shape.saved_bytes(size) + program.run.saved_bytes(size);
        from.has(parts.used * 8 + columns)?;
        let mut chunk = vec![0; parts.end].into_boxed_slice();
        from.u64s(&mut chunk[..parts.used])?;
        let board = &mut chunk[parts.board..parts.run];
        let mut board = CellsMut::new(&parts.board_layout, board);
        program.board.shape.restore(&mut board, from)?;
        if !program.board.has_no_drafts(board.read()) {
            return Err(RestoreError::impossible("a write was left over"));
        }
        let run = &mut chunk[parts.run..parts.end];
        let mut run = CellsMut::new(&parts.run_layout, run);
        program.run.restore(&mut run, from)?;
        check_inboxes(&program, run.read(), size)?;
        from.u64s(parts.due_times_to_fill(&mut chunk))?;
        let first = number * size.lanes;
        self.check_slots(&mut chunk, self.durable.len - first)?;
        self.check_due_times(&mut chunk)?;
        self.state.push(chunk);
        Ok(())
    }

    /// Checks that only agents that live run something, and notes which slots are in use.
    fn check_slots(&self, chunk: &mut [u64], agents: usize) -> Restored<()> {
        let (parts, words) = (self.durable.parts, self.durable.size.words);
        let (slots, rest) = chunk.split_at_mut(parts.used);
        for (word, alive) in slots[..words].iter().enumerate() {
            let room = match agents.saturating_sub(word * 64) {
                lanes @ 0..64 => !(u64::MAX << lanes),
                _ => u64::MAX,
            };
            if alive & !room != 0 {
                return Err(RestoreError::impossible("an agent lives nowhere"));
            }
        }
        for (slot, run) in slots.chunks(words).enumerate() {
            let mut both = run.iter().zip(&slots[..words]);
            if both.any(|(run, alive)| run & !alive != 0) {
                return Err(RestoreError::impossible("an agent runs that does not live"));
            }
            if run.iter().any(|word| *word != 0) {
                rest[slot / 64] |= 1 << (slot % 64);
            }
        }
        Ok(())
    }

    fn check_due_times(&self, chunk: &mut [u64]) -> Restored<()> {
        let (parts, lanes) = (self.durable.parts, self.durable.size.lanes);
        let is_alive = |chunk: &[u64], lane: usize| chunk[lane / 64] >> (lane % 64) & 1 == 1;
        let is_possible = |lane: usize| {
            let times = parts.due_time(chunk, lane);
            times.is_none_or(|[_, last, last_ns, interval]| {
                let intervals = 1..=u64::from(u32::MAX);
                last <= self.durable.tick
                    && last_ns <= self.durable.now_ns
                    && intervals.contains(&interval)
            })
        };
        let mut living = (0..lanes).filter(|lane| is_alive(chunk, *lane));
        let mut is_right = living.all(is_possible);
        // Nobody is ever due where there is nobody.
        let dead: Vec<usize> = (0..lanes).filter(|lane| !is_alive(chunk, *lane)).collect();
        let next = parts.due_times_to_fill(chunk);
        is_right &= next.is_empty() || dead.iter().all(|lane| next[*lane] == u64::MAX);
        match is_right {
            true => Ok(()),
            false => Err(RestoreError::impossible(
                "an agent was ticked in the future",
            )),
        }
    }
}

/// The size of chunks for this many lanes.
fn known_size(len: usize, lanes: usize) -> Restored<Size> {
    let size = match lanes {
        0 => return Err(RestoreError::impossible("a chunk has no room")),
        // A few agents have a chunk with as many lanes.
        1..=64 => Size { words: 1, lanes },
        _ => size_for(lanes),
    };
    if size.lanes != lanes || len > AgentId::MAX_AGENTS {
        return Err(RestoreError::impossible("no chunk has that size"));
    }
    Ok(size)
}

fn read_archetypes(program: &Program, from: &mut Reader<'_>) -> Restored<Vec<Archetype>> {
    let count = from.count(16)?;
    let mut archetypes = Vec::with_capacity(count);
    for _ in 0..count {
        let (name, interval) = (from.text()?, from.u32()?);
        let count = from.count(5)?;
        let mut given = Vec::with_capacity(count);
        for _ in 0..count {
            let key = KeyId(from.index(program.board.keys.len())?);
            let value = from.value()?;
            let fits = program.board.keys[key.index()].fitted(value).is_ok();
            given.push(match fits {
                true => (key, value),
                false => return Err(RestoreError::impossible("a value is of another type")),
            });
        }
        if interval == 0 {
            return Err(RestoreError::impossible("an interval has no ticks"));
        }
        archetypes.push(Archetype {
            name,
            given,
            interval,
        });
    }
    Ok(archetypes)
}

fn read_newborns(archetypes: &[Archetype], from: &mut Reader<'_>) -> Restored<Vec<Newborn>> {
    let count = from.count(24)?;
    let mut newborn = |_| {
        let mut handle = || {
            let handle = AgentId::from_bits(from.u64()?);
            handle.ok_or(RestoreError::impossible("a handle names nobody"))
        };
        let (id, parent) = (handle()?, handle()?);
        let archetype = usize::try_from(from.u64()?).ok();
        let archetype = archetype.and_then(|number| archetypes.get(number));
        let archetype = archetype.ok_or(RestoreError::impossible("an archetype is unknown"))?;
        Ok(Newborn {
            id,
            parent,
            archetype: archetype.name,
        })
    };
    (0..count).map(&mut newborn).collect()
}

/// Checks that the events that wait have values of their parameters' types.
fn check_inboxes(program: &Program, run: Cells<'_>, size: Size) -> Restored<()> {
    for machine in &program.code.machines {
        let delayed = machine.delayed.as_ref().map(|delayed| &delayed.queue);
        let inboxes = [machine.inbox.as_ref(), machine.raised.as_ref(), delayed];
        for inbox in inboxes.into_iter().flatten() {
            let is_sound = |lane: usize| {
                let waiting = 0..run.narrow(inbox.count)[lane];
                waiting
                    .into_iter()
                    .all(|row| is_event(program, run, (inbox, row), lane))
            };
            if !(0..size.lanes).all(is_sound) {
                return Err(RestoreError::impossible("a machine has no such event"));
            }
        }
    }
    Ok(())
}

/// Whether a row of an inbox holds an event that its machine listens to.
fn is_event(program: &Program, run: Cells<'_>, (inbox, row): (&Inbox, u32), lane: usize) -> bool {
    let event = crate::ids::LeafId(run.narrow(inbox.events + row)[lane]);
    if inbox.listens.binary_search(&event).is_err() {
        return false;
    }
    let params = &program.behaviour.leaf(event).params;
    (0..).zip(params).all(|(param, wanted)| {
        let column = inbox.payload.item(row * inbox.params + param);
        wanted
            .ty
            .holds(run.get(column, crate::value::Type::Any, lane))
    })
}
