//! An agent without a game: its leaves, keys and events are as the steps of a test say.

use crate::aside::ByKeys;
use crate::names::Names;
use std::sync::Arc;
use treemind_core::behaviour::{LeafKind, Scope};
use treemind_core::host::Scripted;
use treemind_core::{ListMut, Population, Program, Status, Value};
use treemind_doc::testing::Action;
use treemind_doc::{Said, said};

/// An agent that plays a test, and leaves that answer as the test says.
pub struct Harness {
    /// The agent, alone.
    pub population: Population,
    /// Its leaves.
    pub host: Scripted,
    pub(crate) names: Names,
}

impl Harness {
    /// A new agent, with the seed of its random numbers.
    pub fn new(program: &Arc<Program>, seed: u64) -> Self {
        Self::with_host(program, seed, Scripted::idle(program.behaviour(), 1))
    }

    /// The same with other leaves, which are the host's for one agent.
    pub fn with_host(program: &Arc<Program>, seed: u64, host: Scripted) -> Self {
        Self {
            population: Population::new(Arc::clone(program), 1).with_seed(seed),
            host: host.listening(),
            names: Names::new(program.behaviour()),
        }
    }

    /// Carries out what the game does between ticks. Ticks, aborts and expectations are the caller's.
    ///
    /// # Errors
    /// A sentence that says why this is not possible now.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn act(&mut self, action: &Action) -> Result<(), Said> {
        match action {
            Action::Answer(names, answers) => {
                names.iter().for_each(|name| self.answer(name, answers));
            }
            Action::AnswerBy(names, answers, by_keys) => {
                for name in names {
                    self.answer(name, answers);
                    if by_keys.each_run {
                        self.host.set_each_run(0, name);
                    }
                    let rule = ByKeys::new(by_keys, self.population.program().behaviour())?;
                    self.host
                        .set_rule(name, move |call, due| rule.decide(call, due));
                }
            }
            Action::Found(names, values) => self.find_there(names, values)?,
            Action::Given(given) => {
                for (key, value) in given {
                    self.give(key, *value)?;
                }
            }
            Action::Items(key, items) => self.give_items(key, items)?,
            Action::Send(event, values) => self.send(event, values),
            Action::Report(name, success) => self.report(name, *success)?,
            Action::Tick(..) | Action::Abort | Action::Expect(_) => {}
            _ => treemind_core::unlisted(&action),
        }
        Ok(())
    }

    /// What there is to be found: the items of candidates, the numbers of measures.
    fn find_there(&mut self, names: &[String], values: &[Value]) -> Result<(), Said> {
        let program = Arc::clone(self.population.program());
        for name in names {
            let leaf = program.behaviour().leaf_id(name);
            let leaf = leaf.ok_or_else(|| said!("there is no leaf `{}`", name))?;
            if program.behaviour().leaf(leaf).kind == LeafKind::Measure {
                let number = |value: &Value| match value {
                    Value::Float(number) => Some(*number),
                    _ => None,
                };
                let numbers: Vec<f32> = values.iter().filter_map(number).collect();
                self.host.set_measure(leaf, &numbers);
            } else {
                self.host.set_candidates(leaf, values);
            }
        }
        Ok(())
    }

    fn report(&mut self, name: &str, success: bool) -> Result<(), Said> {
        let mut is_taken = false;
        for node in self.names.nodes(name) {
            let ticket = self.population.ticket(0, *node);
            is_taken |=
                ticket.is_some_and(|ticket| self.population.finish(ticket, success).is_ok());
        }
        match is_taken {
            true => Ok(()),
            false => Err(said!("no run of `{}` waits for its end", name)),
        }
    }

    fn answer(&mut self, name: &str, answers: &[Status]) {
        self.host.set(0, name, answers);
    }

    fn send(&mut self, event: &str, values: &[Value]) {
        if let Some(event) = self.population.program().behaviour().leaf_id(event) {
            self.population.send(0, event, values);
        }
    }

    /// Gives a list its items.
    fn give_items(&mut self, name: &str, items: &[Value]) -> Result<(), Said> {
        let behaviour = self.population.program().behaviour();
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| said!("there is no key `{}`", name))?;
        let fill = |list: Option<ListMut<'_>>| {
            let mut list = list.ok_or_else(|| said!("`{}` is not a list", name))?;
            list.clear();
            for item in items {
                list.push(*item).map_err(|error| error.to_string())?;
            }
            Ok(())
        };
        if behaviour.key(key).scope == Scope::Agent {
            return fill(self.population.board(0).list_mut(key, 0));
        }
        let group = self.population.group(0);
        fill(self.population.shared_list_mut(key, group))
    }

    /// Gives a key a value.
    fn give(&mut self, name: &str, value: Option<Value>) -> Result<(), Said> {
        let behaviour = self.population.program().behaviour();
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| said!("there is no key `{}`", name))?;
        let (scope, is_sensed) = (
            behaviour.key(key).scope,
            behaviour.key(key).sensed.is_some(),
        );
        if is_sensed {
            self.host.set_sensed(key, &[value]);
        }
        let group = self.population.group(0);
        let set = match (scope, value) {
            (Scope::Agent, Some(value)) => self.population.set(0, key, value),
            (_, Some(value)) => self.population.set_shared(key, group, value),
            (Scope::Agent, None) => {
                self.population.board(0).unset(key, 0);
                Ok(())
            }
            (_, None) => {
                self.population.unset_shared(key, group);
                Ok(())
            }
        };
        Ok(set.map_err(|wrong| wrong.to_string())?)
    }
}
