//! Many agents at once: how many do what, and who is looked for.

use super::Wish;
use super::protocol::{Crowd, Found, FoundAgent};
use crate::follow::{Agents, Condition, Roster, Troupe};
use treemind_core::{Kind, NodeId, Population, PopulationId};

/// How many agents of those that are looked for are listed.
const MOST_FOUND: usize = 60;

/// What a page shows of everybody: how many there are, for each line of the chosen agent's definition how many are
/// there, and who fits what the page looks for.
pub fn crowd_of(agents: &dyn Agents, roster: &Roster, troupe: &Troupe, wish: &Wish) -> Crowd {
    let counts = roster.place(wish.mind).and_then(|(id, _)| {
        let population = agents.population(id)?;
        Some(troupe.activity().counts(id, population))
    });
    let search = Search {
        agents,
        roster,
        troupe,
    };
    Crowd {
        agents: roster.len(),
        counts,
        found: search.found(wish),
    }
}

/// What is known about everybody.
struct Search<'a> {
    agents: &'a dyn Agents,
    roster: &'a Roster,
    troupe: &'a Troupe,
}

impl Search<'_> {
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
        let listed = fits.iter().take(MOST_FOUND);
        let agents = listed
            .filter_map(|place| {
                let nth = self.roster.number(place.0, place.1)?;
                let name = self.roster.name(self.agents, nth);
                let does = self.does(*place).map(str::to_owned);
                Some(FoundAgent { nth, name, does })
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
