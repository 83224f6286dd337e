//! Many agents at once: how many do what, and who is looked for.

use super::Wish;
use super::protocol::{Cannot, Crowd, Found, FoundAgent};
use crate::follow::{Agents, Condition, Roster, Troupe, memory_begin};
use treemind_core::{Behaviour, Kind, NodeId, Population, PopulationId};

/// How many agents of those that are looked for are listed.
const MOST_FOUND: usize = 60;

/// What a page shows of everybody: how many there are, for each line of the chosen agent's definition how many are
/// there, and who fits what the page looks for. If what is known of everybody goes back as far as
/// of those who are followed, `tick` is the one that is shown; without it, everything is known since the game began.
pub fn crowd_of(
    agents: &dyn Agents,
    (roster, troupe): (&Roster, &Troupe),
    wish: &Wish,
    tick: Option<u64>,
) -> Crowd {
    let own = roster.place(wish.mind);
    let own = own.and_then(|(id, _)| Some((id, agents.population(id)?)));
    let activity = troupe.activity();
    let cannot = own.and_then(|(id, population)| {
        let behaviour = population.program().behaviour();
        let (branch, count) = activity.cannot(id, behaviour)?;
        let branch = name_of(behaviour, branch).to_owned();
        Some(Cannot { count, branch })
    });
    let search = Search {
        agents,
        roster,
        troupe,
        tick,
    };
    Crowd {
        agents: roster.len(),
        counts: own.map(|(id, population)| activity.counts(id, population)),
        cannot,
        found: search.found(wish),
    }
}

/// What a branch is called: by its name, or by the first condition or action in it.
fn name_of(behaviour: &Behaviour, branch: NodeId) -> &str {
    let is_in = |node: NodeId| {
        let mut above = Some(node);
        while let Some(at) = above.filter(|at| *at != branch) {
            above = behaviour.node(at).parent;
        }
        above.is_some()
    };
    let is_leaf = |node: NodeId| {
        let kind = &behaviour.node(node).kind;
        matches!(
            kind,
            Kind::Condition { .. } | Kind::Action { .. } | Kind::Check { .. }
        )
    };
    let mut leaves = behaviour.node_ids();
    let leaf = leaves.find(|node| is_leaf(*node) && is_in(*node));
    let is_named = behaviour.node(branch).name.is_some();
    behaviour.label(leaf.filter(|_| !is_named).unwrap_or(branch))
}

/// What is known about everybody.
struct Search<'a> {
    agents: &'a dyn Agents,
    roster: &'a Roster,
    troupe: &'a Troupe,
    tick: Option<u64>,
}

impl Search<'_> {
    /// Since when an agent has done what it does, and whether it may have been for longer.
    fn since(&self, (id, agent): (PopulationId, usize)) -> Option<(u64, bool)> {
        let activity = self.troupe.activity();
        let agents = self.agents.population(id)?.len();
        let begin = self.tick.map_or(0, |tick| memory_begin(tick, agents));
        let begin = begin.max(activity.begin(id));
        let since = activity.since(id, agent)?.max(begin + 1);
        Some((since, begin > 0 && since == begin + 1))
    }

    /// The action that an agent runs.
    fn does(&self, (id, agent): (PopulationId, usize)) -> Option<&str> {
        let behaviour = self.agents.population(id)?.program().behaviour();
        let action = self.troupe.activity().action(id, behaviour, agent)?;
        Some(behaviour.label(action))
    }

    /// The agents whose name, action or state has a text in it, and for which a condition holds.
    fn found(&self, wish: &Wish) -> Found {
        let mut wrong = None;
        let mut fits = Vec::new();
        for id in self.agents.populations() {
            let Some(population) = self.agents.population(id) else {
                continue;
            };
            let alive = (0..population.len()).filter(|agent| population.is_alive(*agent));
            let mut some: Vec<usize> = alive.collect();
            if !wish.holds.is_empty() {
                match Condition::new(population.program().behaviour(), &wish.holds) {
                    Ok(mut condition) => {
                        let mut hold = condition.hold(population, &some).into_iter();
                        some.retain(|_| hold.next() == Some(true));
                    }
                    // Agents of other behaviours do not have its keys.
                    Err(reason) => {
                        let is_chosen =
                            self.roster.place(wish.mind).is_some_and(|(of, _)| of == id);
                        wrong = wrong.or(Some(reason).filter(|_| is_chosen));
                        continue;
                    }
                }
            }
            if !wish.find.is_empty() {
                let wanted = wish.find.to_lowercase();
                some = self.with_text((id, population), some, &wanted);
            }
            fits.extend(some.into_iter().map(|agent| (id, agent)));
        }
        if wish.longest {
            fits.sort_by_cached_key(|place| self.since(*place));
        }
        let listed = fits.iter().take(MOST_FOUND);
        let agents = listed
            .filter_map(|place| {
                let nth = self.roster.number(place.0, place.1)?;
                let name = self.roster.name(self.agents, nth);
                let does = self.does(*place).map(str::to_owned);
                let since = self.since(*place);
                Some(FoundAgent {
                    nth,
                    name,
                    does,
                    since: since.map(|(since, _)| since),
                    is_least: since.is_some_and(|(_, is_least)| is_least),
                })
            })
            .collect();
        Found {
            count: fits.len(),
            agents,
            wrong,
        }
    }

    /// The agents whose name, action or active state has a text in it.
    fn with_text(
        &self,
        (id, population): (PopulationId, &Population),
        agents: Vec<usize>,
        wanted: &str,
    ) -> Vec<usize> {
        let behaviour = population.program().behaviour();
        let has = |text: &str| text.to_lowercase().contains(wanted);
        let nodes = behaviour.node_ids().filter(|node| {
            matches!(behaviour.node(*node).kind, Kind::Action { .. }) && has(behaviour.label(*node))
        });
        let running: Vec<&[u64]> = nodes
            .map(|node| self.troupe.activity().runs(id, node))
            .collect();
        let states: Vec<(NodeId, usize)> = behaviour
            .node_ids()
            .filter_map(|node| match &behaviour.node(node).kind {
                Kind::Machine(machine) => Some((node, machine)),
                _ => None,
            })
            .flat_map(|(node, machine)| {
                let named = machine.states.iter().enumerate();
                let named = named.filter(|(_, state)| has(&state.name));
                named.map(move |(state, _)| (node, state))
            })
            .collect();
        let name = self.agents.name(id);
        let count = population.len();
        let fits = |agent: &usize| {
            let runs = |bits: &&[u64]| {
                let word = bits.get(agent / 64);
                word.is_some_and(|word| word >> (agent % 64) & 1 == 1)
            };
            running.iter().any(runs)
                || states
                    .iter()
                    .any(|(node, state)| population.is_in(*agent, *node, *state))
                || match count {
                    1 => has(&name),
                    _ => has(&format!("{name}-{}", agent + 1)),
                }
        };
        agents.into_iter().filter(fits).collect()
    }
}
