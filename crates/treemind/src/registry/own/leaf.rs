//! Types with runs as leaves: actions, and nodes with children.

use super::super::agent::Agent;
use super::super::answer::TaskError;
use super::super::bulk::{Leaf, Visit, answer_agent, answer_lanes, at_once, each_lane};
use super::super::keys::{Place, Wiring};
use super::keep::Keep;
use super::lives::{Lives, Nodes};
use super::{ActionType, NodeType};
use crate::world::World;
use serde::{Deserialize, Deserializer};
use std::any::Any;
use treemind_core::host::{Answers, Call, Lanes, Move, Moves};
use treemind_core::{Outcome, Status};

/// An action of a type, bound.
pub(in super::super) struct OwnAction<W: World + ?Sized, T: ActionType<W>>(Nodes<W, TheAction<T>>);

/// A composite or decorator of a type, bound.
pub(in super::super) struct OwnNode<W: World + ?Sized, T: NodeType<W>>(Nodes<W, TheNode<T>>);

/// A type as an action; the same type may also be registered as something else.
struct TheAction<T>(T);

/// A type as a composite or decorator.
struct TheNode<T>(T);

macro_rules! lives {
    ($wrapper:ident, $trait:ident, $leaf:ident, $($many:tt)*) => {
        impl<'de, T: Deserialize<'de>> Deserialize<'de> for $wrapper<T> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                T::deserialize(from).map(Self)
            }
        }

        impl<W: World + ?Sized, T: $trait<W>> Lives<W> for $wrapper<T> {
            type State = T::State;

            #[inline]
            fn start(
                &self,
                state: &mut T::State,
                world: &mut W::At<'_>,
                me: &mut Agent<'_, '_>,
            ) -> Result<(), TaskError> {
                self.0.start(state, world, me)
            }

            #[inline]
            fn stop(
                &self,
                state: &mut T::State,
                world: &mut W::At<'_>,
                me: &mut Agent<'_, '_>,
                outcome: Outcome,
            ) -> Result<(), TaskError> {
                self.0.stop(state, world, me, outcome)
            }

            $($many)*
        }

        impl<W: World + ?Sized, T: $trait<W>> $leaf<W, T> {
            pub(in super::super) fn bind(
                places: &[Place<'_>],
                keep: Option<Keep<T::State>>,
                failed: &mut dyn FnMut(&Place<'_>, String),
            ) -> Self {
                Self(Nodes::bind(places, keep, failed))
            }
        }
    };
}

lives! {
    TheAction, ActionType, OwnAction,
    #[inline]
    fn start_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>) -> bool {
        self.0.start_many(world, lanes)
    }

    #[inline]
    fn stop_many(&self, world: &mut W::At<'_>, lanes: Lanes<'_>, outcome: Outcome) -> bool {
        self.0.stop_many(world, lanes, outcome)
    }
}
lives! { TheNode, NodeType, OwnNode, }

/// The part that all leaves with runs have in common.
macro_rules! life {
    () => {
        fn has_start(&self) -> bool {
            true
        }

        fn has_stop(&self) -> bool {
            true
        }

        fn start(&self, visit: Visit<'_, '_, '_, W>, failed: &mut dyn FnMut(usize)) {
            self.0.start(visit, failed);
        }

        fn stop(&self, visit: Visit<'_, '_, '_, W>, outcome: Outcome) {
            self.0.stop(visit, outcome);
        }

        fn reserve(&self, agents: usize) {
            self.0.reserve(agents);
        }

        fn as_any(&self) -> Option<&dyn Any> {
            Some(self)
        }

        fn save_run(&self, node: usize, agent: usize) -> Option<Vec<u8>> {
            self.0.save_run(node, agent)
        }

        fn restore_run(
            &self,
            node: usize,
            agent: Option<usize>,
            state: &[u8],
        ) -> Result<(), String> {
            self.0.restore_run(node, agent, state)
        }

        fn forget_runs(&self, agent: usize) {
            self.0.forget_runs(agent);
        }

        fn unsaved_state(&self) -> Option<&'static str> {
            self.0.unsaved_state()
        }

        fn take_over(&self, old: &dyn Leaf<W>, nodes: &[(usize, usize)]) {
            let old = old.as_any().and_then(<dyn Any>::downcast_ref::<Self>);
            if let Some(old) = old {
                self.0.take_over(&old.0, nodes);
            }
        }
    };
}

impl<W: World + ?Sized, T: ActionType<W>> Leaf<W> for OwnAction<W, T> {
    life!();

    fn answer(&self, visit: Visit<'_, '_, '_, W>, answers: &mut Answers<'_>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        if let Some(TheAction(action)) = self.0.stateless(call, wiring) {
            let update = || action.update_many(world, lanes, answers);
            match at_once(call, lanes, update) {
                Some(true) => return,
                Some(false) => {}
                None => return answers.set_others(Status::Failure),
            }
            return answer_lanes(call, wiring, lanes, answers, |me| {
                action.update(&mut T::State::default(), world, me)
            });
        }
        let mut going = self.0.going(call, wiring);
        answer_lanes(call, wiring, lanes, answers, |me| {
            let (TheAction(action), state) = going.run(me)?;
            action.update(state, world, me)
        });
    }

    fn answer_one(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        index: usize,
    ) -> Status {
        if let Some(TheAction(action)) = self.0.stateless(call, wiring) {
            return answer_agent(call, wiring, index, |me| {
                action.update(&mut T::State::default(), world, me)
            });
        }
        let mut going = self.0.going(call, wiring);
        answer_agent(call, wiring, index, |me| {
            let (TheAction(action), state) = going.run(me)?;
            action.update(state, world, me)
        })
    }
}

impl<W: World + ?Sized, T: NodeType<W>> Leaf<W> for OwnNode<W, T> {
    life!();

    fn decide(&self, visit: Visit<'_, '_, '_, W>, moves: &mut Moves<'_>) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let mut going = self.0.going(call, wiring);
        let stateless = self.0.stateless(call, wiring);
        for agent in lanes {
            // When something goes wrong, the node fails.
            moves.set(agent, Move::Answer(Status::Failure));
        }
        let decide = |me: &mut Agent<'_, '_>| {
            let told = moves.told(me.index);
            let wanted = match stateless {
                Some(TheNode(node)) => node.decide(&mut T::State::default(), world, me, told)?,
                None => {
                    let (TheNode(node), state) = going.run(me)?;
                    node.decide(state, world, me, told)?
                }
            };
            moves.set(me.index, wanted);
            Ok(())
        };
        each_lane(call, wiring, lanes, decide, &mut |_| {});
    }
}
