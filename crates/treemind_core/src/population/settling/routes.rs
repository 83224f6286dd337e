//! Who receives what is sent to many. Receivers that cannot take anything more are not looked at again.

use crate::population::Population;
use crate::population::settling::letters::Receivers;

/// What is known in one delivery about those who receive what is sent to a group or to the world.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct Routes {
    /// The agents, group by group, and where each group begins; empty until they are needed.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// Per machine, and at last for the mailboxes; and there per group, and at last for the world. Empty until it is
    /// needed.
    open: Vec<Open>,
}

/// Who still has to be looked at.
#[derive(Clone, Copy, Debug)]
enum Open {
    Everybody,
    One(u32),
    /// All have lost an event already.
    Nobody,
}

impl Routes {
    /// Begins a delivery.
    pub(in crate::population) fn begin(&mut self) {
        self.members.clear();
        self.starts.clear();
        self.open.clear();
    }

    /// Makes room for a delivery.
    pub(in crate::population) fn make_room(&mut self, places: usize, groups: usize, agents: usize) {
        self.begin();
        self.open.reserve(places * (groups + 1));
        if groups > 1 {
            self.starts.reserve(groups + 2);
            self.members.reserve(agents);
        }
    }

    pub(in crate::population) fn bytes(&self) -> usize {
        let numbers = self.members.capacity() + self.starts.capacity();
        numbers * 4 + self.open.capacity() * size_of::<Open>()
    }
}

impl Population {
    /// Calls `each` with every receiver that has a slot set. It returns whether that changed anything. `machine` is the
    /// number of the machine that has the slot, or that of machines for the mailboxes.
    pub(in crate::population) fn for_each_receiver(
        &mut self,
        to: Receivers,
        (slot, machine): (u32, usize),
        mut each: impl FnMut(&mut Self, usize) -> bool,
    ) {
        let groups = self.groups();
        let (group, sender) = match to {
            Receivers::One(agent) => {
                if self.has_slot(agent, slot) {
                    each(self, agent);
                }
                return;
            }
            Receivers::Group(group, _) if group as usize >= groups => return,
            Receivers::Group(group, sender) => (Some(group as usize), sender),
            Receivers::World(sender) => (None, sender),
        };
        if self.working.routes.open.is_empty() {
            let places = self.durable.program.code.machines.len() + 1;
            let everybody = Open::Everybody;
            self.working
                .routes
                .open
                .resize(places * (groups + 1), everybody);
        }
        let place = machine * (groups + 1) + group.unwrap_or(groups);
        let mut changed = false;
        match (self.working.routes.open[place], group) {
            (Open::Nobody, _) => return,
            (Open::One(last), _) => {
                let last = last as usize;
                if Some(last) != sender && (!self.has_slot(last, slot) || !each(self, last)) {
                    self.working.routes.open[place] = Open::Nobody;
                }
                return;
            }
            (Open::Everybody, Some(group)) if groups > 1 => {
                self.sort_by_group();
                let [start, end] =
                    [group, group + 1].map(|at| self.working.routes.starts[at] as usize);
                for index in start..end {
                    let agent = self.working.routes.members[index] as usize;
                    if Some(agent) != sender && self.has_slot(agent, slot) {
                        changed |= each(self, agent);
                    }
                }
            }
            (Open::Everybody, _) => self.for_each_in_slot(slot, |population, agent| {
                if Some(agent) != sender {
                    changed |= each(population, agent);
                }
            }),
        }
        if !changed {
            // Who sent this may have room for what others send.
            let last = sender.map(|sender| Open::One(sender as u32));
            self.working.routes.open[place] = last.unwrap_or(Open::Nobody);
        }
    }

    /// Sorts the agents by their groups, once in a delivery.
    fn sort_by_group(&mut self) {
        if !self.working.routes.starts.is_empty() {
            return;
        }
        let mut routes = std::mem::take(&mut self.working.routes);
        routes.starts.resize(self.groups() + 2, 0);
        let alive = || (0..self.durable.len).filter(|agent| self.is_alive(*agent));
        for agent in alive() {
            routes.starts[self.group(agent) as usize + 2] += 1;
        }
        for group in 2..routes.starts.len() {
            routes.starts[group] += routes.starts[group - 1];
        }
        let all = routes.starts.last().copied().unwrap_or(0);
        routes.members.resize(all as usize, 0);
        for agent in alive() {
            // Afterwards each begin has moved to where the next group begins.
            let next = &mut routes.starts[self.group(agent) as usize + 1];
            routes.members[*next as usize] = agent as u32;
            *next += 1;
        }
        self.working.routes = routes;
    }
}
