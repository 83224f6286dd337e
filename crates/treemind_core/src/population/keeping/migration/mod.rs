//! Another program for a population that runs: what matches continues, and what has changed is aborted once.

mod carry;
mod cut;
mod planners;
mod report;

pub(crate) use cut::Cut;
pub(in crate::population) use cut::CutKind;
pub use report::{ChangedKey, ChangedNode, KeyChange, LostEvent, Migration};

use crate::behaviour::Behaviour;
use crate::blackboard::Shared;
use crate::host::Host;
use crate::host::outbox::Outbox;
use crate::ids::{KeyId, NodeId};
use crate::population::Population;
use crate::population::durable::Durable;
use crate::population::room::parts;
use crate::population::settling::mail::Mail;
use crate::population::settling::requests::Archetype;
use crate::population::settling::routes::Routes;
use crate::program::Program;
use crate::program::matching::{Matching, NodeChange};
use crate::trace::{Sink, Trace, untraced};
use carry::{Carrier, is_same_key};
use std::sync::Arc;

impl Population {
    /// Gives the population another program, between two ticks: usually that of its document after a change. Nodes are
    /// recognized by their paths and kinds, keys by their names and types, states by their names. What matches
    /// continues: runs, timers, counters, states of machines, values of keys, events that wait. What has changed is
    /// aborted, and its stops are called here, through `host`, which has to serve the *old* program. From then on the
    /// population needs a host of the new one.
    ///
    /// With the same program, or one that differs only in texts for people, nothing happens.
    ///
    /// # Panics
    /// When the population is in a society: see [`Society::change_program`](crate::Society::change_program).
    pub fn change_program(&mut self, program: Arc<Program>, host: &mut dyn Host) -> Migration {
        assert!(!self.is_joined(), "a society changes its programs itself");
        let migration = self.replace_program(program, host, &mut untraced());
        self.count_places();
        migration
    }

    /// Like [`change_program`](Self::change_program), and also records the aborts, with the nodes of the old program;
    /// the previous content of the trace is discarded.
    ///
    /// # Panics
    /// As [`change_program`](Self::change_program).
    pub fn change_program_traced(
        &mut self,
        program: Arc<Program>,
        host: &mut dyn Host,
        trace: &mut Trace,
    ) -> Migration {
        assert!(!self.is_joined(), "a society changes its programs itself");
        trace.clear();
        let migration = self.replace_program(program, host, trace);
        self.count_places();
        migration
    }

    fn replace_program<S: Sink>(
        &mut self,
        program: Arc<Program>,
        host: &mut dyn Host,
        sink: &mut S,
    ) -> Migration {
        self.touch();
        let old = Arc::clone(&self.durable.program);
        let Some(matching) = Matching::new(&old, &program) else {
            return self.rename(program);
        };
        let cut = self.cut(&matching, host, sink);
        self.carry_over(&program, &matching, &cut)
    }

    /// Takes a program that differs from the old one at most in texts for people.
    pub(crate) fn rename(&mut self, program: Arc<Program>) -> Migration {
        let nodes = program.behaviour.node_ids();
        self.durable.program = program;
        Migration {
            goes_on: nodes.map(Some).collect(),
            ..Migration::default()
        }
    }

    /// Aborts what does not continue.
    pub(crate) fn cut<S: Sink>(
        &mut self,
        matching: &Matching<'_>,
        host: &mut dyn Host,
        sink: &mut S,
    ) -> Cut {
        let mut cut = Cut::of(matching);
        if !cut.is_empty() {
            self.cut_with(host, &mut cut, sink);
        }
        cut
    }

    /// Takes the new program. What does not continue was aborted.
    pub(crate) fn carry_over(
        &mut self,
        program: &Arc<Program>,
        matching: &Matching<'_>,
        cut: &Cut,
    ) -> Migration {
        let mut report = Migration {
            goes_on: matching.nodes.clone(),
            nodes: changed_nodes(matching, cut),
            ..Migration::default()
        };
        self.carry(program, matching, &mut report);
        report
    }

    /// Takes over everything that continues. All else was aborted.
    fn carry(&mut self, program: &Arc<Program>, matching: &Matching<'_>, report: &mut Migration) {
        if program.behaviour.interval() > 1 {
            self.keep_due_times();
        }
        let Self {
            state,
            durable,
            working,
            before: _,
        } = self;
        // A new field has to be named here, so somebody decides whether it can stay as it is.
        let Durable {
            program: own_program,
            size,
            parts: own_parts,
            archetypes,
            taken_places,
            shared,
            outbox,
            mail,
            // These do not depend on the program.
            len: _,
            skipped_ever: _,
            now_ns,
            dt_ns: _,
            tick: _,
            seed: _,
            ids: _,
            next_id: _,
            lives: _,
            next_in_turn: _,
            first_new_id: _,
            newborns: _,
            limits: _,
        } = durable;
        let new_parts = parts(program, *size, own_parts.has_intervals());
        let keys = kept_keys(matching);
        let mut carrier = Carrier {
            matching,
            size: *size,
            parts: [*own_parts, new_parts],
            reset: vec![0; keys.len()],
            keys,
            now_ns: *now_ns,
        };
        for chunk in state {
            *chunk = carrier.chunk(chunk, report);
        }
        let is_shared = !program.board.shared.is_empty();
        *shared = match shared.take() {
            // Agents keep their groups also where they share no keys.
            Some(shared) => Some(Box::new(carrier.shared(&shared))),
            None if is_shared => {
                let keys = program.behaviour.keys();
                Some(Box::new(Shared::new(&program.board, keys)))
            }
            _ => None,
        };
        let (keys, reset) = (carrier.keys, carrier.reset);
        report.keys = changed_keys(matching, &keys, &reset);
        *mail = carried_mail(mail, matching, report);
        carry_archetypes(archetypes, matching);
        let root = program.behaviour.root();
        let place = |node: NodeId| nearest(matching, node).unwrap_or(root);
        outbox.faults.move_nodes(place);
        *outbox = Outbox {
            faults: std::mem::take(&mut outbox.faults),
            ..Outbox::default()
        };
        working.fit(program, *size);
        working.routes = Routes::default();
        working.lost_letters.clear();
        *own_parts = new_parts;
        taken_places.clear();
        *own_program = Arc::clone(program);
        self.fit_mailboxes();
        if !self.is_joined() {
            self.count_itself();
        }
    }
}

/// What is in the mailboxes, in the words of the new program.
fn carried_mail(mail: &Mail, matching: &Matching<'_>, report: &mut Migration) -> Mail {
    let names = matching.names;
    let new = matching.new;
    mail.translated(
        |event, said| {
            let event = matching.leaves[event.index()]?;
            new.code.mailed.binary_search(&event).ok()?;
            let params = names.new.leaf(event).params.iter();
            let said = said.iter().zip(params);
            let said = said.map(|(value, param)| names.value(*value, param.ty));
            Some((event, said.collect::<Option<_>>()?))
        },
        |event| report.lose_events(&names.old.leaf(event).name, 1),
    )
}

/// Keys that are gone are no longer given to new agents.
fn carry_archetypes(archetypes: &mut [Archetype], matching: &Matching<'_>) {
    let names = matching.names;
    for Archetype { given, .. } in archetypes {
        let kept = given.iter().filter_map(|(key, value)| {
            let other = matching.keys[key.index()]?;
            let slot = matching.new.board.keys[other.index()];
            let value = slot.fitted(names.value(*value, slot.ty)?).ok()?;
            Some((other, value))
        });
        *given = kept.collect();
    }
}

/// The node of the new program that continues in place of an old one, or of the nearest around it.
fn nearest(matching: &Matching<'_>, node: NodeId) -> Option<NodeId> {
    let behaviour: &Behaviour = matching.names.old;
    let mut around = std::iter::successors(Some(node), |node| behaviour.node(*node).parent);
    around.find_map(|node| matching.nodes[node.index()])
}

fn changed_nodes(matching: &Matching<'_>, cut: &Cut) -> Vec<ChangedNode> {
    let [old_paths, new_paths] = &matching.paths;
    let mut changed: Vec<(NodeId, NodeChange, usize)> = Vec::new();
    for (node, change) in &matching.ends {
        let agents = cut.nodes[node.index()].changed;
        // A change of memory alone comes from a change somewhere else, which is listed there.
        if agents > 0 || *change != NodeChange::Memory {
            changed.push((*node, *change, agents));
        }
    }
    changed.extend(cut.aborted());
    changed.sort_by_key(|(node, _, _)| *node);
    let changed = changed
        .into_iter()
        .map(|(node, change, agents)| ChangedNode {
            path: old_paths.path(node).to_owned(),
            change,
            agents,
        });
    let mut nodes: Vec<ChangedNode> = changed.collect();
    let is_listed = |path: &str| nodes.iter().any(|node| node.path == path);
    let added = matching.added.iter().map(|node| new_paths.path(*node));
    let added: Vec<&str> = added.filter(|path| !is_listed(path)).collect();
    let known = |path: &&str| !old_paths.paths.iter().any(|old| old == *path);
    nodes.extend(added.into_iter().filter(known).map(|path| ChangedNode {
        path: path.to_owned(),
        change: NodeChange::Added,
        agents: 0,
    }));
    nodes
}

/// The keys that keep their values.
fn kept_keys(matching: &Matching<'_>) -> Vec<(KeyId, KeyId)> {
    let keys = (0..).map(KeyId::new).zip(&matching.keys);
    let pairs = keys.filter_map(|(key, other)| Some((key, (*other)?)));
    pairs
        .filter(|(key, other)| is_same_key(matching, *key, *other))
        .collect()
}

fn changed_keys(
    matching: &Matching<'_>,
    kept: &[(KeyId, KeyId)],
    reset: &[usize],
) -> Vec<ChangedKey> {
    let (old, new) = (matching.names.old, matching.names.new);
    let mut changed = Vec::new();
    let mut say = |name: &str, change| {
        changed.push(ChangedKey {
            name: name.to_owned(),
            change,
        });
    };
    for (key, (index, other)) in old.keys().iter().zip(matching.keys.iter().enumerate()) {
        let scope = other.map(|other| new.key(other).scope);
        let place = kept.iter().position(|(old, _)| old.index() == index);
        match (other, place) {
            (None, _) => say(&key.name, KeyChange::Removed),
            (Some(_), None) => say(
                &key.name,
                match scope.filter(|scope| *scope != key.scope) {
                    Some(scope) => KeyChange::Shared(scope),
                    None => KeyChange::Redefined,
                },
            ),
            (Some(_), Some(place)) if reset[place] > 0 => {
                say(&key.name, KeyChange::Reset(reset[place]));
            }
            _ => {}
        }
    }
    for (index, key) in new.keys().iter().enumerate() {
        let is_new = |other: &Option<_>| other.is_none_or(|other: KeyId| other.index() != index);
        if matching.keys.iter().all(is_new) {
            say(&key.name, KeyChange::Added);
        }
    }
    changed
}
