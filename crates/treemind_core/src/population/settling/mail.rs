//! The mailboxes of agents: the events that have arrived since each agent's last tick.

use crate::behaviour::{Behaviour, LeafKind, MAILBOX_SIZES, MAX_EVENTS};
use crate::blackboard::EventPart;
use crate::ids::{AgentId, LeafId};
use crate::snapshot::{Reader, RestoreError, Writer};
use crate::value::Value;

/// No entry.
const NONE: u32 = u32::MAX;

/// The mailboxes of all agents of a population. What is said to many stands here once; the mailboxes only say where.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    /// How many events the mailbox of an agent keeps.
    bound: usize,
    letters: Vec<Received>,
    values: Vec<Value>,
    entries: Vec<Entry>,
    /// Per agent; agents behind the last one have empty mailboxes.
    boxes: Vec<Mailbox>,
    /// The agents that have any: a bit each.
    holders: Vec<u64>,
    /// What was there before, while what is kept is moved; empty otherwise.
    old: (Vec<Received>, Vec<Value>, Vec<Entry>),
    /// Per old letter, its new number.
    moved: Vec<u32>,
}

/// An event that has come.
#[derive(Clone, Copy, Debug)]
struct Received {
    event: LeafId,
    /// The handle of the agent that sent it; 0 is the host.
    sender: u64,
    first_value: u32,
    values: u32,
}

/// A letter in a mailbox, and the entry behind it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    letter: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Mailbox {
    first: u32,
    last: u32,
    count: u32,
}

const EMPTY: Mailbox = Mailbox {
    first: NONE,
    last: NONE,
    count: 0,
};

/// An event in a mailbox.
#[derive(Clone, Copy, Debug)]
pub(in crate::population) struct Letter<'m> {
    pub(in crate::population) event: LeafId,
    sender: u64,
    /// Those of its parameters, and what follows.
    values: &'m [Value],
}

impl Default for Mail {
    fn default() -> Self {
        Self::NONE
    }
}

impl Mail {
    /// No mail at all.
    pub(in crate::population) const NONE: Self = Self {
        bound: MAX_EVENTS,
        letters: Vec::new(),
        values: Vec::new(),
        entries: Vec::new(),
        boxes: Vec::new(),
        holders: Vec::new(),
        old: (Vec::new(), Vec::new(), Vec::new()),
        moved: Vec::new(),
    };

    /// Whether no agent has any.
    #[inline]
    pub(in crate::population) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many events the mailbox of an agent keeps.
    pub(in crate::population) fn bound(&self) -> usize {
        self.bound
    }

    /// The same, but the mailbox of an agent keeps this many events.
    pub(in crate::population) fn keeping(self, bound: usize) -> Self {
        Self { bound, ..self }
    }

    /// Makes room for keeping some mailboxes when a tick ends, as [`make_room`](Self::make_room) does for letters.
    pub(in crate::population) fn make_room_to_keep(&mut self) {
        // The two sides take turns. Only room that is exact stays the same: otherwise each would outgrow the other.
        let (letters, values, entries) = &mut self.old;
        letters.reserve_exact(self.letters.capacity());
        values.reserve_exact(self.values.capacity());
        entries.reserve_exact(self.entries.capacity());
        self.moved.clear();
        self.moved.reserve(self.letters.capacity());
    }

    /// Makes room for this many agents and letters, so that few agents never allocate later.
    pub(in crate::population) fn make_room(
        &mut self,
        agents: usize,
        letters: usize,
        values: usize,
    ) {
        if self.boxes.len() < agents {
            self.boxes.resize(agents, EMPTY);
            self.holders.resize(agents.div_ceil(64), 0);
        }
        let more = |wanted: usize, have: usize| wanted.saturating_sub(have);
        self.letters.reserve(more(letters, self.letters.len()));
        self.entries.reserve(more(letters, self.entries.len()));
        self.values
            .reserve(more(letters * values, self.values.len()));
    }

    /// Adds a letter that is in no mailbox yet, and returns its number.
    pub(in crate::population) fn add(
        &mut self,
        (event, sender): (LeafId, u64),
        values: impl Iterator<Item = Value>,
    ) -> u32 {
        let first_value = self.values.len() as u32;
        self.values.extend(values);
        let values = self.values.len() as u32 - first_value;
        self.letters.push(Received {
            event,
            sender,
            first_value,
            values,
        });
        self.letters.len() as u32 - 1
    }

    /// Whether the mailbox of an agent has no room.
    pub(in crate::population) fn is_full(&self, agent: usize) -> bool {
        let mailbox = self.boxes.get(agent);
        mailbox.is_some_and(|mailbox| mailbox.count as usize >= self.bound)
    }

    /// Puts a letter into the mailbox of an agent, behind the others. There must be room.
    pub(in crate::population) fn put(&mut self, agent: usize, letter: u32) {
        if agent >= self.boxes.len() {
            self.boxes.resize(agent + 1, EMPTY);
            self.holders.resize(agent / 64 + 1, 0);
        }
        let place = self.entries.len() as u32;
        self.entries.push(Entry { letter, next: NONE });
        let mailbox = &mut self.boxes[agent];
        match mailbox.last {
            NONE => {
                mailbox.first = place;
                self.holders[agent / 64] |= 1 << (agent % 64);
            }
            last => self.entries[last as usize].next = place,
        }
        mailbox.last = place;
        mailbox.count += 1;
    }

    /// The agents that have any letters, by words from one on.
    #[inline]
    pub(in crate::population) fn holders(
        &self,
        first_word: usize,
    ) -> impl Iterator<Item = u64> + '_ {
        let holders = self.holders.get(first_word..).unwrap_or_default();
        holders.iter().copied()
    }

    /// The next letter of an agent, and the number that finds the one behind it; 0 finds the first.
    #[inline]
    pub(in crate::population) fn next(
        &self,
        agent: usize,
        after: u32,
    ) -> Option<(u32, Letter<'_>)> {
        let place = match after {
            0 => self.boxes.get(agent)?.first,
            after => self.entries[after as usize - 1].next,
        };
        (place != NONE).then(|| (place + 1, self.letter(place)))
    }

    /// The first letter of an event in the mailbox of an agent.
    pub(in crate::population) fn first_of(
        &self,
        agent: usize,
        event: LeafId,
    ) -> Option<Letter<'_>> {
        let mut number = 0;
        while let Some((next, letter)) = self.next(agent, number) {
            if letter.event == event {
                return Some(letter);
            }
            number = next;
        }
        None
    }

    /// The letter that was found with this number.
    pub(in crate::population) fn found(&self, number: u32) -> Letter<'_> {
        self.letter(number - 1)
    }

    fn letter(&self, place: u32) -> Letter<'_> {
        let letter = self.entries[place as usize].letter;
        let Received { event, sender, .. } = self.letters[letter as usize];
        let first_value = self.letters[letter as usize].first_value;
        Letter {
            event,
            sender,
            values: &self.values[first_value as usize..],
        }
    }

    /// Empties all mailboxes.
    #[inline]
    pub(in crate::population) fn clear(&mut self) {
        if !self.entries.is_empty() {
            self.entries.clear();
            for (word, holders) in self.holders.iter_mut().enumerate() {
                let mut rest = std::mem::take(holders);
                if rest == u64::MAX {
                    self.boxes[word * 64..word * 64 + 64].fill(EMPTY);
                    continue;
                }
                while rest != 0 {
                    self.boxes[word * 64 + rest.trailing_zeros() as usize] = EMPTY;
                    rest &= rest - 1;
                }
            }
        }
        self.letters.clear();
        self.values.clear();
    }

    /// Empties the mailboxes of all agents but some.
    #[cold]
    pub(in crate::population) fn keep_only(&mut self, keeps: impl Fn(usize) -> bool) {
        std::mem::swap(&mut self.letters, &mut self.old.0);
        std::mem::swap(&mut self.values, &mut self.old.1);
        std::mem::swap(&mut self.entries, &mut self.old.2);
        self.moved.clear();
        self.moved.resize(self.old.0.len(), NONE);
        self.holders.fill(0);
        for agent in 0..self.boxes.len() {
            let mut place = std::mem::replace(&mut self.boxes[agent], EMPTY).first;
            if place == NONE || !keeps(agent) {
                continue;
            }
            while place != NONE {
                let Entry { letter, next } = self.old.2[place as usize];
                let number = match self.moved[letter as usize] {
                    NONE => self.move_letter(letter),
                    number => number,
                };
                self.put(agent, number);
                place = next;
            }
        }
        self.old.0.clear();
        self.old.1.clear();
        self.old.2.clear();
    }

    fn move_letter(&mut self, letter: u32) -> u32 {
        let old = self.old.0[letter as usize];
        let first_value = self.values.len() as u32;
        let said = &self.old.1[old.first_value as usize..][..old.values as usize];
        self.values.extend_from_slice(said);
        self.letters.push(Received { first_value, ..old });
        let number = self.letters.len() as u32 - 1;
        self.moved[letter as usize] = number;
        number
    }

    /// Empties the mailbox of an agent.
    pub(in crate::population) fn forget(&mut self, agent: usize) {
        if let Some(mailbox) = self.boxes.get_mut(agent) {
            *mailbox = EMPTY;
            self.holders[agent / 64] &= !(1 << (agent % 64));
        }
    }

    /// Writes the letters that somebody has, each once, and who has which.
    pub(in crate::population) fn save(&self, to: &mut Writer) {
        let Self {
            // It follows from the limits and the program.
            bound: _,
            letters,
            values,
            entries,
            boxes,
            holders: _,
            old: _,
            moved: _,
        } = self;
        let mut order = Vec::new();
        let mut numbers = vec![NONE; letters.len()];
        let mut held = Vec::new();
        for (agent, mailbox) in boxes.iter().enumerate() {
            let mut place = mailbox.first;
            while place != NONE {
                let Entry { letter, next } = entries[place as usize];
                let number = &mut numbers[letter as usize];
                if *number == NONE {
                    *number = order.len() as u32;
                    order.push(letters[letter as usize]);
                }
                held.push([agent as u32, *number]);
                place = next;
            }
        }
        to.count(order.len());
        for letter in order {
            to.u32(letter.event.0);
            to.u64(letter.sender);
            let said = &values[letter.first_value as usize..][..letter.values as usize];
            said.iter().for_each(|value| to.value(*value));
        }
        to.count(held.len());
        to.u32s(held.as_flattened());
    }

    /// Reads the mailboxes of this many agents.
    pub(in crate::population) fn restore(
        behaviour: &Behaviour,
        agents: usize,
        from: &mut Reader<'_>,
    ) -> Result<Self, RestoreError> {
        let mut mail = Self::default().keeping(*MAILBOX_SIZES.end());
        let letters = from.count(12)?;
        for _ in 0..letters {
            let event = LeafId(from.index(behaviour.leaves().len())?);
            let sender = from.u64()?;
            let leaf = behaviour.leaf(event);
            if leaf.kind != LeafKind::Event {
                return Err(RestoreError::impossible("a letter is no event"));
            }
            let said = leaf.params.iter().map(|param| {
                let value = from.value()?;
                let fits = param.ty.holds(value).then_some(value);
                fits.ok_or(RestoreError::impossible("a value is of another type"))
            });
            let said = said.collect::<Result<Vec<_>, _>>()?;
            mail.add((event, sender), said.into_iter());
        }
        for _ in 0..from.count(8)? {
            let (agent, letter) = (from.index(agents)? as usize, from.index(letters)?);
            if mail.is_full(agent) {
                return Err(RestoreError::impossible("a mailbox has no room"));
            }
            mail.put(agent, letter);
        }
        Ok(mail)
    }

    /// The same mailboxes with events as another program knows them; `translate` gives an event with its values. Those
    /// that it does not know are lost; `lost` learns of each.
    pub(in crate::population) fn translated(
        &self,
        translate: impl Fn(LeafId, &[Value]) -> Option<(LeafId, Vec<Value>)>,
        mut lost: impl FnMut(LeafId),
    ) -> Self {
        let mut mail = Self::default().keeping(self.bound);
        let numbers: Vec<Option<u32>> = self
            .letters
            .iter()
            .map(|letter| {
                let said = &self.values[letter.first_value as usize..][..letter.values as usize];
                let (event, said) = translate(letter.event, said)?;
                Some(mail.add((event, letter.sender), said.into_iter()))
            })
            .collect();
        for (agent, mailbox) in self.boxes.iter().enumerate() {
            let mut place = mailbox.first;
            while place != NONE {
                let Entry { letter, next } = self.entries[place as usize];
                match numbers[letter as usize] {
                    Some(number) => mail.put(agent, number),
                    None => lost(self.letters[letter as usize].event),
                }
                place = next;
            }
        }
        mail
    }

    pub(in crate::population) fn bytes(&self) -> usize {
        let (letters, values, entries) = &self.old;
        letters.capacity() * size_of::<Received>()
            + values.capacity() * size_of::<Value>()
            + entries.capacity() * size_of::<Entry>()
            + self.moved.capacity() * 4
            + self.letters.capacity() * size_of::<Received>()
            + self.values.capacity() * size_of::<Value>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.boxes.capacity() * size_of::<Mailbox>()
            + self.holders.capacity() * 8
    }
}

impl<'m> Letter<'m> {
    /// The agent that sent it; `None` for the host.
    pub(in crate::population) fn sender(&self) -> Option<AgentId> {
        AgentId::from_bits(self.sender)
    }

    /// The values of its first parameters.
    pub(in crate::population) fn said(&self, params: usize) -> &'m [Value] {
        &self.values[..params]
    }

    /// A part of it.
    pub(in crate::population) fn part(&self, part: EventPart) -> Value {
        match part {
            EventPart::Param(param) => self.values[param],
            EventPart::Sender => Value::Entity(self.sender),
        }
    }
}
