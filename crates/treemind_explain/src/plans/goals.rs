//! Why the other goals of a planner are not pursued.

use super::looks::{Asked, Look, Seen};
use super::why::keys_of;
use super::{Prospect, score_words};
use crate::evaluated::Evaluated;
use crate::explainer::Explainer;
use crate::explanation::{Reason, Told, tell_once};
use crate::facts::Case;
use crate::say;
use crate::words::{Language, Words};
use treemind_core::{FaultKind, Held, KeyId, NodeId, Population};

/// How many situations are looked at to say what is missing for a goal.
const MOST_SITUATIONS: u32 = 50_000;

impl Explainer {
    /// Why a planner does not pursue one of its goals, given by its number; if it does, or has not looked yet, what it does
    /// instead, and why.
    pub fn why_goal_in(
        &self,
        population: &Population,
        (planner, goal): (NodeId, usize),
        language: Language,
    ) -> Reason {
        let Some(case) = self.known_case(population) else {
            let anew = self.anew(population);
            return anew.why_goal_in(population, (planner, goal), language);
        };
        let names = Prospect::new(case.behaviour, planner, |_| Held::Unset);
        let look = case.thoughts.look(planner);
        let told = look.zip(names);
        let told = told.and_then(|(look, names)| case.not_pursued((planner, &names), look, goal));
        let mut told = [vec![told.unwrap_or_else(|| case.why(planner))]];
        tell_once(told.each_mut());
        told[0][0].written(case.behaviour, language)
    }
}

impl<'a> Case<'a> {
    /// Why a planner does not pursue its other goals, as it saw them when it looked last.
    pub(crate) fn other_goals(&self, id: NodeId) -> Vec<Told> {
        let names = Prospect::new(self.behaviour, id, |_| Held::Unset);
        let (Some(look), Some(names)) = (self.thoughts.look(id), names) else {
            return Vec::new();
        };
        let goals = 0..look.goals.len();
        goals
            .filter_map(|goal| self.not_pursued((id, &names), look, goal))
            .collect()
    }

    /// Why a planner does not pursue a goal; `None` if it does.
    fn not_pursued(
        &self,
        (id, names): (NodeId, &Prospect<'a>),
        look: &Look,
        goal: usize,
    ) -> Option<Told> {
        let state = self.population.plan(self.agent, id).unwrap_or_default();
        if [state.goal, state.searches].contains(&Some(goal)) {
            return None;
        }
        let wanted = state.goal.or(state.searches);
        let is_fruitless = state.fruitless >> goal & 1 == 1;
        let mut told = self.other_goal((id, names), look, (goal, wanted), is_fruitless)?;
        if look.tick < self.tick && !is_fruitless {
            told.words = told.words.plus(self.when(look.tick));
        }
        Some(told)
    }

    fn other_goal(
        &self,
        (id, names): (NodeId, &Prospect<'a>),
        look: &Look,
        (goal, wanted): (usize, Option<usize>),
        is_fruitless: bool,
    ) -> Option<Told> {
        let name = names.goal_name(goal);
        let score = match look.goals[goal].as_ref()? {
            Seen::Shut(values) => return Some(self.shut_goal((id, names), goal, values)),
            Seen::Faulty(asked, values, fault) => {
                let words = names.faulty_goal(goal, *asked, fault.as_ref());
                let asked_of = names.asked_keys(goal, *asked);
                let reads = values
                    .reads
                    .iter()
                    .filter(|(key, _)| asked_of.contains(key));
                let reads = reads.map(|(key, value)| (*key, Some(*value)));
                return Some(Told::about(id, words).because(self.writers(reads)));
            }
            Seen::Scored(score) => *score,
        };
        if score <= 0.0 {
            let score = score_words(score);
            return Some(Told::about(id, say!(GoalScores, goal = name, score)));
        }
        if Prospect::of_facts(self.behaviour, id, &look.facts)?.is_met(goal) {
            let reads = names.wanted(goal).into_iter();
            let reads = reads.map(|(key, _)| (key, look.facts.get(&key).copied()));
            let told = Told::about(id, say!(GoalHolds, goal = name));
            return Some(told.because(self.writers(reads)));
        }
        if is_fruitless {
            return self.fruitless_goal((id, names), goal);
        }
        let wanted = wanted.filter(|wanted| look.score(*wanted).is_some())?;
        let best = (wanted, look.score(wanted)?);
        let words = names.scored_less((goal, score), best);
        let words = words.unwrap_or_else(|| {
            let (chosen, best) = (names.goal_name(wanted), score_words(best.1));
            say!(
                ScoredTooLittle,
                name,
                score = score_words(score),
                chosen,
                best
            )
        });
        Some(Told::about(id, words))
    }

    /// A goal whose `when` does not hold, with its values.
    fn shut_goal(
        &self,
        (id, names): (NodeId, &Prospect<'a>),
        goal: usize,
        values: &Evaluated,
    ) -> Told {
        let name = names.goal_name(goal);
        let Some(when) = &names.planner().goals[goal].when else {
            return Told::about(id, say!(GoalScoresNothing, goal = name));
        };
        let words = say!(GoalIsShut, goal = name, when = names.part(when));
        let valued = values.text(self.behaviour, when);
        let words = match valued.filter(|text| !matches!(text.as_str(), "true" | "false")) {
            Some(valued) => words.plus(say!(More, more = Words::value(valued))),
            None => words,
        };
        let reads = values.reads.iter();
        let reads = reads.map(|(key, value)| (*key, Some(*value)));
        Told::about(id, words).because(self.writers(reads))
    }

    /// A goal for which no plan was found, with what is missing.
    fn fruitless_goal(&self, (id, names): (NodeId, &Prospect<'a>), goal: usize) -> Option<Told> {
        let words = say!(NoPlanFor, goal = names.goal_name(goal));
        let Some(found) = self.thoughts.fruitless(id, goal) else {
            return Some(Told::about(id, words));
        };
        let told = Told::about(id, words.plus(self.since(Some(found.tick))));
        let prospect = self.prospect(id, found.thought.as_ref());
        let why = prospect.map(|one| self.why_none(id, &one.within(MOST_SITUATIONS), goal));
        Some(told.because_all(why.unwrap_or_default()))
    }

    /// Why there is no plan for a goal, with who wrote what is missing.
    pub(super) fn why_none(&self, id: NodeId, prospect: &Prospect<'_>, goal: usize) -> Vec<Told> {
        let why = prospect.why_none_about(goal).into_iter().skip(1);
        let told = why.map(|(words, keys)| {
            let keys = keys.into_iter().map(|key| (key, prospect.value(key)));
            Told::about(id, words).because(self.writers(keys))
        });
        told.collect()
    }

    /// What the cost of a step is, if its planner found in this tick that it is none.
    pub(crate) fn cost_of(&self, child: NodeId) -> Option<Told> {
        let planner = self.node(child).parent?;
        let step = self
            .node(planner)
            .children
            .iter()
            .position(|one| *one == child)?;
        let mut thoughts = self.thoughts.all(planner);
        let words = thoughts.find_map(|thought| {
            let prospect = self.prospect(planner, Some(thought))?;
            prospect.unusable_step(thought.goal, step)
        });
        Some(Told::about(child, words?))
    }
}

impl Prospect<'_> {
    /// That a goal scored less than the one that is pursued; `None` if it did not.
    pub(super) fn scored_less(
        &self,
        (goal, score): (usize, f64),
        (chosen, best): (usize, f64),
    ) -> Option<Words> {
        let [name, chosen] = [goal, chosen].map(|goal| self.goal_name(goal));
        let (score_text, less) = (score_words(score), score_words(best - score));
        (score < best).then(|| say!(ScoredLess, name, score = score_text, less, chosen))
    }

    /// The keys that the `when` or the score of a goal names.
    fn asked_keys(&self, goal: usize, asked: Asked) -> Vec<KeyId> {
        let goal = &self.planner.goals[goal];
        match asked {
            Asked::When => goal.when.iter().flat_map(keys_of).collect(),
            Asked::Score => goal.score.exprs().flat_map(keys_of).collect(),
        }
    }

    /// That the `when` or the score of a goal has a fault, so that it is not pursued.
    pub(super) fn faulty_goal(
        &self,
        goal: usize,
        asked: Asked,
        fault: Option<&FaultKind>,
    ) -> Words {
        let name = self.goal_name(goal);
        let when = self.planner.goals[goal].when.as_ref();
        let words = match (asked, when) {
            (Asked::When, Some(when)) => say!(GoalWhenFaulty, goal = name, when = self.part(when)),
            _ => say!(GoalScoreFaulty, goal = name),
        };
        match fault {
            Some(fault) => say!(Colon, one = words, more = Words::wrong(fault)),
            None => words,
        }
    }
}
