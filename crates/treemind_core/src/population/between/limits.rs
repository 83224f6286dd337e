//! How much the agents of a population may store and do in one tick.

use crate::behaviour::MAILBOX_SIZES;
use crate::population::Population;
use crate::snapshot::{Reader, RestoreError, Writer};

/// What a host sets, for all agents of a population, in the place of what their document says or the default.
///
/// ```
/// use treemind_core::Limits;
///
/// let limits = Limits::new().mailbox(64).runs_per_tick(10_000);
/// assert_eq!(Limits::new(), Limits::default());
/// # let _ = limits;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    mailbox: Option<u32>,
    runs_per_tick: Option<u32>,
}

impl Limits {
    /// Sets nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The mailbox of each agent keeps this many events until the agent's next tick, whatever the document says with
    /// `mailbox=`; without both, [`MAX_EVENTS`](crate::behaviour::MAX_EVENTS). More are lost, which is a fault.
    ///
    /// # Panics
    /// When the number is not in [`MAILBOX_SIZES`].
    #[must_use]
    pub fn mailbox(mut self, events: usize) -> Self {
        assert!(MAILBOX_SIZES.contains(&events), "a mailbox of {events}");
        self.mailbox = Some(events as u32);
        self
    }

    /// The loops of an agent together start this many more runs in one tick, whatever limits they set themselves; by
    /// default [`MAX_TURNS_PER_TICK`](crate::MAX_TURNS_PER_TICK). Then they go on in the next tick, which is a fault.
    #[must_use]
    pub fn runs_per_tick(mut self, runs: u32) -> Self {
        self.runs_per_tick = Some(runs);
        self
    }

    /// What these do not say is as others say.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            mailbox: self.mailbox.or(others.mailbox),
            runs_per_tick: self.runs_per_tick.or(others.runs_per_tick),
        }
    }

    pub(in crate::population) fn save(self, to: &mut Writer) {
        let Self {
            mailbox,
            runs_per_tick,
        } = self;
        for limit in [mailbox, runs_per_tick] {
            to.bool(limit.is_some());
            to.u32(limit.unwrap_or(0));
        }
    }

    pub(in crate::population) fn restore(from: &mut Reader<'_>) -> Result<Self, RestoreError> {
        let mut next = || {
            let (is_set, limit) = (from.bool()?, from.u32()?);
            Ok(is_set.then_some(limit))
        };
        let limits = Self {
            mailbox: next()?,
            runs_per_tick: next()?,
        };
        match limits.mailbox {
            Some(events) if !MAILBOX_SIZES.contains(&(events as usize)) => {
                Err(RestoreError::impossible("no mailbox has that size"))
            }
            _ => Ok(limits),
        }
    }
}

impl Population {
    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(limits);
        self
    }

    /// Sets the limits from the next tick on. What the new ones do not say is as the document says, or the default.
    pub fn set_limits(&mut self, limits: Limits) {
        self.touch();
        self.durable.limits = limits;
        self.fit_mailboxes();
    }

    /// The limits that the host has set.
    pub fn limits(&self) -> Limits {
        self.durable.limits
    }

    /// How many events the mailbox of an agent keeps until the agent's next tick.
    pub fn mailbox(&self) -> usize {
        self.durable.mail.bound()
    }

    /// How many more runs the loops of an agent together may start in one tick.
    pub fn runs_per_tick(&self) -> u32 {
        let own = self.durable.limits.runs_per_tick;
        own.unwrap_or(self.durable.program.behaviour.max_turns())
    }

    /// The mailboxes keep as many events as the host says, or else the document.
    pub(in crate::population) fn fit_mailboxes(&mut self) {
        let own = self.durable.limits.mailbox;
        let bound = own.unwrap_or(self.durable.program.behaviour.mailbox());
        self.durable.mail = std::mem::take(&mut self.durable.mail).keeping(bound as usize);
    }
}
