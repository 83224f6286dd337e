//! Leaves that answer from a list, in place of real ones.

use super::Registry;
use super::bind::{Bound, Slot};
use super::bulk::{Leaf, Visit, answer_agent, answer_lanes, each_lane};
use super::entry::{Entry, Source};
use super::keys::{Place, Wiring};
use super::own::{LockedWord, Runs};
use crate::world::World;
use std::sync::Arc;
use treemind_core::Status;
use treemind_core::host::{Answers, Call, Move, Moves, Nav2};

/// A list of answers, and how many of them each agent has had.
struct ScriptedLeaf {
    answers: Arc<[Status]>,
    given: Runs<usize>,
}

/// A list of answers; each behaviour starts at its beginning.
struct Script(Arc<[Status]>);

impl ScriptedLeaf {
    fn new(answers: &Arc<[Status]>) -> Self {
        Self {
            answers: Arc::clone(answers),
            given: Runs::new(),
        }
    }

    fn next(
        &self,
        held: &mut LockedWord<'_, usize>,
        agent: usize,
    ) -> Result<Status, super::TaskError> {
        let given = held.place(agent)?.get_or_insert(0);
        let answer = self.answers.get(*given).or(self.answers.last());
        *given = given.saturating_add(1);
        Ok(answer.copied().unwrap_or(Status::Success))
    }
}

impl<W: World + ?Sized> Source<W> for Script {
    fn bind(&self, _: &[Place<'_>], _: &mut dyn FnMut(&Place<'_>, String)) -> Arc<dyn Leaf<W>> {
        Arc::new(ScriptedLeaf::new(&self.0))
    }
}

impl<W: World + ?Sized> Leaf<W> for ScriptedLeaf {
    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world: _,
            call,
            wiring,
            lanes,
        } = visit;
        let mut held = LockedWord::new(&self.given);
        answer_lanes(call, wiring, lanes, answers, |me| {
            self.next(&mut held, me.index)
        });
    }

    fn answer_one(
        &self,
        _: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        let mut held = LockedWord::new(&self.given);
        answer_agent(call, wiring, index, |_| self.next(&mut held, index))
    }

    fn decide(&self, visit: Visit<'_, '_, '_, W>, moves: &mut Moves<'_>) {
        let Visit {
            world: _,
            call,
            wiring,
            lanes,
        } = visit;
        let mut held = LockedWord::new(&self.given);
        each_lane(
            call,
            wiring,
            lanes,
            |me| {
                moves.set(me.index, Move::Answer(self.next(&mut held, me.index)?));
                Ok(())
            },
            &mut |_| {},
        );
    }

    fn reserve(&self, agents: usize) {
        self.given.reserve(agents);
    }
}

impl<W: World + ?Sized> Registry<W> {
    /// Lets a leaf answer from a list, one answer per call and agent. The last answer repeats, and an empty list
    /// means success. It replaces the code of a leaf registered before under that name and keeps its description. A
    /// new name serves as any kind of leaf: a service does nothing, and a composite or decorator answers without
    /// ticking its children.
    ///
    /// ```
    /// use std::{sync::Arc, time::Duration};
    /// use treemind::population::{Population, Program};
    /// use treemind::prelude::*;
    ///
    /// let text = "
    ///     leaves { condition see-enemy; action attack; action patrol; }
    ///     tree guard { selector { sequence { condition see-enemy; action attack; }; action patrol; }; }";
    /// let guard = Document::parse(text, "guard.kdl").behaviour(None)?;
    /// let mut registry = Registry::<u32>::new();
    /// registry
    ///     .action("attack", |blows: &mut u32, _| { *blows += 1; Status::Success })
    ///     .scripted("see-enemy", [Status::Failure, Status::Success])
    ///     .scripted("patrol", []);
    /// let bound = registry.bind(&guard)?;
    ///
    /// let mut blows = 0;
    /// let mut population = Population::new(Arc::new(Program::new(guard)), 1);
    /// for _ in 0..3 {
    ///     population.tick(&mut bound.host(&mut blows), Duration::from_millis(50));
    /// }
    /// assert_eq!(blows, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scripted(&mut self, name: &str, answers: impl IntoIterator<Item = Status>) -> &mut Self {
        let script = Script(answers.into_iter().collect());
        match self.leaves.iter().position(|entry| entry.name == name) {
            Some(index) => {
                let mut entry = self.leaves.remove(index);
                entry.source = Box::new(script);
                self.insert(entry)
            }
            None => self.insert(Entry::new(name, None, script)),
        }
    }

    /// Makes room for the controls and decorators of the navigation stack of ROS 2, unless the game has its own: put
    /// [`Nav2`] around the host, which decides for them.
    ///
    /// ```
    /// use std::{sync::Arc, time::Duration};
    /// use treemind::core::host::Nav2;
    /// use treemind::population::{Population, Program};
    /// use treemind::prelude::*;
    ///
    /// let text = "
    ///     leaves { composite RecoveryNode { param number_of_retries type=int; }; action plan; action clear; }
    ///     tree go { node RecoveryNode number_of_retries=2 { action plan; action clear; }; }";
    /// let tree = Document::parse(text, "go.kdl").behaviour(None)?;
    /// let mut registry = Registry::<()>::new();
    /// registry
    ///     .nav2()
    ///     .scripted("plan", [Status::Failure, Status::Success])
    ///     .scripted("clear", []);
    /// let bound = registry.bind(&tree)?;
    ///
    /// let (mut world, mut nav2) = ((), Nav2::new());
    /// let mut robots = Population::new(Arc::new(Program::new(tree)), 1);
    /// let mut host = nav2.around(bound.host(&mut world));
    /// assert_eq!(robots.tick(&mut host, Duration::from_millis(10)).success, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nav2(&mut self) -> &mut Self {
        for name in Nav2::NAMES {
            if self.leaves.iter().all(|entry| entry.name != name) {
                self.scripted(name, []);
            }
        }
        self
    }
}

impl<W: World + ?Sized> Bound<W> {
    /// From now on, lets a leaf of the behaviour answer from a list, as [`Registry::scripted`] does; other leaves
    /// stay as they are. Returns whether the leaf exists. Open runs of the leaf are not stopped: replace leaves
    /// before the first tick.
    pub fn replace(&mut self, leaf: &str, answers: impl IntoIterator<Item = Status>) -> bool {
        let Some(index) = self.wiring.leaf(leaf) else {
            return false;
        };
        let answers = answers.into_iter().collect();
        self.slots[index] = Slot {
            leaf: Arc::new(ScriptedLeaf::new(&answers)),
            has_start: false,
            has_stop: false,
        };
        true
    }
}
