//! Nodes that are carried out beside the agent of a test, with copies of its keys: so an expression or a statement means
//! what it means in a tree.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use treemind_core::host::{Call, Due, Scripted};
use treemind_core::{Behaviour, Board, Held, KeyId, Kind, Population, Program, Status, Value};
use treemind_doc::testing;

/// One node with the keys that it reads or writes.
pub(crate) struct Aside {
    population: Population,
    host: Scripted,
    /// Each key in the agent, and here.
    keys: Vec<(KeyId, KeyId)>,
    /// Those of them that the node writes.
    written: Vec<(KeyId, KeyId)>,
}

impl Aside {
    /// A node for an agent. Keys that are `asked` are not the agent's.
    pub(crate) fn new(
        behaviour: Behaviour,
        agent: &Behaviour,
        is_asked: impl Fn(KeyId) -> bool,
    ) -> Result<Self, String> {
        let mut read = Vec::new();
        let mut written = Vec::new();
        match &behaviour.node(behaviour.root()).kind {
            Kind::Check { expr } => expr.for_each_key(&mut |key| read.push(key)),
            Kind::Set { assigns } => {
                for assign in assigns {
                    assign.value.for_each_key(&mut |key| read.push(key));
                    written.push(assign.key);
                }
            }
            _ => {}
        }
        let pair = |key: KeyId| {
            let name = &behaviour.key(key).name;
            let from = agent.key_id(name);
            from.map(|from| (from, key))
                .ok_or_else(|| format!("there is no key `{name}`"))
        };
        let pairs = |mut keys: Vec<KeyId>| -> Result<Vec<_>, String> {
            keys.retain(|key| !is_asked(*key));
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().map(pair).collect()
        };
        read.extend(&written);
        let (keys, written) = (pairs(read)?, pairs(written)?);
        Ok(Self {
            host: Scripted::new(&behaviour, 1),
            population: Population::new(Arc::new(Program::new(behaviour)), 1),
            keys,
            written,
        })
    }

    /// The keys that it reads: in the agent, and here.
    pub(crate) fn keys(&self) -> &[(KeyId, KeyId)] {
        &self.keys
    }

    /// Gives a key that is not the agent's.
    pub(crate) fn give(&mut self, key: KeyId, value: Value) -> Result<(), String> {
        let set = self.population.board(0).set(key, 0, value);
        set.map_err(|wrong| wrong.to_string())
    }

    /// Carries the node out with what the keys of an agent hold; whether it succeeds, or why it cannot be carried out.
    pub(crate) fn run<'h>(&mut self, held: impl Fn(KeyId) -> Held<'h>) -> Result<bool, String> {
        let mut board = self.population.board(0);
        for (from, to) in &self.keys {
            copy(held(*from), (&mut board, *to, 0))?;
        }
        let tally = self.population.tick(&mut self.host, Duration::ZERO);
        if let Some(fault) = self.population.take_faults().kept().first() {
            return Err(fault.kind.to_string());
        }
        Ok(tally.success == 1)
    }

    /// Writes to an agent what the node has written.
    fn write(&self, board: &mut Board<'_>, agent: usize) -> Result<(), String> {
        let mut written = self.written.iter();
        written.try_for_each(|(to, from)| copy(self.population.held(0, *from), (board, *to, agent)))
    }
}

/// Lets a key of a board hold what another one holds.
#[warn(clippy::wildcard_enum_match_arm)]
fn copy(held: Held<'_>, (board, key, agent): (&mut Board<'_>, KeyId, usize)) -> Result<(), String> {
    match held {
        Held::One(value) => {
            let set = board.set(key, agent, value);
            set.map_err(|wrong| wrong.to_string())
        }
        Held::Unset => {
            board.unset(key, agent);
            Ok(())
        }
        Held::List(items) => {
            let Some(mut list) = board.list_mut(key, agent) else {
                return Ok(());
            };
            list.clear();
            let mut items = items.iter();
            items.try_for_each(|item| list.push(item).map_err(|error| error.to_string()))
        }
        other => treemind_core::unlisted(&other),
    }
}

/// How a leaf answers by the values of keys, and what it writes.
pub(crate) struct ByKeys {
    parts: Mutex<Parts>,
}

struct Parts {
    conditions: Vec<(Status, Aside)>,
    statements: Vec<(&'static [Status], Aside)>,
}

impl ByKeys {
    pub(crate) fn new(of: &testing::ByKeys, agent: &Behaviour) -> Result<Self, String> {
        let aside = |of: &Arc<Behaviour>| Aside::new(Behaviour::clone(of), agent, |_| false);
        let conditions = of.conditions.iter();
        let conditions = conditions.map(|(status, of)| Ok((*status, aside(of)?)));
        let statements = of.statements.iter();
        let statements = statements.map(|(after, of)| Ok((*after, aside(of)?)));
        Ok(Self {
            parts: Mutex::new(Parts {
                conditions: conditions.collect::<Result<_, String>>()?,
                statements: statements.collect::<Result<_, String>>()?,
            }),
        })
    }

    /// Decides on an answer. What cannot be carried out is a fault, and the answer is failure.
    pub(crate) fn decide(&self, call: &mut Call<'_>, due: Due) -> Status {
        // Nothing is left half done by a panic: all parts begin with what the agent holds.
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.decide(call, due).unwrap_or_else(|problem| {
            call.fault(due.agent, problem);
            Status::Failure
        })
    }
}

impl Parts {
    fn decide(&mut self, call: &mut Call<'_>, due: Due) -> Result<Status, String> {
        let agent = due.agent;
        let mut answer = due.answer;
        if due.is_last {
            for (status, aside) in &mut self.conditions {
                if aside.run(|key| call.held(key, agent))? {
                    answer = *status;
                    break;
                }
            }
        }
        for (after, aside) in &mut self.statements {
            if after.contains(&answer) {
                aside.run(|key| call.held(key, agent))?;
                aside.write(&mut call.board(), agent)?;
            }
        }
        Ok(answer)
    }
}
