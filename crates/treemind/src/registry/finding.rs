//! What `find` asks a game: closures that list candidates and that measure them.

use super::Registry;
use super::agent::Agent;
use super::answer::Done;
use super::bulk::{Leaf, Visit, each_lane, panic_text};
use super::entry::{Entry, Given, Shared};
use super::keys::Wiring;
use super::value::KeyType;
use crate::world::World;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use treemind_core::host::{Call, Candidates, Pairs};
use treemind_doc::manifest::LeafWord;

impl<W: World + ?Sized> Registry<W> {
    /// Registers what lists the candidates of a `find`: `list` calls its last argument with each of them, the first ones
    /// first. It answers whether there is room for more. It may return nothing, or a `Result` with nothing, whose error is
    /// kept as a fault. It replaces a leaf registered before under that name.
    ///
    /// ```
    /// use treemind::prelude::*;
    ///
    /// struct Game {
    ///     covers: Vec<[f32; 2]>,
    /// }
    ///
    /// let mut registry = Registry::<Game>::new();
    /// registry.candidates("cover-points", |game: &Game, me, list: &mut dyn FnMut([f32; 2]) -> bool| {
    ///     let range: f32 = me.arg("range");
    ///     let near = game.covers.iter().filter(|cover| cover[0].abs() < range);
    ///     near.for_each(|cover| {
    ///         list(*cover);
    ///     });
    /// });
    /// registry.measure("exposure", |game: &Game, _, cover: [f32; 2]| 1.0 / (1.0 + cover[1].abs()));
    /// ```
    pub fn candidates<T, R, F>(&mut self, name: &str, list: F) -> &mut Self
    where
        T: KeyType + 'static,
        R: Done + 'static,
        F: Fn(&W::At<'_>, &Agent<'_, '_>, &mut dyn FnMut(T) -> bool) -> R + Send + Sync + 'static,
    {
        let source = Shared(Arc::new(CandidatesLeaf(list, PhantomData::<fn(T) -> R>)));
        let mut entry = Entry::new(name, Some(LeafWord::Candidates), source);
        entry.gives = Some(given::<T>());
        self.insert(entry)
    }

    /// Registers a measure: a number for each candidate of a `find`. For measures with further parameters, or to answer
    /// many agents at once, see [`measure_pairs`](Self::measure_pairs). It replaces a leaf registered before under that
    /// name.
    pub fn measure<T, F>(&mut self, name: &str, measure: F) -> &mut Self
    where
        T: KeyType + 'static,
        F: Fn(&W::At<'_>, &Agent<'_, '_>, T) -> f32 + Send + Sync + 'static,
    {
        let source = Shared(Arc::new(MeasureLeaf(measure, PhantomData)));
        let mut entry = Entry::new(name, Some(LeafWord::Measure), source);
        entry.gives = Some(given::<T>());
        self.insert(entry)
    }

    /// Registers a measure that is computed for all candidates of all agents in one call: a game can sort them, share work
    /// between them, or have them computed elsewhere. It replaces a leaf registered before under that name.
    pub fn measure_pairs<F>(&mut self, name: &str, measure: F) -> &mut Self
    where
        F: Fn(&W::At<'_>, &mut Pairs) + Send + Sync + 'static,
    {
        let source = Shared(Arc::new(PairsLeaf(measure)));
        self.insert(Entry::new(name, Some(LeafWord::Measure), source))
    }
}

fn given<T: KeyType>() -> Given {
    Given {
        is_list: false,
        matches: T::matches,
        keyword: T::KEYWORD,
    }
}

/// Lists candidates.
struct CandidatesLeaf<F, T, R>(F, PhantomData<fn(T) -> R>);

impl<W: World + ?Sized, F, T, R> Leaf<W> for CandidatesLeaf<F, T, R>
where
    T: KeyType,
    R: Done,
    F: Fn(&W::At<'_>, &Agent<'_, '_>, &mut dyn FnMut(T) -> bool) -> R + Send + Sync,
{
    fn candidates(&self, visit: Visit<'_, '_, '_, W>, candidates: &mut Candidates) {
        let Visit {
            world,
            call,
            wiring,
            lanes,
        } = visit;
        let world = &*world;
        let each = |me: &mut Agent<'_, '_>| {
            let agent = me.index;
            let mut list = |candidate: T| candidates.push(agent, candidate.into_value());
            (self.0)(world, me, &mut list).into_done()
        };
        each_lane(call, wiring, lanes, each, &mut |_| {});
    }
}

/// Measures one candidate after the other.
struct MeasureLeaf<F, T>(F, PhantomData<fn(T)>);

impl<W: World + ?Sized, F, T> Leaf<W> for MeasureLeaf<F, T>
where
    T: KeyType,
    F: Fn(&W::At<'_>, &Agent<'_, '_>, T) -> f32 + Send + Sync,
{
    fn measure(
        &self,
        world: &mut W::At<'_>,
        call: &mut Call<'_>,
        wiring: &Wiring,
        pairs: &mut Pairs,
    ) {
        let world = &*world;
        let mut pair = 0;
        while pair < pairs.len() {
            let measured = catch_unwind(AssertUnwindSafe(|| {
                while pair < pairs.len() {
                    let me = Agent {
                        index: pairs.agent(pair),
                        call,
                        wiring,
                    };
                    if let Some(candidate) = T::from_value(pairs.candidate(pair)) {
                        pairs.set(pair, (self.0)(world, &me, candidate));
                    }
                    pair += 1;
                }
            }));
            if let Err(panic) = measured {
                call.fault(pairs.agent(pair), panic_text(&*panic));
                pair += 1;
            }
        }
    }
}

/// Measures all candidates together.
struct PairsLeaf<F>(F);

impl<W: World + ?Sized, F> Leaf<W> for PairsLeaf<F>
where
    F: Fn(&W::At<'_>, &mut Pairs) + Send + Sync,
{
    fn measure(&self, world: &mut W::At<'_>, call: &mut Call<'_>, _: &Wiring, pairs: &mut Pairs) {
        let world = &*world;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.0)(world, pairs))) {
            call.fault(pairs.agent(0), panic_text(&*panic));
        }
    }
}
