//! The state of a population for people: everything that a snapshot holds, with names.

mod shown;

use crate::behaviour::{Aim, Kind, Planner, Scope};
use crate::blackboard::{Cells, Column, Field, FieldKind, Part};
use crate::host::outbox::Outbox;
use crate::ids::{KeyId, LeafId, NodeId, SemaphoreId};
use crate::population::durable::Durable;
use crate::population::exec::planner::InPlan;
use crate::population::settling::requests::Archetype;
use crate::population::{Newborn, Population};
use crate::program::op::{Inbox, MachineOp, Slot};
use crate::program::owners::Owner;
use crate::snapshot::Readable;
use crate::value::{Type, Value};
use shown::{Entry, Names, handle, held, join, owner_of, secs, shown};
use std::collections::BTreeMap;

/// What an agent has to do with a shared semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing {
    /// The group whose places they are; `None` for places of the world.
    pub(crate) group: Option<u32>,
    /// The bits of what it bids, if places go to the best bidder.
    pub(crate) bid: Option<u64>,
    /// Since which tick of its population it has been asking.
    pub(crate) asks_for_ticks: u64,
    pub(crate) agent: usize,
}

impl Standing {
    /// Of those who ask, who has the least here comes first.
    pub(crate) fn turn(&self) -> (u64, u64) {
        let bid = self.bid.unwrap_or(0);
        (u64::MAX - bid, u64::MAX - self.asks_for_ticks)
    }
}

impl Population {
    /// The whole state for people: what [`save`](Self::save) writes, with the names of keys, nodes, states and events.
    /// Nodes are named by their paths, as in a [`Migration`](crate::Migration).
    pub fn readable(&self) -> Readable {
        let living = (0..self.durable.len).filter(|agent| self.is_alive(*agent));
        self.readable_of(&living.collect::<Vec<_>>())
    }

    /// The same with only some of the agents.
    ///
    /// # Panics
    /// When no agent lives at one of the indices.
    pub fn readable_of(&self, agents: &[usize]) -> Readable {
        let Self {
            state: _,
            durable,
            working: _,
            before: _,
        } = self;
        // A new field has to be named here, so nobody forgets to show it.
        let Durable {
            program,
            len: _,
            size: _,
            parts: _,
            skipped_ever: _,
            now_ns,
            dt_ns,
            tick,
            seed,
            // Shown with each agent.
            ids: _,
            next_id,
            lives: _,
            next_in_turn,
            first_new_id,
            archetypes,
            newborns,
            // Shown with the semaphores.
            taken_places: _,
            shared,
            outbox,
            limits: _,
            mail,
        } = durable;
        let Outbox {
            faults,
            staged: _,
            post: _,
            changes: _,
        } = outbox;
        let behaviour = &program.behaviour;
        let mut all = Readable::EMPTY;
        all.add("behaviour", behaviour.name());
        all.add("fingerprint", format!("{:016x}", program.fingerprint()));
        all.add("ticks", *tick);
        all.add("clock_secs", secs(*now_ns));
        all.add("last_time_step_secs", secs(*dt_ns));
        all.add("seed", *seed);
        all.add("next_stable_id", *next_id);
        all.add("agents_are_new_from_stable_id", *first_new_id);
        all.add("next_in_turn", *next_in_turn);
        all.add("mailbox_size", mail.bound());
        all.add("runs_per_tick", self.runs_per_tick());
        let archetypes = archetypes.iter().map(|one| {
            let Archetype {
                name,
                given,
                interval,
            } = one;
            let mut archetype = Readable::EMPTY;
            archetype.add("name", name.as_str());
            archetype.add("interval", *interval);
            let given = given.iter().map(|(key, value)| {
                let name = behaviour.key(*key).name.clone();
                (name, shown(behaviour, *value))
            });
            archetype.add_if_any("given", given.collect::<Vec<_>>().into());
            archetype
        });
        all.add_if_any("archetypes", archetypes.collect::<Vec<_>>().into());
        let newborns = newborns.iter().map(|newborn| {
            let Newborn {
                id,
                parent,
                archetype,
            } = newborn;
            let mut newborn = Readable::EMPTY;
            newborn.add("agent", handle(*id));
            newborn.add("parent", handle(*parent));
            newborn.add("archetype", archetype.as_str());
            newborn
        });
        all.add_if_any("newborns", newborns.collect::<Vec<_>>().into());
        if shared.is_some() {
            all.add("groups", self.groups());
            all.add_if_any("shared", self.readable_shared());
        }
        if !self.is_joined() {
            let semaphores = (0..behaviour.semaphores().len()).map(SemaphoreId::new);
            let semaphores = semaphores.filter_map(|id| self.readable_semaphore(id));
            all.add_if_any("semaphores", semaphores.collect::<Vec<_>>().into());
        }
        let faults = faults.iter().map(|fault| Readable::from(fault.to_string()));
        all.add_if_any("faults", faults.collect::<Vec<_>>().into());
        let names = Names::of(behaviour);
        let agents = agents
            .iter()
            .map(|agent| self.readable_agent(*agent, &names));
        all.add("agents", agents.collect::<Vec<_>>());
        all
    }

    /// The keys that agents share.
    fn readable_shared(&self) -> Readable {
        let behaviour = &self.durable.program.behaviour;
        let mut all = Readable::EMPTY;
        for (index, key) in behaviour.keys().iter().enumerate() {
            let id = KeyId::new(index);
            match key.scope {
                Scope::Agent => {}
                Scope::World => all.add(&key.name, held(behaviour, self.shared_held(id, 0))),
                Scope::Group => {
                    let groups = 0..self.groups() as u32;
                    let groups = groups.map(|group| held(behaviour, self.shared_held(id, group)));
                    all.add(
                        format!("{} of groups", key.name),
                        groups.collect::<Vec<_>>(),
                    );
                }
            }
        }
        all
    }

    /// Who holds places of a shared semaphore, and who asks for one, first the one who gets the next place. `None` if
    /// each agent has its own.
    fn readable_semaphore(&self, id: SemaphoreId) -> Option<(String, Readable)> {
        let semaphore = &self.durable.program.behaviour.semaphores()[id.index()];
        let [holders, line] = self.standing(id)?;
        let agents = |all: Vec<Standing>| -> Vec<Readable> {
            let agents = all.iter();
            agents.map(|one| readable_standing(one, None)).collect()
        };
        let mut shown = Readable::EMPTY;
        shown.add("places", semaphore.places);
        shown.add("holders", agents(holders));
        shown.add("line", agents(line));
        Some((semaphore.name.clone(), shown))
    }

    /// Who holds places of a shared semaphore, and who asks for one, in the order in which they get places. `None` if each
    /// agent has its own.
    pub(crate) fn standing(&self, id: SemaphoreId) -> Option<[Vec<Standing>; 2]> {
        let semaphore = &self.durable.program.behaviour.semaphores()[id.index()];
        if semaphore.scope == Scope::Agent {
            return None;
        }
        let is_of_group = semaphore.scope == Scope::Group;
        let (mut holders, mut line) = (Vec::new(), Vec::new());
        for op in self.durable.program.code.shared_semaphores_of(id.index()) {
            for agent in (0..self.durable.len).filter(|agent| self.is_alive(*agent)) {
                let asked = self.run_of(agent).wide(op.since)[agent % self.durable.size.lanes];
                let lane = agent % self.durable.size.lanes;
                let bid = op
                    .auction
                    .map(|auction| self.run_of(agent).wide(auction.bid)[lane]);
                let standing = Standing {
                    group: is_of_group.then(|| self.group(agent)),
                    bid,
                    asks_for_ticks: self.durable.tick.wrapping_sub(asked),
                    agent,
                };
                if self.has_slot(agent, op.held) {
                    holders.push(standing);
                } else if self.has_slot(agent, op.asking) {
                    line.push(standing);
                }
            }
        }
        holders.sort_unstable_by_key(|one| (one.group, one.agent));
        line.sort_unstable_by_key(|one| (one.group, one.turn(), one.agent));
        Some([holders, line])
    }

    fn readable_agent(&self, agent: usize, names: &Names) -> Readable {
        let id = self.id_of(agent).expect("the agent lives");
        let behaviour = &self.durable.program.behaviour;
        let (chunk, lane) = self.place(agent);
        let mut shown = Readable::EMPTY;
        shown.add("agent", agent);
        shown.add("handle", handle(id));
        shown.add("stable_id", self.stable_id(agent));
        if self.durable.shared.is_some() {
            shown.add("group", self.group(agent));
        }
        if let Some([next, last, last_ns, interval]) =
            self.durable.parts.due_time(self.chunk(chunk), lane)
        {
            shown.add("interval", interval);
            shown.add("next_tick", next);
            shown.add("last_tick", last);
            shown.add("last_tick_at_secs", secs(last_ns));
        }
        let mut keys = Readable::EMPTY;
        for (index, key) in behaviour.keys().iter().enumerate() {
            if key.scope == Scope::Agent {
                keys.add(
                    &key.name,
                    held(behaviour, self.held(agent, KeyId::new(index))),
                );
            }
        }
        shown.add_if_any("keys", keys);
        shown.add_if_any("nodes", self.readable_nodes(agent, names).into());
        shown.add_if_any(
            "key_times",
            self.readable_times_of_keys(agent, names).into(),
        );
        shown.add_if_any("mail", self.readable_mail(agent).into());
        shown
    }

    /// Each node that runs or remembers something.
    fn readable_nodes(&self, agent: usize, names: &Names) -> Vec<Readable> {
        let (_, lane) = self.place(agent);
        let (program, run) = (&*self.durable.program, self.run_of(agent));
        let owners = &program.owners;
        let mut nodes: BTreeMap<(NodeId, u32), Readable> = BTreeMap::new();
        let entry = |owner: Owner| (owner.node, owner.copy);
        let begin = |node: NodeId| {
            let mut shown = Readable::EMPTY;
            shown.add("node", names.paths.path(node));
            shown.add("kind", program.behaviour.node(node).kind.keyword());
            shown
        };
        let slots = (0..).zip(&program.slots).zip(&owners.slots);
        let slots = slots.zip(&owners.slot_names).skip(1);
        for (((slot, kind), owner), name) in slots {
            if self.has_slot(agent, slot) {
                let shown = nodes
                    .entry(entry(*owner))
                    .or_insert_with(|| begin(owner.node));
                let is_known = shown.get(name).is_some();
                if !is_known {
                    shown.add(*name, true);
                }
                if let (Slot::Action { leaf, .. }, None) = (kind, shown.get("leaf")) {
                    shown.add("leaf", program.behaviour.leaf(*leaf).name.as_str());
                }
            }
        }
        // What means something only in a run is left over from the last one elsewhere.
        let runs = |owner: Owner| {
            let places = owners.ranges.iter().filter(|(node, _)| *node == owner.node);
            let mut places = places.map(|(_, range)| *range);
            let own = (0..)
                .zip(&owners.slots)
                .filter(|(_, other)| **other == owner);
            let mut own = own.map(|(slot, _)| slot);
            own.any(|slot| self.has_slot(agent, slot))
                || places
                    .any(|range| (range.start..range.end).any(|slot| self.has_slot(agent, slot)))
        };
        for field in program.run.fields() {
            let owner = owner_of(owners, field);
            if field.in_run && !runs(owner) {
                continue;
            }
            // A time is left over, too, if its state is not active.
            if let (Part::Transition(number), Kind::Machine(machine)) =
                (field.part, &program.behaviour.node(owner.node).kind)
                && !self.is_in(
                    agent,
                    owner.node,
                    machine.transitions[number as usize].source,
                )
            {
                continue;
            }
            if let Kind::Planner(planner) = &program.behaviour.node(owner.node).kind
                && let Some(found) = self.readable_plan(field, (planner, owner), agent)
            {
                let shown = nodes
                    .entry(entry(owner))
                    .or_insert_with(|| begin(owner.node));
                for (name, value) in found {
                    shown.add(name, value);
                }
                continue;
            }
            if let Some((name, value)) = self.readable_field(field, (run, lane), owner.node, names)
            {
                let shown = nodes
                    .entry(entry(owner))
                    .or_insert_with(|| begin(owner.node));
                join(shown, name, value);
            }
        }
        for machine in &program.code.machines {
            let MachineOp { node, .. } = machine;
            let owner = owners.slots[machine.slot as usize];
            let mut inboxes = Readable::EMPTY;
            inboxes.add_if_any(
                "events",
                self.readable_inbox(machine.inbox.as_ref(), None, (run, lane)),
            );
            inboxes.add_if_any(
                "raised_events",
                self.readable_inbox(machine.raised.as_ref(), None, (run, lane)),
            );
            let delayed = machine.delayed.as_ref();
            let due = delayed.map(|delayed| delayed.due);
            let queue = delayed.map(|delayed| &delayed.queue);
            inboxes.add_if_any(
                "delayed_events",
                self.readable_inbox(queue, due, (run, lane)),
            );
            if let Readable::Map(entries) = inboxes {
                for (name, value) in entries {
                    let shown = nodes.entry(entry(owner)).or_insert_with(|| begin(*node));
                    shown.add(name, value);
                }
            }
        }
        nodes.into_values().collect()
    }

    /// What a planner follows, in place of the columns that hold it: its goals and steps by their names. `None` for other
    /// fields.
    fn readable_plan(
        &self,
        field: &Field,
        (planner, owner): (&Planner, Owner),
        agent: usize,
    ) -> Option<Vec<(&'static str, Readable)>> {
        let (run, lane) = (self.run_of(agent), self.place(agent).1);
        if let (Part::Goal(goal), "goal" | "goal_searched_for") = (field.part, field.name)
            && let FieldKind::Value(Column::Bits(column), _) = field.holds
        {
            let is_it = run.bits(column)[lane / 64] >> (lane % 64) & 1 == 1;
            let name = &planner.goals[goal as usize].name;
            let shown = is_it.then(|| (field.name, name.as_str().into()));
            return Some(shown.into_iter().collect());
        }
        let program = &self.durable.program;
        let mut all = program.code.planners.iter();
        let op = all.find(|op| program.owners.slots[op.slot as usize] == owner)?;
        let state = self.plan_by(agent, op);
        match (field.name, field.holds) {
            // It is shown with the place.
            ("plan", _) => Some(Vec::new()),
            // They are left over from the last search.
            (
                "fact_of_search" | "fact_of_search_is_set" | "left_out_of_search" | "expansions",
                _,
            ) if state.searches.is_none() => Some(Vec::new()),
            ("place_in_plan", _) => {
                let Some(current) = state.steps.get(state.cursor) else {
                    return Some(Vec::new());
                };
                let name = |step: &usize| Readable::from(planner.steps[*step].name.as_str());
                let mut shown = vec![
                    (
                        "plan",
                        state.steps.iter().map(name).collect::<Vec<_>>().into(),
                    ),
                    ("step", name(current)),
                    ("place_in_plan", (state.cursor + 1).into()),
                ];
                let goal = state.goal.map(|goal| &planner.goals[goal].aim);
                if let Some(Aim::Does(_)) = goal {
                    let method = InPlan::of(run.narrow(op.memory.place)[lane]).method;
                    shown.push(("method", (method + 1).into()));
                }
                Some(shown)
            }
            // Numbers for facts: they can only be compared.
            (name, FieldKind::Value(Column::Wide(column), _)) if name.starts_with("facts_") => {
                let facts = format!("{:016x}", run.wide(column)[lane]);
                Some(vec![(name, facts.into())])
            }
            _ => None,
        }
    }

    /// A field of a node, with its name; `None` if it is at its beginning.
    fn readable_field(
        &self,
        field: &Field,
        (cells, lane): (Cells<'_>, usize),
        node: NodeId,
        names: &Names,
    ) -> Option<(Entry, Readable)> {
        let behaviour = &self.durable.program.behaviour;
        let value = match field.holds {
            FieldKind::Value(column @ Column::Bits(_), ty) => {
                match cells.get(column, ty, lane) == Value::Bool(true) {
                    true => Readable::Bool(true),
                    false => return None,
                }
            }
            FieldKind::Value(column, ty) => shown(behaviour, cells.get(column, ty, lane)),
            FieldKind::Moment(column) => match cells.wide(column)[lane] {
                0 => return None,
                u64::MAX => Readable::Text("never".to_owned()),
                moment => secs(moment.saturating_sub(self.durable.now_ns)),
            },
            FieldKind::Past(column) => match cells.wide(column)[lane] {
                u64::MAX => secs(0),
                moment => secs(self.durable.now_ns.wrapping_sub(moment)),
            },
            FieldKind::WideTick(column) => cells.wide(column)[lane].into(),
            FieldKind::Tick(column) => match cells.narrow(column)[lane] {
                0 => return None,
                tick => tick.into(),
            },
            FieldKind::Number(column) => match cells.narrow(column)[lane] {
                0 => return None,
                number => number.into(),
            },
        };
        let machine = match &behaviour.node(node).kind {
            Kind::Machine(machine) => Some(&**machine),
            _ => None,
        };
        let entry = Entry::of(field, behaviour, (node, machine), names);
        Some((entry, value))
    }

    /// The events that wait for a machine.
    fn readable_inbox(
        &self,
        inbox: Option<&Inbox>,
        due: Option<u32>,
        (run, lane): (Cells<'_>, usize),
    ) -> Readable {
        let behaviour = &self.durable.program.behaviour;
        let Some(inbox) = inbox else {
            return Readable::List(Vec::new());
        };
        // A new column has to be named here, so nobody forgets to show it.
        let Inbox {
            count,
            events,
            ticks,
            payload,
            params,
            listens: _,
        } = inbox;
        let rows = (0..run.narrow(*count)[lane]).map(|row| {
            let event = LeafId(run.narrow(events + row)[lane]);
            let leaf = behaviour.leaf(event);
            let mut shown = Readable::EMPTY;
            shown.add("event", leaf.name.as_str());
            match due {
                Some(due) => {
                    let moment = run.wide(due + row)[lane];
                    shown.add(
                        "comes_in_secs",
                        secs(moment.saturating_sub(self.durable.now_ns)),
                    );
                    let name = run.get(Column::Narrow(ticks + row), Type::Text, lane);
                    shown.add("id", self::shown(behaviour, name));
                }
                None => shown.add("came_in_tick", run.narrow(ticks + row)[lane]),
            }
            let mut values = Readable::EMPTY;
            for (nth, param) in (0..).zip(&leaf.params) {
                let value = run.get(payload.item(row * params + nth), Type::Any, lane);
                values.add(&param.name, self::shown(behaviour, value));
            }
            shown.add_if_any("values", values);
            shown
        });
        rows.collect::<Vec<_>>().into()
    }

    /// When sensed keys are computed again, and which nodes have not looked at a key since it was written.
    fn readable_times_of_keys(&self, agent: usize, names: &Names) -> Vec<Readable> {
        let (chunk, lane) = self.place(agent);
        let (program, chunk) = (&*self.durable.program, self.chunk(chunk));
        let cells = &chunk[self.durable.parts.board..self.durable.parts.run];
        let cells = Cells::new(&self.durable.parts.board_layout, cells);
        let root = program.behaviour.root();
        let fields = program.board.shape.fields().iter();
        let fields = fields.filter_map(|field| {
            let (entry, value) = self.readable_field(field, (cells, lane), root, names)?;
            let mut shown = Readable::EMPTY;
            join(&mut shown, entry, value);
            Some(shown)
        });
        fields.collect()
    }

    fn readable_mail(&self, agent: usize) -> Vec<Readable> {
        let behaviour = &self.durable.program.behaviour;
        let (mut all, mut number) = (Vec::new(), 0);
        while let Some((next, letter)) = self.durable.mail.next(agent, number) {
            number = next;
            let leaf = behaviour.leaf(letter.event);
            let mut shown = Readable::EMPTY;
            shown.add("event", leaf.name.as_str());
            if let Some(sender) = letter.sender() {
                shown.add("from", handle(sender));
            }
            let mut values = Readable::EMPTY;
            for (param, value) in leaf.params.iter().zip(letter.said(leaf.params.len())) {
                values.add(&param.name, self::shown(behaviour, *value));
            }
            shown.add_if_any("values", values);
            all.push(shown);
        }
        all
    }
}

/// An agent that holds a place or asks for one.
pub(crate) fn readable_standing(one: &Standing, population: Option<&str>) -> Readable {
    let mut shown = Readable::EMPTY;
    if let Some(name) = population {
        shown.add("population", name);
    }
    shown.add("agent", one.agent);
    if let Some(group) = one.group {
        shown.add("group", group);
    }
    if let Some(bid) = one.bid {
        shown.add("bid", f64::from_bits(bid));
    }
    shown
}
